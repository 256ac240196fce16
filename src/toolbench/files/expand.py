"""From patterns of definition files to paths, and the folders in which they could appear."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from toolbench.files.problems import Problem

SUFFIXES: Final = frozenset({".yaml", ".yml", ".json", ".jsonl", ".ndjson"})
MAX_FILES: Final = 10_000
MAX_FOLDERS: Final = 1_000
MAX_DEPTH: Final = 32
IGNORED: Final = frozenset({".git", "__pycache__", "node_modules", ".venv"})
"""Folders that hold no definitions and change all the time."""
_MAGIC: Final = re.compile(r"[*?\[]")


def expand(patterns: Iterable[str], folder: Path) -> tuple[tuple[Path, ...], tuple[Problem, ...]]:
    """Return the files that the patterns name, each once, sorted within a pattern, and what is wrong with them.

    Links to files are followed wherever they lead; a link to a folder only where the pattern names it.

    Args:
        patterns: files, folders (all definition files in them) and globs, relative to `folder`.
        folder: the session's.
    """
    found: dict[Path, None] = {}
    problems: list[Problem] = []
    for pattern in patterns:
        try:
            paths = sorted(_paths(pattern, folder))
        except (OSError, ValueError) as error:
            problems.append(_problem("bad-pattern", f"{pattern!r} cannot be looked up: {error}", "error"))
            continue
        dangling = [
            _problem("dangling-link", f"{path.name} is a link to nothing: {os.readlink(path)}", "error")
            for path in paths
            if path.is_symlink() and not path.exists()
        ]
        problems += dangling
        paths = [path for path in paths if path.exists()]
        if not paths and not dangling:
            severity = "warning" if _MAGIC.search(pattern) else "error"
            problems.append(_problem("no-definition-file", f"{pattern!r} names no file that is there", severity))
        found.update(dict.fromkeys(paths))
        if len(found) > MAX_FILES:
            problems.append(_problem("too-many-files", f"more than {MAX_FILES} definition files", "error"))
            break
    return tuple(found)[:MAX_FILES], tuple(problems)


def watched_folders(patterns: Iterable[str], folder: Path) -> frozenset[Path]:
    """Return the folders in which files that the patterns name exist or could appear; some may not exist yet."""
    return frozenset(one for pattern in patterns for one in _folders(pattern, folder))


def _problem(code: str, message: str, severity: str) -> Problem:
    return Problem(severity="error" if severity == "error" else "warning", code=code, message=message)


def _paths(pattern: str, folder: Path) -> Iterator[Path]:
    path = folder / pattern
    if not _MAGIC.search(pattern):
        if path.is_dir():
            yield from (one for one in path.iterdir() if _is_definition(one))
        elif path.exists() or path.is_symlink():
            yield path
        return
    base, rest = _split(pattern, folder)
    if base.is_dir():
        yield from (one for one in base.glob(rest) if _is_definition(one))


def _is_definition(path: Path) -> bool:
    """Tell whether a path is one of a definition file; a link to nothing is, so that it can be told."""
    return path.suffix.lower() in SUFFIXES and (path.is_file() or (path.is_symlink() and not path.exists()))


def _split(pattern: str, folder: Path) -> tuple[Path, str]:
    """Split a glob into the folder before its first magic part, and the rest."""
    parts = (folder / pattern).parts
    first = next(index for index, part in enumerate(parts) if _MAGIC.search(part))
    return Path(*parts[:first]), str(Path(*parts[first:]))


def _folders(pattern: str, folder: Path) -> Iterator[Path]:
    path = folder / pattern
    if not _MAGIC.search(pattern):
        yield path if path.is_dir() else path.parent
        return
    base, rest = _split(pattern, folder)
    depth = MAX_DEPTH if "**" in rest else len(Path(rest).parts) - 1
    top = len(base.parts)
    for count, (name, below, _) in enumerate(os.walk(base)):
        path = Path(name)
        yield path
        deep_enough = len(path.parts) - top >= depth
        # Links to folders are not walked: they may lead in a circle.
        below[:] = [] if deep_enough else sorted(one for one in below if one not in IGNORED)
        if count == MAX_FOLDERS:
            return
