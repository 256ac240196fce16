"""`tool_use` in, `tool_result` out (R-DISP 1, 5, 11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from toolbench.tools.hooks import MISSING


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One `tool_use` block. `input` is as received: missing, an object, text, or anything wrong (R-DISP 5)."""

    id: str
    name: str
    input: Any = MISSING


class ToolResult(NamedTuple):
    """One `tool_result` block; exactly one answers each `tool_use` (R-DISP 1)."""

    tool_use_id: str
    content: list[dict[str, Any]]
    is_error: bool = False
    details: Any = None
    structured: Any = None
    terminate: bool = False

    def block(self) -> dict[str, Any]:
        """Return the block as the model gets it."""
        return {
            "type": "tool_result",
            "tool_use_id": self.tool_use_id,
            "content": self.content,
            "is_error": self.is_error,
        }
