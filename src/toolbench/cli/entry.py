"""Runs one command line and turns whatever comes of it into an exit code."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import click

from toolbench.cli import exit_codes
from toolbench.cli.failures import CommandFailure
from toolbench.cli.group import toolbench
from toolbench.cli.output import note, prepare_streams, to_json


def run_command_line(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code; see `exit_codes`."""
    prepare_streams()
    try:
        code = toolbench.main(args=list(arguments), prog_name="toolbench", standalone_mode=False)
    except CommandFailure as failure:
        return _fail(failure, arguments)
    except click.Abort:
        return exit_codes.INTERRUPTED
    except click.ClickException as error:
        return _usage(error, arguments)
    return code if isinstance(code, int) else exit_codes.OK


def _usage(error: click.ClickException, arguments: Sequence[str]) -> int:
    """Tell that the command line itself is wrong."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    help_command = "toolbench --help" if context is None else f"{context.command_path} --help"
    message = error.format_message()
    return _fail(CommandFailure("usage", message, fix=f"See: {help_command}"), arguments)


def _fail(failure: CommandFailure, arguments: Sequence[str]) -> int:
    """Tell a failure in the form that was asked for."""
    wants_json = "--json" in arguments or "--format=json" in arguments or _follows(arguments, "--format", "json")
    note(to_json(failure.to_json()) if wants_json else f"toolbench: {failure.to_text()}")
    return failure.exit_code


def _follows(arguments: Sequence[str], option: str, value: str) -> bool:
    """Tell whether `option value` stands among the arguments."""
    return any(pair == (option, value) for pair in pairwise(arguments))
