"""`toolbench untrust`: forget that the sessions in a folder may run code."""

from __future__ import annotations

from pathlib import Path

import click

from toolbench.cli import exit_codes
from toolbench.cli.options import example


@click.command("untrust", epilog=example("toolbench untrust sample_sessions/coding-agent"))
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
def command(directory: Path) -> int:
    """No longer allow the sessions in DIR to run code. A folder that was never trusted, or is gone, is no error."""
    from toolbench.cli.output import note
    from toolbench.files.trust import TrustStore
    from toolbench.text import safe

    folder = directory.parent if directory.is_file() else directory
    TrustStore().untrust(folder)
    note(f"not trusted: {safe(str(folder.resolve()))}")
    return exit_codes.OK
