"""Reads the definition files of one extension, keeping the last good state of each (R-GEN 3)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from toolbench.files.definitions import DefinitionFile, load_definitions
from toolbench.files.expand import expand
from toolbench.files.problems import Problem
from toolbench.files.session_model import ExtensionSpec
from toolbench.session.generation import SourceState
from toolbench.tools.registry import Claim


@dataclass(frozen=True, slots=True)
class LoadedSource:
    """The claims of one source as they stand, and how it fares."""

    state: SourceState
    claims: tuple[Claim, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(slots=True)
class _Known:
    """What is remembered of one file."""

    stamp: tuple[int, int, int]
    loaded: DefinitionFile
    good: DefinitionFile | None


@dataclass(slots=True)
class DefinitionCache:
    """Reads a file again only when it changed, and remembers what it held when it last parsed."""

    folder: Path
    session_name: str
    """How the session file is called in what people read."""
    _known: dict[tuple[str, Path], _Known] = field(default_factory=dict)

    def forget(self, paths: frozenset[Path]) -> None:
        """Read these files anew at the next load, whatever their time stamps say; what was good is kept."""
        for key, known in self._known.items():
            if key[1] in paths:
                known.stamp = (-1, -1, -1)

    def load(self, extension: ExtensionSpec) -> LoadedSource:
        """Read all files of an extension."""
        paths, problems = expand(extension.tools, self.folder)
        claims: list[Claim] = []
        found: list[Problem] = [
            replace(one, file=self.session_name, line=extension.line, column=extension.column) for one in problems
        ]
        failed: list[str] = []
        stale = 0
        for path in paths:
            known = self._read(extension, path)
            found.extend(known.loaded.problems)
            if not known.loaded.failed:
                claims.extend(known.loaded.claims)
                continue
            failed.append(_first_error(known.loaded))
            if known.good is not None:
                stale += 1
                claims.extend(replace(claim, stale=True) for claim in known.good.claims)
        shown = tuple(self._shown(path) for path in paths)
        bad = failed + [one.message for one in problems if one.severity == "error"]
        state = SourceState(
            id=extension.id,
            kind="extension",
            state="ok" if not bad else "stale" if stale and stale == len(failed) else "error",
            tools=len(claims),
            error=bad[0] if bad else None,
            files=shown,
        )
        return LoadedSource(state, tuple(claims), tuple(found))

    def _read(self, extension: ExtensionSpec, path: Path) -> _Known:
        """Return what is known of a file, read anew if it changed."""
        key = (extension.id, path)
        stamp = _stamp(path)
        known = self._known.get(key)
        if known is not None and known.stamp == stamp:
            return known
        loaded = load_definitions(
            path, shown=self._shown(path), source=extension.id, plugin_id=extension.id, strict=extension.strict
        )
        good = (known.good if known else None) if loaded.failed else loaded
        self._known[key] = entry = _Known(stamp, loaded, good)
        return entry

    def _shown(self, path: Path) -> str:
        """Return the path as people see it: relative to the session's folder where it is below it."""
        return path.relative_to(self.folder).as_posix() if path.is_relative_to(self.folder) else str(path)


def _stamp(path: Path) -> tuple[int, int, int]:
    """Return what changes when a file's content does; zeros for a file that cannot be read."""
    try:
        status = path.stat()
    except OSError:
        return (0, 0, 0)
    return (status.st_mtime_ns, status.st_size, status.st_ino)


def _first_error(loaded: DefinitionFile) -> str:
    """Return the first error of a file, with its place."""
    for one in loaded.problems:
        if one.severity == "error":
            return f"{one.file}:{one.line}:{one.column}: {one.message}" if one.line else f"{one.file}: {one.message}"
    return f"{loaded.shown}: cannot be read"
