"""The inspector's tab Sent: exactly what the model gets, per provider, with sizes and what a provider would refuse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from toolbench.text import size
from toolbench.tools.names import name_fault
from toolbench.tools.projection import model_size, project, provider_schema_problems, tokens_estimate
from toolbench.ui.models.json_text import json_lines
from toolbench.ui.models.lines import EMPTY, Line, Lines, line

if TYPE_CHECKING:
    from toolbench.tools.buckets import Row
    from toolbench.tools.descriptor import ToolDescriptor

PROVIDERS: Final = ("anthropic", "openai", "gemini", "mcp")


def sent_lines(row: Row, provider: str) -> Lines:
    """Return what each provider's model gets of a tool, the session's own provider first."""
    lines: list[Line] = []
    if row.bucket != "visible" or not row.active:
        lines += [line(("○ not sent: ", "warn"), f"the tool is {row.bucket}"), EMPTY]
    own = provider if provider in PROVIDERS else PROVIDERS[0]
    for one in (own, *(other for other in PROVIDERS if other != own)):
        lines.extend(_one(row.claim.descriptor, one, own=one == provider))
        lines.append(EMPTY)
    return tuple(lines)


def _one(descriptor: ToolDescriptor, provider: str, *, own: bool) -> Iterator[Line]:
    sent = project(descriptor, provider)
    count = model_size(sent)
    yield line(
        (provider, "title"),
        (f"  {size(count)} ≈ {tokens_estimate(count)} tokens (estimate)", "label"),
        ("  ← this session" if own else "", "accent"),
    )
    problems = tuple(provider_problems(descriptor, provider))
    if not problems:
        yield line(("  ✓ takes the name and the schema", "ok"))
    for place, message in problems[:20]:
        yield line(("  ✗ ", "bad"), (message, ""), (f"  {place}" if place else "", "dim"), limit=400)
    if len(problems) > 20:
        yield line((f"  … {len(problems) - 20} more", "warn"))
    yield from json_lines(sent)


def provider_problems(descriptor: ToolDescriptor, provider: str) -> Iterator[tuple[str, str]]:
    """Yield place and message of what a provider would refuse in a tool."""
    fault = name_fault(descriptor.name, provider)
    if fault is not None:
        yield "name", fault[1]
    yield from provider_schema_problems(descriptor, provider)
