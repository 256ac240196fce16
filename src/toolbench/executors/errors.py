"""How executors say that a call went wrong."""

from __future__ import annotations


class ToolError(Exception):
    """The tool failed; its message is the error result that the model gets (R-DISP 10)."""
