"""Short messages about what just happened, as text for toasts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolbench.text import safe, size
from toolbench.ui.models.session_lines import named

if TYPE_CHECKING:
    from toolbench.session.generation import Generation
    from toolbench.tools.events import GenerationBuilt

LIMIT = 160


def generation_text(event: GenerationBuilt, now: Generation, before: Generation | None) -> str:
    """Return `+1 −0 ~2  tools.yaml`, which tools, and what it does to the model's prefix; safe to show."""
    counts = f"+{len(event.added)} −{len(event.removed)} ~{len(event.changed)}"
    lines = [f"{counts}  {safe(event.cause, LIMIT)}"]
    if event.files or len(event.added) + len(event.removed) + len(event.changed) > 1:
        lines.append(safe(named(event), LIMIT))
    if before is not None:
        lines.append(prefix_text(now, before))
    return "\n".join(line for line in lines if line)


def prefix_text(now: Generation, before: Generation) -> str:
    """Return by how much the tool list grew or shrank, and that a cached prefix no longer fits; empty if the same."""
    if now.prompt == before.prompt and _sent(now) == _sent(before):
        return ""
    delta = now.sizes.bytes - before.sizes.bytes
    grown = f"tool list {'+' if delta >= 0 else '−'}{size(abs(delta))} · " if delta else ""
    return f"{grown}this changes the cached prefix"


def _sent(generation: Generation) -> list[tuple[str, str]]:
    """Return what the model gets, by name and content."""
    return [(name, claim.digest) for name, claim in generation.callable_claims.items()]
