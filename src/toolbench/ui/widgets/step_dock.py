"""The dock of stopped calls: where a call stands, with what arguments, and what one may do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.getters import query_one
from textual.timer import Timer

from toolbench.tools.jsonvalue import diff
from toolbench.tools.stepper import everywhere
from toolbench.ui.content import content
from toolbench.ui.models.lines import line, plain
from toolbench.ui.models.step_chain import StoppedCall, chain_lines, change_lines, now_lines, title_line
from toolbench.ui.models.step_reading import StepReader
from toolbench.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from toolbench.session.session import Session

TICK: Final = 1.0
"""Seconds between two showings of how long a call has been held."""


class StepDock(Vertical, can_focus=True):
    """Shows the call that the stepper holds, and what a person may do with it; hidden while none is stopped.

    It is no dialog: one can look around while a call is stopped.
    """

    HELP = """
    ## Stopped

    A call is held before or after one step of its way. Time held counts in no limit. Other calls wait for the lock.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "next_point", "Next", id="step.next"),
        Binding("c", "go_on", "Continue", id="step.continue"),
        Binding("a", "abort", "Abort", id="step.abort"),
        Binding("s", "toggle_mode", "Step mode", id="step.mode"),
        Binding("right,greater_than_sign", "other(1)", "Other call", key_display="→", id="step.other"),
        Binding("left,less_than_sign", "other(-1)", "Other call", show=False, id="step.other_back"),
    ]
    """
    | Key(s) | Description |
    | :- | :- |
    | n | Let the call go to its next point. |
    | c | Let the call go on without stopping again. |
    | a | Abort the call; its result is `Operation aborted`. |
    | s | Switch stepping of every call on or off. |
    | → / ← | Show another call that is stopped. |
    """

    DEFAULT_CSS = """
    StepDock {
        display: none;
        height: auto;
        max-height: 14;
        border: round $warning;
        border-title-color: $text-warning;
        border-title-style: bold;
        border-subtitle-color: $text-muted;
        padding: 0 1;
        &:focus, &:focus-within { border: heavy $warning; }
        Horizontal { height: auto; max-height: 12; }
        TextView { height: auto; max-height: 11; width: 1fr; padding-right: 2; }
        #step-chain { overflow-x: hidden; }
        #step-keys { height: 1; max-height: 1; }
        &.-narrow #step-changes { display: none; }
    }
    """

    _chain = query_one("#step-chain", TextView)
    _now_view = query_one("#step-now", TextView)
    _changes = query_one("#step-changes", TextView)
    _keys = query_one("#step-keys", TextView)

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        """Create the dock.

        Args:
            id: of the widget.
            classes: of the widget.
        """
        super().__init__(id=id, classes=classes)
        self._session: Session | None = None
        self._reader = StepReader()
        self._stops: tuple[StoppedCall, ...] = ()
        self._call: int | None = None
        self._moving: frozenset[int] = frozenset()
        """Calls that were sent to their next point: the dock stays, so that the next key is not another panel's."""
        self._ticker: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out the chain, the arguments and the changes side by side."""
        with Horizontal():
            yield TextView(id="step-chain")
            yield TextView(id="step-now")
            yield TextView(id="step-changes")
        yield TextView(id="step-keys")

    def on_mount(self) -> None:
        """Count the time that a call is held while one is."""
        for view in self.query(TextView):
            view.can_focus = False
        self._chain.folding = False
        self._ticker = self.set_interval(TICK, self._show_title, pause=True)
        if self._session is not None:
            self.refresh_from(self._session)

    def on_resize(self) -> None:
        """Leave the changes out where there is no room."""
        self.set_class(self.size.width < 90, "-narrow")

    @property
    def shown(self) -> StoppedCall | None:
        """The stopped call that is shown."""
        return next((one for one in self._stops if one.call == self._call), self._stops[0] if self._stops else None)

    def refresh_from(self, session: Session) -> None:
        """Show the calls that are stopped now."""
        self._session = session
        self._reader.absorb(session.events.since(self._reader.seq))
        if not self.children:
            return
        before = self.shown
        self._stops = self._reader.stopped(session, session.now())
        self._moving &= self._reader.on_their_way
        self.display = bool(self._stops or self._moving)
        if self._ticker is not None:
            (self._ticker.resume if self._stops else self._ticker.pause)()
        now = self.shown
        if now is None:
            self.border_title = content("Stopped no more: the call runs to its next stop")
            return
        self._call = now.call
        self._show_title()
        if before is None or _place(before) != _place(now):
            self._show_stop(now)
        self._show_keys(session)

    def _show_stop(self, stop: StoppedCall) -> None:
        """Show the chain, the arguments and what changed."""
        self._chain.set_lines(chain_lines(stop))
        self._now_view.set_lines(now_lines(stop))
        self._changes.set_lines(change_lines(stop, diff(stop.given, stop.arguments)))
        self._chain.scroll_to_line(stop.position)

    def _show_title(self) -> None:
        """Show where the call stands, and how long it has been held."""
        if self._session is None:
            return
        self._stops = self._reader.stopped(self._session, self._session.now())
        if self.shown is not None:
            self.border_title = content(plain(title_line(self.shown, len(self._stops) - 1)), limit=160)

    def _show_keys(self, session: Session) -> None:
        """Show what one may do."""
        stepper = session.stepper
        where = "off" if stepper.mode == "off" else "on" if stepper.should_stop is everywhere else "at breakpoints"
        keys = [("n", "next"), ("c", "continue"), ("a", "abort"), ("s", f"step mode is {where}")]
        if len(self._stops) > 1:
            keys.append(("→", "other call"))
        self._keys.set_lines((line(*(part for key, words in keys for part in ((key, "accent"), f" {words}   "))),))

    def action_next_point(self) -> None:
        """Let the call go to its next point."""
        self._act("next")

    def action_go_on(self) -> None:
        """Let the call go on without stopping again."""
        self._act("continue")

    def action_abort(self) -> None:
        """Abort the call."""
        self._act("abort")

    def action_toggle_mode(self) -> None:
        """Switch stepping of every call on or off."""
        if self._session is not None:
            stepper = self._session.stepper
            on = stepper.mode == "step" and stepper.should_stop is everywhere
            stepper.mode = "off" if on else "step"
            stepper.should_stop = everywhere
            self._show_keys(self._session)

    def action_other(self, step: int) -> None:
        """Show another call that is stopped."""
        if self.shown is not None and self._session is not None:
            place = (self._stops.index(self.shown) + step) % len(self._stops)
            self._call = self._stops[place].call
            self._show_stop(self._stops[place])
            self._show_title()

    def _act(self, what: str) -> None:
        """Do something with the call that is shown."""
        if self.shown is None or self._session is None:
            return
        stepper, call = self._session.stepper, self.shown.call
        match what:
            case "next":
                stepper.next(call)
                self._moving |= {call}
            case "continue":
                stepper.go_on(call)
                self._moving -= {call}
            case _:
                stepper.abort(call)
                self._moving -= {call}
        self.call_later(self.refresh_from, self._session)


def _place(stop: StoppedCall) -> tuple[object, ...]:
    """Return where a call stands: what must be shown anew when it is another."""
    return (stop.call, stop.stage, stop.when, stop.handler, stop.position, len(stop.done))
