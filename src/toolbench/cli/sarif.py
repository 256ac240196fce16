"""What `check` found, in the form that code hosts read (SARIF 2.1.0)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from toolbench._version import __version__
from toolbench.files.problems import Problem

LEVELS: Final = {"error": "error", "warning": "warning", "info": "note"}


def sarif_json(problems: Sequence[Problem]) -> dict[str, Any]:
    """Return the problems as a SARIF log of one run."""
    rules = sorted({one.code for one in problems})
    driver = {"name": "toolbench", "version": __version__, "rules": [{"id": rule} for rule in rules]}
    return {"version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": [_result(one) for one in problems]}]}


def _result(problem: Problem) -> dict[str, Any]:
    """Return one result; the fix is part of its message."""
    text = problem.message if problem.fix is None else f"{problem.message}. {problem.fix}"
    result: dict[str, Any] = {"ruleId": problem.code, "level": LEVELS[problem.severity], "message": {"text": text}}
    if problem.file is not None:
        region = {"startLine": problem.line, "startColumn": problem.column}
        known = {key: value for key, value in region.items() if value is not None}
        place: dict[str, Any] = {"artifactLocation": {"uri": problem.file}}
        result["locations"] = [{"physicalLocation": place | ({"region": known} if known else {})}]
    return result
