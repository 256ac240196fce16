"""A file's data as plain values, with the place of each (formats: every complaint names line and column)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from toolbench.files.problems import KeyPath

MAX_BYTES: Final = 16_000_000
MAX_DEPTH: Final = 100
MAX_NODES: Final = 2_000_000
"""Values after aliases are followed: a few lines of aliases could stand for more than memory holds."""

Place: TypeAlias = tuple[int, int]
"""Line and column, from 1."""
Syntax: TypeAlias = Literal["yaml", "json"]


class TextError(ValueError):
    """A text is not what its syntax wants; nothing of it can be used."""

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place


@dataclass(frozen=True, slots=True)
class TextFault:
    """Something wrong inside a text that could be read otherwise."""

    code: str
    message: str
    place: Place


@dataclass(slots=True)
class Document:
    """Plain dicts, lists and scalars. A container is known by its identity, which an alias shares."""

    root: Any = None
    root_place: Place = (1, 1)
    faults: list[TextFault] = field(default_factory=list)
    places: dict[int, Mapping[str | int, Place] | Sequence[Place]] = field(default_factory=dict)
    """For each container, the places of its values."""
    key_places: dict[int, Mapping[str, Place]] = field(default_factory=dict)
    sources: dict[tuple[int, str | int], str] = field(default_factory=dict)
    """The text of plain scalars that were read as something else: `0123`, `1.10`, `on`."""

    def place(self, container: Any, key: str | int | None = None) -> Place | None:
        """Return where the value of `key` in `container` begins."""
        if key is None:
            return self.root_place if container is self.root else None
        found = self.places.get(id(container))
        if isinstance(found, Mapping):
            return found.get(key)
        if found is not None and isinstance(key, int) and 0 <= key < len(found):
            return found[key]
        return None

    def key_place(self, container: Any, key: str) -> Place | None:
        """Return where the key itself stands."""
        return self.key_places.get(id(container), {}).get(key) or self.place(container, key)

    def at(self, path: KeyPath) -> Place | None:
        """Return where the value at a key path begins, or the nearest thing around it that has a place."""
        node, place = self.root, self.root_place
        for part in path:
            found = self.place(node, part)
            if found is None:
                return place
            place = found
            try:
                node = node[part]
            except (KeyError, IndexError, TypeError):
                return place
        return place
