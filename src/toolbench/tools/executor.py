"""What the dispatcher needs of an executor, and what an executor is told about its call (R-DISP 8 to 12)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeAlias


def _no_progress(_update: Any) -> None:
    """Drop an update: nobody listens."""


def _not_cancelled() -> bool:
    return False


def _not_late() -> None:
    """Nobody wants to know."""


@dataclass(slots=True, eq=False)
class ToolContext:
    """Handed to an executor beside its arguments; people's functions get it when a parameter asks for it."""

    call_id: str
    tool_name: str = ""
    workspace: str | None = None
    """The folder that built-in tools may touch, absolute; none when the session has none."""
    progress: Callable[[Any], None] = _no_progress
    """Send an update to the log; safe from any thread, ignored after the call ended (R-DISP 12)."""
    is_cancelled: Callable[[], bool] = _not_cancelled
    """Tells whether the call was cancelled or is out of time; for code that can stop itself."""
    deadline: float | None = None
    """Monotonic time at which the call's limit is over."""
    late: Callable[[], None] = _not_late
    """For executors: tell that code which was left behind has ended after all; safe from any thread (R-DISP 8)."""

    @property
    def cancelled(self) -> bool:
        """Whether the call was cancelled or is out of time."""
        return self.is_cancelled()


Executor: TypeAlias = Callable[[dict[str, Any], ToolContext], Awaitable[Any]]
"""Runs a tool: `await executor(arguments, context)` answers anything (R-DISP 11 normalizes it) or raises.

It is awaited in the call's own task, so it must be cooperative: a cancel ends the await at once. People's code is made
so by `executors`, which runs it off the loop and leaves it behind when it does not stop.
"""
