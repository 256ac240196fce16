"""Offers the known word that a wrong one was meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that `word` was most likely meant to be, or None.

    Spellings that differ only by case, `_` and `-` count as the same word; after that, words of similar letters.
    """
    candidates = list(known)
    folded = {_fold(one): one for one in reversed(candidates)}
    if (same := folded.get(_fold(word))) is not None:
        return same
    near = get_close_matches(word.lower(), candidates, n=1, cutoff=0.7)
    return near[0] if near else None


def _fold(word: str) -> str:
    return word.replace("_", "").replace("-", "").casefold()
