"""Hooks of Python files: found, run off the loop, and never trusted to end (R-HOOK 1, 7; HAND-13)."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from toolbench.handlers.python import load_python_hooks
from toolbench.running.code import CodeRunner
from toolbench.tools.hooks import Block, Call, Replace, Result, Rewrite


@pytest.fixture
def hooks(tmp_path):
    """Return `hooks(text)`: the handlers of a hook file and its faults."""
    runner = CodeRunner()

    def load(text):
        path = tmp_path / "hooks.py"
        path.write_text(text, encoding="utf-8")
        return load_python_hooks(str(path), shown="hooks.py", source="session", runner=runner)

    yield load
    runner.close()


FILE = """
from toolbench import Block, Replace, Rewrite, after, before

def helper(call):
    return 1 / 0

@after("read")
def shout(call, result):
    return Rewrite(content=result.content[0]["text"].upper())

def before_tool_call(call):
    return Block("no") if call.name == "exec" else None

@before(["write", "edit*"], timeout=2, on_timeout="skip", id="guard")
async def check(call):
    return Replace({**call.input, "seen": True})

@before("a")
@after("a", id="both-after")
def both(call, result=None):
    return None
"""


async def test_hooks_are_found_by_name_and_by_decorator_in_the_order_of_the_file(hooks):
    handlers, faults = hooks(FILE)
    assert faults == ()
    assert [(one.id, one.stage, one.tools, one.line) for one in handlers] == [
        ("hooks.py:shout", "after", ("read",), 7),
        ("hooks.py:before_tool_call", "before", ("*",), 11),
        ("guard", "before", ("write", "edit*"), 14),
        ("hooks.py:both", "before", ("a",), 18),
        ("both-after", "after", ("a",), 18),
    ]
    assert (handlers[2].timeout, handlers[2].on_timeout) == (2, "skip")
    said = Result([{"type": "text", "text": "hi"}])
    assert await handlers[0].run(Call("t1", "read", {}), said) == Rewrite(content="HI")
    assert await handlers[1].run(Call("t1", "exec", {}), None) == Block("no")
    assert await handlers[1].run(Call("t1", "read", {}), None) is None
    assert await handlers[2].run(Call("t1", "write", {"a": 1}), None) == Replace({"a": 1, "seen": True})


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("def f(:\n", 1, "no Python"),
        ("x = 1\nraise ValueError('no')\n", 2, "ValueError: no"),
        ("import sys\nsys.exit(3)\n", 2, "SystemExit: 3"),
        ("import nothing_of_this_name\n", 1, "No module named"),
        ("x = 1\n", None, "defines no hook"),
    ],
)
def test_a_file_that_is_no_hook_file_is_told_with_its_line(hooks, text, line, says):
    handlers, ((found, message),) = hooks(text)
    assert handlers == ()
    assert found == line
    assert says in message


def test_an_edit_is_seen(hooks):
    first, _ = hooks("def before_tool_call(call): pass\n")
    second, _ = hooks("\n\ndef before_tool_call(call): pass\n")
    assert [first[0].line, second[0].line] == [1, 3]


SLEEPS = """
import threading
gate = threading.Event()
def before_tool_call(call):
    gate.wait()
"""


async def test_a_synchronous_hook_that_hangs_leaves_the_loop_free_and_is_left_behind(tmp_path):
    # HAND-13 C: blocked within the limit, the executor never entered, also not when the hook answers later
    from toolbench import Session

    (tmp_path / "hooks.py").write_text(SLEEPS, encoding="utf-8")
    (tmp_path / "session.yaml").write_text(
        "toolbench: 1\nhooks: [{python: hooks.py}]\nsettings: {hook_timeout: 0.2}\n"
        "custom: [{name: delete, run: {reply: gone}}]\n",
        encoding="utf-8",
    )
    async with Session.open(tmp_path, trust=True) as session:
        ticks = []

        async def tick():
            while True:
                ticks.append(time.monotonic())
                await asyncio.sleep(0.01)

        ticker = asyncio.create_task(tick())
        began = time.monotonic()
        report = await session.call("delete", {"path": "/x"})
        took = time.monotonic() - began
        ticker.cancel()
        assert (report.verdict, report.executed) == ("blocked", False)
        assert "did not answer within 0.2 s" in report.result.content[0]["text"]
        assert took < 2
        assert len(ticks) > 5
        assert session.left_behind == ("hook hooks.py:before_tool_call",)
        assert session.lock_holder is None


async def test_hooks_run_in_a_thread_of_their_own(hooks):
    handlers, _ = hooks("import threading\ndef before_tool_call(call): return threading.get_ident()\n")
    assert await handlers[0].run(Call("t1", "t", {}), None) != threading.get_ident()
