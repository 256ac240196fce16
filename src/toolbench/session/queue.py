"""Changes wait their turn for the write lock, are told as events, and can be withdrawn (R-HOOK 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from toolbench.session.context import ContextError
from toolbench.session.tickets import Ticket
from toolbench.tools.events import CommandApplied, CommandQueued, CommandRefused, CommandWithdrawn, Event
from toolbench.tools.lock import FairLock, Waiter

KEPT: Final = 200


class ChangeQueue:
    """Makes changes under the lock: at once when it is free, in turn when it is held."""

    def __init__(self, lock: FairLock, emit: Callable[[Event], None], generation: Callable[[], int]) -> None:
        """Create the queue of a session.

        Args:
            lock: the session's write lock.
            emit: takes events.
            generation: tells the number of the generation that stands.
        """
        self._lock = lock
        self._emit = emit
        self._generation = generation
        self._next = 1
        self._waiting: dict[int, tuple[Ticket, Waiter]] = {}

    @property
    def queued(self) -> tuple[Ticket, ...]:
        """The changes that wait, in turn."""
        return tuple(ticket for ticket, _ in self._waiting.values())

    def submit(self, label: str, names: Sequence[str], action: Callable[[], str | None]) -> Ticket:
        """Run `action` under the lock.

        Args:
            label: what the change is called.
            names: tools that it names.
            action: makes the change; returns a remark or None; raises `ContextError` to refuse it whole.

        Raises:
            ReentrantCall: the caller is a hook, which holds the lock already.
        """
        ticket = Ticket(self._next, label, tuple(names))
        self._next += 1
        if self._lock.try_acquire(label):
            try:
                self._run(ticket, action)
            finally:
                self._lock.release()
            return ticket
        ticket.waits_for = self._lock.holder

        def in_turn() -> None:
            self._waiting.pop(ticket.number, None)
            self._run(ticket, action)

        self._waiting[ticket.number] = (ticket, self._lock.enqueue(label, in_turn))
        self._emit(CommandQueued(ticket.number, label, ticket.waits_for or "another change"))
        return ticket

    def withdraw(self, number: int) -> bool:
        """Take back a change that still waits; tell whether it did."""
        found = self._waiting.get(number)
        if found is None or not found[1].withdraw():
            return False
        del self._waiting[number]
        ticket = found[0]
        ticket.state = "withdrawn"
        self._emit(CommandWithdrawn(number, ticket.label))
        return True

    def _run(self, ticket: Ticket, action: Callable[[], str | None]) -> None:
        """Make the change and tell what became of it."""
        try:
            ticket.message = action()
        except ContextError as error:
            ticket.state, ticket.message = "refused", str(error)
            self._emit(CommandRefused(ticket.number, ticket.label, str(error)))
            return
        ticket.state = "applied"
        self._emit(CommandApplied(ticket.number, ticket.label, self._generation()))
