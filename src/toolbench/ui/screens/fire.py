"""Calls one tool with arguments written as JSON, validated while they are typed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.getters import query_one
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer, Static, TextArea

from toolbench.text import duration, safe
from toolbench.tools.hooks import MISSING
from toolbench.tools.jsonvalue import diff
from toolbench.tools.report import CallReport
from toolbench.ui.content import content
from toolbench.ui.models.argument_check import ArgumentChecker, Checked, check_lines
from toolbench.ui.models.call_log import CallLog
from toolbench.ui.models.lines import EMPTY, Line, Lines, heading, line
from toolbench.ui.models.prefill import example_arguments
from toolbench.ui.models.result_text import report_lines
from toolbench.ui.models.schema_fields import field_lines, schema_fields
from toolbench.ui.widgets.json_editor import JsonEditor
from toolbench.ui.widgets.step_dock import StepDock
from toolbench.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from toolbench.session.session import Session
    from toolbench.tools.descriptor import ToolDescriptor

CHECK_DELAY: Final = 0.08
"""Seconds after the last key until the text is checked."""
TICK: Final = 0.25
"""Seconds between looks at a running call."""
WIDTHS: Final = [(0, "-narrow"), (100, "-wide")]


class FireScreen(Screen[None]):
    """An editor prefilled from the schema, the schema's fields beside it, and the result."""

    CSS_PATH = "fire.tcss"
    HORIZONTAL_BREAKPOINTS = WIDTHS
    AUTO_FOCUS = "#fire-editor"
    HELP = """
    ## Fire

    Write the arguments as JSON; they are held against the schema while you type, with the place of each fault.
    `ctrl+r` sends exactly what is shown, through hooks and lock like a model's call. Arguments that do not fit are
    sent too: the error is then what the model would get.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+r,f5", "send", "Send", id="fire.send"),
        Binding("ctrl+t", "cancel_call", "Cancel call", id="fire.cancel"),
        Binding("ctrl+up,alt+up", "recall(1)", "Earlier call", id="fire.earlier"),
        Binding("ctrl+down,alt+down", "recall(-1)", "Later call", show=False, id="fire.later"),
        Binding("ctrl+l", "prefill", "All fields", id="fire.fields"),
        Binding("escape", "back", "Back", id="fire.back"),
    ]

    @dataclass
    class Answered(Message):
        """A call that was sent from here has ended."""

        id: str
        report: CallReport

    @dataclass
    class Failed(Message):
        """A call could not be made at all."""

        id: str
        error: str

    _editor = query_one("#fire-editor", JsonEditor)
    _check = query_one("#fire-check", TextView)
    _result = query_one("#fire-result", TextView)
    _dock = query_one(StepDock)

    def __init__(self, session: Session, name: str, arguments: Any = None) -> None:
        """Prepare to call a tool.

        Args:
            session: where it is called.
            name: the tool's.
            arguments: what the editor begins with; an example from the schema when None.
        """
        super().__init__()
        self._session = session
        self._tool = name
        self._descriptor = self._find()
        schema = {} if self._descriptor is None else self._descriptor.input_schema
        self._checker = ArgumentChecker(schema)
        self._given = example_arguments(schema) if arguments is None else arguments
        self._checked = Checked()
        self._every_field = False
        self._stepping = False
        self._log = CallLog()
        self._recalled = -1
        self._sent: dict[str, float] = {}
        self._previous: CallReport | None = None
        self._pending: Timer | None = None
        self._clock: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out editor and check on one side, fields and result on the other, the dock below."""
        with Horizontal(id="fire-head"):
            yield Static(id="fire-title")
            yield Static(id="fire-state")
        with Horizontal(id="fire-body"):
            with Vertical(id="fire-left"):
                yield JsonEditor(_json(self._given), id="fire-editor")
                yield TextView(id="fire-check")
            with Vertical(id="fire-right"):
                yield TextView(id="fire-fields")
                yield TextView(id="fire-result")
        yield StepDock()
        yield Footer()

    def on_mount(self) -> None:
        """Show what is known before the first call."""
        for selector, title in (("#fire-editor", "Arguments"), ("#fire-fields", "Fields"), ("#fire-result", "Result")):
            self.query_one(selector).border_title = title
        self._result.set_lines((line(("no call sent yet  ", "dim"), ("ctrl+r sends it", "accent")),))
        self._show_descriptor()
        self._check_now()
        self._clock = self.set_interval(TICK, self._tick, pause=True)
        self.refresh_from(self._session)

    def refresh_from(self, session: Session) -> None:
        """Follow the session: the tool's schema may be another, the call may be stopped."""
        self._log.absorb(session.events.since(self._log.seq))
        if not self.children:
            return
        found = self._find()
        if found is not self._descriptor:
            self._schema_changed(found)
        self._show_state()
        self._dock.refresh_from(session)
        if self._dock.display != self._stepping:
            self._stepping = self._dock.display
            (self._dock if self._stepping else self._editor).focus()

    def _find(self) -> ToolDescriptor | None:
        """Return the tool as it is now: the callable one, else any claim of that name."""
        generation = self._session.generation
        claim = generation.callable_claims.get(self._tool)
        if claim is None:
            rows = generation.buckets.by_name.get(self._tool, ())
            claim = rows[0].claim if rows else None
        return None if claim is None else claim.descriptor

    def _schema_changed(self, found: ToolDescriptor | None) -> None:
        """Hold what is typed against the schema that the call will run with (HAND-38)."""
        before = None if self._descriptor is None else self._descriptor.input_schema
        self._descriptor = found
        after = {} if found is None else found.input_schema
        if before != after:
            self._checker = ArgumentChecker(after)
            number = self._session.generation.number
            self.notify(f"generation {number}: the schema changed; it is checked against the new one", markup=False)
        self._show_descriptor()
        self._check_now()

    def _show_descriptor(self) -> None:
        """Show the tool's name, what it is for, and its fields."""
        self.query_one("#fire-title", Static).update(content(f"▶ {self._tool}", limit=80))
        found = self._descriptor
        lines: Lines = (line(("✗ ", "bad"), "no tool of this name: a call ends in “not found”"),)
        if found is not None:
            about = " ".join(found.description.split())
            lines = (
                *((line((about, "dim"), limit=600), EMPTY) if about else ()),
                *field_lines(schema_fields(found.input_schema)),
            )
        self.query_one("#fire-fields", TextView).set_lines(lines, keep_scroll=True)

    def _show_state(self) -> None:
        """Show where the tool stands and how many calls run."""
        session = self._session
        rows = session.generation.buckets.by_name.get(self._tool, ())
        bucket = rows[0].bucket if rows else "unknown"
        words = [bucket, f"generation {session.generation.number}"]
        if self._sent:
            words.append(f"{len(self._sent)} running")
        if session.runnable and not session.trusted:
            words.append("restricted: code does not run")
        self.query_one("#fire-state", Static).update(content("  ·  ".join(words)))

    @on(TextArea.Changed, "#fire-editor")
    def _typed(self) -> None:
        """Check soon after the last key."""
        if self._pending is not None:
            self._pending.stop()
        self._pending = self.set_timer(CHECK_DELAY, self._check_now)

    def _check_now(self) -> None:
        """Hold the text against the schema."""
        self._checked = self._checker.check(self._editor.text)
        self._check.set_lines(check_lines(self._checked))
        words = "valid" if not self._checked.problems else "does not fit the schema"
        self._editor.border_subtitle = words if self._checked.is_json else "not JSON yet"
        self._editor.set_class(bool(self._checked.problems), "-faulty")

    def action_send(self) -> None:
        """Send what is shown, if it is JSON at all."""
        self._check_now()
        if not self._checked.is_json:
            self.notify("not sent: this is not JSON yet", severity="warning", markup=False)
            return
        use_id = self._session.next_id()
        self._sent[use_id] = self._session.now()
        self._recalled = -1
        # The application's worker, not this screen's: leaving the screen must not cancel the call.
        self.app.run_worker(self._call(use_id, self._checked.value), group="calls", exit_on_error=False)
        if self._clock is not None:
            self._clock.resume()
        self._show_state()

    async def _call(self, use_id: str, arguments: Any) -> None:
        """Make the call off this screen's handlers; tell the screen what came of it."""
        try:
            report = await self._session.call(self._tool, arguments, call_id=use_id)
        except Exception as error:  # noqa: BLE001 - whatever it is, the person must see it, and the app goes on
            self.post_message(self.Failed(use_id, f"{type(error).__name__}: {error}"))
            return
        self.post_message(self.Answered(use_id, report))

    @on(Answered)
    def _answered(self, event: Answered) -> None:
        """Show the account of the call, and whether its result is the one before."""
        self._sent.pop(event.id, None)
        again = _compared(self._previous, event.report)
        self._previous = event.report
        lines = report_lines(event.report)
        self._result.set_lines((lines[0], *again, *lines[1:]))
        self._finish()

    @on(Failed)
    def _failed(self, event: Failed) -> None:
        """Show why there was no call."""
        self._sent.pop(event.id, None)
        self._result.set_lines((line(("✗ the call could not be made", "bad")), line(event.error, limit=2_000)))
        self._finish()

    def _finish(self) -> None:
        if not self._sent and self._clock is not None:
            self._clock.pause()
        self.refresh_from(self._session)

    def _tick(self) -> None:
        """Show how long a call has been running, and where it is held."""
        self.refresh_from(self._session)
        if not self._sent:
            return
        first = min(self._sent.values())
        self._result.set_lines(
            (line(("… running ", "accent"), duration(self._session.now() - first), ("  ctrl+t cancels", "dim")),)
        )

    def action_cancel_call(self) -> None:
        """Cancel the calls that were sent from here."""
        mine = [one.call for one in self._session.running if one.id in self._sent]
        for call in mine:
            self._session.cancel(call)
        if not mine:
            self.notify("no call is running", markup=False)

    def action_recall(self, step: int) -> None:
        """Put the arguments of an earlier call of this tool into the editor, or of a later one."""
        earlier = [one for one in self._log.of(self._tool) if one.input is not MISSING]
        place = self._recalled + step
        if not earlier or not 0 <= place < len(earlier):
            self.notify("no earlier call" if step > 0 else "no later call", markup=False)
            return
        self._recalled = place
        self._editor.load_text(_json(earlier[place].input))
        self._editor.border_title = content(f"Arguments of call #{earlier[place].call}")

    def action_prefill(self) -> None:
        """Begin again with every field, or with the required ones alone."""
        self._every_field = not self._every_field
        schema = {} if self._descriptor is None else self._descriptor.input_schema
        self._editor.load_text(_json(example_arguments(schema, optional=self._every_field)))
        self._editor.border_title = "Arguments"

    def action_back(self) -> None:
        """Leave; a running call goes on and stays in the log."""
        self.dismiss()


def _json(value: Any) -> str:
    """Write arguments for the editor; what is no JSON is named."""
    try:
        return json.dumps(value, indent=2, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        return f"{{}}\n// not shown: {safe(str(error), 200)}"


def _compared(before: CallReport | None, now: CallReport) -> tuple[Line, ...]:
    """Tell whether a repeated call gave the same result."""
    if before is None:
        return ()
    pointers = diff(before.result.block()["content"], now.result.block()["content"])
    if not pointers and before.result.is_error == now.result.is_error:
        return (line(("= ", "ok"), ("the same result as the call before", "dim")),)
    return (heading("~ another result than the call before", " ".join(pointers[:5])),)
