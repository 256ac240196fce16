"""Takes a picture of the workbench, the same every time: what `toolbench snapshot` and `toolbench.testing` share."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from toolbench.ui.app import ToolbenchApp

if TYPE_CHECKING:
    from toolbench.session.session import Session

LOOKS_AT_MOST: Final = 40
"""How often the screen is looked at until it stands still: some two seconds."""


def take_picture(session: Session, *, press: Sequence[str] = (), size: tuple[int, int] = (120, 40)) -> str:
    """Return an SVG picture of the workbench on `session`, which is closed afterwards.

    Args:
        session: opened with the clocks `still` and `noon`, so that the picture holds no time of today.
        press: keys as Textual names them, pressed one after another.
        size: columns and rows.
    """
    # Textual reads this variable when an application starts; a picture has its colours everywhere.
    os.environ.pop("NO_COLOR", None)
    return asyncio.run(_take(session, press, size))


async def _take(session: Session, press: Sequence[str], size: tuple[int, int]) -> str:
    """Run the application without a terminal, press the keys, and draw what stands on the screen."""
    async with session:
        app = ToolbenchApp(session, watch=False, folder_name=session.folder.name)
        app.animation_level = "none"
        async with app.run_test(size=size, notifications=True) as pilot:
            picture = await _settled(pilot, session)
            for key in press:
                await pilot.press(key)
                picture = await _settled(pilot, session)
        return picture


async def _settled(pilot: Pilot[Any], session: Session) -> str:
    """Wait until no call is on its way (but one that a stepper holds) and two looks show the same; return the last."""
    before = ""
    for _ in range(LOOKS_AT_MOST):
        await pilot.pause(0.05)
        _stop_blinking(pilot)
        now = pilot.app.export_screenshot(simplify=True)
        busy = len(session.running) > len(session.stepper.stopped)
        if now == before and not busy:
            return now
        before = now
    return before


def _stop_blinking(pilot: Pilot[Any]) -> None:
    """Let every cursor be shown, so that the picture does not depend on the moment."""
    for widget in pilot.app.screen.query("Input, TextArea").results():
        if isinstance(widget, Input | TextArea) and widget.cursor_blink:
            widget.cursor_blink = False
