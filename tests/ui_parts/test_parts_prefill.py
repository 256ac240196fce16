"""Example arguments: only what is required, bounded, never in a loop."""

import pytest

from toolbench.ui.models.lines import text_of
from toolbench.ui.models.prefill import example_arguments
from toolbench.ui.models.schema_fields import field_lines, schema_fields, type_words

TREE = {
    "$ref": "#/$defs/Node",
    "$defs": {
        "Node": {
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"type": "string"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
            },
        }
    },
}
ENDLESS = {"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]}
SEARCH = {
    "type": "object",
    "required": ["query"],
    "properties": {
        "query": {"type": "string"},
        "owner": {"type": "string"},
        "page": {"type": "integer", "minimum": 1},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
}


# HAND-04
def test_optional_fields_are_left_out():
    assert example_arguments(SEARCH) == {"query": ""}


def test_all_fields_when_asked():
    assert example_arguments(SEARCH, optional=True) == {"query": "", "owner": "", "page": 1, "tags": [""]}


# HAND-03
def test_a_schema_in_itself_ends():
    assert example_arguments(TREE) == {"name": ""}
    assert example_arguments(TREE, optional=True) == {"name": ""}
    assert "next" in example_arguments(ENDLESS)
    assert "next" in example_arguments(ENDLESS, optional=True)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"const": 3}, 3),
        ({"type": "string", "default": "d", "enum": ["e"]}, "d"),
        ({"enum": ["e", "f"]}, "e"),
        ({"type": ["null", "integer"]}, 0),
        ({"type": "integer", "minimum": 2}, 2),
        ({"type": "number", "exclusiveMinimum": 0}, 1),
        ({"type": "integer", "maximum": -4}, -4),
        ({"type": "integer", "minimum": -9, "maximum": -4}, -4),
        ({"type": "string", "format": "date"}, "2025-01-31"),
        ({"type": "string", "minLength": 2}, "xx"),
        ({"type": "array", "minItems": 2, "items": {"type": "boolean"}}, [False, False]),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, 0),
        ({"allOf": [{"type": "object", "properties": {"k": {"const": 1}}, "required": ["k"]}, {}]}, {"k": 1}),
        ({"$ref": "#/nowhere"}, None),
        ({"$ref": "https://example.com/x"}, None),
        (True, None),
        ("odd", None),
        ({"properties": [], "required": {"no": 1}}, {}),
    ],
)
def test_one_field(schema, value):
    assert example_arguments({"type": "object", "properties": {"a": schema}, "required": ["a"]}) == {"a": value}


@pytest.mark.parametrize("schema", [None, 3, [], "x", True, {"type": "string"}, {"properties": 3}, {"$ref": "#"}])
def test_a_faulty_schema_gives_no_arguments(schema):
    assert example_arguments(schema) == {}


def test_fields_in_words():
    text = text_of(field_lines(schema_fields(SEARCH)))
    assert text.splitlines()[0].split() == ["*", "query", "string"]
    assert "page   integer ≥ 1" in text
    assert "array of string" in text


# HAND-03
def test_fields_of_a_schema_in_itself_are_entered_once():
    assert [(one.name, one.level) for one in schema_fields(TREE)] == [("name", 0), ("children", 0)]
    assert len(schema_fields(ENDLESS)) == 1


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"enum": ["a", 1]}, '"a" | 1'),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string | null"),
        ({"type": "string", "pattern": "^a$", "maxLength": 3}, "string at most 3 characters pattern ^a$"),
        ({}, "anything"),
        (False, "nothing"),
        ("dict", "⚠ no schema"),
    ],
)
def test_types_in_words(schema, words):
    assert type_words(schema) == words
