"""The footer: the keys of the focused panel; fewer of them on a small screen."""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.reactive import reactive
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

MOST_WHEN_SHORT: Final = 5
LAST_WHEN_SHORT: Final = "app.help"


class KeyFooter(Footer):
    """Textual's footer, which on a small screen shows only the five keys that matter most."""

    DEFAULT_CSS = """
    KeyFooter { background: $footer-background; }
    """

    short: reactive[bool] = reactive(False, recompose=True)
    """Whether there is room for few keys only."""

    def compose(self) -> ComposeResult:
        """Lay out the keys."""
        if not self.short:
            yield from super().compose()
            return
        by_action = {
            active.binding.action: active
            for active in reversed(self.screen.active_bindings.values())
            if active.binding.show and active.enabled
        }
        shown = list(by_action.values())[::-1]
        last = [active for active in shown if active.binding.id == LAST_WHEN_SHORT]
        first = [active for active in shown if active.binding.id != LAST_WHEN_SHORT]
        for active in (*first[: MOST_WHEN_SHORT - len(last)], *last):
            binding = active.binding
            yield FooterKey(
                binding.key, self.app.get_key_display(binding), binding.description, binding.action
            ).data_bind(compact=Footer.compact)
