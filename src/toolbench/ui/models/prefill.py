"""Example arguments from a schema: what the call form and the editor begin with (HAND-03, HAND-04).

Only what is required is given, unless more is asked for: an optional field that one leaves alone is not sent. Local
`$ref`s are followed with a limit, so that a schema that contains itself ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

MAX_DEPTH: Final = 8
MAX_NODES: Final = 400
FORMATS: Final = {
    "date": "2025-01-31",
    "date-time": "2025-01-31T12:00:00Z",
    "time": "12:00:00Z",
    "email": "someone@example.com",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "hostname": "example.com",
}


def example_arguments(schema: Any, *, optional: bool = False) -> dict[str, Any]:
    """Return arguments that a person can begin with; whether they are valid is the validator's word.

    Args:
        schema: a tool's input schema, perhaps a faulty one.
        optional: also give the fields that are not required.
    """
    made = _Maker(schema, optional).make(schema, ("#",))
    return made if isinstance(made, dict) else {}


def resolve(schema: Any, root: Any) -> tuple[Any, tuple[str, ...]]:
    """Follow local `$ref`s; return what is found and the refs on the way. One that leads nowhere gives `{}`."""
    seen: list[str] = []
    while isinstance(schema, Mapping) and isinstance(schema.get("$ref"), str):
        ref = schema["$ref"]
        if ref in seen:
            return {}, tuple(seen)
        seen.append(ref)
        found = _pointed(root, ref)
        others = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**found, **others} if others and isinstance(found, Mapping) and "$ref" not in found else found
    return schema, tuple(seen)


def _pointed(root: Any, ref: str) -> Any:
    """Return what a local reference points at."""
    if not ref.startswith("#"):
        return {}
    node = root
    for part in ref[1:].split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, Mapping) and key in node:
            node = node[key]
        elif isinstance(node, list) and key.isdigit() and int(key) < len(node):
            node = node[int(key)]
        else:
            return {}
    return node


@dataclass(slots=True)
class _Maker:
    """Makes one example; counts what it made."""

    root: Any
    optional: bool
    nodes: int = field(default=0, init=False)

    def make(self, schema: Any, refs: tuple[str, ...]) -> Any:
        """Return an example for a schema that was reached through `refs`."""
        schema, followed = resolve(schema, self.root)
        self.nodes += 1
        refs = (*refs, *followed, "")
        if not isinstance(schema, Mapping) or self.nodes > MAX_NODES or len(refs) > 4 * MAX_DEPTH:
            return None
        for key in ("const", "default"):
            if key in schema:
                return schema[key]
        for key in ("examples", "enum"):
            if isinstance(schema.get(key), list) and schema[key]:
                return schema[key][0]
        return self._by_type(_merged(schema, self.root), refs)

    def _by_type(self, schema: Mapping[str, Any], refs: tuple[str, ...]) -> Any:
        for group in ("oneOf", "anyOf"):
            branches = schema.get(group)
            if isinstance(branches, list) and branches and "properties" not in schema:
                return self.make(branches[0], refs)
        match _first_type(schema):
            case "object":
                return self._object(schema, refs)
            case "array":
                return self._array(schema, refs)
            case "string":
                return _string(schema)
            case "integer" | "number":
                return _number(schema)
            case "boolean":
                return False
            case _:
                return None

    def _object(self, schema: Mapping[str, Any], refs: tuple[str, ...]) -> dict[str, Any]:
        properties = schema.get("properties")
        required = required_names(schema)
        if not isinstance(properties, Mapping):
            properties = {}
        made: dict[str, Any] = {}
        for name, below in properties.items():
            if name in required or (self.optional and not self._returns(below, refs)):
                made[name] = self.make(below, refs)
        made.update({name: None for name in required if name not in made})
        return made

    def _array(self, schema: Mapping[str, Any], refs: tuple[str, ...]) -> list[Any]:
        items = schema.get("items")
        least = schema.get("minItems")
        count = least if isinstance(least, int) and not isinstance(least, bool) else 0
        if count == 0 and (not self.optional or self._returns(items, refs)):
            return []
        return [self.make(items, refs) for _ in range(min(max(count, 1), 10))]

    def _returns(self, schema: Any, refs: tuple[str, ...]) -> bool:
        """Tell whether a schema leads back to one that it hangs below, or lies too deep to be shown."""
        _, followed = resolve(schema, self.root)
        items = schema.get("items") if isinstance(schema, Mapping) else None
        return (
            bool(set(followed) & set(refs))
            or refs.count("") > MAX_DEPTH
            or (items is not None and self._returns(items, refs))
        )


def _merged(schema: Mapping[str, Any], root: Any) -> Mapping[str, Any]:
    """Return a schema with its `allOf` branches laid into it, one level deep."""
    branches = schema.get("allOf")
    if not isinstance(branches, list):
        return schema
    merged: dict[str, Any] = {}
    for branch in (*branches, {key: value for key, value in schema.items() if key != "allOf"}):
        found, _ = resolve(branch, root)
        if isinstance(found, Mapping):
            properties = {**_mapping(merged.get("properties")), **_mapping(found.get("properties"))}
            required = [*required_names(merged), *required_names(found)]
            merged.update(found)
            merged.update(properties=properties, required=required)
    return merged


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def required_names(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names that an object schema requires; a faulty list gives none."""
    required = schema.get("required")
    return tuple(name for name in required if isinstance(name, str)) if isinstance(required, list) else ()


def _first_type(schema: Mapping[str, Any]) -> str | None:
    """Return the type to make: the first that is not null, or the one that the keywords speak of."""
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), None)
    if isinstance(kind, str):
        return kind
    if "properties" in schema or "required" in schema:
        return "object"
    return "array" if "items" in schema else None


def _string(schema: Mapping[str, Any]) -> str:
    shown = FORMATS.get(str(schema.get("format")), "")
    least = schema.get("minLength")
    return shown or "x" * min(least if isinstance(least, int) else 0, 200)


def _number(schema: Mapping[str, Any]) -> float:
    """Return 0, or the number nearest to it that the bounds allow."""
    low, above, high, below = (
        _limit(schema.get(key)) for key in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")
    )
    if low is not None and low > 0:
        return low
    if above is not None and above >= 0:
        return above + 1
    if high is not None and high < 0:
        return high
    return below - 1 if below is not None and below <= 0 else 0


def _limit(value: Any) -> float | None:
    """Return a bound that is a number, None for anything else."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
