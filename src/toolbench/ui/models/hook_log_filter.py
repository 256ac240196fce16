"""Which calls and events a filter of the hook log lets pass."""

from __future__ import annotations

from typing import Final

from toolbench.tools.events import HandlerEnded, HandlerStarted
from toolbench.ui.models.filter_query import FilterQuery, Token
from toolbench.ui.models.log_groups import Group

KEYS: Final = ("tool", "hook", "verdict", "call", "kind")
HINT: Final = "words  tool:  hook:  verdict:  call:  kind:call|session"


def group_passes(group: Group, query: FilterQuery) -> bool:
    """Tell whether a call, or an event that belongs to none, is shown; a call is shown whole."""
    return all(_holds(group, token) is not token.negated for token in query.tokens)


def _holds(group: Group, token: Token) -> bool:
    value = token.value
    match token.key:
        case "tool":
            return group.call is not None and value in group.name.lower()
        case "call":
            return group.call is not None and value in ("", str(group.call))
        case "kind":
            return ("call" if group.call is not None else "session").startswith(value)
        case "verdict":
            return any(value in one for one in _verdicts(group))
        case "hook":
            return any(value in one for one in _hooks(group))
        case _:
            return any(value in word.lower() for word in group.words)


def _verdicts(group: Group) -> list[str]:
    """Return what came of a call and of each of its handlers."""
    found = [line.entry.event.report.verdict for line in group.lines if isinstance(line.entry.event, HandlerEnded)]
    return [*found, group.report.verdict] if group.report is not None else list(found)


def _hooks(group: Group) -> list[str]:
    """Return the ids of a call's handlers, in lower case."""
    events = [line.entry.event for line in group.lines]
    return [
        *(event.report.id.lower() for event in events if isinstance(event, HandlerEnded)),
        *(event.id.lower() for event in events if isinstance(event, HandlerStarted)),
    ]
