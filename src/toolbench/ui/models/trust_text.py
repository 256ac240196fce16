"""What a session would run if it were trusted, in the words in which the question is asked (formats: Trust)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from toolbench.text import plural
from toolbench.ui.models.lines import EMPTY, Line, Lines, heading, line

if TYPE_CHECKING:
    from toolbench.session.runnable import Runnable

KINDS: Final = (
    ("hooks", "Hook files", "run as soon as it is trusted, and at every call"),
    ("mcp", "Servers", "started as soon as it is trusted"),
    ("python", "Python tools", "run when the tool is called"),
    ("command", "Programs", "run when the tool is called"),
    ("builtin", "Built-in tools that change things", "run when the tool is called"),
)
MAX_SHOWN: Final = 400


def trust_lines(runnable: Sequence[Runnable], folder: str, *, trusted: bool) -> Lines:
    """Return the question with all that would run.

    Args:
        runnable: what trust would allow.
        folder: the session's, to which the answer belongs.
        trusted: whether the session is trusted now.
    """
    state = (
        ("it is trusted now", "ok") if trusted else ("restricted: all is planned and shown, none of this runs", "warn")
    )
    head = (line(("Folder  ", "label"), (folder, "")), line(("State   ", "label"), state), EMPTY)
    if not runnable:
        return (*head, line(("This session runs no code of its own: there is nothing to trust.", "ok")))
    lines: list[Line] = [
        *head,
        line((f"Trusting it would allow {plural(len(runnable), 'thing')} to run on this machine:", "title")),
    ]
    known = {kind for kind, _, _ in KINDS}
    kinds = (*KINDS, *((one.kind, one.kind, "") for one in runnable if one.kind not in known))
    for kind, title, note in dict.fromkeys(kinds):
        lines.extend(_group([one for one in runnable if one.kind == kind], title, note))
    return tuple(lines)


def _group(members: Sequence[Runnable], title: str, note: str) -> list[Line]:
    """Return the things of one kind."""
    if not members:
        return []
    lines = [EMPTY, heading(f"{title} ({len(members)})", note)]
    lines += [
        line(("  ▸ ", "warn"), (one.what, ""), (f"  {one.where}", "link"), limit=500) for one in members[:MAX_SHOWN]
    ]
    if len(members) > MAX_SHOWN:
        lines.append(line((f"  … {len(members) - MAX_SHOWN} more", "warn")))
    return lines
