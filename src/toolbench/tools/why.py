"""Why a call of a name finds no tool, for the person (R-DISP 3). The model is told no more than that there is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolbench.tools.buckets import Buckets
from toolbench.tools.names import nearest


def why(buckets: Buckets, name: str) -> Mapping[str, Any]:
    """Return the bucket with its reasons; for an unknown name, the nearest known ones."""
    rows = buckets.by_name.get(name)
    if rows is None:
        return {"bucket": "unknown", "nearest": list(nearest(name, tuple(buckets.by_name)))}
    row = rows[0]
    answer: dict[str, Any] = {"bucket": row.bucket, "source": row.claim.source}
    match row.bucket:
        case "hidden":
            answer["diagnostics"] = [one.to_json() for one in row.diagnostics]
        case "off":
            answer["since_generation"] = row.off_since
        case "denied":
            answer |= {"layer": row.layer, "entry": row.entry}
        case "broken":
            answer |= {"code": row.code, "message": row.message}
        case "shadowed":
            answer |= {"winner": row.winner, "rule": row.rule}
    return answer
