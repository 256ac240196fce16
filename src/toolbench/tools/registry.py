"""Name → registered tool: filtered, merged, and what was set apart on the way (R-REG)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from toolbench.tools.descriptor import ToolDescriptor
from toolbench.tools.names import look_alikes, name_fault
from toolbench.tools.planner import Planner, duplicate_name
from toolbench.tools.policy import Policy, PolicyTool, apply_policy

SourceKind: TypeAlias = Literal["builtin", "extension", "custom"]
Rule: TypeAlias = Literal[
    "extension-over-builtin", "custom-over-builtin", "custom-over-extension", "first-extension-wins"
]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something is declared."""

    file: str | None = None
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """What its file's reader already found wrong with a tool; it is broken."""

    code: str
    message: str
    origin: Origin = field(default_factory=Origin)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One source's claim to a name: the descriptor, and where it comes from."""

    descriptor: ToolDescriptor
    source: str
    """`builtin`, an extension's id, or `custom`."""
    kind: SourceKind
    origin: Origin = field(default_factory=Origin)
    digest: str = ""
    """Of definition and binding: equal digests, equal tools."""
    size: int = 0
    """Bytes of the projection that Anthropic gets, as compact JSON."""
    fault: Fault | None = None
    stale: bool = False
    """Kept from the last time that its file parsed (R-GEN 3)."""
    binding: Any = None
    """What runs it; opaque here."""

    @property
    def name(self) -> str:
        """The name that is claimed."""
        return self.descriptor.name


@dataclass(frozen=True, slots=True)
class Denied:
    """Gate 1 removed it."""

    claim: Claim
    layer: str
    """A policy layer, `allowed_tools` or `builtin` (`disable_builtin`)."""
    entry: str | None


@dataclass(frozen=True, slots=True)
class Shadowed:
    """Another source owns its name (gate 2)."""

    claim: Claim
    winner: str
    rule: Rule


@dataclass(frozen=True, slots=True)
class Broken:
    """It breaks the contract, or a provider would refuse it."""

    claim: Claim
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class RegistryOptions:
    """What the registry is built under."""

    disable_builtin: bool = False
    builtin_names: frozenset[str] = frozenset()
    allowed_tools: tuple[str, ...] | None = None
    policy: Policy | None = None
    provider: str = "anthropic"


@dataclass(frozen=True)
class Registry:
    """A whole registry; it is replaced, never patched (R-REG 1)."""

    tools: Mapping[str, Claim]
    denied: tuple[Denied, ...]
    shadowed: tuple[Shadowed, ...]
    broken: tuple[Broken, ...]
    warnings: tuple[tuple[str, str, Origin], ...]
    options: RegistryOptions

    @cached_property
    def planner(self) -> Planner:
        """The registered tools, sorted and read once."""
        return Planner(claim.descriptor for claim in self.tools.values())


def build_registry(claims: Sequence[Claim], options: RegistryOptions) -> Registry:
    """Filter, merge and set apart (R-REG 2 to 4).

    Args:
        claims: built-in ones first, then the extensions' in their order, then the custom ones.
        options: what it is built under.
    """
    allowed, denied, warnings = _filter(claims, options)
    winners, shadowed = _merge(allowed)
    tools: dict[str, Claim] = {}
    broken: list[Broken] = []
    for name, same_source in winners.items():
        faults = _faults(same_source, options.provider)
        if faults:
            broken.extend(faults)
        else:
            tools[name] = same_source[0]
    warnings.extend(_look_alike_warnings(tools))
    return Registry(tools, tuple(denied), tuple(shadowed), tuple(broken), tuple(warnings), options)


def _filter(
    claims: Sequence[Claim], options: RegistryOptions
) -> tuple[list[Claim], list[Denied], list[tuple[str, str, Origin]]]:
    """Remove what may not exist, before merging (R-REG 4)."""
    denied: list[Denied] = []
    left: list[Claim] = []
    listed = None if options.allowed_tools is None else frozenset(options.allowed_tools)
    for claim in claims:
        if options.disable_builtin and (claim.kind == "builtin" or claim.name in options.builtin_names):
            denied.append(Denied(claim, "builtin", claim.name))
        elif listed is not None and claim.name not in listed:
            denied.append(Denied(claim, "allowed_tools", None))
        else:
            left.append(claim)
    warnings: list[tuple[str, str, Origin]] = []
    if listed is not None:
        present = {claim.name for claim in claims}
        warnings.extend(
            ("allowed-tool-unknown", f"allowed_tools: no tool is called {name!r}", Origin())
            for name in options.allowed_tools or ()
            if name not in present
        )
    if options.policy is None or not options.policy.layers:
        return left, denied, warnings
    result = apply_policy(options.policy, (PolicyTool(claim.name, claim.descriptor.owner) for claim in left))
    warnings.extend((code, message, Origin()) for code, message in result.warnings)
    kept: list[Claim] = []
    for claim, removal in zip(left, result.removals, strict=True):
        if removal is None:
            kept.append(claim)
        else:
            denied.append(Denied(claim, removal.layer, removal.entry))
    return kept, denied, warnings


def _merge(claims: Iterable[Claim]) -> tuple[dict[str, list[Claim]], list[Shadowed]]:
    """Let one source own each name; a winner stands at the place of the one it replaced (R-REG 2, 3).

    Returns:
        for each name the claims of the source that won (several: it is doubled there), and the losers.
    """
    owners: dict[str, list[Claim]] = {}
    losers: list[Claim] = []
    for claim in claims:
        standing = owners.get(claim.name)
        if standing is None:
            owners[claim.name] = [claim]
        elif standing[0].source == claim.source and standing[0].kind == claim.kind:
            standing.append(claim)
        elif claim.kind == "extension" and standing[0].kind == "extension":
            losers.append(claim)
        else:
            losers.extend(standing)
            owners[claim.name] = [claim]
    shadowed = [
        Shadowed(claim, owners[claim.name][0].source, _rule(owners[claim.name][0].kind, claim.kind)) for claim in losers
    ]
    return owners, shadowed


def _rule(winner: SourceKind, loser: SourceKind) -> Rule:
    """Return the rule by which one kind of source won over another."""
    if winner == "extension":
        return "extension-over-builtin" if loser == "builtin" else "first-extension-wins"
    return "custom-over-builtin" if loser == "builtin" else "custom-over-extension"


def _faults(claims: Sequence[Claim], provider: str) -> list[Broken]:
    """Return why the claims of one source to one name are broken; nothing when the one claim is fine."""
    if len(claims) > 1:
        error = duplicate_name(claims[0].name, len(claims))
        places = ", ".join(place for claim in claims if (place := _place(claim.origin)))
        message = f"{error.message} in {claims[0].source}" + (f": {places}" if places else "")
        return [Broken(claim, error.code, message) for claim in claims]
    claim = claims[0]
    if claim.fault is not None:
        return [Broken(claim, claim.fault.code, claim.fault.message)]
    bad_name = name_fault(claim.name, provider)
    if bad_name is not None:
        return [Broken(claim, *bad_name)]
    schema = _schema_fault(claim)
    return [] if schema is None else [Broken(claim, *schema)]


def _place(origin: Origin) -> str:
    """Return `FILE:LINE`."""
    return f"{origin.file}:{origin.line}" if origin.file else ""


_VERDICTS: dict[str, tuple[str, str] | None] = {}
_VERDICTS_KEPT = 50_000


def _schema_fault(claim: Claim) -> tuple[str, str] | None:
    """Return code and message of an input schema that is no schema; judged once for each content."""
    key = claim.digest
    if key and key in _VERDICTS:
        return _VERDICTS[key]
    from toolbench.tools.schema import schema_fault

    found = schema_fault(claim.descriptor.input_schema)
    verdict = None if found is None else (found.code, found.text)
    if key:
        if len(_VERDICTS) >= _VERDICTS_KEPT:
            _VERDICTS.clear()
        _VERDICTS[key] = verdict
    return verdict


def _look_alike_warnings(tools: Mapping[str, Claim]) -> Iterable[tuple[str, str, Origin]]:
    """Warn of registered names that people would take for one another (R-PLAN 2)."""
    for group in look_alikes(tools):
        names = ", ".join(repr(name) for name in group)
        yield ("look-alike-names", f"these names look alike: {names}", tools[group[-1]].origin)
