"""Tools in Python: plain functions, bound in session.yaml by `run: {python: tools.py:NAME}`.

The arguments come as keyword arguments. A parameter annotated `ToolContext` gets what the call is told about itself and
is no part of the tool's schema.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from toolbench import ToolContext

# Bytecode is told from its source by second and size; an edit can leave both as they were.
sys.dont_write_bytecode = True


def run_tests(context: ToolContext, only: str = "") -> dict[str, object]:
    """Run every `test_*` function of the workspace and report what failed."""
    passed: list[str] = []
    failed: dict[str, str] = {}
    workspace = Path(str(context.workspace))
    _forget(workspace)
    for file in sorted((workspace / "tests").glob("test_*.py")):
        module = _load(file)
        for name in [name for name in vars(module) if name.startswith("test_") and only in name]:
            if context.cancelled:
                raise RuntimeError("cancelled")
            context.progress({"running": name})
            try:
                getattr(module, name)()
            except AssertionError as error:
                failed[name] = str(error) or "assertion failed"
            else:
                passed.append(name)
    return {"content": _report(passed, failed), "is_error": bool(failed)}


def _report(passed: list[str], failed: dict[str, str]) -> str:
    """Return the summary that the model reads."""
    lines = [f"FAILED {name}: {reason}" for name, reason in failed.items()]
    return "\n".join([*lines, f"{len(passed)} passed, {len(failed)} failed"])


def _forget(workspace: Path) -> None:
    """Forget the modules of the workspace: this process lives on from call to call, and the agent edits them."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and workspace in Path(file).parents:
            del sys.modules[name]


def _load(file: Path) -> ModuleType:
    """Run a test file from its source, under a name of its own."""
    spec = importlib.util.spec_from_file_location(f"workspace_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise RuntimeError(f"cannot load {file.name}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
