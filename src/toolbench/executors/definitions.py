"""The built-in tools, as descriptors (formats: Built-in tools)."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from toolbench.tools.descriptor import CoreExecutor, CoreOwner, ToolDescriptor
from toolbench.tools.frozen import freeze

BUILTIN_NAMES: Final = frozenset({"read", "ls", "find", "grep", "write", "edit", "exec"})
NEEDS_TRUST: Final = frozenset({"write", "edit", "exec"})
_TEXT: Final = {"type": "string"}


def _path(what: str) -> dict[str, Any]:
    return {"type": "string", "description": f"{what}, relative to the workspace."}


def _tool(
    name: str, description: str, properties: dict[str, Any], required: list[str], snippet: str, **more: Any
) -> ToolDescriptor:
    """Return one built-in tool."""
    return ToolDescriptor(
        name=name,
        description=description,
        input_schema=freeze(
            {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
        ),
        owner=CoreOwner(),
        executor=CoreExecutor(name),
        annotations=freeze({"readOnlyHint": name not in NEEDS_TRUST, "openWorldHint": name == "exec"}),
        prompt_snippet=snippet,
        **more,
    )


@cache
def builtin_definitions() -> tuple[ToolDescriptor, ...]:
    """Return the seven built-in tools, in the order in which they are registered."""
    line = {"type": "integer", "minimum": 1}
    return (
        _tool(
            "read",
            "Read a text file of the workspace. Long files are cut: read on with offset.",
            {
                "path": _path("The file"),
                "offset": {**line, "description": "The first line to read, from 1."},
                "limit": {**line, "description": "How many lines to read."},
            },
            ["path"],
            "read a file",
        ),
        _tool("ls", "List a folder of the workspace.", {"path": _path("The folder")}, [], "list a folder"),
        _tool(
            "find",
            "Find files by a glob pattern such as **/*.py.",
            {"pattern": {**_TEXT, "description": "A glob; ** matches any folders."}, "path": _path("Where to begin")},
            ["pattern"],
            "find files by name",
        ),
        _tool(
            "grep",
            "Search the text files of the workspace with a regular expression.",
            {
                "pattern": {**_TEXT, "description": "A regular expression."},
                "path": _path("A file, or the folder to begin in"),
                "ignore_case": {"type": "boolean", "default": False},
            },
            ["pattern"],
            "search in files",
        ),
        _tool(
            "write",
            "Write a file of the workspace whole; folders are made as needed.",
            {"path": _path("The file"), "content": {**_TEXT, "description": "All that it will hold."}},
            ["path", "content"],
            "write a whole file",
            prompt_guidelines=("Read a file before you change it.",),
        ),
        _tool(
            "edit",
            "Replace one passage of a file. The old text must stand in it exactly once.",
            {
                "path": _path("The file"),
                "old_text": {"type": "string", "minLength": 1, "description": "The passage as it stands."},
                "new_text": {**_TEXT, "description": "What takes its place."},
            },
            ["path", "old_text", "new_text"],
            "change a passage of a file",
            prompt_guidelines=("Read a file before you change it.", "Prefer edit to write for small changes."),
        ),
        _tool(
            "exec",
            "Run a shell command. It starts in the workspace and is not confined to it.",
            {
                "command": {"type": "string", "minLength": 1},
                "timeout": {"type": "number", "exclusiveMinimum": 0, "description": "Seconds that it may take."},
            },
            ["command"],
            "run a shell command",
            timeout_argument="timeout",
        ),
    )
