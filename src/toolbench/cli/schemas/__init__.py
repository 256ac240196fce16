"""The JSON Schemas that `toolbench schema` prints: files here for the outputs, generated ones for what people write."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Final

OUTPUTS: Final = ("plan", "call", "check")


def schema(name: str) -> dict[str, Any]:
    """Return a schema by its name: `session`, `definitions`, or an output (`plan`, `call`, `check`)."""
    if name in OUTPUTS:
        text = files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")
        loaded: dict[str, Any] = json.loads(text)
        return loaded
    from toolbench.files.json_schema import definitions_schema, session_schema

    return session_schema() if name == "session" else definitions_schema()
