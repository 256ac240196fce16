"""Long text for the pager: bounded, in lines that are short enough to draw (HAND-21)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from toolbench.text import plural, safe_lines, size
from toolbench.ui.models.lines import Line, Lines, Span, line

MAX_CHARACTERS: Final = 2_000_000
MAX_LINES: Final = 50_000
LINE_WIDTH: Final = 1_000
"""A longer line is broken, so that one line of megabytes costs no more than many short ones."""


@dataclass(frozen=True, slots=True)
class PagerText:
    """Text as the pager shows it."""

    lines: Lines
    summary: str
    """How much there is, and how much of it is shown."""
    whole: bool

    def find(self, needle: str) -> tuple[int, ...]:
        """Return the numbers of the lines that hold `needle`, whatever its case, from 0."""
        wanted = needle.lower()
        if not wanted:
            return ()
        return tuple(number for number, one in enumerate(self.lines) if wanted in "".join(s.text for s in one).lower())


def pager_text(text: str) -> PagerText:
    """Return `text` made safe and cut to bounds; the cut is told in the last line and in the summary."""
    shown = safe_lines(text[:MAX_CHARACTERS])
    lines: list[Line] = []
    for one in shown.split("\n"):
        lines.extend((Span(one[at : at + LINE_WIDTH]),) for at in range(0, max(len(one), 1), LINE_WIDTH))
        if len(lines) >= MAX_LINES:
            break
    whole = len(text) <= MAX_CHARACTERS and len(lines) < MAX_LINES
    if text.endswith("\n") and whole and lines[-1] == (Span(""),):
        lines.pop()
    count = f"{plural(text.count(chr(10)) + (not text.endswith(chr(10))), 'line')}, {size(len(text))}"
    if whole:
        return PagerText(tuple(lines), count, True)
    del lines[MAX_LINES:]
    lines.append(line(("… the rest is not shown: s saves all of it", "warn")))
    return PagerText(tuple(lines), f"{count}; the first {plural(len(lines) - 1, 'row')} shown", False)
