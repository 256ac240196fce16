"""The hook log: what happened in each call, event by event."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.getters import query_one
from textual.message import Message
from textual.reactive import var

from toolbench.ui.content import content
from toolbench.ui.models.filter_query import parse_filter
from toolbench.ui.models.hook_log_filter import HINT, KEYS
from toolbench.ui.models.hook_log_lines import log_line
from toolbench.ui.models.hook_log_model import HookLog
from toolbench.ui.models.lines import Line, line
from toolbench.ui.models.log_groups import Group
from toolbench.ui.widgets.filter_bar import FilterBar
from toolbench.ui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from toolbench.tools.events import Entry

EMPTY_NOTES: tuple[Line, ...] = (
    line((" Nothing has happened yet.", "dim")),
    line((" f ", "accent"), ("fires the selected tool, ", "dim"), ("3 ", "accent"), ("shows the ready calls;", "dim")),
    line((" each call is told here, hook by hook.", "dim")),
)


class LogSource:
    """Hands the log's lines to the list; notes where there is none."""

    def __init__(self, log: HookLog) -> None:
        self.log = log
        self.wall_of: Callable[[float], float] = float
        """Turns the stream's monotonic seconds into seconds since the epoch."""

    @property
    def notes(self) -> Sequence[Line]:
        """What is said where no line is shown."""
        return (line((" nothing passes the filter · esc clears it", "dim")),) if self.log.query else EMPTY_NOTES

    def __len__(self) -> int:
        return len(self.log) or len(self.notes)

    def row_line(self, index: int, width: int) -> Line:
        """Return a line; see `RowSource`."""
        if not len(self.log):
            return self.notes[index]
        group, offset = self.log.locate(index)
        return log_line(group, offset, width, self.wall_of)

    def row_version(self, index: int) -> Hashable:
        """Return what changes with a line; see `RowSource`."""
        if not len(self.log):
            return (bool(self.log.query), index)
        group, offset = self.log.locate(index)
        return (group.number, group.revision, offset)


class HookLogPanel(Vertical):
    """Follows the newest line until a person looks at an older one."""

    HELP = """
    ## Hook log

    Each call with all that happened in it: lookup, validation, every hook with its verdict, time and changes, the
    executor, the result. It follows while the cursor is on the last line. `/` filters: `tool:read hook:guard
    verdict:block call:41 kind:session`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "Filter", key_display="/", id="log.filter"),
        Binding("p", "follow", "Follow", id="log.follow"),
        Binding("enter", "jump('call')", "The call", id="log.call"),
        Binding("i", "jump('tool')", "The tool", id="log.tool"),
        Binding("o", "jump('open')", "Open hook", id="log.open"),
        Binding("r", "jump('repeat')", "Repeat", id="log.repeat"),
        Binding("y", "jump('copy')", "Copy", show=False, id="log.copy"),
        Binding("n", "call(1)", "Next call", show=False, id="log.next"),
        Binding("N", "call(-1)", "Previous call", show=False, id="log.previous"),
        Binding("k", "jump('cancel')", "Cancel the call", show=False, id="log.cancel"),
        Binding("escape", "unfilter", "Clear filter", show=False, id="log.clear"),
    ]
    """
    | Key(s) | Description |
    | :- | :- |
    | / | Filter. |
    | p | Follow the newest line, or pause. |
    | enter | Show the whole call in the pager. |
    | i | Go to the call's tool in the registry. |
    | o | Open the hook's file in $EDITOR at its line. |
    | r | Edit the call and fire it again. |
    | n / N | Go to the next or the previous call. |
    | k | Cancel the call while it runs. |
    | y | Copy the call's result. |
    """

    DEFAULT_CSS = """
    HookLogPanel { border: round $border-blurred; border-title-color: $text; border-title-style: bold;
        border-subtitle-color: $text-muted; }
    HookLogPanel:focus-within { border: round $border; }
    HookLogPanel VirtualList { height: 1fr; }
    """

    following: var[bool] = var(True)
    """Whether the newest line is kept on the screen."""

    @dataclass
    class Asked(Message):
        """A person wants something done with the call under the cursor."""

        what: str
        group: Group
        offset: int

    view = query_one(VirtualList)
    bar = query_one(FilterBar)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self.model = HookLog()
        self._source = LogSource(self.model)

    def compose(self) -> ComposeResult:
        """Lay out the filter above the lines."""
        yield FilterBar(HINT)
        yield VirtualList(self._source)

    def on_mount(self) -> None:
        """Name the panel."""
        self.view.show_rows()
        self._show_title()

    def absorb(self, entries: Sequence[Entry], wall_of: Callable[[float], float]) -> None:
        """Add events.

        Args:
            entries: in order; those that were added before are passed over.
            wall_of: turns the stream's monotonic seconds into seconds since the epoch.
        """
        self._source.wall_of = wall_of
        base = self.model.base
        self.model.absorb(entries)
        self._show(dropped=self.model.base - base)

    def wall_of(self, at: float) -> float:
        """Turn the stream's monotonic seconds into seconds since the epoch."""
        return self._source.wall_of(at)

    def _show(self, dropped: int = 0) -> None:
        """Show the lines anew; what is looked at stays on the screen."""
        view = self.view
        if self.following:
            last = max(len(self._source) - 1, 0) if len(self.model) else 0
            view.show_rows(cursor=last, scroll=max(last + 1 - view.page_height, 0))
        elif dropped:
            view.show_rows(cursor=view.cursor - dropped, scroll=max(view.scroll_offset.y - dropped, 0))
        else:
            view.show_rows()
        self._show_title()

    def watch_following(self) -> None:
        """Go to the newest line when it is followed again."""
        if self.is_mounted:
            self._show()

    def _show_title(self) -> None:
        """Say whether the newest line is followed, and how many there are."""
        state = "follow" if self.following else "paused · p follows"
        self.border_title = content(f"Hook log ─ {state}")
        shown, total = len(self.model), self.model.total
        self.border_subtitle = content(f"{shown:,} of {total:,} lines" if self.model.query else f"{total:,} lines")

    def _under_cursor(self) -> tuple[Group, int] | None:
        return self.model.locate(self.view.cursor) if self.view.cursor < len(self.model) else None

    @on(VirtualList.Highlighted)
    def _moved(self, event: VirtualList.Highlighted) -> None:
        """Follow when the cursor is on the last line, else stay."""
        event.stop()
        self.set_reactive(HookLogPanel.following, event.index >= len(self._source) - 1)
        self._show_title()

    @on(VirtualList.Chosen)
    def _chosen(self, event: VirtualList.Chosen) -> None:
        event.stop()
        self.action_jump("call")

    @on(VirtualList.Clicked)
    def _clicked(self, event: VirtualList.Clicked) -> None:
        event.stop()

    @on(FilterBar.Filtered)
    def _filtered(self, event: FilterBar.Filtered) -> None:
        event.stop()
        query = parse_filter(event.text, KEYS)
        if query != self.model.query:
            self.model.set_filter(query)
            self.following = True
            self._show()

    @on(FilterBar.Left)
    def _left(self, event: FilterBar.Left) -> None:
        event.stop()
        self.view.focus()

    def show_tool(self, name: str) -> None:
        """Show only the calls of a tool."""
        self.bar.set_filter(f'tool:"{name}"')

    def action_filter(self) -> None:
        """Begin to type a filter."""
        self.bar.open()

    def action_unfilter(self) -> None:
        """Show everything again."""
        self.bar.set_filter("")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave `esc` to others while there is no filter."""
        if action == "unfilter":
            return bool(self.model.query)
        return True

    def action_follow(self) -> None:
        """Follow the newest line, or pause."""
        self.following = not self.following

    def action_call(self, step: int) -> None:
        """Move the cursor to the head of the next or the previous call."""
        found = self._under_cursor()
        if found is None:
            return
        group, offset = found
        place = self.view.cursor - offset
        target = place + len(group.lines) if step > 0 else place if offset else place - 1
        if not 0 <= target < len(self.model):
            return
        self.view.cursor = target - self.model.locate(target)[1]

    def action_jump(self, what: str) -> None:
        """Ask for something to be done with the call under the cursor."""
        found = self._under_cursor()
        if found is not None:
            self.post_message(self.Asked(what, *found))
