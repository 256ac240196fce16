"""The lines below the header that say what is wrong; none while all is well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from toolbench.ui.line_content import line_content
from toolbench.ui.models.banner_text import Banner, banners

if TYPE_CHECKING:
    from toolbench.session.session import Session

MOST = 2
"""Lines at most: the panels need the rest of the screen."""


class BannerLines(Vertical):
    """Shows the worst of what is wrong."""

    DEFAULT_CSS = """
    BannerLines {
        height: auto;
        Static { display: none; height: 1; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
        Static.-error { display: block; background: $error-muted; color: $foreground; }
        Static.-warning { display: block; background: $warning-muted; color: $foreground; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._shown: tuple[Banner, ...] = ()
        self._seen: tuple[object, ...] | None = None

    def compose(self) -> ComposeResult:
        """Lay out the lines, empty."""
        for _ in range(MOST):
            yield Static()

    @property
    def shown(self) -> tuple[Banner, ...]:
        """What is wrong, the worst first; more than there is room for."""
        return self._shown

    def refresh_from(self, session: Session) -> None:
        """Show the session as it is now."""
        seen = (session.generation, session.loaded, session.trusted)
        if self._seen is not None and all(old is new for old, new in zip(self._seen, seen, strict=True)):
            return
        self._seen = seen
        found = self._shown = banners(session)
        for place, line in enumerate(self.query(Static)):
            one = found[place] if place < len(found) else None
            line.set_class(one is not None and one.severity == "error", "-error")
            line.set_class(one is not None and one.severity == "warning", "-warning")
            if one is not None:
                line.update(line_content(one.line))
