"""Strict JSON with positions: no NaN, no duplicate keys, no comments (formats: reading)."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from typing import Any, Final

from toolbench.files.document import MAX_DEPTH, Document, Place, TextError, TextFault
from toolbench.files.yaml_text import MAX_DIGITS, paused_gc

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_STRING: Final = re.compile(r'"([^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*)"', re.DOTALL)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_WORDS: Final = (("true", True), ("false", False), ("null", None))


def load_json(text: str) -> Document:
    """Return the text's data with places.

    Raises:
        TextError: it is no JSON, or nested too deep.
    """
    with paused_gc():
        return _Scanner(text).document_of_one()


def load_json_lines(text: str) -> Document:
    """Return JSON Lines as one list.

    Raises:
        TextError: a line is no JSON.
    """
    with paused_gc():
        return _Scanner(text).document_of_many()


class _Scanner:
    """Reads values from left to right; nesting is bounded, so recursion is."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self._document = Document()

    def document_of_one(self) -> Document:
        """Read the one value of the text."""
        start = self._skip(0)
        document = self._document
        document.root_place = self._place(start)
        document.root, end = self._value(start, 0)
        end = self._skip(end)
        if end != len(self._text):
            raise self._error("something follows the end of the JSON value", end)
        return document

    def document_of_many(self) -> Document:
        """Read values one after another."""
        values: list[Any] = []
        places: list[Place] = []
        position = self._skip(0)
        while position < len(self._text):
            places.append(self._place(position))
            value, end = self._value(position, 1)
            values.append(value)
            position = self._skip(end)
        self._document.root = values
        self._document.places[id(values)] = places
        return self._document

    def _place(self, position: int) -> Place:
        line = bisect_right(self._lines, position)
        return (line, position - self._lines[line - 1] + 1)

    def _error(self, message: str, position: int) -> TextError:
        return TextError(message, self._place(position))

    def _skip(self, position: int) -> int:
        match = _SPACE.match(self._text, position)
        assert match is not None
        return match.end()

    def _value(self, position: int, depth: int) -> tuple[Any, int]:
        """Read a value; return it and where it ends."""
        text = self._text
        if position >= len(text):
            raise self._error("the JSON ends too early", position)
        first = text[position]
        if first == '"':
            return self._string(position)
        if first in "{[":
            if depth >= MAX_DEPTH:
                raise self._error(f"nested deeper than {MAX_DEPTH} levels", position)
            return self._object(position + 1, depth) if first == "{" else self._array(position + 1, depth)
        for word, value in _WORDS:
            if text.startswith(word, position):
                return value, position + len(word)
        return self._number(position)

    def _string(self, position: int) -> tuple[str, int]:
        match = _STRING.match(self._text, position)
        if match is None:
            raise self._error("a text is not closed, or holds a control character that must be escaped", position)
        inner = match.group(1)
        if "\\" not in inner:
            return inner, match.end()
        try:
            value: str = json.loads(match.group())
        except ValueError as error:
            raise self._error(f"a wrong escape: {error}", position) from None
        if _SURROGATE.search(value):
            # It could be written nowhere: no UTF-8 holds it.
            message = "half of a surrogate pair, which is no character; it is read as U+FFFD"
            self._document.faults.append(TextFault("lone-surrogate", message, self._place(position)))
            value = _SURROGATE.sub("\ufffd", value)
        return value, match.end()

    def _number(self, position: int) -> tuple[Any, int]:
        match = _NUMBER.match(self._text, position)
        if match is None:
            found = self._text[position : position + 12].split("\n")[0]
            raise self._error(f"expected a JSON value, found {found!r}", position)
        digits = match.group()
        if len(digits) > MAX_DIGITS:
            raise self._error(f"a number of {len(digits)} characters is too long", position)
        number: Any = int(digits) if match.group(1) is None and match.group(2) is None else float(digits)
        if number in (float("inf"), float("-inf")):
            raise self._error(f"the number {digits} is beyond what can be held", position)
        return number, match.end()

    def _array(self, position: int, depth: int) -> tuple[list[Any], int]:
        made: list[Any] = []
        places: list[Place] = []
        position = self._skip(position)
        while not self._text.startswith("]", position):
            if made:
                position = self._skip(self._expect(",", position, "an item or ]"))
            places.append(self._place(position))
            value, position = self._value(position, depth + 1)
            made.append(value)
            position = self._skip(position)
        self._document.places[id(made)] = places
        return made, position + 1

    def _object(self, position: int, depth: int) -> tuple[dict[str, Any], int]:
        made: dict[str, Any] = {}
        places: dict[str | int, Place] = {}
        keys: dict[str, Place] = {}
        position = self._skip(position)
        while not self._text.startswith("}", position):
            if made:
                position = self._skip(self._expect(",", position, "a key or }"))
            if not self._text.startswith('"', position):
                raise self._error("expected a key in double quotes", position)
            key_place = self._place(position)
            key, position = self._string(position)
            position = self._skip(self._expect(":", self._skip(position), "a value"))
            value_place = self._place(position)
            value, position = self._value(position, depth + 1)
            if key in made:
                message = f"the key {key!r} stands twice, first in line {keys[key][0]}"
                self._document.faults.append(TextFault("duplicate-key", message, key_place))
            else:
                made[key], places[key], keys[key] = value, value_place, key_place
            position = self._skip(position)
        self._document.places[id(made)] = places
        self._document.key_places[id(made)] = keys
        return made, position + 1

    def _expect(self, mark: str, position: int, before: str) -> int:
        if not self._text.startswith(mark, position):
            raise self._error(f"expected {mark!r} before {before}", position)
        return position + 1
