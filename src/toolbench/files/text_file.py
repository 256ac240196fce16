"""From a path to a document: bytes within a limit, UTF-8 with or without BOM, YAML or JSON (formats: reading)."""

from __future__ import annotations

import codecs
import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from toolbench.files.document import MAX_BYTES, Document, TextError
from toolbench.files.json_text import load_json, load_json_lines
from toolbench.files.yaml_text import load_yaml


@dataclass(frozen=True, slots=True)
class LoadedText:
    """A file's data, and the hash of its bytes."""

    document: Document
    digest: str


def load_file(path: Path) -> LoadedText:
    """Read a file by what its name says: `.json` strictly, `.jsonl` and `.ndjson` as a list, else YAML.

    Raises:
        TextError: it cannot be read, or is not what its name says.
    """
    data = read_bytes(path)
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    other = _other_encoding(data[:64])
    if other is not None:
        raise TextError(f"it is written in {other}: save it as UTF-8", (1, 1))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        place = (before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1)
        raise TextError(f"no UTF-8: byte 0x{data[error.start]:02x}", place) from None
    suffix = path.suffix.lower()
    if suffix == ".json":
        return LoadedText(_json_or_lines(text), digest)
    if suffix in (".jsonl", ".ndjson"):
        return LoadedText(load_json_lines(text), digest)
    return LoadedText(load_yaml(text), digest)


def _other_encoding(head: bytes) -> str | None:
    """Name the encoding that a file's first bytes speak of, None for UTF-8 and what is like it."""
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "UTF-32"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "UTF-16"
    # Every other byte of plain letters is zero.
    halves = (head[0::2], head[1::2])
    return "UTF-16" if len(head) >= 4 and any(half.count(0) * 2 > len(half) for half in halves) else None


def read_bytes(path: Path) -> bytes:
    """Return a regular file's bytes; a pipe or a device is refused, for reading it might never end.

    Raises:
        TextError: it is not there, no file, not allowed, or too large.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise TextError("it is no regular file")
            if status.st_size > MAX_BYTES:
                raise TextError(f"the file has {status.st_size} bytes; the limit is {MAX_BYTES}")
            return file.read(MAX_BYTES + 1)[:MAX_BYTES]
    except OSError as error:
        raise TextError(f"it cannot be read: {error.strerror or error}") from None


def _json_or_lines(text: str) -> Document:
    """Read JSON; a file of JSON Lines that is called `.json` is taken as such."""
    try:
        return load_json(text)
    except TextError as error:
        if not error.message.startswith("something follows"):
            raise
        try:
            return load_json_lines(text)
        except TextError:
            raise error from None
