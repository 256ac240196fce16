"""What a tool is, as data: its owner, the reference to its executor, and the descriptor itself (R-DESC)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

from toolbench.tools.expression import Condition, read
from toolbench.tools.frozen import FrozenDict

ExecutionMode: TypeAlias = Literal["parallel", "sequential"]
EMPTY_SCHEMA = FrozenDict({"type": "object", "properties": FrozenDict()})


@dataclass(frozen=True, slots=True)
class CoreOwner:
    """The host itself owns the tool (R-DESC 2)."""

    kind: ClassVar[Literal["core"]] = "core"


@dataclass(frozen=True, slots=True)
class PluginOwner:
    """An extension owns the tool (R-DESC 2)."""

    plugin_id: str
    kind: ClassVar[Literal["plugin"]] = "plugin"


@dataclass(frozen=True, slots=True)
class ChannelOwner:
    """A channel owns the tool, perhaps on behalf of a plugin (R-DESC 2)."""

    channel_id: str
    plugin_id: str | None = None
    kind: ClassVar[Literal["channel"]] = "channel"


@dataclass(frozen=True, slots=True)
class McpOwner:
    """An MCP server owns the tool (R-DESC 2)."""

    server_id: str
    kind: ClassVar[Literal["mcp"]] = "mcp"


Owner: TypeAlias = CoreOwner | PluginOwner | ChannelOwner | McpOwner


@dataclass(frozen=True, slots=True)
class CoreExecutor:
    """Names an executor of the host; text form `core:ID` (R-DESC 3)."""

    executor_id: str
    kind: ClassVar[Literal["core"]] = "core"

    def __str__(self) -> str:
        return f"core:{self.executor_id}"


@dataclass(frozen=True, slots=True)
class PluginExecutor:
    """Names a plugin's tool; text form `plugin:PLUGIN:TOOL` (R-DESC 3)."""

    plugin_id: str
    tool_name: str
    kind: ClassVar[Literal["plugin"]] = "plugin"

    def __str__(self) -> str:
        return f"plugin:{self.plugin_id}:{self.tool_name}"


@dataclass(frozen=True, slots=True)
class ChannelExecutor:
    """Names a channel's action; text form `channel:CHANNEL:ACTION` (R-DESC 3)."""

    channel_id: str
    action_id: str
    kind: ClassVar[Literal["channel"]] = "channel"

    def __str__(self) -> str:
        return f"channel:{self.channel_id}:{self.action_id}"


@dataclass(frozen=True, slots=True)
class McpExecutor:
    """Names a tool of an MCP server; text form `mcp:SERVER:TOOL` (R-DESC 3)."""

    server_id: str
    tool_name: str
    kind: ClassVar[Literal["mcp"]] = "mcp"

    def __str__(self) -> str:
        return f"mcp:{self.server_id}:{self.tool_name}"


ExecutorRef: TypeAlias = CoreExecutor | PluginExecutor | ChannelExecutor | McpExecutor


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDescriptor:
    """The public description of a tool (R-DESC 1). Immutable; its JSON parts are frozen (`tools.frozen`).

    `input_schema` is whatever the definition holds: a schema that is no object makes the tool *broken*, not the
    load. `availability` likewise reaches the planner as read (R-AVAIL 4).
    """

    name: str
    description: str = ""
    input_schema: Any = field(default_factory=lambda: EMPTY_SCHEMA)
    owner: Owner = field(default_factory=CoreOwner)
    title: str | None = None
    output_schema: Any = None
    executor: ExecutorRef | None = None
    availability: Any = None
    annotations: Mapping[str, Any] | None = None
    sort_key: str | None = None
    prompt_snippet: str | None = None
    prompt_guidelines: tuple[str, ...] = ()
    execution_mode: ExecutionMode = "parallel"
    timeout: float | None = None
    """Seconds that one call of this tool may take; the session's limit when absent (R-DISP 8)."""
    timeout_argument: str | None = None
    """The argument that sets the limit of a call, in seconds (R-DISP 8)."""
    extras: Mapping[str, Any] = field(default_factory=FrozenDict)
    """What an imported definition holds beside the fields above (`strict`, `_meta`), kept for export."""
    _condition: Condition | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def condition(self) -> Condition:
        """The availability expression as the planner evaluates it; read when it is first asked for."""
        found = self._condition
        if found is None:
            found = read(self.availability)
            object.__setattr__(self, "_condition", found)
        return found
