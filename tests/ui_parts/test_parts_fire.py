"""A call is written, checked while it is typed, sent as shown, and its account is read."""

import asyncio
from dataclasses import replace

import pytest

from toolbench.ui.models.argument_check import ArgumentChecker, check_lines
from toolbench.ui.models.lines import text_of
from toolbench.ui.screens.fire import FireScreen
from toolbench.ui.widgets.step_dock import StepDock

ISSUE = {
    "type": "object",
    "required": ["title"],
    "additionalProperties": False,
    "properties": {"title": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}},
}


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ('{"title": "x"}', "✓ valid"),
        ("{", "✗ 1:2  ends too early"),
        ("[]", "✗ 1:1  arguments are an object"),
        ('{\n "title": "x",\n "limit": 0\n}', "✗ 3:11  /limit  0 is less than the minimum of 1"),
        ('{"title": "x", "limt": 1}', "✗ 1:1  Additional properties"),
        ("{}", '✗ 1:1  "title" is a required property'),
    ],
)
def test_faults_have_their_place(text, start):
    assert text_of(check_lines(ArgumentChecker(ISSUE).check(text))).startswith(start)


@pytest.mark.parametrize("schema", [None, 3, {"type": "dict"}, {"$ref": "https://example.com/x"}])
def test_a_faulty_schema_is_told(schema):
    assert "invalid" in text_of(check_lines(ArgumentChecker(schema).check("{}")))


@pytest.fixture
def able(session):
    session.set("env.GH_TOKEN", "t")
    return session


# HAND-04
async def test_what_is_shown_is_sent_and_optional_fields_are_not(able, show, text, until):
    screen = FireScreen(able, "create_issue")
    async with show(screen).run_test(size=(120, 40)) as pilot:
        assert "✓ valid" in text(pilot.app)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "✓ ok" in text(pilot.app))
        shown = text(pilot.app)
        assert "before cap  replace" in shown
        (started,) = [one.event for one in able.events.entries if type(one.event).__name__ == "CallStarted"]
        assert started.input == {"title": ""}


async def test_a_second_call_is_compared_and_an_earlier_one_recalled(able, show, text, until):
    screen = FireScreen(able, "create_issue", {"title": "one"})
    async with show(screen).run_test(size=(120, 50)) as pilot:
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "#1 create_issue" in text(pilot.app))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "the same result as the call before" in text(pilot.app))
        screen.query_one("#fire-editor").load_text('{"title": "two"}')
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "another result than the call before" in text(pilot.app))
        await pilot.press("ctrl+up", "ctrl+up")
        await pilot.pause()
        assert '"one"' in screen.query_one("#fire-editor").text
        assert "Arguments of call #2" in text(pilot.app)


async def test_faults_are_shown_as_one_types_and_still_sent(able, show, text, until):
    screen = FireScreen(able, "create_issue", {"title": 3})
    async with show(screen).run_test(size=(120, 40)) as pilot:
        assert "✗ 2:12  /title" in text(pilot.app)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "✗ invalid-arguments" in text(pilot.app))
        assert "executor did not run" in text(pilot.app)
        screen.query_one("#fire-editor").load_text("{")
        await until(pilot, lambda: "✗ 1:2" in text(pilot.app))
        await pilot.press("ctrl+r")
        assert len([one for one in able.events.entries if type(one.event).__name__ == "CallStarted"]) == 1


async def test_a_hidden_tool_ends_in_not_found_with_the_reason(session, show, text, until):
    async with show(FireScreen(session, "create_issue", {"title": "x"})).run_test(size=(120, 50)) as pilot:
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "✗ not-found" in text(pilot.app))
        assert "the model is not told" in text(pilot.app)
        assert "GH_TOKEN" in text(pilot.app)


# HAND-38
async def test_another_schema_is_checked_at_once(able, show, text, until, new_claim):
    screen = FireScreen(able, "create_issue", {"title": "x"})
    async with show(screen).run_test(size=(120, 40)) as pilot:
        assert "✓ valid" in text(pilot.app)
        able.replace_claims((new_claim("create_issue", schema={"type": "object", "required": ["body"]}),))
        screen.refresh_from(able)
        await pilot.pause()
        assert "✗ 1:1" in text(pilot.app)
        able.replace_claims(())
        screen.refresh_from(able)
        await pilot.pause()
        assert "no tool of this name" in text(pilot.app)


async def test_a_stopped_call_is_stepped_from_here(able, show, text, until):
    able.stepper.mode = "step"
    screen = FireScreen(able, "create_issue", {"title": "x"})
    async with show(screen).run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+r")
        await until(pilot, lambda: screen.query_one(StepDock).has_focus)
        await pilot.press("c")
        await until(pilot, lambda: "✓ ok" in text(pilot.app))
        await until(pilot, lambda: screen.query_one("#fire-editor").has_focus)


async def test_a_running_call_is_cancelled_alone(able, show, text, until):
    entered = asyncio.Event()

    async def forever(_arguments, _context):
        entered.set()
        await asyncio.Event().wait()

    bind = able._bind
    able._bind = lambda one: replace(bind(one), executor=forever)
    able.set("values.n", 2)
    screen = FireScreen(able, "read", {})
    async with show(screen).run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+r")
        await until(pilot, entered.is_set)
        await until(pilot, lambda: "ctrl+t cancels" in text(pilot.app))
        await pilot.press("ctrl+t")
        await until(pilot, lambda: "■ aborted" in text(pilot.app))


async def test_leaving_lets_the_call_go_on(able, show, until):
    gate = asyncio.Event()

    async def wait(_arguments, _context):
        await gate.wait()
        return "late"

    bind = able._bind
    able._bind = lambda one: replace(bind(one), executor=wait)
    able.set("values.n", 2)
    async with show(FireScreen(able, "read", {})).run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+r")
        await until(pilot, lambda: bool(able.running))
        await pilot.press("escape")
        await pilot.pause()
        gate.set()
        await until(pilot, lambda: not able.running)
        assert able.events.entries[-1].event.report.verdict == "ok"


async def test_a_paste_that_is_too_long_is_refused(able, show):
    from textual.events import Paste

    screen = FireScreen(able, "read", {})
    async with show(screen).run_test(size=(80, 24)) as pilot:
        editor = screen.query_one("#fire-editor")
        editor.post_message(Paste("x" * 300_000))
        await pilot.pause()
        assert editor.text == "{}"
        editor.post_message(Paste("y"))
        await pilot.pause()
        assert "y" in editor.text


async def test_every_field_on_demand(able, show, until):
    screen = FireScreen(able, "create_issue")
    async with show(screen).run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+l")
        await pilot.pause()
        assert '"labels"' in screen.query_one("#fire-editor").text
        await pilot.press("ctrl+l")
        await pilot.pause()
        assert '"labels"' not in screen.query_one("#fire-editor").text
