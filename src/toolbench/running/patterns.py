"""Regular expressions of models, files and people: in an engine with a time limit, off the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import regex

LIMIT: Final = 1.0
"""Seconds for one text."""


class PatternError(ValueError):
    """A pattern is none, or takes too long."""


def compile_pattern(pattern: str, *, ignore_case: bool = False) -> regex.Pattern[str]:
    """Compile a pattern.

    Raises:
        PatternError: it is none.
    """
    try:
        return regex.compile(pattern, regex.IGNORECASE if ignore_case else 0)
    except (regex.error, RecursionError, OverflowError, ValueError) as error:
        raise PatternError(f"no regular expression: {pattern[:80]!r}: {error}") from None


def matches(pattern: regex.Pattern[str], text: str) -> bool:
    """Tell whether the pattern is found in a text. Blocking, for at most `LIMIT`.

    Raises:
        PatternError: it takes too long.
    """
    try:
        return pattern.search(text, timeout=LIMIT) is not None
    except TimeoutError:
        raise PatternError(f"the pattern {pattern.pattern[:80]!r} takes longer than {LIMIT:g} s") from None


async def replace_all(replacements: Mapping[regex.Pattern[str], str], value: Any) -> Any:
    """Return JSON data with every text in it replaced, pattern after pattern; runs in a thread.

    Raises:
        PatternError: a pattern takes too long.
    """
    return await asyncio.to_thread(_replaced, replacements, value)


def _replaced(replacements: Mapping[regex.Pattern[str], str], value: Any) -> Any:
    if isinstance(value, str):
        for pattern, text in replacements.items():
            try:
                value = pattern.sub(text, value, timeout=LIMIT)
            except TimeoutError:
                raise PatternError(f"the pattern {pattern.pattern[:80]!r} takes longer than {LIMIT:g} s") from None
            except (regex.error, IndexError) as error:
                raise PatternError(f"the replacement {text[:80]!r} does not fit its pattern: {error}") from None
        return value
    if isinstance(value, dict):
        return {key: _replaced(replacements, item) for key, item in value.items()}
    if isinstance(value, list):
        return [_replaced(replacements, item) for item in value]
    return value
