"""The registry as rows: sections for the buckets, a row for each tool. What the list widget scrolls through.

Rows are made for all tools, lines only for those on the screen; ten thousand tools filter in some milliseconds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from toolbench.ui.models.filter_query import FilterQuery
from toolbench.ui.models.registry_filter import row_test

if TYPE_CHECKING:
    from toolbench.tools.buckets import Buckets, Row

BUCKETS: Final = ("visible", "hidden", "off", "denied", "shadowed", "broken")
"""The sections in the order in which they are shown."""

Key: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """The row above a bucket's tools."""

    bucket: str
    total: int
    shown: int
    collapsed: bool

    @property
    def key(self) -> Key:
        """What stays the same over rebuilds; no tool's key has this form."""
        return (self.bucket,)


Item: TypeAlias = "Section | Row"


class RegistryRows:
    """The rows that stand now: of the newest buckets, filtered, with the sections that a person folded."""

    def __init__(self) -> None:
        self.revision = 0
        """Grows whenever a row may look different."""
        self.items: list[Item] = []
        self.query = FilterQuery()
        self.collapsed: set[str] = set()
        self.marked: set[Key] = set()
        """Rows that a person picked to act on together."""
        self.changed: Mapping[str, str] = {}
        """Names that the newest generation added or changed, with the reason in words."""
        self.fresh = False
        """Whether those changed just now, and are marked."""
        self.queued: Mapping[str, str] = {}
        """Names whose toggle waits for the write lock, with what it waits for."""
        self.stopping: Collection[str] = ()
        """Names whose calls are stopped at each step."""
        self.total = 0
        self.shown = 0
        self.name_width = 0
        self.source_width = 0
        self._buckets: Buckets | None = None
        self._positions: dict[Key, int] | None = None

    def update(self, buckets: Buckets, changed: Mapping[str, str], *, fresh: bool) -> None:
        """Take the buckets of a new generation.

        Args:
            buckets: of the generation.
            changed: names that it added or changed, with the reason in words.
            fresh: whether they are to be marked as just changed.
        """
        self._buckets, self.changed, self.fresh = buckets, changed, fresh
        if self.marked:
            self.marked &= {row.key for row in buckets.all()}
        self.rebuild()

    def rebuild(self) -> None:
        """Lay the rows out anew: after another generation, filter or fold."""
        self.revision += 1
        self._positions = None
        self.items = []
        self.total = self.shown = 0
        if self._buckets is None:
            return
        passes = row_test(self.query, self.changed)
        for bucket in BUCKETS:
            rows: Collection[Row] = getattr(self._buckets, bucket)
            kept = rows if passes is None else [row for row in rows if passes(row)]
            self.total += len(rows)
            self.shown += len(kept)
            if not kept and (passes is not None or bucket != "visible"):
                continue
            collapsed = bucket in self.collapsed
            self.items.append(Section(bucket, len(rows), len(kept), collapsed))
            if not collapsed:
                self.items.extend(kept)
        self._measure()

    def touch(self) -> None:
        """Show the same rows anew: marks changed."""
        self.revision += 1

    def _measure(self) -> None:
        """Find how wide names and sources are."""
        rows = self.rows()
        widths = [(len(row.name), len(row.claim.source)) for row in rows]
        self.name_width = max((name for name, _ in widths), default=0)
        self.source_width = max((source for _, source in widths), default=0)

    def rows(self) -> Iterator[Row]:
        """Yield the tools that are shown, without the sections."""
        for item in self.items:
            if not isinstance(item, Section):
                yield item

    def __len__(self) -> int:
        return len(self.items)

    def position(self, key: Key | None) -> int | None:
        """Return where the row of a key stands now, None when it is not shown."""
        if key is None:
            return None
        if self._positions is None:
            self._positions = {item.key: index for index, item in enumerate(self.items)}
        return self._positions.get(key)

    def position_of_name(self, name: str) -> int | None:
        """Return where the first row of a tool stands, None when it is not shown."""
        return next(
            (n for n, item in enumerate(self.items) if not isinstance(item, Section) and item.name == name), None
        )

    def section_rows(self, bucket: str) -> tuple[Row, ...]:
        """Return the tools of a section that the filter lets pass, folded or not."""
        if self._buckets is None:
            return ()
        passes = row_test(self.query, self.changed)
        return tuple(row for row in getattr(self._buckets, bucket) if passes is None or passes(row))

    def marked_rows(self) -> tuple[Row, ...]:
        """Return the rows that a person picked, in order."""
        if self._buckets is None or not self.marked:
            return ()
        return tuple(row for row in self._buckets.all() if row.key in self.marked)

    def source_rows(self, source: str) -> tuple[Row, ...]:
        """Return all tools of a source that can be switched."""
        if self._buckets is None:
            return ()
        return tuple(row for row in self._buckets.all() if row.claim.source == source and can_switch(row))


def can_switch(row: Row) -> bool:
    """Tell whether a tool can be switched on and off: whether it is in the registry."""
    return row.bucket in ("visible", "hidden", "off")


def names_to_switch(rows: Collection[Row]) -> tuple[str, ...]:
    """Return what to toggle so that a group ends in one state: all off, or all on when all were off."""
    switchable = [row for row in rows if can_switch(row)]
    on = [row.name for row in switchable if row.active]
    return tuple(on or [row.name for row in switchable])
