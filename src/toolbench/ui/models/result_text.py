"""Results and reports of calls as lines: text as text, bytes and images as their type and size (HAND-20 to 22)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from toolbench.text import duration, plural
from toolbench.ui.models.json_text import Bounds, compact, json_lines
from toolbench.ui.models.lines import EMPTY, Line, Lines, heading, line, paragraph

if TYPE_CHECKING:
    from toolbench.tools.hooks import HandlerReport
    from toolbench.tools.report import CallReport

MAX_BLOCKS: Final = 200
MAX_TEXT: Final = 20_000
VERDICT_STYLES: Final = {
    "ok": ("✓", "ok"),
    "answered": ("✓", "accent"),
    "blocked": ("⊘", "warn"),
    "aborted": ("■", "warn"),
    "refused": ("⊘", "warn"),
}
HANDLER_STYLES: Final = {"pass": "dim", "replace": "accent", "rewrite": "accent", "block": "warn", "ask": "warn"}


def verdict_mark(verdict: str) -> tuple[str, str]:
    """Return the sign and the style of a call's verdict."""
    return VERDICT_STYLES.get(verdict, ("✗", "bad"))


def report_lines(report: CallReport) -> Lines:
    """Return the whole account of a call: the verdict, the result, what the hooks did, what was really run."""
    mark, style = verdict_mark(report.verdict)
    ran = "executor ran" if report.executed else "executor did not run"
    head = line(
        (f"{mark} {report.verdict}", style),
        (f"  #{report.call} {report.name}", "title"),
        limit=200,
    )
    took = f", {duration(report.duration)}" if report.executed else ""
    return (
        head,
        line((f"  {ran}{took} · generation {report.generation} · {report.id}", "dim"), limit=200),
        *(line(("  ⚑ ", "warn"), one, limit=300) for one in report.flags),
        *_why(report.why),
        EMPTY,
        heading("Result", "an error for the model" if report.result.is_error else ""),
        *content_lines(report.result.content),
        *_extra("Structured", report.result.structured),
        *_extra("Details", report.result.details),
        *_hooks(report.hooks),
        EMPTY,
        heading("Arguments", "as the executor got them" if report.executed else "as they stood"),
        *(json_lines(report.arguments) if report.arguments is not None else (line(("none", "dim")),)),
    )


def content_lines(blocks: Sequence[Any]) -> Lines:
    """Return the blocks of a result; an empty result is told as such."""
    lines: list[Line] = []
    for block in blocks[:MAX_BLOCKS]:
        lines.extend(_block(block))
    if len(blocks) > MAX_BLOCKS:
        lines.append(line((f"… {len(blocks) - MAX_BLOCKS} of {len(blocks)} blocks are not shown", "warn")))
    return tuple(lines) if lines else (line(("(empty)", "dim")),)


def _block(block: Any) -> Iterator[Line]:
    """Yield one block's lines."""
    if not isinstance(block, Mapping):
        yield from json_lines(block, Bounds(lines=50))
        return
    text = block.get("text")
    if block.get("type") == "text" and isinstance(text, str):
        yield from paragraph(text, limit=MAX_TEXT) if text else (line(("(empty text)", "dim")),)
        return
    data = _data(block)
    if data is not None:
        yield line((f"({data})", "accent"))
        return
    yield from json_lines(block, Bounds(lines=100, string=1_000))


def _data(block: Mapping[str, Any]) -> str | None:
    """Describe the bytes that a block carries, in Anthropic's or MCP's shape: `image/png, 8 bytes`."""
    source = block.get("source")
    holder = source if isinstance(source, Mapping) else block.get("resource", block)
    if not isinstance(holder, Mapping):
        return None
    data = holder.get("data", holder.get("blob"))
    media = holder.get("media_type") or holder.get("mimeType") or block.get("type")
    if isinstance(data, bytes | bytearray):
        return f"{media}, {plural(len(data), 'byte')}"
    if not isinstance(data, str):
        return None
    return f"{media}, {plural(len(data) * 3 // 4 - data[-2:].count('='), 'byte')}"


def _extra(title: str, value: Any) -> Iterator[Line]:
    if value is not None:
        yield EMPTY
        yield heading(title)
        yield from json_lines(value, Bounds(lines=500))


def _hooks(hooks: Sequence[HandlerReport]) -> Iterator[Line]:
    """Yield what each handler did."""
    if hooks:
        yield EMPTY
        yield heading("Hooks", plural(len(hooks), "handler"))
    for one in hooks:
        yield hook_line(one)


def hook_line(one: HandlerReport) -> Line:
    """Return what a handler did in one line."""
    where = "" if one.file is None else f"  {one.file}" + (f":{one.line}" if one.line is not None else "")
    return line(
        (f"  {one.stage:<6} ", "label"),
        (f"{one.id}  ", ""),
        (one.verdict, HANDLER_STYLES.get(one.verdict, "bad")),
        (f"  {duration(one.duration)}", "dim"),
        (f"  ~ {' '.join(one.changed)}" if one.changed else "", "added"),
        (f"  {one.reason}" if one.reason else "", ""),
        (where, "link"),
        limit=300,
    )


def _why(why: Mapping[str, Any] | None) -> Iterator[Line]:
    """Yield why there was no such tool to call, for the person."""
    if why is not None:
        yield EMPTY
        yield heading("Why", "the model is not told")
        yield from json_lines(why, Bounds(lines=60))


def one_line(blocks: Sequence[Any], limit: int = 160) -> str:
    """Return the beginning of a result in one line; not made safe."""
    for block in blocks:
        if isinstance(block, Mapping):
            text = block.get("text")
            if isinstance(text, str):
                return text[:limit]
            return f"({_data(block)})" if _data(block) else compact(block, limit)
    return "(empty)"
