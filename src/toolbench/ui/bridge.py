"""From the session's stream of events to messages: in batches, never more than the loop can take (engineering)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from toolbench.session.hub import EventHub
    from toolbench.tools.events import Entry

FRAME: Final = 1 / 20
"""Seconds between two batches; the first after a silence comes at once."""
BATCH: Final = 1_000
"""Events in one batch; with more, the next comes as soon as the loop had its turn."""
BREATH: Final = 0.005
"""Seconds for keys and painting between two full batches."""


class Bridge:
    """Listens in any thread, and hands batches to one receiver on the loop."""

    def __init__(self, events: EventHub, receive: Callable[[tuple[Entry, ...]], object]) -> None:
        """Create a bridge.

        Args:
            events: what is listened to.
            receive: takes a batch; called on the loop that runs `run`.
        """
        self._events = events
        self._receive = receive
        self._pending: deque[Entry] = deque()
        self._wake = asyncio.Event()
        self._woken = False
        self._seq = 0
        self._loop: asyncio.AbstractEventLoop | None = None

    async def run(self) -> None:
        """Hand over what was told already, and then what comes, until cancelled."""
        self._loop = asyncio.get_running_loop()
        undo = self._events.subscribe(self._hear)
        # What came before the subscription; an event that is heard twice is passed over by its number.
        self._pending.extendleft(reversed(self._events.entries))
        self._wake.set()
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                self._woken = False
                await self._hand_over()
        finally:
            undo()

    async def _hand_over(self) -> None:
        """Empty what is pending, batch by batch."""
        while self._pending:
            count = min(len(self._pending), BATCH)
            taken = [self._pending.popleft() for _ in range(count)]
            batch = tuple(entry for entry in taken if entry.seq > self._seq)
            if batch:
                self._seq = batch[-1].seq
                self._receive(batch)
            await asyncio.sleep(BREATH if self._pending else FRAME)

    def _hear(self, entry: Entry) -> None:
        """Take an event, in the thread of whoever told it."""
        self._pending.append(entry)
        # One call for a burst of events: the loop is woken, not flooded.
        if not self._woken and self._loop is not None and not self._loop.is_closed():
            self._woken = True
            self._loop.call_soon_threadsafe(self._wake.set)
