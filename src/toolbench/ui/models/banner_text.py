"""What a person must know before anything else: a failed plan, broken sources, code that is held back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolbench.text import plural
from toolbench.ui.models.lines import Line, line

if TYPE_CHECKING:
    from toolbench.session.session import Session

LIMIT = 200


@dataclass(frozen=True, slots=True)
class Banner:
    """One line of warning, and where its cause can be mended."""

    severity: str
    """error or warning."""
    line: Line
    file: str | None = None
    """Relative to the session's folder where it is below it."""
    row: int | None = None


def banners(session: Session) -> tuple[Banner, ...]:
    """Return what is wrong, the worst first."""
    found: list[Banner] = []
    generation = session.generation
    error = generation.error
    if error is not None:
        origin = error.origin
        kept = f"  the tools below are still those of generation {generation.number}" if generation.stale else ""
        words = line(
            ("✗ a host stops here: ", "bad"),
            error.message,
            (_place(origin.file, origin.line), "dim"),
            (kept, "warn"),
            limit=LIMIT,
        )
        found.append(Banner("error", words, origin.file, origin.line))
    found.extend(_sources(session))
    if session.runnable and not session.trusted:
        what = plural(len(session.runnable), "thing")
        words = line(
            ("⚠ restricted: ", "warn"),
            f"{what} of this session would run code and may not.  ",
            ("t", "accent"),
            " shows them and asks",
        )
        found.append(Banner("warning", words))
    return tuple(found)


def _sources(session: Session) -> list[Banner]:
    """Return the sources that failed, or that live on their last good version."""
    found: list[Banner] = []
    for source in session.sources:
        if source.state not in ("stale", "error"):
            continue
        kept = "  its last good tools stay, marked stale" if source.state == "stale" else ""
        problem = next((one for one in session.problems if one.severity == "error" and one.file in source.files), None)
        words = line(
            (f"✗ {source.id}: ", "bad"),
            source.error or source.state,
            (kept, "warn"),
            ("  o opens it", "dim") if problem else "",
            limit=LIMIT,
        )
        file = problem.file if problem else None
        found.append(Banner("error", words, file, problem.line if problem else None))
    return found


def _place(file: str | None, row: int | None) -> str:
    if file is None:
        return ""
    return f"  {file}:{row}" if row else f"  {file}"
