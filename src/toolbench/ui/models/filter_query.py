"""What a person types to filter: words, and tokens such as `source:github`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_PART: Final = re.compile(r'(?P<not>-?)(?:(?P<key>[a-z]+):)?(?:"(?P<quoted>[^"]*)"?|(?P<plain>\S*))\s*')


@dataclass(frozen=True, slots=True)
class Token:
    """One part of a filter."""

    key: str
    """Empty for a plain word."""
    value: str
    """In lower case."""
    negated: bool = False

    def holds(self, text: str) -> bool:
        """Tell whether `text`, in lower case, has the value, or must not and has not."""
        return (self.value in text) is not self.negated


@dataclass(frozen=True, slots=True)
class FilterQuery:
    """A parsed filter; empty lets everything pass."""

    tokens: tuple[Token, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.tokens)


def parse_filter(text: str, keys: Iterable[str]) -> FilterQuery:
    """Read a filter: `source:github -bucket:off "two words"`. A key that is not known is read as part of a word.

    Args:
        text: as typed; anything is a valid filter, in the middle of typing too.
        keys: the tokens that there are. `key:` without a value is a token with an empty value.
    """
    known = frozenset(keys)
    tokens: list[Token] = []
    for match in _PART.finditer(text.strip().lower()):
        if not match.group().strip():
            continue
        key = match["key"] or ""
        value = match["quoted"] if match["quoted"] is not None else match["plain"]
        if key and key not in known:
            key, value = "", f"{key}:{value}"
        if key or value:
            tokens.append(Token(key, value, bool(match["not"])))
    return FilterQuery(tuple(tokens))
