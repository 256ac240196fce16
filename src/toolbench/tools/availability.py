"""Are a tool's signals met? A pure function of expression and context (R-AVAIL)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from toolbench.tools.expression import Group, MalformedExpression, Node, Signal, parse

MALFORMED: Final = "unsupported-signal"
NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class AvailabilityContext:
    """What the signals are held against (R-AVAIL 2)."""

    auth: frozenset[str] = frozenset()
    config: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    env: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    plugins: frozenset[str] = frozenset()
    values: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    is_available: Callable[[tuple[str, ...]], bool] | None = None
    """Answers `check: available` of a config path; with none supplied it is false (R-AVAIL 3)."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Why a tool is hidden: one reason."""

    reason: str
    message: str
    signal: Mapping[str, Any] | None = None
    """In the long form; None when no single signal is to blame."""
    wanted: str | None = None
    found: Any = None
    path: str | None = None
    """To the malformed node of an expression."""

    def to_json(self) -> dict[str, Any]:
        """Return the diagnostic as `plan --json` writes it."""
        return {
            "reason": self.reason,
            "signal": None if self.signal is None else dict(self.signal),
            "message": self.message,
            "wanted": self.wanted,
            "found": self.found,
            **({} if self.path is None else {"path": self.path}),
        }


def evaluate(expression: Any, context: AvailabilityContext) -> tuple[Diagnostic, ...]:
    """Return why the expression is not met, nothing when it is.

    Args:
        expression: as a definition holds it, in the short or the long spelling; None = always.
        context: what the signals are held against.
    """
    try:
        node = parse(expression)
    except MalformedExpression as error:
        return (malformed(error),)
    return evaluate_node(node, context)


def malformed(error: MalformedExpression) -> Diagnostic:
    """Return the one diagnostic of an expression whose shape is wrong (R-AVAIL 4)."""
    return Diagnostic(
        MALFORMED,
        "Unsupported availability expression",
        wanted="a signal, all_of or any_of",
        found=error.message,
        path=error.path,
    )


def evaluate_node(node: Node | None, context: AvailabilityContext) -> tuple[Diagnostic, ...]:
    """Return why a parsed expression is not met; see `evaluate`."""
    if node is None:
        return ()
    if isinstance(node, Signal):
        failure = check_signal(node, context)
        return () if failure is None else (failure,)
    return _group(node, context)


def _group(group: Group, context: AvailabilityContext) -> tuple[Diagnostic, ...]:
    """Evaluate a group without stopping at its first failure (R-AVAIL 5)."""
    if not group.children:
        return (empty_group(group),)
    answers = [evaluate_node(child, context) for child in group.children]
    every = tuple(one for answer in answers for one in answer)
    if group.kind == "any_of" and not all(answers):
        # A branch passes. A malformed sibling still surfaces, and so hides the tool (OC-A10).
        return tuple(one for one in every if one.reason == MALFORMED)
    return every


def empty_group(group: Group) -> Diagnostic:
    """Return the diagnostic of a group without children; no single signal is to blame."""
    name = "allOf" if group.kind == "all_of" else "anyOf"
    return Diagnostic(MALFORMED, f"Empty availability {name} group")


def signals(expression: Any) -> tuple[Mapping[str, Any], ...]:
    """Return the signals that an expression names, in the long form; none of a malformed one."""
    try:
        return tuple(_signals(parse(expression)))
    except MalformedExpression:
        return ()


def _signals(node: Node | None) -> Iterator[Mapping[str, Any]]:
    if isinstance(node, Group):
        for child in node.children:
            yield from _signals(child)
    elif node is not None:
        yield node.long


def check_signal(signal: Signal, context: AvailabilityContext) -> Diagnostic | None:
    """Hold one signal against the context."""
    check = _CHECKS.get(signal.kind)
    return None if check is None else check(signal.long, context)


def _auth(signal: Mapping[str, Any], context: AvailabilityContext) -> Diagnostic | None:
    provider = signal["provider_id"]
    if not provider:
        return Diagnostic(MALFORMED, "Malformed auth signal: missing providerId", signal)
    if provider in context.auth:
        return None
    return Diagnostic("auth-missing", f"Missing auth provider: {provider}", signal, "authenticated")


def _env(signal: Mapping[str, Any], context: AvailabilityContext) -> Diagnostic | None:
    name = signal["name"]
    if not name:
        return Diagnostic(MALFORMED, "Malformed env signal: missing name", signal)
    found = context.env.get(name)
    if found is not None and found.strip():
        return None
    return Diagnostic("env-missing", f"Missing environment value: {name}", signal, "not blank", found)


def _plugin(signal: Mapping[str, Any], context: AvailabilityContext) -> Diagnostic | None:
    plugin = signal["plugin_id"]
    if not plugin:
        return Diagnostic(MALFORMED, "Malformed plugin-enabled signal: missing pluginId", signal)
    if plugin in context.plugins:
        return None
    return Diagnostic("plugin-disabled", f"Plugin is not enabled: {plugin}", signal, "enabled")


def _config(signal: Mapping[str, Any], context: AvailabilityContext) -> Diagnostic | None:
    """Walk a path through objects only (R-AVAIL 3)."""
    path, check = tuple(signal["path"]), signal["check"]
    found: Any = context.config
    for segment in path:
        found = found.get(segment) if isinstance(found, Mapping) else None
    if found is not None and _meets(found, check, path, context):
        return None
    wanted = {"exists": "there", "non-empty": "not empty", "available": "available"}[check]
    return Diagnostic("config-missing", f"Missing config path: {'.'.join(path)}", signal, wanted, found)


def _meets(found: Any, check: str, path: tuple[str, ...], context: AvailabilityContext) -> bool:
    """Tell whether a value that is there passes the check."""
    if check == "exists":
        return True
    if check == "available":
        return context.is_available is not None and context.is_available(path) is True
    if isinstance(found, str):
        return bool(found.strip())
    return isinstance(found, bool | int | float) or bool(found)


def _context(signal: Mapping[str, Any], context: AvailabilityContext) -> Diagnostic | None:
    key = signal["key"]
    if not key:
        return Diagnostic(MALFORMED, "Malformed context signal: missing key", signal)
    if key not in context.values:
        wanted = "present" if "equals" not in signal else f"equal to {signal['equals']!r}"
        return Diagnostic("context-mismatch", f"Missing context value: {key}", signal, wanted)
    found = context.values[key]
    if "equals" not in signal or strictly_equal(found, signal["equals"]):
        return None
    message = f"Context value did not match: {key}"
    return Diagnostic("context-mismatch", message, signal, f"equal to {signal['equals']!r}", found)


def strictly_equal(one: Any, other: Any) -> bool:
    """Compare JSON values without coercion: `true` is not 1, `1` is not `"1"`, numbers go by value (R-AVAIL 2)."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(strictly_equal(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(strictly_equal, one, other))
    return type(one) is type(other) and bool(one == other)


_CHECKS: Final[Mapping[str, Callable[[Mapping[str, Any], AvailabilityContext], Diagnostic | None]]] = {
    "auth": _auth,
    "env": _env,
    "plugin-enabled": _plugin,
    "config": _config,
    "context": _context,
}
