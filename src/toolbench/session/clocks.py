"""Clocks that stand still, for pictures and tests that must be the same every time."""

from __future__ import annotations

import time


def still() -> float:
    """Return the same monotonic second at each call: every duration is nought."""
    return 0.0


def noon() -> float:
    """Return the seconds since the epoch of a certain noon in the time zone of here, so that it reads 12:00:00."""
    return time.mktime((2026, 1, 1, 12, 0, 0, 0, 0, -1))
