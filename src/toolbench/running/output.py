"""Keeps what people's code prints away from the terminal: the screen is the application's."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_CAPTURED: ContextVar[io.StringIO | None] = ContextVar("toolbench_output", default=None)
_INSTALL = threading.Lock()
MAX_KEPT = 100_000


class _Divided:
    """Stands for `sys.stdout` or `sys.stderr`: captured code writes to its own buffer, all other code through."""

    def __init__(self, behind: Any) -> None:
        self._behind = behind

    def write(self, text: str) -> int:
        """Write to the buffer of the code that runs here, or through."""
        buffer = _CAPTURED.get()
        if buffer is None:
            return int(self._behind.write(text) or 0)
        if buffer.tell() < MAX_KEPT:
            buffer.write(text)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._behind, name)


@contextmanager
def capture() -> Iterator[io.StringIO]:
    """Keep what is printed in this thread or task within the block, the first part of it."""
    with _INSTALL:
        # Somebody may have replaced the streams since: the application does, and test runners do.
        if not isinstance(sys.stdout, _Divided):
            sys.stdout = _Divided(sys.stdout)
        if not isinstance(sys.stderr, _Divided):
            sys.stderr = _Divided(sys.stderr)
    buffer = io.StringIO()
    token = _CAPTURED.set(buffer)
    try:
        yield buffer
    finally:
        _CAPTURED.reset(token)
