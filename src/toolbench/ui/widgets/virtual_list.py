"""A list of any length: what is on the screen is rendered, nothing else (line API)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar, Final, Protocol, Self

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from toolbench.ui.models.lines import STYLES, Line

PREFIX: Final = "virtual-list--"
CACHED_STRIPS: Final = 1_000


class RowSource(Protocol):
    """What a list shows."""

    def __len__(self) -> int:
        """Return the number of rows."""

    def row_line(self, index: int, width: int) -> Line:
        """Return a row in about `width` cells; its first cell is blank and belongs to the cursor."""

    def row_version(self, index: int) -> Hashable:
        """Return what changes whenever the row looks different."""


class VirtualList(ScrollView, can_focus=True):
    """Shows the rows of a source with a cursor. It holds the cursor and the scroll position, nothing else."""

    ALLOW_SELECT = False

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("pagedown,ctrl+f", "page(1)", "Page down", show=False),
        Binding("pageup,ctrl+b", "page(-1)", "Page up", show=False),
        Binding("home,g", "top", "Top", show=False),
        Binding("end,G", "bottom", "Bottom", show=False),
        Binding("enter", "choose", "Open", show=False),
    ]
    """
    | Key(s) | Description |
    | :- | :- |
    | down,j / up,k | Move the cursor. |
    | pagedown,ctrl+f / pageup,ctrl+b | Move it by a page. |
    | home,g / end,G | Move it to the first or the last row. |
    | enter | Choose the row. |
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {PREFIX + name for name in (*STYLES, "cursor", "cursor-blurred")}
    """One for each style's name of `models.lines`, and two for the row under the cursor."""

    DEFAULT_CSS = """
    VirtualList {
        background: transparent;
        color: $foreground;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-background: $background;
        scrollbar-background-hover: $background;
        scrollbar-background-active: $background;
        scrollbar-size-vertical: 1;
        & > .virtual-list--title { text-style: bold; color: $text-primary; }
        & > .virtual-list--label { color: $text-muted; }
        & > .virtual-list--dim { color: $text-muted; }
        & > .virtual-list--ok { color: $text-success; }
        & > .virtual-list--bad { color: $text-error; }
        & > .virtual-list--warn { color: $text-warning; }
        & > .virtual-list--accent { color: $text-accent; }
        & > .virtual-list--link { color: $text-secondary; text-style: underline; }
        & > .virtual-list--key { color: $text-primary; }
        & > .virtual-list--string { color: $text-success; }
        & > .virtual-list--number { color: $text-warning; }
        & > .virtual-list--word { color: $text-accent; }
        & > .virtual-list--added { color: $text-success; }
        & > .virtual-list--removed { color: $text-error; }
        & > .virtual-list--cursor { background: $primary 35%; text-style: bold; }
        & > .virtual-list--cursor-blurred { background: $foreground 10%; }
        &:ansi > .virtual-list--cursor { background: transparent; text-style: reverse; }
        &:ansi > .virtual-list--cursor-blurred { background: transparent; text-style: bold; }
    }
    """

    cursor: reactive[int] = reactive(0, repaint=False, init=False)
    """The row under the cursor."""

    @dataclass
    class Highlighted(Message):
        """The cursor came to another row, or to another thing in the same row."""

        list: VirtualList
        index: int

        @property
        def control(self) -> VirtualList:
            """The list."""
            return self.list

    @dataclass
    class Chosen(Message):
        """A row was chosen, by `enter` or two clicks."""

        list: VirtualList
        index: int

        @property
        def control(self) -> VirtualList:
            """The list."""
            return self.list

    @dataclass
    class Clicked(Message):
        """A row was clicked."""

        list: VirtualList
        index: int
        x: int

        @property
        def control(self) -> VirtualList:
            """The list."""
            return self.list

    def __init__(self, source: RowSource, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._source = source
        self._strips: LRUCache[Hashable, Strip] = LRUCache(CACHED_STRIPS)
        self._styles_by_name: dict[str, Style] = {}

    @property
    def page_height(self) -> int:
        """The rows that fit on the screen."""
        return max(self.scrollable_content_region.height, 1)

    def show_rows(self, *, cursor: int | None = None, scroll: int | None = None) -> Self:
        """Show the source anew after its rows changed.

        Args:
            cursor: where the cursor is now; it stays in its place when not given.
            scroll: the row at the top; the scroll position stays when not given.
        """
        count = len(self._source)
        self.virtual_size = Size(self.scrollable_content_region.width, count)
        place = self.cursor if cursor is None else cursor
        self.set_reactive(VirtualList.cursor, min(max(place, 0), max(count - 1, 0)))
        if scroll is not None:
            self.scroll_to(y=scroll, animate=False, force=True)
        self.refresh()
        return self

    def watch_cursor(self, old: int, new: int) -> None:
        """Bring the cursor on the screen, and tell."""
        self.refresh_line(old)
        self.refresh_line(new)
        self.reveal(new)
        self.post_message(self.Highlighted(self, new))

    def validate_cursor(self, place: int) -> int:
        """Keep the cursor in the list."""
        return min(max(place, 0), max(len(self._source) - 1, 0))

    def reveal(self, index: int) -> None:
        """Scroll as little as it takes to show a row."""
        top, height = self.scroll_offset.y, self.page_height
        if index < top:
            self.scroll_to(y=index, animate=False, force=True)
        elif index >= top + height:
            self.scroll_to(y=index - height + 1, animate=False, force=True)

    def render_line(self, y: int) -> Strip:
        """Render one row of the view."""
        index = self.scroll_offset.y + y
        width = self.scrollable_content_region.width
        if index >= len(self._source):
            return Strip.blank(width, self.rich_style)
        under_cursor = index == self.cursor
        state = (2 if self.has_focus else 1) if under_cursor else 0
        key = (self._source.row_version(index), width, state)
        strip = self._strips.get(key)
        if strip is None:
            strip = self._strips[key] = self._render_row(index, width, state)
        return strip

    def _render_row(self, index: int, width: int, state: int) -> Strip:
        """Make the strip of a row; `state` tells whether the cursor is on it, and whether the list has the focus."""
        spans = self._source.row_line(index, width)
        segments = [Segment(text, self._style(name)) for text, name in spans]
        strip = Strip(segments)
        base = self.rich_style
        if state:
            strip = Strip([Segment("▸", self._style("accent")), *strip.crop(1)])
            base = self.get_component_rich_style(PREFIX + ("cursor" if state == 2 else "cursor-blurred"))
        return strip.adjust_cell_length(width, base).apply_style(base)

    def _style(self, name: str) -> Style:
        """Return what a style's name looks like in the theme."""
        if not name:
            return Style.null()
        if name not in self._styles_by_name:
            # The whole style knows colours that depend on the background; the background itself is the row's.
            full = self.get_component_rich_style(PREFIX + name)
            self._styles_by_name[name] = Style(
                color=full.color, bold=full.bold, underline=full.underline, reverse=full.reverse, dim=full.dim
            )
        return self._styles_by_name[name]

    def notify_style_update(self) -> None:
        """Forget what was made in the old theme."""
        super().notify_style_update()
        self._strips.clear()
        self._styles_by_name.clear()

    def on_resize(self) -> None:
        """Keep the cursor on the screen."""
        self.virtual_size = Size(self.scrollable_content_region.width, len(self._source))

    def on_focus(self) -> None:
        """Show that the keys come here."""
        self.refresh_line(self.cursor)

    def on_blur(self) -> None:
        """Show that the keys go elsewhere."""
        self.refresh_line(self.cursor)

    def on_click(self, event: Click) -> None:
        """Move the cursor to the row that was clicked."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        index = self.scroll_offset.y + offset.y
        if index >= len(self._source):
            return
        self.cursor = index
        if event.chain == 2:
            self.post_message(self.Chosen(self, index))
        else:
            self.post_message(self.Clicked(self, index, offset.x))

    def action_move(self, step: int) -> None:
        """Move the cursor."""
        self.cursor += step

    def action_page(self, pages: int) -> None:
        """Move the cursor by pages."""
        self.cursor += pages * max(self.page_height - 1, 1)

    def action_top(self) -> None:
        """Move the cursor to the first row."""
        self.cursor = 0

    def action_bottom(self) -> None:
        """Move the cursor to the last row."""
        self.cursor = len(self._source) - 1

    def action_choose(self) -> None:
        """Choose the row under the cursor."""
        if len(self._source):
            self.post_message(self.Chosen(self, self.cursor))
