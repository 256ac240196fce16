"""What all tests share: a clean environment, and the sample sessions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "sample_sessions"

pytest_plugins = ["pytester"]

settings.register_profile("steady", deadline=None, print_blob=True)
settings.load_profile("steady")


@pytest.fixture(autouse=True)
def clean_environment(toolbench_environment: Path) -> Path:
    """Give every test an environment of its own; nothing remembered reaches the next one."""
    return toolbench_environment


@pytest.fixture
def samples() -> Path:
    """The folder of the sample sessions."""
    return SAMPLES
