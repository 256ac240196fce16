"""The one way from foreign text to the screen: made safe, and never read as markup (HAND-01, HAND-24)."""

from __future__ import annotations

from textual.content import Content

from toolbench.text import safe


def content(text: str, style: str = "", limit: int | None = None) -> Content:
    """Return `text` as one line that a widget can show as it is.

    Args:
        text: any text; brackets stay brackets, control and bidi characters become visible marks.
        style: a Textual style such as `bold $text-error`.
        limit: the greatest length in characters; what is longer ends in `…`.
    """
    return Content.styled(safe(text, limit), style) if style else Content(safe(text, limit))
