"""What a tool may be called, by whose rules, and which names look alike (contract: gates; R-PLAN 2)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Final

_RULES: Final[dict[str, tuple[re.Pattern[str], re.Pattern[str], int, str]]] = {
    "anthropic": (re.compile(r"[A-Za-z0-9_-]"), re.compile(r""), 64, "letters, digits, _ and -"),
    "openai": (re.compile(r"[A-Za-z0-9_-]"), re.compile(r""), 64, "letters, digits, _ and -"),
    "gemini": (re.compile(r"[A-Za-z0-9_.:-]"), re.compile(r"[A-Za-z_]"), 64, "letters, digits, _, ., : and -"),
    "mcp": (re.compile(r"[A-Za-z0-9_.-]"), re.compile(r""), 128, "letters, digits, _, . and -"),
}
CODE: Final = "invalid-name"


def name_fault(name: str, provider: str) -> tuple[str, str] | None:
    """Return code and message of the rule of `provider` that a name breaks, None when it keeps them all.

    The message names the first bad character with its code point, for it may look like a good one (HAND-06).
    """
    if not name.strip():
        return (CODE, "the name is blank")
    rule = _RULES.get(provider)
    if rule is None:
        return None
    allowed, first, longest, words = rule
    if len(name) > longest:
        return (CODE, f"the name is {len(name)} characters long; {provider} takes {longest}")
    for character in name:
        if not allowed.fullmatch(character):
            return (CODE, f"{_described(character)} is not allowed in a name: {provider} takes {words}")
    if first.pattern and not first.match(name):
        return (CODE, f"a name must begin with a letter or _ for {provider}, not with {name[0]!r}")
    return None


def _described(character: str) -> str:
    """Return a character with its code point and name."""
    title = unicodedata.name(character, "")
    return f"{character!r} (U+{ord(character):04X}{' ' + title if title else ''})"


def look_alikes(names: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of different names that people would take for one another, each sorted.

    Case, `-` and `_`, compatibility forms, and the letters of other scripts that are drawn like Latin ones count as
    alike.
    """
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        groups.setdefault(skeleton(name), []).append(name)
    return tuple(tuple(sorted(group)) for group in groups.values() if len(group) > 1)


def skeleton(name: str) -> str:
    """Return a name reduced to how it looks."""
    if name.isascii():
        return name.casefold().replace("-", "_")
    folded = unicodedata.normalize("NFKC", name).translate(_DRAWN_ALIKE).casefold().replace("-", "_")
    return "".join(one for one in folded if unicodedata.category(one) != "Cf")


_DRAWN_ALIKE: Final = str.maketrans(
    "аеорсухіјѕԁһԛԝАВЕКМНОРСТХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαν",
    "aeopcyxijsdhqwABEKMHOPCTXIJSABEZHIKMNOPTYXoav",
)


def nearest(name: str, names: Sequence[str], count: int = 3) -> tuple[str, ...]:
    """Return the names most like `name`, the likest first; none that is not like it."""
    wanted = skeleton(name[:128])
    scored: list[tuple[float, str]] = []
    for other in dict.fromkeys(names):
        matcher = SequenceMatcher(None, wanted, skeleton(other[:128]), autojunk=False)
        if matcher.real_quick_ratio() >= 0.6 and matcher.quick_ratio() >= 0.6:
            ratio = matcher.ratio()
            if ratio >= 0.6:
                scored.append((-ratio, other))
    return tuple(other for _, other in sorted(scored)[:count])
