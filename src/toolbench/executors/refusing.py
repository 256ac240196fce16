"""An executor for a tool that must not run, or that nothing runs."""

from __future__ import annotations

from typing import Any

from toolbench.executors.errors import ToolError
from toolbench.tools.executor import Executor, ToolContext


def refusing_executor(message: str) -> Executor:
    """Return an executor that fails with `message`."""

    async def run(_arguments: dict[str, Any], _context: ToolContext) -> Any:
        raise ToolError(message)

    return run
