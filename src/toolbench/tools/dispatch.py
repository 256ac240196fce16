"""`tool_use` in, `tool_result` out: exactly one for each, whatever fails (R-DISP)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from toolbench.tools.blocks import ToolUse
from toolbench.tools.call_run import Aborted, CallRun, Services
from toolbench.tools.events import Event
from toolbench.tools.lock import HOOK_CONTEXT, FairLock, refuse_hooks
from toolbench.tools.monitor import Monitor
from toolbench.tools.report import BatchReport, CallReport
from toolbench.tools.settings import DispatchSettings
from toolbench.tools.toolset import CallableTool, Toolset
from toolbench.tools.watchdog import Watchdog

__all__ = ["CallableTool", "DispatchSettings", "Dispatcher", "Running", "Toolset"]

CUT_OFF: Final = "not run: the message ended at its token limit, so the arguments may be cut off"


@dataclass(frozen=True, slots=True)
class Running:
    """A call on its way, as a person sees it."""

    call: int
    id: str
    name: str
    stage: str
    since: float
    """Monotonic seconds."""


class Dispatcher:
    """Runs calls through lookup, validation, hooks, executor and hooks; belongs to one event loop's thread."""

    def __init__(
        self, *, emit: Callable[[Event], None] | None = None, clock: Callable[[], float], lock: FairLock | None = None
    ) -> None:
        """Create a dispatcher.

        Args:
            emit: takes every event, in order.
            clock: monotonic seconds.
            lock: the session's write lock; one of its own when not given.
        """
        self._calls: dict[int, CallRun] = {}
        watchdog = Watchdog(self._calls.values)
        self._services = Services(emit, clock, lock if lock is not None else FairLock(), watchdog)
        self._next_call = 1
        self._next_batch = 1

    # Calls

    async def call(self, use: ToolUse, toolset: Toolset) -> CallReport:
        """Run one call in the caller's task.

        Raises:
            ReentrantCall: the caller is a hook.
            asyncio.CancelledError: the caller's task was cancelled; the call has been ended and told.
        """
        if HOOK_CONTEXT.get() is not None:
            refuse_hooks(f"a call of {use.name}")
        run = self._begin(use, toolset)
        try:
            run.start()
            return await self._scoped(run, run.whole) or run.abort()
        finally:
            del self._calls[run.number]

    async def batch(self, uses: Sequence[ToolUse], toolset: Toolset, *, stop_reason: str | None = None) -> BatchReport:
        """Run the calls of one message (R-DISP 6, 7, 13).

        Raises:
            ReentrantCall: the caller is a hook.
            asyncio.CancelledError: the caller's task was cancelled; all calls have been ended and told.
        """
        refuse_hooks("a batch of calls")
        number, self._next_batch = self._next_batch, self._next_batch + 1
        runs = [self._begin(use, toolset, number) for use in uses]
        try:
            self._refuse(runs, stop_reason)
            pending = [run for run in runs if run.report is None]
            for run in pending:
                run.start()
            if toolset.settings.tool_execution == "sequential" or any(run.sequential for run in pending):
                for run in pending:
                    await self._scoped(run, run.whole)
            else:
                await self._side_by_side(pending)
        finally:
            for run in runs:
                run.abort()
                self._calls.pop(run.number, None)
        reports = tuple(run.abort() for run in runs)
        terminate = bool(reports) and all(report.result.terminate for report in reports)
        return BatchReport(reports=reports, terminate=terminate)

    def cancel(self, call: int) -> bool:
        """Cancel one call, wherever it stands; tell whether it was on its way (R-DISP 9)."""
        run = self._calls.get(call)
        if run is None or run.report is not None:
            return False
        run.cancelled = True
        if run.task is not None:
            run.task.cancel()
        return True

    def cancel_all(self) -> None:
        """Cancel every call, those of a batch that have not begun too."""
        for number in tuple(self._calls):
            self.cancel(number)

    @property
    def running(self) -> tuple[Running, ...]:
        """The calls on their way, the oldest first."""
        return tuple(
            Running(run.number, run.use.id, run.use.name, run.stage, run.since)
            for run in self._calls.values()
            if run.report is None
        )

    def add_monitor(self, monitor: Monitor) -> Callable[[], None]:
        """Let `monitor` watch and hold every call from now on; return the function that ends this."""
        services = self._services
        services.monitors = (*services.monitors, monitor)

        def undo() -> None:
            services.monitors = tuple(one for one in services.monitors if one is not monitor)

        return undo

    # How it is done

    def _begin(self, use: ToolUse, toolset: Toolset, batch: int | None = None) -> CallRun:
        number = self._next_call
        self._next_call = number + 1
        run = self._calls[number] = CallRun(number, use, toolset, self._services, batch)
        return run

    @staticmethod
    def _refuse(runs: Sequence[CallRun], stop_reason: str | None) -> None:
        """Refuse what must not run: a message that was cut off, a second call with one id (R-DISP 6, 7)."""
        seen: set[str] = set()
        for run in runs:
            if stop_reason in ("max_tokens", "length"):
                run.start()
                run.refuse(CUT_OFF)
            elif run.use.id in seen:
                run.start()
                run.refuse(f"not run: the message has another call with the id {run.use.id}")
            seen.add(run.use.id)

    async def _side_by_side(self, runs: Sequence[CallRun]) -> None:
        """Run all up to the before hooks one at a time in order, then the executors together (R-DISP 6)."""
        ready = [run for run in runs if await self._scoped(run, run.up_to_execution) is None]
        tasks = [asyncio.create_task(self._scoped(run, run.from_execution)) for run in ready]
        if not tasks:
            return
        try:
            await asyncio.wait(tasks)
        except asyncio.CancelledError:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            raise
        for task in tasks:
            task.result()

    @staticmethod
    async def _scoped(run: CallRun, step: Callable[[], Awaitable[CallReport | None]]) -> CallReport | None:
        """Run steps of a call so that the call alone can be cancelled, as a time-out does it.

        A cancel of the call ends here, with its result; a cancel of the task goes on.
        """
        if run.cancelled:
            return run.abort()
        run.task = task = asyncio.current_task()
        try:
            report = await step()
            if not was_cancelled(run):
                return report
        except Aborted:
            return run.abort()
        except asyncio.CancelledError:
            report = run.abort()
            if not was_cancelled(run):
                raise
        finally:
            run.task = None
        if task is not None:
            await _settle(task)
        return report


async def _settle(task: asyncio.Task[object]) -> None:
    """Take back the cancel of a call alone. It may still be on its way, and must not reach the caller.

    Raises:
        asyncio.CancelledError: the task itself is cancelled, too.
    """
    task.uncancel()
    try:
        await asyncio.sleep(0)
    except asyncio.CancelledError:
        pass
    if task.cancelling():
        raise asyncio.CancelledError


def was_cancelled(run: CallRun) -> bool:
    """Tell whether the call itself was cancelled, by now: the flag is set from outside while its task waits."""
    return run.cancelled
