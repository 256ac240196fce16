"""Runs work that may never end in a thread of its own, for a limited time, where there is no event loop to wait on."""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


class TookTooLong(Exception):
    """The work did not end in time; its thread is left behind (R-DISP 8)."""


def bounded(work: Callable[[], T], limit: float) -> T:
    """Return what `work` returns, or raise what it raises.

    Args:
        work: runs in a daemon thread, so that it keeps nobody waiting at exit either.
        limit: seconds.

    Raises:
        TookTooLong: the work is still running.
    """
    answers: SimpleQueue[tuple[bool, T | BaseException]] = SimpleQueue()

    def run() -> None:
        try:
            answers.put((True, work()))
        except BaseException as error:  # noqa: BLE001 - handed over to whoever waits, SystemExit too
            answers.put((False, error))

    Thread(target=run, name="toolbench-load", daemon=True).start()
    try:
        ok, answer = answers.get(timeout=limit)
    except Empty:
        raise TookTooLong(f"not done after {limit:g} s") from None
    if ok:
        return answer  # type: ignore[return-value]
    assert isinstance(answer, BaseException)
    raise answer
