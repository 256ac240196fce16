"""The entries of the context as rows: what is set, and what tools ask for and is not (workbench: Edit the context)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from toolbench.session.paths import ContextPath, PathKind
from toolbench.text import plural
from toolbench.tools.availability import signals
from toolbench.ui.models.json_text import compact
from toolbench.ui.models.lines import Line, line

if TYPE_CHECKING:
    from toolbench.session.context import ContextState
    from toolbench.tools.buckets import Buckets

RowState: TypeAlias = Literal["heading", "branch", "set", "missing"]
SECTIONS: Final[tuple[tuple[PathKind, str], ...]] = (
    ("auth", "providers that one is signed in to"),
    ("plugins", "plugins that are enabled"),
    ("env", "environment, text only"),
    ("config", "configuration, as a tree"),
    ("values", "facts of the conversation"),
)
MAX_ROWS: Final = 2_000
MAX_DEPTH: Final = 30
MASK: Final = "••••••"
_SECRET: Final = re.compile(r"token|key|secret|passw", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRow:
    """One row of the list of entries."""

    state: RowState
    kind: PathKind
    path: ContextPath | None = None
    """None of a heading."""
    level: int = 0
    label: str = ""
    value: Any = None
    asked_by: int = 0
    """How many tools name the entry."""
    note: str = ""


def context_rows(context: ContextState, asked: Mapping[ContextPath, int]) -> tuple[EntryRow, ...]:
    """Return all entries by section.

    Args:
        context: what is set.
        asked: the entries that tools name, each with the number of tools (`asked_paths`).
    """
    rows: list[EntryRow] = []
    for kind, note in SECTIONS:
        rows.append(EntryRow(state="heading", kind=kind, label=kind, note=note))
        for row in _section(context, kind, asked):
            rows.append(row)
            if len(rows) >= MAX_ROWS:
                return tuple(rows)
    return tuple(rows)


def _section(context: ContextState, kind: PathKind, asked: Mapping[ContextPath, int]) -> Iterator[EntryRow]:
    """Yield the entries of one kind: those that are set, then those that are asked for and not set."""
    match kind:
        case "auth" | "plugins":
            for name in context.auth if kind == "auth" else context.plugins:
                path = ContextPath(kind, (name,))
                yield EntryRow(state="set", kind=kind, path=path, label=name, asked_by=asked.get(path, 0))
        case "config":
            yield from _branch(context.config, (), asked)
        case _:
            for name, value in (context.env if kind == "env" else context.values).items():
                path = ContextPath(kind, (name,))
                inherited = "from the process" if kind == "env" and name in context.inherited else ""
                yield EntryRow(
                    state="set",
                    kind=kind,
                    path=path,
                    label=name,
                    value=value,
                    note=inherited,
                    asked_by=asked.get(path, 0),
                )
    for path in sorted((one for one in asked if one.kind == kind and not context.get(one)[0]), key=str):
        yield EntryRow(state="missing", kind=kind, path=path, label=path.key, asked_by=asked[path])


def _branch(node: Mapping[str, Any], parts: tuple[str, ...], asked: Mapping[ContextPath, int]) -> Iterator[EntryRow]:
    """Yield a config object's members, objects with what is below them."""
    for key, value in node.items():
        path = ContextPath("config", (*parts, key))
        below = isinstance(value, Mapping) and bool(value) and len(parts) < MAX_DEPTH
        yield EntryRow(
            state="branch" if below else "set",
            kind="config",
            path=path,
            level=len(parts),
            label=key,
            value=None if below else value,
            asked_by=asked.get(path, 0),
        )
        if below:
            yield from _branch(value, path.parts, asked)


def asked_paths(buckets: Buckets) -> dict[ContextPath, int]:
    """Return the entries of the context that the tools' availability names, each with the number of tools.

    Pure, and slow with ten thousand tools: to be called off the event loop.
    """
    asked: dict[ContextPath, int] = {}
    for row in buckets.all():
        if row.bucket in ("shadowed", "denied", "broken"):
            continue
        for path in {signal_path(signal) for signal in signals(row.claim.descriptor.availability)}:
            if path is not None:
                asked[path] = asked.get(path, 0) + 1
    return asked


def signal_path(signal: Mapping[str, Any]) -> ContextPath | None:
    """Return the entry that a signal in its long form looks at."""
    names: dict[str, tuple[PathKind, str]] = {
        "auth": ("auth", "provider_id"),
        "plugin-enabled": ("plugins", "plugin_id"),
        "env": ("env", "name"),
        "context": ("values", "key"),
    }
    kind = str(signal.get("kind"))
    if kind == "config":
        parts = signal.get("path")
        whole = isinstance(parts, list | tuple) and bool(parts) and all(isinstance(part, str) for part in parts)
        return ContextPath("config", tuple(parts)) if whole and parts is not None else None
    if kind not in names:
        return None
    path_kind, key = names[kind]
    name = signal.get(key)
    return ContextPath(path_kind, (name,)) if isinstance(name, str) and name.strip() else None


def looks_secret(name: str) -> bool:
    """Tell whether a name is one under which secrets are kept."""
    return _SECRET.search(name) is not None


def row_line(row: EntryRow, *, reveal: bool, width: int = 0) -> Line:
    """Return a row as a line.

    Args:
        row: the entry.
        reveal: show secrets.
        width: of the column of names, 0 for none.
    """
    if row.state == "heading":
        return line((row.label, "title"), (f"  {row.note}", "dim"))
    pad = "  " * (row.level + 1)
    name = (f"{row.label:<{max(width - 2 * row.level, 0)}}  ", "")
    asked = (f"  ← {plural(row.asked_by, 'tool')}" if row.asked_by else "", "dim")
    match row.state:
        case "branch":
            return line((pad, ""), (f"▾ {row.label}", "key"), asked, limit=120)
        case "missing":
            return line((pad, ""), ("○ ", "warn"), name, ("not set", "warn"), asked, limit=120)
        case _ if row.kind in ("auth", "plugins"):
            return line((pad, ""), ("● ", "ok"), (name[0], ""), asked, limit=120)
    shown = MASK if looks_secret(row.label) and not reveal and row.value is not None else compact(row.value, 60)
    return line(
        (pad, ""), ("● ", "ok"), name, (shown, value_style(row.value)), (f"  {row.note}", "dim"), asked, limit=120
    )


def value_style(value: Any) -> str:
    """Return the style by which a value's type is told apart."""
    if value is None or isinstance(value, bool):
        return "word"
    return "number" if isinstance(value, int | float) else "string" if isinstance(value, str) else ""
