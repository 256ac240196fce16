"""The registry: every tool in its bucket."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.getters import query_one
from textual.message import Message

from toolbench.text import plural
from toolbench.ui.content import content
from toolbench.ui.models.filter_query import parse_filter
from toolbench.ui.models.lines import Line, line
from toolbench.ui.models.registry_filter import HINT, KEYS
from toolbench.ui.models.registry_lines import row_line
from toolbench.ui.models.registry_rows import Item, Key, RegistryRows, Section, names_to_switch
from toolbench.ui.widgets.filter_bar import FilterBar
from toolbench.ui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from toolbench.session.session import Session
    from toolbench.tools.buckets import Row

MARKED_FOR = 4.0
"""Seconds for which rows that changed are marked."""
MARK_WIDTH = 5
"""Cells at a row's start in which a click switches the tool."""

Request = Literal["fire", "open", "copy", "withdraw", "break", "inspect"]


class RegistrySource:
    """Hands the registry's rows to the list; a line of its own where there is none."""

    def __init__(self, rows: RegistryRows) -> None:
        self.rows = rows
        self.note: Line = ()
        """Shown in place of rows."""

    def __len__(self) -> int:
        return len(self.rows) or (1 if self.note else 0)

    def row_line(self, index: int, width: int) -> Line:
        """Return a row; see `RowSource`."""
        return row_line(self.rows, index, width) if len(self.rows) else self.note

    def row_version(self, index: int) -> Hashable:
        """Return what changes with a row; see `RowSource`."""
        return (self.rows.revision, index)


class Registry(Vertical):
    """Sections of tools; the selection stays with the same tool through every rebuild."""

    HELP = """
    ## Registry

    Every tool, in the bucket where one of four gates put it, with the first reason. `space` switches what is under the
    cursor: a tool, or a whole section; `x` picks several. `/` filters: `source:github reason:env bucket:hidden`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "switch", "Toggle", id="registry.toggle"),
        Binding("f", "request('fire')", "Fire", id="registry.fire"),
        Binding("slash", "filter", "Filter", key_display="/", id="registry.filter"),
        Binding("b", "request('break')", "Break", id="registry.break"),
        Binding("o", "request('open')", "Open file", id="registry.open"),
        Binding("x", "pick", "Pick", show=False, id="registry.pick"),
        Binding("shift+down", "pick_down", "Pick and go down", show=False, id="registry.pick_down"),
        Binding("S", "toggle_source", "Toggle the whole source", show=False, id="registry.source"),
        Binding("left,h", "fold(True)", "Fold the section", show=False, id="registry.fold"),
        Binding("right,l", "fold(False)", "Unfold the section", show=False, id="registry.unfold"),
        Binding("w", "request('withdraw')", "Withdraw", show=False, id="registry.withdraw"),
        Binding("y", "request('copy')", "Copy the name", show=False, id="registry.copy"),
        Binding("escape", "unfilter", "Clear filter and picks", show=False, id="registry.clear"),
    ]
    """
    | Key(s) | Description |
    | :- | :- |
    | space | Switch the tool, the picked tools or the section on or off. |
    | f | Fire a call of the tool. |
    | / | Filter. |
    | b | Stop every call of the tool at each step, or no longer. |
    | o | Open the definition in $EDITOR. |
    | x, shift+down | Pick several. |
    | S | Switch the whole source of the tool. |
    | left,h / right,l | Fold or unfold the section. |
    | w | Withdraw the queued switch of the tool. |
    | y | Copy the tool's name. |
    """

    DEFAULT_CSS = """
    Registry { border: round $border-blurred; border-title-color: $text; border-title-style: bold;
        border-subtitle-color: $text-muted; }
    Registry:focus-within { border: round $border; }
    Registry VirtualList { height: 1fr; }
    """

    @dataclass
    class ToolSelected(Message):
        """Another tool is selected; None where the cursor is on a section."""

        row: Row | None

    @dataclass
    class ToggleAsked(Message):
        """A person wants these tools switched."""

        names: tuple[str, ...]
        what: str
        """The section or source that is meant; empty for single tools."""

    @dataclass
    class Asked(Message):
        """A person wants something done with a tool."""

        what: Request
        row: Row

    view = query_one(VirtualList)
    bar = query_one(FilterBar)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self.rows = RegistryRows()
        self._source = RegistrySource(self.rows)
        self._source.note = line((" opening the session …", "dim"))
        self._selected: Key | None = None
        self._seen: int | None = None
        self._opening = True

    def compose(self) -> ComposeResult:
        """Lay out the filter above the list."""
        yield FilterBar(HINT)
        yield VirtualList(self._source)

    def on_mount(self) -> None:
        """Name the panel."""
        self.border_title = "Registry"
        self.view.show_rows()

    @property
    def selected(self) -> Row | None:
        """The tool under the cursor."""
        item = self._item(self.view.cursor)
        return None if item is None or isinstance(item, Section) else item

    def _item(self, index: int) -> Item | None:
        return self.rows.items[index] if index < len(self.rows.items) else None

    def refresh_from(self, session: Session) -> None:
        """Show the session as it is now; selection and scroll position stay with the same tool."""
        generation = session.generation
        if generation.number != self._seen or self._opening:
            first = self._opening
            self._seen, self._opening = generation.number, False
            diff = generation.diff
            reasons = {name: diff.reasons.get(name, "changed") for name in (*diff.added, *diff.changed)}
            fresh = bool(reasons) and not first
            with_anchor = self._anchor()
            self.rows.update(generation.buckets, {} if first else reasons, fresh=fresh)
            self._restore(*with_anchor)
            if fresh:
                self.set_timer(MARKED_FOR, lambda: self._settle(generation.number))
        self._show_queued({name: ticket.waits_for or "" for ticket in session.queued for name in ticket.names})

    def touch(self) -> None:
        """Show the same rows anew: a mark changed."""
        self.rows.touch()
        self.view.refresh()

    def _show_queued(self, queued: Mapping[str, str]) -> None:
        """Mark the rows whose switch waits."""
        if queued != self.rows.queued:
            self.rows.queued = queued
            self.touch()

    def _settle(self, generation: int) -> None:
        """Take the marks from the rows that changed."""
        if self._seen == generation:
            self.rows.fresh = False
            self.touch()

    def _anchor(self) -> tuple[Key | None, int, int]:
        """Return the selected row's key, where it stands, and how far below the top of the view."""
        cursor = self.view.cursor
        item = self._item(cursor)
        return (None if item is None else item.key), cursor, cursor - self.view.scroll_offset.y

    def _restore(self, key: Key | None, place: int, below_top: int) -> None:
        """Put cursor and scroll position where the same row stands now, or the one that took its place."""
        self._source.note = () if len(self.rows) else line((" no tool passes the filter · esc clears it", "dim"))
        found = self.rows.position(key)
        if key is None and len(self.rows) > 1:
            found = 1
        cursor = min(place, max(len(self.rows) - 1, 0)) if found is None else found
        visible = 0 <= below_top < self.view.page_height
        self.view.show_rows(cursor=cursor, scroll=max(cursor - below_top, 0) if visible else None)
        self._show_counts()
        self._tell()

    def _show_counts(self) -> None:
        """Say how many tools are shown, and picked."""
        rows = self.rows
        count = f"{rows.shown} of {rows.total}" if rows.query else plural(rows.total, "tool")
        picked = f"{len(rows.marked)} picked · " if rows.marked else ""
        self.border_subtitle = content(f"{picked}{count}")

    def _tell(self) -> None:
        """Tell which tool is selected, when it is another."""
        row = self.selected
        key = None if row is None else row.key
        if key != self._selected or key is None:
            self._selected = key
            self.post_message(self.ToolSelected(row))

    def select(self, key: Key) -> bool:
        """Move the cursor to a tool, unfolding and unfiltering for it; tell whether there is one."""
        if self.rows.position(key) is None:
            self.rows.collapsed.clear()
            self.bar.set_filter("")
            self._narrow("")
        found = self.rows.position(key)
        if found is not None:
            self.view.cursor = found
        return found is not None

    def select_name(self, name: str) -> bool:
        """Move the cursor to the first tool of a name; tell whether there is one."""
        place = self.rows.position_of_name(name)
        if place is None:
            self.rows.collapsed.clear()
            self.bar.set_filter("")
            self._narrow("")
            place = self.rows.position_of_name(name)
        if place is not None:
            self.view.cursor = place
        return place is not None

    def _narrow(self, text: str) -> None:
        """Show what a filter lets pass."""
        query = parse_filter(text, KEYS)
        if query == self.rows.query:
            return
        anchor = self._anchor()
        self.rows.query = query
        self.rows.rebuild()
        self._restore(*anchor)

    @on(FilterBar.Filtered)
    def _filtered(self, event: FilterBar.Filtered) -> None:
        event.stop()
        self._narrow(event.text)

    @on(FilterBar.Left)
    def _left(self, event: FilterBar.Left) -> None:
        event.stop()
        self.view.focus()

    @on(VirtualList.Highlighted)
    def _moved(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        self._tell()

    @on(VirtualList.Chosen)
    def _chosen(self, event: VirtualList.Chosen) -> None:
        """Fold a section, look at a tool."""
        event.stop()
        item = self._item(event.index)
        if isinstance(item, Section):
            self._fold(item.bucket, not item.collapsed)
        elif item is not None:
            self.post_message(self.Asked("inspect", item))

    @on(VirtualList.Clicked)
    def _clicked(self, event: VirtualList.Clicked) -> None:
        """Fold a section; switch a tool where its mark was clicked."""
        event.stop()
        item = self._item(event.index)
        if isinstance(item, Section):
            self._fold(item.bucket, not item.collapsed)
        elif item is not None and event.x < MARK_WIDTH:
            self.action_switch()

    def _fold(self, bucket: str, collapsed: bool) -> None:
        """Fold or unfold a section; the cursor goes to its head when its row is folded away."""
        anchor = self._anchor()
        (self.rows.collapsed.add if collapsed else self.rows.collapsed.discard)(bucket)
        self.rows.rebuild()
        key = anchor[0] if self.rows.position(anchor[0]) is not None else (bucket,)
        self._restore(key, anchor[1], anchor[2])

    def action_fold(self, collapsed: bool) -> None:
        """Fold or unfold the section under the cursor."""
        item = self._item(self.view.cursor)
        if item is not None:
            self._fold(item.bucket, collapsed)

    def action_filter(self) -> None:
        """Begin to type a filter."""
        self.bar.open()

    def action_unfilter(self) -> None:
        """Let go of picks, then of the filter."""
        if self.rows.marked:
            self.rows.marked.clear()
            self.touch()
            self._show_counts()
        elif self.rows.query:
            self.bar.set_filter("")
            self._narrow("")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave `esc` to others while there is nothing to clear."""
        if action == "unfilter":
            return bool(self.rows.marked or self.rows.query)
        return True

    def action_pick(self) -> None:
        """Pick the tool under the cursor, or no longer."""
        row = self.selected
        if row is not None:
            self.rows.marked ^= {row.key}
            self.rows.touch()
            self.view.refresh_line(self.view.cursor)
            self._show_counts()

    def action_pick_down(self) -> None:
        """Pick the tool under the cursor, and go on to the next."""
        self.action_pick()
        self.view.cursor += 1

    def action_switch(self) -> None:
        """Ask for the picked tools, the section or the tool to be switched."""
        picked = self.rows.marked_rows()
        item = self._item(self.view.cursor)
        if picked:
            self.post_message(self.ToggleAsked(tuple(row.name for row in picked), "the picked tools"))
        elif isinstance(item, Section):
            rows = self.rows.section_rows(item.bucket)
            self.post_message(self.ToggleAsked(names_to_switch(rows), f"the section {item.bucket}"))
        elif item is not None:
            self.post_message(self.ToggleAsked((item.name,), ""))

    def action_toggle_source(self) -> None:
        """Ask for the whole source of the tool to be switched."""
        row = self.selected
        if row is not None:
            names = names_to_switch(self.rows.source_rows(row.claim.source))
            self.post_message(self.ToggleAsked(names, f"the source {row.claim.source}"))

    def action_request(self, what: Request) -> None:
        """Ask for something to be done with the tool under the cursor."""
        row = self.selected
        if row is not None:
            self.post_message(self.Asked(what, row))
