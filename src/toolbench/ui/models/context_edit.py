"""A typed value as a person enters it, and what an edit would do (workbench: Edit the context)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from toolbench.text import size
from toolbench.ui.models.json_edit import parse_json
from toolbench.ui.models.json_text import compact
from toolbench.ui.models.lines import Lines, line

if TYPE_CHECKING:
    from toolbench.session.session import Preview

TYPES: Final = ("string", "number", "true", "false", "null", "json")
CONSTANTS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}
MAX_NAMES: Final = 8


class ValueFault(ValueError):
    """What was typed is no value of the chosen type; the message tells why."""


def typed_value(kind: str, text: str) -> Any:
    """Return the value that a person means.

    Args:
        kind: one of `TYPES`.
        text: as typed; of no account for `true`, `false` and `null`.

    Raises:
        ValueFault: the text is no number, or no JSON.
    """
    if kind in CONSTANTS:
        return CONSTANTS[kind]
    if kind == "string":
        return text
    parsed = parse_json(text.strip())
    if kind == "json":
        if parsed.fault is not None:
            raise ValueFault(parsed.fault)
        return parsed.value
    if isinstance(parsed.value, bool) or not isinstance(parsed.value, int | float):
        raise ValueFault(f"“{text}” is not a number" if text.strip() else "a number is wanted")
    return parsed.value


def type_of(value: Any) -> str:
    """Return the type, of `TYPES`, that a value has."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return "number"
    return "string" if isinstance(value, str) else "json"


def text_for(value: Any) -> str:
    """Return the text that stands for a value in the field."""
    if isinstance(value, str):
        return value
    return "" if type_of(value) in CONSTANTS else compact(value, 10_000)


def preview_lines(preview: Preview, bytes_now: int, *, verb: str = "") -> Lines:
    """Return what would appear and what would vanish.

    Args:
        preview: as `Session.preview` gives it.
        bytes_now: what the model gets now.
        verb: what would be done, before it.
    """
    lead = f"{verb}: " if verb else ""
    if not preview.appears and not preview.vanishes:
        return (line((lead, "label"), ("nothing changes for the model", "dim")),)
    delta = preview.generation.sizes.bytes - bytes_now
    sign = "+" if delta >= 0 else "−"
    tail = line((f"{sign}{size(abs(delta))} for the model", "label"), ("; this changes the cached prefix", "dim"))
    appears = line((lead, "label"), ("appears ", "added"), _names(preview.appears)) if preview.appears else None
    vanishes = line((lead, "label"), ("vanishes ", "removed"), _names(preview.vanishes)) if preview.vanishes else None
    return tuple(one for one in (appears, vanishes, tail) if one is not None)


def _names(names: tuple[str, ...]) -> str:
    """Return the first names, and how many more there are."""
    more = f", +{len(names) - MAX_NAMES}" if len(names) > MAX_NAMES else ""
    return ", ".join(names[:MAX_NAMES]) + more
