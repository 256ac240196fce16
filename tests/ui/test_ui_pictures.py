"""Every screen and state of the workbench as a picture, the same on every run and machine."""

from __future__ import annotations

import pytest

from toolbench.text import safe

CASES = {
    # name: (sample, keys, size)
    "normal": ("quickstart", (), (120, 40)),
    "narrow": ("quickstart", (), (80, 24)),
    "narrow-inspector": ("quickstart", ("tab",), (80, 24)),
    "wide": ("quickstart", (), (200, 50)),
    "hidden-tree": ("quickstart", (*["down"] * 10, "enter", "right"), (120, 40)),
    "filter": ("quickstart", ("slash", *"issue"), (120, 40)),
    "help": ("quickstart", ("question_mark",), (120, 40)),
    "context": ("quickstart", ("c",), (120, 40)),
    "context-narrow": ("quickstart", ("c",), (80, 24)),
    "fire": ("quickstart", ("f",), (120, 40)),
    "fire-result": ("quickstart", ("f", "ctrl+r"), (120, 40)),
    "fire-narrow": ("quickstart", ("f",), (80, 24)),
    "calls": ("quickstart", ("3",), (120, 40)),
    "model": ("quickstart", ("6",), (120, 40)),
    "stopped": ("quickstart", ("s", "f", "ctrl+r", "escape"), (120, 40)),
    "toggled": ("quickstart", ("down", "space"), (120, 40)),
    "zoomed-log": ("quickstart", ("tab", "tab", "z"), (120, 40)),
    "trust": ("coding-agent", ("t",), (120, 40)),
    "restricted": ("coding-agent", (), (120, 40)),
    "broken": ("broken", (), (120, 40)),
    "imported": ("big-import", (), (120, 40)),
}


@pytest.mark.parametrize("name", CASES)
def test_screen(toolbench_snap, samples, name):
    sample, press, size = CASES[name]
    toolbench_snap(samples / sample, press=press, size=size)


LONG = "A very long description " * 200 + "[/] [bold]markup[/foo] \\x1b]52;c;eA==\\x07 \\u202e end"


@pytest.fixture
def odd_session(tmp_path):
    def write(text):
        (tmp_path / "session.yaml").write_text("toolbench: 1\nname: Odd\nbuiltin: false\n" + text)
        return tmp_path

    return write


def test_empty(toolbench_snap, odd_session):
    toolbench_snap(odd_session(""))


def test_long_and_hostile_text(toolbench_snap, odd_session):
    # HAND-01, HAND-02: names that become equal once cleaned, markup and escapes in what is shown.
    names = ("files-read", "files_read", "x" * 64)
    tools = "".join(
        f'  - {{name: {name}, description: "{LONG}", input_schema: {{type: object}}, run: {{reply: "{LONG}"}}}}\n'
        for name in names
    )
    toolbench_snap(odd_session("custom:\n" + tools), press=("f", "ctrl+r"))


def test_result_of_many_lines(toolbench_snap, odd_session):
    # HAND-21: a megabyte without a break, shown cut.
    tool = '  - {name: big, description: d, input_schema: {type: object}, run: {reply: "' + "y" * 1_000_000 + '"}}\n'
    toolbench_snap(odd_session("custom:\n" + tool), press=("f", "ctrl+r"))


def test_escapes_become_marks():
    assert "\x1b" not in safe("\x1b]52;c;eA==\x07")
