"""The calls that the session file holds ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import Screen

if TYPE_CHECKING:
    from toolbench.session.session import Session


class ReadyCallsScreen(Screen[None]):
    """The calls that the session file holds ready."""

    def __init__(self, session: Session) -> None:
        super().__init__()
