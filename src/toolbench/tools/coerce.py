"""Turns text into the number or boolean that a schema wants, when the session asks for it (R-DISP 4)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from toolbench.tools.jsonvalue import pointer

_INTEGER: Final = re.compile(r"-?(0|[1-9][0-9]{0,300})")
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]{0,300})(\.[0-9]{1,300})?([eE][-+]?[0-9]{1,3})?")
_WORDS: Final = {"true": True, "false": False}


def coerce(arguments: dict[str, Any], schema: Any) -> tuple[dict[str, Any], list[str]]:
    """Return arguments with text turned into what the schema wants, and a flag for each change.

    Only text is turned, only where the schema takes no text, and only what is unmistakable: `"3"` for an integer,
    `"0.5"` for a number, `"true"` for a boolean. Properties and list items are followed as deep as they are declared.
    """
    flags: list[str] = []
    return _object(arguments, schema, "", flags), flags


def _object(value: dict[str, Any], schema: Any, path: str, flags: list[str]) -> dict[str, Any]:
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping):
        return value
    return {
        key: _value(item, properties[key], path + pointer(key), flags) if key in properties else item
        for key, item in value.items()
    }


def _value(value: Any, schema: Any, path: str, flags: list[str]) -> Any:
    """Coerce one value below the arguments."""
    if not isinstance(schema, Mapping):
        return value
    if isinstance(value, dict):
        return _object(value, schema, path, flags)
    if isinstance(value, list):
        items = schema.get("items")
        return [_value(item, items, path + pointer(index), flags) for index, item in enumerate(value)]
    if not isinstance(value, str):
        return value
    kinds = schema.get("type")
    coerced = _text(value, [kinds] if isinstance(kinds, str) else kinds if isinstance(kinds, list) else [])
    if coerced is not value:
        flags.append(f"coerced {path}: {json.dumps(value)[:60]} → {json.dumps(coerced)[:60]}")
    return coerced


def _text(value: str, kinds: list[Any]) -> Any:
    """Return what text stands for under these types; the text itself when they take text, or it stands for nothing."""
    if "string" in kinds:
        return value
    if "integer" in kinds and _INTEGER.fullmatch(value):
        return int(value)
    if "number" in kinds and _NUMBER.fullmatch(value):
        return json.loads(value)
    if "boolean" in kinds and value in _WORDS:
        return _WORDS[value]
    return value
