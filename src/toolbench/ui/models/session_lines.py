"""Events that belong to no call, in words: for the log, and for messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolbench.text import plural
from toolbench.tools.events import (
    CommandQueued,
    CommandRefused,
    CommandWithdrawn,
    GenerationBuilt,
    Notice,
    SourceChanged,
    TrustChanged,
    WatchChanged,
)
from toolbench.ui.models.lines import Line, line

if TYPE_CHECKING:
    from toolbench.tools.events import Event

NOTICE_STYLES: Final = {"info": ("·", "dim"), "warning": ("⚠", "warn"), "error": ("✗", "bad")}
SOURCE_STYLES: Final = {"ok": "ok", "loading": "accent", "stale": "warn", "error": "bad", "restricted": "warn"}
LIMIT: Final = 300
NAMED: Final = 3
"""How many tools a message names."""


def session_line(event: Event) -> Line:
    """Return an event as one line of spans."""
    match event:
        case GenerationBuilt():
            return generation_line(event)
        case SourceChanged() as source:
            error = f"  {source.error}" if source.error else ""
            return line(
                ("source ", "dim"),
                f"{source.source:<16} ",
                (f"{source.state:<10}", SOURCE_STYLES.get(source.state, "dim")),
                (f" {plural(source.tools, 'tool')}", "dim"),
                (error, "bad"),
                limit=LIMIT,
            )
        case CommandQueued() as queued:
            return line(("◔ ", "accent"), queued.label, (f"  queued behind {queued.waits_for}", "accent"), limit=LIMIT)
        case CommandWithdrawn() as withdrawn:
            return line(("· ", "dim"), withdrawn.label, ("  withdrawn", "dim"), limit=LIMIT)
        case CommandRefused() as refused:
            return line(("✗ ", "bad"), refused.label, (f"  refused: {refused.message}", "bad"), limit=LIMIT)
        case TrustChanged(trusted=trusted):
            words = "trusted: this session may run its code" if trusted else "restricted: no code of the session runs"
            return line((words, "warn"))
        case WatchChanged() as watch:
            return line((watch.message, "dim" if watch.watching else "warn"), limit=LIMIT)
        case Notice() as notice:
            mark, style = NOTICE_STYLES[notice.severity]
            place = ":".join(str(part) for part in (notice.file, notice.line, notice.column) if part is not None)
            return line((f"{mark} ", style), notice.message, (f"  {place}" if place else "", "dim"), limit=LIMIT)
        case _:
            return line(type(event).__name__)


def generation_line(event: GenerationBuilt) -> Line:
    """Return `gen 12  tools.yaml  +1 −0 ~2  roll_dice changed`."""
    return line(
        (f"gen {event.number}", "title"),
        f"  {event.cause}  ",
        (f"+{len(event.added)} ", "added" if event.added else "dim"),
        (f"−{len(event.removed)} ", "removed" if event.removed else "dim"),
        (f"~{len(event.changed)}", "warn" if event.changed else "dim"),
        (f"  {named(event)}", "dim"),
        limit=LIMIT,
    )


def named(event: GenerationBuilt) -> str:
    """Return the first tools that a generation added, removed or changed."""
    words = [
        *(f"{name} added" for name in event.added),
        *(f"{name} removed" for name in event.removed),
        *(f"{name} changed" for name in event.changed),
    ]
    more = f", +{len(words) - NAMED}" if len(words) > NAMED else ""
    return ", ".join(words[:NAMED]) + more
