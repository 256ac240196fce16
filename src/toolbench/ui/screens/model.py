"""What the model gets: the system prompt and the tool list, per provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import Screen

if TYPE_CHECKING:
    from toolbench.session.session import Session


class ModelScreen(Screen[None]):
    """What the model gets: the system prompt and the tool list, per provider."""

    def __init__(self, session: Session) -> None:
        super().__init__()
