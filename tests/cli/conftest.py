"""Runs the commands as real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def quickstart(samples: Path) -> Path:
    """The sample session with something in every bucket."""
    return samples / "quickstart"


@pytest.fixture
def toolbench(tmp_path: Path):
    """Return `run(*arguments, stdin="", **environment)`, which runs the command in an empty folder."""
    folder = tmp_path / "cwd"
    folder.mkdir()

    def run(*arguments: object, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "toolbench.cli", *map(str, arguments)],
            input=stdin, capture_output=True, text=True, cwd=folder, env={**os.environ, **environment}, timeout=60,
            check=False, encoding="utf-8",
        )  # fmt: skip

    return run
