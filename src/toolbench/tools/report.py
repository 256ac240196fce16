"""What came of a call, whole: the result for the model and the account for the person (R-DISP 1, R-HOOK 9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from toolbench.tools.blocks import ToolResult
from toolbench.tools.hooks import HandlerReport

CallVerdict: TypeAlias = Literal[
    "ok",
    "tool-error",
    "blocked",
    "invalid-arguments",
    "not-found",
    "timeout",
    "aborted",
    "refused",
    "answered",
]


class CallReport(NamedTuple):
    """One call's way from `tool_use` to `tool_result`.

    `executed` and `verdict` are two separate facts: a call may be blocked after its executor ran, never the other way
    round.
    """

    call: int
    """Running number of the call in its session."""
    id: str
    name: str
    result: ToolResult
    executed: bool
    verdict: CallVerdict
    generation: int
    duration: float
    """Seconds that the executor took; hooks, waiting and time stopped are not counted."""
    arguments: Mapping[str, Any] | None
    """As the executor got them, or as they stood when the call ended before it."""
    hooks: tuple[HandlerReport, ...] = ()
    flags: tuple[str, ...] = ()
    why: Mapping[str, Any] | None = None
    """For the person: why there was no such tool to call (R-DISP 3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchReport:
    """The reports of a batch in the order of its calls, and whether it asks to stop the loop (R-DISP 6, 13)."""

    reports: tuple[CallReport, ...]
    terminate: bool = False
