"""Hooks of a Python file: found, named and bridged off the loop (formats: Python hooks)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from toolbench.handlers.api import MARK, HookMark
from toolbench.running.code import CodeRunner
from toolbench.running.modules import ModuleError, load_module
from toolbench.tools.hooks import Call, Handler, Result

BY_NAME = {
    "before_tool_call": HookMark("before", ("*",), None, "block", None),
    "after_tool_call": HookMark("after", ("*",), None, "block", None),
}


def load_python_hooks(
    file: str, *, shown: str, source: str, runner: CodeRunner
) -> tuple[tuple[Handler, ...], tuple[tuple[int | None, str], ...]]:
    """Import a hook file and return its handlers in the order of their definition. Blocking; runs the file's code.

    Args:
        file: absolute.
        shown: how it is called in what people read.
        source: the extension, or `session`.
        runner: where the functions will run.

    Returns:
        the handlers, and line and message of each thing that is wrong.
    """
    try:
        module = load_module(file)
    except ModuleError as error:
        return (), ((error.line, error.message),)
    handlers = tuple(_handler(function, mark, shown, source, runner) for function, mark in _hooks(module, file))
    if handlers:
        return handlers, ()
    return (), ((None, f"{shown} defines no hook: name a function before_tool_call or after_tool_call, or mark it"),)


def _hooks(module: ModuleType, file: str) -> Iterator[tuple[Callable[..., Any], HookMark]]:
    """Yield the functions that are defined in the file and are hooks, by name or by decorator, in order."""
    found: list[tuple[int, Callable[..., Any], tuple[HookMark, ...]]] = []
    for name, value in vars(module).items():
        if not callable(value) or inspect.isclass(value):
            continue
        marks: tuple[HookMark, ...] = getattr(value, MARK, ())
        if not marks and name in BY_NAME:
            marks = (BY_NAME[name],)
        code = getattr(inspect.unwrap(value), "__code__", None)
        if marks and code is not None and Path(code.co_filename) == Path(file):
            found.append((code.co_firstlineno, value, marks))
    for _, function, marks in sorted(found, key=lambda one: one[0]):
        for mark in marks:
            yield function, mark


def _handler(function: Callable[..., Any], mark: HookMark, shown: str, source: str, runner: CodeRunner) -> Handler:
    """Bridge one function to the chain."""
    unwrapped = inspect.unwrap(function)
    name = getattr(unwrapped, "__name__", "hook")
    handler_id = mark.id or f"{shown}:{name}"
    takes_result = mark.stage == "after"

    async def run(call: Call, result: Result | None) -> Any:
        args = (call, result) if takes_result else (call,)
        return await runner.run(function, args, label=f"hook {handler_id}")

    return Handler(
        id=handler_id,
        stage=mark.stage,
        run=run,
        tools=mark.tools,
        file=shown,
        line=_line(unwrapped),
        timeout=mark.timeout,
        on_timeout=mark.on_timeout,
        source=source,
        kind="python",
    )


def _line(function: Callable[..., Any]) -> int | None:
    code = getattr(function, "__code__", None)
    return None if code is None else code.co_firstlineno
