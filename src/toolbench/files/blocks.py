"""Reads the calls of a message: a list of `tool_use` blocks, or an assistant message of Anthropic or OpenAI."""

from __future__ import annotations

from typing import Any

from toolbench.files.document import TextError
from toolbench.files.json_text import load_json
from toolbench.tools.blocks import ToolUse
from toolbench.tools.hooks import MISSING


class BlocksError(ValueError):
    """The text holds no calls; the message tells where and why."""


def parse_blocks(text: str, shown: str) -> tuple[tuple[ToolUse, ...], str | None]:
    """Return the calls and the message's stop reason.

    Args:
        text: JSON.
        shown: how the text is called in errors.

    Raises:
        BlocksError: it is no JSON, or holds no calls.
    """
    try:
        document = load_json(text)
    except TextError as error:
        where = f":{error.place[0]}:{error.place[1]}" if error.place else ""
        raise BlocksError(f"{shown}{where}: {error.message}") from None
    if document.faults:
        fault = document.faults[0]
        raise BlocksError(f"{shown}:{fault.place[0]}:{fault.place[1]}: {fault.message}")
    root = document.root
    message, stop = _message(root)
    uses = tuple(_use(block, index, shown) for index, block in enumerate(message))
    if not uses:
        raise BlocksError(f"{shown}: no tool_use block and no tool call in it")
    return uses, stop


def _message(root: Any) -> tuple[list[Any], str | None]:
    """Return the blocks of whatever shape, and why the message ended."""
    if isinstance(root, list):
        calls = [
            one
            for one in root
            if not isinstance(one, dict) or one.get("type") in (None, "tool_use", "function", "function_call")
        ]
        nested = [block for one in root if isinstance(one, dict) and "content" in one for block in _message(one)[0]]
        return (nested, None) if nested else (calls, None)
    if not isinstance(root, dict):
        return [], None
    if isinstance(root.get("choices"), list) and root["choices"] and isinstance(root["choices"][0], dict):
        choice = root["choices"][0]
        return _message(choice.get("message"))[0], _text(choice.get("finish_reason"))
    stop = _text(root.get("stop_reason")) or _text(root.get("finish_reason"))
    if isinstance(root.get("tool_calls"), list):
        return root["tool_calls"], stop
    if isinstance(root.get("output"), list):
        return [one for one in root["output"] if _type(one) == "function_call"], stop
    if isinstance(root.get("content"), list):
        return [one for one in root["content"] if _type(one) == "tool_use"], stop
    return ([root], stop) if "name" in root or "function" in root else ([], stop)


def _use(block: Any, index: int, shown: str) -> ToolUse:
    """Read one block: `tool_use`, a Chat Completions tool call, or a Responses function call."""
    if isinstance(block, dict):
        function = block.get("function")
        inner = function if isinstance(function, dict) else block
        name = inner.get("name")
        call_id = block.get("id") or block.get("call_id")
        if isinstance(name, str):
            tool_input = inner.get("input", inner.get("arguments", MISSING))
            return ToolUse(call_id if isinstance(call_id, str) else f"call_{index + 1}", name, tool_input)
    raise BlocksError(f"{shown}: block {index + 1} names no tool")


def _type(block: Any) -> Any:
    return block.get("type") if isinstance(block, dict) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
