"""Reads an availability expression as a definition holds it into nodes that can be evaluated (R-AVAIL 1, 2, 4)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from toolbench.tools.jsonvalue import unfit

MAX_DEPTH: Final = 200

SignalKind: TypeAlias = Literal["always", "auth", "config", "env", "plugin-enabled", "context"]


@dataclass(frozen=True, slots=True)
class Signal:
    """A leaf. `long` is its canonical spelling, the one that is written everywhere."""

    kind: SignalKind
    long: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Group:
    """All or any of its children."""

    kind: Literal["all_of", "any_of"]
    children: tuple[Node, ...]


Node: TypeAlias = Signal | Group


class MalformedExpression(ValueError):
    """A node is not what an expression may hold; `path` leads to it, such as `.all_of[1]`."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.message = message


def parse(expression: Any) -> Node | None:
    """Return the expression as nodes, None for none (= always).

    Raises:
        MalformedExpression: a node anywhere is no object, of unknown kind, has a field of the wrong type, or contains
            itself (R-AVAIL 4).
    """
    return None if expression is None else _node(expression, "", ())


@dataclass(frozen=True, slots=True)
class Condition:
    """An expression that was read once, for all plans of its descriptor."""

    node: Node | MalformedExpression | None
    key: str | None
    """Equal for expressions that mean the same, so that a plan evaluates each only once; None: not to be shared."""


def read(expression: Any) -> Condition:
    """Return the expression as a condition; one of wrong shape keeps its error (R-AVAIL 4)."""
    try:
        node = parse(expression)
    except MalformedExpression as error:
        return Condition(error, None)
    spelled = _spelled(node)
    # A script may ask that a value equals what is no JSON, or is nested too deep to be written.
    return Condition(node, json.dumps(spelled) if unfit(spelled) is None else None)


def _spelled(node: Node | None) -> Any:
    """Return nodes as JSON that differs where they do."""
    if isinstance(node, Group):
        return [node.kind, [_spelled(child) for child in node.children]]
    return None if node is None else node.long


def _node(value: Any, path: str, ancestors: tuple[int, ...]) -> Node:
    """Read one node. Only an ancestor makes a cycle: a node that is used twice as sibling is fine (OC-A12)."""
    if not isinstance(value, Mapping):
        raise MalformedExpression(path, f"expected an object, found {_name_of(value)}")
    if id(value) in ancestors or len(ancestors) >= MAX_DEPTH:
        raise MalformedExpression(path, "the expression contains itself or is nested too deep")
    above = (*ancestors, id(value))
    if "kind" in value:
        return _long_signal(value, path)
    for kind, spellings in _GROUPS:
        for spelling in spellings:
            if spelling in value:
                return Group(kind, tuple(_children(value[spelling], f"{path}.{spelling}", above)))
    return _short_signal(value, path)


_GROUPS: Final[tuple[tuple[Literal["all_of", "any_of"], tuple[str, str]], ...]] = (
    ("all_of", ("all_of", "allOf")),
    ("any_of", ("any_of", "anyOf")),
)


def _children(value: Any, path: str, ancestors: tuple[int, ...]) -> Iterator[Node]:
    """Read the children of a group."""
    if not isinstance(value, list | tuple):
        raise MalformedExpression(path, f"expected a list, found {_name_of(value)}")
    if id(value) in ancestors:
        raise MalformedExpression(path, "the expression contains itself")
    for index, child in enumerate(value):
        yield _node(child, f"{path}[{index}]", (*ancestors, id(value)))


def _long_signal(value: Mapping[str, Any], path: str) -> Signal:
    """Read `{kind: auth, providerId: x}`."""
    kind = value["kind"]
    make = _LONG.get(kind) if isinstance(kind, str) else None
    if make is None:
        raise MalformedExpression(path, f"unknown kind {kind!r}")
    return make(value, path)


def _short_signal(value: Mapping[str, Any], path: str) -> Signal:
    """Read `{auth: x}` and its like."""
    for key, (kind, field_name) in _SHORT.items():
        if key in value:
            rest = {name: item for name, item in value.items() if name != key}
            inner = value[key]
            if key == "always":
                return Signal("always", {"kind": "always"})
            whole = inner if isinstance(inner, Mapping) else {field_name: inner}
            unexpected = [name for name in rest if name not in ("check", "equals")]
            if unexpected:
                raise MalformedExpression(path, f"unexpected key {unexpected[0]!r} beside {key!r}")
            return _LONG[kind]({**whole, **rest}, path)
    raise MalformedExpression(path, "neither a signal nor a group" + (f": {next(iter(value))!r}" if value else ""))


_SHORT: Final[Mapping[str, tuple[str, str]]] = {
    "always": ("always", ""),
    "auth": ("auth", "provider_id"),
    "env": ("env", "name"),
    "plugin": ("plugin-enabled", "plugin_id"),
    "plugin_enabled": ("plugin-enabled", "plugin_id"),
    "plugin-enabled": ("plugin-enabled", "plugin_id"),
    "config": ("config", "path"),
    "context": ("context", "key"),
}


def _text(value: Mapping[str, Any], path: str, *spellings: str) -> str:
    """Return a field that must be text."""
    for spelling in spellings:
        if spelling in value:
            found = value[spelling]
            if not isinstance(found, str):
                raise MalformedExpression(path, f"{spelling} must be text, found {_name_of(found)}")
            return found
    raise MalformedExpression(path, f"{spellings[0]} is missing")


def _config(value: Mapping[str, Any], path: str) -> Signal:
    """Read a config signal; its path is a list of segments, or text that is split at dots."""
    segments = value.get("path")
    if isinstance(segments, str):
        segments = segments.split(".")
    if not isinstance(segments, list | tuple) or not all(isinstance(one, str) for one in segments):
        raise MalformedExpression(path, "path must be a list of texts")
    check = value.get("check", "exists")
    if check not in ("exists", "non-empty", "available"):
        raise MalformedExpression(path, f"check must be exists, non-empty or available, found {check!r}")
    return Signal("config", {"kind": "config", "path": list(segments), "check": check})


def _context(value: Mapping[str, Any], path: str) -> Signal:
    """Read a context signal; `equals: null` is not the same as no `equals`."""
    long = {"kind": "context", "key": _text(value, path, "key")}
    return Signal("context", {**long, "equals": value["equals"]} if "equals" in value else long)


_LONG: Final[Mapping[str, Callable[[Mapping[str, Any], str], Signal]]] = {
    "always": lambda _value, _path: Signal("always", {"kind": "always"}),
    "auth": lambda value, path: Signal(
        "auth", {"kind": "auth", "provider_id": _text(value, path, "provider_id", "providerId")}
    ),
    "env": lambda value, path: Signal("env", {"kind": "env", "name": _text(value, path, "name")}),
    "plugin-enabled": lambda value, path: Signal(
        "plugin-enabled", {"kind": "plugin-enabled", "plugin_id": _text(value, path, "plugin_id", "pluginId")}
    ),
    "config": _config,
    "context": _context,
}


def _name_of(value: Any) -> str:
    """Name a value's JSON type."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list | tuple) else type(value).__name__
