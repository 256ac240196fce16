"""Definition files: read into claims, with all of their problems (formats: Definition files)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolbench.files.definition import Home, read_tool
from toolbench.files.document import Document, TextError
from toolbench.files.problems import KeyPath, Problem
from toolbench.files.reading import Complaints
from toolbench.files.shapes import Found, find_tools
from toolbench.files.text_file import load_file
from toolbench.tools.registry import Claim


@dataclass(frozen=True, slots=True)
class DefinitionFile:
    """A definition file, read."""

    path: Path
    shown: str
    """The path as people see it."""
    digest: str
    claims: tuple[Claim, ...]
    problems: tuple[Problem, ...]
    failed: bool = False
    """Nothing of it could be used: its last good tools stay (R-GEN 3)."""


def load_definitions(
    path: Path, *, shown: str, source: str, plugin_id: str | None, strict: bool = False
) -> DefinitionFile:
    """Read a definition file; what is wrong with it is in the answer, never raised.

    Args:
        path: absolute.
        shown: how the file is called in what people read.
        source: the extension's id.
        plugin_id: the owner of tools that name none.
        strict: give imported tools no canned reply.
    """
    try:
        loaded = load_file(path)
    except TextError as error:
        line, column = error.place or (None, None)
        problem = Problem(
            severity="error", code="unreadable-file", message=error.message, file=shown, line=line, column=column
        )
        return DefinitionFile(path, shown, "", (), (problem,), failed=True)
    home = Home(source, "extension", plugin_id, path.parent, strict)
    claims, problems, empty = read_document(loaded.document, shown, home)
    return DefinitionFile(path, shown, loaded.digest, claims, problems, failed=empty)


def read_document(document: Document, shown: str, home: Home) -> tuple[tuple[Claim, ...], tuple[Problem, ...], bool]:
    """Return the claims and problems of a document, and whether it is no tool list at all.

    A duplicate key makes a file unusable: which of the two was meant cannot be told.
    """
    complaints = Complaints(document, shown)
    complaints.faults()
    if document.root is None:
        complaints.add("no-tools", "the file holds no tools", severity="warning")
        return (), tuple(complaints.problems), False
    if not isinstance(document.root, dict | list):
        complaints.add("no-tools", "a definition file holds one tool, a list of tools, or `tools: [...]`")
        return (), tuple(complaints.problems), True
    broken = any(fault.code == "duplicate-key" for fault in document.faults)
    claims = _claims(tuple(find_tools(document.root)), home, complaints)
    return claims, tuple(complaints.problems), broken


def load_custom(
    items: Sequence[Any], document: Document, path: KeyPath, shown: str, folder: Path
) -> tuple[tuple[Claim, ...], tuple[Problem, ...]]:
    """Read the tools of a session's `custom:` list; they are all in our own shape (R-REG 9).

    Args:
        items: the list.
        document: where it stands.
        path: its key path.
        shown: how the session file is called.
        folder: the session's.
    """
    complaints = Complaints(document, shown)
    found = [Found(item, (*path, index), "own") for index, item in enumerate(items)]
    claims = _claims(found, Home("custom", "custom", None, folder), complaints)
    return claims, tuple(complaints.problems)


def _claims(found: Sequence[Found], home: Home, complaints: Complaints) -> tuple[Claim, ...]:
    """Read each tool; those without a name are told and left out."""
    claims = (read_tool(one, home, complaints) for one in found)
    return tuple(claim for claim in claims if claim is not None)
