"""Long text, page by page, with search and save."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.getters import query_one
from textual.screen import Screen
from textual.widgets import Footer, Input, Static

from toolbench.ui.content import content
from toolbench.ui.models.pager_text import pager_text
from toolbench.ui.widgets.text_view import TextView


class PagerScreen(Screen[None]):
    """Shows a long text: what does not fit the bounds is told, and saved whole."""

    CSS_PATH = "pager.tcss"
    HELP = """
    ## Pager

    Long text, made safe to show. `/` searches, `n` and `N` go to the next and the previous place, `s` saves the
    whole text as it is, `w` folds long lines.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "ask('search')", "Search", key_display="/", id="pager.search"),
        Binding("n", "next_match(1)", "Next", id="pager.next"),
        Binding("N", "next_match(-1)", "Previous", show=False, id="pager.previous"),
        Binding("w", "fold", "Fold lines", id="pager.fold"),
        Binding("s", "ask('save')", "Save", id="pager.save"),
        Binding("y", "copy", "Copy", id="pager.copy"),
        Binding("escape,q", "back", "Back", id="pager.back"),
    ]

    _view = query_one("#pager-text", TextView)
    _prompt = query_one("#pager-prompt", Input)

    def __init__(self, title: str, text: str, *, file_name: str = "text.txt") -> None:
        """Prepare to show a text.

        Args:
            title: what it is; any text.
            text: any text, as it would be saved.
            file_name: offered when it is saved.
        """
        super().__init__()
        self._heading = title
        self._text = text
        self._file_name = file_name
        self._shown = pager_text(text)
        self._asked = ""
        self._match = -1

    def compose(self) -> ComposeResult:
        """Lay out title, text, prompt and footer."""
        with Horizontal(id="pager-head"):
            yield Static(content(self._heading, limit=100), id="pager-title")
            yield Static(content(self._shown.summary), id="pager-summary")
        yield TextView(self._shown.lines, id="pager-text")
        yield Input(id="pager-prompt", compact=True)
        yield Footer()

    def on_mount(self) -> None:
        """Begin in the text."""
        self._prompt.display = False
        self._view.focus()

    def action_ask(self, what: str) -> None:
        """Ask for words to search, or for a file to save to."""
        self._asked = what
        self._prompt.display = True
        self._prompt.placeholder = "search" if what == "search" else "save the whole text as"
        self._prompt.value = self._view.needle if what == "search" else self._file_name
        self._prompt.focus()

    @on(Input.Changed, "#pager-prompt")
    def _typed(self, event: Input.Changed) -> None:
        """Mark what is searched while it is typed."""
        if self._asked == "search":
            self._view.needle = event.value

    @on(Input.Submitted, "#pager-prompt")
    def _answered(self, event: Input.Submitted) -> None:
        """Search or save."""
        self._close_prompt()
        if self._asked == "search":
            self.action_next_match(1)
        elif event.value.strip():
            self._save(event.value.strip())

    @work(exclusive=True, group="pager-save", exit_on_error=False)
    async def _save(self, name: str) -> None:
        """Write the whole text, as it is, beside nothing else: an existing file is not overwritten."""
        try:
            await asyncio.to_thread(_write_new, name, self._text)
        except OSError as error:
            self.notify(content(f"not saved: {error.strerror or error}").plain, severity="error", markup=False)
            return
        self.notify(content(f"saved as {name}").plain, markup=False)

    def action_next_match(self, step: int) -> None:
        """Go to the next place that holds what is searched, or to the one before."""
        found = self._shown.find(self._view.needle)
        summary = self.query_one("#pager-summary", Static)
        if not found:
            summary.update(content("nothing found" if self._view.needle else self._shown.summary))
            return
        here = self._match if self._match in found else self._view.top_line() - 1
        later = [number for number in found if number > here] if step > 0 else [n for n in found[::-1] if n < here]
        target = self._match = later[0] if later else found[0 if step > 0 else -1]
        self._view.scroll_to_line(target)
        summary.update(content(f"{found.index(target) + 1} of {len(found)} lines"))

    def action_fold(self) -> None:
        """Fold long lines, or let them run sideways."""
        self._view.folding = not self._view.folding

    def action_copy(self) -> None:
        """Copy the whole text."""
        self.app.copy_to_clipboard(self._text)
        self.notify("copied", markup=False)

    def action_back(self) -> None:
        """Close the prompt, else the pager."""
        if self._prompt.display:
            self._view.needle = "" if self._asked == "search" else self._view.needle
            self._close_prompt()
        else:
            self.dismiss()

    def _close_prompt(self) -> None:
        self._prompt.display = False
        self._view.focus()


def _write_new(name: str, text: str) -> None:
    """Write a file that does not exist yet; lone surrogates are kept as escapes."""
    with Path(name).expanduser().open("x", encoding="utf-8", errors="backslashreplace", newline="") as file:
        file.write(text)
