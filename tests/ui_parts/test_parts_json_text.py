"""JSON to look at is bounded, whatever the value."""

import pytest

from toolbench.ui.models.json_text import Bounds, compact, depth_of, json_lines
from toolbench.ui.models.lines import plain, text_of


def nested(levels):
    value = {"end": True}
    for _ in range(levels):
        value = {"a": value}
    return value


def test_an_object_is_indented_and_short_ones_stay_in_line():
    value = {"name": "x", "tags": ["a", "b"], "deep": {"more": {"k": [1, {"z": None}]}}}
    assert text_of(json_lines(value)) == (
        "{\n"
        '  "name": "x",\n'
        '  "tags": ["a", "b"],\n'
        '  "deep": {\n'
        '    "more": {\n'
        '      "k": [\n'
        "        1,\n"
        '        {"z": null}\n'
        "      ]\n"
        "    }\n"
        "  }\n"
        "}\n"
    )


# HAND-21
def test_two_thousand_levels_are_cut_and_told():
    lines = json_lines(nested(2_000), Bounds(depth=10))
    assert "more levels⟩" in text_of(lines)
    assert len(lines) < 30


# HAND-21
def test_fifty_thousand_items_are_cut_and_told():
    lines = json_lines([{"type": "text", "text": "y"}] * 50_000, Bounds(lines=100))
    assert len(lines) == 101
    assert plain(lines[-1]) == "… more than is shown here"


# HAND-21
def test_a_long_text_tells_its_true_length():
    assert "⟨20000000 characters⟩" in text_of(json_lines("x" * 20_000_000))


# HAND-23
@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (True, "true"),
        (1, "1"),
        (1.0, "1.0"),
        (2**53 + 1, "9007199254740993"),
        (float("inf"), "⟨inf, not JSON⟩"),
        pytest.param(10**6000, "⟨integer of 19932 bits⟩", id="huge"),
        (b"12345678", "⟨8 bytes⟩"),
        (object(), "⟨object, not JSON⟩"),
        ([], "[]"),
        ({}, "{}"),
        ("a\x1b[2J\u202e", '"a\\u001b[2J⟨U+202E⟩"'),
        ("\ud800", '"⟨U+D800⟩"'),
    ],
)
def test_one_value(value, shown):
    assert text_of(json_lines(value)) == shown + "\n"


@pytest.mark.parametrize(
    ("value", "limit", "shown"),
    [
        ({"a": [1, 2], "b": {}}, 100, '{"a": [1, 2], "b": {}}'),
        ([], 100, "[]"),
        ([[], [[]]], 100, "[[], [[]]]"),
        ({"a": "x" * 100}, 10, '{"a": "xx…'),
        (nested(3_000), 12, '{"a": {"a":…'),
    ],
)
def test_one_line(value, limit, shown):
    assert compact(value, limit) == shown


def test_depth_is_counted_without_recursion():
    assert depth_of(nested(5_000)) == 5_001
    assert depth_of(3) == 0
