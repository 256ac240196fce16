"""What `check` found, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from toolbench.cli.output import paint
from toolbench.files.problems import Problem
from toolbench.text import plural, safe

COLOURS: Final = {"error": "red", "warning": "yellow", "info": "blue"}


def problem_lines(problems: Sequence[Problem]) -> Iterator[str]:
    """Yield a line per problem, its fix below it, and the count at the end; foreign text is made safe."""
    for one in problems:
        place = ":".join(str(part) for part in (one.file, one.line, one.column) if part is not None)
        where = f"{safe(place)}: " if place else ""
        at = f"  [{safe(one.path, 80)}]" if one.path else ""
        tool = f"{safe(one.tool, 80)}: " if one.tool else ""
        severity = paint(one.severity, COLOURS[one.severity])
        yield f"{where}{severity} {one.code}: {tool}{safe(one.message, 400)}{at}"
        if one.fix:
            yield f"    {safe(one.fix, 200)}"
    counts = Counter(one.severity for one in problems)
    told = [plural(counts[kind], kind) for kind in ("error", "warning") if counts[kind]]
    yield ", ".join(told) if told else "nothing wrong"
