"""The JSON of `toolbench plan --diff`: what another session's plan has otherwise."""

from __future__ import annotations

from typing import Any

from toolbench.session.call_json import FORMAT
from toolbench.session.difference import compare
from toolbench.session.generation import Generation


def difference_json(old: Generation, new: Generation) -> dict[str, Any]:
    """Return how `new` differs from `old`, by tool, with the reason in words."""
    found = compare(old.buckets, new.buckets, prompt_changed=old.prompt != new.prompt)
    moved = {name for name, _, _ in found.moved}
    return {
        "toolbench": FORMAT,
        "added": [{"name": name, "reason": found.reasons[name]} for name in found.added],
        "removed": [{"name": name, "reason": found.reasons[name]} for name in found.removed],
        "moved": [
            {"name": name, "from": before, "to": now, "reason": found.reasons[name]}
            for name, before, now in found.moved
        ],
        "changed": [{"name": name, "reason": found.reasons[name]} for name in found.changed if name not in moved],
        "prompt_changed": found.prompt_changed,
    }
