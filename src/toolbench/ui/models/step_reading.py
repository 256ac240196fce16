"""Reads from the session what the step dock shows of the calls that are stopped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from toolbench.tools.events import CallEnded, CallStarted, Entry, HandlerEnded
from toolbench.tools.hooks import MISSING, HandlerReport
from toolbench.ui.models.step_chain import StoppedCall

if TYPE_CHECKING:
    from toolbench.session.generation import Generation
    from toolbench.session.session import Session
    from toolbench.tools.stepper import Stopped


@dataclass(slots=True)
class _Trail:
    """What is known of a running call."""

    given: Any
    generation: int
    reports: list[HandlerReport] = field(default_factory=list)


@dataclass(slots=True)
class StepReader:
    """Follows the running calls through the events, and tells of the stopped ones."""

    seq: int = 0
    """Number of the newest event that was read."""
    _trails: dict[int, _Trail] = field(default_factory=dict)

    def absorb(self, entries: Iterable[Entry]) -> None:
        """Read events that came since `seq`."""
        for seq, _at, event in entries:
            if seq <= self.seq:
                continue
            self.seq = seq
            match event:
                case CallStarted():
                    self._trails[event.call] = _Trail(event.input, event.generation)
                case HandlerEnded():
                    if event.call in self._trails:
                        self._trails[event.call].reports.append(event.report)
                case CallEnded():
                    self._trails.pop(event.call, None)
                case _:
                    pass

    @property
    def on_their_way(self) -> frozenset[int]:
        """The calls that have begun and not ended."""
        return frozenset(self._trails)

    def stopped(self, session: Session, now: float) -> tuple[StoppedCall, ...]:
        """Return the calls that are stopped, the one that stopped first at the head.

        Args:
            session: what to read.
            now: monotonic seconds by the session's clock.
        """
        held = session.stepper.stopped
        waiting = max(len(session.running) - len(held), 0) + len(session.queued)
        return tuple(self._read(session, one, now, waiting) for one in held)

    def _read(self, session: Session, stopped: Stopped, now: float, waiting: int) -> StoppedCall:
        point = stopped.point
        trail = self._trails.get(point.call, _Trail(MISSING, session.generation.number))
        generation = next((one for one in _newest_first(session) if one.number == trail.generation), session.generation)
        tool = generation.lookup(point.tool)
        executor = None if tool is None else tool.descriptor.executor
        return StoppedCall(
            call=point.call,
            tool=point.tool,
            stage=point.stage,
            when=point.when,
            handler=point.handler,
            position=point.position,
            total=point.total,
            arguments=point.arguments,
            given={} if trail.given is MISSING else trail.given,
            result=point.result,
            executor="" if executor is None else str(executor),
            before=() if tool is None else tool.before,
            after=() if tool is None else tool.after,
            done=tuple(trail.reports),
            held=max(now - stopped.since, 0.0),
            waiting=waiting,
        )


def _newest_first(session: Session) -> Iterator[Generation]:
    return reversed(session.generations)
