"""What `run:` binds: Python functions, programs, canned replies (formats: the `run:` table)."""

from __future__ import annotations

import asyncio
import os
import sys

import pytest

from toolbench.executors.command import command_executor
from toolbench.executors.errors import ToolError
from toolbench.executors.python import python_executor
from toolbench.executors.reply import canned_executor, reply_executor
from toolbench.running.code import CodeRunner
from toolbench.tools.executor import ToolContext

CONTEXT = ToolContext("t1", "t", "/work")

FUNCTIONS = """
from __future__ import annotations
import dataclasses
from toolbench import ToolContext

def plain(a, b=2):
    return {"sum": a + b}

async def slow(a):
    return a

def told(context: ToolContext, a):
    context.progress("half")
    return [context.call_id, context.workspace, context.cancelled, a]

def rest(**kwargs):
    return kwargs

def prints():
    print("to the terminal?")

def exits():
    raise SystemExit(3)

constant = 5
"""


@pytest.fixture
def function(tmp_path):
    """Return `await function(name, **arguments)` of a Python file."""
    path = tmp_path / "tools.py"
    path.write_text(FUNCTIONS, encoding="utf-8")
    runner = CodeRunner()

    async def call(name, context=CONTEXT, /, **arguments):
        return await python_executor(str(path), name, runner)(arguments, context)

    yield call
    runner.close()


@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        ("plain", {"a": 1}, {"sum": 3}),
        ("plain", {"a": 1, "b": 1}, {"sum": 2}),
        ("slow", {"a": "x"}, "x"),
        ("told", {"a": 1}, ["t1", "/work", False, 1]),
        ("rest", {"a b": 1, "class": 2}, {"a b": 1, "class": 2}),
    ],
)
async def test_functions(function, name, arguments, answer):
    assert await function(name, **arguments) == answer


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("plain", {}, "missing 1 required positional argument"),
        ("plain", {"a b": 1}, "missing 1 required positional argument"),
        ("none", {}, "has no function none"),
        ("constant", {}, "has no function constant"),
        ("exits", {}, "tried to exit with 3"),
    ],
)
async def test_functions_that_fail(function, name, arguments, says):
    with pytest.raises(Exception, match=says):
        await function(name, **arguments)


async def test_what_a_function_prints_stays_off_the_terminal(function, capfd):
    await function("prints")
    assert capfd.readouterr() == ("", "")


async def test_progress_of_a_function_is_told(function):
    told = []
    await function("told", ToolContext("t1", progress=told.append), a=1)
    assert told == ["half"]


async def test_a_file_that_does_not_import_names_its_line(tmp_path):
    path = tmp_path / "bad.py"
    for text, says in (
        ("x = 1\ny = (\n", "bad.py:2: "),
        ("x = 1\n\nraise ValueError('no')\n", "bad.py:3: ValueError: no"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ToolError, match=says):
            await python_executor(str(path), "f", CodeRunner())({}, CONTEXT)


# Programs


def program(code, *words, stdin_json=False, folder="."):
    return command_executor([sys.executable, "-c", code, *words], stdin_json=stdin_json, folder=folder)


@pytest.mark.parametrize(
    ("code", "words", "arguments", "answer"),
    [
        ("print('text')", (), {}, "text\n"),
        ("print('{\"a\": 1}')", (), {}, {"a": 1}),
        (
            "import sys; print(sys.argv[1:])",
            ("{a}", "x{b}y", "{gone}", "{1}"),
            {"a": "1; rm -rf /", "b": [1]},
            "['1; rm -rf /', 'x[1]y', '', '{1}']\n",
        ),
    ],
)
async def test_programs(code, words, arguments, answer):
    assert await program(code, *words)(arguments, CONTEXT) == answer


async def test_a_program_reads_its_input_as_json():
    code = "import sys, json; print(json.dumps({'got': json.load(sys.stdin)}))"
    assert await program(code, stdin_json=True)({"a": "é"}, CONTEXT) == {"got": {"a": "é"}}


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("import sys; print('why', file=sys.stderr); sys.exit(4)", "exit code 4\nwhy"),
        ("import os; os.kill(os.getpid(), 11)", "SIGSEGV"),  # R-DISP-10
        ("import os; os.kill(os.getpid(), 9)", "SIGKILL"),
    ],
)
async def test_programs_that_fail(code, says):
    with pytest.raises(ToolError, match=says):
        await program(code)({}, CONTEXT)


async def test_a_program_that_is_not_there():
    with pytest.raises(ToolError, match="no-such-program cannot be started"):
        await command_executor(["no-such-program"], stdin_json=False, folder=".")({}, CONTEXT)


async def test_a_cancelled_program_takes_its_children_along(tmp_path):
    """The group is ended; what it would have written later is never written."""
    started, late = tmp_path / "started", tmp_path / "late"
    os.mkfifo(started)
    code = (
        "import os, subprocess, sys;"
        f"subprocess.Popen(['/bin/sh', '-c', 'echo $$ > {started}; read x < {tmp_path}/never; echo > {late}']).wait()"
    )
    os.mkfifo(tmp_path / "never")
    task = asyncio.create_task(program(code)({}, CONTEXT))
    pid = int(await asyncio.to_thread(started.read_text))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    def gone():
        while True:
            try:
                with open(f"/proc/{pid}/stat", encoding="ascii") as file:
                    if file.read().split()[2] == "Z":
                        return True
            except FileNotFoundError:
                return True

    async with asyncio.timeout(10):
        assert await asyncio.to_thread(gone)
    assert not late.exists()


async def test_the_output_of_a_program_is_bounded():
    answer = await program("print('x' * 3_000_000)")({}, CONTEXT)
    assert len(answer) < 1_100_000
    assert answer.endswith("(output was cut)")


# Canned replies


@pytest.mark.parametrize(
    ("reply", "arguments", "answer"),
    [
        ("text", {}, "text"),
        ("hello ${input.name}", {"name": "Zoë"}, "hello Zoë"),
        ("${input.list}", {"list": [1, 2]}, [1, 2]),
        ("n=${input.list.1} ${input.gone}", {"list": [1, 2]}, "n=2 ${input.gone}"),
        ("${input.a} ${env.HOME} {a} $a", {"a": {"b": 1}}, '{"b": 1} ${env.HOME} {a} $a'),
        ({"k": ["${input.a}"]}, {"a": None}, {"k": [None]}),
        ("${input.a}", {"a": "${input.b}", "b": "x"}, "${input.b}"),  # what is filled in is not filled in again
    ],
)
async def test_canned_replies(reply, arguments, answer):
    assert await reply_executor(reply)(arguments, CONTEXT) == answer


async def test_a_sequence_goes_on_with_its_last():
    run = reply_executor({"sequence": ["a", {"error": "b ${input.x}"}, "c"]})
    assert await run({}, CONTEXT) == "a"
    with pytest.raises(ToolError, match="b 1"):
        await run({"x": 1}, CONTEXT)
    assert [await run({}, CONTEXT) for _ in range(2)] == ["c", "c"]


async def test_an_imported_tool_says_that_nothing_runs_it():
    assert await canned_executor("t")({"a": 1}, CONTEXT) == '(canned reply: nothing runs t here. It received {"a": 1})'
