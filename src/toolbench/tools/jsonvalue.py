"""JSON values: copied, checked, compared strictly, and told apart by pointers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from math import inf
from operator import is_
from typing import Any, Final

LEAVES: Final = frozenset({str, int, float, bool, type(None)})
MAX_DEPTH: Final = 128
MAX_BITS: Final = 1024
_EASY: Final = frozenset({str, bool, type(None)})
_MOST: Final = 1 << MAX_BITS


class NotJson(ValueError):
    """A value that JSON cannot hold, and where it stands."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path
        """JSON pointer."""
        self.message = message


def checked_copy(value: dict[str, Any]) -> dict[str, Any]:
    """Return a deep copy of an object that JSON can hold; checked on the way, for a second walk would cost the same.

    Raises:
        NotJson: it cannot: NaN, infinity, a key or a value of another type, a number too large, too deep (R-DISP 5).
    """
    try:
        return _checked_dict(value, MAX_DEPTH)
    except _OddError:
        raise NotJson(*(unfit(value) or ("", "it is no JSON"))) from None


class _OddError(Exception):
    """Something is wrong; where and why is found out by another walk."""


def _checked_dict(value: dict[Any, Any], depth: int) -> dict[str, Any]:
    made: dict[str, Any] = dict(value)
    for key, item in made.items():
        if type(key) is not str:
            raise _OddError
        kind = type(item)
        if kind in _EASY:
            continue
        if kind is int:
            if not -_MOST < item < _MOST:
                raise _OddError
        elif kind is not float or not -inf < item < inf:
            # A key that is there already may get another value under way.
            made[key] = _checked(item, depth - 1)
    return made


def _checked(value: Any, depth: int) -> Any:
    """Copy and check what is no easy leaf."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _OddError
        return value
    if depth < 0:
        raise _OddError
    if isinstance(value, dict):
        return _checked_dict(value, depth)
    if isinstance(value, list):
        return [item if type(item) in _EASY else _checked(item, depth - 1) for item in value]
    if isinstance(value, str) or (isinstance(value, int) and -_MOST < value < _MOST):
        return value
    raise _OddError


def unfit(value: Any) -> tuple[str, str] | None:
    """Return pointer and message of the first thing that JSON cannot hold, None when it can hold all (R-DISP 5)."""
    waiting: list[tuple[Any, tuple[str | int, ...]]] = [(value, ())]
    while waiting:
        node, path = waiting.pop()
        if len(path) > MAX_DEPTH:
            return ("", f"nested deeper than {MAX_DEPTH} levels")
        if isinstance(node, dict):
            for key, item in node.items():
                if type(key) is not str:
                    return (pointer(*path), f"the key {key!r} is no text"[:300])
                if type(item) is not str:
                    waiting.append((item, (*path, key)))
        elif isinstance(node, list):
            waiting.extend((item, (*path, index)) for index, item in enumerate(node) if type(item) is not str)
        elif isinstance(node, float):
            if not math.isfinite(node):
                return (pointer(*path), f"{node} is no JSON number")
        elif isinstance(node, int):
            if node.bit_length() > MAX_BITS and not isinstance(node, bool):
                return (pointer(*path), "the number is too large")
        elif node is not None and not isinstance(node, str):
            return (pointer(*path), f"{type(node).__name__} is no JSON type")
    return None


def copy_json(value: Any) -> Any:
    """Return a deep copy of dicts and lists; every other value is kept as it is.

    A hand-written copy: `copy.deepcopy` alone would cost more than the whole dispatch. Data nested too deep for the
    interpreter raises RecursionError, which the validator's depth limit rules out for arguments.
    """
    if type(value) in LEAVES:
        return value
    if isinstance(value, dict):
        made = dict(value)
        for key, item in made.items():
            if type(item) not in LEAVES:
                made[key] = copy_json(item)
        return made
    if isinstance(value, list | tuple):
        return [item if type(item) in LEAVES else copy_json(item) for item in value]
    return value


def same_json(one: Any, other: Any) -> bool:
    """Compare two values as JSON: `true` is not 1, numbers go by value, NaN is itself."""
    if one is other:
        return True
    if isinstance(one, dict):
        return (
            isinstance(other, dict)
            and len(one) == len(other)
            and all(key in other and same_json(item, other[key]) for key, item in one.items())
        )
    if isinstance(one, list | tuple):
        return isinstance(other, list | tuple) and len(one) == len(other) and all(map(same_json, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return False
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other
    return type(one) is type(other) and bool(one == other)


def same_leaves(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Tell quickly that two objects are the same: the same keys in order, and the very same values.

    A copy shares its leaves with the original, so this settles a flat object; else it says no, and `diff` must look.
    """
    return one == other and all(map(is_, one.values(), other.values()))


def diff(one: Any, other: Any) -> tuple[str, ...]:
    """Return JSON pointers to what differs, in the order of `one`, then what only `other` has."""
    return () if one is other else tuple(_differences(one, other, ""))


def pointer(*parts: str | int) -> str:
    """Return a JSON pointer: `/a/0/b`, with `~` and `/` escaped."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def _differences(one: Any, other: Any, path: str) -> Iterator[str]:
    """Yield a pointer for each difference, as deep as it can be told."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key, item in one.items():
            if key not in other:
                yield path + pointer(key)
            elif item is not other[key]:
                yield from _differences(item, other[key], path + pointer(key))
        yield from (path + pointer(key) for key in other if key not in one)
    elif isinstance(one, list) and isinstance(other, list):
        for index, (left, right) in enumerate(zip(one, other, strict=False)):
            yield from _differences(left, right, path + pointer(index))
        shorter, longer = sorted((len(one), len(other)))
        yield from (path + pointer(index) for index in range(shorter, longer))
    elif not same_json(one, other):
        yield path
