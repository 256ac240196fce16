"""The decorators of a Python hook file (formats: Python hooks)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

from toolbench.tools.hooks import Stage

F = TypeVar("F", bound=Callable[..., Any])
MARK: Final = "__toolbench_hook__"


@dataclass(frozen=True, slots=True)
class HookMark:
    """What a decorator notes on a function."""

    stage: Stage
    tools: tuple[str, ...]
    timeout: float | None
    on_timeout: Literal["block", "skip"]
    id: str | None


def before(
    tools: str | list[str] | tuple[str, ...] = "*",
    *,
    timeout: float | None = None,
    on_timeout: Literal["block", "skip"] = "block",
    id: str | None = None,  # noqa: A002 - the word of the session file
) -> Callable[[F], F]:
    """Mark a function as a before handler of the tools that match.

    Args:
        tools: name patterns with `*`.
        timeout: seconds; the session's `hook_timeout` when not given.
        on_timeout: block the call, or pass over the handler (R-HOOK 7).
        id: the handler's; `FILE:FUNCTION` when not given.
    """
    return _marker("before", tools, timeout, on_timeout, id)


def after(
    tools: str | list[str] | tuple[str, ...] = "*",
    *,
    timeout: float | None = None,
    id: str | None = None,  # noqa: A002 - the word of the session file
) -> Callable[[F], F]:
    """Mark a function as an after handler of the tools that match; see `before`."""
    return _marker("after", tools, timeout, "block", id)


def _marker(
    stage: Stage,
    tools: str | list[str] | tuple[str, ...],
    timeout: float | None,
    on_timeout: Literal["block", "skip"],
    name: str | None,
) -> Callable[[F], F]:
    patterns = (tools,) if isinstance(tools, str) else tuple(tools)
    mark = HookMark(stage, patterns, timeout, on_timeout, name)

    def decorate(function: F) -> F:
        marks: tuple[HookMark, ...] = getattr(function, MARK, ())
        setattr(function, MARK, (mark, *marks))
        return function

    return decorate
