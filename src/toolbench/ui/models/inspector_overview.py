"""The inspector's first tab: what the tool is, where it stands and why, and where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from toolbench.text import duration, size
from toolbench.ui.models.json_text import compact
from toolbench.ui.models.lines import EMPTY, Line, Lines, heading, line, paragraph

if TYPE_CHECKING:
    from toolbench.tools.buckets import Row
    from toolbench.tools.descriptor import Owner, ToolDescriptor

MARKS: Final = {
    "visible": ("●", "ok"),
    "hidden": ("○", "warn"),
    "off": ("◌", "dim"),
    "denied": ("⊘", "bad"),
    "broken": ("⚠", "bad"),
    "shadowed": ("◑", "dim"),
}
"""One sign for each bucket: colour alone tells nothing."""
LABEL_WIDTH: Final = 12


def overview_lines(row: Row) -> Lines:
    """Return the overview of a tool."""
    descriptor = row.claim.descriptor
    return (
        state_line(row),
        *_reasons(row),
        EMPTY,
        *(paragraph(descriptor.description) if descriptor.description.strip() else (line(("no description", "dim")),)),
        EMPTY,
        *_facts(row),
        *_prompt(descriptor),
        *_annotations(descriptor),
    )


def state_line(row: Row) -> Line:
    """Return the tool's name with the bucket that it stands in."""
    mark, style = MARKS[row.bucket]
    title = row.claim.descriptor.title
    return line(
        (f"{mark} ", style),
        (row.name, "title"),
        (f"  {title}" if title else "", ""),
        (f"  {row.bucket}", style),
        (" · stale: the last good version" if row.claim.stale else "", "warn"),
        limit=200,
    )


def _reasons(row: Row) -> Iterator[Line]:
    """Yield why the tool stands where it stands."""
    match row.bucket:
        case "hidden":
            for one in row.diagnostics:
                yield line(("  ✗ ", "bad"), (one.message, ""), (f"  {one.reason}", "dim"), limit=400)
        case "off":
            since = "" if row.off_since is None else f", since generation {row.off_since}"
            who = "switched off by you" if row.by_person else "off from the start"
            yield line((f"  {who}{since}", "dim"), ("  space switches it on", "accent"))
        case "denied":
            yield line(("  ✗ ", "bad"), (f"removed by {row.layer}", ""), (f", entry “{row.entry}”", ""), limit=200)
        case "broken":
            yield line(("  ✗ ", "bad"), (row.message or row.words, ""), (f"  {row.code or ''}", "dim"), limit=600)
        case "shadowed":
            yield line(
                ("  ✗ ", "bad"), (f"{row.winner} brings a tool of this name and wins", ""), (f"  {row.rule}", "dim")
            )
        case _ if not row.active:
            yield line(("  switched off: the model does not get it", "dim"))


def fact(label: str, value: str, style: str = "", limit: int = 1_000) -> Line:
    """Return a label and its value in two columns."""
    return line((f"{label:<{LABEL_WIDTH}} ", "label"), (value, style), limit=limit)


def _facts(row: Row) -> Iterator[Line]:
    """Yield what the descriptor and its claim say."""
    claim, descriptor = row.claim, row.claim.descriptor
    yield fact("source", claim.source if claim.kind != "extension" else f"{claim.source} (extension)")
    yield fact("owner", owner_words(descriptor.owner))
    executor = descriptor.executor
    yield fact("executor", "none" if executor is None else str(executor), "dim" if executor is None else "")
    origin = claim.origin
    if origin.file is not None:
        yield fact("declared in", origin.file if origin.line is None else f"{origin.file}:{origin.line}", "link")
    if claim.size:
        yield fact("size", f"{size(claim.size)} as the model gets it")
    if descriptor.sort_key is not None:
        yield fact("sort key", descriptor.sort_key)
    if descriptor.execution_mode == "sequential":
        yield fact("runs", "alone: a batch with it goes one call at a time", "warn")
    if descriptor.timeout is not None:
        yield fact("time limit", duration(descriptor.timeout))
    if descriptor.timeout_argument is not None:
        yield fact("", f"the argument {descriptor.timeout_argument} sets the limit, in seconds")


def owner_words(owner: Owner) -> str:
    """Return an owner in words: `plugin github`."""
    parts = [getattr(owner, name) for name in owner.__dataclass_fields__ if name != "kind"]
    return " ".join((owner.kind, *(part for part in parts if part is not None)))


def _prompt(descriptor: ToolDescriptor) -> Iterator[Line]:
    """Yield what the tool adds to the system prompt."""
    if descriptor.prompt_snippet is None and not descriptor.prompt_guidelines:
        return
    yield EMPTY
    yield heading("In the system prompt")
    if descriptor.prompt_snippet is not None:
        yield from paragraph(descriptor.prompt_snippet, indent=2)
    for guideline in descriptor.prompt_guidelines:
        yield line(("  • ", "accent"), (guideline, ""), limit=2_000)


def _annotations(descriptor: ToolDescriptor) -> Iterator[Line]:
    """Yield what an imported definition says beside the usual fields."""
    given = {**(descriptor.annotations or {}), **descriptor.extras}
    if not given:
        return
    yield EMPTY
    yield heading("Annotations", "kept for export")
    for key, value in list(given.items())[:50]:
        yield fact(key, compact(value, 300))
