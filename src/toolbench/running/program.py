"""Runs programs as process groups: output bounded, all of the group ended on a cancel."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

MAX_OUTPUT: Final = 1_000_000
DYING: Final = 1.0
"""Seconds that a killed program may take to be gone."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A program that has ended."""

    code: int
    """Exit code; negative: the signal that ended it."""
    stdout: str
    stderr: str
    cut: bool
    """Output beyond the limit was dropped."""


async def run_program(
    command: Sequence[str] | str,
    *,
    folder: str,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    limit: int = MAX_OUTPUT,
) -> Finished:
    """Run a program to its end. Cancelling ends its whole process group.

    Args:
        command: argument words, or text for the shell.
        folder: where it starts.
        stdin: its standard input; empty at once when there is none.
        env: its environment; ours when not given.
        limit: bytes of each stream that are kept.

    Raises:
        OSError: it cannot be started.
    """
    pipe = asyncio.subprocess.PIPE
    options = {"cwd": folder, "stdin": pipe, "stdout": pipe, "stderr": pipe, "start_new_session": True, "env": env}
    if isinstance(command, str):
        process = await asyncio.create_subprocess_shell(command, **options)  # type: ignore[arg-type]
    else:
        process = await asyncio.create_subprocess_exec(*command, **options)  # type: ignore[arg-type]
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        _, out, err, _ = await asyncio.gather(
            _feed(process, stdin), _read(process.stdout, limit), _read(process.stderr, limit), process.wait()
        )
    except BaseException:
        _kill(process.pid)
        # One that even this does not end, for it waits for a broken disk, is left to the system.
        await asyncio.wait([asyncio.ensure_future(process.wait())], timeout=DYING)
        raise
    _kill(process.pid)
    assert process.returncode is not None
    return Finished(process.returncode, _text(out[0]), _text(err[0]), out[1] or err[1])


async def _feed(process: asyncio.subprocess.Process, data: bytes) -> None:
    """Write a program's input; one that does not read it is no error."""
    assert process.stdin is not None
    try:
        process.stdin.write(data)
        await process.stdin.drain()
        process.stdin.close()
        await process.stdin.wait_closed()
    except (BrokenPipeError, ConnectionResetError):
        return


async def _read(stream: asyncio.StreamReader, limit: int) -> tuple[bytes, bool]:
    """Read to the end, keep the first part."""
    kept = bytearray()
    cut = False
    while chunk := await stream.read(65536):
        room = limit - len(kept)
        kept += chunk[:room]
        cut = cut or len(chunk) > room
    return bytes(kept), cut


def _kill(group: int) -> None:
    """End a process group; one that has ended already is fine."""
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def ending(finished: Finished) -> str | None:
    """Say how a program failed, None when it did not."""
    if finished.code == 0:
        return None
    if finished.code > 0:
        return f"exit code {finished.code}"
    try:
        name = signal.Signals(-finished.code).name
    except ValueError:
        name = str(-finished.code)
    return f"ended by signal {name}"
