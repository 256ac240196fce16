"""Builds generation N+1 from what was read and what a person changed (R-GEN)."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from toolbench.executors.builtin import BUILTIN_NAMES
from toolbench.files.problems import Problem
from toolbench.files.session_model import SessionFile
from toolbench.session.binding import Binder
from toolbench.session.commands import EditState
from toolbench.session.context import ContextState
from toolbench.session.difference import Difference, compare
from toolbench.session.explain import explain_missing
from toolbench.session.generation import Generation, PlanError, content_hash
from toolbench.session.loading import Loaded
from toolbench.tools.activation import Activation, carry, start
from toolbench.tools.buckets import Buckets, model_rows, sort_out
from toolbench.tools.policy import Policy
from toolbench.tools.prompt import build_prompt
from toolbench.tools.registry import Claim, Registry, RegistryOptions, build_registry


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What a generation is built for."""

    cause: str
    at: float
    """Monotonic seconds."""
    wall: float
    """Seconds since the epoch."""
    trusted: bool
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Merged:
    """A registry with what it was made from; a person's edits mostly leave both as they are."""

    claims: tuple[Claim, ...]
    policy: Policy
    options: RegistryOptions
    registry: Registry


class Builder:
    """Builds generations; keeps the registry and the bindings while their input is the same."""

    def __init__(self, binder: Binder) -> None:
        self._binder = binder
        self._merged: _Merged | None = None

    def registry(self, loaded: Loaded, policy: Policy) -> Registry:
        """Return the registry of these claims under this policy (R-REG 1)."""
        options = registry_options(loaded.file, policy)
        known = self._merged
        if known is not None and known.claims is loaded.claims and known.options == options:
            return known.registry
        registry = build_registry(loaded.claims, options)
        self._merged = _Merged(loaded.claims, policy, options, registry)
        return registry

    def build(
        self, loaded: Loaded, state: EditState, occasion: Occasion, previous: Generation | None
    ) -> tuple[Generation, EditState]:
        """Return the next generation and the edit state with its activation carried over.

        The generation returned is `previous` itself when nothing is different (R-GEN 2). Under `strict_plan` a contract
        error keeps `previous`, marked stale (R-GEN 4).
        """
        number = 1 if previous is None else previous.number + 1
        registry = self.registry(loaded, state.policy)
        activation = state.activation
        if previous is None or registry is not previous.registry:
            activation = carry(activation, registry, number)
        state = replace(state, activation=activation)
        strict = loaded.file.settings.strict_plan
        buckets = sort_out(registry, activation, state.context.availability(), strict_plan=strict)
        error = _plan_error(buckets)
        if strict and error is not None and previous is not None:
            return replace(previous, stale=True, error=error), state
        generation = self._assemble(loaded, registry, buckets, activation, occasion, number)
        if previous is not None and generation.hash == previous.hash and not previous.stale:
            return previous, state
        diff = Difference()
        if previous is not None:
            diff = compare(previous.buckets, buckets, prompt_changed=generation.prompt != previous.prompt)
        return replace(generation, diff=diff), state

    def _assemble(
        self,
        loaded: Loaded,
        registry: Registry,
        buckets: Buckets,
        activation: Activation,
        occasion: Occasion,
        number: int,
    ) -> Generation:
        """Put a generation together; its difference is not known yet."""
        file = loaded.file
        prompt = build_prompt(file.system_prompt, [row.claim.descriptor for row in model_rows(buckets, activation)])
        settings = file.settings.dispatch
        workspace = str(file.builtin.workspace) if file.builtin.workspace is not None else None
        return Generation(
            number=number,
            cause=occasion.cause,
            at=occasion.at,
            wall=occasion.wall,
            hash=content_hash(
                registry,
                buckets,
                activation,
                prompt,
                settings,
                loaded.handlers,
                (
                    occasion.trusted,
                    _below(workspace, file.folder),
                    sorted((_below(name, file.folder), version) for name, version in loaded.versions.items()),
                    loaded.sources,
                ),
            ),
            registry=registry,
            buckets=buckets,
            activation=activation,
            prompt=prompt,
            provider=file.provider,
            settings=settings,
            workspace=workspace,
            hooks=loaded.handlers,
            sources=loaded.sources,
            warnings=plan_warnings(loaded, registry),
            files=occasion.files,
            bind=self._binder.bound_to(loaded.handlers, trusted=occasion.trusted, versions=loaded.versions),
            explain_missing=explain_missing,
            error=_plan_error(buckets),
        )


def base_state(loaded: Loaded, environment: Callable[[str], str | None]) -> EditState:
    """Return what the session file says before anybody edits.

    Args:
        loaded: the session as read.
        environment: answers the value of a variable of the process, for `inherit_env` alone.
    """
    spec = loaded.file.context
    inherited = {name: value for name in spec.inherit_env if (value := environment(name)) is not None}
    context = ContextState(
        auth=spec.auth,
        plugins=loaded.extension_ids if spec.plugins is None else spec.plugins,
        env={**inherited, **spec.env},
        config=spec.config,
        values=spec.values,
        inherited=frozenset(inherited) - frozenset(spec.env),
    )
    return EditState(context=context, policy=loaded.file.policy, activation=Activation())


def first_activation(loaded: Loaded, registry: Registry) -> Activation:
    """Return what is active at the start (R-REG 6)."""
    file = loaded.file
    return start(registry, file.active, file.builtin.tools)


def _below(path: str | None, folder: Path) -> str | None:
    """Return a path as seen from the session's folder."""
    return None if path is None else os.path.relpath(path, folder)


def registry_options(file: SessionFile, policy: Policy) -> RegistryOptions:
    """Return what the registry is built under."""
    return RegistryOptions(
        disable_builtin=not file.builtin.enabled,
        builtin_names=BUILTIN_NAMES,
        allowed_tools=file.allowed_tools,
        policy=policy,
        provider=file.provider,
    )


def plan_warnings(loaded: Loaded, registry: Registry) -> tuple[Problem, ...]:
    """Return all that is wrong without breaking the plan: of the files, and of registry and policy."""
    own = loaded.file.path.name
    found = [
        Problem(
            severity="warning",
            code=code,
            message=message,
            file=origin.file or own,
            line=origin.line,
            column=origin.column,
        )
        for code, message, origin in registry.warnings
    ]
    return (*loaded.problems, *found)


def _plan_error(buckets: Buckets) -> PlanError | None:
    """Return the contract error that stands first in plan order, with its place."""
    error = buckets.error
    if error is None:
        return None
    return PlanError(error.code, error.tool_name, error.message, error.origin)
