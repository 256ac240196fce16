"""The line at the top: what the session is, and what the model gets of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from toolbench.text import plural, size
from toolbench.tools.buckets import Bucket
from toolbench.ui.models.inspector_overview import MARKS
from toolbench.ui.models.lines import Line, Span, line, plain

if TYPE_CHECKING:
    from toolbench.session.session import Session

SHOWN: Final[tuple[tuple[Bucket, str], ...]] = (
    ("visible", "ok"),
    ("hidden", "warn"),
    ("off", "label"),
    ("denied", "bad"),
    ("shadowed", "label"),
    ("broken", "bad"),
)
GAP: Final = "  "


def header_line(session: Session | None, width: int, delta: int = 0, *, runs_code: bool = False) -> Line:
    """Return the header in at most `width` cells: what matters least is left out where there is no room.

    Args:
        session: None while it opens.
        width: cells.
        delta: bytes by which the last change made the tool list longer; 0 shows nothing.
        runs_code: whether anything in the session needs trust.
    """
    if session is None:
        return line((" toolbench", "title"), (f"{GAP}opening …", "dim"))
    name = line((f" {session.name}", "title"), limit=max(width // 4, 12))
    generation = session.generation
    stamp = line(f"gen {generation.number}", (f" · {generation.hash[:4]}", "dim"))
    right, short_right = _right(session, runs_code, short=False), _right(session, runs_code, short=True)
    words, fewer, marks = _words(session, SHOWN), _words(session, SHOWN[:4] + SHOWN[5:]), _marks(session)
    sizes, short_sizes = _sizes(session, delta, tokens=True), _sizes(session, delta, tokens=False)
    # From the most telling to the shortest; the first one that fits is taken.
    for left, last in (
        ((name, stamp, words, sizes), right),
        ((name, stamp, fewer, sizes), right),
        ((name, stamp, marks, sizes), right),
        ((name, stamp, marks, short_sizes), right),
        ((name, stamp, marks, short_sizes), short_right),
        ((name, stamp, marks), short_right),
        ((name, stamp), short_right),
    ):
        joined = _join(left)
        room = width - cell_len(plain(joined)) - cell_len(plain(last))
        if room >= 2:
            return (*joined, Span(" " * room), *last)
    return _join((name, stamp))


def _join(parts: tuple[Line, ...]) -> Line:
    spans: list[Span] = []
    for part in parts:
        if part:
            spans.extend((Span(GAP), *part) if spans else part)
    return tuple(spans)


def _words(session: Session, shown: tuple[tuple[Bucket, str], ...]) -> Line:
    """Return how many tools each bucket has; empty buckets are left out, all but `visible`."""
    spans: list[Span] = []
    for bucket, style in shown:
        count = session.generation.buckets.counts[bucket]
        if count or bucket == "visible":
            spans.extend((Span(f"{bucket} ", "dim"), Span(f"{count}", style), Span("  ")))
    return tuple(spans[:-1])


def _marks(session: Session) -> Line:
    """Return the same with the registry's marks for words."""
    spans: list[Span] = []
    for bucket, style in SHOWN:
        count = session.generation.buckets.counts[bucket]
        if count or bucket == "visible":
            spans.append(Span(f"{MARKS[bucket][0]} {count}  ", style))
    return (*spans[:-1], Span(spans[-1].text.rstrip(), spans[-1].style))


def _sizes(session: Session, delta: int, *, tokens: bool) -> Line:
    """Return what the tool list takes; tokens are an estimate, and say so."""
    sizes = session.generation.sizes
    spans = [Span(size(sizes.bytes))]
    if tokens:
        spans.append(Span(f" ≈ {sizes.tokens_estimate:,} tokens".replace(",", " "), "dim"))
    if delta:
        spans.append(Span(f" {'+' if delta > 0 else '−'}{size(abs(delta))}", "warn" if delta > 0 else "ok"))
    return tuple(spans)


def _right(session: Session, runs_code: bool, *, short: bool) -> Line:
    """Return what runs now, whether files are watched, and whether code may run."""
    running = len(session.running)
    stepping = session.stepper.mode == "step"
    watch = ("●", "ok") if session.watching else ("○", "dim")
    watch_words = "" if short else " watching" if session.watching else " not watching"
    trust = ("trusted ", "ok") if session.trusted else ("restricted ", "warn") if runs_code else ("no code ", "dim")
    return line(
        (f"▶ {running if short else plural(running, 'call')}  " if running else "", "accent"),
        (("‖  " if short else "‖ stepping  ") if stepping else "", "warn"),
        watch,
        (f"{watch_words}  ", watch[1]),
        trust,
    )
