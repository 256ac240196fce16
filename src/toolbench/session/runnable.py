"""What a session would run if it were trusted: told to the person before the question is asked (formats: Trust)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from toolbench.files.run import CommandRun, PythonRun
from toolbench.session.binding import BuiltinRun, needs_trust
from toolbench.session.loading import Loaded


@dataclass(frozen=True, slots=True)
class Runnable:
    """One thing that trust would allow to run."""

    kind: Literal["hooks", "python", "command", "builtin"]
    what: str
    """The program, function or file, in words; not made safe to show."""
    where: str
    """Where the session says so: `FILE:LINE`."""


def runnables(loaded: Loaded) -> tuple[Runnable, ...]:
    """Return all that would run: hook files first, for they run at once."""
    return (*_hooks(loaded), *_tools(loaded))


def _hooks(loaded: Loaded) -> Iterator[Runnable]:
    """Yield the Python hook files; they are imported as soon as the session is trusted."""
    file = loaded.file
    specs = [spec for one in file.extensions if one.enabled for spec in one.hooks] + list(file.hooks)
    for spec in specs:
        if spec.kind == "python" and spec.enabled and spec.file is not None:
            yield Runnable(
                "hooks",
                f"import {_shown(spec.file, file.folder)} and run its hooks at every call",
                f"{file.path.name}:{spec.line}",
            )


def _tools(loaded: Loaded) -> Iterator[Runnable]:
    """Yield the tools whose call runs code."""
    for claim in loaded.claims:
        if not needs_trust(claim):
            continue
        name = claim.descriptor.name
        where = f"{claim.origin.file}:{claim.origin.line}" if claim.origin.file else "built in"
        match claim.binding:
            case PythonRun(file=file, function=function):
                yield Runnable("python", f"{name}: call {function} of {_shown(Path(file), loaded.file.folder)}", where)
            case CommandRun(argv=argv):
                yield Runnable("command", f"{name}: start {' '.join(argv)}", where)
            case BuiltinRun(name="exec"):
                yield Runnable(
                    "builtin", "exec: any shell command; it starts in the workspace and is not confined", where
                )
            case _:
                yield Runnable("builtin", f"{name}: change files in the workspace", where)


def _shown(file: Path, folder: Path) -> str:
    """Return a file's path as the session's files name it: below their folder, else whole."""
    return file.relative_to(folder).as_posix() if file.is_relative_to(folder) else str(file)
