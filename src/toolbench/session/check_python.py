"""What is wrong with the Python files of a session, found by reading them: nothing is imported."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from toolbench.files.problems import Problem
from toolbench.files.run import PythonRun
from toolbench.files.session_model import HookSpec, SessionFile
from toolbench.tools.registry import Claim


@dataclass(frozen=True, slots=True)
class PythonSource:
    """What a Python file says about itself, as far as one can tell without running it."""

    message: str | None = None
    """Why it cannot be imported."""
    line: int | None = None
    column: int | None = None
    names: frozenset[str] | None = None
    """The names at its top level; None when a star import or `__getattr__` may bring more."""


def python_problems(file: SessionFile, claims: tuple[Claim, ...]) -> Iterator[Problem]:
    """Yield the Python files of hooks and tools that cannot be imported, and the functions that are not in theirs."""
    read = cache(_read)
    specs = [(spec, spec.file) for hooks in (*(one.hooks for one in file.extensions), file.hooks) for spec in hooks]
    for spec, path in specs:
        if spec.kind == "python" and path is not None:
            source = read(path)
            if source.message is not None:
                yield _unimportable(spec, source)
    for claim in claims:
        if isinstance(claim.binding, PythonRun):
            message = _function_fault(claim.binding, read(Path(claim.binding.file)))
            if message is not None:
                yield Problem(
                    severity="error",
                    code="no-function",
                    message=message,
                    file=claim.origin.file,
                    line=claim.binding.line or claim.origin.line,
                    column=None if claim.binding.line else claim.origin.column,
                    path="run.python",
                    tool=claim.name,
                )


def _unimportable(spec: HookSpec, source: PythonSource) -> Problem:
    return Problem(
        severity="error",
        code="hook-file-broken",
        message=f"cannot be imported, so it blocks every tool: {source.message}",
        file=spec.file_shown,
        line=source.line,
        column=source.column,
    )


def _function_fault(run: PythonRun, source: PythonSource) -> str | None:
    """Say why a tool's function will not be found."""
    name = Path(run.file).name
    if source.message is not None:
        place = f" (line {source.line})" if source.line else ""
        return f"{name} cannot be imported: {source.message}{place}"
    if source.names is not None and run.function not in source.names:
        return f"{name} has no function {run.function!r}"
    return None


def _read(path: Path) -> PythonSource:
    try:
        data = path.read_bytes()
    except OSError as error:
        return PythonSource(f"it cannot be read: {error.strerror or error}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data, filename=path.name)
    except SyntaxError as error:
        return PythonSource(error.msg, error.lineno, error.offset)
    except (ValueError, RecursionError, MemoryError) as error:
        return PythonSource(str(error) or "it is nested too deep")
    return PythonSource(names=_names(tree))


def _names(tree: ast.Module) -> frozenset[str] | None:
    """Return all that is bound at the top level, in branches too."""
    names: set[str] = set()
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names.update(alias.asname or alias.name.partition(".")[0] for alias in aliases)
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case _:
                waiting.extend(ast.iter_child_nodes(node))
    return None if names & {"*", "__getattr__"} else frozenset(names)
