"""Every tool in its bucket, with the reason: what four gates made of a registry (contract: gates; R-GEN 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

from toolbench.tools.activation import Activation
from toolbench.tools.availability import AvailabilityContext, Diagnostic
from toolbench.tools.planner import missing_executor, plan_key
from toolbench.tools.reasons import reason_words
from toolbench.tools.registry import Broken, Claim, Denied, Origin, Registry, Shadowed

Bucket: TypeAlias = Literal["visible", "hidden", "off", "denied", "broken", "shadowed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One claim as a person sees it."""

    name: str
    bucket: Bucket
    claim: Claim
    active: bool = False
    words: str = ""
    """The first reason in words; not made safe to show."""
    diagnostics: tuple[Diagnostic, ...] = ()
    off_since: int | None = None
    by_person: bool = False
    """Whether a person switched it off, and not the session's start."""
    layer: str | None = None
    entry: str | None = None
    winner: str | None = None
    rule: str | None = None
    code: str | None = None
    message: str | None = None
    occurrence: int = 0
    """Counts the claims of one source to one name: a doubled name has several rows."""

    @property
    def key(self) -> tuple[str, str, int]:
        """What stays the same over rebuilds, whatever bucket the claim is in."""
        return (self.name, self.claim.source, self.occurrence)


@dataclass(frozen=True, slots=True)
class BucketsError:
    """The contract error that a host would stop at (R-GEN 4)."""

    code: str
    tool_name: str
    message: str
    origin: Origin


@dataclass(frozen=True)
class Buckets:
    """All rows, each bucket in plan order (R-REG 8)."""

    visible: tuple[Row, ...] = ()
    hidden: tuple[Row, ...] = ()
    off: tuple[Row, ...] = ()
    denied: tuple[Row, ...] = ()
    broken: tuple[Row, ...] = ()
    shadowed: tuple[Row, ...] = ()
    error: BucketsError | None = None

    def all(self) -> Iterator[Row]:
        """Yield every row, bucket by bucket; of a name with several, the one that owns it first."""
        for bucket in (self.visible, self.hidden, self.off, self.denied, self.broken, self.shadowed):
            yield from bucket

    @cached_property
    def by_name(self) -> Mapping[str, tuple[Row, ...]]:
        """The rows of each name; the first one owns it."""
        found: dict[str, tuple[Row, ...]] = {}
        for row in self.all():
            standing = found.get(row.name)
            found[row.name] = (row,) if standing is None else (*standing, row)
        return found

    @property
    def counts(self) -> Mapping[Bucket, int]:
        """How many rows each bucket has."""
        return {
            "visible": len(self.visible),
            "hidden": len(self.hidden),
            "off": len(self.off),
            "denied": len(self.denied),
            "broken": len(self.broken),
            "shadowed": len(self.shadowed),
        }


def sort_out(
    registry: Registry, activation: Activation, context: AvailabilityContext, *, strict_plan: bool = False
) -> Buckets:
    """Put every claim of a registry into its bucket.

    Args:
        registry: filtered and merged.
        activation: what is switched on.
        context: what the signals are held against.
        strict_plan: on a contract error, answer empty buckets with that error, as a host would (R-GEN 4).
    """
    visible: list[Row] = []
    hidden: list[Row] = []
    off: list[Row] = []
    broken = [_broken(one) for one in registry.broken]
    on = frozenset(activation.order)
    planner = registry.planner
    diagnoses = planner.diagnose(context)
    for index, descriptor in enumerate(planner.descriptors):
        name = descriptor.name
        claim = registry.tools[name]
        diagnostics = diagnoses.get(index)
        if diagnostics is not None:
            words = reason_words(diagnostics[0])
            hidden.append(
                Row(name=name, bucket="hidden", claim=claim, active=name in on, words=words, diagnostics=diagnostics)
            )
        elif descriptor.executor is None:
            missing = missing_executor(name)
            broken.append(_broken(Broken(claim, missing.code, missing.message)))
        elif name in on:
            visible.append(_visible(claim))
        else:
            off.append(_off(claim, activation))
    broken.sort(key=_plan_order)
    error = _first_error(broken)
    if strict_plan and error is not None:
        return Buckets(error=error)
    return Buckets(
        tuple(visible),
        tuple(hidden),
        tuple(off),
        tuple(sorted((_denied(one) for one in registry.denied), key=_plan_order)),
        tuple(_numbered(broken)),
        tuple(sorted((_shadowed(one) for one in registry.shadowed), key=_plan_order)),
        error,
    )


def model_rows(buckets: Buckets, activation: Activation) -> tuple[Row, ...]:
    """Return the visible and active tools in the order of activation: what the model gets (R-REG 8)."""
    visible = {row.name: row for row in buckets.visible}
    return tuple(visible[name] for name in activation.order if name in visible)


def _visible(claim: Claim) -> Row:
    return Row(name=claim.descriptor.name, bucket="visible", claim=claim, active=True)


def _off(claim: Claim, activation: Activation) -> Row:
    """Return the row of a tool that is switched off, saying by whom."""
    name = claim.name
    since = activation.off.get(name)
    by_person = name in activation.by_person
    words = f"by you, gen {since}" if by_person else "not active at the start"
    return Row(name=name, bucket="off", claim=claim, words=words, off_since=since, by_person=by_person)


def _denied(denied: Denied) -> Row:
    if denied.layer == "builtin":
        words = "built-in tools are disabled"
    elif denied.layer == "allowed_tools":
        words = "not in allowed_tools"
    elif denied.entry is None:
        words = f"{denied.layer}.allow lacks it"
    else:
        words = f"{denied.layer}.deny “{denied.entry}”"
    claim = denied.claim
    return Row(name=claim.name, bucket="denied", claim=claim, words=words, layer=denied.layer, entry=denied.entry)


def _shadowed(shadowed: Shadowed) -> Row:
    claim = shadowed.claim
    return Row(
        name=claim.name,
        bucket="shadowed",
        claim=claim,
        words=f"{claim.source} → {shadowed.winner} ({shadowed.rule.replace('-', ' ')})",
        winner=shadowed.winner,
        rule=shadowed.rule,
    )


def _broken(broken: Broken) -> Row:
    return Row(
        name=broken.claim.name,
        bucket="broken",
        claim=broken.claim,
        words=broken.message,
        code=broken.code,
        message=broken.message,
    )


def _plan_order(row: Row) -> tuple[object, ...]:
    return (*plan_key(row.claim.descriptor), row.claim.source)


def _numbered(rows: Sequence[Row]) -> Iterator[Row]:
    """Tell the rows of a doubled name apart."""
    seen: dict[tuple[str, str, int], int] = {}
    for row in rows:
        count = seen.get(row.key, 0)
        seen[row.key] = count + 1
        yield row if count == 0 else replace(row, occurrence=count)


def _first_error(broken: Sequence[Row]) -> BucketsError | None:
    """Return the first contract error in plan order; a bad name or schema is none: a host learns of it elsewhere."""
    for row in broken:
        if row.code in ("duplicate-tool-name", "missing-executor"):
            return BucketsError(row.code, row.name, row.message or "", row.claim.origin)
    return None
