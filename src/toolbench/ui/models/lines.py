"""Text in lines of styled spans: what the inspector, the pager and the other text panels show.

A span holds text that was made safe and a style's *name*; what the name looks like is the theme's business (the style
sheet of `TextView`). Nothing here knows Textual.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from rich.cells import cell_len, get_character_cell_size

from toolbench.text import safe

STYLES: Final = (
    "title",
    "label",
    "dim",
    "ok",
    "bad",
    "warn",
    "accent",
    "link",
    "key",
    "string",
    "number",
    "word",
    "added",
    "removed",
)
"""The names that a span's style may have, beside the empty one."""


class Span(NamedTuple):
    """A stretch of text in one style."""

    text: str
    style: str = ""


Line: TypeAlias = tuple[Span, ...]
Lines: TypeAlias = tuple[Line, ...]

EMPTY: Final[Line] = ()


def line(*parts: str | tuple[str, str], limit: int | None = None) -> Line:
    """Return one line of parts, each text or `(text, style)`, made safe.

    Args:
        parts: foreign text is welcome.
        limit: the greatest length of each part in characters.
    """
    pairs = (part if isinstance(part, tuple) else (part, "") for part in parts)
    return tuple(Span(safe(text, limit), style) for text, style in pairs if text)


def heading(text: str, note: str = "") -> Line:
    """Return the line above a section: its name, and a remark in grey."""
    return line((text, "title"), (f"  {note}" if note else "", "dim"))


def paragraph(text: str, style: str = "", indent: int = 0, limit: int = 20_000) -> Lines:
    """Return text of several lines as lines; its own line breaks stay.

    Args:
        text: any text.
        style: of all its lines.
        indent: blanks before each line.
        limit: how many characters are shown at most; the cut is told.
    """
    shown = [line((" " * indent, ""), (one.rstrip("\r").expandtabs(4), style)) for one in text[:limit].split("\n")]
    if len(text) > limit:
        shown.append(line((f"{' ' * indent}… {limit} of {len(text)} characters shown", "warn")))
    return tuple(shown)


def plain(one: Line) -> str:
    """Return the text of a line without its styles."""
    return "".join(span.text for span in one)


def text_of(lines: Iterable[Line]) -> str:
    """Return lines as text, each ended by a line feed."""
    return "".join(f"{plain(one)}\n" for one in lines)


def wrap(one: Line, width: int) -> Lines:
    """Fold a line to `width` cells, at blanks where it can; later rows hang below the text's own indent."""
    text = plain(one)
    if width <= 0 or (text.isascii() and len(text) <= width) or cell_len(text) <= width:
        return (one,)
    blanks = len(text) - len(text.lstrip(" "))
    # Prose goes on at its own edge; what begins with a mark or a bracket goes on below its text.
    indent = min(blanks + (0 if text[blanks : blanks + 1].isalnum() and not blanks else 2), width // 2)
    return tuple(_rows(one, text, width, indent))


def _rows(one: Line, text: str, width: int, indent: int) -> Iterator[Line]:
    """Yield the rows of a line that is too wide."""
    start = 0
    while start < len(text):
        room = width if start == 0 else width - indent
        end = _row_end(text, start, room)
        row = cut(one, start, end)
        yield row if start == 0 else (Span(" " * indent), *row)
        start = end
        while start < len(text) and text[start] == " ":
            start += 1


def _row_end(text: str, start: int, room: int) -> int:
    """Return where the row that begins at `start` ends: after the last blank that fits, or where the room ends."""
    fits, used = start, 0
    while fits < len(text):
        used += get_character_cell_size(text[fits])
        if used > room:
            break
        fits += 1
    if fits >= len(text):
        return len(text)
    fits = max(fits, start + 1)
    blank = text.rfind(" ", start, fits + 1)
    leading = len(text) - len(text.lstrip(" ")) if start == 0 else start
    return blank if blank > leading and blank > start + (fits - start) // 2 else fits


def cut(one: Line, start: int, end: int) -> Line:
    """Return the part of a line between two character places."""
    parts: list[Span] = []
    place = 0
    for span in one:
        first, last = max(start - place, 0), min(end - place, len(span.text))
        if first < last:
            parts.append(Span(span.text[first:last], span.style))
        place += len(span.text)
    return tuple(parts)
