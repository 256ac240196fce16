"""The plan in words: the same facts as the JSON of `plan`, laid out for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from toolbench.cli.output import paint
from toolbench.text import safe, size

BUCKETS: Final = ("visible", "hidden", "off", "denied", "shadowed", "broken")
MARKS: Final = {"visible": "●", "hidden": "○", "off": "◌", "denied": "⊘", "shadowed": "◐", "broken": "✗"}
COLOURS: Final = {"visible": "green", "hidden": "yellow", "broken": "red", "denied": "magenta"}
MALFORMED: Final = "unsupported-signal"


def plan_lines(plan: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a whole plan; foreign text is made safe."""
    counts = "  ".join(f"{bucket} {len(plan[bucket])}" for bucket in BUCKETS)
    yield f"{paint(safe(plan['session']), bold=True)}  gen {plan['generation']} · {plan['hash'][:4]}  {counts}"
    if plan["error"] is not None:
        yield paint(f"A host would stop here: {_placed(plan['error'])}", "red")
    for bucket in BUCKETS:
        if plan[bucket]:
            yield ""
            yield paint(f"{bucket} ({len(plan[bucket])})", COLOURS.get(bucket), bold=True)
            yield from _rows(bucket, plan[bucket])
    yield from _sources(plan["sources"])
    if plan["warnings"]:
        yield ""
        yield paint(f"warnings ({len(plan['warnings'])})", bold=True)
        yield from (f"  ! {_placed(warning)}" for warning in plan["warnings"])
    model = plan["model"]
    yield ""
    yield (
        f"The model gets {model['tools']} tools, {size(model['bytes'])} ≈ {model['tokens_estimate']} tokens (estimate),"
        f" and a prompt of {size(model['prompt_bytes'])}."
    )


def explanation_lines(explanation: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of one tool's explanation."""
    name, bucket = safe(explanation["name"]), explanation["bucket"]
    yield paint(f"{name}: {bucket}", COLOURS.get(bucket), bold=True)
    if explanation["source"] is not None:
        yield f"  from {safe(explanation['source'])}{_declared(explanation)}"
    for bucket_with_reason in ("denied", "shadowed", "off", "broken"):
        fields = explanation[bucket_with_reason]
        if fields is not None:
            yield f"  {bucket_with_reason}: {_reason(bucket_with_reason, fields)}"
    if explanation["nearest"]:
        yield f"  nearest names: {', '.join(safe(one) for one in explanation['nearest'])}"
    if explanation["tree"] is not None:
        yield from _tree(explanation["tree"], "  ")


def difference_lines(difference: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a comparison; one line says so when there is no difference."""
    any_yet = False
    for key, mark in (("added", "+"), ("removed", "−"), ("moved", "→"), ("changed", "~")):
        for one in difference[key]:
            any_yet = True
            yield f"{mark} {safe(one['name'])}  {safe(one['reason'])}"
    if difference["prompt_changed"]:
        yield "~ the system prompt"
    elif not any_yet:
        yield "no difference"


def _rows(bucket: str, tools: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield one line per tool of a bucket, in columns."""
    width = min(max(len(safe(tool["name"])) for tool in tools), 40)
    source_width = min(max(len(safe(tool.get("source", ""))) for tool in tools), 20)
    for tool in tools:
        reason = _reason(bucket, tool)
        mark = "⚠" if bucket == "hidden" and tool["diagnostics"][0]["reason"] == MALFORMED else MARKS[bucket]
        source = f"{safe(tool.get('source', '')):<{source_width}}"
        yield f"  {paint(mark, COLOURS.get(bucket))} {safe(tool['name'], 80):<{width}}  {source}  {reason}".rstrip()


def _reason(bucket: str, tool: Mapping[str, Any]) -> str:
    """Say in a few words why a tool stands in its bucket."""
    match bucket:
        case "visible":
            return size(tool["bytes"])
        case "hidden":
            first, *more = tool["diagnostics"]
            others = f" (+{len(more)} more)" if more else ""
            return safe(first["message"], 200) + others + _declared(tool)
        case "off":
            return f"switched off since generation {tool['since_generation']}"
        case "denied":
            return f"{tool['layer']}: “{safe(tool['entry'] or '')}”" if tool["entry"] else f"{tool['layer']}"
        case "shadowed":
            return f"by {safe(tool['winner'])}, {tool['rule']}"
        case _:
            return f"{tool['code']}: {safe(tool['message'], 300)}{_declared(tool)}"


def _declared(tool: Mapping[str, Any]) -> str:
    """Return where a tool is declared, or nothing."""
    if tool.get("file") is None:
        return ""
    return paint(f"  {safe(tool['file'])}:{tool['line']}", dim=True)


def _sources(sources: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line for each source that is not simply fine."""
    odd = [source for source in sources if source["state"] != "ok"]
    if odd:
        yield ""
        yield paint(f"sources ({len(odd)} of {len(sources)} not ok)", bold=True)
    for source in odd:
        error = "" if source["error"] is None else f"  {safe(source['error'], 300)}"
        yield f"  {safe(source['id'])}  {source['state']}{error}"


def _placed(problem: Mapping[str, Any]) -> str:
    """Return a message with its place."""
    place = ":".join(str(problem[key]) for key in ("file", "line", "column") if problem.get(key) is not None)
    message = safe(problem["message"], 400)
    return f"{safe(place)}: {message}" if place else message


def _tree(node: Mapping[str, Any], indent: str) -> Iterator[str]:
    """Yield the availability tree: a mark for each node, wanted and found for each leaf."""
    mark = paint("✓", "green") if node["passed"] else paint("✗", "red")
    for group in ("all_of", "any_of"):
        if group in node:
            yield f"{indent}{mark} {group.replace('_', ' ')}"
            for child in node[group]:
                yield from _tree(child, indent + "  ")
            return
    if "malformed" in node:
        yield f"{indent}⚠ malformed at {safe(str(node['malformed']) or 'the root')}: {safe(node['message'])}"
        return
    yield f"{indent}{mark} {signal_words(node['signal'])}{_wanted_and_found(node)}"


def signal_words(signal: Mapping[str, Any]) -> str:
    """Return a signal in words: `env TRACKER_TOKEN`."""
    values = [value for key, value in signal.items() if key != "kind"]
    words = [".".join(map(str, value)) if isinstance(value, list | tuple) else str(value) for value in values]
    return safe(" ".join([str(signal["kind"]), *words]), 120)


def _wanted_and_found(leaf: Mapping[str, Any]) -> str:
    """Return what a failed leaf wanted and what it found."""
    if leaf["passed"]:
        return ""
    return f"  wanted: {safe(str(leaf['wanted']), 80)}  found: {safe(_json(leaf['found']), 80)}"


def _json(value: Any) -> str:
    """Return a value as one line of JSON."""
    import json

    return json.dumps(value, ensure_ascii=False, default=str)
