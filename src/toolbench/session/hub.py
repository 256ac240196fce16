"""The stream of events: numbered, timed, kept for a while and handed to whoever listens (R-EVT)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Final, TypeAlias

from toolbench.tools.events import Entry, Event

Listener: TypeAlias = Callable[[Entry], None]

DEFAULT_KEPT: Final = 100_000


class EventHub:
    """Numbers events and hands each to every listener, in order.

    `emit` may be called from any thread. Listeners are called in the emitter's thread and must be quick; one that
    raises does not keep the others from hearing, and is told to the error listener.
    """

    def __init__(self, clock: Callable[[], float], *, kept: int = DEFAULT_KEPT) -> None:
        """Create a hub.

        Args:
            clock: monotonic seconds.
            kept: how many entries stay to be read later; the oldest go first.
        """
        self._clock = clock
        self._entries: deque[Entry] = deque(maxlen=kept)
        self._listeners: tuple[Listener, ...] = ()
        self._lock = Lock()
        self._next = 1
        self.listener_errors: list[BaseException] = []

    def emit(self, event: Event) -> None:
        """Append `event` to the stream and tell it to all listeners."""
        # One lock over numbering and telling: two threads must not tell 8 before 7.
        with self._lock:
            entry = Entry(self._next, self._clock(), event)
            self._next += 1
            self._entries.append(entry)
            for listener in self._listeners:
                try:
                    listener(entry)
                except Exception as error:  # noqa: BLE001 - a listener's fault is not the emitter's
                    if len(self.listener_errors) < 100:
                        self.listener_errors.append(error)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` for each later entry; return the function that ends this."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def undo() -> None:
            with self._lock:
                self._listeners = tuple(one for one in self._listeners if one is not listener)

        return undo

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries that are still kept, oldest first."""
        with self._lock:
            return tuple(self._entries)

    def since(self, seq: int) -> tuple[Entry, ...]:
        """Return the kept entries that came after number `seq`."""
        with self._lock:
            if not self._entries or self._entries[-1].seq <= seq:
                return ()
            return tuple(self._newest_after(seq))[::-1]

    def _newest_after(self, seq: int) -> Iterator[Entry]:
        """Walk back from the newest entry to the first one after `seq`."""
        for entry in reversed(self._entries):
            if entry.seq <= seq:
                return
            yield entry

    @property
    def last_seq(self) -> int:
        """The number of the newest entry, 0 when there is none."""
        return self._next - 1
