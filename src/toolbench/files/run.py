"""What a definition's `run:` binds a tool to, as data: nothing here runs anything (R-DESC 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class PythonRun:
    """A function of a Python file, called as `fn(**input)`."""

    file: str
    """Absolute."""
    function: str
    line: int | None = None
    """Where the definition says so, in the definition's file."""


@dataclass(frozen=True, slots=True)
class CommandRun:
    """A program, started without a shell."""

    argv: tuple[str, ...]
    """A relative path of a program is made absolute, from the folder of the definition's file."""
    stdin_json: bool = False
    """Whether the arguments are written to its standard input as JSON."""
    folder: str = ""
    """The folder of the definition's file, absolute. (The program runs in the session's folder.)"""


@dataclass(frozen=True, slots=True)
class ReplyRun:
    """A canned result that the definition holds itself."""

    reply: Any


@dataclass(frozen=True, slots=True)
class CannedRun:
    """Answers that there is nothing to run: what imported tools get, so that a bare list can be explored."""


Run: TypeAlias = PythonRun | CommandRun | ReplyRun | CannedRun
