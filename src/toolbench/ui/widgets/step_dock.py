"""The dock of stopped calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Vertical

if TYPE_CHECKING:
    from toolbench.session.session import Session


class StepDock(Vertical):
    """Shows the call that the stepper holds, and what a person may do with it; hidden while none is stopped."""

    def refresh_from(self, session: Session) -> None:
        """Show the calls that are stopped now."""
