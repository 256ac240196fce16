"""Edits what the availability signals are held against."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import Screen

if TYPE_CHECKING:
    from toolbench.session.session import Session


class ContextScreen(Screen[None]):
    """Edits what the availability signals are held against."""

    def __init__(self, session: Session) -> None:
        super().__init__()
