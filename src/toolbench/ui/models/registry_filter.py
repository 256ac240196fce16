"""Which tools a filter of the registry lets pass."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final, TypeAlias

from toolbench.ui.models.filter_query import FilterQuery, Token

if TYPE_CHECKING:
    from toolbench.tools.buckets import Row

KEYS: Final = ("source", "reason", "bucket", "changed", "name", "file")
HINT: Final = "words  source:  reason:  bucket:  changed:  name:  file:"

RowTest: TypeAlias = "Callable[[Row], bool]"


def row_test(query: FilterQuery, changed: Collection[str]) -> RowTest | None:
    """Return a test of rows, or None where everything passes.

    Args:
        query: parsed with `KEYS`.
        changed: names that the newest generation added or changed.
    """
    tests = [_test(token, changed) for token in query.tokens]
    if not tests:
        return None
    if len(tests) == 1:
        return tests[0]
    return lambda row: all(test(row) for test in tests)


def _test(token: Token, changed: Collection[str]) -> RowTest:
    """Return the test of one token."""
    value, negated = token.value, token.negated
    match token.key:
        case "source":
            return lambda row: (value in row.claim.source.lower()) is not negated
        case "bucket":
            return lambda row: row.bucket.startswith(value) is not negated
        case "changed":
            return lambda row: (row.name in changed and value in row.name.lower()) is not negated
        case "name":
            return lambda row: (value in row.name.lower()) is not negated
        case "file":
            return lambda row: (value in (row.claim.origin.file or "").lower()) is not negated
        case "reason":
            return lambda row: token.holds(_reasons(row))
        case _:
            return lambda row: token.holds(_words(row))


def _reasons(row: Row) -> str:
    """Return all that keeps a tool from the model, in lower case: words, codes, and what each condition wanted."""
    more = (f"{one.reason} {one.message} {one.wanted or ''}" for one in row.diagnostics)
    return f"{row.words} {row.code or ''} {row.layer or ''} {' '.join(more)}".lower()


def _words(row: Row) -> str:
    """Return what a plain word is looked for in, in lower case."""
    return f"{row.name} {row.claim.source} {row.words} {row.claim.descriptor.title or ''}".lower()
