"""The one seam through which a call's way is watched and held (R-EVT): stepper, breakpoints and counters read it."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from toolbench.tools.hooks import Result

PointStage: TypeAlias = Literal["before", "execute", "after"]
When: TypeAlias = Literal["enter", "leave"]
Decision: TypeAlias = Literal["continue", "abort"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A place on a call's way: before and after each handler, and around the executor."""

    call: int
    id: str
    tool: str
    stage: PointStage
    when: When
    handler: str | None = None
    """None around the executor."""
    position: int = 0
    """Place of the handler in its chain, from 0."""
    total: int = 0
    arguments: dict[str, Any]
    """As the next handler or the executor will get them; not to be changed by readers."""
    result: Result | None = None
    """In an after stage, the result as it stands."""
    chain: tuple[str, ...] = ()
    """The ids of the handlers of this stage."""


class Monitor(Protocol):
    """Asked at each point of each call, as long as it is active."""

    @property
    def active(self) -> bool:
        """Whether it wants to be asked."""

    def at(self, point: Point) -> Awaitable[Decision] | None:
        """Return None to let the call pass, or something to await that decides how it goes on."""
