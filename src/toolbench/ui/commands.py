"""The palette: every action that works now, and every tool by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from textual.command import DiscoveryHit, Hit, Hits, Provider

from toolbench.text import safe
from toolbench.ui.content import content

if TYPE_CHECKING:
    from toolbench.ui.screens.main import MainScreen

MOST_TOOLS: Final = 30
LIMIT: Final = 120


class PaletteCommand(NamedTuple):
    """One entry of the palette."""

    text: str
    """Safe to show."""
    help: str
    """Safe to show."""
    run: Callable[[], object]


class ActionCommands(Provider):
    """The actions of the focused panel, the screen and the application, each with its key."""

    async def discover(self) -> Hits:
        """Yield every action."""
        for one in self._commands():
            yield DiscoveryHit(content(one.text), one.run, text=one.text, help=one.help)

    async def search(self, query: str) -> Hits:
        """Yield the actions that match what is typed."""
        matcher = self.matcher(query)
        for one in self._commands():
            score = matcher.match(one.text)
            if score > 0:
                yield Hit(score, content(one.text), one.run, text=one.text, help=one.help)

    def _commands(self) -> Iterator[PaletteCommand]:
        """Yield each action once, under its first key."""
        seen: set[str] = set()
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if not binding.description or binding.system or not active.enabled or binding.action in seen:
                continue
            seen.add(binding.action)
            key = self.app.get_key_display(binding)
            run = partial(self.app.run_action, binding.action, default_namespace=active.node)
            yield PaletteCommand(safe(binding.description, LIMIT), f"key: {safe(key, LIMIT)}", run)


class ToolCommands(Provider):
    """The tools of the session: choosing one selects it in the registry."""

    async def search(self, query: str) -> Hits:
        """Yield the tools that match what is typed."""
        main = self._main()
        if main is None or main.session is None:
            return
        matcher = self.matcher(query)
        found = 0
        for name, rows in main.session.generation.buckets.by_name.items():
            score = matcher.match(name) if _near(query, name) else 0
            if score <= 0:
                continue
            found += 1
            if found > MOST_TOOLS:
                return
            words = f"{rows[0].bucket} · {rows[0].claim.source}"
            shown = safe(f"tool: {name}", LIMIT)
            yield Hit(score, content(shown), partial(main.go_to_tool, name), text=shown, help=safe(words, LIMIT))

    def _main(self) -> MainScreen | None:
        """Return the main screen when it is the one in front."""
        from toolbench.ui.screens.main import MainScreen

        return self.screen if isinstance(self.screen, MainScreen) else None


def _near(query: str, name: str) -> bool:
    """Tell cheaply whether a name can match: all letters of the query occur in it, in order."""
    letters = iter(name.lower())
    return all(letter in letters for letter in query.lower() if not letter.isspace())
