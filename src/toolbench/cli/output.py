"""Where a command's words go: the answer alone on standard output, everything else on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any, TextIO

import click


def prepare_streams() -> None:
    """Let no character that the terminal cannot write end the command; it is written as an escape."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def answer(text: str) -> None:
    """Write the answer, which must be safe to show, to standard output."""
    _write(sys.stdout, text)


def answer_lines(lines: Iterable[str]) -> None:
    """Write the answer's lines, which must be safe to show, to standard output."""
    answer("\n".join(lines))


def answer_json(document: Any) -> None:
    """Write one JSON document to standard output: original values, escaped to ASCII."""
    answer(to_json(document))


def note(text: str) -> None:
    """Write words that are not the answer to standard error; they must be safe to show."""
    _write(sys.stderr, text)


def to_json(document: Any) -> str:
    """Return a document as strict JSON in ASCII."""
    import json

    return json.dumps(document, indent=2, allow_nan=False)


def has_colour(stream: TextIO) -> bool:
    """Tell whether colours are welcome there: a terminal, and nobody said no."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, colour: str | None = None, *, bold: bool = False, dim: bool = False) -> str:
    """Return text in a colour if the answer goes to a terminal, else as it is."""
    if not has_colour(sys.stdout):
        return text
    return click.style(text, fg=colour, bold=bold or None, dim=dim or None)


def _write(stream: TextIO, text: str) -> None:
    """Write a line; a reader that has heard enough is no failure, and the command's own exit code stands."""
    try:
        stream.write(text + "\n")
        stream.flush()
    except BrokenPipeError:
        # What is still in the buffer must not be tried again when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
