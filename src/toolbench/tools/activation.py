"""Which registered tools are switched on, in which order, and who switched the others off (R-REG 6 to 8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from toolbench.tools.registry import Registry

DEFAULT_BUILTINS: Final = ("read", "exec", "edit", "write")


@dataclass(frozen=True, slots=True)
class Activation:
    """The state of gate 4. Immutable; each step answers a new one."""

    order: tuple[str, ...] = ()
    """The active names, in the order in which the model gets them."""
    off: Mapping[str, int] = field(default_factory=dict)
    """Name → the generation since which it is off; also of names that are gone for now."""
    by_person: frozenset[str] = frozenset()
    """The names of `off` that a person switched off; they stay off when they go and come back."""
    known: frozenset[str] = frozenset()
    """The names of the registry that it was last fitted to."""


def start(
    registry: Registry, active: Sequence[str] | None = None, builtin_tools: Sequence[str] | None = None
) -> Activation:
    """Return what is active at the start (R-REG 6).

    Args:
        registry: the first one.
        active: the session's `active:`, in its order.
        builtin_tools: the session's `builtin.tools`.
    """
    tools = registry.tools
    if active is not None:
        order = tuple(name for name in dict.fromkeys(active) if name in tools)
    elif registry.options.allowed_tools is not None:
        order = tuple(tools)
    else:
        chosen = frozenset(DEFAULT_BUILTINS if builtin_tools is None else builtin_tools)
        order = tuple(name for name, claim in tools.items() if claim.kind != "builtin" or name in chosen)
    on = frozenset(order)
    return Activation(order, {name: 1 for name in tools if name not in on}, frozenset(), frozenset(tools))


def carry(activation: Activation, registry: Registry, generation: int) -> Activation:
    """Fit the activation to a rebuilt registry (R-REG 6).

    What was active stays active if it still exists; a name that the last registry did not have becomes active, unless a
    person switched it off.
    """
    tools = registry.tools
    if activation.known == tools.keys():
        return activation
    order = [name for name in activation.order if name in tools]
    off = {name: since for name, since in activation.off.items() if name in tools or name in activation.by_person}
    here = set(order)
    for name in tools:
        if name in here or name in off:
            continue
        if name in activation.known:
            off[name] = generation
        else:
            order.append(name)
    return Activation(tuple(order), off, activation.by_person, frozenset(tools))


def toggle(activation: Activation, registry: Registry, names: Iterable[str], generation: int) -> Activation:
    """Switch each registered name to its other state; one switched on is appended (R-REG 8)."""
    chosen = [name for name in dict.fromkeys(names) if name in registry.tools]
    on = set(activation.order)
    out = {name for name in chosen if name in on}
    back = [name for name in chosen if name not in on]
    off = {name: since for name, since in activation.off.items() if name not in back}
    off.update(dict.fromkeys((name for name in chosen if name in out), generation))
    return Activation(
        (*(name for name in activation.order if name not in out), *back),
        off,
        (activation.by_person - frozenset(back)) | out,
        frozenset(registry.tools),
    )


def set_active(
    activation: Activation, registry: Registry, names: Iterable[str], generation: int
) -> tuple[Activation, tuple[str, ...]]:
    """Switch on exactly `names`, in that order and without repeats; return the names passed over too (R-REG 7)."""
    wanted = tuple(dict.fromkeys(names))
    order = tuple(name for name in wanted if name in registry.tools)
    on = frozenset(order)
    off = {name: since for name, since in activation.off.items() if name not in on}
    newly = [name for name in activation.order if name not in on]
    off.update(dict.fromkeys(newly, generation))
    by_person = (activation.by_person - on) | frozenset(newly)
    skipped = tuple(name for name in wanted if name not in registry.tools)
    return Activation(order, off, by_person, frozenset(registry.tools)), skipped
