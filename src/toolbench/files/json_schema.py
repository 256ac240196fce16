"""The JSON Schemas of session and definition files, for editors (formats: Session file, Definition files).

Files are read by `session_file` and `definition`, which know positions, tell all faults at once and spoil one entry
alone. What is described here is the same, for the one who types: a test holds the keys of both together.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, RootModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
Seconds: TypeAlias = Annotated[float, Field(gt=0)]
Names: TypeAlias = str | list[str]


class _Shape(BaseModel):
    """A mapping in a file. Unknown keys are warned of, and so allowed here."""

    model_config = ConfigDict(use_attribute_docstrings=True, extra="allow", title=None)


class Availability(RootModel[dict[str, Any]]):
    """When the model may see the tool: signals, alone or in groups.

    `{auth: ID}`, `{env: NAME}`, `{plugin: ID}`, `{config: a.b, check: exists | non-empty | available}`,
    `{context: {key: KEY, equals: VALUE}}`, `{always: true}`, `{all_of: […]}`, `{any_of: […]}`.
    """


class Run(_Shape):
    """What runs the tool: one of `python`, `command` and `reply`."""

    python: str | None = None
    """`FILE.py:FUNCTION`, relative to this file; called with the input as keyword arguments."""
    command: list[str] | None = None
    """A program and its arguments, without a shell; `{name}` stands for an argument."""
    stdin: Literal["json", "none"] | None = None
    """What the program reads: the input as JSON, or nothing."""
    reply: Any = None
    """A canned result; `{error: …}` and `{sequence: […]}` too. `${input.path}` is filled in."""


class Definition(_Shape):
    """A tool, in toolbench's own shape."""

    name: str
    """How the model calls it."""
    title: str | None = None
    """How people call it."""
    description: str | None = None
    """What it does and when to use it, for the model."""
    input_schema: dict[str, Any] | None = None
    """JSON Schema of the input, an object."""
    output_schema: dict[str, Any] | None = None
    """JSON Schema of the structured result."""
    owner: str | dict[str, Any] | None = None
    """`core`, or a mapping with `kind` and its ids; else the extension that brings the tool."""
    executor: str | dict[str, Any] | None = None
    """Such as `plugin:demo:create`; else it follows from the owner."""
    availability: Availability | None = None
    annotations: dict[str, Any] | None = None
    """Hints: `readOnlyHint`, `destructiveHint`, `idempotentHint`, `openWorldHint`."""
    sort_key: str | None = None
    """Where the tool stands in the plan; its name when absent."""
    prompt_snippet: str | None = None
    """A line for the system prompt."""
    prompt_guidelines: Names | None = None
    """Guidelines for the system prompt."""
    execution_mode: Literal["parallel", "sequential"] | None = None
    """A sequential tool makes its whole batch run one call after another."""
    timeout: Seconds | None = None
    """Seconds that a call may take."""
    timeout_argument: str | None = None
    """The argument in which the model gives the seconds."""
    run: Run | None = None


class Hook(_Shape):
    """A hook: a rule, a Python file, a program or a settings file."""

    id: str | None = None
    on: Literal["before", "after"] | None = None
    """Before the executor runs, or after."""
    tools: Names | None = None
    """Globs over the tools' names; all when absent."""
    when: dict[str, Any] | None = None
    """Patterns over arguments; all must match."""
    block: str | bool | None = None
    """Refuse the call, with the reason that the model gets."""
    set: dict[str, Any] | None = None
    """Arguments to put in."""
    replace_text: dict[str, str] | None = None
    """Patterns and what takes the place of their matches in the result."""
    fault: Literal["throw", "timeout", "garbage", "slow"] | None = None
    """Go wrong on purpose."""
    enabled: bool | None = None
    timeout: Seconds | None = None
    on_timeout: Literal["block", "skip"] | None = None
    command: list[str] | str | None = None
    """A program that reads the call as JSON."""
    python: str | None = None
    """A Python file with hook functions."""
    claude_settings: str | None = None
    """A settings file with `PreToolUse` and `PostToolUse` hooks."""


Hooks: TypeAlias = str | Hook | list[str | Hook]


class Extension(_Shape):
    """What brings tools and hooks: a plugin, a server or a channel."""

    id: str
    """The plugin id, which owns the tools."""
    tools: Names | None = None
    """Definition files, folders or globs; all are watched."""
    hooks: Hooks | None = None
    mcp: dict[str, Any] | None = None
    """A server: `{command: […], env: {…}}` or `{url: …}`."""
    channel: dict[str, Any] | None = None
    """A channel whose actions become tools: `{outbox: FILE}`."""
    enabled: bool | None = None
    """False: not loaded at all."""
    strict: bool | None = None
    """Give imported tools no canned reply."""


class Builtin(_Shape):
    """The built-in tools."""

    workspace: str | None = None
    """The only folder that they may touch."""
    tools: list[str] | None = None
    """Those to register; all when absent."""


class Layer(_Shape):
    """One policy layer."""

    allow: list[str] | None = None
    deny: list[str] | None = None
    also_allow: list[str] | None = None
    alsoAllow: list[str] | None = None  # noqa: N815 - a spelling that files use


class PolicyShape(_Shape):
    """Which tools may enter the registry."""

    groups: dict[str, list[str]] | None = None
    profile: Layer | None = None
    provider_profile: Layer | None = None
    global_: Annotated[Layer | None, Field(alias="global")] = None
    global_provider: Layer | None = None
    agent: Layer | None = None
    agent_provider: Layer | None = None
    group: Layer | None = None
    sender: Layer | None = None
    sandbox: Layer | None = None
    subagent: Layer | None = None
    inherited: Layer | None = None


class SkillShape(_Shape):
    """A command that goes straight to a tool."""

    name: str
    command: str
    tool: str
    argument: str | None = None


class Context(_Shape):
    """What the signals of availability are held against."""

    auth: list[str] | None = None
    plugins: list[str] | None = None
    """Enabled plugins; every loaded extension when absent."""
    env: dict[str, str | int | float | bool | None] | None = None
    inherit_env: list[str] | None = None
    """Variables of the process that may be seen."""
    config: dict[str, Any] | None = None
    values: dict[str, Any] | None = None


class Settings(_Shape):
    """How calls are dispatched."""

    hook_timeout: Seconds | None = None
    tool_timeout: Seconds | None = None
    max_timeout: Seconds | None = None
    connect_timeout: Seconds | None = None
    coerce_arguments: bool | None = None
    fill_defaults: bool | None = None
    revalidate: Literal["flag", "block"] | None = None
    """What becomes of a call whose input a hook made invalid."""
    tool_execution: Literal["parallel", "sequential"] | None = None
    strict_plan: bool | None = None


class Call(_Shape):
    """A call that is ready to fire."""

    name: str
    input: Any = None
    id: str | None = None
    label: str | None = None


class Batch(_Shape):
    """Several calls of one message."""

    batch: list[Call]
    label: str | None = None


class SessionShape(_Shape):
    """A session of toolbench: where its tools come from, who may see them, and what happens around each call."""

    toolbench: Literal[1]
    """The version of this format."""
    name: str | None = None
    system_prompt: str | None = None
    provider: Literal["anthropic", "openai", "gemini", "mcp", "any"] | None = None
    """Whose rules for tool names and schemas hold."""
    builtin: bool | Builtin | None = None
    allowed_tools: list[str] | None = None
    """The only tools that may enter the registry."""
    active: list[str] | None = None
    """The tools that begin switched on."""
    extensions: list[Extension] | None = None
    """Their order is the order of registration and of hooks."""
    custom: list[Definition] | None = None
    """Tools that are given here."""
    policy: PolicyShape | None = None
    skills: list[SkillShape] | None = None
    context: Context | None = None
    hooks: Hooks | None = None
    """The session's own; they run after the extensions'."""
    settings: Settings | None = None
    calls: list[Call | Batch] | None = None


class ToolList(_Shape):
    """A list of tools, such as an MCP `tools/list` result holds."""

    tools: list[dict[str, Any]]


Definitions: TypeAlias = Definition | ToolList | list[Definition | dict[str, Any]]


class _Quiet(GenerateJsonSchema):
    """Leaves out the titles and the null defaults, which tell an editor nothing."""

    def get_title_from_name(self, name: str) -> str:
        """Return no title for a field."""
        return ""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Say that no field has one."""
        return False

    def default_schema(self, schema: Any) -> dict[str, Any]:
        """Return a field's schema without its default."""
        return self.generate_inner(schema["schema"])


def session_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a session file."""
    return _schema(SessionShape, "toolbench session")


def definitions_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a definition file."""
    return _schema(Definitions, "toolbench definitions")


def _schema(kind: Any, title: str) -> dict[str, Any]:
    generated = TypeAdapter(kind).json_schema(by_alias=True, schema_generator=_Quiet)
    return {"$schema": DIALECT, **generated, "title": title}
