"""Finds a row by its key without searching each time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolbench.session.generation import Generation
    from toolbench.tools.buckets import Row


@dataclass(slots=True)
class RowIndex:
    """The rows of one generation by key; made anew when it is asked about another."""

    _generation: Generation | None = None
    _rows: Mapping[tuple[object, ...], Row] = field(default_factory=dict)

    def find(self, generation: Generation, key: tuple[object, ...]) -> Row | None:
        """Return the row of a key, or None where it is gone."""
        if generation is not self._generation:
            self._generation = generation
            self._rows = {row.key: row for row in generation.buckets.all()}
        return self._rows.get(key)
