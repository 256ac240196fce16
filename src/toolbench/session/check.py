"""Everything that is wrong with a session, found without running anything (formats: `toolbench check`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from toolbench.files.problems import Problem
from toolbench.session.call_json import FORMAT
from toolbench.session.check_python import python_problems
from toolbench.session.generation import Generation
from toolbench.session.session import Session
from toolbench.tools.buckets import Row
from toolbench.tools.names import name_fault
from toolbench.tools.patterns import compile_patterns
from toolbench.tools.projection import provider_schema_problems
from toolbench.tools.schema import schema_warnings

Profile: TypeAlias = Literal["anthropic", "openai", "gemini", "mcp"]
_RANK = {"error": 0, "warning": 1, "info": 2}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """All problems, the worst first and in file order."""

    problems: tuple[Problem, ...]
    ok: bool
    """No error; under `strict`, no warning either."""

    def to_json(self) -> dict[str, Any]:
        """Return the document of `toolbench check --json`."""
        return {"toolbench": FORMAT, "ok": self.ok, "problems": [one.to_json() for one in self.problems]}


def check(session: Session, profile: Profile | None = None, *, strict: bool = False) -> CheckResult:
    """Return all that is wrong.

    Args:
        session: opened, trusted or not; nothing of it is run.
        profile: the provider whose rules for names and schemas hold; the session's own when not given.
        strict: let warnings count as errors.
    """
    generation = session.generation
    provider = profile or generation.provider
    found = {
        _key(one): one
        for one in (
            *generation.warnings,
            *_broken(generation),
            *_malformed(generation),
            *_schemas(generation, provider),
            *_names(generation, provider),
            *_handlers(session),
            *python_problems(session.file, session.loaded.claims),
        )
    }
    problems = tuple(sorted(found.values(), key=lambda one: (_RANK[one.severity], one.file or "", one.line or 0)))
    counted = ("error", "warning") if strict else ("error",)
    return CheckResult(problems, ok=not any(one.severity in counted for one in problems))


def _key(problem: Problem) -> tuple[object, ...]:
    """Return what makes two complaints one."""
    return (problem.file, problem.line, problem.code, problem.message, problem.tool)


def _at(row: Row, severity: Literal["error", "warning"], code: str, message: str, path: str | None = None) -> Problem:
    """Return a problem at the place where a tool is declared."""
    origin = row.claim.origin
    return Problem(
        severity=severity,
        code=code,
        message=message,
        file=origin.file,
        line=origin.line,
        column=origin.column,
        path=path,
        tool=row.name,
    )


def _broken(generation: Generation) -> Iterator[Problem]:
    """Yield the tools that break the contract."""
    for row in generation.buckets.broken:
        yield _at(row, "error", row.code or "broken", row.message or row.words)


def _malformed(generation: Generation) -> Iterator[Problem]:
    """Yield the expressions that are an authoring mistake (R-AVAIL 4)."""
    for row in generation.buckets.hidden:
        for one in row.diagnostics:
            if one.reason == "unsupported-signal":
                path = "availability" + (f"{one.path}" if one.path else "")
                yield _at(row, "error", "unsupported-signal", one.message, path)


def _schemas(generation: Generation, provider: str) -> Iterator[Problem]:
    """Yield what a provider would refuse in a schema, and what will not do what its author thinks."""
    for row in (*generation.buckets.visible, *generation.buckets.off, *generation.buckets.hidden):
        for path, message in provider_schema_problems(row.claim.descriptor, provider):
            yield _at(row, "warning", "provider-schema", f"{provider}: {message}", f"input_schema{path}")
        for path, message in schema_warnings(row.claim.descriptor.input_schema):
            yield _at(row, "warning", "schema", message, f"input_schema{path}")


def _names(generation: Generation, provider: str) -> Iterator[Problem]:
    """Yield names that another provider than the session's would refuse."""
    if provider == generation.provider:
        return
    for row in (*generation.buckets.visible, *generation.buckets.off, *generation.buckets.hidden):
        fault = name_fault(row.name, provider)
        if fault is not None:
            yield _at(row, "error", fault[0], fault[1])


def _handlers(session: Session) -> Iterator[Problem]:
    """Yield the hooks whose patterns match no tool."""
    names = [row.name for row in session.generation.buckets.all()]
    for handler in session.hooks:
        fits = compile_patterns(handler.tools)
        if handler.enabled and not any(fits(name) for name in names):
            patterns = ", ".join(handler.tools)
            yield Problem(
                severity="warning",
                code="hook-matches-nothing",
                file=handler.file,
                line=handler.line,
                message=f"the hook {handler.id} matches no tool: {patterns}",
            )
