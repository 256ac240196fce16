"""Edits what the availability signals are held against, with a preview of what would follow."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

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

from toolbench.session.commands import Change
from toolbench.session.context import ContextError
from toolbench.session.paths import ContextPath, PathError, parse_path
from toolbench.text import plural
from toolbench.ui.content import content
from toolbench.ui.line_content import line_content
from toolbench.ui.models.context_edit import ValueFault, preview_lines, type_of
from toolbench.ui.models.context_rows import EntryRow, asked_paths, context_rows, looks_secret, row_line, value_style
from toolbench.ui.models.inspector_overview import MARKS
from toolbench.ui.models.json_text import json_lines
from toolbench.ui.models.lines import EMPTY, Line, Lines, heading, line
from toolbench.ui.widgets.entry_editor import EntryEditor
from toolbench.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from toolbench.session.session import Session
    from toolbench.session.tickets import Ticket

PREVIEW_DELAY: Final = 0.12
"""Seconds after the last key until the preview is made."""
TICK: Final = 0.2
"""Seconds between looks at a change that is queued."""
MAX_DEPENDENTS: Final = 200
WIDTHS: Final = [(0, "-narrow"), (100, "-wide")]


class ContextScreen(Screen[None]):
    """The entries as a tree, the tools that depend on the selected one, and a form that sets one."""

    CSS_PATH = "context.tcss"
    HORIZONTAL_BREAKPOINTS = WIDTHS
    HELP = """
    ## Context

    What the availability of tools is held against. Each edit is previewed while you type: which tools appear, which
    vanish. Edits live in memory, wait for the write lock if they must, and can be undone.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "add", "Add", id="context.add"),
        Binding("e", "edit", "Edit", id="context.edit"),
        Binding("d,delete", "unset", "Unset", id="context.unset"),
        Binding("u", "undo", "Undo", id="context.undo"),
        Binding("r", "redo", "Redo", id="context.redo"),
        Binding("w", "withdraw", "Withdraw", show=False, id="context.withdraw"),
        Binding("v", "reveal", "Show secrets", id="context.reveal"),
        Binding("escape", "back", "Back", id="context.back"),
    ]

    @dataclass
    class Asked(Message):
        """It is known which entries the tools name."""

        paths: Mapping[ContextPath, int]

    _list = query_one("#context-entries", OptionList)
    _detail = query_one("#context-detail", TextView)
    _editor = query_one(EntryEditor)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._asked: Mapping[ContextPath, int] = {}
        self._asked_of: object = None
        self._rows: tuple[EntryRow, ...] = ()
        self._reveal = False
        self._ticket: Ticket | None = None
        self._pending: Timer | None = None
        self._resting: Timer | None = None
        self._clock: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out entries on one side, the selected one and the form on the other."""
        with Horizontal(id="context-head"):
            yield Static("Context", id="context-title")
            yield Static(id="context-state")
        with Horizontal(id="context-body"):
            yield OptionList(id="context-entries", markup=False)
            with Vertical(id="context-right"):
                yield TextView(id="context-detail")
                yield EntryEditor()
        yield Footer()

    def on_mount(self) -> None:
        """Show what is set."""
        self._list.border_title = "Entries"
        self._detail.border_title = "Selected"
        self._clock = self.set_interval(TICK, self._look_at_ticket, pause=True)
        self.refresh_from(self._session)
        self._list.focus()
        self._editor.show((line(("a adds an entry, e edits the selected one", "dim")),))

    def refresh_from(self, session: Session) -> None:
        """Show the context as it is now; the selected entry stays selected."""
        self._session = session
        if not self.children:
            return
        buckets = session.generation.buckets
        if buckets is not self._asked_of:
            self._asked_of = buckets
            self.run_worker(self._find_asked(), group="asked", exclusive=True, exit_on_error=False)
        self._show_rows()
        self._show_state()
        self._moved()

    async def _find_asked(self) -> None:
        """Find which entries the tools name, off the loop."""
        buckets = self._session.generation.buckets
        self.post_message(self.Asked(await asyncio.to_thread(asked_paths, buckets)))

    @on(Asked)
    def _asked_found(self, event: Asked) -> None:
        """Show which entries the tools name."""
        self._asked = event.paths
        self._show_rows()

    def _show_rows(self) -> None:
        """Fill the list; the selected entry and the scroll position stay."""
        selected, scroll = self.selected, self._list.scroll_offset.y
        self._rows = context_rows(self._session.context, self._asked)
        width = min(max((len(row.label) + 2 * row.level for row in self._rows if row.path), default=0), 28)
        self._list.set_options(
            Option(line_content(row_line(row, reveal=self._reveal, width=width)), disabled=row.path is None)
            for row in self._rows
        )
        wanted = None if selected is None else selected.path
        places = [place for place, row in enumerate(self._rows) if row.path is not None]
        self._list.highlighted = next(
            (place for place in places if self._rows[place].path == wanted), places[0] if places else None
        )
        self._list.scroll_to(y=scroll, animate=False)

    @property
    def selected(self) -> EntryRow | None:
        """The entry under the cursor."""
        place = self._list.highlighted
        return None if place is None or place >= len(self._rows) else self._rows[place]

    def _show_state(self) -> None:
        """Show the generation, what undo would do, and a change that waits."""
        session = self._session
        words = [f"generation {session.generation.number}", f"{len(session.generation.buckets.visible)} visible"]
        if session.undo_label:
            words.append(f"undo: {session.undo_label}")
        ticket = self._ticket
        if ticket is not None and ticket.state == "queued":
            words.append(f"queued: {ticket.label}, waits for {ticket.waits_for or 'the lock'}; w withdraws it")
        self.query_one("#context-state", Static).update(content("  ·  ".join(words)))

    @on(OptionList.OptionHighlighted, "#context-entries")
    def _moved(self) -> None:
        """Show the entry that the cursor came to; what depends on it when the cursor rests."""
        row = self.selected
        if row is None or row.path is None:
            self._detail.set_lines((line(("no entries yet  ", "dim"), ("a adds one", "accent")),))
            return
        self._detail.set_lines(self._value_lines(row), keep_scroll=True)
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(PREVIEW_DELAY, self._show_detail)

    @on(OptionList.OptionSelected, "#context-entries")
    def _chosen(self) -> None:
        """Edit the entry."""
        self.action_edit()

    def _show_detail(self) -> None:
        """Show the selected entry, the tools that depend on it, and what unsetting it would do."""
        row = self.selected
        if row is None or row.path is None:
            return
        is_set = row.state in ("set", "branch")
        unset = self._previewed((Change("unset", row.path),), "d unsets it") if is_set else ()
        lines = (*self._value_lines(row), *unset, EMPTY, *self._dependent_lines(row))
        self._detail.set_lines(lines, keep_scroll=True)

    def _value_lines(self, row: EntryRow) -> Lines:
        """Return what the entry holds."""
        head = line((str(row.path), "title"), limit=200)
        if row.state == "missing":
            return (head, line(("not set  ", "warn"), ("enter sets it", "accent")))
        if row.state == "branch" or row.kind in ("auth", "plugins"):
            return (head,)
        if looks_secret(row.label) and not self._reveal and row.value is not None:
            return (head, line((type_of(row.value), "label"), ("  hidden  ", "dim"), ("v shows it", "accent")))
        kind = {"true": "boolean", "false": "boolean", "json": "list or object"}.get(
            type_of(row.value), type_of(row.value)
        )
        return (
            head,
            line((kind, "label"), (f"  {row.note}" if row.note else "", "dim")),
            *json_lines(row.value),
        )

    def _dependent_lines(self, row: EntryRow) -> tuple[Line, ...]:
        """Return the tools whose availability names the entry, each with where it stands."""
        names = self._session.dependents(str(row.path))
        if not names:
            return (line(("no tool depends on it", "dim")),)
        buckets = self._session.generation.buckets
        lines: list[Line] = [heading("Tools that depend on it", plural(len(names), "tool"))]
        for name in names[:MAX_DEPENDENTS]:
            found = next(iter(buckets.by_name.get(name, ())), None)
            mark, style = MARKS[found.bucket] if found is not None else ("?", "dim")
            words = "" if found is None or found.bucket == "visible" else f"  {found.bucket}: {found.words}"
            lines.append(line((f"  {mark} ", style), name, (words, "dim"), limit=160))
        if len(names) > MAX_DEPENDENTS:
            lines.append(line((f"  … +{len(names) - MAX_DEPENDENTS}", "dim")))
        return tuple(lines)

    def _previewed(self, changes: tuple[Change, ...], verb: str) -> Lines:
        """Return what would follow from changes, or why they cannot be made."""
        try:
            preview = self._session.preview(changes)
        except ContextError as error:
            return (line(("✗ ", "bad"), str(error), limit=300),)
        return preview_lines(preview, self._session.generation.sizes.bytes, verb=verb)

    @on(EntryEditor.Changed)
    def _typed(self) -> None:
        """Preview soon after the last key."""
        if self._pending is not None:
            self._pending.stop()
        self._pending = self.set_timer(PREVIEW_DELAY, self._show_preview)

    def _read(self) -> Change:
        """Return the change that is typed.

        Raises:
            PathError, ValueFault, ContextError: it is no change.
        """
        path = parse_path(self._editor.path)
        if path.kind in ("active", "policy"):
            raise ContextError(f"{path.kind} is no part of the context: switch tools in the registry")
        return Change("set", path, self._editor.typed())

    def _show_preview(self) -> None:
        """Show what would follow from what is typed."""
        if not self._editor.is_begun:
            self._editor.suit(None)
            self._editor.show((line(("a adds an entry, e edits the selected one", "dim")),))
            return
        try:
            path = parse_path(self._editor.path)
            self._editor.suit(path, masked=looks_secret(path.parts[-1]) and not self._reveal)
            change = self._read()
        except (PathError, ValueFault, ContextError) as error:
            self._editor.show((line(("✗ ", "bad"), str(error), limit=300),))
            return
        exists, now = self._session.context.get(change.path)
        shown = line(
            (f"{change.path} ", "key"),
            ("is " if exists else "not set yet", "dim"),
            (
                "set" if exists and change.path.kind in ("auth", "plugins") else type_of(now) if exists else "",
                value_style(now),
            ),
            limit=200,
        )
        self._editor.show((shown, *self._previewed((change,), "")))

    @on(EntryEditor.Submitted)
    def _submitted(self) -> None:
        """Make the change that is typed."""
        try:
            change = self._read()
            self._made(self._session.set(str(change.path), change.value))
        except (PathError, ValueFault, ContextError) as error:
            self._editor.show((line(("✗ ", "bad"), str(error), limit=300),))
            return
        self._editor.clear()
        self._select(change.path)
        self._list.focus()

    def _select(self, path: ContextPath) -> None:
        """Put the cursor on an entry."""
        place = next((place for place, row in enumerate(self._rows) if row.path == path), None)
        if place is not None:
            self._list.highlighted = place

    def _made(self, ticket: Ticket) -> None:
        """Show what became of a change: it is applied, or it waits for the lock."""
        self._ticket = ticket
        if ticket.state == "refused":
            self.notify(content(f"{ticket.label}: {ticket.message}", limit=300).plain, severity="error", markup=False)
        elif ticket.state == "queued" and self._clock is not None:
            self._clock.resume()
        self.refresh_from(self._session)

    def _look_at_ticket(self) -> None:
        """Follow a change that is queued until it is settled."""
        ticket = self._ticket
        if ticket is not None and ticket.state != "queued":
            if self._clock is not None:
                self._clock.pause()
            self._made(ticket)

    def action_add(self) -> None:
        """Set a new entry, of the kind under the cursor."""
        row = self.selected
        self._editor.border_title = "Set an entry"
        self._editor.begin("" if row is None else f"{row.kind}.", "", on_value=False)

    def action_edit(self) -> None:
        """Set the selected entry to another value."""
        row = self.selected
        if row is not None and row.path is not None:
            self._editor.border_title = content(f"Set {row.path}", limit=60)
            hidden = row.state == "missing" or (looks_secret(row.label) and not self._reveal)
            self._editor.begin(str(row.path), "" if hidden else row.value, on_value=True)

    def action_unset(self) -> None:
        """Unset the selected entry; what follows was shown beside it."""
        row = self.selected
        if row is not None and row.path is not None and row.state != "missing":
            self._try(lambda: self._session.unset(str(row.path)))

    def action_undo(self) -> None:
        """Take back the newest edit or toggle."""
        self._try(self._session.undo)

    def action_redo(self) -> None:
        """Make the edit again that was undone last."""
        self._try(self._session.redo)

    def _try(self, change: Callable[[], Ticket]) -> None:
        """Make a change; tell why it cannot be made."""
        try:
            self._made(change())
        except (PathError, ContextError) as error:
            self.notify(content(str(error), limit=300).plain, severity="warning", markup=False)

    def action_withdraw(self) -> None:
        """Take back the change that waits."""
        if self._ticket is not None and self._ticket.state == "queued":
            self._session.withdraw(self._ticket.number)
            self._look_at_ticket()

    def action_reveal(self) -> None:
        """Show secrets, or hide them again."""
        self._reveal = not self._reveal
        self._show_rows()
        self._moved()

    def action_back(self) -> None:
        """Leave the form, else the screen."""
        if self._editor.has_focus_within:
            self._editor.clear()
            self._list.focus()
        else:
            self.dismiss()
