"""JSON values: copied, compared strictly, and told apart by pointers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

LEAVES = frozenset({str, int, float, bool, type(None)})


def copy_json(value: Any) -> Any:
    """Return a deep copy of dicts and lists; every other value is kept as it is.

    A hand-written copy: `copy.deepcopy` alone would cost more than the whole dispatch. Data nested too deep for the
    interpreter raises RecursionError, which the validator's depth limit rules out for arguments.
    """
    kind = type(value)
    if kind in LEAVES:
        return value
    if isinstance(value, dict):
        return {key: item if type(item) in LEAVES else copy_json(item) for key, item in value.items()}
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
