"""Asks whether the session's code may run, and tells exactly what would run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Button, Footer

from toolbench.ui.content import content
from toolbench.ui.models.trust_text import trust_lines
from toolbench.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from toolbench.session.session import Session

TrustAnswer: TypeAlias = Literal["once", "remember", "restricted"]


class TrustScreen(ModalScreen[TrustAnswer]):
    """The question of trust. Nothing is allowed by closing it: `esc` stays restricted."""

    CSS_PATH = "trust.tcss"
    AUTO_FOCUS = "#trust-restricted"
    HELP = """
    ## Trust

    A session that runs code opens restricted: everything is planned and shown, nothing is run. The answer holds for
    this run, or is remembered for the folder.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "answer('once')", "Trust for this run", id="trust.once"),
        Binding("r", "answer('remember')", "Trust and remember", id="trust.remember"),
        Binding("escape,s", "answer('restricted')", "Stay restricted", key_display="esc", id="trust.restricted"),
        Binding("down,j", "scroll(1)", "Down", show=False),
        Binding("up,k", "scroll(-1)", "Up", show=False),
    ]

    @dataclass
    class Settled(Message):
        """The answer was carried out, or could not be."""

        answer: TrustAnswer
        error: str | None = None

    def __init__(self, session: Session, folder_name: str | None = None) -> None:
        """Ask about `session`; its folder is shown as `folder_name`, its path when not given."""
        super().__init__()
        self._session = session
        self._folder_name = folder_name or str(session.folder)
        self._answering = False

    def compose(self) -> ComposeResult:
        """Lay out what would run above the three answers."""
        session = self._session
        with Vertical(id="trust-box"):
            yield TextView(trust_lines(session.runnable, self._folder_name, trusted=session.trusted), id="trust-text")
            with Horizontal(id="trust-answers"):
                yield Button("Stay restricted (esc)", id="trust-restricted", variant="primary")
                yield Button("Trust for this run (t)", id="trust-once", variant="warning")
                yield Button("Trust and remember (r)", id="trust-remember", variant="error")
        yield Footer()

    def on_mount(self) -> None:
        """Say what is asked."""
        box = self.query_one("#trust-box")
        box.border_title = content(f"May the code of “{self._session.name}” run?", limit=100)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        """Take the answer of a button."""
        event.stop()
        answers: dict[str | None, TrustAnswer] = {"trust-once": "once", "trust-remember": "remember"}
        self.action_answer(answers.get(event.button.id, "restricted"))

    def action_answer(self, answer: TrustAnswer) -> None:
        """Carry an answer out, once."""
        if self._answering:
            return
        if answer == "restricted" and not self._session.trusted:
            self.dismiss(answer)
            return
        self._answering = True
        self.query_one("#trust-box").border_subtitle = "loading…"
        self.run_worker(self._carry_out(answer), group="trust", exit_on_error=False)

    async def _carry_out(self, answer: TrustAnswer) -> None:
        """Change the session's trust off the handlers: its hooks are loaded by that."""
        try:
            await self._session.set_trusted(answer != "restricted", remember=answer == "remember")
        except OSError as error:
            self.post_message(self.Settled(answer, error.strerror or type(error).__name__))
            return
        self.post_message(self.Settled(answer))

    @on(Settled)
    def _settled(self, event: Settled) -> None:
        """Close, or tell why the answer could not be kept."""
        if event.error is None:
            self.dismiss(event.answer)
            return
        self._answering = False
        self.query_one("#trust-box").border_subtitle = ""
        message = content(f"the answer could not be kept: {event.error}", limit=300).plain
        self.notify(message, severity="error", markup=False)

    def action_scroll(self, step: int) -> None:
        """Scroll what would run."""
        self.query_one("#trust-text", TextView).scroll_relative(y=step, animate=False)
