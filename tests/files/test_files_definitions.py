"""Definition files in all shapes, and schemas that are none (HAND-39, HAND-46)."""

from __future__ import annotations

import json

import pytest

from toolbench.files.definitions import load_definitions
from toolbench.tools.activation import start
from toolbench.tools.availability import AvailabilityContext
from toolbench.tools.buckets import sort_out
from toolbench.tools.projection import project
from toolbench.tools.registry import RegistryOptions, build_registry
from toolbench.tools.schema import Validator, schema_fault, schema_warnings


@pytest.fixture
def load(tmp_path):
    """Read definitions given as data."""

    def read(data, name="tools.json", **options):
        path = tmp_path / name
        path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
        return load_definitions(path, shown=name, source="x", plugin_id="x", **options)

    return read


SHAPES = [
    {"name": "a", "description": "d", "input_schema": {"type": "object"}},
    {
        "type": "function",
        "function": {"name": "b", "description": "d", "parameters": {"type": "object"}, "strict": True},
    },
    {"type": "function", "name": "c", "description": "d", "parameters": {"type": "object"}},
    {"name": "d", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}, "_meta": {"x": 1}},
]


def test_the_four_shapes_are_told_apart_tool_by_tool(load):
    # HAND-46
    loaded = load(SHAPES)
    assert not loaded.problems
    assert [claim.descriptor.name for claim in loaded.claims] == ["a", "b", "c", "d"]
    by_name = {claim.descriptor.name: claim.descriptor for claim in loaded.claims}
    assert all(dict(one.input_schema) == {"type": "object"} for one in by_name.values())
    assert by_name["b"].extras["strict"] is True
    assert by_name["d"].annotations == {"readOnlyHint": True}
    assert by_name["d"].extras["_meta"] == {"x": 1}


@pytest.mark.parametrize(("index", "provider"), [(0, "anthropic"), (1, "openai"), (3, "mcp")])
def test_a_tool_goes_out_in_its_own_shape_as_it_came_in(load, index, provider):
    (claim,) = load([SHAPES[index]]).claims
    out = project(claim.descriptor, provider)
    assert {key: out[key] for key in SHAPES[index] if key != "description"} == {
        key: value for key, value in SHAPES[index].items() if key != "description"
    }


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda tool: tool,
        lambda tool: [tool],
        lambda tool: {"tools": [tool]},
        lambda tool: {"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool]}},
        lambda tool: {"functions": [tool]},
        lambda tool: {"tools": [{"functionDeclarations": [tool]}]},
    ],
)
def test_tools_are_found_however_they_are_wrapped(load, wrapped):
    assert [claim.descriptor.name for claim in load(wrapped(SHAPES[0])).claims] == ["a"]


# HAND-39: what is wrong with a schema is told when it is read; a call is an error result, never an exception
@pytest.mark.parametrize(
    ("schema", "severity", "call", "runs"),
    [
        ({"type": "dict", "properties": {"x": {"type": "float"}}}, "error", {}, False),
        ({"type": "object", "properties": {"x": {"type": "array"}}}, None, {"x": [1, "a"]}, True),
        ({"type": "object", "properties": {"x": {"type": "string", "required": True}}}, "error", {"x": "a"}, False),
        ({"type": "object", "required": "ab"}, "error", {"a": 1, "b": 2}, False),
        (
            {
                "$schema": "http://json-schema.org/draft-07/schema#",
                "type": "object",
                "properties": {"x": {"type": "array", "items": [{"type": "string"}]}},
            },
            None,
            {"x": ["a", 1]},
            True,
        ),
        ([], "error", {}, False),
        (True, "error", {}, False),
        ({"type": "object", "required": ["ghost"], "properties": {}}, "warning", {"ghost": 1}, True),
    ],
    ids=list("abcdefgh"),
)
def test_odd_schemas(load, schema, severity, call, runs):
    loaded = load({"tools": [{"name": "odd", "input_schema": schema}, SHAPES[0]]})
    assert [claim.descriptor.name for claim in loaded.claims] == ["odd", "a"]
    schema_read = loaded.claims[0].descriptor.input_schema
    assert (schema_fault(schema_read) is not None) is (severity == "error")
    assert bool(schema_warnings(schema_read)) is (severity == "warning")
    assert (not Validator(schema_read).problems(call)) is runs
    registry = build_registry(loaded.claims, RegistryOptions())
    buckets = sort_out(registry, start(registry), AvailabilityContext(plugins=frozenset({"x"})))
    assert [row.name for row in buckets.broken] == (["odd"] if severity == "error" else [])


@pytest.mark.parametrize(
    ("tool", "code"),
    [
        ({}, "no-name"),
        ({"name": 5}, "no-name"),
        ("text", "no-tool"),
        ({"name": "t", "run": {"reply": "r"}, "avaliability": {}}, "unknown-key"),
        ({"name": "t", "run": {"perl": "x"}}, "bad-run"),
    ],
)
def test_what_is_wrong_with_one_tool_takes_no_other_along(load, tool, code):
    loaded = load({"tools": [tool, SHAPES[0]]})
    assert "a" in [claim.descriptor.name for claim in loaded.claims]
    assert loaded.problems
    assert all(problem.line for problem in loaded.problems)
    assert code in [problem.code for problem in loaded.problems]


def test_an_imported_tool_answers_with_a_canned_reply_unless_its_extension_is_strict(load):
    assert load([SHAPES[0]]).claims[0].descriptor.executor is not None
    assert load([SHAPES[0]], strict=True).claims[0].descriptor.executor is None
