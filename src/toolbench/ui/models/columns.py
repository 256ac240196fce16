"""Text in columns of cells: what a wide character takes is counted as a terminal counts it."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size

from toolbench.text import ELLIPSIS
from toolbench.ui.models.lines import Line, Span, plain


def fit(text: str, width: int) -> str:
    """Return safe text in exactly `width` cells: filled with blanks, or cut with `…` at its end."""
    if width <= 0:
        return ""
    length = len(text) if text.isascii() else cell_len(text)
    if length <= width:
        return text + " " * (width - length)
    return set_cell_size(text, width - 1) + ELLIPSIS


def spread(left: Line, right: Line, width: int) -> Line:
    """Return one line with `left` at its start and `right` at its end; `left` gives way where there is no room."""
    room = width - cell_len(plain(right)) - 1
    if room <= 8:
        return left
    spans: list[Span] = []
    used = 0
    for span in left:
        length = cell_len(span.text)
        if used + length > room:
            spans.append(Span(fit(span.text, room - used), span.style))
            used = room
            break
        spans.append(span)
        used += length
    return (*spans, Span(" " * (room - used + 1)), *right)
