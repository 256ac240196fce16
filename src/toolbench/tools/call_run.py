"""One call on its way from `tool_use` to `tool_result`: the steps of R-DISP 2, each told as events."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from toolbench.tools.blocks import ToolResult, ToolUse
from toolbench.tools.chain import AfterChain, BeforeChain, Watch
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
)
from toolbench.tools.execution import Executed, Execution
from toolbench.tools.executor import ToolContext
from toolbench.tools.hooks import Call, Handler, HandlerReport, Result, Stage
from toolbench.tools.lock import FairLock
from toolbench.tools.monitor import Decision, Monitor, Point, PointStage, When
from toolbench.tools.normalize import Normalized, error_result, with_content
from toolbench.tools.prepare import prepare
from toolbench.tools.received import received_text
from toolbench.tools.report import CallReport, CallVerdict
from toolbench.tools.schema import Validator
from toolbench.tools.settings import time_limit
from toolbench.tools.toolset import CallableTool, Toolset

ABORTED: Final = "Operation aborted"


class Aborted(Exception):
    """A person ended the call at a stop."""


@dataclass(slots=True)
class Services:
    """What all calls of a dispatcher share."""

    emit: Callable[[Event], None]
    clock: Callable[[], float]
    lock: FairLock
    monitors: tuple[Monitor, ...]
    left_behind: Callable[[CallRun, asyncio.Task[Any], float], None]


@dataclass(slots=True, eq=False)
class CallRun:
    """A call under way. Its steps are called in order; the first to return a report has ended the call."""

    number: int
    use: ToolUse
    toolset: Toolset
    services: Services
    batch: int | None = None
    stage: str = "lookup"
    since: float = 0.0
    """When the call came in, monotonic."""
    cancelled: bool = False
    task: asyncio.Task[Any] | None = None
    """The task that the call is in at the moment, to be cancelled with it."""
    report: CallReport | None = None
    _tool: CallableTool | None = None
    _arguments: dict[str, Any] | None = None
    _hooks: list[HandlerReport] = field(default_factory=list)
    _flags: list[str] = field(default_factory=list)
    _executed: Executed | None = None
    _entered: bool = False

    @property
    def sequential(self) -> bool:
        """Whether the call's tool wants its batch to run one call at a time (R-DISP 6)."""
        return self._tool is not None and self._tool.descriptor.execution_mode == "sequential"

    def start(self) -> None:
        """Tell that the call came in, and look its name up (R-DISP 2)."""
        use, toolset = self.use, self.toolset
        self.since = self.services.clock()
        self.services.emit(CallStarted(self.number, use.id, use.name, use.input, toolset.number, self.batch))
        self._tool = toolset.lookup(use.name)

    async def up_to_execution(self) -> CallReport | None:
        """Look up, prepare, validate and run the before hooks; return the report if that ended the call."""
        return self._lookup() or self._prepare() or await self._before()

    async def from_execution(self) -> CallReport:
        """Execute and run the after hooks; return the report."""
        assert self._tool is not None
        assert self._arguments is not None
        tool = self._tool
        self.stage = "execute"
        await self._hold("execute", "enter")
        executed = await self._execute(tool, self._arguments)
        await self._hold("execute", "leave", result=_as_result(executed.result))
        result = executed.result
        if tool.after:
            self.stage = "after"
            result = await self._after(tool.after, result)
        self._check_output(tool, result)
        verdict: CallVerdict = "timeout" if executed.outcome == "timeout" else "tool-error"
        return self.end(verdict if result.is_error else "ok", result, executed=True)

    def abort(self) -> CallReport:
        """End the call with `Operation aborted`, wherever it stands (R-DISP 9)."""
        return self.end("aborted", error_result(ABORTED), executed=self._entered)

    def refuse(self, message: str) -> CallReport:
        """End the call before it began: doubled id, or a message that was cut off (R-DISP 6, 7)."""
        return self.end("refused", error_result(message))

    def end(self, verdict: CallVerdict, result: Normalized, *, executed: bool = False, why: Any = None) -> CallReport:
        """Give the call its one result (R-DISP 1); a second end changes nothing."""
        if self.report is not None:
            return self.report
        self.stage = "ended"
        block = with_content(result)
        self.report = CallReport(
            call=self.number,
            id=self.use.id,
            name=self.use.name,
            result=ToolResult(
                tool_use_id=self.use.id,
                content=block.content,
                is_error=block.is_error,
                details=block.details,
                structured=block.structured,
                terminate=block.terminate,
            ),
            executed=executed,
            verdict=verdict,
            generation=self.toolset.number,
            duration=self._executed.duration if self._executed is not None else 0.0,
            arguments=self._arguments,
            hooks=tuple(self._hooks),
            flags=(*self._flags, *block.flags),
            why=why,
        )
        self.services.emit(CallEnded(self.number, self.report))
        return self.report

    # Steps

    def _lookup(self) -> CallReport | None:
        tool, emit, name = self._tool, self.services.emit, self.use.name
        if tool is not None:
            executor = tool.descriptor.executor
            emit(CallLookedUp(self.number, True, tool.source, None if executor is None else str(executor), None))
            return None
        why = self.toolset.why(name)
        emit(CallLookedUp(self.number, False, None, None, why))
        return self.end("not-found", error_result(f"Tool {name} not found"), why=why)

    def _prepare(self) -> CallReport | None:
        """Make the call's own arguments and hold them against the schema (R-DISP 4, 5)."""
        assert self._tool is not None
        self.stage = "validate"
        settings, emit = self.toolset.settings, self.services.emit
        prepared = prepare(
            self.use.input,
            self._tool.descriptor.input_schema,
            coerce_arguments=settings.coerce_arguments,
            fill_defaults=settings.fill_defaults,
        )
        if prepared.flags:
            self._flags.extend(prepared.flags)
            emit(CallPrepared(self.number, prepared.arguments, prepared.flags))
        if prepared.problem is not None:
            problems: tuple[tuple[str, str], ...] = (("", prepared.problem),)
        else:
            self._arguments = prepared.arguments
            problems = self._tool.validator.problems(prepared.arguments)
        emit(CallValidated(self.number, not problems, problems))
        if not problems:
            return None
        received = self.use.input if self._arguments is None else self._arguments
        return self.end("invalid-arguments", error_result(_invalid(self.use.name, problems, received)))

    async def _before(self) -> CallReport | None:
        """Run the before hooks under the write lock (R-HOOK 6)."""
        tool, services, settings = self._tool, self.services, self.toolset.settings
        assert tool is not None
        assert self._arguments is not None
        if not tool.before:
            return None
        self.stage = "before"
        chain = BeforeChain(
            call=Call(self.use.id, self.use.name, self._arguments),
            schema=tool.descriptor.input_schema,
            problems=tool.validator.problems,
            clock=services.clock,
            limit=settings.hook_timeout,
            watch=self._watch("before", tool.before, lambda: (chain.call.input, None)),
        )
        await self._lock("before")
        try:
            await chain.run(tool.before)
        finally:
            services.lock.release()
            self._arguments = chain.call.input
            self._hooks.extend(chain.reports)
        if chain.stopped is not None:
            return self.end("blocked", error_result(chain.stopped.reason or "Tool execution was blocked"))
        if chain.mismatch:
            self._flags.append("args no longer match the schema")
            if settings.revalidate == "block":
                message = _invalid(self.use.name, chain.mismatch, self._arguments)
                return self.end("invalid-arguments", error_result(f"after hooks changed them: {message}"))
        return None

    async def _execute(self, tool: CallableTool, arguments: dict[str, Any]) -> Executed:
        """Run the executor outside the lock."""
        services, number, name = self.services, self.number, self.use.name
        limit = time_limit(tool.descriptor, arguments, self.toolset.settings)
        reference = tool.descriptor.executor

        def progress(update: Any) -> None:
            if self.stage == "execute":
                services.emit(ExecutionProgress(number, update))

        context = ToolContext(
            call_id=self.use.id,
            tool_name=name,
            workspace=self.toolset.workspace,
            progress=progress,
            is_cancelled=lambda: self.stage != "execute" or self.cancelled,
            deadline=services.clock() + limit,
        )
        services.emit(ExecutionStarted(number, "" if reference is None else str(reference), limit))
        self._entered = True
        execution = Execution(
            executor=tool.executor,
            arguments=arguments,
            context=context,
            tool=name,
            limit=limit,
            clock=services.clock,
            left_behind=lambda task, begun: services.left_behind(self, task, begun),
        )
        begun = services.clock()
        try:
            executed = await execution.run()
        except asyncio.CancelledError:
            services.emit(ExecutionEnded(number, "aborted", services.clock() - begun, ABORTED))
            raise
        self._executed = executed
        services.emit(ExecutionEnded(number, executed.outcome, executed.duration, executed.message))
        return executed

    async def _after(self, handlers: tuple[Handler, ...], executed: Normalized) -> Normalized:
        """Run the after hooks under the write lock (R-HOOK 5, 6)."""
        assert self._arguments is not None
        chain = AfterChain(
            call=Call(self.use.id, self.use.name, self._arguments),
            result=_as_result(executed),
            clock=self.services.clock,
            limit=self.toolset.settings.hook_timeout,
            watch=self._watch("after", handlers, lambda: (self._arguments or {}, chain.result)),
        )
        await self._lock("after")
        try:
            await chain.run(handlers)
        finally:
            self.services.lock.release()
            self._hooks.extend(chain.reports)
        left = chain.result
        return Normalized(
            left.content, left.details, left.is_error, executed.structured, left.terminate, executed.flags
        )

    def _check_output(self, tool: CallableTool, result: Normalized) -> None:
        """Flag a result that does not keep to the tool's output schema (R-DISP 11)."""
        schema = tool.descriptor.output_schema
        if schema is None or result.is_error:
            return
        problems = Validator(schema).problems(result.structured)
        if problems:
            where, message = problems[0]
            self._flags.append(f"the result does not match the output schema: {where or 'it'}: {message}")

    # Lock, stops and handlers

    async def _lock(self, stage: Stage) -> None:
        """Take the write lock, telling what it waits for."""
        label = f"{stage} hooks of #{self.number} {self.use.name}"
        lock = self.services.lock
        if not lock.try_acquire(label):
            self.services.emit(CallWaiting(self.number, stage, lock.holder or "another change"))
            await lock.acquire(label)

    def _watch(
        self, stage: Stage, handlers: Sequence[Handler], state: Callable[[], tuple[dict[str, Any], Result | None]]
    ) -> Watch:
        """Return what tells of a chain and holds it."""
        emit, number = self.services.emit, self.number
        ids = tuple(handler.id for handler in handlers)

        def hold(when: When, handler: Handler, position: int, total: int) -> Awaitable[None] | None:
            if not self.services.monitors:
                return None
            arguments, result = state()
            return self._hold(stage, when, handler.id, position, total, arguments, result, ids)

        return Watch(
            started=lambda handler, position, total: emit(HandlerStarted(number, handler.id, stage, position, total)),
            ended=lambda report: emit(HandlerEnded(number, report)),
            hold=hold,
        )

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
