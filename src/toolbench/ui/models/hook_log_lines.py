"""The hook log's lines as spans, made when they come on the screen."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from toolbench.text import duration, plural
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

INDENT: Final = " " * 12
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
        return _change(one)
    return _step(one)


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


def _columns(what: str, who: str, verdict: tuple[str, str], took: float | None, *rest: Span) -> Line:
    """Return a line of a call in the columns of the log."""
    shown = "" if took is None else duration(took)
    return (
        Span(INDENT),
        Span(fit(what, 9), "dim"),
        Span(" "),
        *line((fit(_safe(who), 18), "")),
        Span(" "),
        Span(fit(_safe(verdict[0]), 9), verdict[1]),
        Span(f"{shown:>8}  ", "dim"),
        *rest,
    )


def _safe(text: str) -> str:
    """Return text made safe before it is measured: a mark may be wider than what it stands for."""
    return "".join(span.text for span in line(text, limit=LIMIT))


def _step(one: LogLine) -> Line:  # noqa: PLR0912 - one case for each kind of event
    """Return the line of one event of a call."""
    match one.entry.event:
        case CallLookedUp() as event:
            if event.found:
                return _columns("lookup", event.source or "", ("found", "ok"), None, *line((event.executor or "", "dim")))
            bucket = str((event.why or {}).get("bucket", "unknown"))
            return _columns("lookup", "", ("✗ none", "bad"), None, *line((f"it is {bucket}", "warn"), limit=LIMIT))
        case CallPrepared() as event:
            return _columns("prepare", "", ("changed", "accent"), None, *line((", ".join(event.flags), "dim"), limit=LIMIT))
        case CallValidated() as event:
            if event.ok:
                return _columns("validate", "", ("✓ ok", "ok"), None)
            pointer, message = event.problems[0] if event.problems else ("", "")
            more = f"  and {plural(len(event.problems) - 1, 'more')}" if len(event.problems) > 1 else ""
            rest = line((f"{pointer or '/'}  ", "key"), (message, "bad"), (more, "dim"), limit=LIMIT)
            return _columns("validate", "", ("✗ fails", "bad"), None, *rest)
        case CallWaiting() as event:
            return _columns(event.stage, "", ("⧗ waits", "accent"), None, *line((f"for {event.holder}", "dim"), limit=LIMIT))
        case HandlerStarted() as event:
            place = line((f"{event.position + 1} of {event.total}", "dim"))
            return _columns(event.stage, event.id, ("… runs", "accent"), None, *place)
        case HandlerEnded():
            return _handler(one)
        case ExecutionStarted() as event:
            limit = line((f"may take {duration(event.limit)}", "dim"))
            return _columns("execute", event.executor, ("… runs", "accent"), None, *limit)
        case ExecutionProgress() as event:
            update = line((f"×{one.count} " if one.count > 1 else "", "accent"), (compact(event.update, 160), "dim"))
            return _columns("progress", "", ("", ""), None, *update)
        case ExecutionEnded() as event:
            verdict = ("✓ ok", "ok") if event.outcome == "ok" else (f"✗ {event.outcome}", "bad")
            return _columns("execute", "", verdict, event.duration, *line((event.message or "", "bad"), limit=LIMIT))
        case CallStopped() as event:
            where = f"{event.when} {event.handler or event.stage}"
            return _columns("stopped", where, ("‖ held", "warn"), None)
        case CallResumed() as event:
            return _columns("stopped", "", (event.action, "accent"), event.held)
        case LateResult() as event:
            return _columns("late", event.what, ("dropped", "warn"), event.after)
        case CallEnded(report=report):
            return _result(report)
        case _:
            return line(INDENT)


def _handler(one: LogLine) -> Line:
    """Return what a handler did, with the first thing that it changed."""
    event = one.entry.event
    assert isinstance(event, HandlerEnded)
    report = event.report
    style = HANDLER_STYLES.get(report.verdict, "bad")
    rest: list[Span] = []
    if report.reason:
        rest.extend(line((f"{report.reason}  ", style if style != "dim" else ""), limit=LIMIT))
    if report.changed:
        rest.extend(change_line(report.saw, report.left, report.changed[0]))
        rest.append(Span("  "))
    rest.extend(line((f"⚑ {', '.join(report.flags)}  " if report.flags else "", "warn"), limit=LIMIT))
    if report.file:
        rest.extend(line((f"{report.file}:{report.line}" if report.line else report.file, "dim"), limit=LIMIT))
    return _columns(report.stage, report.id, (report.verdict, style), report.duration, *rest)


def _change(one: LogLine) -> Line:
    """Return a further thing that a handler changed."""
    event = one.entry.event
    assert isinstance(event, HandlerEnded)
    report = event.report
    changed = change_line(report.saw, report.left, report.changed[one.part])
    return (Span(INDENT + " " * 49), *changed)


def _result(report: CallReport) -> Line:
    """Return the call's result in a few words."""
    mark, style = verdict_mark(report.verdict)
    flags = line((f"⚑ {', '.join(report.flags)}  " if report.flags else "", "warn"), limit=LIMIT)
    return _columns("result", "", (f"{mark} {report.verdict}", style), None, *flags, *result_words(report.result))


def result_words(result: ToolResult, limit: int = 160) -> Line:
    """Return the beginning of a result's text, or what it holds instead."""
    if not result.content:
        return line(("(empty)", "dim"))
    first = result.content[0]
    text = first.get("text") if isinstance(first, dict) else None
    more = f"  and {plural(len(result.content) - 1, 'more block')}" if len(result.content) > 1 else ""
    shown = text if isinstance(text, str) else compact(first, limit)
    return line((shown or "(empty text)", "bad" if result.is_error else ""), (more, "dim"), limit=limit)
