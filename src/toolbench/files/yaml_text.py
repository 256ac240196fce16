"""YAML 1.2 core over PyYAML's C parser: positions, duplicate keys, merge keys, limits (formats: reading)."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import yaml

from toolbench.files.document import MAX_DEPTH, MAX_NODES, Document, Place, TextError, TextFault

_INT: Final = re.compile(r"[-+]?[0-9]+")
_OCTAL: Final = re.compile(r"0o[0-7]+")
_HEX: Final = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS: Final = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_NUMBER_STARTS: Final = frozenset("+-.0123456789")
_SPECIAL: Final = {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF", ".nan", ".NaN", ".NAN"}
MAX_DIGITS: Final = 4000
_TAGS: Final = "tag:yaml.org,2002:"


class _Resolving:
    """Answers no tag where the text has none, so that the tags of a node are the ones that were written."""

    def descend_resolver(self, _node: Any, _index: Any) -> None: ...

    def ascend_resolver(self) -> None: ...

    def resolve(self, _kind: Any, _value: Any, _implicit: Any) -> None: ...


try:
    from yaml.cyaml import CParser  # type: ignore[attr-defined]

    class _Composer(CParser, _Resolving):
        """The C parser, with tags left alone."""

except ImportError:  # a PyYAML that was built without the C library
    from yaml.composer import Composer
    from yaml.parser import Parser
    from yaml.reader import Reader
    from yaml.scanner import Scanner

    class _Composer(Reader, Scanner, Parser, Composer, _Resolving):  # type: ignore[no-redef]
        """The parser in Python, with tags left alone."""

        def __init__(self, text: str) -> None:
            Reader.__init__(self, text)
            Scanner.__init__(self)
            Parser.__init__(self)
            Composer.__init__(self)


@contextmanager
def paused_gc() -> Iterator[None]:
    """Keep the collector from walking through what is being built: loading is four times as fast."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def load_yaml(text: str) -> Document:
    """Return the text's data with places.

    Raises:
        TextError: the text is no YAML, has several documents, or is beyond the limits of depth or size.
    """
    with paused_gc():
        node = _compose(text)
        builder = _Builder()
        if node is None:
            return builder.document
        builder.document.root_place = _place(node)
        builder.document.root = builder.value(node, 0)
        return builder.document


def scalar(text: str) -> Any:
    """Return what a plain scalar stands for under YAML 1.2 core rules: `on` and `no` are text, `0123` is 123.

    Raises:
        TextError: a number of too many digits.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    if len(text) > MAX_DIGITS and (_INT.fullmatch(text) or _FLOAT.fullmatch(text)):
        raise TextError(f"a number of {len(text)} characters is too long")
    if _INT.fullmatch(text):
        return int(text)
    if _OCTAL.fullmatch(text):
        return int(text[2:], 8)
    if _HEX.fullmatch(text):
        return int(text[2:], 16)
    if _FLOAT.fullmatch(text) or text in _SPECIAL:
        return float(
            text.replace(".inf", "inf").replace(".Inf", "inf").replace(".INF", "inf").lstrip(".")
            if text in _SPECIAL
            else text
        )
    return text


def _compose(text: str) -> Any:
    """Compose the one document of a text."""
    try:
        return _Composer(text).get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = "; ".join(part for part in (error.context, error.problem) if part)
        raise TextError(what or "no YAML", None if mark is None else (mark.line + 1, mark.column + 1)) from None
    except yaml.reader.ReaderError as error:
        before = text[: error.position] if isinstance(error.position, int) else ""
        place = (before.count("\n") + 1, len(before) - before.rfind("\n"))
        raise TextError(f"a character that YAML does not allow: {error.reason}", place) from None
    except RecursionError:
        raise TextError("nested too deep") from None


def _place(node: Any) -> Place:
    mark = node.start_mark
    return (mark.line + 1, mark.column + 1)


class _Builder:
    """Makes plain values of nodes; a node that is used again through an alias is made once."""

    def __init__(self) -> None:
        self.document = Document()
        self._made: dict[int, Any] = {}
        self._sizes: dict[int, int] = {}
        self._open: set[int] = set()
        self._count = 0

    def value(self, node: Any, depth: int) -> Any:
        """Return one node's value."""
        if isinstance(node, yaml.ScalarNode):
            self._count += 1
            return self._scalar(node)
        if depth >= MAX_DEPTH:
            raise TextError(f"nested deeper than {MAX_DEPTH} levels", _place(node))
        key = id(node)
        if key in self._made:
            self._expand(self._sizes[key], node)
            return self._made[key]
        if key in self._open:
            self._fault("alias-cycle", "an alias stands inside what it names", node)
            return None
        self._open.add(key)
        before = self._count
        self._expand(1, node)
        value = self._mapping(node, depth) if isinstance(node, yaml.MappingNode) else self._sequence(node, depth)
        self._open.discard(key)
        self._made[key] = value
        self._sizes[key] = self._count - before
        return value

    def _expand(self, size: int, node: Any) -> None:
        """Count values with aliases followed."""
        self._count += size
        if self._count > MAX_NODES:
            raise TextError(f"more than {MAX_NODES} values, counting what aliases repeat", _place(node))

    def _fault(self, code: str, message: str, node: Any) -> None:
        self.document.faults.append(TextFault(code, message, _place(node)))

    def _scalar(self, node: Any) -> Any:
        """Return a scalar's value; quoted ones are text."""
        text: str = node.value
        if node.tag is None or node.tag == "!":
            if node.style or node.tag == "!":
                return text
            try:
                return scalar(text)
            except TextError as error:
                self._fault("number-too-long", error.message, node)
                return text
        if node.tag == f"{_TAGS}str":
            return text
        if node.tag.removeprefix(_TAGS) in ("int", "float", "bool", "null"):
            return scalar(text)
        self._fault("unknown-tag", f"the tag {node.tag!r} is not supported", node)
        return text

    def _sequence(self, node: Any, depth: int) -> list[Any]:
        """Return a list, noting the place of each item."""
        made = [self.value(item, depth + 1) for item in node.value]
        self.document.places[id(made)] = [_place(item) for item in node.value]
        return made

    def _mapping(self, node: Any, depth: int) -> dict[str, Any]:
        """Return a dict, noting the place of each key and value. Merged entries come last and never override."""
        made: dict[str, Any] = {}
        places: dict[str | int, Place] = {}
        keys: dict[str, Place] = {}
        merges: list[Any] = []
        read: dict[tuple[type, Any], str] = {}
        document = self.document
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._fault("bad-key", "a key must be text", key_node)
                continue
            key = key_node.value
            if key == "<<" and not key_node.style:
                merges.append(value_node)
                continue
            twin = key if key in made else self._twin(key_node, read)
            if twin is not None:
                again = f"the key {key!r} stands twice" if twin == key else f"the key {key!r} is {twin!r} again"
                self._fault("duplicate-key", f"{again}, first in line {keys[twin][0]}", key_node)
                continue
            value = made[key] = self.value(value_node, depth + 1)
            places[key] = _place(value_node)
            keys[key] = _place(key_node)
            if not isinstance(value, str | dict | list) and isinstance(value_node, yaml.ScalarNode):
                document.sources[id(made), key] = value_node.value
        for merge in merges:
            self._merge(merge, made, places, keys, depth)
        document.places[id(made)] = places
        document.key_places[id(made)] = keys
        return made

    @staticmethod
    def _twin(node: Any, read: dict[tuple[type, Any], str]) -> str | None:
        """Return the key that is the same value in other letters, as `true` and `True` are; note this one in `read`."""
        key: str = node.value
        if node.style or not key or len(key) > MAX_DIGITS or not (key in _WORDS or key[0] in _NUMBER_STARTS):
            return None
        value = scalar(key)
        known = read.setdefault((type(value), value), key)
        return None if known == key else known

    def _merge(
        self, node: Any, made: dict[str, Any], places: dict[str | int, Place], keys: dict[str, Place], depth: int
    ) -> None:
        """Add the entries of `<<`; what stands in the mapping itself wins, and earlier merges win over later ones."""
        value = self.value(node, depth + 1)
        several = value if isinstance(value, list) else [value]
        for one in several:
            if not isinstance(one, dict):
                self._fault("bad-merge", "<< takes a mapping or a list of mappings", node)
                continue
            for key, item in one.items():
                if key not in made:
                    made[key] = item
                    places[key] = self.document.place(one, key) or _place(node)
                    keys[key] = _place(node)
