"""A call in words: its result for standard output, the way to it for standard error."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from toolbench.session.event_json import event_json
from toolbench.text import plural, safe, safe_lines, size
from toolbench.tools.events import Entry

LIMIT: Final = 100_000
"""Characters of one text block that are shown; `--json` has the whole of it."""
STAGES: Final = ("before", "after")


def result_lines(result: Mapping[str, Any]) -> Iterator[str]:
    """Yield the content of a `tool_result`: text as it is, anything else by its kind and size."""
    if not result["content"]:
        yield "(empty)"
    for block in result["content"]:
        yield _block(block)


def way_lines(call: Mapping[str, Any]) -> Iterator[str]:
    """Yield what happened between `tool_use` and `tool_result`, a line for each step that is worth one."""
    for stage in STAGES:
        if stage == "after" and call["executed"]:
            yield f"execute  {call['duration_ms']} ms"
        yield from (_hook(one) for one in call["hooks"] if one["stage"] == stage)
    for flag in call["flags"]:
        yield f"flag     {safe(flag, 200)}"
    if call["why"] is not None:
        yield f"why      {safe(_json(call['why']), 600)}"
    ran = "executed" if call["executed"] else "not executed"
    yield f"{call['verdict']}  {ran}, generation {call['generation']}"


def event_line(entry: Entry) -> str:
    """Return one event as a line: its time in seconds, its kind, its fields."""
    fields = event_json(entry)
    head = f"{fields.pop('at'):.6f} {fields.pop('type')}"
    del fields["seq"]
    return " ".join([head, *(f"{key}={safe(_json(value), 200)}" for key, value in fields.items())])


def _hook(hook: Mapping[str, Any]) -> str:
    """Return what one handler did."""
    parts = [f"{hook['stage']:<8} {safe(hook['id'], 60)}  {hook['verdict']}"]
    if hook["changed"]:
        parts.append(f"changed {safe(', '.join(hook['changed']), 200)}")
    if hook["reason"]:
        parts.append(safe(hook["reason"], 200))
    parts += [f"({safe(flag, 120)})" for flag in hook["flags"]]
    if hook["file"] is not None:
        parts.append(f"{safe(hook['file'])}:{hook['line']}")
    return "  ".join(parts)


def _block(block: Any) -> str:
    """Return a content block as it can be shown."""
    if not isinstance(block, Mapping):
        return safe_lines(_json(block), LIMIT)
    if isinstance(block.get("text"), str):
        text = block["text"]
        if len(text) <= LIMIT:
            return safe_lines(text)
        return f"{safe_lines(text, LIMIT)}\n({plural(len(text), 'character')} in all; --json has them)"
    source = block.get("source", block)
    media = safe(str(source.get("media_type", source.get("mimeType", block.get("type", "block")))), 60)
    data = source.get("data")
    return f"({media}, {size(_decoded_size(data))})" if isinstance(data, str) else f"({media})"


def _decoded_size(base64_text: str) -> int:
    """Return how many bytes base64 text stands for."""
    return len(base64_text) * 3 // 4 - base64_text[-2:].count("=")


def _json(value: Any) -> str:
    """Return a value as one line of JSON."""
    return json.dumps(value, ensure_ascii=False, default=str)
