"""The inspector's second tab: the availability expression as a tree, ✓ or ✗ at each leaf (R-AVAIL 6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from rich.cells import cell_len

from toolbench.text import plural, safe
from toolbench.ui.models.json_text import compact
from toolbench.ui.models.lines import EMPTY, Line, Lines, Span, heading, line

MAX_DEPTH: Final = 40
MAX_LEAVES: Final = 500
COLUMN_LIMIT: Final = 48


class _Leaf(NamedTuple):
    """One line of the tree before it is laid out in columns."""

    branch: str
    mark: str
    style: str
    words: str
    wanted: str = ""
    found: str = ""


def availability_lines(explanation: Mapping[str, Any]) -> Lines:
    """Return the tree of a tool.

    Args:
        explanation: as `session.explain.explain_tool` gives it.
    """
    tree = explanation.get("tree")
    if tree is None:
        return (
            line(("● ", "ok"), "no condition: available whatever the context"),
            *_elsewhere(explanation),
        )
    leaves = list(_walk(tree, "", "", 0))
    return (
        _summary(tree, explanation),
        EMPTY,
        *_laid_out(leaves[:MAX_LEAVES]),
        *((line((f"… {len(leaves) - MAX_LEAVES} more", "warn")),) if len(leaves) > MAX_LEAVES else ()),
        *_fixes(explanation),
        *_elsewhere(explanation),
    )


def _summary(tree: Mapping[str, Any], explanation: Mapping[str, Any]) -> Line:
    """Return in a sentence whether the expression is met."""
    if "malformed" in tree:
        return line(("⚠ malformed: ", "bad"), "the tool stays hidden until its definition is mended")
    if tree.get("passed"):
        return line(("✓ available: ", "ok"), "all that is asked for is met")
    members = _children(tree)
    bucket = (f"✗ {explanation.get('bucket', 'hidden')}: ", "bad")
    if members is None:
        return line(bucket, "its one condition is not met")
    if not members:
        return line(bucket, "an empty group is an authoring mistake")
    if "any_of" in tree:
        return line(bucket, f"none of {plural(len(members), 'alternative')} is met")
    failed = sum(1 for one in members if not (isinstance(one, Mapping) and one.get("passed")))
    return line(bucket, f"{failed} of {plural(len(members), 'condition')} {'is' if failed == 1 else 'are'} not met")


def _children(node: Mapping[str, Any]) -> Sequence[Any] | None:
    """Return a group's members, or None of a leaf."""
    for key in ("all_of", "any_of"):
        if isinstance(node.get(key), list | tuple):
            members: Sequence[Any] = node[key]
            return members
    return None


def _walk(node: Any, branch: str, below: str, depth: int, *, matters: bool = True) -> Iterator[_Leaf]:
    """Yield the tree's lines.

    Args:
        node: with all below it.
        branch: leads to this node.
        below: leads to what hangs under it.
        depth: levels above.
        matters: whether a failure here keeps the tool from the model; below an `any_of` that is met it does not.
    """
    if not isinstance(node, Mapping) or depth > MAX_DEPTH:
        yield _Leaf(branch, "…", "warn", "deeper than is shown here")
        return
    members = _children(node)
    if members is None:
        leaf = _leaf(node, branch)
        yield leaf if matters or leaf.mark != "✗" else leaf._replace(style="dim")
        return
    passed = bool(node.get("passed"))
    words = "all of" if "all_of" in node else "any of"
    if not members:
        yield _Leaf(branch, "⚠", "bad", f"{words}: an empty group, an authoring mistake")
        return
    yield _Leaf(branch, "✓" if passed else "✗", "ok" if passed else "bad" if matters else "dim", words)
    matters = matters and not (passed and "any_of" in node)
    for position, member in enumerate(members):
        last = position == len(members) - 1
        branch, under = (below + "└─ ", below + "   ") if last else (below + "├─ ", below + "│  ")
        yield from _walk(member, branch, under, depth + 1, matters=matters)


def _leaf(node: Mapping[str, Any], branch: str) -> _Leaf:
    """Return a leaf with what it wanted and found."""
    if "malformed" in node:
        place = str(node["malformed"]) or "the whole expression"
        return _Leaf(branch, "⚠", "bad", f"malformed at {place}: {node.get('found') or node.get('message', '')}")
    passed = bool(node.get("passed"))
    signal = node.get("signal")
    words = signal_words(signal) if isinstance(signal, Mapping) else compact(signal, 80)
    if not passed and node.get("reason") == "unsupported-signal":
        return _Leaf(branch, "⚠", "bad", f"{words}: {node.get('message', 'an authoring mistake')}")
    return _Leaf(branch, "✓" if passed else "✗", "ok" if passed else "bad", words, _wanted(node), _found(node))


def signal_words(signal: Mapping[str, Any]) -> str:
    """Return a signal in its long form in words: `env GITHUB_TOKEN`, `context role = "admin"`."""
    kind = str(signal.get("kind"))
    match kind:
        case "auth":
            return f"auth {signal.get('provider_id', '')}"
        case "env":
            return f"env {signal.get('name', '')}"
        case "plugin-enabled":
            return f"plugin {signal.get('plugin_id', '')}"
        case "config":
            path = signal.get("path")
            shown = ".".join(str(part) for part in path) if isinstance(path, list | tuple) else str(path)
            check = signal.get("check", "exists")
            return f"config {shown}" + ("" if check == "exists" else f" {check}")
        case "context":
            equals = f" = {compact(signal['equals'], 60)}" if "equals" in signal else ""
            return f"context {signal.get('key', '')}{equals}"
        case _:
            return kind


def _wanted(node: Mapping[str, Any]) -> str:
    wanted = node.get("wanted")
    return "" if wanted is None else wanted if isinstance(wanted, str) else compact(wanted, 80)


def _found(node: Mapping[str, Any]) -> str:
    """Say what a leaf that failed found; nothing at all is told as such."""
    if "found" not in node or node.get("passed"):
        return ""
    return "not set" if node["found"] is None else compact(node["found"], 80)


def _laid_out(leaves: Sequence[_Leaf]) -> Iterator[Line]:
    """Lay wanted and found out in columns behind the widest signal."""
    column = max((_width(leaf) for leaf in leaves if leaf.wanted or leaf.found), default=0)
    wanted = max((min(cell_len(safe(leaf.wanted)), COLUMN_LIMIT) for leaf in leaves), default=0)
    for leaf in leaves:
        spans = [*line((leaf.branch, "dim"), (f"{leaf.mark} ", leaf.style), (leaf.words, ""), limit=300)]
        if leaf.wanted or leaf.found:
            spans.append(Span(" " * (column - _width(leaf) + 2)))
            gap = " " * max(wanted - cell_len(safe(leaf.wanted)), 0)
            spans.extend(line(("wanted ", "label"), (leaf.wanted, ""), (f"{gap}  found ", "label")))
            spans.extend(line((leaf.found, leaf.style if leaf.style == "dim" else "bad")))
        yield tuple(spans)


def _width(leaf: _Leaf) -> int:
    return min(cell_len(leaf.branch) + 2 + cell_len(safe(leaf.words)), COLUMN_LIMIT)


def _fixes(explanation: Mapping[str, Any]) -> Iterator[Line]:
    """Yield the changes that would show the tool, where the session knows them."""
    if explanation.get("satisfiable") is False:
        yield EMPTY
        yield line(("⚠ can never be available: ", "bad"), "its conditions contradict each other")
    fixes = explanation.get("fixes")
    if not fixes:
        return
    yield EMPTY
    yield heading("Would show it")
    for number, fix in enumerate(fixes, 1):
        steps = " and ".join(f"{step.get('op')} {step.get('path')}" for step in fix)
        yield line((f"  [{number}] ", "accent"), steps, limit=300)


def _elsewhere(explanation: Mapping[str, Any]) -> Iterator[Line]:
    """Yield what keeps the tool from the model though its availability does not."""
    shadowed, denied, broken = (explanation.get(key) for key in ("shadowed", "denied", "broken"))
    off = explanation.get("off")
    if denied or broken or off or (shadowed and explanation.get("bucket") == "shadowed"):
        yield EMPTY
    if denied:
        yield line(("⊘ ", "bad"), f"but {denied.get('layer')} removes it, entry “{denied.get('entry')}”", limit=200)
    if broken:
        yield line(("⚠ ", "bad"), f"but it is broken: {broken.get('message')}", limit=600)
    if off:
        yield line(("◌ ", "dim"), "but it is switched off", ("  space switches it on", "accent"))
    if shadowed and explanation.get("bucket") == "shadowed":
        yield line(("◑ ", "dim"), f"but {shadowed.get('winner')} wins: {shadowed.get('rule')}", limit=200)
