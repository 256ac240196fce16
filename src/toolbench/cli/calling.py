"""Reads what is to be called, and calls it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolbench.cli.failures import CommandFailure
from toolbench.files.blocks import BlocksError, parse_blocks
from toolbench.session.call_json import batch_json, call_json
from toolbench.tools.hooks import MISSING
from toolbench.tools.prepare import strict_json

if TYPE_CHECKING:
    from toolbench.session.hub import Listener
    from toolbench.session.session import Session
    from toolbench.tools.blocks import ToolUse


def parse_input(text: str | None) -> Any:
    """Read the arguments: JSON, `@FILE`, `-` for standard input; nothing given is no input at all (R-DISP 5).

    Raises:
        CommandFailure: the file cannot be read, or it is not strict JSON.
    """
    if text is None:
        return MISSING
    shown = "--input"
    if text == "-" or text.startswith("@"):
        shown, text = _read(text.removeprefix("@"))
    try:
        return strict_json(text)
    except json.JSONDecodeError as error:
        raise CommandFailure("bad-input", error.msg, file=shown, line=error.lineno, column=error.colno) from error
    except ValueError as error:
        raise CommandFailure("bad-input", str(error), file=shown) from error


def parse_batch(file: str) -> tuple[Sequence[ToolUse], str | None]:
    """Read the calls of a message and its stop reason.

    Raises:
        CommandFailure: the file cannot be read, or holds no calls.
    """
    shown, text = _read(file)
    try:
        return parse_blocks(text, shown)
    except BlocksError as error:
        raise CommandFailure("bad-batch", str(error), file=shown) from error


async def fire_one(session: Session, name: str, arguments: Any, watch: Listener | None) -> dict[str, Any]:
    """Call one tool and return the JSON of the answer.

    Args:
        session: whose tool; closed afterwards.
        name: the tool's.
        arguments: as parsed.
        watch: called with each event as it happens.
    """
    async with session:
        if watch is not None:
            session.events.subscribe(watch)
        return call_json(await session.call(name, arguments))


async def fire_batch(
    session: Session, uses: Sequence[ToolUse], stop_reason: str | None, watch: Listener | None
) -> dict[str, Any]:
    """Call the tools of one message and return the JSON of the answer; see `fire_one`."""
    async with session:
        if watch is not None:
            session.events.subscribe(watch)
        return batch_json(await session.fire(uses, stop_reason=stop_reason))


def _read(file: str) -> tuple[str, str]:
    """Return how a file is called and its text; `-` is standard input."""
    try:
        if file == "-":
            return "standard input", sys.stdin.read()
        return file, Path(file).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CommandFailure("cannot-read", f"{file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CommandFailure("cannot-read", f"{file}: not UTF-8 at byte {error.start}") from error
