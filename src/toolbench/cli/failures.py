"""How a command fails: an exception with a code, told on standard error as words or as one JSON object."""

from __future__ import annotations

from typing import Any

from toolbench.cli import exit_codes
from toolbench.text import safe_lines

FORMAT = 1


class CommandFailure(Exception):
    """A command cannot give its answer; the message tells the person why."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        exit_code: int = exit_codes.USAGE,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        fix: str | None = None,
    ) -> None:
        """Create a failure.

        Args:
            code: a short name for programs, such as `session-does-not-load`.
            message: words for people; not made safe to show.
            exit_code: see `exit_codes`.
            file: where the fault is.
            line: from 1, like `column`.
            column: see `line`.
            fix: what to do about it.
        """
        super().__init__(message)
        self.code = code
        self.message = message
        self.exit_code = exit_code
        self.file = file
        self.line = line
        self.column = column
        self.fix = fix

    def to_json(self) -> dict[str, Any]:
        """Return the failure as the one JSON object that `--json` puts on standard error."""
        return {
            "toolbench": FORMAT,
            "error": {
                "code": self.code,
                "message": self.message,
                "file": self.file,
                "line": self.line,
                "column": self.column,
                "fix": self.fix,
            },
        }

    def to_text(self) -> str:
        """Return the failure in words that are safe to show."""
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        said = f"{place}: {self.message}" if place else self.message
        return safe_lines(said if self.fix is None else f"{said}\n{self.fix}")
