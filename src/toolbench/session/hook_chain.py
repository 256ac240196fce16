"""Makes the chain of handlers: each extension's hooks in order, then the session's own (R-HOOK 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from toolbench.files.problems import Problem
from toolbench.files.session_model import HookSpec, SessionFile
from toolbench.handlers.blocking import blocking_handler
from toolbench.handlers.python import load_python_hooks
from toolbench.handlers.rules import rule_handler
from toolbench.running.code import CodeRunner
from toolbench.session.bounded import TookTooLong, bounded
from toolbench.tools.hooks import Handler

UNTRUSTED = "the hook runs code and its folder is not trusted, so nothing it guards may run (toolbench trust)"
NOT_SUPPORTED = {
    "command": "hook programs cannot be run yet, so the tools that this one names are blocked",
    "claude_settings": "hooks of a settings file cannot be run yet, so all tools are blocked",
    "unknown": "the hook is not understood, so the tools that it names are blocked",
}


@dataclass(slots=True)
class HookChain:
    """Loads hooks; a Python file's handlers are kept until the file changes."""

    folder: Path
    runner: CodeRunner
    load_limit: float = 15.0
    """Seconds that importing one hook file may take."""
    _loaded: dict[tuple[Path, str], tuple[tuple[int, int], tuple[Handler, ...], tuple[Problem, ...]]] = field(
        default_factory=dict
    )

    def forget(self, paths: frozenset[Path]) -> None:
        """Load these files anew at the next build."""
        for key in [key for key in self._loaded if key[0] in paths]:
            del self._loaded[key]

    def build(self, file: SessionFile, *, trusted: bool) -> tuple[tuple[Handler, ...], tuple[Problem, ...]]:
        """Return the whole chain, and what is wrong with it."""
        handlers: list[Handler] = []
        problems: list[Problem] = []
        specs = [(spec, one.id) for one in file.extensions if one.enabled for spec in one.hooks]
        specs += [(spec, "session") for spec in file.hooks]
        for spec, source in specs:
            made, wrong = self._make(spec, source, trusted=trusted)
            handlers.extend(made)
            problems.extend(wrong)
        return _numbered(handlers), tuple(problems)

    def _make(self, spec: HookSpec, source: str, *, trusted: bool) -> tuple[tuple[Handler, ...], tuple[Problem, ...]]:
        """Make the handlers of one entry; one that cannot run becomes a handler that blocks (fail closed)."""
        if spec.kind == "rule":
            return (self._rule(spec, source),), ()
        if not spec.enabled:
            return (replace(self._blocking(spec, source, "disabled"), enabled=False),), ()
        if spec.kind != "python":
            reason = NOT_SUPPORTED[spec.kind]
            problem = self._problem(spec, "hook-not-supported", reason) if spec.kind != "unknown" else None
            return (self._blocking(spec, source, reason),), (problem,) if problem else ()
        if not trusted:
            return (self._blocking(spec, source, UNTRUSTED),), ()
        return self._python(spec, source)

    def _rule(self, spec: HookSpec, source: str) -> Handler:
        """Make the handler of a rule hook: data, so no trust is needed."""
        return rule_handler(
            id=spec.id,
            on=spec.on,
            tools=spec.tools,
            data=spec.data,
            file=spec.file_shown,
            line=spec.line,
            source=source,
            enabled=spec.enabled,
            timeout=spec.timeout,
            on_timeout=spec.on_timeout,
        )

    def _blocking(self, spec: HookSpec, source: str, reason: str) -> Handler:
        """Make a handler that blocks what the entry names."""
        return blocking_handler(
            id=spec.id,
            stage="before",
            tools=spec.tools,
            reason=reason,
            file=spec.file_shown,
            line=spec.line,
            source=source,
        )

    def _python(self, spec: HookSpec, source: str) -> tuple[tuple[Handler, ...], tuple[Problem, ...]]:
        """Import a hook file, within a time limit; one that cannot be imported blocks."""
        assert spec.file is not None
        key = (spec.file, source)
        stamp = _stamp(spec.file)
        known = self._loaded.get(key)
        if known is not None and known[0] == stamp:
            return known[1], known[2]
        file = spec.file
        try:
            handlers, faults = bounded(
                lambda: load_python_hooks(str(file), shown=spec.file_shown, source=source, runner=self.runner),
                self.load_limit,
            )
        except TookTooLong as error:
            handlers, faults = (), ((None, f"importing {spec.file_shown} was {error}"),)
        problems = tuple(
            Problem(severity="error", code="hook-file-broken", message=message, file=spec.file_shown, line=line)
            for line, message in faults
        )
        if problems:
            # What loaded keeps working; what did not may have been a guard, so everything is blocked.
            handlers = (*handlers, self._blocking(spec, source, f"{spec.file_shown} is broken: {problems[0].message}"))
        self._loaded[key] = (stamp, handlers, problems)
        return handlers, problems

    def _problem(self, spec: HookSpec, code: str, message: str) -> Problem:
        """Return a problem at the entry's place."""
        return Problem(
            severity="error",
            code=code,
            message=f"{spec.id}: {message}",
            file=spec.file_shown,
            line=spec.line,
            column=spec.column,
        )


def _stamp(path: Path) -> tuple[int, int]:
    """Return what changes when a file's content does; zeros for a file that is not there."""
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_mtime_ns, status.st_size)


def _numbered(handlers: Sequence[Handler]) -> tuple[Handler, ...]:
    """Give each handler an id of its own: a repeat gets `#2` (formats: Python hooks)."""
    seen: Counter[str] = Counter()
    numbered: list[Handler] = []
    for handler in handlers:
        seen[handler.id] += 1
        count = seen[handler.id]
        numbered.append(handler if count == 1 else replace(handler, id=f"{handler.id}#{count}"))
    return tuple(numbered)
