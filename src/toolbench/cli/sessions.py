"""Opens the session that a command is about."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from toolbench.cli.failures import CommandFailure

if TYPE_CHECKING:
    from toolbench.session.session import Session


def open_session(
    path: str,
    *,
    trust: bool | None = None,
    clock: Callable[[], float] = time.monotonic,
    wall: Callable[[], float] = time.time,
) -> Session:
    """Open a session; the file is read, its tools are planned, nothing runs.

    Args:
        path: the session file or its folder.
        trust: allow code for this run (True), allow none (False), or as is remembered about the folder (None).
        clock: monotonic seconds.
        wall: seconds since the epoch.

    Raises:
        CommandFailure: the session does not load.
    """
    from toolbench.files.session_file import SessionFileError
    from toolbench.session.session import Session

    try:
        return Session.open(path, trust=trust, clock=clock, wall=wall)
    except SessionFileError as error:
        problem = error.problem
        raise CommandFailure(
            "session-does-not-load",
            problem.message,
            file=problem.file,
            line=problem.line,
            column=problem.column,
            fix=problem.fix,
        ) from error


def require_trust(session: Session, names: Iterable[str]) -> None:
    """Refuse to call tools that run code, or that untrusted code guards, in a folder that is not trusted.

    Raises:
        CommandFailure: the session must be trusted first; the fix tells how.
    """
    if session.trusted:
        return
    for name in names:
        code = _code_behind(session, name)
        if code is not None:
            raise CommandFailure(
                "not-trusted",
                f"{name} cannot be called: {code}, and the folder {session.folder} is not trusted",
                fix=f"Trust it for this run with --trust, or from now on with: toolbench trust {session.folder}",
            )


def _code_behind(session: Session, name: str) -> str | None:
    """Say which code a call of `name` would run, None when it needs no trust."""
    from toolbench.session.binding import needs_trust
    from toolbench.session.hook_chain import UNTRUSTED
    from toolbench.tools.patterns import compile_patterns

    claim = session.generation.callable_claims.get(name)
    if claim is None:
        return None
    if needs_trust(claim):
        return "its executor runs code"
    for handler in session.hooks:
        if handler.blocks_because == UNTRUSTED and compile_patterns(handler.tools)(name):
            return f"the hook {handler.id} runs code"
    return None
