"""Every event as JSON data: one spelling for the transcript, the trace and the UI's copies (R-EVT)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolbench.session.call_json import call_json, handler_json
from toolbench.tools.events import Entry, event_kind
from toolbench.tools.hooks import MISSING, HandlerReport
from toolbench.tools.report import CallReport


def event_json(entry: Entry) -> dict[str, Any]:
    """Return an entry as `{"type", "seq", "at", …fields}`; times in seconds."""
    fields = {name: _value(value) for name, value in entry.event._asdict().items() if value is not MISSING}
    return {"type": event_kind(type(entry.event)), "seq": entry.seq, "at": round(entry.at, 6), **fields}


def _value(value: Any) -> Any:
    """Return a field as JSON data; what JSON cannot hold is shown by its `repr`."""
    if isinstance(value, CallReport):
        whole = call_json(value)
        del whole["toolbench"]
        return whole
    if isinstance(value, HandlerReport):
        return {**handler_json(value), "saw": _value(value.saw), "left": _value(value.left)}
    if isinstance(value, Mapping):
        return {str(key): _value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_value(item) for item in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return repr(value)
