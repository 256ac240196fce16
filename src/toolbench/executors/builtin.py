"""The built-in tools' executors: files within the workspace, and the shell (formats: Built-in tools)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any, Final

from toolbench.executors import confined
from toolbench.executors.definitions import BUILTIN_NAMES, NEEDS_TRUST, builtin_definitions
from toolbench.executors.errors import ToolError
from toolbench.running.code import CodeRunner
from toolbench.running.patterns import PatternError, compile_pattern, matches
from toolbench.running.program import ending, run_program
from toolbench.tools.executor import Executor, ToolContext

__all__ = ["BUILTIN_NAMES", "NEEDS_TRUST", "builtin_definitions", "builtin_executor"]

MAX_FILE: Final = 10_000_000
MAX_LINES: Final = 2_000
MAX_SHOWN: Final = 100_000
MAX_FOUND: Final = 1_000


def builtin_executor(name: str, runner: CodeRunner) -> Executor:
    """Return the executor of a built-in tool.

    Args:
        name: one of `BUILTIN_NAMES`.
        runner: where blocking work runs.
    """
    if name == "exec":
        return _exec
    work = _WORK[name]

    async def run(arguments: dict[str, Any], context: ToolContext) -> Any:
        root = _root(context)
        return await runner.run(work, (root, arguments), label=f"{name} (built in)", on_late=context.late)

    return run


def _root(context: ToolContext) -> str:
    """Return the workspace.

    Raises:
        ToolError: the session has none.
    """
    if context.workspace is None:
        raise ToolError("this session has no workspace")
    return context.workspace


async def _exec(arguments: dict[str, Any], context: ToolContext) -> Any:
    """Run a shell command; output and exit code are the result."""
    try:
        finished = await run_program(arguments["command"], folder=_root(context))
    except (OSError, ValueError) as error:
        raise ToolError(f"the command cannot be started: {error}") from None
    output = "\n".join(part.rstrip("\n") for part in (finished.stdout, finished.stderr) if part.strip())
    output += "\n(output was cut)" if finished.cut else ""
    failure = ending(finished)
    if failure is not None:
        raise ToolError(f"{output}\n{failure}" if output else failure)
    return output


def _text(root: str, path: str) -> str:
    """Return a text file's content.

    Raises:
        ToolError: it cannot be read, or is no text.
    """
    data = confined.read_bytes(root, path, MAX_FILE)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise ToolError(f"{path} is no text in UTF-8") from None


def _read(root: str, arguments: dict[str, Any]) -> str:
    lines = _text(root, arguments["path"]).splitlines(keepends=True)
    first = int(arguments.get("offset", 1))
    if first > max(len(lines), 1):
        raise ToolError(f"{arguments['path']} has {len(lines)} lines; offset {first} is beyond its end")
    wanted = lines[first - 1 : first - 1 + min(int(arguments.get("limit", MAX_LINES)), MAX_LINES)]
    text = "".join(wanted)
    shown = text[:MAX_SHOWN]
    last = first - 1 + shown.count("\n") + (0 if shown.endswith("\n") or not shown else 1)
    if last < len(lines) or len(shown) < len(text):
        shown = f"{shown.rstrip(chr(10))}\n\n(lines {first} to {last} of {len(lines)}; read on with offset {last + 1})"
    return shown


def _ls(root: str, arguments: dict[str, Any]) -> str:
    with confined.opened_folder(root, arguments.get("path", ".")) as descriptor, os.scandir(descriptor) as entries:
        names = sorted(f"{entry.name}/" if entry.is_dir(follow_symlinks=False) else entry.name for entry in entries)
    return _listed(names, "(the folder is empty)")


def _find(root: str, arguments: dict[str, Any]) -> str:
    pattern = arguments["pattern"]
    fits = _glob(pattern)
    found = [
        path for path, is_folder in confined.walk(root, arguments.get("path", ".")) if not is_folder and fits(path)
    ]
    return _listed(found, f"(no file matches {pattern})")


def _glob(pattern: str) -> Callable[[str], bool]:
    """Return the test of a glob: `*` and `?` within a part, `**` over parts; without a slash it is the name alone."""
    if "/" not in pattern and "**" not in pattern:
        return lambda path: PurePosixPath(path).match(pattern)
    expression = ""
    rest = pattern.removeprefix("./")
    while rest:
        if rest.startswith("**/"):
            expression, rest = f"{expression}(?:[^/]+/)*+", rest[3:]
        elif rest.startswith("**"):
            expression, rest = f"{expression}.*+", rest[2:]
        elif rest[0] in "*?":
            expression, rest = expression + ("[^/]*" if rest[0] == "*" else "[^/]"), rest[1:]
        else:
            expression, rest = expression + ("\\" if not rest[0].isalnum() else "") + rest[0], rest[1:]
    compiled = compile_pattern(f"(?s)\\A(?:{expression})\\Z")
    return lambda path: matches(compiled, path)


def _grep(root: str, arguments: dict[str, Any]) -> str:
    try:
        pattern = compile_pattern(arguments["pattern"], ignore_case=arguments.get("ignore_case") is True)
        found: list[str] = []
        for path in _files(root, arguments.get("path", ".")):
            if len(found) >= MAX_FOUND:
                break
            for number, line in enumerate(_lines(root, path), 1):
                if matches(pattern, line):
                    found.append(f"{path}:{number}:{line[:400]}")
    except PatternError as error:
        raise ToolError(str(error)) from None
    return _listed(found, "(nothing matches)")


def _files(root: str, path: str) -> list[str]:
    """Return the files that a search goes through: the one named, or all below the folder."""
    try:
        with confined.opened_file(root, path):
            return [path]
    except confined.Outside:
        raise
    except ToolError:
        base = "" if path in (".", "", "./") else path.rstrip("/") + "/"
        return [base + one for one, is_folder in confined.walk(root, path) if not is_folder]


def _lines(root: str, path: str) -> list[str]:
    """Return a file's lines; none of what is no text, too large, or a link that leads out."""
    try:
        return _text(root, path).splitlines()
    except ToolError:
        return []


def _listed(names: list[str], nothing: str) -> str:
    """Return names one a line, cut with a notice."""
    if not names:
        return nothing
    more = len(names) - MAX_FOUND
    return "\n".join(names[:MAX_FOUND]) + (f"\n({more} more)" if more > 0 else "")


def _write(root: str, arguments: dict[str, Any]) -> str:
    data = arguments["content"].encode("utf-8", "surrogatepass")
    is_new = confined.write_bytes(root, arguments["path"], data)
    return f"{'Created' if is_new else 'Replaced'} {arguments['path']} ({len(data)} bytes)"


def _edit(root: str, arguments: dict[str, Any]) -> str:
    path, old = arguments["path"], arguments["old_text"]
    text = _text(root, path)
    times = text.count(old)
    if times != 1:
        raise ToolError(f"old_text stands in {path} {times} times; it must stand in it exactly once")
    confined.write_bytes(root, path, text.replace(old, arguments["new_text"]).encode("utf-8", "surrogatepass"))
    return f"Changed {path} in line {text[: text.index(old)].count(chr(10)) + 1}"


_WORK: Final[dict[str, Callable[[str, dict[str, Any]], str]]] = {
    "read": _read,
    "ls": _ls,
    "find": _find,
    "grep": _grep,
    "write": _write,
    "edit": _edit,
}
