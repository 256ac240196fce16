"""Reads owners and executor refs (R-DESC 2, 3)."""

from __future__ import annotations

from typing import Any, Final

from toolbench.files.reading import Fields, kind_of
from toolbench.tools.descriptor import (
    ChannelExecutor,
    ChannelOwner,
    CoreExecutor,
    CoreOwner,
    ExecutorRef,
    McpExecutor,
    McpOwner,
    Owner,
    PluginExecutor,
    PluginOwner,
)

_REF_FORMS: Final = "core:ID, plugin:PLUGIN:TOOL, channel:CHANNEL:ACTION or mcp:SERVER:TOOL"


def read_owner(fields: Fields) -> Owner | None:
    """Return `owner:` as written: `core`, or a mapping with `kind` and its ids."""
    value = fields.value.get("owner")
    if value is None:
        return None
    whole = {"kind": value} if isinstance(value, str) else value
    owner = _owner(whole) if isinstance(whole, dict) else None
    if owner is None:
        wanted = "core, {kind: plugin, plugin_id: …}, {kind: channel, channel_id: …} or {kind: mcp, server_id: …}"
        fields.wrong("owner", f"`owner` takes {wanted}, found {kind_of(value)}", code="bad-owner")
    return owner


def _owner(value: dict[str, Any]) -> Owner | None:
    kind = value.get("kind")
    plugin, channel, server = (
        _id(value, *names)
        for names in (("plugin_id", "pluginId"), ("channel_id", "channelId"), ("server_id", "serverId"))
    )
    if kind == "core":
        return CoreOwner()
    if kind == "plugin" and plugin:
        return PluginOwner(plugin)
    if kind == "channel" and channel:
        return ChannelOwner(channel, plugin)
    if kind == "mcp" and server:
        return McpOwner(server)
    return None


def _id(value: dict[str, Any], *names: str) -> str | None:
    found = next((value[name] for name in names if name in value), None)
    return found if isinstance(found, str) else None


def read_executor(fields: Fields) -> ExecutorRef | None:
    """Return `executor:` as written: text such as `plugin:demo:create`, or a mapping with `kind` and its ids."""
    value = fields.value.get("executor")
    if value is None:
        return None
    ref = parse_executor(value) if isinstance(value, str) else _mapped(value) if isinstance(value, dict) else None
    if ref is None:
        fields.wrong("executor", f"`executor` takes {_REF_FORMS}, found {kind_of(value)}", code="bad-executor")
    return ref


def parse_executor(text: str) -> ExecutorRef | None:
    """Read a ref's text form; None when it is none."""
    kind, _, rest = text.partition(":")
    first, colon, second = rest.partition(":")
    if kind == "core" and rest:
        return CoreExecutor(rest)
    if not first or not colon or not second:
        return None
    if kind == "plugin":
        return PluginExecutor(first, second)
    if kind == "channel":
        return ChannelExecutor(first, second)
    return McpExecutor(first, second) if kind == "mcp" else None


def _mapped(value: dict[str, Any]) -> ExecutorRef | None:
    parts = {
        "core": [_id(value, "executor_id", "executorId")],
        "plugin": [_id(value, "plugin_id", "pluginId"), _id(value, "tool_name", "toolName")],
        "channel": [_id(value, "channel_id", "channelId"), _id(value, "action_id", "actionId")],
        "mcp": [_id(value, "server_id", "serverId"), _id(value, "tool_name", "toolName")],
    }
    kind = value.get("kind")
    found = parts.get(kind) if isinstance(kind, str) else None
    if found is None or any(part is None for part in found):
        return None
    return parse_executor(":".join([str(kind), *(part for part in found if part is not None)]))
