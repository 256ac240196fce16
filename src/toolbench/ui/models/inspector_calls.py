"""The inspector's last tab: the calls of a tool, newest first, the newest one whole."""

from __future__ import annotations

from collections.abc import Sequence

from toolbench.text import duration, plural
from toolbench.tools.hooks import MISSING
from toolbench.ui.models.call_log import LoggedCall
from toolbench.ui.models.json_text import compact
from toolbench.ui.models.lines import EMPTY, Line, Lines, heading, line
from toolbench.ui.models.result_text import one_line, report_lines, verdict_mark


def calls_lines(calls: Sequence[LoggedCall]) -> Lines:
    """Return a line or two for each call, and the account of the newest that ended."""
    if not calls:
        return (line(("no calls yet  ", "dim"), ("f fires one", "accent")),)
    ended = next((one.report for one in calls if one.report is not None), None)
    rows = [row for one in calls for row in call_rows(one)]
    return (
        heading(plural(len(calls), "call"), "newest first"),
        *rows,
        *((EMPTY, heading("The newest that ended"), *report_lines(ended)) if ended is not None else ()),
    )


def call_rows(one: LoggedCall) -> tuple[Line, ...]:
    """Return a call with its input, and below it how its result begins."""
    given = "no input" if one.input is MISSING else compact(one.input, 120)
    if one.report is None:
        return (line(("… ", "accent"), (f"#{one.call} ", "label"), (given, ""), ("  running", "accent"), limit=160),)
    mark, style = verdict_mark(one.report.verdict)
    return (
        line(
            (f"{mark} ", style),
            (f"#{one.call} ", "label"),
            (given, ""),
            (f"  {one.report.verdict}", style),
            (f"  {duration(one.report.duration)}", "dim"),
            limit=160,
        ),
        line(("      → ", "dim"), (one_line(one.report.result.content), "dim"), limit=160),
    )
