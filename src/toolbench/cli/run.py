"""`toolbench run`: the workbench."""

from __future__ import annotations

import sys

import click

from toolbench.cli.options import example, session_argument, trust_option


@click.command("run", epilog=example("toolbench run sample_sessions/quickstart"))
@session_argument
@trust_option
def command(session: str, trust: bool) -> int:
    """Open the workbench on SESSION.

    A session that runs code opens restricted until its folder is trusted; the workbench asks.
    """
    from toolbench.cli.failures import CommandFailure
    from toolbench.cli.sessions import open_session

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CommandFailure(
            "no-terminal",
            "the workbench needs a terminal",
            fix="Without one use: toolbench plan, call, check, snapshot",
        )
    opened = open_session(session, trust=trust or None)
    from toolbench.ui.app import run_app

    return run_app(opened)
