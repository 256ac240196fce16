"""What is wrong with arguments as one types them, each fault with its place in the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolbench.tools.schema import Validator
from toolbench.ui.models.json_edit import Place, parse_json, place_of
from toolbench.ui.models.lines import Line, Lines, line

MAX_SHOWN: Final = 6


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of the text."""

    message: str
    place: Place | None = None
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """A text held against a schema."""

    value: Any = None
    is_json: bool = False
    problems: tuple[Problem, ...] = ()


class ArgumentChecker:
    """Holds texts against one schema; made anew when the schema is another."""

    def __init__(self, schema: Any) -> None:
        """Take a schema as a definition holds it, valid or not."""
        self._validator = Validator(schema)

    def check(self, text: str) -> Checked:
        """Read a text as JSON and hold it against the schema. Never raises."""
        parsed = parse_json(text)
        if parsed.fault is not None:
            return Checked(problems=(Problem(parsed.fault, parsed.place),))
        if not isinstance(parsed.value, Mapping):
            return Checked(parsed.value, True, (Problem("arguments are an object: {…}", Place(1, 1)),))
        found = self._validator.problems(parsed.value)
        shown = tuple(Problem(message, place_of(text, pointer), pointer) for pointer, message in found[:MAX_SHOWN])
        rest = (Problem(f"and {len(found) - MAX_SHOWN} more"),) if len(found) > MAX_SHOWN else ()
        return Checked(parsed.value, True, (*shown, *rest))


def check_lines(checked: Checked) -> Lines:
    """Return the verdict on a text, or its faults with their places."""
    if not checked.problems:
        return (line(("✓ valid", "ok"), ("  what is shown is what is sent", "dim")),)
    return tuple(_problem_line(one) for one in checked.problems)


def _problem_line(one: Problem) -> Line:
    return line(
        ("✗ ", "bad"),
        (f"{one.place}  " if one.place is not None else "", "link"),
        (f"{one.pointer}  " if one.pointer else "", "key"),
        (one.message, ""),
        limit=300,
    )
