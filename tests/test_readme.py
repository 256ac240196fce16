"""What README says is so."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from toolbench.files.session_file import load_session_file

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Return the code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_opens_with_a_picture_that_is_there():
    picture = re.match(r"!\[.+\]\((.+)\)", TEXT)
    assert picture is not None
    assert (ROOT / picture[1]).is_file()


def test_two_commands_do_all_set_up():
    first, second = (block.removeprefix("$ ").rstrip("\n") for block in blocks("sh")[:2])
    assert first.endswith("toolbench run sample_sessions/quickstart")
    assert "pytest" in second
    assert "\n" not in first + second


def test_script_runs():
    script = blocks("python")[0]
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "deploy - " in done.stdout
    assert done.stdout.endswith("ok Opened #57: Write the notes\n")
    assert len([line for line in script.splitlines() if line]) == 10


def test_session_loads_without_an_error(tmp_path):
    (tmp_path / "session.yaml").write_text(blocks("yaml")[0])
    (tmp_path / "extensions").mkdir()
    (tmp_path / "workspace").mkdir()
    (tmp_path / "extensions" / "hooks.py").touch()
    (tmp_path / "tools.py").write_text("def roll_dice(sides): ...\n")
    problems = load_session_file(tmp_path / "session.yaml").problems
    assert [problem for problem in problems if problem.severity == "error"] == []


def test_every_module_named_in_contributing_is_there():
    named = re.findall(r"`((?:tools|handlers|executors|files|running|session|testing|cli|ui)/[\w/]+(?:\.py)?)`",
                       (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))  # fmt: skip
    missing = [name for name in named if not (ROOT / "src" / "toolbench" / name).exists()]
    assert missing == []


FOREIGN = ("pyp" + "i.org", "npm" + "js", "python" + "hosted", "/ho" + "me/", "/ro" + "ot/", "/wo" + "rk/")


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "constraints.txt", "pyproject.toml"])
def test_no_registry_and_no_path_of_a_machine(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert [word for word in FOREIGN if word in text] == []
