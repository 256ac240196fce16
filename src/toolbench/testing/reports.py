"""Short ways to what a test wants to know of a call's report."""

from __future__ import annotations

from toolbench.tools.report import CallReport


def result_text(report: CallReport) -> str:
    """Return the text blocks of a call's result, joined by line breaks."""
    return "\n".join(block["text"] for block in report.result.content if isinstance(block.get("text"), str))


def hook_verdicts(report: CallReport) -> dict[str, str]:
    """Return the verdict of each handler that ran, by its id and in the order of the chain."""
    return {hook.id: hook.verdict for hook in report.hooks}
