"""A panel of styled text that scrolls, folds, marks what is searched and can be selected."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.geometry import Size
from textual.reactive import var
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from toolbench.text import safe
from toolbench.ui.models.lines import Line, Lines, Span, cut, plain, wrap

PREFIX: Final = "text-view--"


class TextView(ScrollView, can_focus=True):
    """Shows lines of spans. What is on the screen is rendered, nothing else (line API)."""

    ALLOW_SELECT = True

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "scroll_down", "Down", show=False),
        Binding("up,k", "scroll_up", "Up", show=False),
        Binding("pagedown,space", "page_down", "Page down", show=False),
        Binding("pageup,b", "page_up", "Page up", show=False),
        Binding("home,g", "scroll_home", "Top", show=False),
        Binding("end,G", "scroll_end", "Bottom", show=False),
    ]
    """
    | Key(s) | Description |
    | :- | :- |
    | down,j / up,k | Scroll by one line. |
    | pagedown,space / pageup,b | Scroll by one page. |
    | home,g / end,G | Scroll to the top or the bottom. |
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "text-view--title",
        "text-view--label",
        "text-view--dim",
        "text-view--ok",
        "text-view--bad",
        "text-view--warn",
        "text-view--accent",
        "text-view--link",
        "text-view--key",
        "text-view--string",
        "text-view--number",
        "text-view--word",
        "text-view--added",
        "text-view--removed",
        "text-view--match",
    }
    """One for each style's name of `models.lines`, and `match` for what was searched."""

    DEFAULT_CSS = """
    TextView {
        background: transparent;
        color: $foreground;
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 1;
        & > .text-view--title { text-style: bold; color: $text-primary; }
        & > .text-view--label { color: $text-muted; }
        & > .text-view--dim { color: $text-muted; }
        & > .text-view--ok { color: $text-success; }
        & > .text-view--bad { color: $text-error; text-style: bold; }
        & > .text-view--warn { color: $text-warning; }
        & > .text-view--accent { color: $text-accent; }
        & > .text-view--link { color: $text-secondary; text-style: underline; }
        & > .text-view--key { color: $text-primary; }
        & > .text-view--string { color: $text-success; }
        & > .text-view--number { color: $text-warning; }
        & > .text-view--word { color: $text-accent; }
        & > .text-view--added { color: $text-success; }
        & > .text-view--removed { color: $text-error; }
        & > .text-view--match { background: $warning; color: $background; text-style: bold; }
    }
    """

    needle: var[str] = var("")
    """What is marked wherever it stands, whatever its case."""
    folding: var[bool] = var(True)
    """Whether long lines are folded to the width, or scroll sideways."""

    def __init__(self, lines: Lines = (), *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._lines: Sequence[Line] = lines
        self._rows: list[Line] = []
        self._first_rows: list[int] = []
        self._folded_for: tuple[int, bool] | None = None
        self._styles_by_name: dict[str, Style] = {}

    @property
    def lines(self) -> Sequence[Line]:
        """The lines as given."""
        return self._lines

    def set_lines(self, lines: Sequence[Line], *, keep_scroll: bool = False) -> None:
        """Show other lines, from the top unless the scroll position is to stay."""
        self._lines = lines
        self._folded_for = None
        self._fold()
        if not keep_scroll:
            self.scroll_to(0, 0, animate=False)
        self.refresh()

    def scroll_to_line(self, number: int) -> None:
        """Bring a line, counted from 0, to the middle of the view."""
        self._fold()
        if self._first_rows:
            row = self._first_rows[min(number, len(self._first_rows) - 1)]
            self.scroll_to(0, max(row - self.scrollable_content_region.height // 2, 0), animate=False)

    def top_line(self) -> int:
        """Return the number of the line at the top of the view, from 0."""
        return max(bisect_right(self._first_rows, self.scroll_offset.y) - 1, 0)

    def watch_needle(self) -> None:
        """Mark what is searched."""
        self.refresh()

    def watch_folding(self) -> None:
        """Fold or unfold."""
        self._folded_for = None
        self._fold()
        self.refresh()

    def on_resize(self, _event: Resize) -> None:
        """Fold to the new width."""
        self._fold()

    def notify_style_update(self) -> None:
        """Forget the theme's styles."""
        super().notify_style_update()
        self._styles_by_name.clear()

    def _fold(self) -> None:
        """Lay the lines out in rows for the present width."""
        width = self.scrollable_content_region.width
        if width <= 0 or self._folded_for == (width, self.folding):
            return
        self._folded_for = (width, self.folding)
        self._rows, self._first_rows = [], []
        for one in self._lines:
            self._first_rows.append(len(self._rows))
            self._rows.extend(wrap(one, width) if self.folding else (one,))
        widest = width if self.folding else max((len(plain(one)) for one in self._rows), default=0)
        self.virtual_size = Size(widest, len(self._rows))

    def render_line(self, y: int) -> Strip:
        """Render one row of the view."""
        self._fold()
        offset = self.scroll_offset
        place = offset.y + y
        base = self.rich_style
        width = self.scrollable_content_region.width
        if place >= len(self._rows):
            return Strip.blank(width, base)
        segments = [Segment(text, self._style(name)) for text, name in self._marked(self._rows[place], place)]
        strip = Strip(segments).crop_extend(offset.x, offset.x + width, base)
        return strip.apply_style(base).apply_offsets(offset.x, place)

    def _marked(self, row: Line, place: int) -> Line:
        """Return the row's spans, safe, with the needle and the selection in styles of their own."""
        spans = tuple(Span(safe(span.text), span.style) for span in row)
        for start, end, style in (*self._needle_ranges(spans), *self._selected_ranges(spans, place)):
            marked = plain(cut(spans, start, end))
            spans = (*cut(spans, 0, start), Span(marked, style), *cut(spans, end, len(plain(spans))))
        return spans

    def _needle_ranges(self, row: Line) -> list[tuple[int, int, str]]:
        """Return where the needle stands in a row."""
        if not self.needle:
            return []
        text, needle = plain(row).lower(), self.needle.lower()
        found: list[tuple[int, int, str]] = []
        start = text.find(needle)
        while start >= 0:
            found.append((start, start + len(needle), "match"))
            start = text.find(needle, start + len(needle))
        return found

    def _selected_ranges(self, row: Line, place: int) -> list[tuple[int, int, str]]:
        """Return the part of a row that the mouse selected."""
        selection = self.text_selection
        span = None if selection is None else selection.get_span(place)
        if span is None:
            return []
        start, end = span
        return [(start, len(plain(row)) if end == -1 else end, "selection")]

    def _style(self, name: str) -> Style:
        """Return what a style's name looks like in the theme."""
        if not name:
            return Style.null()
        if name == "selection":
            return self.screen.get_component_rich_style("screen--selection")
        if name not in self._styles_by_name:
            self._styles_by_name[name] = self.get_component_rich_style(PREFIX + name)
        return self._styles_by_name[name]

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the text that the mouse selected."""
        return selection.extract("\n".join(plain(row) for row in self._rows)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Show the selection."""
        self.refresh()
