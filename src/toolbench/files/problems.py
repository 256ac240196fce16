"""What is wrong with a file, told so that a person can mend it: where, what was found, what is wanted (formats)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

Severity: TypeAlias = Literal["error", "warning", "info"]
KeyPath: TypeAlias = tuple[str | int, ...]
"""The way from a document's root to one of its values: keys of mappings and indexes of lists."""

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_$<][A-Za-z0-9_$<-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One complaint. Texts are as found in the file: not made safe to show."""

    severity: Severity
    code: str
    message: str
    file: str | None = None
    """Relative to the session's folder where it is below it."""
    line: int | None = None
    """From 1, like `column`."""
    column: int | None = None
    path: str | None = None
    """The key path in words: `tools[0].input_schema`."""
    tool: str | None = None
    fix: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the problem as `toolbench check --json` writes it."""
        return {
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "path": self.path,
            "tool": self.tool,
            "fix": self.fix,
        }

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.message}" if place else self.message


def path_text(path: KeyPath) -> str:
    """Return a key path in words: `tools[0].input_schema`; a key that is no plain word stands in quotes."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            quoted = part if _PLAIN_KEY.fullmatch(part) else '"' + part.replace("\\", "\\\\").replace('"', '\\"') + '"'
            text += f".{quoted}" if text else quoted
    return text
