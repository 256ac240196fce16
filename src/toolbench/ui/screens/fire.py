"""Calls one tool with arguments written as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import Screen

if TYPE_CHECKING:
    from toolbench.session.session import Session


class FireScreen(Screen[None]):
    """Calls one tool with arguments written as JSON."""

    def __init__(self, session: Session, name: str, arguments: object = None) -> None:
        super().__init__()
