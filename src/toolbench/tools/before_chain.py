"""The before chain: who may change the arguments, and who stops the call (R-HOOK 2 to 4, 8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from toolbench.tools.chain import Answer, Chain, Frame
from toolbench.tools.hooks import Ask, Block, Call, Handler, HandlerReport, Replace
from toolbench.tools.jsonvalue import copy_json, diff, same_leaves

VERDICT_KEYS: Final = ("block", "reason", "decision", "params", "permissionDecision", "requireApproval")
NOBODY: Final = "a person must decide, and nobody can be asked here"
_GIVES_UP: Final = frozenset({"failed", "timeout", "not-started", "block"})


class BeforeChain(Chain):
    """A before chain under way: `call.input` is the arguments as they stand."""

    def __init__(
        self, call: Call, schema: Any, problems: Callable[[Any], Sequence[tuple[str, str]]], frame: Frame
    ) -> None:
        """Create a chain.

        Args:
            call: with the arguments that the first handler gets.
            schema: the tool's input schema.
            problems: holds arguments against it.
            frame: what the chain runs in.
        """
        super().__init__(call, None, frame)
        self.stopped: HandlerReport | None = None
        """The handler that blocked, or that asked where nobody can be asked."""
        self.mismatch: tuple[tuple[str, str], ...] = ()
        """Where the arguments no longer match the schema, after a handler changed them (R-HOOK 4)."""
        self._schema = schema
        self._problems = problems
        self._saw = copy_json(call.input)
        self._changed: dict[str, str] = {}

    def _stops(self, handler: Handler, report: HandlerReport) -> bool:
        """End with a handler that blocks; an ask is a block only if no later handler blocks (R-HOOK 8)."""
        verdict = report.verdict
        if verdict == "replace":
            return False
        if verdict == "ask":
            self.stopped = self.stopped or report
            return False
        if verdict == "timeout" and handler.on_timeout == "skip":
            return False
        self.stopped = report
        return True

    def _settle(self, handler: Handler, answer: Answer, duration: float) -> HandlerReport:
        """Let the arguments be what the handler made of them."""
        verdict, value, reason, flags = answer
        saw, call = self._saw, self.call
        if type(call.input) is not dict:
            verdict, reason = "failed", f"the input must stay a dict, found {type(call.input).__name__}"
        if verdict == "pass" and same_leaves(saw, call.input):
            return HandlerReport(
                handler.id, "before", "pass", None, (), saw, saw, duration, handler.file, handler.line, flags
            )
        if verdict in _GIVES_UP:
            # What it did to the arguments before it gave up does not count; code left behind may still hold them.
            self.call = Call(call.id, call.name, copy_json(saw))
        elif verdict == "replace":
            self.call = Call(call.id, call.name, copy_json(value))
        changed = diff(saw, self.call.input)
        if changed and verdict in ("pass", "ask"):
            flags = (*flags, "changed in place")
            verdict = "replace" if verdict == "pass" else verdict
        if verdict == "replace":
            flags = (*flags, *self._odd(handler, changed, saw))
        left = self._saw = copy_json(self.call.input) if changed else saw
        return HandlerReport(
            handler.id, "before", verdict, reason, changed, saw, left, duration, handler.file, handler.line, flags
        )

    def _odd(self, handler: Handler, changed: tuple[str, ...], saw: Mapping[str, Any]) -> list[str]:
        """Return what is odd about a change (R-HOOK 4)."""
        if not changed:
            return ["rewrite without effect"]
        flags: list[str] = []
        self.mismatch = tuple(self._problems(self.call.input))
        if self.mismatch:
            flags.append("args no longer match the schema")
        properties = self._schema.get("properties") if isinstance(self._schema, Mapping) else None
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

    def _judge(self, given: Any) -> Answer:
        """Judge what a before handler returned (R-HOOK 2)."""
        match given:
            case Replace(input=dict() as value):
                return Answer("replace", value)
            case Replace(input=value):
                # People's code need not keep to the type.
                return Answer("failed", reason=f"Replace takes a dict, not {type(value).__name__}")
            case Block(reason=reason):
                return Answer("block", reason=str(reason) or Block().reason)
            case Ask(reason=reason):
                return Answer("ask", reason=f"{reason}: {NOBODY}" if reason else NOBODY)
            case dict():
                return self._judge_dict(given)
            case _:
                return Answer("failed", reason=f"a before handler must not answer {type(given).__name__}")

    def _judge_dict(self, given: dict[Any, Any]) -> Answer:
        """Judge a dict: a replacement, unless it looks like a verdict meant for another host."""
        if not given:
            return Answer("pass", flags=("an empty dict is a pass: say Replace({}) to mean it",))
        properties = self._schema.get("properties", {}) if isinstance(self._schema, Mapping) else {}
        alien = [key for key in VERDICT_KEYS if key in given and key not in properties]
        if alien:
            return Answer("failed", reason=f"the answer looks like a verdict of another host (it has {alien[0]!r})")
        return Answer("replace", given)
