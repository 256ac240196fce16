"""JSON as typed: strict, with the place of each fault and each value."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.ui.models.json_edit import parse_json, place_of


@pytest.mark.parametrize(
    ("text", "fault", "place"),
    [
        ("", "empty: write {} for no arguments", "1:1"),
        ('{"a": 1', "ends too early", "1:8"),
        ('{"a" 1}', "expecting ':' delimiter", "1:6"),
        ('{\n  "a": NaN}', "NaN is not JSON", "2:8"),
        ('{"a": 1e999}', "1e999 is too large for a number", "1:7"),
        ('{"a": {"b": 1},\n "c": {"b": 2, "b": 3}}', "key “b” stands twice in one object", "2:16"),
        pytest.param("[" * 100_000, "nested too deeply", "None", id="deep"),
        pytest.param('{"n": ' + "9" * 5_000 + "}", "an integer of 5000 digits is too long", "1:7", id="digits"),
    ],
)
def test_faults(text, fault, place):  # HAND-23
    parsed = parse_json(text)
    assert (parsed.fault, str(parsed.place)) == (fault, place)


@pytest.mark.parametrize(
    ("pointer", "place"),
    [
        ("", "1:1"),
        ("/a", "2:8"),
        ("/list/1", "3:16"),
        ("/list/1/x~1y", "3:24"),
        ("/missing", "1:1"),
        ("/list/9", "3:11"),
    ],
)
def test_places(pointer, place):
    text = '{\n  "a": "}\\"",\n  "list": [10, {"x/y": true}]\n}'
    json.loads(text)
    assert str(place_of(text, pointer)) == place


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
        max_leaves=20,
    ),
    st.sampled_from([None, 1]),
)
def test_every_value_is_found_where_it_stands(value, indent):
    text = json.dumps(value, indent=indent)
    assert parse_json(text).value == value
    for pointer, below in _all(value, ""):
        place = place_of(text, pointer)
        lines = text.split("\n")
        rest = "\n".join([lines[place.line - 1][place.column - 1 :], *lines[place.line :]])
        assert json.JSONDecoder().raw_decode(rest)[0] == below


def _all(value, pointer):
    yield pointer, value
    if isinstance(value, dict):
        for key, below in value.items():
            yield from _all(below, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}")
    if isinstance(value, list):
        for place, below in enumerate(value):
            yield from _all(below, f"{pointer}/{place}")
