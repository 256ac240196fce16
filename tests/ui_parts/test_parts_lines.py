"""Lines of spans: safe, folded, cut."""

import pytest
from rich.cells import cell_len

from toolbench.ui.models.lines import Span, cut, line, paragraph, plain, text_of, wrap
from toolbench.ui.models.pager_text import MAX_CHARACTERS, pager_text


# HAND-01 HAND-24
def test_parts_are_made_safe_and_brackets_stay():
    assert line("[/] \x1b]52;c;x\x07", ("[bold]", "bad")) == (Span("[/] ␛]52;c;x␇"), Span("[bold]", "bad"))


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [
        ("short", 10, ["short"]),
        ("one two three four", 9, ["one two", "three", "four"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("工具工具", 5, ["工具", "工具"]),
        ("", 5, [""]),
    ],
)
def test_folding(text, width, rows):
    folded = wrap(line(text), width)
    assert [plain(row) for row in folded] == rows
    assert all(cell_len(plain(row)) <= width for row in folded)


def test_folding_never_loops_where_there_is_no_room():
    assert "".join(plain(row).strip() for row in wrap(line("工具"), 1)) == "工具"


def test_cutting_keeps_styles():
    assert cut(line(("abc", "ok"), ("def", "bad")), 2, 4) == (Span("c", "ok"), Span("d", "bad"))


def test_a_paragraph_tells_its_cut():
    assert text_of(paragraph("ab\ncd", limit=3)) == "ab\n\n… 3 of 5 characters shown\n"


# HAND-21
def test_the_pager_bounds_one_line_of_megabytes():
    shown = pager_text("x" * 20_000_000)
    assert not shown.whole
    assert sum(len(plain(one)) for one in shown.lines) < MAX_CHARACTERS + 1_000
    assert "20.0 MB" in shown.summary


def test_the_pager_finds_lines_whatever_their_case():
    assert pager_text("One\ntwo\nONE\n").find("one") == (0, 2)
    assert pager_text("a\n").find("") == ()
    assert pager_text("a\nb\n").summary == "2 lines, 4 B"
