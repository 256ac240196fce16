"""The JSON of `toolbench plan` (formats: JSON of the commands)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolbench.files.problems import Problem
from toolbench.session.call_json import FORMAT
from toolbench.session.generation import Generation, PlanError
from toolbench.tools.buckets import Row
from toolbench.tools.descriptor import Owner
from toolbench.tools.registry import Claim


def plan_json(generation: Generation, name: str) -> dict[str, Any]:
    """Return the whole plan of a generation.

    Args:
        generation: what to tell.
        name: the session's.
    """
    buckets = generation.buckets
    return {
        "toolbench": FORMAT,
        "session": name,
        "generation": generation.number,
        "hash": generation.hash,
        "stale": generation.stale,
        "error": None if generation.error is None else error_json(generation.error),
        "visible": [_visible(row) for row in buckets.visible],
        "hidden": [_hidden(row) for row in buckets.hidden],
        "off": [
            {"name": row.name, "source": row.claim.source, "since_generation": row.off_since, **place(row.claim)}
            for row in buckets.off
        ],
        "denied": [
            {"name": row.name, "source": row.claim.source, "layer": row.layer, "entry": row.entry, **place(row.claim)}
            for row in buckets.denied
        ],
        "broken": [
            {"name": row.name, "source": row.claim.source, "code": row.code, "message": row.message, **place(row.claim)}
            for row in buckets.broken
        ],
        "shadowed": [
            {"name": row.name, "source": row.claim.source, "winner": row.winner, "rule": row.rule, **place(row.claim)}
            for row in buckets.shadowed
        ],
        "sources": [
            {"id": one.id, "kind": one.kind, "state": one.state, "tools": one.tools, "error": one.error}
            for one in generation.sources
        ],
        "warnings": [warning_json(one) for one in generation.warnings],
        "model": {
            "tools": generation.sizes.tools,
            "bytes": generation.sizes.bytes,
            "tokens_estimate": generation.sizes.tokens_estimate,
            "prompt_bytes": generation.sizes.prompt_bytes,
        },
    }


def error_json(error: PlanError) -> dict[str, Any]:
    """Return a contract error with its place."""
    return {
        "code": error.code,
        "tool_name": error.tool_name,
        "message": error.message,
        "file": error.origin.file,
        "line": error.origin.line,
        "column": error.origin.column,
    }


def warning_json(problem: Problem) -> dict[str, Any]:
    """Return a warning with its place."""
    return {
        "code": problem.code,
        "message": problem.message,
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
    }


def place(claim: Claim) -> dict[str, Any]:
    """Return where a claim is declared."""
    return {"file": claim.origin.file, "line": claim.origin.line}


def owner_json(owner: Owner) -> Mapping[str, Any]:
    """Return an owner with its kind and its ids (R-DESC 2)."""
    parts = {name: getattr(owner, name) for name in owner.__dataclass_fields__ if name != "kind"}
    return {"kind": owner.kind, **{name: value for name, value in parts.items() if value is not None}}


def _common(row: Row) -> dict[str, Any]:
    """Return the fields that visible and hidden tools share."""
    descriptor = row.claim.descriptor
    return {
        "name": row.name,
        "source": row.claim.source,
        "owner": owner_json(descriptor.owner),
        "executor": None if descriptor.executor is None else str(descriptor.executor),
        **place(row.claim),
    }


def _visible(row: Row) -> dict[str, Any]:
    """Return a visible tool."""
    return {**_common(row), "bytes": row.claim.size}


def _hidden(row: Row) -> dict[str, Any]:
    """Return a hidden tool with its reasons."""
    return {
        **_common(row),
        "active": row.active,
        "diagnostics": [one.to_json() for one in row.diagnostics],
        "fixes": None,
    }
