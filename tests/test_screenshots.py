"""The pictures in the repository are those that `screenshots/make.py` draws today."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

HERE = Path(__file__).parent.parent / "screenshots"


def load_make():
    """Load the script, which is no part of a package."""
    spec = importlib.util.spec_from_file_location("screenshots_make", HERE / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make = load_make()


@pytest.mark.snapshot_ui
@pytest.mark.parametrize("shot", make.SHOTS, ids=lambda shot: shot.name)
def test_picture_is_current(shot):
    assert (HERE / f"{shot.name}.svg").read_text(encoding="utf-8") == make.draw(shot), "run: python screenshots/make.py"


def test_no_picture_without_a_script():
    assert {file.stem for file in HERE.glob("*.svg")} == {shot.name for shot in make.SHOTS}
