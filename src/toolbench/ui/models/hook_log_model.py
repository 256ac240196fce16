"""The hook log: every event nested under its call, bounded, filtered. A pure reader of the stream of events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from toolbench.tools.events import (
    CallEnded,
    CallLookedUp,
    CallPrepared,
    CallResumed,
    CallStarted,
    CallStopped,
    CallValidated,
    CallWaiting,
    CommandApplied,
    CommandQueued,
    CommandRefused,
    CommandWithdrawn,
    Entry,
    ExecutionEnded,
    ExecutionProgress,
    ExecutionStarted,
    GenerationBuilt,
    HandlerEnded,
    HandlerStarted,
    LateResult,
    Notice,
    RefreshChangedNothing,
    SourceChanged,
)
from toolbench.ui.models.filter_query import FilterQuery
from toolbench.ui.models.hook_log_filter import group_passes
from toolbench.ui.models.log_groups import Group, GroupList, LogLine

KEPT_LINES: Final = 100_000
MAX_CHANGES: Final = 8
"""How many changes of one hook have a line of their own."""

_CALL_EVENTS: Final = (
    CallLookedUp,
    CallPrepared,
    CallValidated,
    CallWaiting,
    HandlerStarted,
    HandlerEnded,
    ExecutionStarted,
    ExecutionProgress,
    ExecutionEnded,
    CallStopped,
    CallResumed,
    LateResult,
)
# What ends takes the line of what began: a handler is one line, first running and then with its verdict.
_TAKES_LINE_OF: Final[dict[type, tuple[type, ...]]] = {
    HandlerEnded: (HandlerStarted,),
    ExecutionEnded: (ExecutionStarted,),
    ExecutionProgress: (ExecutionProgress,),
    CallResumed: (CallStopped,),
}


class HookLog:
    """Takes events, and holds the newest lines of them."""

    def __init__(self, kept: int = KEPT_LINES) -> None:
        """Create an empty log.

        Args:
            kept: how many lines stay; the oldest calls go first, whole.
        """
        self._kept = kept
        self._all = GroupList()
        self._shown = self._all
        self._running: dict[int, Group] = {}
        self._next = 0
        self.query = FilterQuery()
        self.seq = 0
        """Number of the newest event that was read."""

    @property
    def total(self) -> int:
        """The lines that are kept."""
        return len(self._all)

    @property
    def base(self) -> int:
        """The lines that were dropped from the front of what is shown, for scroll positions to follow."""
        return self._shown.base

    def __len__(self) -> int:
        """Return the number of lines that the filter lets pass."""
        return len(self._shown)

    def locate(self, index: int) -> tuple[Group, int]:
        """Return the group of a shown line, and the line's place in it."""
        return self._shown.locate(index)

    def line_of(self, group: Group) -> int | None:
        """Return the number of a group's first shown line."""
        return self._shown.line_of(group)

    def last_call_of(self, name: str) -> Group | None:
        """Return the newest shown call of a tool."""
        found = None
        for group in self._shown.groups():
            if group.call is not None and group.name == name:
                found = group
        return found

    def set_filter(self, query: FilterQuery) -> None:
        """Show only the groups that a filter lets pass."""
        self.query = query
        if not query:
            self._shown = self._all
            return
        self._shown = GroupList()
        for group in self._all.groups():
            if group_passes(group, query):
                self._shown.add(group)

    def absorb(self, entries: Iterable[Entry]) -> None:
        """Read events in order; those that were read before are passed over."""
        for entry in entries:
            if entry.seq > self.seq:
                self.seq = entry.seq
                self._take(entry)
        while len(self._all) > self._kept:
            self._drop()

    def _take(self, entry: Entry) -> None:
        """Add one event."""
        event = entry.event
        if isinstance(event, CallStarted):
            self._running[event.call] = self._begin(entry, event.call, event.name)
        elif isinstance(event, CallEnded):
            self._end(entry, event)
        elif isinstance(event, _CALL_EVENTS):
            running = self._running.get(event.call)
            if running is None:
                # Its beginning was dropped already, or the call is over and something comes late.
                self._running[event.call] = self._begin(entry, event.call, "")
            else:
                self._append(running, entry)
        elif not _is_noise(event):
            self._begin(entry, None, "")

    def _begin(self, entry: Entry, call: int | None, name: str) -> Group:
        """Open a group."""
        self._next += 1
        group = Group(self._next, [LogLine(entry)], call, name)
        group.words.extend(_words(entry))
        self._all.add(group)
        if self._shown is not self._all and group_passes(group, self.query):
            self._shown.add(group)
        return group

    def _append(self, group: Group, entry: Entry) -> None:
        """Add an event to its call."""
        lines, before = group.lines, len(group.lines)
        replaced = _TAKES_LINE_OF.get(type(entry.event))
        count = 1
        if replaced is not None and isinstance(lines[-1].entry.event, replaced):
            count = lines.pop().times + 1
        lines.append(LogLine(entry, 0, count))
        if isinstance(entry.event, HandlerEnded):
            extra = min(len(entry.event.report.changed), MAX_CHANGES)
            lines.extend(LogLine(entry, part) for part in range(1, extra))
        group.words.extend(_words(entry))
        self._changed(group, len(lines) - before)

    def _end(self, entry: Entry, event: CallEnded) -> None:
        """Close a call with its result."""
        group = self._running.pop(event.call, None)
        if group is None:
            group = self._begin(entry, event.call, event.report.name)
            group.report = event.report
            return
        group.report = event.report
        group.lines.append(LogLine(entry))
        group.words.extend(_words(entry))
        self._changed(group, 1)

    def _changed(self, group: Group, by: int) -> None:
        """Note that a group's lines changed."""
        group.revision += 1
        self._all.resized(group, by)
        if self._shown is self._all:
            return
        if group in self._shown:
            self._shown.resized(group, by)
        elif group_passes(group, self.query):
            self._shown.add(group)

    def _drop(self) -> None:
        """Drop the oldest group."""
        if self._shown is not self._all and next(self._shown.groups(), None) is next(self._all.groups()):
            self._shown.drop_first()
        dropped = self._all.drop_first()
        if dropped.call is not None:
            self._running.pop(dropped.call, None)


def _is_noise(event: object) -> bool:
    """Tell whether an event says nothing that another one, shown in any case, does not say as well."""
    return isinstance(event, CommandApplied | RefreshChangedNothing)


def _words(entry: Entry) -> tuple[str, ...]:
    """Return what a filter can find an event by, cheaply: every event passes here."""
    match entry.event:
        case CallStarted() as event:
            return (event.name, event.id)
        case CallLookedUp() as event:
            return (event.source or "not-found", event.executor or "")
        case HandlerEnded(report=report):
            return (report.id, report.verdict, report.reason or "", report.file or "")
        case CallEnded(report=report):
            return (report.verdict,)
        case ExecutionEnded() as event:
            return (event.outcome, event.message or "")
        case CallValidated() as event:
            return () if event.ok else tuple(message for _, message in event.problems)
        case GenerationBuilt() as event:
            return ("generation", event.cause, *event.files)
        case SourceChanged() as event:
            return ("source", event.source, event.state, event.error or "")
        case Notice() as event:
            return (event.severity, event.code, event.message, event.file or "")
        case CommandQueued() | CommandWithdrawn() | CommandRefused() as event:
            return (event.label,)
        case _:
            return ()
