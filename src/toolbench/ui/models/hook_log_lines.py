"""The hook log's lines as spans, made when they come on the screen."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from toolbench.text import duration, plural, safe
from toolbench.tools.events import (
    CallEnded,
    CallLookedUp,
    CallPrepared,
    CallResumed,
    CallStarted,
    CallStopped,
    CallValidated,
    CallWaiting,
    ExecutionEnded,
    ExecutionProgress,
    ExecutionStarted,
    HandlerEnded,
    HandlerStarted,
    LateResult,
    event_kind,
)
from toolbench.tools.hooks import MISSING
from toolbench.ui.models.columns import fit, spread
from toolbench.ui.models.json_change import change_line
from toolbench.ui.models.json_text import compact
from toolbench.ui.models.lines import Line, Span, line
from toolbench.ui.models.log_groups import Group, LogLine
from toolbench.ui.models.result_text import HANDLER_STYLES, verdict_mark
from toolbench.ui.models.session_lines import session_line

if TYPE_CHECKING:
    from toolbench.tools.blocks import ToolResult
    from toolbench.tools.report import CallReport

INDENT: Final = "     "
STAGE_WIDTH: Final = 9
VERDICT_WIDTH: Final = 8
NARROW: Final = 90
"""Cells below which names get less room."""
LIMIT: Final = 300


def clock_text(wall: float) -> str:
    """Return the time of day, local: `10:02:11`."""
    return time.strftime("%H:%M:%S", time.localtime(wall))


def log_line(group: Group, offset: int, width: int, wall_of: Callable[[float], float]) -> Line:
    """Return one line of the log; its first cell is the cursor's.

    Args:
        group: the call, or the event that belongs to none.
        offset: which of its lines.
        width: cells.
        wall_of: turns the stream's monotonic seconds into seconds since the epoch.
    """
    one = group.lines[offset]
    stamp = Span(f" {clock_text(wall_of(one.entry.at))}  ", "dim")
    if offset == 0 and group.call is not None:
        return spread((stamp, *_call_head(group, one)), _call_end(group), width)
    if group.call is None:
        return (stamp, *session_line(one.entry.event))
    if one.part:
        return _change(one, _who_width(width))
    return _step(group, one, _who_width(width))


def _who_width(width: int) -> int:
    """Return the cells that names of hooks and executors get."""
    return 14 if width < NARROW else 22


def _call_head(group: Group, one: LogLine) -> Line:
    """Return the call's number, tool and input."""
    event = one.entry.event
    given = ""
    if isinstance(event, CallStarted):
        given = " (no input)" if event.input is MISSING else f" {compact(event.input, 160)}"
    return line((f"#{group.call} ", "accent"), (group.name or "?", "title"), given, limit=200)


def _call_end(group: Group) -> Line:
    """Return what came of a call, or that it runs."""
    if group.report is None:
        return line(("… ", "accent"))
    mark, style = verdict_mark(group.report.verdict)
    took = f"  {duration(group.report.duration)}" if group.report.executed else ""
    return line((f"{mark} {group.report.verdict}", style), (f"{took:>9} " if took else " ", "dim"))


def _stage(what: str, *rest: Span) -> Line:
    """Return a line of a call: what is done, and anything about it."""
    return (Span(INDENT), Span(fit(what, STAGE_WIDTH), "dim"), Span(" "), *rest)


def _told(what: str, *parts: str | tuple[str, str]) -> Line:
    """Return a line of a call in words."""
    return _stage(what, *line(*parts, limit=LIMIT))


def _columns(what: str, who: str, verdict: tuple[str, str], took: float | None, who_width: int, *rest: Span) -> Line:
    """Return a line of a call in columns: who did it, what came of it, how long it took."""
    shown = "" if took is None else duration(took)
    return _stage(
        what,
        Span(fit(safe(who, LIMIT), who_width)),
        Span(" "),
        Span(fit(safe(verdict[0], LIMIT), VERDICT_WIDTH), verdict[1]),
        Span(f"{shown:>8}  ", "dim"),
        *rest,
    )


def _step(group: Group, one: LogLine, who_width: int) -> Line:
    """Return the line of one event of a call."""
    match one.entry.event:
        case CallLookedUp() as event:
            return _lookup(event)
        case CallPrepared() as event:
            return _told("prepare", ("~ ", "accent"), (", ".join(event.flags), "dim"))
        case CallValidated() as event:
            return _validation(event)
        case CallWaiting() as event:
            return _told(event.stage, ("◔ ", "accent"), (f"waited for {event.holder}", "dim"))
        case HandlerStarted() as event:
            place = line((f"{event.position + 1} of {event.total}", "dim"))
            return _columns(event.stage, event.id, ("… runs", "accent"), None, who_width, *place)
        case HandlerEnded() as event:
            return _handler(event, who_width)
        case ExecutionStarted() as event:
            limit = line((f"may take {duration(event.limit)}", "dim"))
            return _columns("execute", event.executor, ("… runs", "accent"), None, who_width, *limit)
        case ExecutionProgress() as event:
            return _told("progress", (f"×{one.times} " if one.times > 1 else "", "accent"), compact(event.update, 160))
        case ExecutionEnded() as event:
            verdict = ("✓ ok", "ok") if event.outcome == "ok" else (f"✗ {event.outcome}", "bad")
            message = line((event.message or "", "bad"), limit=LIMIT)
            return _columns("execute", _executor(group), verdict, event.duration, who_width, *message)
        case CallStopped() as event:
            return _told("stopped", ("‖ ", "warn"), f"{event.when} {event.handler or event.stage}")
        case CallResumed() as event:
            return _told("stopped", ("▶ ", "accent"), event.action, (f"  after {duration(event.held)}", "dim"))
        case LateResult() as event:
            return _told("late", ("⚠ ", "warn"), event.what, (f"  after {duration(event.after)}, dropped", "dim"))
        case CallEnded(report=report):
            return _result(report)
        case other:
            return _told(event_kind(type(other)))


def _lookup(event: CallLookedUp) -> Line:
    """Return what the name led to."""
    if event.found:
        return _told("lookup", ("✓ ", "ok"), event.source or "", (f"  {event.executor or ''}", "dim"))
    bucket = str((event.why or {}).get("bucket", "unknown"))
    return _told("lookup", ("✗ ", "bad"), "no such tool to call", (f"  it is {bucket}", "warn"))


def _validation(event: CallValidated) -> Line:
    """Return whether the arguments fit, and the first place where they do not."""
    if event.ok or not event.problems:
        return _told("validate", ("✓ ok", "ok") if event.ok else ("✗ the arguments do not fit", "bad"))
    pointer, message = event.problems[0]
    more = f"  and {len(event.problems) - 1} more" if len(event.problems) > 1 else ""
    return _told("validate", ("✗ ", "bad"), (f"{pointer or '/'}  ", "key"), (message, "bad"), (more, "dim"))


def _executor(group: Group) -> str:
    """Return the name of the executor that the call led to."""
    events = (one.entry.event for one in group.lines[:4])
    return next((event.executor or "" for event in events if isinstance(event, CallLookedUp)), "")


def _handler(event: HandlerEnded, who_width: int) -> Line:
    """Return what a handler did, with the first thing that it changed."""
    report = event.report
    style = HANDLER_STYLES.get(report.verdict, "bad")
    rest: list[Span] = []
    if report.changed:
        rest.extend((*change_line(report.saw, report.left, report.changed[0]), Span("  ")))
    place = f"{report.file}:{report.line}" if report.file and report.line else report.file or ""
    rest.extend(
        line(
            (f"{report.reason}  " if report.reason else "", "" if style == "dim" else style),
            (f"⚑ {', '.join(report.flags)}  " if report.flags else "", "warn"),
            (place, "dim"),
            limit=LIMIT,
        )
    )
    return _columns(report.stage, report.id, (report.verdict, style), report.duration, who_width, *rest)


def _change(one: LogLine, who_width: int) -> Line:
    """Return a further thing that a handler changed."""
    event = one.entry.event
    assert isinstance(event, HandlerEnded)
    report = event.report
    indent = len(INDENT) + STAGE_WIDTH + who_width + VERDICT_WIDTH + 12
    return (Span(" " * indent), *change_line(report.saw, report.left, report.changed[one.part]))


def _result(report: CallReport) -> Line:
    """Return the call's result in a few words."""
    mark, style = verdict_mark(report.verdict)
    flags = line((f"  ⚑ {', '.join(report.flags)}" if report.flags else "", "warn"), limit=LIMIT)
    return _stage("result", Span(f"{mark} ", style), *result_words(report.result), *flags)


def result_words(result: ToolResult, limit: int = 160) -> Line:
    """Return the beginning of a result's text, or what it holds instead."""
    if not result.content:
        return line(("(empty)", "dim"))
    first = result.content[0]
    text = first.get("text")
    more = f"  and {plural(len(result.content) - 1, 'more block')}" if len(result.content) > 1 else ""
    shown = text if isinstance(text, str) else compact(first, limit)
    return line((shown or "(empty text)", "bad" if result.is_error else ""), (more, "dim"), limit=limit)
