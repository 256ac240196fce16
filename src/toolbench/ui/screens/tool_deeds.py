"""What a person can do with tools from the main screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toolbench.session.context import ContextError
from toolbench.text import plural
from toolbench.ui.editor import NoEditor, open_editor
from toolbench.ui.models.registry_rows import can_switch

if TYPE_CHECKING:
    from toolbench.session.session import Session
    from toolbench.session.tickets import Ticket
    from toolbench.tools.buckets import Row
    from toolbench.ui.screens.main import MainScreen

NOT_SWITCHED: Final = "only what is in the registry can be switched: visible, hidden and off tools"


class ToolDeeds:
    """Carries out what the registry's keys ask for."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._doings: dict[str, Callable[[Session, Row], None]] = {
            "fire": lambda _session, row: screen.fire(row.name),
            "open": self._open,
            "copy": self._copy,
            "withdraw": self._withdraw,
            "break": self._break,
        }

    def do(self, what: str, row: Row) -> None:
        """Do something with one tool."""
        if self._screen.session is not None:
            self._doings[what](self._screen.session, row)

    def toggle(self, names: Sequence[str], what: str) -> None:
        """Switch tools, each to its other state; what cannot be switched is told.

        Args:
            names: of the tools.
            what: the section or source that is meant; empty for single tools.
        """
        session = self._screen.session
        if session is None:
            return
        owners = session.generation.buckets.by_name
        good = [name for name in names if name in owners and can_switch(owners[name][0])]
        if not good:
            self._screen.tell(NOT_SWITCHED, severity="warning")
            return
        self._change(session, lambda: session.toggle(good))
        if what and len(good) > 1:
            self._screen.tell(f"{what}: {plural(len(good), 'tool')} switched · u takes it back")

    def undo(self) -> None:
        """Take back the newest edit or toggle."""
        session = self._screen.session
        if session is None:
            return
        if session.undo_label is None:
            self._screen.tell("nothing to undo")
        else:
            self._change(session, session.undo)

    def redo(self) -> None:
        """Make the edit or toggle again that was undone last."""
        session = self._screen.session
        if session is None:
            return
        if session.redo_label is None:
            self._screen.tell("nothing to redo")
        else:
            self._change(session, session.redo)

    def _change(self, session: Session, change: Callable[[], Ticket]) -> None:
        """Make a change, and show it in this very frame."""
        try:
            change()
        except ContextError as error:
            self._screen.tell(str(error), severity="error")
        self._screen.refresh_from(session)

    def _withdraw(self, session: Session, row: Row) -> None:
        """Take back the switch of a tool that still waits."""
        ticket = next((one for one in session.queued if row.name in one.names), None)
        if ticket is None:
            self._screen.tell(f"nothing is queued for {row.name}")
        elif not session.withdraw(ticket.number):
            self._screen.tell(f"{ticket.label} is under way already", severity="warning")
        self._screen.refresh_from(session)

    def _break(self, session: Session, row: Row) -> None:
        """Stop the tool's calls at each step, or no longer."""
        stops = self._screen.breakpoints.toggle(row.name, session.stepper)
        words = "stop at each step · b ends it" if stops else "run through"
        self._screen.tell(f"calls of {row.name} {words}")
        self._screen.registry.touch()
        self._screen.refresh_from(session)

    def _copy(self, _session: Session, row: Row) -> None:
        """Copy the tool's name."""
        self._screen.app.copy_to_clipboard(row.name)
        self._screen.tell(f"copied: {row.name}")

    def _open(self, session: Session, row: Row) -> None:
        """Open the tool's definition."""
        origin = row.claim.origin
        if origin.file is None:
            self._screen.tell(f"{row.name} is built in: there is no file to open")
        else:
            self.open_file(session.folder / origin.file, origin.line)

    def open_file(self, file: Path, line: int | None) -> None:
        """Open a file at a line in the editor."""
        self._screen.run_worker(self._edit(file, line), group="editor", exclusive=True, exit_on_error=False)

    async def _edit(self, file: Path, line: int | None) -> None:
        try:
            await open_editor(self._screen.app, file, line)
        except NoEditor as error:
            self._screen.tell(str(error), severity="error")
