"""`toolbench trust`: remember that the sessions in a folder may run code."""

from __future__ import annotations

from pathlib import Path

import click

from toolbench.cli import exit_codes
from toolbench.cli.options import example


@click.command("trust", epilog=example("toolbench trust sample_sessions/coding-agent", "toolbench trust --list"))
@click.argument("directory", metavar="DIR", required=False, type=click.Path(exists=True, path_type=Path))
@click.option("--list", "as_list", is_flag=True, help="Tell which folders are trusted.")
def command(directory: Path | None, as_list: bool) -> int:
    """Allow the sessions in DIR to run code: Python tools and hooks, programs, the shell.

    What a session would run is told by the workbench before it asks, and by `toolbench plan`, whose sources are
    `restricted` until then.
    """
    from toolbench.cli.output import answer_lines, note
    from toolbench.files.trust import TrustStore
    from toolbench.text import safe

    if (directory is None) == (not as_list):
        raise click.UsageError("give a folder, or --list")
    store = TrustStore()
    if directory is None:
        answer_lines(safe(str(entry)) for entry in store.entries)
        return exit_codes.OK
    folder = directory if directory.is_dir() else directory.parent
    store.trust(folder)
    note(f"trusted from now on: {safe(str(folder.resolve()))}")
    return exit_codes.OK
