"""The inspector shows one tool from six sides, whatever its text."""

import pytest

from toolbench.ui.models.lines import text_of
from toolbench.ui.screens.pager import PagerScreen
from toolbench.ui.widgets.inspector import TABS, Inspector
from toolbench.ui.widgets.text_view import TextView

CREATE = ("create_issue", "github", 0)


@pytest.fixture
def inspector(session):
    part = Inspector()
    part.refresh_from(session)
    return part


async def test_nothing_selected_says_what_to_do(inspector, show, text):
    async with show(inspector, screen=False).run_test(size=(90, 20)) as pilot:
        assert "Select a tool in the registry" in text(pilot.app)


@pytest.mark.parametrize(
    ("tab", "words"),
    [
        ("overview", ["○ create_issue", "Missing environment value: GH_TOKEN", "extensions/github/tools.yaml:14"]),
        ("availability", ["1 of 3 conditions is not met", "✓ auth github", "✗ env GH_TOKEN"]),
        ("schema", ["* title", "array of string", "integer ≥ 1"]),
        ("call", ['"name": "create_issue"', "With every field"]),
        ("sent", ["not sent", "anthropic", "openai", "gemini", "mcp", "input_schema"]),
        ("calls", ["no calls yet"]),
    ],
)
async def test_each_tab(inspector, show, text, tab, words):
    async with show(inspector, screen=False).run_test(size=(120, 200)) as pilot:
        inspector.show(CREATE)
        inspector.show_tab(tab)
        await pilot.pause()
        shown = text(pilot.app)
        assert [word for word in words if word not in shown] == []


# HAND-01 HAND-24
@pytest.mark.parametrize("tab", TABS)
async def test_hostile_text_is_shown_and_not_obeyed(inspector, session, show, text, tab):
    await session.call("create_issue", {})
    await session.call("read", {"path": "[/] \x1b[2J"})
    async with show(inspector, screen=False).run_test(size=(160, 200)) as pilot:
        for key in (CREATE, ("read", "builtin", 0), ("odd", "github", 0)):
            inspector.show(key)
            inspector.show_tab(tab)
            inspector.refresh_from(session)
            await pilot.pause()
            shown = text(pilot.app)
            assert "\x1b" not in shown
            assert "\u202e" not in shown
        if tab in ("overview", "sent"):
            assert "[/] [bold]x[/foo] list[str] [@click=app.quit]" in shown


async def test_a_call_appears_in_its_tab(inspector, session, show, text):
    async with show(inspector, screen=False).run_test(size=(120, 60)) as pilot:
        inspector.show(("read", "builtin", 0))
        inspector.show_tab("calls")
        await pilot.pause()
        await session.call("read", {"path": "notes.md"})
        inspector.refresh_from(session)
        await pilot.pause()
        shown = text(pilot.app)
        assert '#1 {"path": "notes.md"}' in shown
        assert "executor ran" in shown


# HAND-38
async def test_a_rebuild_changes_what_is_shown_and_keeps_tab_and_scroll(inspector, session, show, text, new_claim):
    async with show(inspector, screen=False).run_test(size=(90, 12)) as pilot:
        inspector.show(CREATE)
        inspector.show_tab("schema")
        await pilot.pause()
        view = inspector.query_one(TextView)
        view.scroll_to(0, 3, animate=False)
        await pilot.pause()
        session.replace_claims((new_claim("create_issue", schema={"type": "object", "properties": {"new": {}}}),))
        inspector.refresh_from(session)
        await pilot.pause()
        assert (inspector.tab, view.scroll_offset.y > 0) == ("schema", True)
        assert '"new"' in text_of(inspector.lines)
        session.replace_claims(())
        inspector.refresh_from(session)
        assert "is gone since generation 3" in text_of(inspector.lines)


async def test_keys(inspector, show):
    async with show(inspector, screen=False).run_test(size=(90, 20)) as pilot:
        inspector.show(CREATE)
        inspector.query_one(TextView).focus()
        await pilot.press("right_square_bracket")
        assert inspector.tab == "availability"
        await pilot.press("left_square_bracket", "left_square_bracket")
        assert inspector.tab == "calls"
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, PagerScreen)
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(pilot.app.screen, PagerScreen)
