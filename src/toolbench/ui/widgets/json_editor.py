"""A text area for JSON that refuses what would make it slow."""

from __future__ import annotations

from typing import Final

from textual.events import Paste
from textual.widgets import TextArea

from toolbench.text import size

MAX_CHARACTERS: Final = 256_000


class JsonEditor(TextArea):
    """Edits JSON; no grammar is loaded (the JSON grammar of tree-sitter crashes), pastes are bounded."""

    def __init__(self, text: str = "", *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(text, soft_wrap=True, show_line_numbers=True, tab_behavior="focus", id=id)

    async def _on_paste(self, event: Paste) -> None:
        """Take a paste that fits."""
        if len(self.text) + len(event.text) > MAX_CHARACTERS:
            event.prevent_default()
            event.stop()
            self.notify(
                f"{size(len(event.text))} is too long for this editor: at most {size(MAX_CHARACTERS)}",
                severity="warning",
                markup=False,
            )
            return
        await super()._on_paste(event)
