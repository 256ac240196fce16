"""What every panel and screen has that shows the session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from toolbench.session.session import Session


@runtime_checkable
class SessionView(Protocol):
    """Shows a part of the session. The application calls `refresh_from` after it drained a batch of events."""

    def refresh_from(self, session: Session) -> None:
        """Show the session as it is now; cursor, scroll and what is being typed stay."""
