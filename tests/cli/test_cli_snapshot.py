"""`toolbench snapshot`, and `toolbench run` in a terminal."""

from __future__ import annotations

import os
import sys

import pexpect
import pytest


def test_same_picture_every_time(toolbench, quickstart, tmp_path):
    pictures = []
    for name, environment in [("a", {}), ("b", {"NO_COLOR": "1", "TERM": "dumb", "TZ": "Asia/Tokyo"})]:
        file = tmp_path / f"{name}.svg"
        done = toolbench("snapshot", quickstart, "-o", file, **environment)
        assert (done.returncode, done.stdout) == (0, "")
        pictures.append(file.read_text())
    assert pictures[0] == pictures[1]
    assert pictures[0].startswith("<svg")
    assert "create_issue" in pictures[0]


def test_keys_change_the_picture(toolbench, quickstart, tmp_path):
    toolbench("snapshot", quickstart, "-o", tmp_path / "a.svg")
    toolbench("snapshot", quickstart, "-o", tmp_path / "b.svg", "--press", "question_mark", "--size", "100x30")
    assert (tmp_path / "a.svg").read_text() != (tmp_path / "b.svg").read_text()


def test_place_that_cannot_be_written(toolbench, quickstart, tmp_path):
    done = toolbench("snapshot", quickstart, "-o", tmp_path / "no" / "such" / "folder.svg")
    assert done.returncode == 2
    assert "folder.svg" in done.stderr


@pytest.mark.parametrize("size", [(40, 120), (24, 80)])
def test_workbench_opens_and_quits(quickstart, size):
    child = pexpect.spawn(
        sys.executable,
        ["-m", "toolbench.cli", "run", str(quickstart)],
        dimensions=size,
        timeout=30,
        env=dict(os.environ),
    )
    child.expect("create_issue")
    child.send("\x11")  # ctrl+q
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
