"""What the model gets of a tool: one projection each for Anthropic, OpenAI, Gemini and MCP (R-DESC 4)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from toolbench.tools.descriptor import ToolDescriptor


def to_anthropic(descriptor: ToolDescriptor) -> dict[str, Any]:
    """Return `{name, description, input_schema}`."""
    return {
        "name": descriptor.name,
        "description": _described(descriptor),
        "input_schema": descriptor.input_schema,
    }


def to_openai(descriptor: ToolDescriptor) -> dict[str, Any]:
    """Return a function tool of the Chat Completions shape; `strict` is kept where the definition had it."""
    function = {
        "name": descriptor.name,
        "description": _described(descriptor),
        "parameters": descriptor.input_schema,
    }
    if "strict" in descriptor.extras:
        function["strict"] = descriptor.extras["strict"]
    return {"type": "function", "function": function}


def to_gemini(descriptor: ToolDescriptor) -> dict[str, Any]:
    """Return a function declaration; the schema goes unchanged, as JSON Schema."""
    return {
        "name": descriptor.name,
        "description": _described(descriptor),
        "parametersJsonSchema": descriptor.input_schema,
    }


def to_mcp(descriptor: ToolDescriptor) -> dict[str, Any]:
    """Return a tool of an MCP `tools/list` result, with title, output schema, annotations and `_meta` where given."""
    tool: dict[str, Any] = {"name": descriptor.name}
    if descriptor.title is not None:
        tool["title"] = descriptor.title
    tool["description"] = descriptor.description
    tool["inputSchema"] = descriptor.input_schema
    if descriptor.output_schema is not None:
        tool["outputSchema"] = descriptor.output_schema
    if descriptor.annotations is not None:
        tool["annotations"] = dict(descriptor.annotations)
    if "_meta" in descriptor.extras:
        tool["_meta"] = descriptor.extras["_meta"]
    return tool


def _described(descriptor: ToolDescriptor) -> str:
    """Return the description, led by the title where there is one: these providers have no field for it."""
    if not descriptor.title or descriptor.title == descriptor.name:
        return descriptor.description
    return f"{descriptor.title}: {descriptor.description}" if descriptor.description else descriptor.title


_PROJECTIONS: Final[Mapping[str, Callable[[ToolDescriptor], dict[str, Any]]]] = {
    "anthropic": to_anthropic,
    "openai": to_openai,
    "gemini": to_gemini,
    "mcp": to_mcp,
    "any": to_anthropic,
}


def project(descriptor: ToolDescriptor, provider: str) -> dict[str, Any]:
    """Return the projection for a provider; `any` gets Anthropic's."""
    return _PROJECTIONS[provider](descriptor)


def model_size(projection: Any) -> int:
    """Return the bytes of a projection, or of a list of them, as compact JSON in UTF-8."""
    text = json.dumps(projection, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode("utf-8", "surrogatepass"))


def tokens_estimate(size: int) -> int:
    """Return a rough number of tokens for so many bytes of JSON: four bytes each."""
    return size // 4


def provider_schema_problems(descriptor: ToolDescriptor, provider: str) -> tuple[tuple[str, str], ...]:
    """Return where and why a provider would refuse the schema; they break nothing here, they are told.

    Returns:
        JSON pointer below the input schema, and message.
    """
    schema = descriptor.input_schema
    if provider not in ("anthropic", "openai", "gemini") or not isinstance(schema, Mapping):
        return ()
    return tuple(_root_problems(schema)) + tuple(_openai_strict(descriptor) if provider == "openai" else ())


def _root_problems(schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what no provider takes at the root."""
    if schema.get("type") != "object":
        yield "", "the root must say type: object"
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            yield f"/{key}", f"{key} is not taken at the root"


def _openai_strict(descriptor: ToolDescriptor) -> Iterator[tuple[str, str]]:
    """Yield what OpenAI's strict mode refuses."""
    schema = descriptor.input_schema
    if descriptor.extras.get("strict") is not True:
        return
    if schema.get("additionalProperties") is not False:
        yield "", "strict needs additionalProperties: false"
    properties = schema.get("properties")
    required = schema.get("required")
    if isinstance(properties, Mapping):
        named = required if isinstance(required, list) else []
        for name in properties:
            if name not in named:
                yield f"/properties/{name}", "strict needs every property to be required"
