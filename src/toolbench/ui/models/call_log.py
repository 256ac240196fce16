"""The calls of each tool, gathered from the stream of events and bounded."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from toolbench.tools.events import CallEnded, CallStarted, Entry
from toolbench.tools.hooks import HandlerReport
from toolbench.tools.report import CallReport

KEPT_PER_TOOL: Final = 50
KEPT_TOOLS: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedCall:
    """One call, running or ended."""

    call: int
    id: str
    name: str
    input: Any
    generation: int
    at: float
    """Monotonic seconds at its start."""
    report: CallReport | None = None
    """None while it runs."""

    @property
    def hooks(self) -> tuple[HandlerReport, ...]:
        """What its handlers did."""
        return () if self.report is None else self.report.hooks


@dataclass(slots=True)
class CallLog:
    """Reads each event once; holds the newest calls of each tool."""

    seq: int = 0
    """Number of the newest event that was read."""
    _by_tool: OrderedDict[str, deque[LoggedCall]] = field(default_factory=OrderedDict)
    _tool_of: dict[int, str] = field(default_factory=dict)
    """The tools of running calls, by number."""

    def absorb(self, entries: Iterable[Entry]) -> frozenset[str]:
        """Read events that came since `seq`; return the tools whose calls changed."""
        changed: set[str] = set()
        for seq, at, event in entries:
            if seq <= self.seq:
                continue
            self.seq = seq
            if isinstance(event, CallStarted):
                self._start(event, at)
                changed.add(event.name)
            elif isinstance(event, CallEnded):
                changed.add(self._end(event))
        return frozenset(changed)

    def of(self, name: str) -> tuple[LoggedCall, ...]:
        """Return the kept calls of a tool, newest first."""
        return tuple(reversed(self._by_tool.get(name, ())))

    def _start(self, event: CallStarted, at: float) -> None:
        calls = self._by_tool.setdefault(event.name, deque(maxlen=KEPT_PER_TOOL))
        self._by_tool.move_to_end(event.name)
        calls.append(
            LoggedCall(
                call=event.call, id=event.id, name=event.name, input=event.input, generation=event.generation, at=at
            )
        )
        self._tool_of[event.call] = event.name
        if len(self._by_tool) > KEPT_TOOLS:
            self._by_tool.popitem(last=False)

    def _end(self, event: CallEnded) -> str:
        name = self._tool_of.pop(event.call, event.report.name)
        calls = self._by_tool.get(name, ())
        for place in range(len(calls) - 1, -1, -1):
            if calls[place].call == event.call and isinstance(calls, deque):
                calls[place] = replace(calls[place], report=event.report)
                break
        return name
