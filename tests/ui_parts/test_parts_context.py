"""The context is edited with a preview, undone, and never shows a secret unasked."""

import pytest

from toolbench.session.context import ContextState
from toolbench.session.paths import parse_path
from toolbench.ui.models.context_edit import ValueFault, type_of, typed_value
from toolbench.ui.models.context_rows import asked_paths, context_rows, row_line
from toolbench.ui.models.lines import plain
from toolbench.ui.screens.context import ContextScreen


@pytest.fixture
def screen(session):
    return ContextScreen(session)


@pytest.mark.parametrize(
    ("kind", "typed", "value"),
    [
        ("string", "1", "1"),
        ("string", "", ""),
        ("number", "1", 1),
        ("number", " 1.5 ", 1.5),
        ("true", "x", True),
        ("false", "", False),
        ("null", "", None),
        ("json", "[1, true]", [1, True]),
    ],
)
def test_types_are_told_apart(kind, typed, value):  # HAND-29
    made = typed_value(kind, typed)
    assert made == value
    assert type(made) is type(value)
    assert type_of(made) == kind


@pytest.mark.parametrize(
    ("kind", "typed"), [("number", "x"), ("number", ""), ("number", "true"), ("number", "1e999"), ("json", "{")]
)
def test_what_is_no_value_is_told(kind, typed):
    with pytest.raises(ValueFault):
        typed_value(kind, typed)


def test_rows_show_the_tree_and_what_is_asked_for(session):
    context = ContextState(auth=("a",), env={"KEY": "sesame"}, config={"x": {"y": [1], "z": {}}}, values={"n": None})
    rows = context_rows(context, asked_paths(session.generation.buckets))
    shown = [plain(row_line(row, reveal=False)).strip() for row in rows]
    assert shown == [
        "auth  providers that one is signed in to", "● a", "○ github  not set  ← 1 tool",
        "plugins  plugins that are enabled", "○ github  not set  ← 1 tool",
        "env  environment, text only", "● KEY  ••••••", "○ GH_TOKEN  not set  ← 2 tools",
        "config  configuration, as a tree", "▾ x", "● y  [1]", "● z  {}", "○ github.anonymous  not set  ← 1 tool",
        "values  facts of the conversation", "● n  null",
    ]  # fmt: skip
    assert "sesame" in plain(row_line(rows[6], reveal=True))


async def test_an_edit_is_previewed_then_made_then_undone(screen, session, show, text, until):
    async with show(screen).run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "○ GH_TOKEN" in text(pilot.app))
        await pilot.press("down", "down", "down")
        assert str(screen.selected.path) == "env.GH_TOKEN"
        await pilot.press("enter", *"abc")
        await until(pilot, lambda: "appears create_issue, list_issues" in text(pilot.app))
        assert session.generation.number == 1
        assert "this changes the cached prefix" in text(pilot.app)
        await pilot.press("enter")
        await pilot.pause()
        assert session.context.env["GH_TOKEN"] == "abc"
        await until(pilot, lambda: "d unsets it: vanishes create_issue, list_issues" in text(pilot.app))
        shown = text(pilot.app)
        assert "abc" not in shown
        assert "undo: set env.GH_TOKEN" in shown
        assert "● create_issue" in shown
        await pilot.press("u")
        await pilot.pause()
        assert "GH_TOKEN" not in session.context.env


async def test_a_secret_shows_when_asked(screen, show, text):
    async with show(screen).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert "sesame" not in text(pilot.app)
        await pilot.press("v")
        await pilot.pause()
        assert "sesame" in text(pilot.app)


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("nowhere.x", "", "unknown kind"),
        ("values.", "", "names no entry"),
        ("active.read", "", "no part of the context"),
        ("values.n.b", "", "not set yet"),
    ],
)
async def test_what_is_typed_is_judged(screen, show, text, until, path, value, words):
    async with show(screen).run_test(size=(120, 40)) as pilot:
        await pilot.press("a")
        screen.query_one("#entry-path").value = path
        await until(pilot, lambda: words in text(pilot.app))


async def test_auth_takes_no_value_and_null_is_a_value(screen, session, show, until):
    async with show(screen).run_test(size=(120, 40)) as pilot:
        await pilot.press("a")
        screen.query_one("#entry-path").value = "auth.gitlab"
        await until(pilot, lambda: screen.query_one("#entry-value").disabled)
        await pilot.press("enter")
        await pilot.pause()
        assert session.context.auth == ("github", "gitlab")
        await pilot.press("a")
        screen.query_one("#entry-path").value = "values.role"
        await until(pilot, lambda: not screen.query_one("#entry-value").disabled)
        await pilot.press("enter", *["ctrl+t"] * 4)
        await until(pilot, lambda: screen.query_one("#entry-value").disabled)
        screen.query_one("EntryEditor").action_apply()
        await until(pilot, lambda: "role" in session.context.values)
        assert session.context.get(parse_path("values.role")) == (True, None)


async def test_unset_and_leave(screen, session, show):
    app = show(screen)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("d")
        await pilot.pause()
        assert session.context.auth == ()
        await pilot.press("a", "escape")
        await pilot.pause()
        assert pilot.app.screen is screen
        await pilot.press("escape")
        await pilot.pause()
        assert pilot.app.screen is not screen


async def test_nothing_to_undo_is_told_and_harmless(screen, session, show):
    async with show(screen).run_test(size=(120, 40)) as pilot:
        await pilot.press("u")
        await pilot.pause()
        assert session.generation.number == 1
