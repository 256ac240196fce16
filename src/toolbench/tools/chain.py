"""Runs the handlers of a point one after another, each within its limit (R-HOOK 1, 7, 9).

What they answer is judged by the two kinds of chain.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from math import inf
from typing import Any, Literal, NamedTuple

from toolbench.tools.hooks import Call, Handler, HandlerNotStarted, HandlerReport, HandlerVerdict, Result
from toolbench.tools.lock import HOOK_CONTEXT, HookPlace
from toolbench.tools.watchdog import Limited, Watchdog


class Answer(NamedTuple):
    """What one handler came to."""

    verdict: HandlerVerdict
    value: Any = None
    reason: str | None = None
    flags: tuple[str, ...] = ()


PASS = Answer("pass")


class Frame(NamedTuple):
    """What a chain runs in."""

    run: Limited
    """The call in whose task this is; it is cancelled when a handler's time is over."""
    watchdog: Watchdog
    clock: Callable[[], float]
    """Monotonic seconds."""
    limit: float
    """Seconds that a handler may take which names no limit of its own."""
    started: Callable[[Handler, int, int], None] | None = None
    """Told before each handler: the handler, its position and how many there are."""
    ended: Callable[[HandlerReport], None] | None = None
    """Told after each handler."""
    hold: Callable[[Literal["enter", "leave"], Handler, int, int], Awaitable[None] | None] | None = None
    """Called around each handler; what it returns is awaited, and time spent in that counts in no limit."""


class Chain(ABC):
    """A chain under way. Its kinds say what a handler gets, and what becomes of its answer."""

    def __init__(self, call: Call, shown: Result | None, frame: Frame) -> None:
        """Create a chain.

        Args:
            call: as the first handler gets it; the chain's own.
            shown: the result that an after handler gets; None in a before chain.
            frame: what the chain runs in.
        """
        self.call = call
        self.shown = shown
        self.reports: list[HandlerReport] = []
        self._frame = frame

    async def run(self, handlers: Sequence[Handler]) -> None:
        """Run the handlers in order, until one ends the chain."""
        place = HookPlace()
        token = HOOK_CONTEXT.set(place)
        try:
            await self._all(handlers, place)
        finally:
            HOOK_CONTEXT.reset(token)

    async def _all(self, handlers: Sequence[Handler], place: HookPlace) -> None:
        run, watchdog, clock, limit, started, ended, hold = self._frame
        total, reports = len(handlers), self.reports
        for position, handler in enumerate(handlers):
            if hold is not None and (held := hold("enter", handler, position, total)) is not None:
                await held
            if started is not None:
                started(handler, position, total)
            place.handler = handler.id
            begun = clock()
            if handler.blocks_because is not None:
                answer = Answer("not-started", reason=handler.blocks_because)
            else:
                watchdog.limit(run, handler.timeout or limit)
                try:
                    given = await handler.run(self.call, self.shown)
                except BaseException as error:  # noqa: BLE001 - a handler's SystemExit is its own failure, too
                    answer = self._failure(handler, error)
                else:
                    answer = (
                        self._out_of_time(handler) if run.timed_out else PASS if given is None else self._judge(given)
                    )
                run.deadline = inf
            report = self._settle(handler, answer, clock() - begun)
            reports.append(report)
            if ended is not None:
                ended(report)
            if hold is not None and (held := hold("leave", handler, position, total)) is not None:
                await held
            if report.verdict != "pass" and self._stops(handler, report):
                return

    def _failure(self, handler: Handler, error: BaseException) -> Answer:
        """Judge what a handler raised (R-HOOK 2, 7).

        Raises:
            asyncio.CancelledError: it is the call that was cancelled.
        """
        run = self._frame.run
        run.deadline = inf
        if run.timed_out:
            return self._out_of_time(handler)
        if isinstance(error, asyncio.CancelledError) and is_cancelled():
            raise error
        if isinstance(error, HandlerNotStarted):
            return Answer("not-started", reason=str(error) or "the handler could not be started")
        return Answer("failed", reason=str(error) or type(error).__name__)

    def _out_of_time(self, handler: Handler) -> Answer:
        """Return the answer of a handler that took too long, whatever it answered in the end.

        Raises:
            asyncio.CancelledError: the call was cancelled as well.
        """
        self._frame.run.out_of_time()
        if is_cancelled():
            raise asyncio.CancelledError
        limit = handler.timeout or self._frame.limit
        return Answer("timeout", reason=f"hook {handler.id} did not answer within {limit:g} s")

    @abstractmethod
    def _judge(self, given: Any) -> Answer:
        """Judge what a handler returned; None is a pass and does not come here."""

    @abstractmethod
    def _settle(self, handler: Handler, answer: Answer, duration: float) -> HandlerReport:
        """Let an answer take effect, and report it."""

    def _stops(self, handler: Handler, report: HandlerReport) -> bool:
        """Tell whether the chain ends with this handler."""
        return False


def is_cancelled() -> bool:
    """Tell whether somebody asked for the end of this task: what is raised is then no doing of the code in it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
