"""The line in which a filter is typed; hidden while there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input


class FilterBar(Input):
    """Narrows a list with each key; `enter` goes to the list, `esc` clears."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "clear_filter", "Clear filter", id="filter.clear"),
        Binding("down", "leave", "To the list", show=False, id="filter.leave"),
    ]

    DEFAULT_CSS = """
    FilterBar, FilterBar:focus {
        display: none;
        height: 1;
        border: none;
        padding: 0 1;
        background: $boost;
        &.-shown { display: block; }
    }
    """

    @dataclass
    class Filtered(Message):
        """The filter is another."""

        bar: FilterBar
        text: str

        @property
        def control(self) -> FilterBar:
            """The bar."""
            return self.bar

    @dataclass
    class Left(Message):
        """The person goes on to the list."""

        bar: FilterBar

        @property
        def control(self) -> FilterBar:
            """The bar."""
            return self.bar

    def __init__(self, hint: str, *, id: str | None = None) -> None:  # noqa: A002
        """Create the bar.

        Args:
            hint: the tokens that there are, shown while nothing is typed.
            id: of the widget.
        """
        super().__init__(placeholder=hint, compact=True, id=id)

    def open(self) -> None:
        """Show the bar and begin to type."""
        self.add_class("-shown")
        self.focus()

    def set_filter(self, text: str) -> None:
        """Put a filter in place of what is typed."""
        self.value = text
        self.set_class(bool(text), "-shown")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Filtered(self, event.value))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_leave()

    def action_leave(self) -> None:
        """Go to the list; the filter stays."""
        self.set_class(bool(self.value), "-shown")
        self.post_message(self.Left(self))

    def action_clear_filter(self) -> None:
        """Show everything again, and go to the list."""
        self.value = ""
        self.action_leave()
