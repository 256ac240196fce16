"""The exit codes of all commands (formats: Commands)."""

from __future__ import annotations

from typing import Final

OK: Final = 0
PROBLEMS: Final = 1
"""Problems were found, or the tool answered with an error."""
USAGE: Final = 2
"""Wrong usage, or a session that does not load or is not trusted."""
BLOCKED: Final = 3
"""A hook blocked the call."""
INTERRUPTED: Final = 130
