"""Reads `extensions:`; their order is the order of registration and of hooks."""

from __future__ import annotations

from pathlib import Path

from toolbench.files.reading import Fields, kind_of
from toolbench.files.session_hooks import hook_entries
from toolbench.files.session_model import ExtensionSpec

KEYS = ("id", "tools", "hooks", "mcp", "channel", "enabled", "strict")


def read_extensions(fields: Fields, path: Path) -> tuple[ExtensionSpec, ...]:
    """Return the extensions; one without an id, or with one that is taken, is told and left out."""
    found: dict[str, ExtensionSpec] = {}
    for index, item in enumerate(fields.items("extensions") or ()):
        where = ("extensions", index)
        if not isinstance(item, dict):
            fields.complaints.add("wrong-type", f"an extension is a mapping, found {kind_of(item)}", path=where)
            continue
        below = Fields(item, where, fields.complaints)
        below.known(KEYS)
        name = below.text("id")
        if not name or name in ("builtin", "custom", "session") or name in found:
            what = "needs an `id`" if not name else f"cannot be called {name!r}: that is taken"
            fields.complaints.add("bad-id", f"an extension {what}", path=(*where, "id") if name else where)
            continue
        found[name] = _extension(name, below, path)
    return tuple(found.values())


def _extension(name: str, fields: Fields, path: Path) -> ExtensionSpec:
    tools = fields.value.get("tools")
    patterns = (tools,) if isinstance(tools, str) else fields.names("tools") or ()
    line, column = fields.complaints.document.at(fields.path) or (None, None)
    return ExtensionSpec(
        id=name,
        tools=tuple(one for one in patterns if not _is_python(one)),
        python_tools=tuple(one for one in patterns if _is_python(one)),
        hooks=hook_entries(fields, path),
        mcp=fields.mapping("mcp"),
        channel=fields.mapping("channel"),
        enabled=fields.flag("enabled", True),
        strict=fields.flag("strict", False),
        line=line,
        column=column,
    )


def _is_python(pattern: str) -> bool:
    """Tell whether an entry names a Python file that is a definition itself."""
    return pattern.endswith(".py") or ".py:" in pattern
