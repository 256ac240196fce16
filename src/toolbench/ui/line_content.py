"""Lines of spans as Content, for widgets that take no line API."""

from __future__ import annotations

from typing import Final

from textual.content import Content

from toolbench.ui.content import content
from toolbench.ui.models.lines import Line

THEME: Final = {
    "title": "bold $text-primary",
    "label": "$foreground 60%",
    "dim": "$foreground 60%",
    "ok": "$text-success",
    "bad": "bold $text-error",
    "warn": "$text-warning",
    "accent": "$text-accent",
    "link": "underline $text-secondary",
    "key": "$text-primary",
    "string": "$text-success",
    "number": "$text-warning",
    "word": "$text-accent",
    "added": "$text-success",
    "removed": "$text-error",
}
"""What the names of `models.lines` look like; the same as in the style sheet of `TextView`."""


def line_content(one: Line) -> Content:
    """Return a line as Content in the theme's colours."""
    return Content.assemble(*(content(span.text, THEME.get(span.style, "")) for span in one))
