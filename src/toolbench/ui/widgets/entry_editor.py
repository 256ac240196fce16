"""The form that sets one entry of the context: path, type and value, with what would follow below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.getters import query_one
from textual.message import Message
from textual.widgets import Input, Label, Select

from toolbench.session.paths import VALUELESS_KINDS, ContextPath
from toolbench.ui.models.context_edit import CONSTANTS, TYPES, text_for, type_of, typed_value
from toolbench.ui.models.lines import Lines
from toolbench.ui.widgets.text_view import TextView


class EntryEditor(Vertical):
    """Path, type and value of one entry. It tells what is typed; it changes nothing itself."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "next_type", "Next type", id="entry.type"),
        Binding("enter", "apply", "Apply", show=True, id="entry.apply"),
    ]
    """
    | Key(s) | Description |
    | :- | :- |
    | ctrl+t | Choose the next type. |
    | enter | Make the change. |
    """

    DEFAULT_CSS = """
    EntryEditor {
        height: auto;
        border: round $foreground 30%;
        border-title-color: $text;
        padding: 0 1;
        &:focus-within { border: round $border; }
        Horizontal { height: 1; margin-bottom: 1; }
        Label { width: 7; color: $text-muted; }
        Input { width: 1fr; }
        Select { width: 14; margin-right: 1; }
        TextView { height: auto; min-height: 3; max-height: 5; }
    }
    """

    @dataclass
    class Changed(Message):
        """Something was typed or chosen."""

        editor: EntryEditor

        @property
        def control(self) -> EntryEditor:
            """The editor."""
            return self.editor

    @dataclass
    class Submitted(Changed):
        """The change is to be made."""

    _path = query_one("#entry-path", Input)
    _kind = query_one("#entry-type", Select)
    _value = query_one("#entry-value", Input)
    _preview = query_one("#entry-preview", TextView)

    def compose(self) -> ComposeResult:
        """Lay out the fields above the preview."""
        with Horizontal():
            yield Label("entry")
            yield Input(
                id="entry-path", placeholder="env.NAME  auth.ID  plugins.ID  config.a.b  values.KEY", compact=True
            )
        with Horizontal():
            yield Label("value")
            yield Select(
                [(one, one) for one in TYPES], value=TYPES[0], allow_blank=False, id="entry-type", compact=True
            )
            yield Input(id="entry-value", placeholder="empty text", compact=True)
        yield TextView(id="entry-preview")

    def on_mount(self) -> None:
        """Name the panel."""
        self.border_title = "Set an entry"
        self._preview.can_focus = False

    def begin(self, path: str, value: Any, *, on_value: bool) -> None:
        """Begin to edit an entry.

        Args:
            path: as people write it.
            value: what it is now.
            on_value: whether the cursor starts in the value.
        """
        self._path.value = path
        self._kind.value = type_of(value)
        self._value.value = text_for(value)
        (self._value if on_value and not self._value.disabled else self._path).focus()

    def clear(self) -> None:
        """Empty the form: a secret must not stay in it."""
        self._path.value = self._value.value = ""

    @property
    def path(self) -> str:
        """The path as typed."""
        return self._path.value.strip()

    @property
    def is_begun(self) -> bool:
        """Whether anything is typed."""
        return bool(self.path)

    def typed(self) -> Any:
        """Return the value that is typed; None for an entry that has none.

        Raises:
            ValueFault: it is no value of the chosen type.
        """
        if self._value.disabled and self._kind.disabled:
            return None
        return typed_value(str(self._kind.value), self._value.value)

    def show(self, lines: Lines) -> None:
        """Show what would follow, or what is wrong."""
        self._preview.set_lines(lines)

    def suit(self, path: ContextPath | None, *, masked: bool = False) -> None:
        """Offer what an entry of this kind can hold: nothing, text, or any value; `masked` hides what is typed."""
        self._value.password = masked
        valueless = path is not None and path.kind in VALUELESS_KINDS
        text_only = path is not None and path.kind == "env"
        if text_only and self._kind.value != "string":
            self._kind.value = "string"
        self._kind.disabled = valueless or text_only
        self._value.disabled = valueless or str(self._kind.value) in CONSTANTS

    @on(Input.Changed)
    @on(Select.Changed)
    def _edited(self, event: Input.Changed | Select.Changed) -> None:
        """Tell that something was typed or chosen."""
        event.stop()
        self.post_message(self.Changed(self))

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        """Go on from the path to the value; from the value make the change."""
        event.stop()
        if event.input is self._path and not self._value.disabled:
            self._value.focus()
        else:
            self.action_apply()

    def action_next_type(self) -> None:
        """Choose the next type."""
        if not self._kind.disabled:
            self._kind.value = TYPES[(TYPES.index(str(self._kind.value)) + 1) % len(TYPES)]

    def action_apply(self) -> None:
        """Ask for the change to be made."""
        self.post_message(self.Submitted(self))
