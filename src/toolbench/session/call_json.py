"""The JSON of `toolbench call` (formats: JSON of the commands)."""

from __future__ import annotations

from typing import Any

from toolbench.tools.hooks import HandlerReport
from toolbench.tools.report import BatchReport, CallReport

FORMAT = 1


def call_json(report: CallReport) -> dict[str, Any]:
    """Return one call's report as JSON data."""
    return {
        "toolbench": FORMAT,
        "result": report.result.block(),
        "executed": report.executed,
        "verdict": report.verdict,
        "generation": report.generation,
        "duration_ms": milliseconds(report.duration),
        "arguments": None if report.arguments is None else dict(report.arguments),
        "hooks": [handler_json(one) for one in report.hooks],
        "flags": list(report.flags),
        "why": None if report.why is None else dict(report.why),
    }


def batch_json(report: BatchReport) -> dict[str, Any]:
    """Return a batch's reports, in the order of its calls."""
    return {
        "toolbench": FORMAT,
        "results": [call_json(one) for one in report.reports],
        "terminate": report.terminate,
    }


def handler_json(report: HandlerReport) -> dict[str, Any]:
    """Return what one handler did; what it saw and left is only in the events."""
    return {
        "id": report.id,
        "stage": report.stage,
        "verdict": report.verdict,
        "reason": report.reason,
        "changed": list(report.changed),
        "duration_ms": milliseconds(report.duration),
        "file": report.file,
        "line": report.line,
        "flags": list(report.flags),
    }


def milliseconds(seconds: float) -> float:
    """Return a time span in milliseconds, to the microsecond."""
    return round(seconds * 1000, 3)
