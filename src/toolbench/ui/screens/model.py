"""What the model gets: the system prompt and the tool list exactly as sent, per provider."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.getters import query_one
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Static, Tab, Tabs

from toolbench.ui.content import content
from toolbench.ui.models.inspector_sent import PROVIDERS
from toolbench.ui.models.lines import line, text_of
from toolbench.ui.models.model_text import ModelText, model_text
from toolbench.ui.screens.pager import PagerScreen
from toolbench.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from toolbench.session.generation import Generation
    from toolbench.session.session import Session


class ModelScreen(Screen[None]):
    """One tab for each provider; the session's own is in front."""

    CSS_PATH = "model.tcss"
    AUTO_FOCUS = "#model-text"
    HELP = """
    ## Model

    The system prompt and the tool list, byte for byte what each provider's model gets, their sizes, and the names and
    schemas that a provider would refuse.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right_square_bracket,p,tab", "turn(1)", "Next provider", key_display="]", id="model.next"),
        Binding("left_square_bracket,shift+tab", "turn(-1)", "Previous provider", show=False, id="model.previous"),
        Binding("enter", "page", "Search, save", id="model.page"),
        Binding("y", "copy", "Copy", id="model.copy"),
        Binding("escape", "back", "Back", id="model.back"),
    ]

    @dataclass
    class Made(Message):
        """The text of a provider's view is ready."""

        generation: Generation
        provider: str
        text: ModelText

    _tabs = query_one(Tabs)
    _view = query_one("#model-text", TextView)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._provider = session.provider if session.provider in PROVIDERS else PROVIDERS[0]
        self._made_of: tuple[object, str] | None = None

    def compose(self) -> ComposeResult:
        """Lay out the providers above the text."""
        with Horizontal(id="model-head"):
            yield Static("Model", id="model-title")
            yield Static(id="model-summary")
        yield Tabs(*(Tab(self._label(one), id=one) for one in PROVIDERS), active=self._provider)
        yield TextView((line(("…", "dim")),), id="model-text")
        yield Footer()

    def _label(self, provider: str) -> str:
        return f"{provider} ←" if provider == self._session.provider else provider

    def on_mount(self) -> None:
        """Show the session's own provider."""
        self._tabs.can_focus = False
        self.refresh_from(self._session)

    def refresh_from(self, session: Session) -> None:
        """Show what the model gets now; the scroll position stays."""
        self._session = session
        wanted = (session.generation, self._provider)
        if self.children and self._made_of != wanted:
            self.run_worker(self._make(*wanted), group="model", exclusive=True, exit_on_error=False)

    async def _make(self, generation: Generation, provider: str) -> None:
        """Make the text off the loop."""
        self.post_message(self.Made(generation, provider, await asyncio.to_thread(model_text, generation, provider)))

    @on(Made)
    def _show(self, event: Made) -> None:
        """Show the text that was made, if it is still wanted."""
        if event.provider != self._provider:
            return
        same = self._made_of is not None and self._made_of[1] == event.provider
        self._made_of = (event.generation, event.provider)
        self._view.set_lines(event.text.lines, keep_scroll=same)
        fault = f"  ·  {event.text.problems} refused" if event.text.problems else ""
        self.query_one("#model-summary", Static).update(
            content(f"generation {event.generation.number}  ·  {event.text.summary}{fault}")
        )

    @on(Tabs.TabActivated)
    def _chosen(self, event: Tabs.TabActivated) -> None:
        """Show another provider."""
        event.stop()
        if event.tab.id is not None and event.tab.id != self._provider:
            self._provider = event.tab.id
            self.refresh_from(self._session)

    def action_turn(self, step: int) -> None:
        """Show the provider that is `step` places on."""
        self._tabs.active = PROVIDERS[(PROVIDERS.index(self._provider) + step) % len(PROVIDERS)]

    def action_page(self) -> None:
        """Open the text in the pager."""
        text = text_of(self._view.lines)
        self.app.push_screen(PagerScreen(f"Model · {self._provider}", text, file_name=f"model-{self._provider}.txt"))

    def action_copy(self) -> None:
        """Copy the text."""
        self.app.copy_to_clipboard(text_of(self._view.lines))
        self.notify("copied", markup=False)

    def action_back(self) -> None:
        """Leave."""
        self.dismiss()
