"""Reasons in few words, for a row of a list."""

from __future__ import annotations

import json
from typing import Any

from toolbench.tools.availability import MALFORMED, Diagnostic


def reason_words(diagnostic: Diagnostic) -> str:
    """Return why a tool is hidden: `env GITHUB_TOKEN`, `context role ≠ "admin"`; not made safe to show."""
    if diagnostic.reason == MALFORMED:
        return f"malformed: {diagnostic.message}"
    signal = diagnostic.signal or {}
    match signal.get("kind"):
        case "auth":
            return f"auth {signal['provider_id']}"
        case "env":
            return f"env {signal['name']}" + (" is blank" if diagnostic.found is not None else "")
        case "plugin-enabled":
            return f"plugin {signal['plugin_id']}"
        case "config":
            check = signal["check"]
            return f"config {'.'.join(signal['path'])}" + ("" if check == "exists" else f" not {check}")
        case "context":
            return f"context {signal['key']}" + (f" ≠ {_json(signal['equals'])}" if "equals" in signal else "")
        case _:
            return diagnostic.message


def _json(value: Any) -> str:
    """Return a value as JSON, cut short."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 40 else text[:39] + "…"
