"""Help for what is on the screen now."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer

from toolbench.ui.content import content
from toolbench.ui.models.help_text import KeyHelp, help_lines
from toolbench.ui.widgets.text_view import TextView


class HelpScreen(ModalScreen[None]):
    """What the focused panel is for, and every key that works there."""

    CSS_PATH = "help.tcss"
    AUTO_FOCUS = "#help-text"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark", "back", "Back", key_display="esc", id="help.back"),
    ]

    def __init__(self, about: Screen[object]) -> None:
        """Prepare the help.

        Args:
            about: the screen that is in front.
        """
        super().__init__()
        self._lines = help_lines(_texts(about), _keys(about))

    def compose(self) -> ComposeResult:
        """Lay out the text."""
        with Vertical(id="help-box"):
            yield TextView(self._lines, id="help-text")
        yield Footer()

    def on_mount(self) -> None:
        """Name the box."""
        self.query_one("#help-box").border_title = content("Help")

    def action_back(self) -> None:
        """Leave."""
        self.dismiss()


def _nodes(screen: Screen[object]) -> list[DOMNode]:
    """Return the focused widget and what is around it, nearest first."""
    return [screen] if screen.focused is None else list(screen.focused.ancestors_with_self)


def _texts(screen: Screen[object]) -> list[str]:
    return [node.HELP for node in _nodes(screen) if node.HELP]


def _keys(screen: Screen[object]) -> dict[str, list[KeyHelp]]:
    """Return the keys that work now, by where they work."""
    found: dict[str, dict[str, list[str]]] = {}
    for active in screen.active_bindings.values():
        if not active.binding.description or active.binding.system:
            continue
        where = type(active.node).__name__
        words = active.binding.description
        found.setdefault(where, {}).setdefault(words, []).append(screen.app.get_key_display(active.binding))
    return {
        _TITLES.get(where, where): [KeyHelp(tuple(dict.fromkeys(keys)), words) for words, keys in actions.items()]
        for where, actions in found.items()
    }


_TITLES = {
    "VirtualList": "In the list",
    "TextView": "In the text",
    "Registry": "In the registry",
    "HookLogPanel": "In the hook log",
    "Inspector": "In the inspector",
    "StepDock": "While a call is stopped",
    "MainScreen": "Everywhere on this screen",
    "ToolbenchApp": "In the whole application",
}
