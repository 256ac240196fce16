"""Names of the things that a person can change: `env.X`, `config.a.b`, `active.TOOL` (formats: Commands)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

PathKind: TypeAlias = Literal["auth", "plugins", "env", "values", "config", "active", "policy"]
PATH_KINDS: Final[tuple[PathKind, ...]] = get_args(PathKind)
VALUELESS_KINDS: Final = frozenset({"auth", "plugins", "active"})


class PathError(ValueError):
    """A path is not written as it must be; the message tells how."""


@dataclass(frozen=True, slots=True)
class ContextPath:
    """One entry of the context, the activation or the policy."""

    kind: PathKind
    parts: tuple[str, ...]

    @property
    def key(self) -> str:
        """The entry's name within its kind."""
        return ".".join(self.parts)

    def __str__(self) -> str:
        parts = self.parts if self.kind == "config" else (self.key,)
        return ".".join((self.kind, *(_quoted(part, self.kind) for part in parts)))


def _quoted(part: str, kind: PathKind) -> str:
    """Quote a config segment that would otherwise be read as two."""
    if kind == "config" and (part == "" or "." in part or '"' in part):
        return '"' + part.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return part


def parse_path(text: str) -> ContextPath:
    """Read a path such as `env.GITHUB_TOKEN` or `config.a."b.c"`.

    Only config paths have segments; in every other kind all that follows the first dot is the name.

    Raises:
        PathError: the kind is unknown, the name is missing, or a quote is not closed.
    """
    kind, dot, rest = text.partition(".")
    known = next((one for one in PATH_KINDS if one == kind), None)
    if known is None:
        raise PathError(f"unknown kind {kind!r} in {text!r}: a path begins with one of {', '.join(PATH_KINDS)}")
    if not dot or not rest:
        raise PathError(f"{text!r} names no entry: write {known}.NAME")
    if known != "config":
        return ContextPath(known, (rest,))
    return ContextPath(known, _segments(rest, text))


def _segments(rest: str, whole: str) -> tuple[str, ...]:
    """Split at dots that stand outside double quotes."""
    segments: list[str] = []
    position = 0
    while True:
        if position < len(rest) and rest[position] == '"':
            segment, position = _quoted_segment(rest, position + 1, whole)
        else:
            end = rest.find(".", position)
            end = len(rest) if end < 0 else end
            segment, position = rest[position:end], end
            if not segment:
                raise PathError(f"{whole!r} has an empty segment")
        segments.append(segment)
        if position == len(rest):
            return tuple(segments)
        if rest[position] != ".":
            raise PathError(f"{whole!r}: a dot must follow the closing quote")
        position += 1


def _quoted_segment(rest: str, position: int, whole: str) -> tuple[str, int]:
    """Read up to the closing quote; return the segment and the place after the quote."""
    read: list[str] = []
    while position < len(rest):
        character = rest[position]
        if character == "\\" and position + 1 < len(rest):
            read.append(rest[position + 1])
            position += 2
        elif character == '"':
            return "".join(read), position + 1
        else:
            read.append(character)
            position += 1
    raise PathError(f"{whole!r} has a quote that is not closed")
