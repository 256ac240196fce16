"""Reads `calls:`: ready to fire."""

from __future__ import annotations

from typing import Any

from toolbench.files.problems import KeyPath
from toolbench.files.reading import Fields, kind_of
from toolbench.files.session_model import ReadyCall
from toolbench.tools.blocks import ToolUse
from toolbench.tools.hooks import MISSING


def read_calls(fields: Fields) -> tuple[ReadyCall, ...]:
    """Return the ready calls; an entry that names no tool is told and left out."""
    found: list[ReadyCall] = []
    for index, item in enumerate(fields.items("calls") or ()):
        path = ("calls", index)
        place = fields.complaints.document.at(path)
        line = place[0] if place else None
        if isinstance(item, dict) and isinstance(item.get("batch"), list):
            uses = [
                _use(one, (*path, "batch", number), f"ready_{index + 1}_{number + 1}", fields)
                for number, one in enumerate(item["batch"])
            ]
            good = tuple(use for use in uses if use is not None)
            label = item.get("label")
            text = label if isinstance(label, str) else f"batch of {len(good)}: {', '.join(use.name for use in good)}"
            if good:
                found.append(ReadyCall(label=text, uses=good, batch=True, line=line))
            continue
        use = _use(item, path, f"ready_{index + 1}", fields)
        if use is not None:
            label = item.get("label")
            found.append(ReadyCall(label=label if isinstance(label, str) else use.name, uses=(use,), line=line))
    return tuple(found)


def _use(item: Any, path: KeyPath, number: str, fields: Fields) -> ToolUse | None:
    """Read one call."""
    if not isinstance(item, dict) or not isinstance(item.get("name"), str):
        fields.complaints.add("bad-call", f"a call needs the `name` of a tool, found {kind_of(item)}", path=path)
        return None
    Fields(item, path, fields.complaints).known(("name", "input", "id", "type", "label"))
    call_id = item.get("id")
    return ToolUse(call_id if isinstance(call_id, str) else number, item["name"], item.get("input", MISSING))
