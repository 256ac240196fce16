"""One timer for all time limits of a dispatcher: a limit costs a comparison, not a timer (R-HOOK 7, R-DISP 8)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from math import inf


class Limited:
    """Something under way that may run out of time; it awaits in `task`, which is then cancelled."""

    __slots__ = ("deadline", "task", "timed_out")

    def __init__(self) -> None:
        self.task: asyncio.Task[object] | None = None
        self.deadline = inf
        """In the loop's time; infinite while nothing is limited."""
        self.timed_out = False

    def out_of_time(self) -> bool:
        """Tell whether a cancel just felt, or one that was swallowed, was the watchdog's; take note of it once."""
        if not self.timed_out:
            return False
        self.timed_out = False
        if self.task is not None:
            self.task.uncancel()
        return True


class Watchdog:
    """Looks at all that is under way when the earliest deadline is over."""

    def __init__(self, under_way: Callable[[], Iterable[Limited]]) -> None:
        """Create a watchdog of what `under_way` returns."""
        self._under_way = under_way
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._wakes = inf

    def limit(self, one: Limited, seconds: float) -> None:
        """Give `one` so many seconds from now."""
        loop = asyncio.get_running_loop()
        one.deadline = deadline = loop.time() + seconds
        if deadline < self._wakes or loop is not self._loop:
            self._wake_at(loop, deadline)

    def _wake_at(self, loop: asyncio.AbstractEventLoop, when: float) -> None:
        """Set the timer, in place of a later one or one of an earlier loop."""
        if self._timer is not None:
            self._timer.cancel()
        self._loop, self._wakes = loop, when
        self._timer = loop.call_at(when, self._look)

    def _look(self) -> None:
        """Cancel what is out of time, and wake again for the next."""
        assert self._loop is not None
        now = self._loop.time()
        self._timer, self._wakes = None, inf
        waiting = inf
        for one in tuple(self._under_way()):
            if one.deadline <= now:
                one.deadline = inf
                if one.task is not None:
                    one.timed_out = True
                    one.task.cancel()
            else:
                waiting = min(waiting, one.deadline)
        if waiting < inf:
            self._wake_at(self._loop, waiting)
