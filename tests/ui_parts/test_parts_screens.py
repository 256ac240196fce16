"""Ready calls, trust, model and pager."""

import pytest

from toolbench.ui.models.lines import plain, text_of
from toolbench.ui.models.result_text import content_lines
from toolbench.ui.screens.calls import ReadyCallsScreen
from toolbench.ui.screens.fire import FireScreen
from toolbench.ui.screens.model import ModelScreen
from toolbench.ui.screens.pager import PagerScreen
from toolbench.ui.screens.trust import TrustScreen
from toolbench.ui.widgets.text_view import TextView


@pytest.mark.parametrize(
    ("blocks", "shown"),
    [
        ([], "(empty)\n"),  # HAND-22
        ([{"type": "text", "text": ""}], "(empty text)\n"),
        ([{"type": "text", "text": "a\nb\x1b[2J"}], "a\nb␛[2J\n"),  # HAND-24
        ([{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}], "(image/png, 8 bytes)\n"),  # HAND-20
        (
            [{"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": "AAAA"}}],
            "(image/gif, 3 bytes)\n",
        ),
        ([{"type": "resource", "resource": {"blob": "AA==", "mimeType": "x/y"}}], "(x/y, 1 byte)\n"),
        ([{"type": "odd", "n": 1}], '{"type": "odd", "n": 1}\n'),
        (["bare"], '"bare"\n'),
    ],
)
def test_blocks_of_a_result(blocks, shown):
    assert text_of(content_lines(blocks)) == shown


# HAND-21
def test_huge_results_are_cut_and_told():
    lines = content_lines([{"type": "text", "text": "y"}] * 50_000)
    assert plain(lines[-1]) == "… 49800 of 50000 blocks are not shown"
    assert "20000 of 20000000 characters shown" in text_of(content_lines([{"type": "text", "text": "x" * 20_000_000}]))


async def test_a_ready_call_is_fired_and_read(session, show, text, until):
    screen = ReadyCallsScreen(session)
    async with show(screen).run_test(size=(120, 40)) as pilot:
        assert "not fired yet" in text(pilot.app)
        await pilot.press("enter")
        await until(pilot, lambda: "✓ ok" in text(pilot.app))
        await pilot.press("down")
        await pilot.pause()
        assert "unknown: the call ends in “not found”" in text(pilot.app)
        await pilot.press("f")
        await until(pilot, lambda: "✗ not-found" in text(pilot.app))
        started = [one.event for one in session.events.entries if type(one.event).__name__ == "CallStarted"]
        assert [one.batch is None for one in started][1:] == [False, False]
        assert len({one.id for one in started}) == 3
        await pilot.press("escape")
        await pilot.pause()
        assert pilot.app.screen is not screen


async def test_a_ready_call_is_edited_first(session, show):
    async with show(ReadyCallsScreen(session)).run_test(size=(80, 24)) as pilot:
        await pilot.press("e")
        await pilot.pause()
        assert isinstance(pilot.app.screen, FireScreen)
        assert "bold" in pilot.app.screen.query_one("#fire-editor").text


async def test_no_ready_calls_says_what_to_do(session, show, text):
    session.calls = ()
    async with show(ReadyCallsScreen(session)).run_test(size=(120, 24)) as pilot:
        await pilot.press("enter", "f", "e")
        assert "This session holds no calls ready" in text(pilot.app)


@pytest.mark.parametrize(
    ("keys", "answer", "state"),
    [
        (["escape"], "restricted", (False, None)),
        (["enter"], "restricted", (False, None)),
        (["t"], "once", (True, False)),
        (["r"], "remember", (True, True)),
        (["tab", "enter"], "once", (True, False)),
    ],
)
async def test_trust_is_given_only_when_asked_for(session, show, text, until, keys, answer, state):
    app = show(TrustScreen(session))
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.pause()
        shown = text(app)
        assert "allow 1 thing to run on this machine" in shown
        assert "session.yaml:3" in shown
        assert "\x1b" not in shown
        await pilot.press(*keys)
        await until(pilot, lambda: app.answer is not None)
        assert (app.answer, (session.trusted, session.remembered)) == (answer, state)


async def test_trust_that_cannot_be_kept_is_told(session, show, until):
    async def refuse(_trusted, *, remember=False):
        raise PermissionError(13, "Permission denied")

    session.set_trusted = refuse
    app = show(TrustScreen(session))
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: bool(app._notifications))
        assert app.answer is None
        assert "Permission denied" in next(iter(app._notifications)).message


async def test_the_model_view_follows_provider_and_generation(session, show, text, until):
    screen = ModelScreen(session)
    async with show(screen).run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "System prompt" in text(pilot.app))
        assert '"input_schema"' in text(pilot.app)
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: "as sent to openai" in text(pilot.app))
        session.set("env.GH_TOKEN", "x")
        screen.refresh_from(session)
        await until(pilot, lambda: "generation 2" in text(pilot.app))
        assert "3 tools" in text(pilot.app)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, PagerScreen)


async def test_the_pager_searches_folds_and_saves(show, text, until, tmp_path):
    whole = "\n".join(f"line {number} [/] \x1b" + (" needle" if number % 50 == 0 else "") for number in range(200))
    screen = PagerScreen("[/] title", whole, file_name=str(tmp_path / "out.txt"))
    async with show(screen).run_test(size=(80, 24)) as pilot:
        assert "[/] title" in text(pilot.app)
        await pilot.press("slash", *"NEEDLE", "enter")
        await until(pilot, lambda: "1 of 4 lines" in text(pilot.app))
        await pilot.press("n", "n")
        await until(pilot, lambda: "3 of 4 lines" in text(pilot.app))
        assert "line 100 [/] ␛ needle" in text(pilot.app)
        await pilot.press("N")
        await until(pilot, lambda: "2 of 4 lines" in text(pilot.app))
        await pilot.press("s", "enter")
        await until(pilot, lambda: (tmp_path / "out.txt").exists())
        await pilot.pause()
        assert (tmp_path / "out.txt").read_text() == whole
        await pilot.press("w", "slash", "escape", "escape")
        await pilot.pause()
        assert pilot.app.screen is not screen


async def test_the_pager_never_overwrites(show, until, tmp_path):
    (tmp_path / "out.txt").write_text("mine")
    app = show(PagerScreen("t", "text", file_name=str(tmp_path / "out.txt")))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press("s", "enter")
        await until(pilot, lambda: bool(app._notifications))
        assert (tmp_path / "out.txt").read_text() == "mine"


async def test_selected_text_is_what_is_shown(show):
    from textual.geometry import Offset
    from textual.selection import Selection

    screen = PagerScreen("t", "first line\nsecond line")
    async with show(screen).run_test(size=(80, 24)):
        view = screen.query_one(TextView)
        assert view.get_selection(Selection(Offset(6, 0), Offset(6, 1))) == ("line\nsecond", "\n")
