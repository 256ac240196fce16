"""The commands: `toolbench COMMAND`. Nothing is imported here, so that `--help` is quick."""

from __future__ import annotations

from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and exit with its code; see `exit_codes`."""
    import sys

    from toolbench.cli.entry import run_command_line

    sys.exit(run_command_line(sys.argv[1:]))
