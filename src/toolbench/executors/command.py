"""Programs as tools: argument words without a shell, JSON on standard input (formats: the `run:` table)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from toolbench.executors.errors import ToolError
from toolbench.running.program import ending, run_program
from toolbench.tools.executor import Executor, ToolContext

_PLACE: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_-]*)\}")


def command_executor(argv: Sequence[str], *, stdin_json: bool, folder: str) -> Executor:
    """Return an executor that starts a program for each call.

    Args:
        argv: the program and its words; `{name}` in a word is filled in from the arguments and stays within that word.
        stdin_json: write the arguments to its standard input as JSON.
        folder: where it starts.
    """

    async def run(arguments: dict[str, Any], _context: ToolContext) -> Any:
        words = [_PLACE.sub(lambda match: _word(arguments, match), word) for word in argv]
        stdin = json.dumps(arguments).encode() if stdin_json else b""
        try:
            finished = await run_program(words, folder=folder, stdin=stdin)
        except (OSError, ValueError) as error:
            raise ToolError(f"{words[0]} cannot be started: {error}") from None
        failure = ending(finished)
        if failure is not None:
            output = finished.stderr.strip() or finished.stdout.strip()
            raise ToolError(f"{failure}\n{output}" if output else failure)
        try:
            return json.loads(finished.stdout)
        except (ValueError, RecursionError):
            return finished.stdout + ("\n(output was cut)" if finished.cut else "")

    return run


def _word(arguments: dict[str, Any], match: re.Match[str]) -> str:
    """Return the text for one place; an argument that was not given is empty text."""
    name = match.group(1)
    if name not in arguments:
        return ""
    value = arguments[name]
    return value if isinstance(value, str) else json.dumps(value)
