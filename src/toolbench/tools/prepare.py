"""From whatever a model sent as `input` to arguments of the call's own (R-DISP 2, 4, 5)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from toolbench.tools.coerce import coerce
from toolbench.tools.hooks import MISSING
from toolbench.tools.jsonvalue import NotJson, checked_copy, copy_json
from toolbench.tools.schema import Validator


class Prepared(NamedTuple):
    """Arguments ready to be validated, or why there are none."""

    arguments: dict[str, Any]
    flags: tuple[str, ...]
    problem: tuple[str, str] | None
    """JSON pointer and message."""


def prepare(tool_input: Any, schema: Any, coerce_arguments: bool = False, fill_defaults: bool = False) -> Prepared:
    """Return the call's own copy of the arguments; the caller's is never touched (R-HOOK 3).

    Args:
        tool_input: `MISSING` counts as `{}`; text that holds a JSON object is parsed and flagged.
        schema: the tool's input schema.
        coerce_arguments: turn text into the number or boolean that the schema wants; each is flagged.
        fill_defaults: give absent optional top-level properties a fresh copy of their valid default; each is flagged.
    """
    flags: list[str] = []
    if type(tool_input) is dict and not coerce_arguments and not fill_defaults:
        # Most calls: there is nothing to do but to copy.
        try:
            return Prepared(checked_copy(tool_input), (), None)
        except NotJson as error:
            return Prepared({}, (), (error.path, error.message))
    if tool_input is MISSING:
        tool_input = {}
    elif isinstance(tool_input, str):
        try:
            tool_input = strict_json(tool_input)
        except ValueError as error:
            return Prepared({}, (), ("", f"the input is text and no JSON object: {error}"))
        flags.append("input was text")
    if not isinstance(tool_input, dict):
        return Prepared({}, tuple(flags), ("", f"the input must be an object, found {type(tool_input).__name__}"))
    try:
        arguments = checked_copy(tool_input)
    except NotJson as error:
        return Prepared({}, tuple(flags), (error.path, error.message))
    if coerce_arguments:
        arguments, coerced = coerce(arguments, schema)
        flags.extend(coerced)
    if fill_defaults:
        flags.extend(_fill(arguments, schema))
    return Prepared(arguments, tuple(flags), None)


def strict_json(text: str) -> Any:
    """Parse JSON without NaN, Infinity and duplicate keys (R-DISP 5).

    Raises:
        ValueError: it is none; the message tells why.
    """
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_unique)
    except RecursionError:
        raise ValueError("nested too deep") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object; a key that comes twice is an error, for the last one would win in silence."""
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [key for key, _ in pairs]
        twice = next(name for name in made if names.count(name) > 1)
        raise ValueError(f"duplicate key {twice!r}")
    return made


def _fill(arguments: dict[str, Any], schema: Any) -> list[str]:
    """Fill in valid defaults of absent optional properties."""
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping):
        return []
    required = schema.get("required")
    flags: list[str] = []
    for name, below in properties.items():
        if name in arguments or not isinstance(below, Mapping) or "default" not in below:
            continue
        if isinstance(required, list) and name in required:
            continue
        if not Validator(below).problems(below["default"]):
            arguments[name] = copy_json(below["default"])
            flags.append(f"default filled in: {name}")
    return flags
