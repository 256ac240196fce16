"""Opens a file at a line in the user's editor, with the terminal handed over."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual.app import SuspendNotSupported

if TYPE_CHECKING:
    from textual.app import App

AT_LINE: Final = {
    "code": ("--wait", "--goto", "{file}:{line}"),
    "codium": ("--wait", "--goto", "{file}:{line}"),
    "subl": ("--wait", "{file}:{line}"),
    "zed": ("--wait", "{file}:{line}"),
    "hx": ("{file}:{line}",),
    "helix": ("{file}:{line}",),
}
"""How editors take a line that do not take `+LINE FILE`."""
FALLBACKS: Final = ("vi", "nano")


class NoEditor(Exception):
    """No editor can be started; the message says why."""


def editor_command(file: Path, line: int | None, environment: Mapping[str, str]) -> list[str]:
    """Return the program and arguments that open `file` at `line`.

    Raises:
        NoEditor: `VISUAL` and `EDITOR` are not set and none is found, or they cannot be read.
    """
    chosen = environment.get("VISUAL") or environment.get("EDITOR")
    if not chosen:
        chosen = next((name for name in FALLBACKS if shutil.which(name)), None)
    if not chosen:
        raise NoEditor("set EDITOR to your editor")
    try:
        command = shlex.split(chosen)
    except ValueError as error:
        raise NoEditor(f"EDITOR cannot be read: {error}") from error
    if line is None:
        return [*command, str(file)]
    shape = AT_LINE.get(Path(command[0]).name, ("+{line}", "{file}"))
    return [*command, *(part.format(file=file, line=line) for part in shape)]


async def open_editor(app: App[object], file: Path, line: int | None) -> None:
    """Hand the terminal to the editor and wait for its end; the loop goes on, so that calls keep their time.

    Raises:
        NoEditor: there is none, it cannot be started, or the application cannot give the terminal away.
    """
    command = editor_command(file, line, os.environ)
    try:
        # Within a batch nothing is painted: the screen is the editor's.
        with app.batch_update(), app.suspend():
            process = await asyncio.create_subprocess_exec(*command)
            await process.wait()
    except SuspendNotSupported as error:
        raise NoEditor("the editor needs the terminal, which cannot be given away here") from error
    except OSError as error:
        raise NoEditor(f"{command[0]}: {error.strerror or error}") from error
