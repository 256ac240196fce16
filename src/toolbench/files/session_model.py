"""What a session file says, as data (formats: Session file)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from toolbench.files.problems import Problem
from toolbench.tools.blocks import ToolUse
from toolbench.tools.hooks import Stage
from toolbench.tools.policy import Policy
from toolbench.tools.registry import Claim
from toolbench.tools.settings import DispatchSettings

HookKind: TypeAlias = Literal["python", "rule", "command", "claude_settings", "unknown"]
NO_DATA: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltinSpec:
    """The built-in tools: whether there are any, and what they may touch."""

    enabled: bool = True
    workspace: Path | None = None
    """The only folder that built-in tools may touch, absolute."""
    tools: tuple[str, ...] | None = None
    """The registered ones; all when absent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookSpec:
    """One entry of a `hooks:` list.

    An entry that cannot be understood has the kind `unknown`: it must block what it names, for a guard that does not
    load may not fail open (R-HOOK 2).
    """

    kind: HookKind
    id: str
    on: Stage = "before"
    tools: tuple[str, ...] = ("*",)
    file: Path | None = None
    """The Python file or settings file, absolute."""
    file_shown: str = ""
    """Where the hook is defined, as people see it: the Python or settings file, else the session file."""
    data: Mapping[str, Any] = field(default_factory=lambda: NO_DATA)
    """The entry as written: of a rule `when` and what it does, of a program its `command`."""
    enabled: bool = True
    line: int | None = None
    """Of the entry, in the session file."""
    column: int | None = None
    timeout: float | None = None
    """Seconds; the session's `hook_timeout` when absent."""
    on_timeout: Literal["block", "skip"] = "block"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtensionSpec:
    """One extension: its definition files, its hooks, or the server or channel that brings its tools."""

    id: str
    tools: tuple[str, ...] = ()
    """Files, folders and globs of definition files, as written."""
    python_tools: tuple[str, ...] = ()
    """Python files that are definitions themselves: `my_agent.py:toolset`, `tools.py`."""
    hooks: tuple[HookSpec, ...] = ()
    mcp: Mapping[str, Any] | None = None
    channel: Mapping[str, Any] | None = None
    enabled: bool = True
    strict: bool = False
    """Whether imported tools get no canned reply."""
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A command that dispatches straight to a tool (R-POL 5)."""

    name: str
    command: str
    tool: str
    argument: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSpec:
    """What the signals are held against, as the file says."""

    auth: tuple[str, ...] = ()
    plugins: tuple[str, ...] | None = None
    """None: every loaded extension."""
    env: Mapping[str, str] = field(default_factory=lambda: NO_DATA)
    inherit_env: tuple[str, ...] = ()
    config: Mapping[str, Any] = field(default_factory=lambda: NO_DATA)
    values: Mapping[str, Any] = field(default_factory=lambda: NO_DATA)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSettings:
    """The dispatcher's settings and the session's own."""

    dispatch: DispatchSettings = field(default_factory=DispatchSettings)
    connect_timeout: float = 15.0
    """Seconds that headless commands wait for a source."""
    strict_plan: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyCall:
    """One entry of `calls:`: a call, or a batch, ready to fire."""

    label: str
    uses: tuple[ToolUse, ...]
    batch: bool = False
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFile:
    """A session file, read. Faulty entries are left out or closed, and told in `problems`."""

    path: Path
    folder: Path
    name: str
    digest: str
    """Of the file's bytes."""
    system_prompt: str = ""
    provider: str = "anthropic"
    builtin: BuiltinSpec = field(default_factory=BuiltinSpec)
    allowed_tools: tuple[str, ...] | None = None
    active: tuple[str, ...] | None = None
    extensions: tuple[ExtensionSpec, ...] = ()
    custom: tuple[Claim, ...] = ()
    policy: Policy
    skills: tuple[Skill, ...] = ()
    context: ContextSpec = field(default_factory=ContextSpec)
    hooks: tuple[HookSpec, ...] = ()
    settings: SessionSettings = field(default_factory=SessionSettings)
    calls: tuple[ReadyCall, ...] = ()
    problems: tuple[Problem, ...] = ()
