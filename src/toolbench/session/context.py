"""The availability context as the session holds it: immutable, with one method for each kind of edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from toolbench.session.paths import ContextPath
from toolbench.tools.availability import AvailabilityContext


class ContextError(ValueError):
    """An edit of the context cannot be made; the message tells why."""


@dataclass(frozen=True, slots=True)
class ContextState:
    """What the signals are held against (R-AVAIL 2). Edits answer a new state."""

    auth: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    inherited: frozenset[str] = frozenset()
    """Names in `env` whose value comes from the process environment."""

    def availability(self) -> AvailabilityContext:
        """Return what the planner takes."""
        return AvailabilityContext(
            auth=frozenset(self.auth),
            plugins=frozenset(self.plugins),
            env=self.env,
            config=self.config,
            values=self.values,
        )

    def get(self, path: ContextPath) -> tuple[bool, Any]:
        """Return whether the entry exists, and its value (None for auth and plugins)."""
        if path.kind in ("auth", "plugins"):
            return path.key in (self.auth if path.kind == "auth" else self.plugins), None
        if path.kind == "config":
            node: Any = self.config
            for part in path.parts:
                if not isinstance(node, Mapping) or part not in node:
                    return False, None
                node = node[part]
            return True, node
        mapping: Mapping[str, Any] = self.env if path.kind == "env" else self.values
        return path.key in mapping, mapping.get(path.key)

    def set(self, path: ContextPath, value: Any) -> ContextState:
        """Return the state with the entry set.

        Raises:
            ContextError: the value does not fit the kind, or a config path leads through something that is no object.
        """
        key = path.key
        match path.kind:
            case "auth":
                return self if key in self.auth else replace(self, auth=(*self.auth, key))
            case "plugins":
                return self if key in self.plugins else replace(self, plugins=(*self.plugins, key))
            case "env":
                if not isinstance(value, str):
                    raise ContextError(f"{path} takes text, not {_kind_of(value)}")
                return replace(self, env={**self.env, key: value}, inherited=self.inherited - {key})
            case "values":
                return replace(self, values={**self.values, key: value})
            case "config":
                return replace(self, config=_with(self.config, path.parts, value, path))
        raise ContextError(f"{path} is no entry of the context")

    def unset(self, path: ContextPath) -> ContextState:
        """Return the state without the entry; one that is not there is no error."""
        key = path.key
        match path.kind:
            case "auth":
                return replace(self, auth=tuple(one for one in self.auth if one != key))
            case "plugins":
                return replace(self, plugins=tuple(one for one in self.plugins if one != key))
            case "env":
                return replace(self, env=_without(self.env, (key,)), inherited=self.inherited - {key})
            case "values":
                return replace(self, values=_without(self.values, (key,)))
            case "config":
                return replace(self, config=_without(self.config, path.parts))
        raise ContextError(f"{path} is no entry of the context")


def _with(node: Mapping[str, Any], parts: tuple[str, ...], value: Any, path: ContextPath) -> dict[str, Any]:
    """Return a copy of `node` with the entry at `parts` set; objects on the way are made as needed."""
    head, *rest = parts
    if not rest:
        return {**node, head: value}
    below = node.get(head, {})
    if not isinstance(below, Mapping):
        raise ContextError(f"{path}: {head!r} is {_kind_of(below)}, not an object; unset it first")
    return {**node, head: _with(below, tuple(rest), value, path)}


def _without(node: Mapping[str, Any], parts: tuple[str, ...]) -> Mapping[str, Any]:
    """Return a copy of `node` without the entry at `parts`."""
    head, *rest = parts
    if head not in node:
        return node
    if not rest:
        return {key: item for key, item in node.items() if key != head}
    below = node[head]
    return {**node, head: _without(below, tuple(rest))} if isinstance(below, Mapping) else node


def _kind_of(value: Any) -> str:
    """Name a JSON value's type as people say it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list | tuple) else "an object"
