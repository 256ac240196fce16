"""The dock shows where a stopped call stands, and lets it go on."""

import asyncio

import pytest

from toolbench.ui.models.lines import plain, text_of
from toolbench.ui.models.step_chain import StoppedCall, change_lines, held_words
from toolbench.ui.widgets.step_dock import StepDock
from toolbench.ui.widgets.text_view import TextView

ISSUE = {"title": "x"}


@pytest.fixture
def dock(session):
    session.set("env.GH_TOKEN", "t")
    session.stepper.mode = "step"
    session.now = lambda: 13.0
    return StepDock()


async def stopped(session, pilot, dock, until, count=1):
    tasks = [asyncio.create_task(session.call("create_issue", ISSUE)) for _ in range(count)]
    await until(pilot, lambda: bool(session.stepper.stopped))
    dock.refresh_from(session)
    await pilot.pause()
    return tasks


async def test_hidden_while_nothing_is_stopped(dock, session, show):
    async with show(dock, screen=False).run_test(size=(120, 20)):
        dock.refresh_from(session)
        assert not dock.display


async def test_a_stopped_call_is_stepped_to_its_end(dock, session, show, text, until):
    async with show(dock, screen=False).run_test(size=(120, 20)) as pilot:
        (task,) = await stopped(session, pilot, dock, until)
        shown = text(pilot.app)
        assert "Stopped #1 create_issue  before 1 of 2  held 00:12  cap  hooks.py:8" in shown
        assert "▸ cap  next" in shown
        assert "nothing" in shown
        dock.focus()
        seen = []
        while not task.done():
            stop = dock.shown
            assert stop is not None
            seen.append((stop.stage, stop.when, stop.handler))
            if stop.handler == "audit" and stop.when == "enter":
                assert "✓ cap  replace  ~ /limit" in text(pilot.app)
                assert "+ /limit: 10" in text(pilot.app)
            await pilot.press("n")
            await until(pilot, lambda: task.done() or bool(session.stepper.stopped))
            dock.refresh_from(session)
            await pilot.pause()
        assert seen[0] == ("before", "enter", "cap")
        assert ("execute", "enter", None) in seen
        assert seen[-1] == ("after", "leave", "redact")
        assert not dock.display
        assert (await task).verdict == "ok"


@pytest.mark.parametrize(("key", "verdict"), [("c", "ok"), ("a", "aborted")])
async def test_continue_and_abort(dock, session, show, until, key, verdict):
    async with show(dock, screen=False).run_test(size=(120, 20)) as pilot:
        (task,) = await stopped(session, pilot, dock, until)
        dock.focus()
        await pilot.press(key)
        await until(pilot, task.done)
        assert (await task).verdict == verdict


async def test_step_mode_is_switched_and_waiting_calls_are_counted(dock, session, show, text, until):
    async with show(dock, screen=False).run_test(size=(120, 20)) as pilot:
        tasks = await stopped(session, pilot, dock, until, count=2)
        assert "1 waits" in text(pilot.app)
        dock.focus()
        await pilot.press("s")
        await pilot.pause()
        assert session.stepper.mode == "off"
        assert "step mode is off" in text(pilot.app)
        await pilot.press("c")
        await asyncio.gather(*tasks)


async def test_a_narrow_dock_leaves_the_changes_out(dock, session, show, text, until):
    async with show(dock, screen=False).run_test(size=(80, 20)) as pilot:
        (task,) = await stopped(session, pilot, dock, until)
        shown = text(pilot.app)
        assert "changed since the model" not in shown
        assert "held 00:12" in shown
        session.stepper.abort(1)
        await task


@pytest.mark.parametrize(
    ("given", "now", "pointer", "line"),
    [
        ({}, {"a": 1}, "/a", "+ /a: 1"),
        ({"a": 1}, {}, "/a", "− /a: 1"),
        ({"a": [1]}, {"a": [2]}, "/a/0", "~ /a/0: 1 → 2"),
        ({"a": None}, {"a": "[/]\x1b"}, "/a", '~ /a: null → "[/]\\u001b"'),
    ],
)
def test_changes_in_words(given, now, pointer, line):
    stop = StoppedCall(call=1, tool="t", stage="before", when="enter", handler="h", position=0, total=1, arguments=now,
                       given=given)  # fmt: skip
    assert plain(change_lines(stop, (pointer,))[1]) == line


def test_held_words():
    assert [held_words(seconds) for seconds in (0.4, 12, 754)] == ["00:00", "00:12", "12:34"]


async def test_the_chain_is_text(dock, session, show, until):
    async with show(dock, screen=False).run_test(size=(120, 20)) as pilot:
        (task,) = await stopped(session, pilot, dock, until)
        chain = text_of(dock.query_one("#step-chain", TextView).lines)
        assert chain.splitlines() == ["▸ cap  next", "  audit", "  plugin:github:create_issue  not yet", "  redact"]
        session.stepper.abort(1)
        await task
