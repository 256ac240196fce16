"""The application: opens a session, shows it, and ends so that the terminal is as it was."""

from __future__ import annotations

import asyncio
import os
import signal
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen

from toolbench.text import safe, safe_lines
from toolbench.tools.events import CommandRefused, GenerationBuilt, Notice
from toolbench.ui.bridge import Bridge
from toolbench.ui.commands import ActionCommands, ToolCommands
from toolbench.ui.keymap import UserConfig, check_keys, load_config
from toolbench.ui.models.refreshing import SessionView
from toolbench.ui.models.toast_text import generation_text
from toolbench.ui.screens.help import HelpScreen
from toolbench.ui.screens.main import MainScreen
from toolbench.ui.screens.trust import TrustScreen
from toolbench.ui.themes import choose, register

if TYPE_CHECKING:
    from toolbench.session.session import Session
    from toolbench.tools.events import Entry

ENDING_SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
TOAST_SECONDS: Final = 4.0
MOST_TOASTS: Final = 3
"""Of one batch of events; the hook log tells all."""
FAULT: Final = 1
"""The exit code after a fault of the application itself."""


class ToolbenchApp(App[None]):
    """The workbench on one session."""

    TITLE = "toolbench"
    # The default screen's own CSS_PATH would not be read.
    CSS_PATH = "screens/main.tcss"
    COMMANDS = App.COMMANDS | {ActionCommands, ToolCommands}
    NOTIFICATION_TIMEOUT = TOAST_SECONDS

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "Help", key_display="?", id="app.help"),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True, id="app.quit"),
    ]
    """
    | Key(s) | Description |
    | :- | :- |
    | ?, f1 | Help for what is on the screen. |
    | ctrl+q | Quit; running calls are cancelled. |
    """

    @dataclass
    class Opened(Message):
        """The session was opened."""

        session: Session

    @dataclass
    class NotOpened(Message):
        """The session could not be opened."""

        error: Exception

    @dataclass
    class Told(Message):
        """The session told a batch of events."""

        entries: tuple[Entry, ...]

    def __init__(
        self,
        source: Session | Callable[[], Session],
        *,
        watch: bool = True,
        ask_trust: bool = False,
        config: UserConfig | None = None,
        folder_name: str | None = None,
    ) -> None:
        """Create the application.

        Args:
            source: an open session, or what opens one: called in a thread, so that the first paint does not wait.
            watch: follow the session's files.
            ask_trust: ask at once whether a session that would run code may.
            config: the user's keys and theme; none when not given.
            folder_name: shown for the session's folder where a picture must not tell its place; else its path is.
        """
        super().__init__()
        self.session: Session | None = None
        self.failure: Exception | None = None
        """Why the session could not be opened."""
        self._source = source
        self._watch = watch
        self._ask_trust = ask_trust
        self._folder_name = folder_name
        self._config = config or UserConfig()
        register(self)
        self.theme, complaint = choose(self._config.theme, self.available_themes, os.environ)
        self._complaints = [*self._config.problems, *([complaint] if complaint else [])]

    def get_default_screen(self) -> MainScreen:
        """Return the main screen: it is there from the first frame on."""
        return MainScreen(self._folder_name)

    @property
    def main(self) -> MainScreen:
        """The main screen."""
        screen = self.screen_stack[0]
        assert isinstance(screen, MainScreen)
        return screen

    # Beginning and end

    def on_mount(self) -> None:
        """Set the user's keys, and end in order on signals."""
        self._set_keys()
        loop = asyncio.get_running_loop()
        for number in ENDING_SIGNALS:
            try:
                loop.add_signal_handler(number, self._end_by_signal, number)
            except (NotImplementedError, RuntimeError, ValueError):
                # Not the main thread, or no signals here: whoever runs the application handles them.
                break

    def _end_by_signal(self, number: int) -> None:
        """End with the exit code that shells use for a signal."""
        self.exit(return_code=128 + number)

    @on(MainScreen.Ready)
    def _begin(self) -> None:
        """Open the session, now that the first frame can be painted."""
        if callable(self._source):
            self.run_worker(self._open(self._source), group="open", exit_on_error=False)
        else:
            self.post_message(self.Opened(self._source))

    def _set_keys(self) -> None:
        """Put the user's keys in place, and tell what is wrong with them."""
        if self._config.keys:
            from toolbench.ui.bindings import binding_ids

            config = check_keys(self._config, binding_ids())
            self._complaints.extend(config.problems[len(self._config.problems) :])
            self.set_keymap(dict(config.keys))
        for complaint in self._complaints[:MOST_TOASTS]:
            self.notify(safe(complaint, 300), title="Configuration", severity="warning", markup=False)

    async def _open(self, opener: Callable[[], Session]) -> None:
        """Open the session in a thread."""
        try:
            session = await asyncio.to_thread(opener)
        except Exception as error:  # noqa: BLE001 - whoever runs the application tells it, with the terminal restored
            self.post_message(self.NotOpened(error))
            return
        self.post_message(self.Opened(session))

    @on(NotOpened)
    def _not_opened(self, event: NotOpened) -> None:
        """End; the reason is told by whoever runs the application."""
        self.failure = event.error
        self.exit(return_code=2)

    @on(Opened)
    async def _opened(self, event: Opened) -> None:
        """Show the session, and follow what it tells."""
        session = self.session = event.session
        self.main.attach(session)
        bridge = Bridge(session.events, lambda entries: self.post_message(self.Told(entries)))
        self.run_worker(bridge.run(), group="events", exit_on_error=False)
        if self._watch:
            await session.start()
            self.main.refresh_from(session)
        if self._ask_trust and session.runnable and not session.trusted:
            self.push_screen(TrustScreen(session, self._folder_name))

    async def on_unmount(self) -> None:
        """Close the session: what runs is cancelled, what is stopped is aborted."""
        if self.session is not None:
            await self.session.aclose()

    # The stream of events

    @on(Told)
    def _told(self, event: Told) -> None:
        """Bring the newest state to all that show it."""
        session = self.session
        if session is None:
            return
        self.main.receive(event.entries)
        for screen in self.screen_stack:
            if isinstance(screen, SessionView):
                screen.refresh_from(session)
        self._toast(session, event.entries)

    def _toast(self, session: Session, entries: Iterable[Entry]) -> None:
        """Tell what just happened, shortly."""
        shown = 0
        for entry in entries:
            toast = self._toast_of(session, entry)
            if toast is not None and shown < MOST_TOASTS:
                shown += 1
                text, title, severity = toast
                self.notify(text, title=title, severity=severity, markup=False)  # type: ignore[arg-type]

    def _toast_of(self, session: Session, entry: Entry) -> tuple[str, str, str] | None:
        """Return text, title and severity of an event that is told by a toast."""
        match entry.event:
            case GenerationBuilt() as built if built.cause != "opened":
                by_number = {one.number: one for one in session.generations}
                now, before = by_number.get(built.number), by_number.get(built.number - 1)
                if now is None:
                    return None
                return generation_text(built, now, before), f"Generation {built.number}", "information"
            case CommandRefused() as refused:
                return safe(f"{refused.label}: {refused.message}", 300), "Refused", "error"
            case Notice(severity="warning" | "error") as notice:
                return safe(notice.message, 300), "", notice.severity
            case _:
                return None

    # Actions

    def action_help(self) -> None:
        """Show help for what is on the screen."""
        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.screen))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Yield what Textual offers, but for what we have ourselves."""
        ours = ("Quit", "Keys", "Minimize", "Maximize")
        yield from (command for command in super().get_system_commands(screen) if command.title not in ours)

    def _fatal_error(self) -> None:
        """End after a fault of our own: without its text reaching the terminal as it is."""
        from rich.segment import Segment, Segments

        text = "".join(traceback.format_exc())
        self._exit_renderables.append(Segments([Segment(safe_lines(text))]))
        self._close_messages_no_wait()


def run_app(source: Session | Callable[[], Session], *, watch: bool = True) -> int:
    """Run the workbench in this terminal until the person quits; return the exit code.

    Args:
        source: an open session, or what opens one.
        watch: follow the session's files.

    Raises:
        Exception: whatever the opener raised; the terminal is restored by then.
    """
    app = ToolbenchApp(source, watch=watch, ask_trust=True, config=load_config())
    app.run()
    if app.failure is not None:
        raise app.failure
    return app.return_code or 0
