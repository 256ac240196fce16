"""Recognizes the shapes in which tools are written down, tool by tool (formats: Definition files)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from toolbench.files.problems import KeyPath

Shape: TypeAlias = Literal["own", "anthropic", "openai", "openai-responses", "mcp"]
OWN_KEYS: Final = frozenset(
    {
        "run",
        "availability",
        "owner",
        "sort_key",
        "prompt_snippet",
        "prompt_guidelines",
        "execution_mode",
    }
)
SCHEMA_KEYS: Final = ("input_schema", "inputSchema", "parameters")
_CONTAINERS: Final = ("tools", "functions", "function_declarations", "functionDeclarations")


@dataclass(frozen=True, slots=True)
class Found:
    """One tool's mapping, as it stands in its file."""

    value: Any
    path: KeyPath
    shape: Shape
    outer: dict[str, Any] | None = None
    """The mapping around an OpenAI function, which holds keys of its own."""


def find_tools(root: Any) -> Iterator[Found]:
    """Yield every tool of a document: one, a list, `{tools: [...]}`, a JSON-RPC result, or groups of any of these."""
    yield from _find(root, ())


def _find(value: Any, path: KeyPath) -> Iterator[Found]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict) and not _is_tool(item) and _inner(item) is not None:
                yield from _find(item, (*path, index))
            else:
                yield _found(item, (*path, index))
        return
    if not isinstance(value, dict) or _is_tool(value):
        yield _found(value, path)
        return
    key = _inner(value)
    if key is not None:
        yield from _find(value[key], (*path, key))
        return
    groups = [name for name, item in value.items() if isinstance(item, dict) and _inner(item) is not None]
    if not groups:
        yield _found(value, path)
    for name in groups:
        yield from _find(value[name], (*path, name))


def _is_tool(value: dict[str, Any]) -> bool:
    """Tell whether a mapping is a tool itself."""
    return "name" in value or isinstance(value.get("function"), dict)


def _inner(value: dict[str, Any]) -> str | None:
    """Return the key of a mapping that holds tools."""
    for key in _CONTAINERS:
        if isinstance(value.get(key), list):
            return key
    function = value.get("function")
    if isinstance(function, list):
        return "function"
    result = value.get("result")
    if isinstance(result, dict) and _inner(result) is not None:
        return "result"
    if isinstance(value.get("tools"), dict):
        return "tools"
    return None


def _found(value: Any, path: KeyPath) -> Found:
    """Name a tool's shape; what is no mapping is told by the reader."""
    if not isinstance(value, dict):
        return Found(value, path, "own")
    function = value.get("function")
    if isinstance(function, dict) and "name" not in value:
        return Found(function, (*path, "function"), "openai", value)
    if OWN_KEYS & value.keys():
        return Found(value, path, "own")
    if "inputSchema" in value or "annotations" in value or "outputSchema" in value:
        return Found(value, path, "mcp")
    if "parameters" in value:
        return Found(value, path, "openai-responses")
    return Found(value, path, "anthropic")
