"""The after chain: what handlers make of a result (R-HOOK 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolbench.tools.chain import Answer, Chain, Frame
from toolbench.tools.hooks import MISSING, Call, Handler, HandlerReport, Result, Rewrite
from toolbench.tools.jsonvalue import copy_json, diff, same_json, same_leaves

FIELDS: Final = ("content", "details", "is_error", "terminate")


class AfterChain(Chain):
    """An after chain under way. Handlers get copies of call and result; what they do to the call has no effect."""

    def __init__(self, call: Call, result: Result, frame: Frame) -> None:
        """Create a chain.

        Args:
            call: with the arguments that the executor got.
            result: as the executor left it; the chain's own from here on.
            frame: what the chain runs in.
        """
        self._input = call.input
        self._saw = saw = {
            "content": result.content,
            "details": result.details,
            "is_error": result.is_error,
            "terminate": result.terminate,
        }
        super().__init__(Call(call.id, call.name, copy_json(call.input)), _shown(saw), frame)

    @property
    def result(self) -> Result:
        """The result as it stands, not to be changed."""
        saw = self._saw
        return Result(saw["content"], saw["details"], saw["is_error"], saw["terminate"])

    def _settle(self, handler: Handler, answer: Answer, duration: float) -> HandlerReport:
        """Let the result be what the handler made of it; one that fails undoes nothing."""
        verdict, value, reason, flags = answer
        saw, shown = self._saw, self.shown
        assert shown is not None
        if self.call.input != self._input:
            self.call = Call(self.call.id, self.call.name, copy_json(self._input))
        if verdict == "pass" and _same(saw, shown):
            return HandlerReport(
                handler.id, "after", "pass", None, (), saw, saw, duration, handler.file, handler.line, flags
            )
        left = saw
        if verdict in ("pass", "rewrite"):
            left = _fields(shown)
            if verdict == "pass":
                reason = _misfit(left)
                verdict = "failed" if reason else "rewrite"
                left = saw if reason else left
                flags = (*flags, "changed in place")
            else:
                left.update(copy_json(value))
        changed = diff(saw, left)
        if verdict == "rewrite" and not changed:
            flags = (*flags, "rewrite without effect")
        self._saw = left
        self.shown = _shown(left)
        return HandlerReport(
            handler.id, "after", verdict, reason, changed, saw, left, duration, handler.file, handler.line, flags
        )

    def _judge(self, given: Any) -> Answer:
        """Judge what an after handler returned."""
        if not isinstance(given, Rewrite):
            return Answer("failed", reason=f"an after handler must not answer {type(given).__name__}")
        fields = {name: value for name in FIELDS if (value := getattr(given, name)) is not MISSING}
        if isinstance(fields.get("content"), str):
            fields["content"] = [{"type": "text", "text": fields["content"]}]
        fault = _misfit(fields)
        return Answer("failed", reason=fault) if fault else Answer("rewrite", fields)


def _fields(result: Result) -> dict[str, Any]:
    """Return a copy of a result's fields."""
    return {
        "content": copy_json(result.content),
        "details": copy_json(result.details),
        "is_error": result.is_error,
        "terminate": result.terminate,
    }


def _shown(fields: dict[str, Any]) -> Result:
    """Return a result for a handler to do with as it likes."""
    return Result(copy_json(fields["content"]), copy_json(fields["details"]), fields["is_error"], fields["terminate"])


def _same(saw: dict[str, Any], shown: Result) -> bool:
    """Tell whether a handler left a result as it got it."""
    return (
        saw["is_error"] is shown.is_error
        and saw["terminate"] is shown.terminate
        and (saw["details"] is shown.details or same_json(saw["details"], shown.details))
        and _same_content(saw["content"], shown.content)
    )


def _same_content(saw: Any, shown: Any) -> bool:
    """Compare blocks; mostly there is one, of text."""
    if len(saw) == 1 and isinstance(shown, list) and len(shown) == 1:
        one, other = saw[0], shown[0]
        if isinstance(one, dict) and isinstance(other, dict) and same_leaves(one, other):
            return True
    return same_json(saw, shown)


def _misfit(fields: Mapping[str, Any]) -> str | None:
    """Return which field of a result has the wrong type."""
    content = fields.get("content", [])
    if not isinstance(content, list) or not all(isinstance(one, dict) and "type" in one for one in content):
        return "content must be text or a list of blocks"
    for name in ("is_error", "terminate"):
        if not isinstance(fields.get(name, False), bool):
            return f"{name} must be true or false"
    return None
