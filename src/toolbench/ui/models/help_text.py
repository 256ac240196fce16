"""The help of what is on the screen: what the focused panel is for, and every key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import dedent
from typing import Final

from rich.cells import cell_len

from toolbench.ui.models.lines import EMPTY, Line, Lines, heading, line

KEY_WIDTH: Final = 16


@dataclass(frozen=True, slots=True)
class KeyHelp:
    """One action and the keys that do it."""

    keys: tuple[str, ...]
    words: str


def help_lines(texts: Iterable[str], keys: Mapping[str, Sequence[KeyHelp]]) -> Lines:
    """Return the help.

    Args:
        texts: the `HELP` of the focused panel and of what is around it, nearest first.
        keys: keys by where they work, nearest first.
    """
    lines: list[Line] = []
    for text in texts:
        lines.extend(_text(text))
        lines.append(EMPTY)
    for where, helps in keys.items():
        lines.append(heading(where))
        for one in helps:
            shown = ", ".join(one.keys)
            gap = " " * max(KEY_WIDTH - cell_len(shown), 1)
            lines.append(line("  ", (shown, "accent"), gap, one.words))
        lines.append(EMPTY)
    return tuple(lines)


def _text(text: str) -> list[Line]:
    """Return a short help text: headings and paragraphs, `code` marked."""
    lines: list[Line] = []
    paragraph: list[str] = []
    for row in [*dedent(text).strip().splitlines(), ""]:
        if row.startswith("#"):
            lines.append(heading(row.lstrip("# ")))
        elif row.strip():
            paragraph.append(row.strip())
        elif paragraph:
            lines.append(_marked(" ".join(paragraph)))
            paragraph = []
    return lines


def _marked(text: str) -> Line:
    """Return a paragraph with what stands in backticks or stars in a style of its own."""
    parts = text.replace("**", "`").split("`")
    return line(*((part, "accent" if place % 2 else "") for place, part in enumerate(parts)))
