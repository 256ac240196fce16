"""JSON containers that refuse change, so that a descriptor is immutable all the way down (R-DESC 1)."""

from __future__ import annotations

from typing import Any, NoReturn


def _refuse(self: object, *_args: object, **_kwargs: object) -> NoReturn:
    raise TypeError(f"a {type(self).__name__} belongs to a descriptor and cannot be changed")


class FrozenDict(dict[str, Any]):
    """A JSON object that can be read and serialized like any dict, and not changed."""

    __slots__ = ()
    __setitem__ = __delitem__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse
    __ior__ = _refuse


class FrozenList(list[Any]):
    """A JSON array that can be read and serialized like any list, and not changed."""

    __slots__ = ()
    __setitem__ = __delitem__ = _refuse
    append = extend = insert = pop = remove = clear = sort = reverse = _refuse
    __iadd__ = __imul__ = _refuse


def freeze(value: Any) -> Any:
    """Return `value` with every dict and list below it replaced by its frozen kind.

    What is frozen already is returned as it is. Shared nodes stay shared in value, not in identity.

    Args:
        value: JSON-like data without cycles; depth is bounded by the loaders.
    """
    kind = type(value)
    if kind is dict:
        return FrozenDict({key: freeze(item) for key, item in value.items()})
    if kind is list or kind is tuple:
        return FrozenList([freeze(item) for item in value])
    return value
