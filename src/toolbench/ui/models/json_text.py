"""JSON as lines to look at: bounded in lines, depth and width, whatever the value (HAND-20, HAND-21, HAND-23).

Nothing recurses, nothing is printed whole: a list of a million items and 2 000 levels of nesting cost as much as what
is shown of them. Every cut says how much there is.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from toolbench.ui.models.lines import EMPTY, Line, Lines, Span, line

INLINE_WIDTH: Final = 72
INLINE_ITEMS: Final = 8
INDENT: Final = "  "


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is shown at most."""

    lines: int = 2_000
    depth: int = 60
    string: int = 4_000
    """Characters of one text."""


DEFAULT_BOUNDS: Final = Bounds()


def json_lines(value: Any, bounds: Bounds = DEFAULT_BOUNDS) -> Lines:
    """Return `value` as indented JSON in colours, cut to `bounds`; what is no JSON is named in brackets."""
    found = list(islice(_lines(value, bounds), bounds.lines + 1))
    if len(found) > bounds.lines:
        found[-1] = line(("… more than is shown here", "warn"))
    return tuple(found)


def compact(value: Any, limit: int = 200) -> str:
    """Return `value` as JSON in one line of at most `limit` characters; not made safe."""
    parts: list[str] = []
    length = 0
    for part in _tokens(value, limit):
        parts.append(part)
        length += len(part)
        if length > limit:
            return "".join(parts)[: max(limit - 1, 0)] + "…"
    return "".join(parts)


def scalar(value: Any, limit: int = DEFAULT_BOUNDS.string) -> Line:
    """Return a value that holds no other as spans; a container as its brackets."""
    match value:
        case None | True | False:
            return line((json.dumps(value), "word"))
        case str():
            return _text(value, limit)
        case int() | float():
            return line((_number(value), "number"))
        case Mapping():
            return line("{}" if not value else "{…}")
        case list() | tuple():
            return line("[]" if not value else "[…]")
        case bytes() | bytearray():
            return line((f"⟨{len(value)} bytes⟩", "dim"))
        case _:
            return line((f"⟨{type(value).__name__}, not JSON⟩", "dim"))


def _text(value: str, limit: int) -> Line:
    """Return a text in quotes, cut with its true length told."""
    if len(value) <= limit:
        return line((json.dumps(value, ensure_ascii=False), "string"))
    shown = json.dumps(value[:limit], ensure_ascii=False)[:-1]
    return line((f"{shown}…", "string"), (f" ⟨{len(value)} characters⟩", "warn"))


def _number(value: float) -> str:
    """Write a number; an integer that Python refuses to write is described."""
    if not isinstance(value, int):
        return json.dumps(value) if math.isfinite(value) else f"⟨{value}, not JSON⟩"
    try:
        return json.dumps(value)
    except ValueError:
        return f"⟨integer of {value.bit_length()} bits⟩"


def _is_container(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple) and bool(value)


def _items(value: Any) -> Iterator[tuple[str | None, Any]]:
    """Yield the members of an object or an array, those of an array without a key."""
    if isinstance(value, Mapping):
        yield from ((str(key), item) for key, item in value.items())
    else:
        yield from ((None, item) for item in value)


def _brackets(value: Any) -> tuple[str, str]:
    return ("{", "}") if isinstance(value, Mapping) else ("[", "]")


def _key(key: str | None) -> Line:
    """Return a member's key with its colon."""
    return EMPTY if key is None else (*line((json.dumps(key[:200], ensure_ascii=False), "key")), Span(": "))


def _lines(value: Any, bounds: Bounds) -> Iterator[Line]:
    """Yield the lines of `value`; a stack of open containers stands in for recursion."""
    if not _is_container(value):
        yield scalar(value, bounds.string)
        return
    short = _inline(value)
    if short is not None:
        yield short
        return
    opening, closing = _brackets(value)
    yield line(opening)
    stack: list[tuple[Iterator[tuple[str | None, Any]], str, int]] = [(_items(value), closing, len(value))]
    while stack:
        members, closing, left = stack[-1]
        pad = INDENT * len(stack)
        member = next(members, None)
        if member is None:
            stack.pop()
            yield line(INDENT * len(stack), closing, "," if stack and stack[-1][2] else "")
            continue
        key, item = member
        left -= 1
        stack[-1] = (members, closing, left)
        comma = "," if left else ""
        short = _inline(item) if _is_container(item) else scalar(item, bounds.string)
        if short is None and len(stack) < bounds.depth:
            opening, closing = _brackets(item)
            yield (*line(pad), *_key(key), *line(opening))
            stack.append((_items(item), closing, len(item)))
        else:
            yield (*line(pad), *_key(key), *(short or _too_deep(item)), *line(comma))


def _inline(value: Any) -> Line | None:
    """Return a short container of plain values in one line, or None when it is not short."""
    if len(value) > INLINE_ITEMS:
        return None
    opening, closing = _brackets(value)
    spans: list[Span] = [Span(opening)]
    for position, (key, item) in enumerate(_items(value)):
        if _is_container(item) or (isinstance(item, str) and len(item) > INLINE_WIDTH):
            return None
        spans.extend((*line(", " if position else ""), *_key(key), *scalar(item)))
    spans.append(Span(closing))
    return tuple(spans) if sum(len(span.text) for span in spans) <= INLINE_WIDTH else None


def depth_of(value: Any, limit: int = 100_000) -> int:
    """Return how many levels of nesting hang below the first members of `value`, at most `limit`."""
    levels = 0
    while _is_container(value) and levels < limit:
        levels += 1
        items = value.values() if isinstance(value, Mapping) else value
        value = next((item for item in islice(items, 50) if _is_container(item)), None)
    return levels


def _too_deep(value: Any) -> Line:
    """Stand in for what lies deeper than is shown."""
    opening, closing = _brackets(value)
    return line(f"{opening}…{closing}", (f" ⟨{depth_of(value)} more levels⟩", "warn"))


def _tokens(value: Any, limit: int) -> Iterator[str]:
    """Yield the compact JSON of `value` piece by piece."""
    stack: list[tuple[Iterator[tuple[str | None, Any]], str]] = []
    pending: list[tuple[str | None, Any]] = [(None, value)]
    first = True
    while pending or stack:
        if not pending:
            members, closing = stack[-1]
            member = next(members, None)
            if member is None:
                stack.pop()
                first = False
                yield closing
                continue
            if not first:
                yield ", "
            pending.append(member)
        key, item = pending.pop()
        first = False
        if key is not None:
            yield json.dumps(key[:limit], ensure_ascii=False) + ": "
        if _is_container(item):
            opening, closing = _brackets(item)
            stack.append((_items(item), closing))
            first = True
            yield opening
        else:
            yield "".join(span.text for span in scalar(item, limit))
