"""The line at the top: what the session is, and what the model gets of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from toolbench.text import plural, size
from toolbench.ui.models.lines import Line, Span, line, plain

if TYPE_CHECKING:
    from toolbench.session.session import Session

SHOWN: Final = (
    ("visible", "ok"),
    ("hidden", "warn"),
    ("off", "label"),
    ("denied", "bad"),
    ("shadowed", "label"),
    ("broken", "bad"),
)
GAP: Final = "   "


def header_line(session: Session | None, width: int, delta: int = 0) -> Line:
    """Return the header in at most `width` cells: what matters least is left out where there is no room.

    Args:
        session: None while it opens.
        width: cells.
        delta: bytes by which the last change made the tool list longer; 0 shows nothing.
    """
    if session is None:
        return line((" toolbench", "title"), (f"{GAP}opening …", "dim"))
    name = line((f" {session.name}", "title"), limit=max(width // 4, 12))
    generation = session.generation
    stamp = line((f"gen {generation.number}", ""), (f" · {generation.hash[:4]}", "dim"))
    right = _right(session)
    # From the most telling to the shortest; the last one that fits not at all is cut by the widget.
    for left in (
        (name, stamp, _counts(session, short=False), _sizes(session, delta, tokens=True)),
        (name, stamp, _counts(session, short=False), _sizes(session, delta, tokens=False)),
        (name, stamp, _counts(session, short=True), _sizes(session, delta, tokens=True)),
        (name, stamp, _counts(session, short=True), _sizes(session, delta, tokens=False)),
        (name, stamp, _counts(session, short=True)),
        (name, stamp),
    ):
        joined = _join(left)
        room = width - cell_len(plain(joined)) - cell_len(plain(right)) - 1
        if room >= 2:
            return (*joined, Span(" " * room), *right)
    return _join((name, stamp))


def _join(parts: tuple[Line, ...]) -> Line:
    spans: list[Span] = []
    for part in parts:
        if part:
            spans.extend((Span(GAP), *part) if spans else part)
    return tuple(spans)


def _counts(session: Session, *, short: bool) -> Line:
    """Return how many tools each bucket has; empty buckets are left out, all but `visible`."""
    counts = session.generation.buckets.counts
    spans: list[Span] = []
    for bucket, style in SHOWN:
        count = counts.get(bucket, 0)  # type: ignore[call-overload]
        if count or bucket == "visible":
            word = bucket[:3] if short else bucket
            spans.extend((Span(f"{word} ", "dim"), Span(f"{count}", style), Span("  ")))
    return tuple(spans[:-1])


def _sizes(session: Session, delta: int, *, tokens: bool) -> Line:
    """Return what the tool list takes; tokens are an estimate, and say so."""
    sizes = session.generation.sizes
    spans = [Span(size(sizes.bytes))]
    if tokens:
        spans.append(Span(f" ≈ {sizes.tokens_estimate:,} tokens".replace(",", " "), "dim"))
    if delta:
        spans.append(Span(f" {'+' if delta > 0 else '−'}{size(abs(delta))}", "warn" if delta > 0 else "ok"))
    return tuple(spans)


def _right(session: Session) -> Line:
    """Return whether files are watched, whether code may run, and what runs now."""
    spans: list[Span] = []
    running = len(session.running)
    if running:
        spans.append(Span(f"▶ {plural(running, 'call')}   ", "accent"))
    if session.stepper.mode == "step":
        spans.append(Span("‖ stepping   ", "warn"))
    spans.append(Span("● watching", "ok") if session.watching else Span("○ not watching", "dim"))
    spans.append(Span("   "))
    if session.trusted:
        spans.append(Span("trusted ", "warn"))
    elif session.runnable:
        spans.append(Span("restricted ", "warn"))
    else:
        spans.append(Span("runs no code ", "dim"))
    return tuple(spans)
