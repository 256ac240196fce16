"""A person's change and what became of it (R-HOOK 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

TicketState: TypeAlias = Literal["queued", "applied", "withdrawn", "refused"]


@dataclass(slots=True)
class Ticket:
    """Handed out for each change. Its state moves from `queued` to one of the others, once, by the session alone."""

    number: int
    label: str
    names: tuple[str, ...] = ()
    """Tools that the change names; empty when it is about the context."""
    state: TicketState = "queued"
    waits_for: str | None = None
    """Who holds the write lock that the change waits for."""
    message: str | None = None
    """Why it was refused, or what it passed over."""
