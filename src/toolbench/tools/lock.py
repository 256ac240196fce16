"""The session's write lock: fair, told by label, with changes that wait in turn (R-HOOK 6)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class HookPlace:
    """Which handler of a chain is running."""

    handler: str = ""


HOOK_CONTEXT: ContextVar[HookPlace | None] = ContextVar("toolbench_hook", default=None)
"""The chain whose handler's code this is, if any. Handlers run with a copy of the context, in whatever thread."""


class ReentrantCall(RuntimeError):
    """A hook called back into the dispatcher or the session, which would wait for itself (R-HOOK 6)."""


def refuse_hooks(what: str) -> None:
    """Refuse a caller that is a hook.

    Raises:
        ReentrantCall: at once, where waiting would be a deadlock.
    """
    place = HOOK_CONTEXT.get()
    if place is not None:
        raise ReentrantCall(f"the hook {place.handler} holds the session's write lock, so it cannot ask for: {what}")


@dataclass(slots=True, eq=False)
class Waiter:
    """One place in the queue: a task that waits, or a change that is made in turn."""

    label: str
    _lock: FairLock
    future: asyncio.Future[None] | None = None
    callback: Callable[[], None] | None = None

    def withdraw(self) -> bool:
        """Leave the queue; tell whether it was still in it."""
        return self._lock.forget(self)


@dataclass(slots=True, eq=False)
class FairLock:
    """First come, first served. It belongs to one event loop's thread; without a loop it is merely free or held."""

    holder: str | None = None
    """What holds it, None when it is free."""
    _queue: deque[Waiter] = field(default_factory=deque)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The labels of those who wait, in turn."""
        return tuple(waiter.label for waiter in self._queue)

    def try_acquire(self, label: str) -> bool:
        """Take the lock if it is free and nobody waits.

        Raises:
            ReentrantCall: the caller is a hook.
        """
        if HOOK_CONTEXT.get() is not None:
            refuse_hooks(label)
        if self.holder is not None or self._queue:
            return False
        self.holder = label
        return True

    async def acquire(self, label: str) -> None:
        """Take the lock, waiting in turn. A cancelled wait never leaves the lock held (R-DISP 9).

        Raises:
            ReentrantCall: the caller is a hook.
        """
        if self.try_acquire(label):
            return
        waiter = Waiter(label, self, future=asyncio.get_running_loop().create_future())
        self._queue.append(waiter)
        assert waiter.future is not None
        try:
            await waiter.future
        except asyncio.CancelledError:
            if not self.forget(waiter) and waiter.future.done() and not waiter.future.cancelled():
                # It was handed over in the same moment: hand it on.
                self.release()
            raise

    def enqueue(self, label: str, callback: Callable[[], None]) -> Waiter:
        """Run `callback` under the lock when its turn comes, at once if the lock is free.

        Raises:
            ReentrantCall: the caller is a hook.
        """
        refuse_hooks(label)
        waiter = Waiter(label, self, callback=callback)
        self._queue.append(waiter)
        if self.holder is None:
            self._hand_over()
        return waiter

    def release(self) -> None:
        """Free the lock and hand it to whoever is next."""
        self.holder = None
        self._hand_over()

    def forget(self, waiter: Waiter) -> bool:
        """Take a waiter out of the queue; tell whether it was in it."""
        try:
            self._queue.remove(waiter)
        except ValueError:
            return False
        return True

    def _hand_over(self) -> None:
        """Give the lock to the next task; make the changes that stand before it."""
        while self._queue and self.holder is None:
            waiter = self._queue.popleft()
            if waiter.callback is not None:
                self.holder = waiter.label
                try:
                    waiter.callback()
                finally:
                    self.holder = None
            elif waiter.future is not None and not waiter.future.done():
                self.holder = waiter.label
                waiter.future.set_result(None)
