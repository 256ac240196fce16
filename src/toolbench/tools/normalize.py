"""From whatever an executor returned to a result (R-DISP 11)."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import Any, Final

from toolbench.tools.jsonvalue import copy_json

NO_JSON: Final = "the result is no JSON"
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
DEFAULT_ERROR: Final = "The tool failed and gave no message"
_ENVELOPE_FLAGS: Final = ("is_error", "isError")


@dataclass(slots=True)
class Normalized:
    """A result in the making, as after hooks see it."""

    content: list[dict[str, Any]] = field(default_factory=list)
    details: Any = None
    is_error: bool = False
    structured: Any = None
    terminate: bool = False
    flags: tuple[str, ...] = ()


def normalize(value: Any) -> Normalized:
    """Return the result that `value` stands for, sharing nothing with it. Never raises.

    None → empty content; text → one text block; a list of blocks → as it is; a dict whose `content` is text or a list
    of blocks → an envelope; bytes → a block that keeps them as base64; other JSON → one text block of JSON, and
    `structured`.
    """
    if type(value) is str:
        return Normalized([{"type": "text", "text": value}] if value else [])
    try:
        return _normalized(value)
    except RecursionError:
        return Normalized(text_blocks(f"a {type(value).__name__} that is nested too deep"), flags=(NO_JSON,))


def _normalized(value: Any) -> Normalized:
    if value is None:
        return Normalized()
    if isinstance(value, str):
        return Normalized(text_blocks(value))
    if isinstance(value, bytes | bytearray | memoryview):
        return Normalized([_binary(bytes(value), "application/octet-stream")])
    if _are_blocks(value):
        return Normalized([_block(one) for one in copy_json(value)])
    if (
        isinstance(value, dict)
        and "content" in value
        and (isinstance(value["content"], str) or _are_blocks(value["content"]))
    ):
        return _envelope(copy_json(value))
    text, exact = _json_text(value)
    if exact:
        return Normalized(text_blocks(text), structured=copy_json(value))
    return Normalized(text_blocks(text), flags=(NO_JSON,))


def error_result(message: str) -> Normalized:
    """Return an error result; it is never without content."""
    return Normalized(text_blocks((message.strip() and message) or DEFAULT_ERROR), is_error=True)


def text_blocks(text: str) -> list[dict[str, Any]]:
    """Return one text block, none for empty text."""
    return [{"type": "text", "text": text}] if text else []


def text_of(result: Normalized) -> str:
    """Return the text of a result's blocks."""
    return "\n".join(block["text"] for block in result.content if isinstance(block.get("text"), str))


def with_content(result: Normalized) -> Normalized:
    """Give an error result without content a default one (HAND-22)."""
    if result.is_error and not any(one.get("type") != "text" or one.get("text") for one in result.content):
        result.content = text_blocks(DEFAULT_ERROR)
    return result


def _envelope(value: dict[str, Any]) -> Normalized:
    """Read `{content, is_error | isError, details, structured, terminate}`."""
    content = value["content"]
    structured = value.get("structured", value.get("structuredContent"))
    return with_content(
        Normalized(
            text_blocks(content) if isinstance(content, str) else [_block(one) for one in content],
            details=value.get("details"),
            is_error=any(value.get(flag) is True for flag in _ENVELOPE_FLAGS),
            structured=structured,
            terminate=value.get("terminate") is True,
        )
    )


def _are_blocks(value: Any) -> bool:
    """Tell whether a value is a list of content blocks; an empty list is one."""
    return isinstance(value, list) and all(isinstance(one, dict) and isinstance(one.get("type"), str) for one in value)


def _block(block: dict[str, Any]) -> dict[str, Any]:
    """Return a block in the shape that the model gets: an MCP image becomes a source with its media type (HAND-20)."""
    if block["type"] == "image" and "source" not in block and isinstance(block.get("data"), str | bytes):
        data = block["data"]
        text = base64.b64encode(data).decode("ascii") if isinstance(data, bytes) else data
        media_type = block.get("mimeType", block.get("media_type", "application/octet-stream"))
        return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": text}}
    return block


def _binary(data: bytes, media_type: str) -> dict[str, Any]:
    """Return a block for bytes."""
    encoded = base64.b64encode(data).decode("ascii")
    return {"type": "document", "source": {"type": "base64", "media_type": media_type, "data": encoded}}


def _json_text(value: Any) -> tuple[str, bool]:
    """Return a value as JSON text, and whether it is JSON; else its `repr`, cut to a sane length."""
    try:
        return _ENCODER.encode(value), True
    except (TypeError, ValueError):
        return _described(value), False


def _described(value: Any) -> str:
    """Return a value's `repr`; people's own may raise."""
    try:
        return repr(value)[:100_000]
    except Exception as error:  # noqa: BLE001 - a `repr` of people's code is people's code
        return f"a {type(value).__name__} whose repr raises {type(error).__name__}"
