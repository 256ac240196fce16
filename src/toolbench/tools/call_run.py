"""One call on its way from `tool_use` to `tool_result`: the steps of R-DISP 2, each told as events."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Final

from toolbench.tools.after_chain import AfterChain
from toolbench.tools.before_chain import BeforeChain
from toolbench.tools.blocks import ToolResult, ToolUse
from toolbench.tools.chain import Frame, is_cancelled
from toolbench.tools.events import (
    CallEnded,
    CallLookedUp,
    CallPrepared,
    CallStarted,
    CallValidated,
    CallWaiting,
    Event,
    ExecutionEnded,
    ExecutionProgress,
    ExecutionStarted,
    HandlerEnded,
    HandlerStarted,
    LateResult,
)
from toolbench.tools.executor import ToolContext
from toolbench.tools.failure import Outcome, error_message
from toolbench.tools.hooks import Call, Handler, HandlerReport, Result, Stage
from toolbench.tools.lock import FairLock
from toolbench.tools.monitor import Decision, Monitor, Point, PointStage, When
from toolbench.tools.normalize import Normalized, error_result, normalize, text_of, with_content
from toolbench.tools.prepare import prepare
from toolbench.tools.received import received_text
from toolbench.tools.report import CallReport, CallVerdict
from toolbench.tools.schema import Validator
from toolbench.tools.settings import time_limit
from toolbench.tools.toolset import CallableTool, Toolset
from toolbench.tools.watchdog import Limited, Watchdog

ABORTED: Final = "Operation aborted"


class Aborted(Exception):
    """A person ended the call at a stop."""


@dataclass(slots=True)
class Services:
    """What all calls of a dispatcher share."""

    emit: Callable[[Event], None] | None
    """Takes every event; where nobody listens, none is made."""
    clock: Callable[[], float]
    lock: FairLock
    watchdog: Watchdog
    monitors: tuple[Monitor, ...] = ()


class CallRun(Limited):
    """A call under way. Its steps are called in order; the first to return a report has ended the call."""

    __slots__ = (
        "_arguments",
        "_duration",
        "_entered",
        "_flags",
        "_hooks",
        "_tool",
        "batch",
        "cancelled",
        "number",
        "report",
        "services",
        "since",
        "stage",
        "toolset",
        "use",
    )

    def __init__(
        self, number: int, use: ToolUse, toolset: Toolset, services: Services, batch: int | None = None
    ) -> None:
        """Create a call; nothing happens yet.

        Args:
            number: of the call in its session.
            use: what the model sent.
            toolset: the generation that it runs by (R-DISP 14).
            services: of its dispatcher.
            batch: the number of its message among those of several calls.
        """
        # What `Limited` sets, too: a call of its own would be a good part of what making this costs.
        self.task = None
        self.deadline = inf
        self.timed_out = False
        self.number = number
        self.use = use
        self.toolset = toolset
        self.services = services
        self.batch = batch
        self.stage = "lookup"
        self.since = services.clock()
        """When the call came in, monotonic."""
        self.cancelled = False
        self.report: CallReport | None = None
        self._tool: CallableTool | None = None
        self._arguments: dict[str, Any] | None = None
        self._hooks: tuple[HandlerReport, ...] = ()
        self._flags: tuple[str, ...] = ()
        self._duration = 0.0
        self._entered = False

    @property
    def sequential(self) -> bool:
        """Whether the call's tool wants its batch to run one call at a time (R-DISP 6)."""
        return self._tool is not None and self._tool.descriptor.execution_mode == "sequential"

    def start(self) -> None:
        """Tell that the call came in, and look its name up (R-DISP 2)."""
        use, toolset, emit = self.use, self.toolset, self.services.emit
        if emit is not None:
            emit(CallStarted(self.number, use.id, use.name, use.input, toolset.number, self.batch))
        self._tool = toolset.lookup(use.name)

    async def whole(self) -> CallReport:
        """Run all steps."""
        tool = self._tool
        ended = self._not_found() if tool is None else self._prepare(tool)
        if ended is None and tool is not None and tool.before:
            ended = await self._before(tool)
            if self.cancelled:
                return self.abort()
        return ended or await self.from_execution()

    async def up_to_execution(self) -> CallReport | None:
        """Look up, prepare, validate and run the before hooks; return the report if that ended the call."""
        tool = self._tool
        if tool is None:
            return self._not_found()
        return self._prepare(tool) or (await self._before(tool) if tool.before else None)

    async def from_execution(self) -> CallReport:
        """Execute outside the lock, run the after hooks, and return the report."""
        tool, arguments, services, use = self._tool, self._arguments, self.services, self.use
        assert tool is not None
        assert arguments is not None
        emit, clock, descriptor = services.emit, services.clock, tool.descriptor
        self.stage = "execute"
        if services.monitors:
            await self._hold("execute", "enter")
        limit = time_limit(descriptor, arguments, self.toolset.settings)
        if emit is not None:
            emit(ExecutionStarted(self.number, "" if descriptor.executor is None else str(descriptor.executor), limit))
        begun = clock()
        context = ToolContext(
            use.id, use.name, self.toolset.workspace, self._progress, self._is_over, begun + limit, self._late
        )
        self._entered = True
        services.watchdog.limit(self, limit)
        try:
            value = await tool.executor(arguments, context)
        except BaseException as error:  # noqa: BLE001 - outside, some of it would end the event loop (R-DISP 10)
            outcome, result = self._failed(error, limit, begun)
        else:
            if self.timed_out:
                outcome, result = self._failed(asyncio.CancelledError(), limit, begun)
            else:
                result = normalize(value)
                outcome = "error" if result.is_error else "ok"
        self.deadline = inf
        self._duration = clock() - begun
        if emit is not None:
            message = text_of(result) if result.is_error else None
            emit(ExecutionEnded(self.number, outcome, self._duration, message))
        if services.monitors:
            await self._hold("execute", "leave", result=_as_result(result))
        if tool.after:
            self.stage = "after"
            result = await self._after(tool.after, result)
        if descriptor.output_schema is not None:
            self._check_output(descriptor.output_schema, result)
        if not result.is_error:
            return self.end("ok", result, True)
        return self.end("timeout" if outcome == "timeout" else "tool-error", result, True)

    def abort(self) -> CallReport:
        """End the call with `Operation aborted`, wherever it stands (R-DISP 9)."""
        return self.report or self.end("aborted", error_result(ABORTED), executed=self._entered)

    def refuse(self, message: str) -> CallReport:
        """End the call before it began: doubled id, or a message that was cut off (R-DISP 6, 7)."""
        return self.end("refused", error_result(message))

    def end(self, verdict: CallVerdict, result: Normalized, executed: bool = False, why: Any = None) -> CallReport:
        """Give the call its one result (R-DISP 1); a second end changes nothing."""
        if self.report is not None:
            return self.report
        self.stage = "ended"
        if result.is_error:
            result = with_content(result)
        use = self.use
        self.report = report = CallReport(
            self.number,
            use.id,
            use.name,
            ToolResult(use.id, result.content, result.is_error, result.details, result.structured, result.terminate),
            executed,
            verdict,
            self.toolset.number,
            self._duration,
            self._arguments,
            self._hooks,
            self._flags + result.flags if result.flags else self._flags,
            why,
        )
        if self.services.emit is not None:
            self.services.emit(CallEnded(self.number, report))
        return report

    # Steps

    def _not_found(self) -> CallReport:
        """End a call of a tool that there is not (R-DISP 3)."""
        name = self.use.name
        why = self.toolset.why(name)
        if self.services.emit is not None:
            self.services.emit(CallLookedUp(self.number, False, None, None, why))
        return self.end("not-found", error_result(f"Tool {name} not found"), why=why)

    def _tell(self, event: Event) -> None:
        if self.services.emit is not None:
            self.services.emit(event)

    def _prepare(self, tool: CallableTool) -> CallReport | None:
        """Make the call's own arguments and hold them against the schema of the tool that was found (R-DISP 4, 5)."""
        settings, emit = self.toolset.settings, self.services.emit
        if emit is not None:
            executor = tool.descriptor.executor
            emit(CallLookedUp(self.number, True, tool.source, None if executor is None else str(executor), None))
        self.stage = "validate"
        arguments, flags, problem = prepare(
            self.use.input, tool.descriptor.input_schema, settings.coerce_arguments, settings.fill_defaults
        )
        if flags:
            self._flags = flags
            self._tell(CallPrepared(self.number, arguments, flags))
        problems: tuple[tuple[str, str], ...]
        if problem is not None:
            problems = (problem,)
        else:
            self._arguments = arguments
            problems = tool.validator.failures(arguments)
        if emit is not None:
            emit(CallValidated(self.number, not problems, problems))
        if not problems:
            return None
        received = self.use.input if self._arguments is None else self._arguments
        return self.end("invalid-arguments", error_result(_invalid(self.use.name, problems, received)))

    async def _before(self, tool: CallableTool) -> CallReport | None:
        """Run the before hooks under the write lock (R-HOOK 6)."""
        services, settings, use = self.services, self.toolset.settings, self.use
        assert self._arguments is not None
        self.stage = "before"
        chain = BeforeChain(
            Call(use.id, use.name, self._arguments),
            tool.descriptor.input_schema,
            tool.validator.problems,
            self._frame("before", tool.before, lambda: (chain.call.input, None)),
        )
        label = f"before hooks of #{self.number} {use.name}"
        if not services.lock.try_acquire(label):
            await self._wait("before", label)
        try:
            await chain.run(tool.before)
        finally:
            services.lock.release()
            self._arguments = chain.call.input
            self._hooks = tuple(chain.reports)
        if chain.stopped is not None:
            return self.end("blocked", error_result(chain.stopped.reason or "Tool execution was blocked"))
        if chain.mismatch:
            self._flags = (*self._flags, "args no longer match the schema")
            if settings.revalidate == "block":
                message = _invalid(use.name, chain.mismatch, self._arguments)
                return self.end("invalid-arguments", error_result(f"after hooks changed them: {message}"))
        return None

    def _failed(self, error: BaseException, limit: float, begun: float) -> tuple[Outcome, Normalized]:
        """Return what comes of an executor that raised, or that ran out of time whatever it did then (R-DISP 8, 10).

        Raises:
            asyncio.CancelledError: it is the call that was cancelled.
        """
        self.deadline = inf
        is_over = self.out_of_time()
        if (is_over or isinstance(error, asyncio.CancelledError)) and is_cancelled():
            self._tell(ExecutionEnded(self.number, "aborted", self.services.clock() - begun, ABORTED))
            raise asyncio.CancelledError
        if is_over:
            return "timeout", error_result(f"Tool {self.use.name} did not finish within {limit:g} s")
        return "error", error_result(error_message(error))

    async def _after(self, handlers: tuple[Handler, ...], executed: Normalized) -> Normalized:
        """Run the after hooks under the write lock (R-HOOK 5, 6)."""
        services = self.services
        assert self._arguments is not None
        chain = AfterChain(
            Call(self.use.id, self.use.name, self._arguments),
            _as_result(executed),
            self._frame("after", handlers, lambda: (self._arguments or {}, chain.result)),
        )
        label = f"after hooks of #{self.number} {self.use.name}"
        if not services.lock.try_acquire(label):
            await self._wait("after", label)
        try:
            await chain.run(handlers)
        finally:
            services.lock.release()
            self._hooks += tuple(chain.reports)
        left = chain.result
        return Normalized(
            left.content, left.details, left.is_error, executed.structured, left.terminate, executed.flags
        )

    def _check_output(self, schema: Any, result: Normalized) -> None:
        """Flag a result that does not keep to the tool's output schema (R-DISP 11)."""
        problems = () if result.is_error else Validator(schema).problems(result.structured)
        if problems:
            where, message = problems[0]
            flag = f"the result does not match the output schema: {where or 'it'}: {message}"
            self._flags = (*self._flags, flag)

    # What the executor is told, and tells

    def _progress(self, update: Any) -> None:
        """Tell an update, unless the executor's time is over (R-DISP 12)."""
        if self.stage == "execute":
            self._tell(ExecutionProgress(self.number, update))

    def _is_over(self) -> bool:
        """Tell whether the executor should stop."""
        return self.stage != "execute" or self.cancelled

    def _late(self) -> None:
        """Tell that code which was left behind has ended (R-DISP 8)."""
        self._tell(LateResult(self.number, self.use.name, self.services.clock() - self.since))

    # Lock, stops and handlers

    async def _wait(self, stage: Stage, label: str) -> None:
        """Wait for the write lock, telling who has it."""
        lock = self.services.lock
        self._tell(CallWaiting(self.number, stage, lock.holder or "another change"))
        await lock.acquire(label)

    def _frame(
        self, stage: Stage, handlers: Sequence[Handler], state: Callable[[], tuple[dict[str, Any], Result | None]]
    ) -> Frame:
        """Return what a chain runs in, with what tells of it and holds it."""
        services, number = self.services, self.number
        emit, limit = services.emit, self.toolset.settings.hook_timeout
        if emit is None and not services.monitors:
            return Frame(self, services.watchdog, services.clock, limit)

        def started(handler: Handler, position: int, total: int) -> None:
            self._tell(HandlerStarted(number, handler.id, stage, position, total))

        def ended(report: HandlerReport) -> None:
            self._tell(HandlerEnded(number, report))

        def hold(when: When, handler: Handler, position: int, total: int) -> Awaitable[None] | None:
            if not any(monitor.active for monitor in services.monitors):
                return None
            ids = tuple(one.id for one in handlers)
            arguments, result = state()
            return self._hold(stage, when, handler.id, position, total, arguments, result, ids)

        return Frame(self, services.watchdog, services.clock, limit, started, ended, hold)

    async def _hold(
        self,
        stage: PointStage,
        when: When,
        handler: str | None = None,
        position: int = 0,
        total: int = 0,
        arguments: dict[str, Any] | None = None,
        result: Result | None = None,
        chain: tuple[str, ...] = (),
    ) -> None:
        """Ask the monitors; wait as long as they hold the call.

        Raises:
            Aborted: one of them ended it.
        """
        for monitor in self.services.monitors:
            if not monitor.active:
                continue
            point = Point(
                call=self.number,
                id=self.use.id,
                tool=self.use.name,
                stage=stage,
                when=when,
                handler=handler,
                position=position,
                total=total,
                arguments=arguments if arguments is not None else self._arguments or {},
                result=result,
                chain=chain,
            )
            waiting = monitor.at(point)
            decision: Decision = "continue" if waiting is None else await waiting
            if decision == "abort":
                raise Aborted


def _as_result(result: Normalized) -> Result:
    return Result(result.content, result.details, result.is_error, result.terminate)


def _invalid(name: str, problems: Sequence[tuple[str, str]], received: Any) -> str:
    """Return the message of invalid arguments: each failure as path and problem, then what was received (R-DISP 4)."""
    lines = [f"  {path or '/'}: {message}" for path, message in problems]
    return "\n".join([f"Invalid arguments for {name}:", *lines, f"Received: {received_text(received)}"])
