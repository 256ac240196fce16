"""The changes that a person can make, each a pure step from one edit state to the next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from toolbench.session.context import ContextError, ContextState
from toolbench.session.paths import ContextPath, parse_path
from toolbench.tools.activation import Activation, set_active, toggle
from toolbench.tools.policy import LAYERS, Layer, Policy
from toolbench.tools.registry import Registry


@dataclass(frozen=True, slots=True)
class EditState:
    """All that a person can change in memory."""

    context: ContextState
    policy: Policy
    activation: Activation


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the session's history a change is made."""

    registry: Registry
    generation: int
    """The number that the generation after the change will have."""


class Command(Protocol):
    """One change: what it is called, which tools it names, and the step itself."""

    @property
    def label(self) -> str:
        """Words for the queue, the log and undo."""

    @property
    def names(self) -> tuple[str, ...]:
        """Tools that the change names."""

    def apply(self, state: EditState, place: Place) -> EditState:
        """Return the state after the change.

        Raises:
            ContextError: it cannot be made; nothing of it takes effect.
        """


@dataclass(frozen=True, slots=True)
class Change:
    """Set or unset one entry of the context, the activation or the policy (formats: Commands)."""

    op: Literal["set", "unset"]
    path: ContextPath
    value: Any = None

    @classmethod
    def parse(cls, op: Literal["set", "unset"], path: str, value: Any = None) -> Change:
        """Make a change of a path as people write it.

        Raises:
            PathError: the path is not written as it must be.
        """
        return cls(op, parse_path(path), value)

    @property
    def label(self) -> str:
        """`set env.TOKEN`, never with the value: it may be a secret."""
        return f"{self.op} {self.path}"

    @property
    def names(self) -> tuple[str, ...]:
        """The tool of an `active.` path."""
        return (self.path.key,) if self.path.kind == "active" else ()

    def apply(self, state: EditState, place: Place) -> EditState:
        """Make the change; see `Command.apply`."""
        if self.path.kind == "active":
            return _switched(state, place, self.path.key, on=self.op == "set")
        if self.path.kind == "policy":
            return replace(state, policy=_with_layer(state.policy, self.path.key, self.op, self.value))
        edit = state.context.set(self.path, self.value) if self.op == "set" else state.context.unset(self.path)
        return replace(state, context=edit)


@dataclass(frozen=True, slots=True)
class Toggle:
    """Switch each tool named to its other state (gate 4)."""

    names: tuple[str, ...]

    @property
    def label(self) -> str:
        """`toggle read` or `toggle 3 tools`."""
        return f"toggle {self.names[0]}" if len(self.names) == 1 else f"toggle {len(self.names)} tools"

    def apply(self, state: EditState, place: Place) -> EditState:
        """Make the change; a name that the registry lacks is an error."""
        for name in self.names:
            _require(place.registry, name)
        return replace(state, activation=toggle(state.activation, place.registry, self.names, place.generation))


@dataclass(frozen=True, slots=True)
class SetActive:
    """Switch on exactly the tools named, in that order (R-REG 7)."""

    names: tuple[str, ...]

    @property
    def label(self) -> str:
        """`set 3 active tools`."""
        return f"set {len(self.names)} active tools"

    def apply(self, state: EditState, place: Place) -> EditState:
        """Make the change; names that the registry lacks are passed over (`skipped` tells which)."""
        activation, _ = set_active(state.activation, place.registry, self.names, place.generation)
        return replace(state, activation=activation)

    def skipped(self, registry: Registry) -> tuple[str, ...]:
        """Return the names that the registry does not have."""
        return tuple(name for name in self.names if name not in registry.tools)


def _require(registry: Registry, name: str) -> None:
    """Refuse a name that is not registered: denied, shadowed and broken tools cannot be switched on."""
    if name not in registry.tools:
        raise ContextError(f"{name!r} is not in the registry, so it cannot be switched on or off")


def _switched(state: EditState, place: Place, name: str, *, on: bool) -> EditState:
    """Return the state with one tool on or off."""
    _require(place.registry, name)
    if (name in state.activation.order) == on:
        return state
    return replace(state, activation=toggle(state.activation, place.registry, (name,), place.generation))


def _with_layer(policy: Policy, name: str, op: Literal["set", "unset"], value: Any) -> Policy:
    """Return the policy with one layer replaced or taken out; the layers keep their fixed order (R-POL 1)."""
    if name not in LAYERS:
        raise ContextError(f"unknown policy layer {name!r}: it is one of {', '.join(LAYERS)}")
    kept = [layer for layer in policy.layers if layer.name != name]
    if op == "set":
        kept.append(_layer(name, value))
    kept.sort(key=lambda layer: LAYERS.index(layer.name))
    return replace(policy, layers=tuple(kept))


def _layer(name: str, value: Any) -> Layer:
    """Read `{allow: [...], deny: [...], also_allow: [...]}`."""
    if not isinstance(value, dict):
        raise ContextError(f"policy.{name} takes an object with allow, deny or also_allow")
    lists: dict[str, tuple[str, ...] | None] = {}
    for key, entries in value.items():
        if key not in ("allow", "deny", "also_allow"):
            raise ContextError(f"policy.{name}: unknown key {key!r}: allow, deny or also_allow")
        if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
            raise ContextError(f"policy.{name}.{key} takes a list of names")
        lists[key] = tuple(entries)
    return Layer(name=name, allow=lists.get("allow"), deny=lists.get("deny"), also_allow=lists.get("also_allow") or ())
