"""Canned results: what a definition's `reply:` says (formats: the `run:` table)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import count
from typing import Any, Final

from toolbench.executors.errors import ToolError
from toolbench.tools.executor import Executor, ToolContext
from toolbench.tools.jsonvalue import copy_json

_PLACE: Final = re.compile(r"\$\{input\.([^{}]{1,200})\}")


def reply_executor(reply: Any) -> Executor:
    """Return an executor that answers `reply`.

    `{error: …}` fails with that message; `{sequence: […]}` answers one item after another and stays with the last.
    `${input.a.b}` in a text is filled in from the arguments; anything else is literal.
    """
    calls = count()

    async def run(arguments: dict[str, Any], _context: ToolContext) -> Any:
        answer = reply
        if isinstance(answer, Mapping) and set(answer) == {"sequence"} and isinstance(answer["sequence"], list):
            items = answer["sequence"]
            answer = items[min(next(calls), len(items) - 1)] if items else None
        if isinstance(answer, Mapping) and set(answer) == {"error"}:
            message = _filled(answer["error"], arguments)
            raise ToolError(message if isinstance(message, str) else json.dumps(message, default=repr))
        return _filled(copy_json(answer), arguments)

    return run


def canned_executor(name: str) -> Executor:
    """Return the executor of an imported tool that nothing runs: it says so, and what it got."""

    async def run(arguments: dict[str, Any], _context: ToolContext) -> Any:
        received = json.dumps(arguments, ensure_ascii=False, default=repr)
        return f"(canned reply: nothing runs {name} here. It received {received})"

    return run


def _filled(value: Any, arguments: Mapping[str, Any]) -> Any:
    """Return a value with the places in its texts filled in; a text that is one place alone keeps the value's type."""
    if isinstance(value, str):
        whole = _PLACE.fullmatch(value)
        if whole is not None:
            found, there = _look_up(arguments, whole.group(1))
            return copy_json(found) if there else value
        return _PLACE.sub(lambda match: _text(arguments, match), value)
    if isinstance(value, dict):
        return {key: _filled(item, arguments) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, arguments) for item in value]
    return value


def _text(arguments: Mapping[str, Any], match: re.Match[str]) -> str:
    """Return the text for one place; a place that leads nowhere stays as it is written."""
    found, there = _look_up(arguments, match.group(1))
    if not there:
        return match.group()
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False, default=repr)


def _look_up(arguments: Mapping[str, Any], path: str) -> tuple[Any, bool]:
    """Walk a dotted path through objects and list indexes."""
    node: Any = arguments
    for part in path.split("."):
        if isinstance(node, Mapping) and part in node:
            node = node[part]
        elif isinstance(node, list) and part.isdecimal() and int(part) < len(node):
            node = node[int(part)]
        else:
            return None, False
    return node, True
