"""Reads the fields of a mapping, collecting every complaint with its place (formats: reading)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from toolbench.files.document import Document, Place
from toolbench.files.problems import KeyPath, Problem, Severity, path_text
from toolbench.files.suggest import did_you_mean

T = TypeVar("T")


@dataclass(slots=True)
class Complaints:
    """The problems of one file, in the order in which they were found."""

    document: Document
    file: str
    problems: list[Problem] = field(default_factory=list)
    tool: str | None = None
    """The tool that is being read."""

    def add(
        self,
        code: str,
        message: str,
        *,
        path: KeyPath = (),
        place: Place | None = None,
        severity: Severity = "error",
        fix: str | None = None,
    ) -> Problem:
        """Note a problem; without a place of its own it stands where `path` leads."""
        line, column = place or self.document.at(path) or (None, None)
        problem = Problem(
            severity=severity,
            code=code,
            message=message,
            file=self.file,
            line=line,
            column=column,
            path=path_text(path) or None,
            tool=self.tool,
            fix=fix,
        )
        self.problems.append(problem)
        return problem

    def faults(self) -> None:
        """Note what was wrong with the text itself."""
        for fault in self.document.faults:
            self.add(fault.code, fault.message, place=fault.place)


@dataclass(slots=True)
class Fields:
    """One mapping under reading. A field of the wrong type is told and counts as not given."""

    value: dict[str, Any]
    path: KeyPath
    complaints: Complaints
    faults: int = 0
    """How many fields were wrong."""

    def known(self, keys: Iterable[str]) -> None:
        """Warn of every key that is not among `keys`, offering the one that was meant."""
        allowed = list(keys)
        for key in self.value:
            if key not in allowed:
                near = did_you_mean(key, allowed)
                self.complaints.add(
                    "unknown-key",
                    f"unknown key `{key}`" + (f": did you mean `{near}`?" if near else ""),
                    path=(*self.path, key),
                    place=self.complaints.document.key_place(self.value, key),
                    severity="warning",
                    fix=f"rename it to `{near}`" if near else None,
                )

    def text(self, *keys: str, default: str | None = None) -> str | None:
        """Return a field that must be text; several keys are spellings of one."""
        return self._typed(keys, str, "text", default)

    def flag(self, key: str, default: bool) -> bool:
        """Return a field that must be true or false."""
        found = self._typed((key,), bool, "true or false", default)
        return default if found is None else found

    def mapping(self, *keys: str) -> dict[str, Any] | None:
        """Return a field that must be a mapping."""
        return self._typed(keys, dict, "a mapping", None)

    def items(self, *keys: str) -> list[Any] | None:
        """Return a field that must be a list."""
        return self._typed(keys, list, "a list", None)

    def seconds(self, key: str, default: float | None) -> float | None:
        """Return a field that must be a positive number of seconds."""
        found = self.value.get(key)
        if found is None:
            return default
        if isinstance(found, bool) or not isinstance(found, int | float) or not 0 < found < float("inf"):
            self.wrong(key, f"`{key}` takes seconds above 0, found {kind_of(found)}")
            return default
        return float(found)

    def choice(self, key: str, options: tuple[str, ...], default: str) -> str:
        """Return a field that must be one of a few words."""
        found = self.value.get(key)
        if found is None:
            return default
        if found not in options:
            near = did_you_mean(found, options) if isinstance(found, str) else None
            message = f"`{key}` is one of {', '.join(options)}, found {found!r}"
            self.wrong(key, message, fix=f"write `{near}`" if near else None)
            return default
        return str(found)

    def names(self, key: str) -> tuple[str, ...] | None:
        """Return a field that must be a list of texts; one text alone is an error, never a list of letters."""
        found = self.value.get(key)
        if found is None:
            return None
        if not isinstance(found, list):
            fix = f"write `{key}: [{found}]`" if isinstance(found, str) else None
            self.wrong(key, f"`{key}` takes a list of names, found {kind_of(found)}", fix=fix)
            return None
        good: list[str] = []
        for index, name in enumerate(found):
            if isinstance(name, str):
                good.append(name)
            else:
                self.complaints.add(
                    "wrong-type", f"a name must be text, found {kind_of(name)}", path=(*self.path, key, index)
                )
                self.faults += 1
        return tuple(good)

    def wrong(self, key: str, message: str, *, code: str = "wrong-type", fix: str | None = None) -> None:
        """Note that a field is wrong."""
        self.faults += 1
        self.complaints.add(code, message, path=(*self.path, key), fix=fix)

    def below(self, key: str) -> Fields | None:
        """Return the fields of a mapping below this one."""
        found = self.mapping(key)
        return None if found is None else Fields(found, (*self.path, key), self.complaints)

    def _typed(self, keys: tuple[str, ...], kind: type[T], words: str, default: T | None) -> T | None:
        """Return the first of `keys` that is given, if its type is right; null counts as not given."""
        for key in keys:
            found = self.value.get(key)
            if found is None:
                continue
            if isinstance(found, kind):
                return found
            self.wrong(key, f"`{key}` takes {words}, found {kind_of(found)}")
            return default
        return default


def kind_of(value: Any) -> str:
    """Name what was found, with a short value."""
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    shown = repr(value)
    return shown if len(shown) <= 40 else shown[:39] + "…"
