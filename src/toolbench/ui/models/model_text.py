"""What the model gets, as lines: system prompt, tool list, sizes, and what the provider would refuse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from toolbench.text import plural, size
from toolbench.tools.projection import model_size, tokens_estimate
from toolbench.ui.models.inspector_sent import provider_problems
from toolbench.ui.models.json_text import Bounds, json_lines
from toolbench.ui.models.lines import EMPTY, Line, Lines, heading, line, paragraph

if TYPE_CHECKING:
    from toolbench.session.generation import Generation

BOUNDS: Final = Bounds(lines=20_000, string=4_000)
MAX_PROBLEMS: Final = 100


@dataclass(frozen=True, slots=True)
class ModelText:
    """The view of one provider."""

    lines: Lines
    summary: str
    problems: int


def model_text(generation: Generation, provider: str) -> ModelText:
    """Return what a provider's model gets of a generation; slow with many tools: not for the loop."""
    tools = generation.model_tools(provider)
    count, prompt_bytes = model_size(tools), len(generation.prompt.encode("utf-8", "surrogatepass"))
    problems = list(_problems(generation, provider))
    summary = (
        f"{plural(len(tools), 'tool')}  {size(count)} + prompt {size(prompt_bytes)}"
        f" ≈ {tokens_estimate(count + prompt_bytes)} tokens (estimate)"
    )
    lines: list[Line] = []
    if problems:
        lines += [
            heading(f"{provider} would refuse", plural(len(problems), "problem")),
            *problems[:MAX_PROBLEMS],
            EMPTY,
        ]
    else:
        lines += [line(("✓ ", "ok"), (f"{provider} takes every name and schema", "")), EMPTY]
    lines += [heading("System prompt", size(prompt_bytes))]
    lines += paragraph(generation.prompt, limit=100_000) if generation.prompt else (line(("(empty)", "dim")),)
    lines += [EMPTY, heading("Tools", f"as sent to {provider}, in this order: {size(count)}")]
    lines += json_lines(tools, BOUNDS)
    return ModelText(tuple(lines), summary, len(problems))


def _problems(generation: Generation, provider: str) -> Iterator[Line]:
    """Yield what a provider would refuse."""
    for name, claim in generation.callable_claims.items():
        for place, message in provider_problems(claim.descriptor, provider):
            yield line(("  ✗ ", "bad"), (name, "key"), (f"  {message}", ""), (f"  {place}", "dim"), limit=300)
