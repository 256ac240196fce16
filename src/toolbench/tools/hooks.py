"""The words in which hooks speak: what a handler gets, and what it may answer (R-HOOK 1 to 5, 8).

`Call`, `Result` and the answers are the public API of a hook file. `Handler` is how the chain sees one handler,
whatever kind of hook it comes from.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

Stage: TypeAlias = Literal["before", "after"]
HandlerVerdict: TypeAlias = Literal["pass", "replace", "rewrite", "block", "ask", "failed", "timeout", "not-started"]


class _Missing:
    """The type of `MISSING`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()
"""Stands for a field that was not given, where `None` is a value of its own (R-HOOK 5)."""


@dataclass(slots=True)
class Call:
    """The call as one before handler or after handler sees it.

    `input` is the chain's own copy: changing it in place counts (R-HOOK 3).
    """

    id: str
    name: str
    input: dict[str, Any]


@dataclass(slots=True)
class Result:
    """The result as it stands when an after handler runs (R-HOOK 5)."""

    content: list[dict[str, Any]]
    details: Any = None
    is_error: bool = False
    terminate: bool = False


@dataclass(frozen=True, slots=True)
class Replace:
    """The input from here on, whole; never second-guessed (R-HOOK 2)."""

    input: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Block:
    """Stop: no later handler and no executor runs (R-HOOK 2)."""

    reason: str = "Tool execution was blocked"


@dataclass(frozen=True, slots=True)
class Ask:
    """A person must decide (R-HOOK 8)."""

    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """What an after handler changes: a field given replaces, one not given stays (R-HOOK 5)."""

    content: Any = MISSING
    details: Any = MISSING
    is_error: Any = MISSING
    terminate: Any = MISSING


BeforeAnswer: TypeAlias = Replace | Block | Ask | None
AfterAnswer: TypeAlias = Rewrite | None


class HandlerNotStarted(Exception):
    """A handler's program could not be started; its message is the reason (R-HOOK 9: not the same as denied)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handler:
    """One handler of the chain, in registration order.

    `run` gets `(call, None)` in a before chain and `(call, result)` in an after chain. It may return anything: the
    chain judges the answer. It must be cooperative (people's code is bridged off the loop by `handlers`), so that
    the chain can leave it when its time is over.

    Raises (from `run`): `HandlerNotStarted` when it could not begin; anything else is a failed handler.
    """

    id: str
    stage: Stage
    run: Callable[[Call, Result | None], Awaitable[Any]]
    tools: tuple[str, ...] = ("*",)
    """Name patterns (`*` globs, aliases as in policies); the handler runs when one matches."""
    file: str | None = None
    line: int | None = None
    timeout: float | None = None
    """Seconds; the session's `hook_timeout` when absent (R-HOOK 7)."""
    on_timeout: Literal["block", "skip"] = "block"
    source: str = "session"
    """The extension that registered it, or `session`."""
    kind: str = "python"
    enabled: bool = True
    blocks_because: str | None = None
    """Set on a handler that cannot run here (unknown kind, broken file, no trust): it blocks what it names, saying
    this (fail closed)."""


class HandlerReport(NamedTuple):
    """What one handler saw, answered and changed (R-HOOK 9)."""

    id: str
    stage: Stage
    verdict: HandlerVerdict
    reason: str | None = None
    changed: tuple[str, ...] = ()
    """JSON pointers below the input (before) or the result (after) that differ from what the handler got."""
    saw: Any = None
    """The input or the result as the handler got it (a copy)."""
    left: Any = None
    """The same as it stood afterwards (a copy; equal to `saw` when nothing changed)."""
    duration: float = 0.0
    """Seconds; time stopped at a breakpoint is not counted."""
    file: str | None = None
    line: int | None = None
    flags: tuple[str, ...] = ()
