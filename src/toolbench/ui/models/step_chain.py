"""The chain of a stopped call: what ran, where it stands, what is still to come (workbench: Step)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolbench.text import duration
from toolbench.tools.hooks import MISSING
from toolbench.ui.models.json_text import Bounds, compact, json_lines
from toolbench.ui.models.lines import Line, Lines, heading, line
from toolbench.ui.models.result_text import HANDLER_STYLES, content_lines

if TYPE_CHECKING:
    from toolbench.tools.hooks import Handler, HandlerReport


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppedCall:
    """All that the dock shows of one stopped call, read from the session once."""

    call: int
    tool: str
    stage: str
    """before, execute or after."""
    when: str
    """enter or leave."""
    handler: str | None
    position: int
    """Place in the chain, from 0."""
    total: int
    arguments: Any
    """As the next one will get them."""
    given: Any
    """As the model sent them."""
    result: Any = None
    executor: str = ""
    before: Sequence[Handler] = ()
    after: Sequence[Handler] = ()
    done: Sequence[HandlerReport] = ()
    held: float = 0.0
    """Seconds."""
    waiting: int = 0
    """Calls and changes that wait for the lock."""


def held_words(seconds: float) -> str:
    """Return a time as minutes and seconds: `00:12`."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes:02d}:{rest:02d}"


def title_line(stop: StoppedCall, others: int) -> Line:
    """Return where the call stands and how long it has been held.

    Args:
        stop: the call.
        others: how many more calls are stopped.
    """
    handler = _handler(stop)
    where = f"{handler.file}:{handler.line}" if handler is not None and handler.file is not None else ""
    place = f"{stop.stage} {stop.position + 1} of {stop.total}" if stop.stage != "execute" else "execute"
    waits = f", {stop.waiting} wait{'s' if stop.waiting == 1 else ''}" if stop.waiting else ""
    return line(
        ("Stopped ", "warn"),
        (f"#{stop.call} {stop.tool}", "title"),
        (f"  {place}", ""),
        (", after it ran" if stop.when == "leave" else "", "dim"),
        (f"  held {held_words(stop.held)}{waits}", "warn"),
        (f"  {stop.handler or ''}", ""),
        (f"  {where}", "link"),
        (f"  +{others} more stopped" if others else "", "accent"),
        limit=120,
    )


def _handler(stop: StoppedCall) -> Handler | None:
    """Return the handler that the call stands at."""
    chain = stop.before if stop.stage == "before" else stop.after
    return next((one for one in chain if one.id == stop.handler), None)


def chain_lines(stop: StoppedCall) -> Lines:
    """Return the chain with the position in it, one line for each handler and one for the executor."""
    return tuple(_chain(stop))


def _chain(stop: StoppedCall) -> Iterator[Line]:
    done = {(one.stage, one.id): one for one in stop.done}
    for handler in stop.before:
        yield _handler_line(handler, stop, done.get(("before", handler.id)))
    here = stop.stage == "execute"
    ran = stop.stage == "after" or (here and stop.when == "leave")
    mark = ("▸ ", "warn") if here else ("✓ ", "ok") if ran else ("  ", "")
    note = "not yet" if not ran and not here else "next" if here and not ran else "ran"
    yield line(mark, (f"{stop.executor or 'executor'}  ", "accent"), (note, "warn" if here else "dim"), limit=80)
    for handler in stop.after:
        yield _handler_line(handler, stop, done.get(("after", handler.id)))


def _handler_line(handler: Handler, stop: StoppedCall, report: HandlerReport | None) -> Line:
    """Return one handler with what it did, or that it is next."""
    if report is not None:
        style = HANDLER_STYLES.get(report.verdict, "bad")
        changed = f"  ~ {' '.join(report.changed)}" if report.changed else ""
        return line(
            ("✓ ", "ok"),
            (f"{handler.id}  ", ""),
            (report.verdict, style),
            (changed, "added"),
            (f"  {duration(report.duration)}", "dim"),
            limit=80,
        )
    if handler.id == stop.handler and handler.stage == stop.stage:
        return line(
            ("▸ ", "warn"), (f"{handler.id}  ", "title"), ("next" if stop.when == "enter" else "ran", "warn"), limit=80
        )
    return line(("  ", ""), (handler.id, "dim"), ("  disabled" if not handler.enabled else "", "dim"), limit=80)


def now_lines(stop: StoppedCall) -> Lines:
    """Return the arguments as the next one gets them; in an after stage also the result as it stands."""
    bounds = Bounds(lines=200, string=500)
    arguments = (heading("args now"), *json_lines(stop.arguments, bounds))
    content = getattr(stop.result, "content", None)
    if not isinstance(content, list):
        return arguments
    return (heading("result now"), *content_lines(content), *arguments)


def change_lines(stop: StoppedCall, pointers: Sequence[str]) -> Lines:
    """Return what differs from what the model sent.

    Args:
        stop: the call.
        pointers: the JSON pointers that differ (`tools.jsonvalue.diff`).
    """
    head = heading("changed since the model")
    if not pointers:
        return (head, line(("nothing", "dim")))
    return (head, *(_change_line(stop, pointer) for pointer in pointers[:50]))


def _change_line(stop: StoppedCall, pointer: str) -> Line:
    """Return what became of one value: it is new, gone, or another."""
    was, now = _at(stop.given, pointer), _at(stop.arguments, pointer)
    key = (f"{pointer}: ", "key")
    before, after = (compact(was, 120), "removed"), (compact(now, 120), "added")
    if was is MISSING:
        return line(("+ ", "added"), key, after, limit=200)
    if now is MISSING:
        return line(("− ", "removed"), key, before, limit=200)
    return line(("~ ", "accent"), key, before, (" → ", "dim"), after, limit=200)


def _at(value: Any, pointer: str) -> Any:
    """Return the value at a JSON pointer, `MISSING` where there is nothing."""
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list | tuple) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return MISSING
    return value
