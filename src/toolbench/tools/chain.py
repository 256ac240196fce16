"""Runs the handlers of a point one after another and judges what they answer (R-HOOK 1 to 5, 7, 9)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from toolbench.tools.hooks import (
    MISSING,
    Ask,
    Block,
    Call,
    Handler,
    HandlerNotStarted,
    HandlerReport,
    HandlerVerdict,
    Replace,
    Result,
    Rewrite,
)
from toolbench.tools.jsonvalue import copy_json, diff, same_json
from toolbench.tools.lock import HOOK_CONTEXT

VERDICT_KEYS: Final = ("block", "reason", "decision", "params", "permissionDecision", "requireApproval")
NOBODY: Final = "a person must decide, and nobody can be asked here"


@dataclass(frozen=True, slots=True)
class Answer:
    """What one handler came to."""

    verdict: HandlerVerdict
    value: Any = None
    reason: str | None = None
    flags: tuple[str, ...] = ()


@dataclass(slots=True)
class Watch:
    """How a chain tells of itself: before and after each handler."""

    started: Callable[[Handler, int, int], None]
    ended: Callable[[HandlerReport], None]
    hold: Callable[[Literal["enter", "leave"], Handler, int, int], Awaitable[None] | None]
    """Called around each handler with the state that it gets; what it returns is awaited."""


@dataclass(slots=True)
class BeforeChain:
    """A before chain under way: the arguments as they stand, and what came of it."""

    call: Call
    schema: Any
    problems: Callable[[Any], Sequence[tuple[str, str]]]
    """Holds arguments against the tool's schema."""
    clock: Callable[[], float]
    limit: float
    """Seconds that a handler may take which names no limit of its own."""
    watch: Watch
    reports: list[HandlerReport] = field(default_factory=list)
    stopped: HandlerReport | None = None
    """The handler that blocked."""
    mismatch: tuple[tuple[str, str], ...] = ()
    """Where the arguments no longer match the schema, after a handler changed them (R-HOOK 4)."""
    _changed: dict[str, str] = field(default_factory=dict)
    _asked: HandlerReport | None = None

    async def run(self, handlers: Sequence[Handler]) -> None:
        """Run the handlers in order until one blocks; an ask without a block is a block in the end (R-HOOK 8)."""
        total = len(handlers)
        for position, handler in enumerate(handlers):
            held = self.watch.hold("enter", handler, position, total)
            if held is not None:
                await held
            self.watch.started(handler, position, total)
            report = await self._one(handler)
            self.reports.append(report)
            self.watch.ended(report)
            held = self.watch.hold("leave", handler, position, total)
            if held is not None:
                await held
            if report.verdict == "ask":
                self._asked = self._asked or report
            elif report.verdict in ("block", "failed", "not-started") or (
                report.verdict == "timeout" and handler.on_timeout == "block"
            ):
                self.stopped = report
                return
        self.stopped = self._asked

    async def _one(self, handler: Handler) -> HandlerReport:
        """Run one handler on the arguments as they stand."""
        saw = copy_json(self.call.input)
        begun = self.clock()
        answer = await ask(handler, self.call, None, handler.timeout or self.limit, self._judge)
        duration = self.clock() - begun
        flags = list(answer.flags)
        verdict = answer.verdict
        if verdict in ("failed", "timeout", "not-started", "block"):
            # What it did to the arguments before it gave up does not count; code left behind may still hold them.
            self.call = Call(self.call.id, self.call.name, copy_json(saw))
        elif verdict == "replace":
            self.call = Call(self.call.id, self.call.name, copy_json(answer.value))
        changed = diff(saw, self.call.input)
        if changed and verdict in ("pass", "ask"):
            flags.append("changed in place")
            verdict = "replace" if verdict == "pass" else verdict
        if verdict == "replace":
            flags.extend(self._flags(handler, changed, saw))
        return HandlerReport(
            id=handler.id,
            stage="before",
            verdict=verdict,
            reason=answer.reason,
            changed=changed,
            saw=saw,
            left=copy_json(self.call.input) if changed else saw,
            duration=duration,
            file=handler.file,
            line=handler.line,
            flags=tuple(flags),
        )

    def _flags(self, handler: Handler, changed: tuple[str, ...], saw: Mapping[str, Any]) -> list[str]:
        """Return what is odd about a change (R-HOOK 4)."""
        if not changed:
            return ["rewrite without effect"]
        flags: list[str] = []
        self.mismatch = tuple(self.problems(self.call.input))
        if self.mismatch:
            flags.append("args no longer match the schema")
        properties = self.schema.get("properties") if isinstance(self.schema, Mapping) else None
        if isinstance(properties, Mapping):
            flags.extend(
                f"unknown field {key!r}" for key in self.call.input if key not in properties and key not in saw
            )
        for path in changed:
            earlier = self._changed.get(path)
            if earlier is not None:
                flags.append(f"{path} was changed by {earlier} already")
            self._changed[path] = handler.id
        return flags

    def _judge(self, answer: Any) -> Answer:
        """Judge what a before handler returned (R-HOOK 2)."""
        match answer:
            case None:
                return Answer("pass")
            case Replace(input=value):
                return _replacement(value)
            case Block(reason=reason):
                return Answer("block", reason=str(reason) or Block().reason)
            case Ask(reason=reason):
                return Answer("ask", reason=f"{reason}: {NOBODY}" if reason else NOBODY)
            case dict():
                return self._judge_dict(answer)
            case _:
                return Answer("failed", reason=f"a before handler must not answer {type(answer).__name__}")

    def _judge_dict(self, answer: dict[Any, Any]) -> Answer:
        """Judge a dict: a replacement, unless it looks like a verdict meant for another host."""
        if not answer:
            return Answer("pass", flags=("an empty dict is a pass: say Replace({}) to mean it",))
        properties = self.schema.get("properties", {}) if isinstance(self.schema, Mapping) else {}
        alien = [key for key in VERDICT_KEYS if key in answer and key not in properties]
        if alien:
            return Answer("failed", reason=f"the answer looks like a verdict of another host (it has {alien[0]!r})")
        return Answer("replace", answer)


def _replacement(value: Any) -> Answer:
    """Judge what stands in a `Replace`; people's code need not keep to its type."""
    if isinstance(value, dict):
        return Answer("replace", value)
    return Answer("failed", reason=f"Replace takes a dict, not {type(value).__name__}")


@dataclass(slots=True)
class AfterChain:
    """An after chain under way: the result as it stands (R-HOOK 5)."""

    call: Call
    result: Result
    clock: Callable[[], float]
    limit: float
    watch: Watch
    reports: list[HandlerReport] = field(default_factory=list)

    async def run(self, handlers: Sequence[Handler]) -> None:
        """Run all handlers in order; one that fails undoes nothing and keeps nobody from running."""
        total = len(handlers)
        for position, handler in enumerate(handlers):
            held = self.watch.hold("enter", handler, position, total)
            if held is not None:
                await held
            self.watch.started(handler, position, total)
            report = await self._one(handler)
            self.reports.append(report)
            self.watch.ended(report)
            held = self.watch.hold("leave", handler, position, total)
            if held is not None:
                await held

    async def _one(self, handler: Handler) -> HandlerReport:
        """Run one handler on copies of call and result."""
        saw = _fields(self.result)
        shown = Result(**copy_json(saw))
        call = Call(self.call.id, self.call.name, copy_json(self.call.input))
        begun = self.clock()
        answer = await ask(handler, call, shown, handler.timeout or self.limit, _judge_after)
        duration = self.clock() - begun
        flags = list(answer.flags)
        verdict = answer.verdict
        if verdict in ("pass", "rewrite"):
            after = _fields(shown)
            if verdict == "pass" and not same_json(after, saw):
                fault = _misfit(after)
                verdict = "failed" if fault else "rewrite"
                answer = Answer(verdict, reason=fault)
                flags.append("changed in place")
            if verdict == "rewrite":
                after.update(answer.value or {})
                self.result = Result(**copy_json(after))
        left = _fields(self.result)
        changed = diff(saw, left)
        if verdict == "rewrite" and not changed:
            flags.append("rewrite without effect")
        return HandlerReport(
            id=handler.id,
            stage="after",
            verdict=verdict,
            reason=answer.reason,
            changed=changed,
            saw=saw,
            left=left,
            duration=duration,
            file=handler.file,
            line=handler.line,
            flags=tuple(flags),
        )


def _fields(result: Result) -> dict[str, Any]:
    """Return a copy of a result's fields."""
    return {
        "content": copy_json(result.content),
        "details": copy_json(result.details),
        "is_error": result.is_error,
        "terminate": result.terminate,
    }


def _judge_after(answer: Any) -> Answer:
    """Judge what an after handler returned."""
    if answer is None:
        return Answer("pass")
    if not isinstance(answer, Rewrite):
        return Answer("failed", reason=f"an after handler must not answer {type(answer).__name__}")
    given = {
        name: value
        for name in ("content", "details", "is_error", "terminate")
        if (value := getattr(answer, name)) is not MISSING
    }
    if isinstance(given.get("content"), str):
        given["content"] = [{"type": "text", "text": given["content"]}]
    fault = _misfit(given)
    return Answer("failed", reason=fault) if fault else Answer("rewrite", given)


def _misfit(fields: Mapping[str, Any]) -> str | None:
    """Return which field of a result has the wrong type."""
    content = fields.get("content", [])
    if not isinstance(content, list) or not all(isinstance(one, dict) and "type" in one for one in content):
        return "content must be text or a list of blocks"
    for name in ("is_error", "terminate"):
        if not isinstance(fields.get(name, False), bool):
            return f"{name} must be true or false"
    return None


Judge: TypeAlias = Callable[[Any], Answer]


async def ask(handler: Handler, call: Call, result: Result | None, limit: float, judge: Judge) -> Answer:
    """Run one handler within its limit and judge its answer; whatever it raises is its own failure (R-HOOK 2, 7)."""
    if handler.blocks_because is not None:
        return Answer("not-started", reason=handler.blocks_because)
    token = HOOK_CONTEXT.set(handler.id)
    try:
        async with asyncio.timeout(limit) as deadline:
            answer = await handler.run(call, result)
    except HandlerNotStarted as error:
        return Answer("not-started", reason=str(error) or "the handler could not be started")
    except TimeoutError as error:
        if deadline.expired():
            return Answer("timeout", reason=f"hook {handler.id} did not answer within {limit:g} s")
        return Answer("failed", reason=_message(error))
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return Answer("failed", reason=_message(error))
    except BaseException as error:  # noqa: BLE001 - a handler's SystemExit is its own failure, too
        return Answer("failed", reason=_message(error))
    finally:
        HOOK_CONTEXT.reset(token)
    return judge(answer)


def _message(error: BaseException) -> str:
    """Return an exception's message, its type when it has none."""
    return str(error) or type(error).__name__
