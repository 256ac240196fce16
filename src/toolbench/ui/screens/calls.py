"""The calls that the session file holds ready: look at one, fire it, see what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.getters import query_one
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from toolbench.tools.blocks import ToolUse
from toolbench.tools.hooks import MISSING
from toolbench.tools.report import CallReport
from toolbench.ui.line_content import line_content
from toolbench.ui.models.lines import Lines, line
from toolbench.ui.models.ready_text import ready_line, ready_lines, reports_lines
from toolbench.ui.screens.fire import TICK, WIDTHS, FireScreen
from toolbench.ui.widgets.step_dock import StepDock
from toolbench.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from toolbench.files.session_model import ReadyCall
    from toolbench.session.session import Session

EMPTY_STATE: Lines = (
    line(("This session holds no calls ready.", "dim")),
    line(
        ("Write some under ", "dim"), ("calls:", "key"), (" in the session file; they appear when it is saved.", "dim")
    ),
    line(("    calls: [{name: read, input: {path: notes.md}}]", "string")),
)


class ReadyCallsScreen(Screen[None]):
    """The ready calls on one side; what is sent and what came of it on the other."""

    CSS_PATH = "calls.tcss"
    HORIZONTAL_BREAKPOINTS = WIDTHS
    HELP = """
    ## Ready calls

    The session's `calls:`. `enter` fires the selected one as a model's message would, a batch as one message; `e` opens
    a single call in the editor first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "fire", "Fire", id="ready.fire"),
        Binding("e", "edit", "Edit first", id="ready.edit"),
        Binding("ctrl+t", "cancel_calls", "Cancel", id="ready.cancel"),
        Binding("escape", "back", "Back", id="ready.back"),
    ]

    @dataclass
    class Fired(Message):
        """A ready call has ended."""

        place: int
        reports: tuple[CallReport, ...] = ()
        error: str | None = None

    @dataclass(slots=True)
    class _State:
        """What came of one ready call."""

        reports: tuple[CallReport, ...] = ()
        running: set[str] = field(default_factory=set)
        error: str | None = None

    _list = query_one("#ready-list", OptionList)
    _sent = query_one("#ready-sent", TextView)
    _result = query_one("#ready-result", TextView)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._calls: tuple[ReadyCall, ...] = ()
        self._states: dict[int, ReadyCallsScreen._State] = {}
        self._stepping = False
        self._clock: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out the calls, what is sent, the result and the dock."""
        yield Static("Ready calls", id="ready-head")
        with Horizontal(id="ready-body"):
            yield OptionList(id="ready-list", markup=False)
            with Vertical(id="ready-right"):
                yield TextView(id="ready-sent")
                yield TextView(id="ready-result")
        yield StepDock()
        yield Footer()

    def on_mount(self) -> None:
        """Show the calls."""
        for selector, title in (("#ready-list", "Calls"), ("#ready-sent", "Sent"), ("#ready-result", "Result")):
            self.query_one(selector).border_title = title
        self._clock = self.set_interval(TICK, self._tick, pause=True)
        self.refresh_from(self._session)
        self._list.focus()

    def refresh_from(self, session: Session) -> None:
        """Show the ready calls as the session file has them now."""
        self._session = session
        if not self.children:
            return
        if session.calls is not self._calls:
            self._calls = session.calls
            self._states.clear()
        dock = self.query_one(StepDock)
        dock.refresh_from(session)
        if dock.display != self._stepping:
            self._stepping = dock.display
            (dock if self._stepping else self._list).focus()
        self._show_rows()
        self._show_selected()

    def _tick(self) -> None:
        """Follow the calls that run."""
        self.refresh_from(self._session)

    def _state(self, place: int) -> ReadyCallsScreen._State:
        return self._states.setdefault(place, self._State())

    def _show_rows(self) -> None:
        """Fill the list; the cursor stays."""
        place = self._list.highlighted
        self._list.set_options(
            Option(line_content(ready_line(call, self._state(n).reports, running=bool(self._state(n).running))))
            for n, call in enumerate(self._calls)
        )
        if self._calls:
            self._list.highlighted = min(place or 0, len(self._calls) - 1)

    def _show_selected(self) -> None:
        """Show what the selected call sends, and what came of it."""
        place = self._list.highlighted
        if place is None or place >= len(self._calls):
            self._sent.set_lines(EMPTY_STATE)
            self._result.set_lines(())
            return
        self._sent.set_lines(ready_lines(self._calls[place], self._session.generation), keep_scroll=True)
        state = self._state(place)
        if state.running:
            lines: Lines = (line(("… running  ", "accent"), ("ctrl+t cancels", "dim")),)
        elif state.error is not None:
            lines = (line(("✗ the call could not be made", "bad")), line(state.error, limit=2_000))
        else:
            lines = reports_lines(state.reports) or (line(("not fired yet  ", "dim"), ("enter fires it", "accent")),)
        self._result.set_lines(lines, keep_scroll=True)

    @on(OptionList.OptionHighlighted, "#ready-list")
    def _moved(self) -> None:
        """Show the call that the cursor came to."""
        self._show_selected()

    @on(OptionList.OptionSelected, "#ready-list")
    def _chosen(self) -> None:
        """Fire the call."""
        self.action_fire()

    def action_fire(self) -> None:
        """Fire the selected call, a batch as one message."""
        place = self._list.highlighted
        if place is None or place >= len(self._calls):
            return
        state = self._state(place)
        if state.running:
            self.notify("this one still runs", markup=False)
            return
        # Fresh ids: a ready call that is fired twice is two calls, never two results for one id.
        uses = tuple(ToolUse(self._session.next_id(), use.name, use.input) for use in self._calls[place].uses)
        state.running = {use.id for use in uses}
        state.error = None
        self.app.run_worker(self._fire(place, uses), group="calls", exit_on_error=False)
        if self._clock is not None:
            self._clock.resume()
        self.refresh_from(self._session)

    async def _fire(self, place: int, uses: tuple[ToolUse, ...]) -> None:
        """Make the calls off this screen's handlers; tell the screen what came of them."""
        try:
            report = await self._session.fire(uses)
        except Exception as error:  # noqa: BLE001 - whatever it is, the person must see it, and the app goes on
            self.post_message(self.Fired(place, error=f"{type(error).__name__}: {error}"))
            return
        self.post_message(self.Fired(place, report.reports))

    @on(Fired)
    def _fired(self, event: Fired) -> None:
        """Note what came of a call."""
        state = self._state(event.place)
        state.running, state.reports, state.error = set(), event.reports, event.error
        if self._clock is not None and not any(one.running for one in self._states.values()):
            self._clock.pause()
        self.refresh_from(self._session)

    def action_edit(self) -> None:
        """Open a single call in the editor."""
        place = self._list.highlighted
        if place is None or place >= len(self._calls):
            return
        uses = self._calls[place].uses
        if len(uses) != 1:
            self.notify("a batch is fired as it is", markup=False)
            return
        given = None if uses[0].input is MISSING else uses[0].input
        self.app.push_screen(FireScreen(self._session, uses[0].name, given))

    def action_cancel_calls(self) -> None:
        """Cancel what was fired from here."""
        mine = {use_id for state in self._states.values() for use_id in state.running}
        for one in self._session.running:
            if one.id in mine:
                self._session.cancel(one.call)

    def action_back(self) -> None:
        """Leave; running calls go on and stay in the log."""
        self.dismiss()
