"""Imports people's Python files: from source, under a fresh name, so that an edit is seen and nothing is shared."""

from __future__ import annotations

import itertools
import sys
import traceback
from pathlib import Path
from types import ModuleType

_NUMBERS = itertools.count(1)


class ModuleError(Exception):
    """A file cannot be imported; `line` is where, if it is known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def load_module(path: str) -> ModuleType:
    """Import the file at `path`. Blocking, and runs its code: to be called in a thread.

    Modules beside it can be imported by it, as when it is run as a program.

    Raises:
        ModuleError: it cannot be read, is no Python, or raises.
    """
    file = Path(path)
    try:
        source = file.read_bytes()
        code = compile(source, str(file), "exec")
    except SyntaxError as error:
        raise ModuleError(f"{file.name} is no Python: {error.msg}", error.lineno) from None
    except (OSError, ValueError) as error:
        raise ModuleError(f"{file.name} cannot be read: {error}") from None
    module = ModuleType(f"toolbench_user_{next(_NUMBERS)}_{file.stem}")
    module.__file__ = str(file)
    folder = str(file.parent)
    if folder not in sys.path:
        sys.path.append(folder)
    # Dataclasses and pickling look a class's module up by its name.
    sys.modules[module.__name__] = module
    try:
        exec(code, module.__dict__)
    except BaseException as error:  # noqa: BLE001 - people's code: a SystemExit is its failure, too
        del sys.modules[module.__name__]
        raise ModuleError(f"{type(error).__name__}: {error}", _line_in(file, error)) from None
    return module


def _line_in(file: Path, error: BaseException) -> int | None:
    """Return the line of the file at which an error left it."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    return lines[-1] if lines else None
