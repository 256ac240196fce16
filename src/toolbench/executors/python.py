"""Python functions as tools (formats: the `run:` table)."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolbench.executors.errors import ToolError
from toolbench.running.code import CodeRunner
from toolbench.running.modules import ModuleError, load_module
from toolbench.tools.executor import Executor, ToolContext


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A function, and how it wants to be called."""

    function: Callable[..., Any]
    context_parameter: str | None
    takes_any: bool


def python_executor(file: str, function: str, runner: CodeRunner) -> Executor:
    """Return an executor that calls `function` of `file`; the file is imported at the first call (R-DESC 3).

    Args:
        file: absolute.
        function: its name.
        runner: where people's code runs.
    """
    loaded: list[_Loaded] = []
    label = f"{Path(file).name}:{function}"

    async def run(arguments: dict[str, Any], context: ToolContext) -> Any:
        if not loaded:
            loaded.append(await runner.run(_load, (file, function), label=f"import {label}"))
        one = loaded[0]
        named = {name: value for name, value in arguments.items() if name.isidentifier() or one.takes_any}
        if one.context_parameter is not None:
            named[one.context_parameter] = context
        return await runner.run(one.function, (), named, label=f"{context.tool_name} ({label})", on_late=context.late)

    return run


def _load(file: str, name: str) -> _Loaded:
    """Import the file and find the function.

    Raises:
        ToolError: either is not possible; the message names file and line.
    """
    try:
        module = load_module(file)
    except ModuleError as error:
        where = f"{Path(file).name}:{error.line}" if error.line else Path(file).name
        raise ToolError(f"{where}: {error.message}") from None
    function = getattr(module, name, None)
    if not callable(function):
        raise ToolError(f"{Path(file).name} has no function {name}")
    parameters = inspect.signature(function).parameters.values()
    wanted = next((one.name for one in parameters if _is_context(one.annotation)), None)
    return _Loaded(function, wanted, any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters))


def _is_context(annotation: Any) -> bool:
    """Tell whether an annotation, a text one too, means the tool context."""
    if isinstance(annotation, str):
        return annotation.rpartition(".")[2].strip(" |None") == "ToolContext"
    return annotation is ToolContext
