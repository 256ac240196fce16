"""Makes foreign text safe to show: the one way from data to a screen, a terminal or a picture.

Text from tools, files, hooks and models is hostile until shown otherwise. `safe` replaces everything that a terminal
could obey (C0, C1, DEL, escape) and everything that reorders or hides text (bidi controls, zero-width characters,
line separators, lone surrogates) by visible marks. It never fails and never drops a character unseen.
"""

from __future__ import annotations

import re
from typing import Final

ELLIPSIS: Final = "…"

# Everything that must not reach a terminal as it is. Tab and line feed are handled by the two functions below.
_UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\ufdd0-\ufdef"
    "\U000e0000-\U000e0fff]"
)
_UNSAFE_BUT_LINES: Final = re.compile(_UNSAFE.pattern.replace("\x00-\x1f", "\x00-\x09\x0b-\x1f"))


def _mark(match: re.Match[str]) -> str:
    """Return the visible stand-in of one unsafe character: a control picture, or its code point in brackets."""
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return f"⟨U+{code:04X}⟩"


def safe(value: str, limit: int | None = None) -> str:
    """Return `value` as one line of text that is safe to show.

    Args:
        value: any text; line feeds and tabs become `␊` and `␉`.
        limit: the greatest length of the answer in characters; what is longer is cut and ends in `…`.
    """
    cut = value if limit is None or len(value) <= limit else value[:limit]
    shown = cut if cut.isascii() and cut.isprintable() else _UNSAFE.sub(_mark, cut)
    return _shorten(shown, limit, len(value) > len(cut))


def safe_lines(value: str, limit: int | None = None) -> str:
    """Return `value` as text of several lines that is safe to show: line breaks stay, tabs become four spaces.

    Args:
        value: any text; `\\r\\n` counts as one line break, a lone `\\r` is shown as `␍`.
        limit: the greatest length of the answer in characters; what is longer is cut and ends in `…`.
    """
    cut = value if limit is None or len(value) <= limit else value[:limit]
    shown = _UNSAFE_BUT_LINES.sub(_mark, cut.replace("\r\n", "\n").replace("\t", "    "))
    return _shorten(shown, limit, len(value) > len(cut))


def _shorten(shown: str, limit: int | None, was_cut: bool) -> str:
    """Cut `shown` to `limit` characters and say so with an ellipsis."""
    if limit is None or (len(shown) <= limit and not was_cut):
        return shown
    return shown[: max(limit - 1, 0)] + ELLIPSIS if limit > 0 else ""


def plural(count: int, noun: str) -> str:
    """Return `count` and `noun`, with an s where the count is not one: `1 tool`, `3 tools`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def size(count: int) -> str:
    """Return a number of bytes as people read it: `412 B`, `18.4 kB`, `3.1 MB`."""
    if count < 1000:
        return f"{count} B"
    value = float(count)
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if value < 999.95 or unit == "GB":
            return f"{value:.1f} {unit}"
    raise AssertionError("the last unit always answers")


def duration(seconds: float) -> str:
    """Return a time span as people read it: `0.4 ms`, `1.2 s`, `2 min 05 s`."""
    if seconds < 1:
        return f"{seconds * 1000:.1f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s"
