"""Text that stands for a number or a boolean, where the session asks for it (R-DISP-04, HAND-40)."""

from __future__ import annotations

import copy

import pytest
from dispatch_rig import echo, text_of
from hypothesis import given
from hypothesis import strategies as st

from toolbench.tools.prepare import prepare
from toolbench.tools.schema import Validator

REFUSED = "refused"
NULLABLE_LIST = {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}


def coerced(schema, value):
    """Return what a property's value becomes, or that it is refused."""
    whole = {"type": "object", "properties": {"x": schema}}
    prepared = prepare({"x": value}, whole, coerce_arguments=True)
    return REFUSED if Validator(whole).problems(prepared.arguments) else prepared.arguments["x"]


# Where OpenClaw's host turns something into something else that was not meant, a row says so: here it is refused.
@pytest.mark.parametrize(
    ("schema", "value", "becomes"),
    [
        ({"type": "number"}, "1e3", 1000),  # OC-V1
        ({"type": "number"}, "2.5", 2.5),
        ({"type": "number"}, "+3", REFUSED),  # OC-V1 has 3; it is no JSON number
        ({"type": "number"}, "0x10", REFUSED),  # OC-V2
        ({"type": "number"}, "0b10", REFUSED),
        ({"type": "number"}, "", REFUSED),
        ({"type": "number"}, " 3", REFUSED),
        ({"type": "number"}, "1e999", REFUSED),
        ({"type": "number"}, "NaN", REFUSED),
        ({"type": "number"}, "٣", REFUSED),
        (NULLABLE_LIST, '["test","debug"]', REFUSED),  # OC-V3 parses it; a text that looks like a list may be one
        ({"type": "object"}, '{"a":"b"}', REFUSED),  # OC-V4 parses it
        ({"type": "string"}, "plain", "plain"),  # OC-V5
        ({"type": "string"}, "3", "3"),
        ({"type": "number"}, None, REFUSED),  # OC-V6 makes 0 of it, false and ""
        ({"type": "boolean"}, None, REFUSED),
        ({"type": "string"}, None, REFUSED),
        ({"type": "number"}, True, REFUSED),  # OC-V7 makes 1 of it
        ({"type": "boolean"}, "true", True),  # OC-V8
        ({"type": "boolean"}, "false", False),
        ({"type": "boolean"}, 1, REFUSED),  # OC-V8 makes true of it
        ({"type": "boolean"}, "True", REFUSED),
        ({"type": "boolean"}, "yes", REFUSED),
        ({"type": "boolean"}, "1", REFUSED),
        ({"type": "string"}, 5, REFUSED),  # OC-V9 makes "5" of it
        ({"type": "string"}, True, REFUSED),
        ({"type": "null"}, "", REFUSED),  # OC-V10 makes null of it
        ({"type": "null"}, 0, REFUSED),
        ({"type": "null"}, False, REFUSED),
        ({"type": "integer"}, "3", 3),
        ({"type": "integer"}, "3.0", REFUSED),
        ({"type": "integer"}, "9007199254740993", 9007199254740993),  # OC-V11 stops at 2^53-1; ours is exact
        ({"type": "integer"}, "9" * 400, REFUSED),
        ({"type": "integer"}, "-0", 0),
        ({"type": ["string", "integer"]}, "3", "3"),  # OC-V12: it fits as it is
        ({"type": ["integer", "null"]}, "3", 3),
        ({"anyOf": [{"type": "integer"}, {"type": "boolean"}]}, "3", REFUSED),  # OC-V12 tries the branches
        ({"type": "array", "items": {"type": "integer"}}, ["1", 2, "x"], REFUSED),
        ({"type": "array", "items": {"type": "integer"}}, ["1", 2], [1, 2]),
        ({"type": "object", "properties": {"n": {"type": "integer"}}}, {"n": "1", "m": "2"}, {"n": 1, "m": "2"}),
        ({"type": "array", "items": {"type": "string"}}, "a", REFUSED),  # HAND-40: refused in both modes
        ({"type": "integer"}, 3.0, 3.0),
    ],
)
def test_what_a_value_becomes(schema, value, becomes):
    result = coerced(schema, value)
    assert result == becomes
    assert type(result) is type(becomes) or becomes == 1000


@pytest.mark.parametrize(
    ("given_input", "strict", "lenient"),
    [
        ({"n": "3"}, REFUSED, {"n": 3}),
        ({"b": "true"}, REFUSED, {"b": True}),
        ({"t": '["a"]'}, REFUSED, REFUSED),
        ({"n": 3.0}, {"n": 3.0}, {"n": 3.0}),
        ({"t": "a"}, REFUSED, REFUSED),
    ],
)
async def test_one_declared_mode_strict_unless_the_session_says_otherwise(rig, given_input, strict, lenient):
    # HAND-40 OC-V14: received and used values are both told, and the caller's block stays
    schema = {
        "type": "object",
        "properties": {"n": {"type": "integer"}, "b": {"type": "boolean"}, "t": {"type": "array"}},
    }
    rig.tool("t", echo, schema=schema)
    kept = copy.deepcopy(given_input)
    for mode, expected in ((False, strict), (True, lenient)):
        rig.settings(coerce_arguments=mode)
        report = await rig.call("t", given_input)
        assert (REFUSED if report.verdict == "invalid-arguments" else report.result.structured) == expected
        assert any(flag.startswith("coerced /") for flag in report.flags) is (expected not in (REFUSED, given_input))
        assert given_input == kept


async def test_the_text_of_a_failure(rig):
    # OC-V13: the tool, then path and message of each failure, then what was received
    rig.tool("t", echo, schema={"type": "object", "properties": {"n": {"type": "integer"}}})
    rig.settings(coerce_arguments=True)
    assert text_of(await rig.call("t", {"n": "x"})).splitlines() == [
        "Invalid arguments for t:",
        '  /n: "x" is not of type "integer"',
        'Received: {"n": "x"}',
    ]


KINDS = st.sampled_from(["string", "integer", "number", "boolean", "null", "object", "array"])
VALUES = st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.sampled_from(["3", "true", "1e3", "-0.5"])


@given(schema=st.fixed_dictionaries({"type": KINDS | st.lists(KINDS, min_size=1, unique=True)}), value=VALUES)
def test_what_fits_is_never_changed_and_what_is_changed_fits(schema, value):
    if not Validator(schema).problems(value):
        assert coerced(schema, value) == value
    else:
        result = coerced(schema, value)
        assert result == REFUSED or not Validator(schema).problems(result)
