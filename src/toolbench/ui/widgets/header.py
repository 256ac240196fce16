"""The line at the top of the main screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Static

from toolbench.ui.line_content import line_content
from toolbench.ui.models.header_text import header_line
from toolbench.ui.models.lines import Line

if TYPE_CHECKING:
    from toolbench.session.session import Session


class HeaderLine(Static):
    """Session, generation, counts, sizes, watch and trust state; fits itself to the width."""

    DEFAULT_CSS = """
    HeaderLine { height: 1; background: $panel; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._session: Session | None = None
        self._bytes: int | None = None
        self._delta = 0
        self._generation = 0
        self._loaded: object = None
        self._runs_code = False
        self._shown: Line = ()

    @property
    def delta(self) -> int:
        """Bytes by which the newest generation made the tool list longer."""
        return self._delta

    def refresh_from(self, session: Session) -> None:
        """Show the session as it is now."""
        self._session = session
        if session.loaded is not self._loaded:
            self._loaded, self._runs_code = session.loaded, bool(session.runnable)
        generation = session.generation
        if generation.number != self._generation:
            now = generation.sizes.bytes
            self._delta = 0 if self._bytes is None else now - self._bytes
            self._bytes, self._generation = now, generation.number
        self._show()

    def on_resize(self) -> None:
        """Fit to the new width."""
        self._show()

    def _show(self) -> None:
        shown = header_line(self._session, self.size.width, self._delta, runs_code=self._runs_code)
        if shown != self._shown:
            self._shown = shown
            self.update(line_content(shown))
