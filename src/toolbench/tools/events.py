"""Everything that a session tells, as typed events in order (R-EVT).

An event is a named tuple: cheap to make, immutable, easy to match. Whoever emits one does not number it; the session's
hub does (`Entry`). `call` is the running number of a call in its session: the model's own id may come twice, the number
does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from toolbench.tools.hooks import HandlerReport, Stage
    from toolbench.tools.report import CallReport


class CallStarted(NamedTuple):
    """A `tool_use` came in."""

    call: int
    id: str
    name: str
    input: Any
    """As received, JSON or not; `MISSING` when the block has none."""
    generation: int
    batch: int | None


class CallLookedUp(NamedTuple):
    """The name was looked up among the visible and active tools (R-DISP 2, 3)."""

    call: int
    found: bool
    source: str | None
    executor: str | None
    why: Mapping[str, Any] | None
    """For the person: why there is no such tool to call."""


class CallPrepared(NamedTuple):
    """The input became arguments in a way worth telling: text parsed, values coerced, defaults filled (R-DISP 2)."""

    call: int
    arguments: Mapping[str, Any]
    flags: tuple[str, ...]


class CallValidated(NamedTuple):
    """The arguments were held against the tool's schema (R-DISP 4)."""

    call: int
    ok: bool
    problems: tuple[tuple[str, str], ...]
    """JSON pointer and message of each failure."""


class CallWaiting(NamedTuple):
    """The call waits for the session's write lock (R-HOOK 6)."""

    call: int
    stage: Stage
    holder: str


class HandlerStarted(NamedTuple):
    """A hook's handler is about to run."""

    call: int
    id: str
    stage: Stage
    position: int
    """Place in the chain, from 0."""
    total: int


class HandlerEnded(NamedTuple):
    """A hook's handler answered, failed or ran out of time (R-HOOK 9)."""

    call: int
    report: HandlerReport


class ExecutionStarted(NamedTuple):
    """The executor was entered."""

    call: int
    executor: str
    limit: float
    """Seconds that it may take (R-DISP 8)."""


class ExecutionProgress(NamedTuple):
    """The executor sent an update (R-DISP 12)."""

    call: int
    update: Any


class ExecutionEnded(NamedTuple):
    """The executor answered, raised, was cancelled or ran out of time (R-DISP 8 to 10)."""

    call: int
    outcome: Literal["ok", "error", "timeout", "aborted"]
    duration: float
    message: str | None


class CallStopped(NamedTuple):
    """A stepper holds the call at a point of its way."""

    call: int
    tool: str
    stage: Literal["before", "execute", "after"]
    when: Literal["enter", "leave"]
    handler: str | None


class CallResumed(NamedTuple):
    """A person let a stopped call go on, or ended it."""

    call: int
    action: str
    held: float
    """Seconds that it stood; counted nowhere else."""


class CallEnded(NamedTuple):
    """The call has its one result (R-DISP 1)."""

    call: int
    report: CallReport


class LateResult(NamedTuple):
    """An executor or handler answered after its call was over; the answer is dropped (R-DISP 8)."""

    call: int
    what: str
    after: float
    """Seconds since its start."""


class GenerationBuilt(NamedTuple):
    """A refresh made a new generation (R-GEN 1)."""

    number: int
    cause: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    """Tools whose definition, bucket or reasons differ."""
    files: tuple[str, ...]
    """Files that caused it, relative to the session's folder."""
    duration: float


class RefreshChangedNothing(NamedTuple):
    """A refresh found equal content: no new generation (R-GEN 2)."""

    cause: str


class SourceChanged(NamedTuple):
    """A source changed its state (R-GEN 3)."""

    source: str
    state: str
    tools: int
    error: str | None


class CommandQueued(NamedTuple):
    """A person's change waits for the write lock (R-HOOK 6)."""

    ticket: int
    label: str
    waits_for: str


class CommandApplied(NamedTuple):
    """A person's change took effect."""

    ticket: int
    label: str
    generation: int


class CommandWithdrawn(NamedTuple):
    """A waiting change was taken back before it took effect."""

    ticket: int
    label: str


class CommandRefused(NamedTuple):
    """A change could not be applied; nothing of it took effect."""

    ticket: int
    label: str
    message: str


class TrustChanged(NamedTuple):
    """The session may run people's code from now on, or no longer."""

    trusted: bool


class WatchChanged(NamedTuple):
    """Watching began, ended or failed."""

    watching: bool
    message: str


class Notice(NamedTuple):
    """Something a person should know that belongs to no call."""

    severity: Literal["info", "warning", "error"]
    code: str
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None


CallEvent: TypeAlias = (
    CallStarted
    | CallLookedUp
    | CallPrepared
    | CallValidated
    | CallWaiting
    | HandlerStarted
    | HandlerEnded
    | ExecutionStarted
    | ExecutionProgress
    | ExecutionEnded
    | CallStopped
    | CallResumed
    | CallEnded
    | LateResult
)
SessionEvent: TypeAlias = (
    GenerationBuilt
    | RefreshChangedNothing
    | SourceChanged
    | CommandQueued
    | CommandApplied
    | CommandWithdrawn
    | CommandRefused
    | TrustChanged
    | WatchChanged
    | Notice
)
Event: TypeAlias = CallEvent | SessionEvent


class Entry(NamedTuple):
    """An event with its place in the stream."""

    seq: int
    at: float
    """Monotonic seconds."""
    event: Event


def event_kind(event_type: type[Any]) -> str:
    """Return the name of an event's type as transcripts and JSON spell it: `CallStarted` is `call-started`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", event_type.__name__).lower()
