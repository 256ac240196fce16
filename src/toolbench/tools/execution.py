"""Runs an executor in a task of its own, within its limit, and survives whatever it does (R-DISP 8 to 10)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from toolbench.tools.executor import Executor, ToolContext
from toolbench.tools.normalize import Normalized, error_result, normalize

GRACE: Final = 0.2
"""Seconds in which a cancelled executor may end; afterwards it is left behind."""


@dataclass(frozen=True, slots=True)
class Executed:
    """What came of an execution."""

    outcome: Literal["ok", "error", "timeout", "aborted"]
    result: Normalized
    duration: float
    message: str | None = None


@dataclass(slots=True)
class Execution:
    """One run of an executor."""

    executor: Executor
    arguments: dict[str, Any]
    context: ToolContext
    tool: str
    limit: float
    clock: Callable[[], float]
    left_behind: Callable[[asyncio.Task[Any], float], None]
    """Takes a task that did not end in its grace, and when it began."""

    async def run(self) -> Executed:
        """Run to the end, the limit or a cancel of the caller.

        Raises:
            asyncio.CancelledError: the caller was cancelled; the executor has been told.
        """
        begun = self.clock()
        task = asyncio.create_task(_guarded(self.executor, self.arguments, self.context))
        try:
            done, _ = await asyncio.wait({task}, timeout=self.limit)
        except asyncio.CancelledError:
            await self._stop(task, begun)
            raise
        duration = self.clock() - begun
        if not done:
            await self._stop(task, begun)
            message = f"Tool {self.tool} did not finish within {self.limit:g} s"
            return Executed("timeout", error_result(message), duration, message)
        ok, value = (
            (False, asyncio.CancelledError("cancelled by the tool itself")) if task.cancelled() else task.result()
        )
        if ok:
            result = normalize(value)
            return Executed("error" if result.is_error else "ok", result, duration)
        message = error_message(value)
        return Executed("error", error_result(message), duration, message)

    async def _stop(self, task: asyncio.Task[tuple[bool, Any]], begun: float) -> None:
        """Cancel the executor; leave it behind when it does not stop."""
        task.cancel()
        done, _ = await asyncio.wait({task}, timeout=GRACE)
        if not done:
            self.left_behind(task, begun)


async def _guarded(executor: Executor, arguments: dict[str, Any], context: ToolContext) -> tuple[bool, Any]:
    """Catch everything inside the executor's own task: outside, some of it ends the event loop (R-DISP 10)."""
    try:
        return True, await executor(arguments, context)
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return False, error
    except BaseException as error:  # noqa: BLE001 - SystemExit and KeyboardInterrupt of a tool are its own failure
        return False, error


def error_message(error: BaseException) -> str:
    """Return what a tool's exception says, its type when it says nothing; a group tells all of its members."""
    if isinstance(error, BaseExceptionGroup):
        members = "; ".join(error_message(one) for one in error.exceptions[:10])
        return f"{error.message}: {members}"
    if isinstance(error, SystemExit):
        return f"the tool tried to exit with {error.code!r}"
    text = str(error)
    if isinstance(error, asyncio.CancelledError | KeyboardInterrupt):
        return f"{type(error).__name__}: {text}" if text else type(error).__name__
    return text if text.strip() else type(error).__name__
