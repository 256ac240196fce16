"""Reads a session file. Only four faults keep it from loading; every other spoils its own entry alone (formats)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from toolbench.files.definitions import load_custom
from toolbench.files.document import Document, TextError
from toolbench.files.problems import Problem
from toolbench.files.reading import Complaints, Fields, kind_of
from toolbench.files.session_calls import read_calls
from toolbench.files.session_extensions import read_extensions
from toolbench.files.session_hooks import read_hooks
from toolbench.files.session_model import BuiltinSpec, ContextSpec, SessionFile, SessionSettings, Skill
from toolbench.files.session_policy import read_policy
from toolbench.files.text_file import load_file
from toolbench.tools.settings import DispatchSettings

FORMAT: Final = 1
KEYS: Final = (
    "toolbench",
    "name",
    "system_prompt",
    "provider",
    "builtin",
    "allowed_tools",
    "active",
    "extensions",
    "custom",
    "policy",
    "skills",
    "context",
    "hooks",
    "settings",
    "calls",
)
PROVIDERS: Final = ("anthropic", "openai", "gemini", "mcp", "any")
SETTINGS: Final = (
    "hook_timeout",
    "tool_timeout",
    "max_timeout",
    "connect_timeout",
    "coerce_arguments",
    "fill_defaults",
    "revalidate",
    "tool_execution",
    "strict_plan",
)


class SessionFileError(Exception):
    """The session does not load: unreadable, not YAML, not a mapping, or of an unknown format version."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def load_session_file(path: Path) -> SessionFile:
    """Read the session file at `path`, an absolute one.

    Raises:
        SessionFileError: it does not load.
    """
    try:
        loaded = load_file(path)
    except TextError as error:
        line, column = error.place or (None, None)
        raise _unloadable(path, "unreadable-file", error.message, line, column) from None
    document = loaded.document
    _require_format(path, document)
    complaints = Complaints(document, path.name)
    complaints.faults()
    fields = Fields(document.root, (), complaints)
    fields.known(KEYS)
    custom = fields.items("custom") or []
    claims, custom_problems = load_custom(custom, document, ("custom",), path.name, path.parent)
    complaints.problems.extend(custom_problems)
    return SessionFile(
        path=path,
        folder=path.parent,
        name=fields.text("name", default=path.parent.name) or path.stem,
        digest=loaded.digest,
        system_prompt=fields.text("system_prompt", default="") or "",
        provider=fields.choice("provider", PROVIDERS, "anthropic"),
        builtin=_builtin(fields, path.parent),
        allowed_tools=fields.names("allowed_tools"),
        active=fields.names("active"),
        extensions=read_extensions(fields, path),
        custom=claims,
        policy=read_policy(fields),
        skills=_skills(fields),
        context=_context(fields, document),
        hooks=read_hooks(fields, path),
        settings=_settings(fields),
        calls=read_calls(fields),
        problems=tuple(complaints.problems),
    )


def _unloadable(
    path: Path, code: str, message: str, line: int | None, column: int | None, fix: str | None = None
) -> SessionFileError:
    return SessionFileError(
        Problem(severity="error", code=code, message=message, file=path.name, line=line, column=column, fix=fix)
    )


def _require_format(path: Path, document: Document) -> None:
    """Refuse what is no session of this format.

    Raises:
        SessionFileError: the root is no mapping, or the version is unknown.
    """
    root = document.root
    line, column = document.root_place
    if not isinstance(root, dict):
        message = f"a session file is a mapping, found {kind_of(root)}"
        raise _unloadable(path, "no-mapping", message, line, column, "begin with `toolbench: 1`")
    version = root.get("toolbench")
    if version is None:
        message = "the format version is missing"
        raise _unloadable(path, "no-version", message, line, column, "begin with `toolbench: 1`")
    if isinstance(version, bool) or version != FORMAT:
        at = document.place(root, "toolbench") or document.root_place
        message = f"unknown format version {version!r}: this toolbench reads {FORMAT}"
        raise _unloadable(path, "unknown-version", message, *at)


def _builtin(fields: Fields, folder: Path) -> BuiltinSpec:
    """Read `builtin:`, a mapping or `false`."""
    value = fields.value.get("builtin")
    if value is False:
        return BuiltinSpec(enabled=False)
    if value is None or value is True:
        return BuiltinSpec(workspace=folder)
    below = fields.below("builtin")
    if below is None:
        return BuiltinSpec(workspace=folder)
    below.known(("workspace", "tools"))
    workspace = below.text("workspace")
    where = folder if workspace is None else (folder / workspace).resolve()
    if not where.is_dir():
        below.complaints.add(
            "no-workspace",
            f"the workspace {workspace} is no folder",
            path=(*below.path, "workspace"),
            severity="warning",
        )
    return BuiltinSpec(workspace=where, tools=below.names("tools"))


def _skills(fields: Fields) -> tuple[Skill, ...]:
    """Read `skills:`; an entry without name, command or tool is told and left out."""
    skills: list[Skill] = []
    for index, item in enumerate(fields.items("skills") or ()):
        path = ("skills", index)
        if not isinstance(item, dict):
            fields.complaints.add("wrong-type", f"a skill is a mapping, found {kind_of(item)}", path=path)
            continue
        below = Fields(item, path, fields.complaints)
        below.known(("name", "command", "tool", "argument"))
        name, command, tool = below.text("name"), below.text("command"), below.text("tool")
        if name is None or command is None or tool is None:
            fields.complaints.add("missing-key", "a skill needs name, command and tool", path=path)
            continue
        place = fields.complaints.document.at(path)
        skills.append(
            Skill(
                name=name, command=command, tool=tool, argument=below.text("argument"), line=place[0] if place else None
            )
        )
    return tuple(skills)


def _context(fields: Fields, document: Document) -> ContextSpec:
    """Read `context:`."""
    below = fields.below("context")
    if below is None:
        return ContextSpec()
    below.known(("auth", "plugins", "env", "inherit_env", "config", "values"))
    return ContextSpec(
        auth=below.names("auth") or (),
        plugins=below.names("plugins"),
        env=_env(below, document),
        inherit_env=below.names("inherit_env") or (),
        config=below.mapping("config") or {},
        values=below.mapping("values") or {},
    )


def _env(fields: Fields, document: Document) -> dict[str, str]:
    """Read `env:`: a value that is written without quotes is the text that stands there, `1.10` not 1.1."""
    env: dict[str, str] = {}
    mapping = fields.mapping("env") or {}
    for name, value in mapping.items():
        if isinstance(value, str):
            env[name] = value
        elif isinstance(value, dict | list):
            fields.complaints.add(
                "wrong-type", f"an env value is text, found {kind_of(value)}", path=(*fields.path, "env", name)
            )
        else:
            env[name] = document.sources.get((id(mapping), name), "" if value is None else str(value))
    return env


def _settings(fields: Fields) -> SessionSettings:
    """Read `settings:`; a wrong one is told and its default holds."""
    below = fields.below("settings")
    if below is None:
        return SessionSettings()
    below.known(SETTINGS)
    default = DispatchSettings()
    revalidate = below.choice("revalidate", ("flag", "block"), "flag")
    execution = below.choice("tool_execution", ("parallel", "sequential"), "parallel")
    return SessionSettings(
        dispatch=DispatchSettings(
            hook_timeout=below.seconds("hook_timeout", default.hook_timeout) or default.hook_timeout,
            tool_timeout=below.seconds("tool_timeout", default.tool_timeout) or default.tool_timeout,
            max_timeout=below.seconds("max_timeout", default.max_timeout) or default.max_timeout,
            coerce_arguments=below.flag("coerce_arguments", False),
            fill_defaults=below.flag("fill_defaults", False),
            revalidate="block" if revalidate == "block" else "flag",
            tool_execution="sequential" if execution == "sequential" else "parallel",
        ),
        connect_timeout=below.seconds("connect_timeout", 15.0) or 15.0,
        strict_plan=below.flag("strict_plan", False),
    )
