"""The main screen: registry, inspector and hook log at once, or one at a time where there is no room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Click, DescendantFocus, Resize
from textual.getters import query_one
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from toolbench.ui.breakpoints import Breakpoints
from toolbench.ui.content import content
from toolbench.ui.line_content import line_content
from toolbench.ui.models.lines import Line, line
from toolbench.ui.screens.calls import ReadyCallsScreen
from toolbench.ui.screens.context import ContextScreen
from toolbench.ui.screens.fire import FireScreen
from toolbench.ui.screens.log_jumps import LogJumps
from toolbench.ui.screens.model import ModelScreen
from toolbench.ui.screens.tool_deeds import ToolDeeds
from toolbench.ui.screens.trust import TrustScreen
from toolbench.ui.widgets.banner import BannerLines
from toolbench.ui.widgets.header import HeaderLine
from toolbench.ui.widgets.hook_log import HookLogPanel
from toolbench.ui.widgets.inspector import Inspector
from toolbench.ui.widgets.key_footer import KeyFooter
from toolbench.ui.widgets.registry import Registry
from toolbench.ui.widgets.step_dock import StepDock

if TYPE_CHECKING:
    from toolbench.session.session import Session
    from toolbench.tools.events import Entry

PANELS: Final = {"registry": "Registry", "inspector": "Inspector", "log": "Hook log"}
FOLD_BELOW: Final = (100, 20)
"""Columns and rows below which one panel is shown at a time."""
VIEWS: Final = Binding.Group("views")
WIDTHS: Final = (25, 75)
"""Least and greatest share of the registry, in hundredths."""


class MainScreen(Screen[None]):
    """Registry on the left; inspector above the hook log on the right; stopped calls docked below."""

    AUTO_FOCUS = "#registry VirtualList"
    HELP = """
    ## The workbench

    Left every tool in its bucket, right all about the selected one, below it what happened in each call. `tab` goes
    from panel to panel, `z` zooms one, the palette (`ctrl+p`) holds every action.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "view('context')", "Context", id="main.context"),
        Binding("u,ctrl+z", "undo", "Undo", key_display="u", id="main.undo"),
        Binding("U,ctrl+y", "redo", "Redo", show=False, key_display="U", id="main.redo"),
        Binding("2", "view('context')", "Context", group=VIEWS, show=False, id="main.context_view"),
        Binding("3", "view('calls')", "Ready calls", group=VIEWS, id="main.calls"),
        Binding("6,m", "view('model')", "Model", group=VIEWS, key_display="6", id="main.model"),
        Binding("t", "view('trust')", "Trust", show=False, id="main.trust"),
        Binding("s", "step", "Step every call", show=False, id="main.step"),
        Binding("z", "zoom", "Zoom", show=False, id="main.zoom"),
        Binding("tab", "panel(1)", "Next panel", show=False, id="main.next_panel"),
        Binding("shift+tab", "panel(-1)", "Previous panel", show=False, id="main.previous_panel"),
        Binding("1", "front('registry')", "Registry", show=False, id="main.registry"),
        Binding("less_than_sign", "widen(-5)", "Narrower registry", show=False, key_display="<", id="main.narrower"),
        Binding("greater_than_sign", "widen(5)", "Wider registry", show=False, key_display=">", id="main.wider"),
        Binding("ctrl+r,f5", "refresh", "Read the files again", show=False, id="main.refresh"),
        Binding("escape", "back", "Back", show=False, id="main.back"),
        Binding("q", "app.quit", "Quit", show=False, id="main.quit"),
    ]

    class Ready(Message):
        """All panels are there; a session can be shown."""

    _header = query_one(HeaderLine)
    _banner = query_one(BannerLines)
    _tabs = query_one("#panel-tabs", Static)
    _footer = query_one(KeyFooter)
    registry = query_one(Registry)
    inspector = query_one(Inspector)
    log_panel = query_one(HookLogPanel)
    dock = query_one(StepDock)

    def __init__(self, folder_name: str | None = None) -> None:
        """Create the screen; the session's folder is shown as `folder_name`, its path when not given."""
        super().__init__()
        self._folder_name = folder_name
        self.session: Session | None = None
        self.breakpoints = Breakpoints()
        self._deeds = ToolDeeds(self)
        self._jumps = LogJumps(self)
        self._front = "registry"
        self._zoomed = False
        self._share = 46

    def compose(self) -> ComposeResult:
        """Lay out header, banner, panels, dock and footer."""
        yield HeaderLine(id="header")
        yield BannerLines(id="banner")
        yield Static(id="panel-tabs")
        with Horizontal(id="panels"):
            yield Registry(id="registry")
            with Vertical(id="right"):
                yield Inspector(id="inspector")
                yield HookLogPanel(id="log")
        yield StepDock()
        yield KeyFooter()

    def on_mount(self) -> None:
        """Say that the panels are there."""
        self.post_message(self.Ready())

    # The session

    def attach(self, session: Session) -> None:
        """Show a session from now on."""
        self.session = session
        self.refresh_from(session)

    def receive(self, entries: Sequence[Entry]) -> None:
        """Take a batch of the session's events."""
        session = self.session
        if session is None:
            return
        generation = session.generation
        self.log_panel.absorb(entries, lambda at: generation.wall + (at - generation.at))

    def refresh_from(self, session: Session) -> None:
        """Show the session as it is now."""
        if not self.is_mounted:
            return
        self._header.refresh_from(session)
        self._banner.refresh_from(session)
        self.registry.rows.stopping = self.breakpoints.tools
        self.registry.refresh_from(session)
        self.inspector.refresh_from(session)
        was_shown = self.dock.display
        self.dock.refresh_from(session)
        if self.dock.display and not was_shown and self.is_current:
            self.dock.focus()
        elif was_shown and not self.dock.display and (self.focused is None or self.focused is self.dock):
            self._focus_front()

    def tell(self, text: str, *, severity: str = "information", title: str = "") -> None:
        """Show a short message; `text` may be foreign."""
        safe = content(text).plain if "\n" not in text else text
        self.notify(safe, severity=severity, title=title, markup=False)  # type: ignore[arg-type]

    # Panels

    def on_resize(self, event: Resize) -> None:
        """Fold the panels into tabs where there is no room for all."""
        folded = event.size.width < FOLD_BELOW[0] or event.size.height < FOLD_BELOW[1]
        self.set_class(folded, "-folded")
        self._footer.short = folded
        self._lay_out()

    def _lay_out(self) -> None:
        """Show all panels, or the one in front."""
        self.set_class(self._zoomed or self.has_class("-folded"), "-single")
        for name in PANELS:
            self.set_class(name == self._front, f"-front-{name}")
        self._tabs.update(line_content(self._tab_line()))

    def _tab_line(self) -> Line:
        parts: list[tuple[str, str]] = []
        for name, title in PANELS.items():
            parts.append(
                (f" [{title}] " if name == self._front else f"  {title}  ", "title" if name == self._front else "dim")
            )
        return line(*parts, ("  tab goes on", "dim"))

    @on(Click, "#panel-tabs")
    def _tab_clicked(self, event: Click) -> None:
        """Bring the tab that was clicked to the front."""
        place = event.x - 1
        for name, title in PANELS.items():
            place -= len(title) + 4
            if place < 0:
                self.action_front(name)
                return

    @on(DescendantFocus)
    def _focus_moved(self, event: DescendantFocus) -> None:
        """Know which panel is in front."""
        for node in event.widget.ancestors_with_self:
            if node.id in PANELS and node.id != self._front:
                self._front = node.id
                self._lay_out()

    def _panel_focus(self, name: str) -> Widget:
        """Return the widget of a panel that takes the keys."""
        match name:
            case "registry":
                return self.registry.view
            case "log":
                return self.log_panel.view
            case _:
                return self.inspector.query_one("TextView")

    def _focus_front(self) -> None:
        self._panel_focus(self._front).focus()

    def action_front(self, name: str) -> None:
        """Bring a panel to the front, and the keys to it."""
        self._front = name
        self._lay_out()
        # A panel that was hidden can take the focus once it is laid out.
        self.call_after_refresh(self._focus_front)

    def action_panel(self, step: int) -> None:
        """Go to the next panel or the previous one; stopped calls count as a panel."""
        names = [*PANELS, *(["dock"] if self.dock.display else [])]
        here = "dock" if self.dock.has_focus_within or self.focused is self.dock else self._front
        name = names[(names.index(here) + step) % len(names)]
        if name == "dock":
            self.dock.focus()
        else:
            self.action_front(name)

    def action_zoom(self) -> None:
        """Give the whole screen to the focused panel, or no longer."""
        self._zoomed = not self._zoomed
        self._lay_out()

    def action_back(self) -> None:
        """Leave the zoom, else go to the registry; never quits."""
        if self._zoomed:
            self.action_zoom()
        else:
            self.action_front("registry")

    def action_widen(self, by: int) -> None:
        """Give the registry a greater share of the width, or a smaller one."""
        self._share = min(max(self._share + by, WIDTHS[0]), WIDTHS[1])
        self.query_one("#registry").styles.width = f"{self._share}fr"
        self.query_one("#right").styles.width = f"{100 - self._share}fr"

    # What a person asks for

    @on(Registry.ToolSelected)
    def _selected(self, event: Registry.ToolSelected) -> None:
        """Show the selected tool; a section leaves the last one."""
        if event.row is not None:
            self.inspector.show(event.row.key)

    @on(Registry.ToggleAsked)
    def _toggle(self, event: Registry.ToggleAsked) -> None:
        """Switch tools on or off."""
        self._deeds.toggle(event.names, event.what)

    @on(Registry.Asked)
    def _asked_of_tool(self, event: Registry.Asked) -> None:
        """Do something with a tool."""
        if event.what == "inspect":
            self.action_front("inspector")
        else:
            self._deeds.do(event.what, event.row)

    @on(HookLogPanel.Asked)
    def _asked_of_call(self, event: HookLogPanel.Asked) -> None:
        """Do something with a call."""
        self._jumps.do(event.what, event.group, event.offset)

    def action_undo(self) -> None:
        """Take back the newest edit or toggle."""
        self._deeds.undo()

    def action_redo(self) -> None:
        """Make the edit or toggle again that was undone last."""
        self._deeds.redo()

    def action_step(self) -> None:
        """Stop every call at each step, or no longer."""
        if self.session is not None:
            stops = self.breakpoints.toggle_everywhere(self.session.stepper)
            self.tell("every call stops at each step · s ends it" if stops else "calls run through")
            self.refresh_from(self.session)

    def action_refresh(self) -> None:
        """Read the files again."""
        if self.session is not None:
            self.run_worker(self.session.refresh("asked for"), group="refresh", exclusive=True, exit_on_error=False)

    def action_view(self, name: str) -> None:
        """Open another view."""
        session = self.session
        if session is None:
            return
        screens: dict[str, Callable[[Session], Screen[Any]]] = {
            "context": ContextScreen,
            "calls": ReadyCallsScreen,
            "model": ModelScreen,
            "trust": lambda session: TrustScreen(session, self._folder_name),
        }
        self.app.push_screen(screens[name](session))

    def go_to_tool(self, name: str) -> None:
        """Select a tool in the registry."""
        if self.registry.select_name(name):
            self.action_front("registry")

    def open_file(self, file: Path, row: int | None) -> None:
        """Open a file at a line in the editor."""
        self._deeds.open_file(file, row)

    def fire(self, name: str, given: object = None) -> None:
        """Open the form that calls a tool."""
        if self.session is not None:
            self.app.push_screen(FireScreen(self.session, name, given))
