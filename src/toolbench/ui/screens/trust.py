"""Asks whether the session's code may run, and tells what would run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import Screen

if TYPE_CHECKING:
    from toolbench.session.session import Session


class TrustScreen(Screen[None]):
    """Asks whether the session's code may run, and tells what would run."""

    def __init__(self, session: Session) -> None:
        super().__init__()
