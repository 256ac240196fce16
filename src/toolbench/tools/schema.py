"""JSON Schema: is a schema one, and do arguments keep to it (R-DISP 4). Nothing is ever fetched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

from toolbench.tools.jsonvalue import MAX_DEPTH, copy_json, pointer, unfit

if TYPE_CHECKING:
    import jsonschema_rs

MAX_MESSAGE: Final = 300
MAX_PROBLEMS: Final = 50
DEFAULT_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
CODE: Final = "invalid-schema"


@dataclass(frozen=True, slots=True)
class SchemaFault:
    """Why something is no input schema."""

    message: str
    path: str = ""
    """JSON pointer below the schema."""
    code: str = CODE

    @property
    def text(self) -> str:
        """The message with its place."""
        return f"input_schema{self.path}: {self.message}"


def schema_fault(schema: Any) -> SchemaFault | None:
    """Return why `schema` is no object or invalid under its own `$schema`, None when it is fine."""
    if not isinstance(schema, Mapping):
        return SchemaFault(f"the input schema must be an object, found {_type_name(schema)}", code="schema-no-object")
    if too_deep(schema):
        return SchemaFault(f"nested deeper than {MAX_DEPTH} levels")
    return _compiled(schema)[1]


_CONTAINERS: Final = (Mapping, list, tuple)


def too_deep(value: Any, limit: int = MAX_DEPTH) -> bool:
    """Tell whether containers are nested deeper than `limit`; never recurses itself."""
    level = [value] if isinstance(value, _CONTAINERS) else []
    for _ in range(limit):
        if not level:
            return False
        below = (item for one in level for item in (one.values() if isinstance(one, Mapping) else one))
        level = [item for item in below if isinstance(item, _CONTAINERS)]
    return bool(level)


def _compiled(schema: Mapping[str, Any]) -> tuple[jsonschema_rs.Validator | None, SchemaFault | None]:
    """Compile a schema under its own dialect."""
    import jsonschema_rs

    # The frozen kinds of dict and list are not known to the validator's own language.
    plain = copy_json(schema)
    try:
        validator = jsonschema_rs.validator_for(
            plain if "$schema" in plain else {"$schema": DEFAULT_DIALECT, **plain},
            validate_formats=True,
            offline=True,
        )
    except jsonschema_rs.ValidationError as error:
        return None, SchemaFault(error.message[:MAX_MESSAGE], pointer(*error.instance_path))
    except (jsonschema_rs.ReferencingError, ValueError, OverflowError, RecursionError) as error:
        return None, SchemaFault(str(error)[:MAX_MESSAGE] or type(error).__name__)
    return validator, None


def schema_warnings(schema: Any) -> tuple[tuple[str, str], ...]:
    """Return where and why a valid schema will not do what its author thinks: JSON pointer and message."""
    if not isinstance(schema, Mapping) or too_deep(schema):
        return ()
    return tuple(_warnings(schema))


def _warnings(schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the warnings of a schema's root."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return
    for name in schema.get("required", ()) if isinstance(schema.get("required"), list) else ():
        if isinstance(name, str) and name not in properties:
            yield "/required", f"{name!r} is required but is no property"
    for name, below in properties.items():
        if isinstance(below, Mapping) and "default" in below and Validator(below).problems(below["default"]):
            yield f"{pointer('properties', name)}/default", "the default does not fit its own schema"


class Validator:
    """Holds arguments against one schema; compiled when first used."""

    __slots__ = ("_fault", "_is_valid", "_schema", "_validator")

    def __init__(self, schema: Any) -> None:
        """Take a schema as a definition holds it, valid or not."""
        self._schema = schema
        self._validator: jsonschema_rs.Validator | None = None
        self._is_valid: Any = None
        self._fault: SchemaFault | None = None

    @property
    def schema(self) -> Any:
        """The schema as given."""
        return self._schema

    def problems(self, arguments: Any) -> tuple[tuple[str, str], ...]:
        """Return JSON pointer and message of each failure; nothing when the arguments are fine. Never raises."""
        odd = unfit(arguments)
        return self.failures(arguments) if odd is None else (odd,)

    def failures(self, arguments: Any) -> tuple[tuple[str, str], ...]:
        """Return the same for arguments that are known to be JSON, which the validator takes on trust."""
        if self._is_valid is None and self._fault is None:
            self._compile()
        if self._fault is not None:
            return (("", f"the tool's own schema is invalid: {self._fault.text}"),)
        if self._is_valid(arguments):
            return ()
        assert self._validator is not None
        return tuple(self._failures(self._validator, arguments))

    def _compile(self) -> None:
        """Compile the schema, or keep the fault."""
        if not isinstance(self._schema, Mapping):
            self._fault = SchemaFault("it is no object")
        elif too_deep(self._schema):
            self._fault = SchemaFault(f"nested deeper than {MAX_DEPTH} levels")
        else:
            self._validator, self._fault = _compiled(self._schema)
            if self._validator is not None:
                self._is_valid = self._validator.is_valid

    def _failures(self, validator: jsonschema_rs.Validator, arguments: Any) -> Iterator[tuple[str, str]]:
        """Yield the failures, each cut to size, with the nearest property for an unknown one."""
        for count, error in enumerate(validator.iter_errors(arguments)):
            if count == MAX_PROBLEMS:
                yield "", "and more"
                return
            message = error.message
            message = message if len(message) <= MAX_MESSAGE else message[: MAX_MESSAGE - 1] + "…"
            yield pointer(*error.instance_path), message + self._hint(message, error.instance_path, arguments)

    def _hint(self, message: str, path: list[str | int], arguments: Any) -> str:
        """Offer the property that was meant, where an unknown one stands at the root (HAND-41)."""
        properties = self._schema.get("properties")
        if path or "dditional properties" not in message or not isinstance(properties, Mapping):
            return ""
        hints = [
            f"{name!r}: did you mean {near[0]!r}?"
            for name in arguments
            if name not in properties and (near := get_close_matches(_plain(name), list(properties), 1, 0.6))
        ]
        return f" ({'; '.join(hints)})" if hints else ""


def _plain(name: str) -> str:
    """Return a camel-case name in snake case, by which it is compared."""
    return "".join(f"_{one.lower()}" if one.isupper() else one for one in name[:80]).lstrip("_")


def _type_name(value: Any) -> str:
    """Name a value's JSON type."""
    if value is None:
        return "null"
    for kind, name in ((bool, "a boolean"), (int | float, "a number"), (str, "text"), (list | tuple, "a list")):
        if isinstance(value, kind):
            return name
    return type(value).__name__
