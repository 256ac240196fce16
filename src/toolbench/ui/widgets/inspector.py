"""The inspector: all about the tool that is selected."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.getters import query_one
from textual.widgets import Tab, Tabs

from toolbench.session.explain import explain_tool
from toolbench.ui.content import content
from toolbench.ui.models.call_log import CallLog
from toolbench.ui.models.inspector_availability import availability_lines
from toolbench.ui.models.inspector_calls import calls_lines
from toolbench.ui.models.inspector_overview import overview_lines
from toolbench.ui.models.inspector_schema import call_tab_lines, schema_tab_lines
from toolbench.ui.models.inspector_sent import sent_lines
from toolbench.ui.models.lines import Lines, line, text_of
from toolbench.ui.models.row_index import RowIndex
from toolbench.ui.screens.pager import PagerScreen
from toolbench.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from toolbench.session.context import ContextState
    from toolbench.session.generation import Generation
    from toolbench.session.session import Session
    from toolbench.tools.buckets import Row

TABS: Final = {
    "overview": "Overview",
    "availability": "Availability",
    "schema": "Schema",
    "call": "Call",
    "sent": "Sent",
    "calls": "Calls",
}
NOTHING: Final[Lines] = (
    line(("Nothing is selected.", "dim")),
    line(("Select a tool in the registry to see why the model gets it, or why not.", "dim")),
)


class Inspector(Vertical):
    """Overview, availability, schema, call form, what is sent, and the calls of one tool, each in a tab."""

    HELP = """
    ## Inspector

    All about the selected tool. **Availability** shows each condition with ✓ or ✗, what it wants and what it finds;
    **Sent** is exactly what the model gets, for each provider; **Calls** are its calls, newest first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right_square_bracket", "turn(1)", "Next tab", key_display="]", id="inspector.next"),
        Binding(
            "left_square_bracket", "turn(-1)", "Previous tab", key_display="[", show=False, id="inspector.previous"
        ),
        Binding("enter", "page", "Open in pager", id="inspector.page"),
        Binding("y", "copy", "Copy", id="inspector.copy"),
    ]
    """
    | Key(s) | Description |
    | :- | :- |
    | ] / [ | Show the next or the previous tab. |
    | enter | Open the tab's text in the pager, to search and save it. |
    | y | Copy the tab's text. |
    """

    DEFAULT_CSS = """
    Inspector {
        border: round $foreground 30%;
        border-title-color: $text;
        border-title-style: bold;
        border-subtitle-color: $text-muted;
        padding: 0 1;
        &:focus-within { border: round $border; }
        Tabs { height: 2; }
        Tab { padding: 0 1; }
        TextView { height: 1fr; margin-top: 1; }
    }
    """

    _tabs = query_one(Tabs)
    _view = query_one(TextView)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._session: Session | None = None
        self._key: tuple[object, ...] | None = None
        self._tool = ""
        self._index = RowIndex()
        self._log = CallLog()
        self._tab = "overview"
        self._generation: Generation | None = None
        self._seen_context: ContextState | None = None
        self._makers: dict[str, Callable[[Session, Row], Lines]] = {
            "overview": lambda _session, row: overview_lines(row),
            "availability": self._availability,
            "schema": lambda _session, row: schema_tab_lines(row.claim.descriptor),
            "call": lambda _session, row: call_tab_lines(
                row.claim.descriptor, callable_now=row.bucket == "visible" and row.active
            ),
            "sent": lambda session, row: sent_lines(row, session.provider),
            "calls": lambda _session, row: calls_lines(self._log.of(row.name)),
        }

    def compose(self) -> ComposeResult:
        """Lay out the tabs above one view of text."""
        yield Tabs(*(Tab(label, id=name) for name, label in TABS.items()))
        yield TextView(NOTHING)

    def on_mount(self) -> None:
        """Name the panel."""
        self.border_title = content("Inspector")
        self._tabs.can_focus = False

    @property
    def tab(self) -> str:
        """The tab in front: overview, availability, schema, call, sent or calls."""
        return self._tab

    @property
    def lines(self) -> Lines:
        """What is shown."""
        return tuple(self._view.lines)

    def show(self, key: tuple[object, ...] | None) -> None:
        """Show the tool whose row has this key; None shows that nothing is selected."""
        if key != self._key:
            self._key = key
            self._render_tab(keep_scroll=False)

    def show_tab(self, tab: str) -> None:
        """Bring a tab to the front: overview, availability, schema, call, sent or calls."""
        self._tabs.active = tab

    def refresh_from(self, session: Session) -> None:
        """Show the session as it is now; the tab and the scroll position stay."""
        called = self._log.absorb(session.events.since(self._log.seq))
        same = session.generation is self._generation and session.context is self._seen_context
        self._session, self._generation, self._seen_context = session, session.generation, session.context
        if not same or self._tool in called:
            self._render_tab(keep_scroll=True)

    def _render_tab(self, *, keep_scroll: bool) -> None:
        """Make and show the lines of the tab in front; the others wait until they are."""
        if not self.children:
            return
        session, key = self._session, self._key
        row = None if session is None or key is None else self._index.find(session.generation, key)
        if session is None or key is None:
            self.border_title = content("Inspector")
            self._view.set_lines(NOTHING)
        elif row is None:
            self._view.set_lines(
                (line(("✗ ", "bad"), f"{self._tool} is gone since generation {session.generation.number}"),)
            )
        else:
            self._tool = row.name
            self.border_title = content(row.name, limit=60)
            self.border_subtitle = content(f"{row.bucket} · {row.claim.source}", limit=60)
            self._view.set_lines(self._makers[self._tab](session, row), keep_scroll=keep_scroll)

    def _availability(self, session: Session, row: Row) -> Lines:
        return availability_lines(explain_tool(session.generation, session.context, row.name))

    @on(Tabs.TabActivated)
    def _tab_chosen(self, event: Tabs.TabActivated) -> None:
        """Show the tab that was chosen."""
        event.stop()
        if event.tab.id is not None and event.tab.id != self._tab:
            self._tab = event.tab.id
            self._render_tab(keep_scroll=False)

    def action_turn(self, step: int) -> None:
        """Show the tab that is `step` places on."""
        names = list(TABS)
        self.show_tab(names[(names.index(self._tab) + step) % len(names)])

    def action_page(self) -> None:
        """Open what is shown in the pager."""
        title = f"{self._tool} · {TABS[self._tab]}" if self._tool else TABS[self._tab]
        self.app.push_screen(PagerScreen(title, text_of(self._view.lines), file_name=f"{self._tab}.txt"))

    def action_copy(self) -> None:
        """Copy what is shown."""
        self.app.copy_to_clipboard(text_of(self._view.lines))
        self.notify(f"{TABS[self._tab]} copied", markup=False)
