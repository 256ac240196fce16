"""Why one tool stands where it stands, with its whole tree (formats: `plan --explain`; R-DISP 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolbench.session.call_json import FORMAT
from toolbench.session.context import ContextState
from toolbench.session.generation import Generation
from toolbench.session.plan_json import place
from toolbench.tools.buckets import Row
from toolbench.tools.explain import explain
from toolbench.tools.why import why


def explain_tool(generation: Generation, context: ContextState, name: str) -> dict[str, Any]:
    """Return the explanation of one tool as JSON data; a name that nothing claims is in bucket `unknown`.

    Args:
        generation: where to look.
        context: what the signals are held against.
        name: exactly as declared.
    """
    rows = generation.buckets.by_name.get(name, ())
    row = rows[0] if rows else None
    tree = None if row is None else explain(row.claim.descriptor.availability, context.availability())
    shadowed = next((one for one in rows if one.bucket == "shadowed"), None)
    reason = why(generation.buckets, name)
    return {
        "toolbench": FORMAT,
        "name": name,
        "bucket": "unknown" if row is None else row.bucket,
        "source": None if row is None else row.claim.source,
        **({"file": None, "line": None} if row is None else place(row.claim)),
        "active": row is not None and row.active,
        "denied": _fields(row, "denied", "layer", "entry"),
        "shadowed": _fields(shadowed, "shadowed", "winner", "rule"),
        "off": None if row is None or row.bucket != "off" else {"since_generation": row.off_since},
        "broken": _fields(row, "broken", "code", "message"),
        "diagnostics": [] if row is None else [one.to_json() for one in row.diagnostics],
        "nearest": list(reason.get("nearest", ())),
        "tree": tree,
        "fixes": None,
        "satisfiable": None,
    }


def explain_missing(generation: Generation, name: str) -> Mapping[str, Any]:
    """Tell a person why a call of `name` finds no tool (R-DISP 3)."""
    in_error = [one for one in generation.sources if one.state == "error"]
    answer = dict(why(generation.buckets, name))
    if answer.get("bucket") == "unknown" and in_error:
        answer["sources_in_error"] = [{"id": one.id, "error": one.error} for one in in_error]
    return answer


def _fields(row: Row | None, bucket: str, *names: str) -> dict[str, Any] | None:
    """Return fields of a row if it stands in `bucket`."""
    if row is None or row.bucket != bucket:
        return None
    return {name: getattr(row, name) for name in names}
