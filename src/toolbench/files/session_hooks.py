"""Reads `hooks:` of a session or an extension (formats: Session file, Python hooks)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from toolbench.files.problems import KeyPath
from toolbench.files.reading import Fields, kind_of
from toolbench.files.session_model import HookKind, HookSpec

RULES: Final = ("block", "set", "replace_text", "fault")
FAULTS: Final = ("throw", "timeout", "garbage", "slow")
KEYS: Final = (
    "id",
    "on",
    "tools",
    "when",
    *RULES,
    "enabled",
    "timeout",
    "on_timeout",
    "command",
    "python",
    "claude_settings",
)


def read_hooks(fields: Fields, path: Path) -> tuple[HookSpec, ...]:
    """Return the session's own hooks."""
    return hook_entries(fields, path)


def hook_entries(fields: Fields, path: Path) -> tuple[HookSpec, ...]:
    """Return the entries of `hooks:`, a list or one entry. None is dropped: what is not understood blocks."""
    value = fields.value.get("hooks")
    if value is None:
        return ()
    where = (*fields.path, "hooks")
    if not isinstance(value, list):
        return (_entry(value, where, fields, path),)
    return tuple(_entry(item, (*where, index), fields, path) for index, item in enumerate(value))


def _entry(value: Any, where: KeyPath, fields: Fields, path: Path) -> HookSpec:
    """Read one entry."""
    line, column = fields.complaints.document.at(where) or (None, None)
    base = f"{path.name}:{line}"
    if isinstance(value, str):
        return _python(value, {}, base, where, fields, path)
    if not isinstance(value, dict):
        fields.complaints.add("bad-hook", f"a hook is a file or a mapping, found {kind_of(value)}", path=where)
        return HookSpec(kind="unknown", id=base, file_shown=path.name, line=line, column=column)
    below = Fields(value, where, fields.complaints)
    below.known(KEYS)
    if isinstance(value.get("python"), str):
        return _python(value["python"], value, base, where, fields, path)
    return _mapped(below, base, path)


def _python(text: str, value: dict[str, Any], base: str, where: KeyPath, fields: Fields, path: Path) -> HookSpec:
    """Read an entry that names a Python file."""
    line, column = fields.complaints.document.at(where) or (None, None)
    file = (path.parent / text).resolve()
    if not file.is_file():
        fields.complaints.add(
            "no-hook-file", f"the hook file {text} is not there, so all tools are blocked", path=where
        )
        return HookSpec(kind="unknown", id=text, file=file, file_shown=path.name, line=line, column=column)
    return HookSpec(
        kind="python",
        id=text,
        file=file,
        file_shown=text,
        enabled=value.get("enabled") is not False,
        line=line,
        column=column,
    )


def _mapped(fields: Fields, base: str, path: Path) -> HookSpec:
    """Read a rule, a program or a settings file."""
    line, column = fields.complaints.document.at(fields.path) or (None, None)
    kind = _kind(fields)
    on = fields.choice("on", ("before", "after"), "after" if "replace_text" in fields.value else "before")
    tools = fields.value.get("tools")
    patterns = (tools,) if isinstance(tools, str) else fields.names("tools")
    _check_rule(fields, on)
    on_timeout = fields.choice("on_timeout", ("block", "skip"), "block")
    timeout = fields.seconds("timeout", None)
    settings = fields.value.get("claude_settings")
    enabled = fields.flag("enabled", True)
    return HookSpec(
        kind="unknown" if fields.faults else kind,
        id=fields.text("id") or base,
        on="after" if on == "after" else "before",
        tools=patterns if patterns else ("*",),
        file=(path.parent / settings).resolve() if isinstance(settings, str) else None,
        file_shown=path.name,
        data=fields.value,
        enabled=enabled,
        line=line,
        column=column,
        timeout=timeout,
        on_timeout="skip" if on_timeout == "skip" else "block",
    )


def _kind(fields: Fields) -> HookKind:
    """Name what kind of hook the entry is."""
    given = [key for key in (*RULES, "command", "claude_settings") if key in fields.value]
    if len(given) != 1:
        found = " and ".join(given) or "none"
        fields.complaints.add(
            "bad-hook", f"a hook needs exactly one of {', '.join(RULES)}, command; found {found}", path=fields.path
        )
        fields.faults += 1
        return "unknown"
    if given[0] in RULES:
        return "rule"
    return "command" if given[0] == "command" else "claude_settings"


def _check_rule(fields: Fields, on: str) -> None:
    """Hold a rule's own fields against what they take."""
    value = fields.value
    fields.mapping("set")
    when = fields.mapping("when")
    for key, pattern in (when or {}).items():
        if isinstance(pattern, dict | list):
            fields.wrong("when", f"`when` takes a pattern for each argument; {key!r} has {kind_of(pattern)}")
    if "block" in value and not isinstance(value["block"], str | bool):
        fields.wrong("block", f"`block` takes the reason, found {kind_of(value['block'])}")
    if "fault" in value:
        fields.choice("fault", FAULTS, "throw")
    replacements = fields.mapping("replace_text")
    for pattern, text in (replacements or {}).items():
        if not isinstance(text, str):
            fields.wrong("replace_text", f"the replacement for {pattern!r} must be text, found {kind_of(text)}")
    if on == "after" and ("block" in value or "set" in value):
        fields.wrong("on", "an after hook cannot block or set: the executor has run")
