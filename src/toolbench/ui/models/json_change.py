"""What a hook changed, pointer by pointer, as spans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolbench.ui.models.json_text import compact
from toolbench.ui.models.lines import Line, line


def change_line(before: Any, after: Any, pointer: str, limit: int = 120) -> Line:
    """Return `+ /limit: 10`, `− /limit: 10` or `~ /limit: 500 → 20`.

    Args:
        before: the whole value as it was.
        after: the whole value as it is.
        pointer: the JSON pointer of what differs.
        limit: the greatest length of each value in characters.
    """
    was, now = value_at(before, pointer), value_at(after, pointer)
    name = pointer or "(all)"
    if was is None and now is not None:
        return line(("+ ", "added"), (f"{name}: ", "key"), (compact(now[0], limit), "added"), limit=limit)
    if now is None and was is not None:
        return line(("− ", "removed"), (f"{name}: ", "key"), (compact(was[0], limit), "removed"), limit=limit)
    if was is None or now is None:
        return line(("~ ", "accent"), (name, "key"), limit=limit)
    return line(
        ("~ ", "accent"),
        (f"{name}: ", "key"),
        (compact(was[0], limit), "removed"),
        (" → ", "dim"),
        (compact(now[0], limit), "added"),
        limit=limit,
    )


def value_at(value: Any, pointer: str) -> tuple[Any] | None:
    """Return the value at a JSON pointer in a tuple of one, or None where there is nothing."""
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list | tuple) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return (value,)
