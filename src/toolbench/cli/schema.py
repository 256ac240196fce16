"""`toolbench schema`: the JSON Schema of a file that one writes or an output that one reads."""

from __future__ import annotations

import click

from toolbench.cli.options import example


@click.command("schema", epilog=example("toolbench schema session > session.schema.json", "toolbench schema plan"))
@click.argument("name", type=click.Choice(["session", "definitions", "plan", "call", "check"]))
def command(name: str) -> int:
    """Print the JSON Schema of the session file, of definition files, or of a command's JSON."""
    from toolbench.cli.exit_codes import OK
    from toolbench.cli.output import answer_json
    from toolbench.cli.schemas import schema

    answer_json(schema(name))
    return OK
