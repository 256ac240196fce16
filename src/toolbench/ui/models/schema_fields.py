"""A schema's fields in words, one line each: type, limits, whether it must be given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolbench.ui.models.json_text import compact
from toolbench.ui.models.lines import Line, Lines, line
from toolbench.ui.models.prefill import required_names, resolve

MAX_FIELDS: Final = 200
MAX_LEVELS: Final = 3
LIMITS: Final = {
    "minimum": "≥ {}",
    "exclusiveMinimum": "> {}",
    "maximum": "≤ {}",
    "exclusiveMaximum": "< {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "pattern": "pattern {}",
    "format": "{}",
}


@dataclass(frozen=True, slots=True)
class Field:
    """One property of an object schema."""

    name: str
    level: int
    type: str
    required: bool
    description: str


def schema_fields(schema: Any) -> tuple[Field, ...]:
    """Return the properties of a schema, those of nested objects below them; none is entered twice."""
    found: list[Field] = []
    for one in _fields(schema, schema, 0, ("#",)):
        found.append(one)
        if len(found) == MAX_FIELDS:
            break
    return tuple(found)


def _fields(schema: Any, root: Any, level: int, refs: tuple[str, ...]) -> Iterator[Field]:
    schema, followed = resolve(schema, root)
    if not isinstance(schema, Mapping) or not isinstance(schema.get("properties"), Mapping) or level > MAX_LEVELS:
        return
    if set(followed) & set(refs):
        return
    required = required_names(schema)
    for name, given in schema["properties"].items():
        below, _ = resolve(given, root)
        description = below.get("description") if isinstance(below, Mapping) else None
        yield Field(
            str(name),
            level,
            type_words(below, root),
            name in required,
            description if isinstance(description, str) else "",
        )
        inner = below.get("items") if isinstance(below, Mapping) and "items" in below else given
        yield from _fields(inner, root, level + 1, (*refs, *followed))


def type_words(schema: Any, root: Any = None) -> str:
    """Return what a value may be: `integer ≥ 2`, `array of string`, `"a" | "b"`."""
    schema, _ = resolve(schema, root)
    if not isinstance(schema, Mapping):
        return "anything" if schema is True else "nothing" if schema is False else "⚠ no schema"
    if "const" in schema:
        return compact(schema["const"], 40)
    if isinstance(schema.get("enum"), list):
        return " | ".join(compact(one, 30) for one in schema["enum"][:6]) + (" | …" if len(schema["enum"]) > 6 else "")
    for group in ("anyOf", "oneOf"):
        if isinstance(schema.get(group), list):
            return " | ".join(_branch(one, root) for one in schema[group][:4]) or "nothing"
    return " ".join((_kind(schema, root), *_limits(schema)))


def _branch(schema: Any, root: Any) -> str:
    """Return a branch of `anyOf` in words, without entering further groups."""
    schema, _ = resolve(schema, root)
    return _kind(schema, root) if isinstance(schema, Mapping) else "anything"


def _kind(schema: Mapping[str, Any], root: Any) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(str(one) for one in kind[:6])
    if kind == "array" and "items" in schema:
        items, _ = resolve(schema["items"], root)
        inner = items.get("type") if isinstance(items, Mapping) else None
        return f"array of {inner}" if isinstance(inner, str) else "array"
    if isinstance(kind, str):
        return kind
    return "object" if "properties" in schema else "anything"


def _limits(schema: Mapping[str, Any]) -> Iterator[str]:
    for key, words in LIMITS.items():
        if key in schema:
            yield words.format(compact(schema[key], 40).strip('"'))
    if "default" in schema:
        yield f"default {compact(schema['default'], 30)}"


def field_lines(fields: tuple[Field, ...]) -> Lines:
    """Return the fields in columns: a star before what is required, then name, type and description."""
    if not fields:
        return (line(("  takes no arguments", "dim")),)
    names = min(max(len(one.name) + 2 * one.level for one in fields), 32)
    types = min(max(len(one.type) for one in fields), 28)
    lines = tuple(_field_line(one, names, types) for one in fields)
    return (*lines, line(("… more fields than are shown here", "warn"))) if len(fields) == MAX_FIELDS else lines


def _field_line(one: Field, names: int, types: int) -> Line:
    pad = "  " * one.level
    return line(
        ("  * " if one.required else "    ", "bad"),
        (f"{pad + one.name:<{names}}  ", "key"),
        (f"{one.type:<{types}}  ", "number"),
        (" ".join(one.description.split()), "dim"),
        limit=500,
    )
