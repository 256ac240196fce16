"""Groups of log lines in order, found by line number and by group without walking through them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from toolbench.tools.events import Entry
    from toolbench.tools.report import CallReport


class LogLine(NamedTuple):
    """One line of the log: an event, or one of the changes that a hook's event tells."""

    entry: Entry
    part: int = 0
    """Which of the event's changes; 0 is the event's own line."""
    times: int = 1
    """How many events of this kind the line stands for."""


@dataclass(slots=True, eq=False)
class Group:
    """A call with all that happened in it, or one event that belongs to no call."""

    number: int
    """Grows with each group; what orders them."""
    lines: list[LogLine]
    call: int | None = None
    name: str = ""
    """The tool's."""
    report: CallReport | None = None
    """None while the call runs."""
    revision: int = 0
    """Grows whenever one of its lines changes."""
    words: list[str] = field(default_factory=list)
    """What a filter looks through."""


class GroupList:
    """Groups laid end to end. Groups are added in any order of number, and dropped from the front."""

    def __init__(self) -> None:
        self._groups: list[Group] = []
        self._numbers: list[int] = []
        self._starts: list[int] = []
        self._first = 0
        self._end = 0

    def __len__(self) -> int:
        """Return the number of lines."""
        return self._end - self.base

    @property
    def base(self) -> int:
        """The lines that were dropped from the front so far."""
        return self._starts[self._first] if self._first < len(self._starts) else self._end

    def groups(self) -> Iterator[Group]:
        """Yield the groups in order."""
        for place in range(self._first, len(self._groups)):
            yield self._groups[place]

    def __contains__(self, group: Group) -> bool:
        return self._place(group) is not None

    def add(self, group: Group) -> None:
        """Put a group where its number says: nearly always at the end."""
        size = len(group.lines)
        place = bisect_left(self._numbers, group.number, lo=self._first)
        start = self._starts[place] if place < len(self._starts) else self._end
        self._groups.insert(place, group)
        self._numbers.insert(place, group.number)
        self._starts.insert(place, start)
        self._shift(place + 1, size)

    def resized(self, group: Group, by: int) -> None:
        """Note that a group has more lines than before, or fewer."""
        place = self._place(group)
        if place is not None and by:
            self._shift(place + 1, by)

    def drop_first(self) -> Group:
        """Drop the oldest group, and return it."""
        dropped = self._groups[self._first]
        self._first += 1
        if self._first > 1_000 and self._first * 2 > len(self._groups):
            for kept in (self._groups, self._numbers, self._starts):
                del kept[: self._first]
            self._first = 0
        return dropped

    def locate(self, index: int) -> tuple[Group, int]:
        """Return the group of a line, and the line's place in it."""
        target = self.base + index
        place = bisect_right(self._starts, target, lo=self._first) - 1
        return self._groups[place], target - self._starts[place]

    def line_of(self, group: Group) -> int | None:
        """Return the number of a group's first line, None where it is not here."""
        place = self._place(group)
        return None if place is None else self._starts[place] - self.base

    def _place(self, group: Group) -> int | None:
        place = bisect_left(self._numbers, group.number, lo=self._first)
        return place if place < len(self._groups) and self._groups[place] is group else None

    def _shift(self, place: int, by: int) -> None:
        """Move all groups from a place on."""
        for later in range(place, len(self._starts)):
            self._starts[later] += by
        self._end += by
