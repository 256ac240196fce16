"""The frame of all commands, as real processes: help, usage, streams, exit codes."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys

import pytest

COMMANDS = ("run", "plan", "call", "check", "schema", "snapshot", "trust", "untrust")
ESCAPE = "\x1b"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(toolbench, command):
    done = toolbench(command, "--help")
    assert done.returncode == 0
    assert "Example:" in done.stdout
    assert f"toolbench {command}" in done.stdout
    assert done.stderr == ""


def test_help_lists_every_command(toolbench):
    text = toolbench("--help").stdout
    assert [command for command in COMMANDS if f"\n  {command} " not in text] == []


def test_version_is_the_answer(toolbench):
    from toolbench import __version__

    assert toolbench("--version").stdout == f"toolbench {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["plan"],
        ["plan", "SESSION", "--nonsense"],
        ["plan", "SESSION", "--explain", "read", "--diff", "SESSION"],
        ["call", "SESSION"],
        ["call", "SESSION", "read", "--batch", "x.json"],
        ["call", "SESSION", "--batch", "x.json", "--input", "{}"],
        ["call", "SESSION", "roll_dice", "--input", "{"],
        ["call", "SESSION", "roll_dice", "--input", '{"sides": NaN}'],
        ["call", "SESSION", "roll_dice", "--input", '{"sides": 2, "sides": 3}'],
        ["call", "SESSION", "roll_dice", "--input", "@no-such-file.json"],
        ["call", "SESSION", "--batch", "no-such-file.json"],
        ["plan", "no-such-session"],
        ["plan", "SESSION", "--set", "nonsense.x=1"],
        ["plan", "SESSION", "--set", "env.TOKEN"],
        ["plan", "SESSION", "--set", "auth.tracker=1"],
        ["plan", "SESSION", "--set", "values.x=[1"],
        ["plan", "SESSION", "--set", "policy.nowhere={deny: [read]}"],
        ["plan", "SESSION", "--unset", "active.nobody"],
        ["snapshot", "SESSION", "-o", "a.svg", "--size", "big"],
        ["snapshot", "SESSION", "-o", "a.svg", "--size", "9999x9999"],
        ["trust"],
        ["schema", "nonsense"],
        ["run", "SESSION"],
    ],
)
def test_wrong_usage_is_2_and_says_why(toolbench, quickstart, arguments):
    done = toolbench(*(quickstart if word == "SESSION" else word for word in arguments))
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("toolbench: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["plan", "no-such-session"], ["call", "SESSION", "x", "--input", "{"]]
)
def test_with_json_a_failure_is_one_object_on_stderr(toolbench, quickstart, arguments):
    done = toolbench(*(quickstart if word == "SESSION" else word for word in arguments), "--json")
    assert (done.returncode, done.stdout) == (2, "")
    failure = json.loads(done.stderr)
    assert failure["toolbench"] == 1
    assert set(failure["error"]) == {"code", "message", "file", "line", "column", "fix"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "mapping"),
        ("[1, 2]", "mapping"),
        ("toolbench: 99\n", "version"),
        ("toolbench: 1\nname: [\n", "session.yaml:"),
    ],
)
def test_session_that_does_not_load_is_2(toolbench, tmp_path, text, said):
    (tmp_path / "session.yaml").write_text(text)
    done = toolbench("plan", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_no_colour_without_a_terminal(toolbench, quickstart):
    done = toolbench("plan", quickstart)
    assert ESCAPE not in done.stdout + done.stderr


def test_foreign_text_is_made_safe(toolbench, tmp_path):
    """HAND-24: nothing from a definition reaches the terminal as a control."""
    (tmp_path / "session.yaml").write_text(
        'toolbench: 1\nname: "A\\e]0;title\\a"\ncustom:\n'
        '  - {name: t, description: d, input_schema: {type: object}, run: {reply: "A\\e[31mB\\e]52;c;aGk=\\aC"}}\n'
    )
    planned, called = toolbench("plan", tmp_path), toolbench("call", tmp_path, "t")
    assert ESCAPE not in planned.stdout + planned.stderr + called.stdout + called.stderr
    assert called.stdout == "A␛[31mB␛]52;c;aGk=␇C\n"
    original = toolbench("call", tmp_path, "t", "--json").stdout
    assert original.isascii()
    assert json.loads(original)["result"]["content"][0]["text"] == "A\x1b[31mB\x1b]52;c;aGk=\x07C"


def test_reader_that_has_enough_is_no_failure(quickstart):
    program = [sys.executable, "-m", "toolbench.cli", "plan", str(quickstart), "--json"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_stream_that_is_not_unicode(toolbench, quickstart):
    done = toolbench("plan", quickstart, PYTHONIOENCODING="ascii")
    assert done.returncode == 1
    assert "\\u25cf" in done.stdout


def wait_for_a_writer(fifo):
    """Wait until something was written to a named pipe, at most 30 s."""
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert select.select([reader], [], [], 30)[0], "nobody wrote"
    finally:
        os.close(reader)


def test_interrupt_is_130(tmp_path):
    """An interrupt ends a running call, and the command with it."""
    (tmp_path / "session.yaml").write_text(
        "toolbench: 1\nname: x\ncustom:\n  - name: wait\n    description: d\n    input_schema: {type: object}\n"
        "    run: {command: [sh, -c, 'echo started >&2; echo > started; exec sleep 60']}\n"
    )
    os.mkfifo(tmp_path / "started")
    program = [sys.executable, "-m", "toolbench.cli", "call", str(tmp_path), "wait", "--trust"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for_a_writer(tmp_path / "started")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
