"""What must be the same on every machine for a test of a session to give the same answer."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

REMOVED: Final = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "EDITOR", "VISUAL")
REMOVED_PREFIXES: Final = ("TEXTUAL", "TOOLBENCH_", "_TOOLBENCH_")


def clean_environment(set_value: Callable[[str, str], None], remove: Callable[[str], None], home: Path) -> None:
    """Take out of the process environment what changes pictures, colours and remembered trust.

    Args:
        set_value: sets a variable, so that the caller can undo it.
        remove: removes a variable that is set.
        home: a folder of the test's own for everything that is remembered.
    """
    for name in [name for name in os.environ if name in REMOVED or name.startswith(REMOVED_PREFIXES)]:
        remove(name)
    set_value("TERM", "xterm-256color")
    set_value("COLORTERM", "truecolor")
    set_value("TEXTUAL_ANIMATIONS", "none")
    set_value("TZ", "UTC")
    set_value("HOME", str(home))
    for kind in ("CONFIG", "STATE", "CACHE", "DATA"):
        set_value(f"XDG_{kind}_HOME", str(home / kind.lower()))
    set_value("TOOLBENCH_STATE_DIR", str(home / "state" / "toolbench"))
