"""The command `toolbench`, whose sub-commands are imported only when they are called."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

from toolbench._version import __version__

COMMANDS: Final = {
    "run": "Open the workbench on a session.",
    "plan": "Show every tool, its bucket and the reason.",
    "call": "Call a tool, or a batch, as a model would.",
    "check": "Tell everything that is wrong, without running anything.",
    "schema": "Print the JSON Schema of a file or an output.",
    "snapshot": "Take a picture of the workbench.",
    "trust": "Allow the sessions in a folder to run code.",
    "untrust": "No longer allow it.",
}
"""Each command with its line of help: telling them imports none of them."""

EPILOG: Final = """\b
Example:
  toolbench run sample_sessions/quickstart
  toolbench plan sample_sessions/quickstart --explain deploy

Exit codes: 0 fine, 1 problems or an error result, 2 wrong usage or a session that does not load or is not trusted, 3
blocked by a hook, 130 interrupted."""


class LazyGroup(click.Group):
    """A group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of their table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command from the module of its name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"toolbench.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from their table."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
def toolbench() -> None:
    """See, change and step through an agent's tool session.

    A session is a folder with a `session.yaml`, or such a file itself.
    """
