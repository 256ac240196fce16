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

    def _make(
        self, spec: HookSpec, source: str, *, trusted: bool
    ) -> tuple[tuple[Handler, ...], tuple[Problem, ...]]:
        """Make the handlers of one entry."""
        if spec.kind == "rule":
            return (rule_handler(spec.id, spec.on, spec.tools, spec.data, file=spec.file_shown, line=spec.line,
                                 source=source, enabled=spec.enabled, timeout=spec.timeout,
                                 on_timeout=spec.on_timeout),), ()
        if spec.kind != "python":
            return self._blocking(spec, source, NOT_SUPPORTED[spec.kind], "hook-not-supported"), ()
        if not spec.enabled:
            return self._blocking(spec, source, "disabled"), ()
        if not trusted:
            return self._blocking(spec, source, UNTRUSTED), ()
        return self._python(spec, source)
