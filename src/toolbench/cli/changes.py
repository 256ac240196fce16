"""What-if: `--set` and `--unset` change the session in memory, never its file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from toolbench.cli.failures import CommandFailure

if TYPE_CHECKING:
    from toolbench.session.session import Session


def apply_changes(session: Session, sets: Sequence[str], unsets: Sequence[str]) -> None:
    """Make the changes in the order set, then unset.

    Raises:
        CommandFailure: a path or value is wrong, or the session refuses the change.
    """
    from toolbench.session.context import ContextError
    from toolbench.session.paths import PathError

    try:
        tickets = [session.set(*_assignment(text)) for text in sets] + [session.unset(text) for text in unsets]
    except (ContextError, PathError) as error:
        raise CommandFailure("bad-change", str(error)) from error
    for ticket in tickets:
        if ticket.state == "refused":
            raise CommandFailure("bad-change", f"{ticket.label}: {ticket.message}")


def _assignment(text: str) -> tuple[str, Any]:
    """Split `PATH=VALUE` and read the value as its kind is read: text for env, a YAML value else."""
    from toolbench.session.paths import VALUELESS_KINDS

    path, equals, written = _split(text)
    kind = path.partition(".")[0]
    if kind in VALUELESS_KINDS:
        if equals:
            raise CommandFailure("bad-change", f"{path} takes no value")
        return path, None
    if not equals:
        raise CommandFailure("bad-change", f"{text} needs a value: {text}=VALUE")
    return path, written if kind == "env" else _yaml_value(written, path)


def _split(text: str) -> tuple[str, bool, str]:
    """Split at the first equals sign that stands outside double quotes."""
    quoted = False
    for position, character in enumerate(text):
        if character == '"':
            quoted = not quoted
        elif character == "=" and not quoted:
            return text[:position], True, text[position + 1 :]
    return text, False, ""


def _yaml_value(written: str, path: str) -> Any:
    """Read a value as session files do: `1`, `true`, `null` and `text` are told apart."""
    from toolbench.files.document import TextError
    from toolbench.files.yaml_text import load_yaml

    try:
        document = load_yaml(written)
    except TextError as error:
        raise CommandFailure("bad-change", f"{path}: {error}") from error
    if document.faults:
        raise CommandFailure("bad-change", f"{path}: {document.faults[0].message}")
    return document.root
