"""Reads all that a session file names into one state that a generation can be built from."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from toolbench._version import __version__
from toolbench.executors.builtin import builtin_definitions
from toolbench.files.problems import Problem
from toolbench.files.run import PythonRun
from toolbench.files.session_file import SessionFileError, load_session_file
from toolbench.files.session_model import ExtensionSpec, SessionFile
from toolbench.running.code import CodeRunner
from toolbench.session.binding import BuiltinRun, needs_trust
from toolbench.session.definitions import DefinitionCache, LoadedSource
from toolbench.session.generation import SourceState
from toolbench.session.hook_chain import HookChain
from toolbench.tools.descriptor import ToolDescriptor
from toolbench.tools.hooks import Handler
from toolbench.tools.projection import model_size, to_anthropic
from toolbench.tools.registry import Claim


@dataclass(frozen=True, slots=True)
class Loaded:
    """Everything that was read, as it stands."""

    file: SessionFile
    claims: tuple[Claim, ...]
    """Built-in tools, then the extensions' in order, then the custom ones."""
    sources: tuple[SourceState, ...]
    handlers: tuple[Handler, ...]
    problems: tuple[Problem, ...]
    versions: Mapping[str, str]
    """For each Python file of a tool: what tells its content from an earlier one."""
    extension_ids: tuple[str, ...]
    """The extensions that are loaded; they are enabled unless the context says otherwise."""
    began: int
    """When reading began, in nanoseconds since the epoch: what changed later may not have been read."""


class Loader:
    """Reads a session's files again and again, keeping what was good of each (R-GEN 3)."""

    def __init__(self, path: Path, runner: CodeRunner) -> None:
        """Create a loader of the session file at `path`."""
        self.path = path
        self._definitions = DefinitionCache(path.parent, path.name)
        self._hooks = HookChain(path.parent, runner)
        self._file: SessionFile | None = None

    def load(self, *, trusted: bool, changed: frozenset[Path] = frozenset()) -> Loaded:
        """Read what changed and return the whole state. Blocking: to be called off the event loop.

        Args:
            trusted: whether Python hook files may be imported.
            changed: files to read anew whatever their time stamps say.

        Raises:
            SessionFileError: the session file does not load and never did.
        """
        began = time.time_ns()
        self._definitions.forget(changed)
        self._hooks.forget(changed)
        file, session_problem = self._session_file()
        loaded = [self._builtin(file), *(self._extension(one) for one in file.extensions), _custom(file)]
        handlers, hook_problems = self._hooks.build(file, trusted=trusted)
        claims = tuple(claim for one in loaded for claim in one.claims)
        sources = [
            _restricted(one, trusted=trusted)
            for one in loaded
            if one.state.tools or one.state.kind not in ("builtin", "custom")
        ]
        if session_problem is not None:
            sources.insert(0, SourceState(id="session", kind="session", state="stale", error=session_problem.message))
        problems = [*file.problems, *(problem for one in loaded for problem in one.problems), *hook_problems]
        return Loaded(
            file=file,
            claims=claims,
            sources=tuple(sources),
            handlers=handlers,
            problems=(*((session_problem,) if session_problem else ()), *problems),
            versions=_versions(claims),
            extension_ids=tuple(one.id for one in file.extensions if one.enabled),
            began=began,
        )

    def _session_file(self) -> tuple[SessionFile, Problem | None]:
        """Read the session file; when it no longer loads, go on with what it was, and say so."""
        try:
            self._file = load_session_file(self.path)
        except SessionFileError as error:
            if self._file is None:
                raise
            return self._file, error.problem
        return self._file, None

    def _builtin(self, file: SessionFile) -> LoadedSource:
        """Return the built-in tools that the session asks for."""
        wanted = file.builtin.tools
        claims = (
            tuple(
                builtin_claim(descriptor)
                for descriptor in builtin_definitions()
                if wanted is None or descriptor.name in wanted
            )
            if file.builtin.enabled
            else ()
        )
        return LoadedSource(SourceState(id="builtin", kind="builtin", state="ok", tools=len(claims)), claims)

    def _extension(self, extension: ExtensionSpec) -> LoadedSource:
        """Return one extension's tools; a kind of source that is not there yet is in error, never passed over."""
        if not extension.enabled:
            return LoadedSource(SourceState(id=extension.id, kind="extension", state="disabled"))
        loaded = self._definitions.load(extension)
        missing = next((kind for kind in ("mcp", "channel") if getattr(extension, kind) is not None), None)
        if missing is not None:
            message = f"sources of kind {missing} cannot be loaded yet"
        elif extension.python_tools:
            message = f"tools defined in Python cannot be loaded yet: {', '.join(extension.python_tools)}"
        else:
            return loaded
        problem = Problem(
            severity="error",
            code="source-not-supported",
            message=f"{extension.id}: {message}",
            file=self.path.name,
            line=extension.line,
            column=extension.column,
        )
        state = replace(loaded.state, kind=missing or "extension", state="error", error=message)
        return replace(loaded, state=state, problems=(problem, *loaded.problems))


def builtin_claim(descriptor: ToolDescriptor) -> Claim:
    """Return the claim of a built-in tool, bound to the host's own executor."""
    projection = to_anthropic(descriptor)
    return Claim(
        descriptor=descriptor,
        source="builtin",
        kind="builtin",
        digest=f"builtin:{descriptor.name}:{__version__}",
        size=model_size(projection),
        binding=BuiltinRun(descriptor.name),
    )


def _custom(file: SessionFile) -> LoadedSource:
    """Return the tools that the session file holds itself (R-REG 9)."""
    return LoadedSource(SourceState(id="custom", kind="custom", state="ok", tools=len(file.custom)), file.custom)


def _restricted(loaded: LoadedSource, *, trusted: bool) -> SourceState:
    """Return a source's state: `restricted` when tools of it cannot be called before the folder is trusted."""
    state = loaded.state
    if trusted or state.state != "ok" or not any(needs_trust(claim) for claim in loaded.claims):
        return state
    return replace(state, state="restricted")


def _versions(claims: tuple[Claim, ...]) -> Mapping[str, str]:
    """Return the hash of each Python file that a tool is bound to; `none` for one that cannot be read."""
    files = {claim.binding.file for claim in claims if isinstance(claim.binding, PythonRun)}
    return {file: _file_hash(Path(file)) for file in files}


def _file_hash(path: Path) -> str:
    try:
        return hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
    except OSError:
        return "none"
