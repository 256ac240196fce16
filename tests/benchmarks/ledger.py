"""What was measured, beside what it should be: one table for all benchmarks."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from statistics import median

TOLERANCE = 3.0
"""A benchmark fails above so many times its target: machines are noisy, and a factor of three is a fault."""


@dataclass(frozen=True)
class Row:
    """One figure."""

    code: str
    what: str
    measured: float
    target: float
    unit: str
    detail: str = ""
    at_least: bool = False
    """The figure should be above its target, not below."""
    known: float | None = None
    """The figure that stands today where it is far from the target; it may not become worse than half again."""

    @property
    def met(self) -> bool:
        """Whether the target is met."""
        return self.measured >= self.target if self.at_least else self.measured <= self.target

    @property
    def failed(self) -> bool:
        """Whether it is far from the target, or from what is known to be so."""
        if self.at_least:
            return self.measured < self.target / TOLERANCE
        return self.measured > (self.target * TOLERANCE if self.known is None else self.known * 1.5)

    def line(self) -> str:
        """Return the row of the table."""
        sign = "≥" if self.at_least else "≤"
        mark = "ok  " if self.met else "MISS"
        return (
            f"{self.code:4} {self.what:58.58} {self.measured:9.2f}  {sign} {self.target:7.2f} {self.unit:8} {mark}"
            f"  {self.detail}"
        )


ROWS: list[Row] = []


def record(row: Row) -> None:
    """Note a figure for the table.

    Raises:
        AssertionError: it is far off.
    """
    ROWS.append(row)
    assert not row.failed, row.line()


def best(function: Callable[[], object], *, times: int, rounds: int = 7) -> float:
    """Return the seconds of one call: the best of some rounds."""
    return min(_round(function, times) for _ in range(rounds))


def _round(function: Callable[[], object], times: int) -> float:
    begun = time.perf_counter()
    for _ in range(times):
        function()
    return (time.perf_counter() - begun) / times


async def ratios(
    floor: Callable[[], Awaitable[object]], *others: Callable[[], Awaitable[object]], times: int, rounds: int = 9
) -> list[float]:
    """Return how many times the floor each of the others takes: the median of rounds that take turns."""
    seconds: list[list[float]] = [[] for _ in range(1 + len(others))]
    for _ in range(rounds):
        for index, function in enumerate((floor, *others)):
            count = times * 5 if index == 0 else times
            begun = time.perf_counter()
            for _ in range(count):
                await function()
            seconds[index].append((time.perf_counter() - begun) / count)
    return [median(_divided(one, seconds[0])) for one in seconds[1:]]


def _divided(over: Sequence[float], under: Sequence[float]) -> list[float]:
    return [one / other for one, other in zip(over, under, strict=True)]
