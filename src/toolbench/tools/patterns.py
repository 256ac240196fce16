"""Name patterns, the same in policies and hooks: `*` globs over normalized names (R-POL 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

ALIASES: Final[Mapping[str, str]] = {"bash": "exec", "apply-patch": "apply_patch"}


def normalize_name(name: str) -> str:
    """Return a name or pattern as it is compared: trimmed, lower-cased, aliases resolved.

    Both sides of a comparison go through this, so that a deny never fails for its spelling (HAND-07).
    """
    folded = name.strip().lower()
    return ALIASES.get(folded, folded)


def matcher(pattern: str) -> Callable[[str], bool]:
    """Return the test of one pattern; `*` stands for any text, every other character for itself."""
    fits = glob(normalize_name(pattern))
    return lambda name: fits(normalize_name(name))


def glob(pattern: str) -> Callable[[str], bool]:
    """Return the test of a pattern over texts as they are, nothing normalized."""
    if "*" not in pattern:
        return lambda text: text == pattern
    head, *middle, tail = pattern.split("*")
    return lambda text: _fits(text, head, middle, tail)


def compile_patterns(patterns: Iterable[str]) -> Callable[[str], bool]:
    """Return the test whether a name fits any of the patterns; linear in the name's length."""
    tests = tuple(matcher(pattern) for pattern in patterns)
    return lambda name: any(test(name) for test in tests)


def _fits(name: str, head: str, middle: Iterable[str], tail: str) -> bool:
    """Find the literal parts one after another: greedy from the left is right for `*` alone, and never goes back."""
    if not name.startswith(head) or not name.endswith(tail) or len(name) < len(head) + len(tail):
        return False
    position, end = len(head), len(name) - len(tail)
    for part in middle:
        found = name.find(part, position, end)
        if found < 0:
            return False
        position = found + len(part)
    return True
