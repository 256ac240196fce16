"""JSON as a person types it: read strictly, with the place of each fault and of each value (R-DISP 5, HAND-23)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from toolbench.text import safe

MAX_DIGITS: Final = 4_000
_DECODER: Final = json.JSONDecoder()
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_PLAIN: Final = re.compile(r"[^\s,\]}]+")


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text, counted from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a text holds, or why it holds nothing."""

    value: Any = None
    fault: str | None = None
    place: Place | None = None


class _Fault(ValueError):
    """A value that JSON cannot hold, without its place."""


def parse_json(text: str) -> Parsed:
    """Read JSON as strictly as the dispatcher does: no NaN, no infinite number, no key twice. Never raises."""
    try:
        return Parsed(
            json.loads(text, object_pairs_hook=_object, parse_constant=_refuse, parse_float=_float, parse_int=_integer)
        )
    except json.JSONDecodeError as error:
        return Parsed(fault=_wording(text, error), place=Place(error.lineno, error.colno))
    except _Duplicate as error:
        return Parsed(fault=str(error), place=place_at(text, _second(text, error.key)))
    except _Fault as error:
        found = text.find(error.args[1]) if len(error.args) > 1 else -1
        return Parsed(fault=error.args[0], place=place_at(text, found) if found >= 0 else None)
    except RecursionError:
        return Parsed(fault="nested too deeply")


class _Duplicate(_Fault):
    """A key that stands twice in one object."""

    def __init__(self, key: str) -> None:
        super().__init__(f"key “{safe(key, 60)}” stands twice in one object")
        self.key = key

    def __str__(self) -> str:
        return str(self.args[0])


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object; a key that stands twice is a fault."""
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Duplicate(key)
            seen.add(key)
    return made


def _refuse(word: str) -> NoReturn:
    raise _Fault(f"{word} is not JSON", word)


def _float(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise _Fault(f"{safe(text, 40)} is too large for a number", text)
    return value


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise _Fault(f"an integer of {len(text)} digits is too long", text[:40])
    return int(text)


def _wording(text: str, error: json.JSONDecodeError) -> str:
    """Say what is wrong as people would."""
    if not text.strip():
        return "empty: write {} for no arguments"
    if error.pos >= len(text.rstrip()):
        return "ends too early"
    return error.msg[:1].lower() + error.msg[1:]


def place_at(text: str, offset: int) -> Place:
    """Return the line and column of a character's offset."""
    offset = max(min(offset, len(text)), 0)
    return Place(text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1)


def place_of(text: str, pointer: str) -> Place | None:
    """Return where the value at a JSON pointer begins in a text that is JSON; of a missing one, its nearest parent."""
    wanted = tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])
    best: tuple[int, int] | None = None
    for path, offset in _walk(text):
        if path == wanted[: len(path)] and (best is None or len(path) > best[0]):
            best = (len(path), offset)
            if len(path) == len(wanted):
                break
    return None if best is None else place_at(text, best[1])


def _second(text: str, key: str) -> int:
    """Return the offset of a key's second use in one object, or -1."""
    seen: set[tuple[int, str]] = set()
    owners: list[int] = []
    for path, offset in _walk(text, keys=True):
        del owners[max(len(path) - 1, 0) :]
        owners.append(offset)
        if path and path[-1] == key:
            mark = (owners[-2] if len(owners) > 1 else -1, key)
            if mark in seen:
                return offset
            seen.add(mark)
    return -1


def _walk(text: str, *, keys: bool = False) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield path and offset of each value in a text that is JSON, parents first; with `keys` that of its key."""
    path: list[str] = []
    counts: list[int] = []
    position, key_offset = 0, -1
    while position < len(text):
        position = _skip(text, position)
        if position >= len(text):
            return
        character = text[position]
        if character in "]}":
            path, counts, position = path[:-1], counts[:-1], position + 1
        elif character == ",":
            position += 1
        elif counts and counts[-1] < 0 and key_offset < 0:
            key_offset = position
            path[-1], position = _DECODER.raw_decode(text, position)
            position = _skip(text, position) + 1
        else:
            if counts and counts[-1] >= 0:
                path[-1], counts[-1] = str(counts[-1]), counts[-1] + 1
            yield tuple(path), key_offset if keys and key_offset >= 0 else position
            key_offset = -1
            position = _after(text, position, path, counts)


def _after(text: str, position: int, path: list[str], counts: list[int]) -> int:
    """Step into a container (`counts` says -1 for an object, the next index for an array) or over a plain value."""
    character = text[position]
    if character in "[{":
        path.append("")
        counts.append(0 if character == "[" else -1)
        return position + 1
    if character == '"':
        return _DECODER.raw_decode(text, position)[1]
    plain = _PLAIN.match(text, position)
    return plain.end() if plain else position + 1


def _skip(text: str, position: int) -> int:
    """Return the place after white space."""
    blank = _SPACE.match(text, position)
    return blank.end() if blank else position
