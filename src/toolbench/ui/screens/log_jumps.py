"""Where a line of the hook log leads: to the call, its tool, the hook's file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolbench.tools.events import CallStarted, GenerationBuilt, HandlerEnded, Notice
from toolbench.tools.hooks import MISSING
from toolbench.ui.models.hook_log_lines import log_line
from toolbench.ui.models.lines import EMPTY, Lines, heading, plain, text_of
from toolbench.ui.models.result_text import report_lines
from toolbench.ui.screens.pager import PagerScreen

if TYPE_CHECKING:
    from toolbench.ui.models.log_groups import Group
    from toolbench.ui.screens.main import MainScreen

PAGER_WIDTH = 160


class LogJumps:
    """Carries out what the hook log's keys ask for."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen

    def do(self, what: str, group: Group, offset: int) -> None:
        """Do something with the call, or the event, under the log's cursor."""
        match what:
            case "call":
                self._show(group)
            case "tool":
                self._tool(group)
            case "open":
                self._open(group, offset)
            case "repeat":
                self._repeat(group)
            case "cancel":
                self._cancel(group)
            case "copy":
                self._copy(group)

    def _show(self, group: Group) -> None:
        """Show all of a call in the pager."""
        title = f"#{group.call} {group.name}" if group.call is not None else "Event"
        self._screen.app.push_screen(
            PagerScreen(title, text_of(self._account(group)), file_name=f"call-{group.call}.txt")
        )

    def _account(self, group: Group) -> Lines:
        """Return what happened, then what came of it."""
        wall_of = self._screen.log_panel.wall_of
        steps = tuple(log_line(group, place, PAGER_WIDTH, wall_of) for place in range(len(group.lines)))
        report = () if group.report is None else (EMPTY, heading("Report"), *report_lines(group.report))
        return (*steps, *report)

    def _tool(self, group: Group) -> None:
        """Go to the tool: the call's, or the first one that a rebuild touched."""
        event = group.lines[0].entry.event
        touched = (*event.added, *event.changed) if isinstance(event, GenerationBuilt) else ()
        name = group.name or next(iter(touched), "")
        if name and self._screen.registry.select_name(name):
            self._screen.action_front("registry")
        else:
            self._screen.tell(f"{name} is not in the registry" if name else "this line names no tool")

    def _open(self, group: Group, offset: int) -> None:
        """Open the file of the hook, or of the notice."""
        event = group.lines[offset].entry.event
        place = event.report if isinstance(event, HandlerEnded) else event if isinstance(event, Notice) else None
        if place is None or place.file is None or self._screen.session is None:
            self._screen.tell("this line has no file; a hook's line has one")
        else:
            self._screen.open_file(self._screen.session.folder / place.file, place.line)

    def _repeat(self, group: Group) -> None:
        """Open the call in the form."""
        event = group.lines[0].entry.event
        if isinstance(event, CallStarted):
            self._screen.fire(event.name, None if event.input is MISSING else event.input)

    def _cancel(self, group: Group) -> None:
        """Cancel the call while it runs."""
        session = self._screen.session
        if session is None or group.call is None or not session.cancel(group.call):
            self._screen.tell("this call does not run")

    def _copy(self, group: Group) -> None:
        """Copy what happened, as text."""
        self._screen.app.copy_to_clipboard(text_of(self._account(group)))
        self._screen.tell(f"copied: {plain(self._account(group)[0]).strip()[:60]}")
