"""One built registry and plan, and all that follows from it (R-GEN)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from toolbench.files.problems import Problem
from toolbench.session.difference import Difference
from toolbench.tools.activation import Activation
from toolbench.tools.buckets import Buckets, model_rows
from toolbench.tools.dispatch import CallableTool, DispatchSettings
from toolbench.tools.hooks import Handler
from toolbench.tools.projection import model_size, project, tokens_estimate
from toolbench.tools.registry import Claim, Origin, Registry

SourceStateName: TypeAlias = Literal["loading", "ok", "stale", "error", "restricted", "disabled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceState:
    """One source of tools and how it fares (R-GEN 3)."""

    id: str
    kind: str
    state: SourceStateName
    tools: int = 0
    error: str | None = None
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanError:
    """The contract error at which a host would stop (R-GEN 4)."""

    code: str
    tool_name: str
    message: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Sizes:
    """What the model gets, measured."""

    tools: int
    bytes: int
    """Of the tool list as compact JSON in the session's provider's shape."""
    tokens_estimate: int
    prompt_bytes: int


@dataclass(frozen=True)
class Generation:
    """A registry, its plan, the prompt, and where they came from. Immutable; dispatch holds on to one (R-DISP 14)."""

    number: int
    cause: str
    at: float
    """Monotonic seconds."""
    wall: float
    """Seconds since the epoch."""
    hash: str
    registry: Registry
    buckets: Buckets
    activation: Activation
    prompt: str
    provider: str
    settings: DispatchSettings
    workspace: str | None
    hooks: tuple[Handler, ...]
    sources: tuple[SourceState, ...]
    warnings: tuple[Problem, ...]
    files: tuple[str, ...]
    bind: Callable[[Claim], CallableTool] = field(repr=False)
    explain_missing: Callable[[Generation, str], Mapping[str, Any]] = field(repr=False)
    diff: Difference = field(default_factory=Difference)
    error: PlanError | None = None
    stale: bool = False
    """The newest refresh failed under `strict_plan`: a host would still run on this one (R-GEN 4)."""

    @cached_property
    def callable_claims(self) -> Mapping[str, Claim]:
        """The visible and active tools in the order in which the model gets them (R-REG 8)."""
        return {row.name: row.claim for row in model_rows(self.buckets, self.activation)}

    def lookup(self, name: str) -> CallableTool | None:
        """Return the tool that a call of `name` runs, if it is visible and active (R-DISP 2)."""
        claim = self.callable_claims.get(name)
        return None if claim is None else self.bind(claim)

    def why(self, name: str) -> Mapping[str, Any]:
        """Tell a person why a call of `name` finds no tool (R-DISP 3)."""
        return self.explain_missing(self, name)

    def model_tools(self, provider: str | None = None) -> list[dict[str, Any]]:
        """Return the tool list as it is sent, in the shape of `provider` (R-DESC 4)."""
        chosen = provider or self.provider
        return [project(claim.descriptor, chosen) for claim in self.callable_claims.values()]

    @cached_property
    def sizes(self) -> Sizes:
        """What the model gets, measured. For Anthropic's shape the sizes come with the definitions."""
        claims = self.callable_claims
        if self.provider in ("anthropic", "any"):
            total = sum(claim.size for claim in claims.values()) + max(len(claims) - 1, 0) + 2
        else:
            total = model_size(self.model_tools())
        return Sizes(len(claims), total, tokens_estimate(total), len(self.prompt.encode()))


def content_hash(
    registry: Registry,
    buckets: Buckets,
    activation: Activation,
    prompt: str,
    settings: DispatchSettings,
    hooks: Sequence[Handler],
    extra: Sequence[object] = (),
) -> str:
    """Return the hash by which equal content is told (R-GEN 2), on every machine: 16 hex digits."""
    digest = hashlib.blake2b(digest_size=8)
    rows = "\x1f".join(
        [
            f"{row.bucket}\x1e{row.name}\x1e{row.claim.source}\x1e{row.claim.origin.file}\x1e{row.claim.digest}\x1e{row.words}\x1e{row.active}"
            f"\x1e{row.claim.stale}"
            for row in buckets.all()
        ]
    )
    chain = "\x1f".join(
        f"{one.id}\x1e{one.stage}\x1e{one.tools}\x1e{one.enabled}\x1e{one.blocks_because}\x1e{one.timeout}"
        for one in hooks
    )
    parts = (
        rows,
        "\x1f".join(activation.order),
        prompt,
        repr(settings),
        chain,
        repr(tuple(registry.tools)),
        repr(extra),
    )
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass"))
        digest.update(b"\x1d")
    return digest.hexdigest()
