"""The inspector's tabs Schema and Call: what arguments a tool takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolbench.text import plural
from toolbench.ui.models.json_text import json_lines
from toolbench.ui.models.lines import EMPTY, Lines, heading, line
from toolbench.ui.models.prefill import example_arguments
from toolbench.ui.models.schema_fields import field_lines, schema_fields

if TYPE_CHECKING:
    from toolbench.tools.descriptor import ToolDescriptor


def schema_tab_lines(descriptor: ToolDescriptor) -> Lines:
    """Return the fields in words, then the schemas as they are declared."""
    fields = schema_fields(descriptor.input_schema)
    output = descriptor.output_schema
    return (
        heading(
            "Arguments", plural(len(fields), "field") + ("   * required" if any(f.required for f in fields) else "")
        ),
        *field_lines(fields),
        EMPTY,
        heading("Input schema", "as declared"),
        *json_lines(descriptor.input_schema),
        *((EMPTY, heading("Output schema"), *json_lines(output)) if output is not None else ()),
    )


def call_tab_lines(descriptor: ToolDescriptor, *, callable_now: bool) -> Lines:
    """Return a call that one can begin with: only what is required, then all that may be given.

    Args:
        descriptor: the tool.
        callable_now: whether the model could call it now.
    """
    schema = descriptor.input_schema
    least, most = example_arguments(schema), example_arguments(schema, optional=True)
    verb = "f opens it in the editor" if callable_now else "f opens it; a call now ends in “not found”"
    block = {"type": "tool_use", "id": "call_1", "name": descriptor.name, "input": least}
    return (
        line(("▶ ", "ok" if callable_now else "warn"), (verb, "accent" if callable_now else "warn")),
        EMPTY,
        heading("The shortest call", "only what is required; what is left out is not sent"),
        *json_lines(block),
        *((EMPTY, heading("With every field"), *json_lines(most)) if most != least else ()),
    )
