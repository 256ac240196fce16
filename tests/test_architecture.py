"""Imports go one way, and quick commands load little: what a static graph sees, and what it cannot see."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = ("textual", "rich", "asyncio", "pydantic", "yaml", "jsonschema_rs", "mcp", "watchfiles", "regex")
REPORT = """
import sys
{code}
heavy = {heavy!r}
print(*sorted(name for name in heavy if name in sys.modules))
"""


def loaded_after(code: str) -> set[str]:
    """Return which heavy modules a fresh interpreter has loaded after `code`."""
    program = REPORT.format(code=code, heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_layers_point_one_way():
    """The contracts in pyproject.toml hold; the planner and all around it import nothing else (OC-P9)."""
    program = "from importlinter.cli import lint_imports_command as run; run()"
    done = subprocess.run(
        [sys.executable, "-c", program, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "code",
    [
        "import toolbench",
        "import toolbench.tools.planner, toolbench.tools.availability, toolbench.tools.explain",
        "import toolbench.testing.plugin",
        "from toolbench.cli.entry import run_command_line as run; run(['--help'])",
        "from toolbench.cli.entry import run_command_line as run; run(['--version'])",
        "from toolbench.cli.entry import run_command_line as run; run(['nonsense'])",
    ],
)
def test_quick_things_load_nothing_heavy(code):
    assert loaded_after(code) == set()


@pytest.mark.parametrize("command", ["run", "plan", "call", "check", "schema", "snapshot", "trust", "untrust"])
def test_help_of_a_command_loads_nothing_heavy(command):
    code = f"from toolbench.cli.entry import run_command_line as run; run(['{command}', '--help'])"
    assert loaded_after(code) == set()


@pytest.mark.parametrize("name", ["plan", "check", "call"])
def test_headless_commands_load_no_terminal_library(name):
    sample = ROOT / "sample_sessions" / "quickstart"
    extra = ", 'roll_dice', '--input', '{\"sides\": 6}'" if name == "call" else ""
    code = f"from toolbench.cli.entry import run_command_line as run; run(['{name}', {str(sample)!r}{extra}])"
    assert loaded_after(code) & {"textual", "rich", "mcp"} == set()
