"""Holds calls at the points of their way until a person lets them go on: a reader of the dispatcher's one seam."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from toolbench.tools.events import CallResumed, CallStopped, Event
from toolbench.tools.monitor import Decision, Point

Mode: TypeAlias = Literal["off", "step"]


@dataclass(slots=True)
class Stopped:
    """A call that stands still."""

    point: Point
    since: float
    """Monotonic seconds."""
    decided: asyncio.Future[Decision]


def everywhere(_point: Point) -> bool:
    """Stop at every point."""
    return True


class Stepper:
    """A monitor with a person behind it. Time that a call stands counts in no limit and no duration (R-HOOK 7)."""

    def __init__(self, *, emit: Callable[[Event], None] | None = None, clock: Callable[[], float]) -> None:
        """Create a stepper that lets everything pass.

        Args:
            emit: takes `CallStopped` and `CallResumed`.
            clock: monotonic seconds.
        """
        self._emit = emit
        self._clock = clock
        self._stopped: dict[int, Stopped] = {}
        self._running: set[int] = set()
        self.mode: Mode = "off"
        self.should_stop: Callable[[Point], bool] = everywhere
        """Asked in mode `step`, for calls that were not told to go on to their end."""

    @property
    def active(self) -> bool:
        """Whether any call may be stopped; see `Monitor`."""
        return self.mode != "off"

    @property
    def stopped(self) -> tuple[Stopped, ...]:
        """The calls that stand still, the longest first."""
        return tuple(self._stopped.values())

    def at(self, point: Point) -> Awaitable[Decision] | None:
        """Stop the call here, or let it pass; see `Monitor`."""
        if self.mode == "off" or point.call in self._running or not self.should_stop(point):
            return None
        return self._hold(point)

    def next(self, call: int) -> bool:
        """Let a stopped call go on to its next point; tell whether it was stopped."""
        return self._decide(call, "continue", "next")

    def go_on(self, call: int) -> bool:
        """Let a stopped call go on to its end; tell whether it was stopped."""
        self._running.add(call)
        if self._decide(call, "continue", "continue"):
            return True
        self._running.discard(call)
        return False

    def abort(self, call: int) -> bool:
        """End a stopped call with `Operation aborted`; tell whether it was stopped."""
        return self._decide(call, "abort", "abort")

    def release_all(self) -> None:
        """Abort whatever stands still and stop nothing more: the session closes."""
        self.mode = "off"
        for call in tuple(self._stopped):
            self.abort(call)

    def ended(self, call: int) -> None:
        """Forget a call that is over."""
        self._running.discard(call)

    async def _hold(self, point: Point) -> Decision:
        """Stand until somebody decides."""
        stopped = Stopped(point, self._clock(), asyncio.get_running_loop().create_future())
        self._stopped[point.call] = stopped
        self._tell(CallStopped(point.call, point.tool, point.stage, point.when, point.handler))
        try:
            return await stopped.decided
        finally:
            self._stopped.pop(point.call, None)

    def _decide(self, call: int, decision: Decision, action: str) -> bool:
        """Let a stopped call move."""
        stopped = self._stopped.pop(call, None)
        if stopped is None or stopped.decided.done():
            return False
        self._tell(CallResumed(call, action, self._clock() - stopped.since))
        stopped.decided.set_result(decision)
        return True

    def _tell(self, event: Event) -> None:
        if self._emit is not None:
            self._emit(event)
