"""What a model sent, shown back to it in an error."""

from __future__ import annotations

import json
from typing import Any, Final

from toolbench.tools.hooks import MISSING

MAX_LENGTH: Final = 2000
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, default=lambda one: f"<{type(one).__name__}>")


def received_text(value: Any) -> str:
    """Return a received input as JSON text, cut to size; never raises."""
    if value is MISSING:
        return "{}"
    try:
        text = _ENCODER.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        text = f"<{type(value).__name__} that cannot be written as JSON: {type(error).__name__}>"
    return text if len(text) <= MAX_LENGTH else f"{text[:MAX_LENGTH]}… ({len(text)} characters)"
