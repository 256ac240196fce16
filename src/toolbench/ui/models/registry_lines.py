"""The registry's rows as lines of spans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolbench.text import safe
from toolbench.ui.models.columns import fit
from toolbench.ui.models.inspector_overview import MARKS
from toolbench.ui.models.lines import Line, Span
from toolbench.ui.models.registry_rows import RegistryRows, Section

if TYPE_CHECKING:
    from toolbench.tools.buckets import Row

REASON_STYLES: Final = {"hidden": "warn", "denied": "bad", "broken": "bad"}
SAFE_LIMIT: Final = 200


def row_line(rows: RegistryRows, index: int, width: int) -> Line:
    """Return one row in at most `width` cells; the first cell is the cursor's."""
    item = rows.items[index]
    return section_line(item, filtered=bool(rows.query)) if isinstance(item, Section) else tool_line(rows, item, width)


def section_line(section: Section, *, filtered: bool) -> Line:
    """Return the line above a bucket's tools."""
    arrow = "▸" if section.collapsed else "▾"
    count = f"{section.shown} of {section.total}" if filtered else str(section.total)
    empty = "  nothing reaches the model" if section.bucket == "visible" and section.total == 0 else ""
    return (Span(f" {arrow} ", "dim"), Span(section.bucket, "title"), Span(f" ({count})", "dim"), Span(empty, "dim"))


def tool_line(rows: RegistryRows, row: Row, width: int) -> Line:
    """Return a tool's line: mark, name, source, and the first reason in words."""
    mark, style = MARKS[row.bucket]
    if row.bucket == "hidden" and any(one.reason == "unsupported-signal" for one in row.diagnostics):
        mark, style = "⚠", "bad"
    name_width = min(max(rows.name_width, 12), max(width * 2 // 5, 12))
    source_width = min(max(rows.source_width, 7), 14)
    picked = ("✓", "accent") if row.key in rows.marked else ("◉", "bad") if row.name in rows.stopping else (" ", "")
    room = width - 5 - name_width - source_width - 4
    return (
        Span(" "),
        Span(*picked),
        Span(" "),
        Span(f"{mark} ", style),
        Span(
            fit(safe(row.name, SAFE_LIMIT), name_width),
            "" if row.bucket in ("visible", "hidden", "broken") else "label",
        ),
        Span("  "),
        Span(fit(safe(row.claim.source, SAFE_LIMIT), source_width), "dim"),
        Span("  "),
        *_remark(rows, row, room),
    )


def _remark(rows: RegistryRows, row: Row, room: int) -> Line:
    """Return what is to be said of a row: that it waits, that it changed, why it is where it is."""
    waits_for = rows.queued.get(row.name)
    if waits_for is not None:
        return (Span(fit(f"◔ queued behind {safe(waits_for, 60)} · w", max(room, 0)).rstrip(), "accent"),)
    parts: list[Span] = []
    if rows.fresh and row.name in rows.changed:
        parts.append(Span("⟳ " if row.words else f"⟳ {_short(rows.changed[row.name])}", "accent"))
    if row.claim.stale:
        parts.append(Span("stale ", "warn"))
    if row.words:
        used = sum(len(span.text) for span in parts)
        parts.append(
            Span(fit(safe(row.words, SAFE_LIMIT), max(room - used, 0)).rstrip(), REASON_STYLES.get(row.bucket, "dim"))
        )
    if not row.active and row.bucket == "hidden":
        parts.append(Span("  and off", "dim"))
    return tuple(parts)


def _short(reason: str) -> str:
    """Return a reason without what the row itself tells."""
    return safe(reason.partition(":")[0], 60)
