"""The JSON Schemas for editors know the same keys as the readers, no more and no fewer."""

from __future__ import annotations

import pytest

from toolbench.files import definition, json_schema, session_extensions, session_file, session_hooks
from toolbench.tools.policy import LAYERS

OTHER_SHAPES = {"inputSchema", "parameters", "outputSchema"}
"""Keys that a definition has in the shape of another host."""


@pytest.mark.parametrize(
    ("shape", "keys"),
    [
        (json_schema.SessionShape, session_file.KEYS),
        (json_schema.Extension, session_extensions.KEYS),
        (json_schema.Hook, session_hooks.KEYS),
        (json_schema.Settings, session_file.SETTINGS),
        (json_schema.PolicyShape, ("groups", *LAYERS)),
        (json_schema.Definition, set(definition.KNOWN) - set(definition.EXTRAS) - OTHER_SHAPES),
    ],
)
def test_a_shape_has_the_keys_that_its_reader_knows(shape, keys):
    assert {field.alias or name for name, field in shape.model_fields.items()} == set(keys)
