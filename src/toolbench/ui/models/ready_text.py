"""The ready calls of a session as lines: what each would send, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from toolbench.text import plural
from toolbench.tools.hooks import MISSING
from toolbench.ui.models.inspector_overview import MARKS
from toolbench.ui.models.json_text import compact, json_lines
from toolbench.ui.models.lines import EMPTY, Line, Lines, heading, line
from toolbench.ui.models.result_text import report_lines, verdict_mark

if TYPE_CHECKING:
    from toolbench.files.session_model import ReadyCall
    from toolbench.session.generation import Generation
    from toolbench.tools.report import CallReport


def ready_line(call: ReadyCall, reports: Sequence[CallReport], *, running: bool) -> Line:
    """Return a ready call in one line, marked by what came of it last."""
    kind = f"batch of {len(call.uses)}" if call.batch else ""
    marks: list[tuple[str, str]] = [("… ", "accent")] if running else []
    if not marks:
        found = dict.fromkeys(verdict_mark(one.verdict) for one in reports)
        marks = [(f"{mark} ", style) for mark, style in found] or [("▷ ", "dim")]
    given = "" if call.batch or not call.uses or call.uses[0].input is MISSING else compact(call.uses[0].input, 60)
    return line(*marks, (call.label, "title"), (f"  {kind}" if kind else "", "accent"), (f"  {given}", "dim"), limit=80)


def ready_lines(call: ReadyCall, generation: Generation) -> Lines:
    """Return what a ready call would send, tool by tool, with whether the tool is there to be called."""
    head = heading(call.label, f"line {call.line}" if call.line is not None else "")
    lines: list[Line] = [head]
    if call.batch:
        lines.append(line((f"{plural(len(call.uses), 'call')} as one message", "dim")))
    for use in call.uses[:50]:
        lines += [EMPTY, _tool_line(use.name, generation)]
        lines += (line(("no input", "dim")),) if use.input is MISSING else json_lines(use.input)
    return tuple(lines)


def _tool_line(name: str, generation: Generation) -> Line:
    """Return a tool's name with the bucket that it stands in."""
    rows = generation.buckets.by_name.get(name, ())
    if not rows:
        return line(("✗ ", "bad"), (name, "title"), ("  unknown: the call ends in “not found”", "warn"), limit=160)
    mark, style = MARKS[rows[0].bucket]
    words = "" if rows[0].bucket == "visible" else f"  {rows[0].bucket}: {rows[0].words}"
    return line((f"{mark} ", style), (name, "title"), (words, "warn"), limit=160)


def reports_lines(reports: Sequence[CallReport]) -> Lines:
    """Return the accounts of calls, one below the other."""
    lines: list[Line] = []
    for report in reports[:50]:
        lines += [*report_lines(report), EMPTY]
    return tuple(lines[:-1])
