"""The arguments and options that several commands share."""

from __future__ import annotations

from typing import Final

import click

session_argument: Final = click.argument("session", metavar="SESSION", type=click.Path())
trust_option: Final = click.option(
    "--trust", is_flag=True, help="Let the session run code this time, whatever is remembered about its folder."
)
json_option: Final = click.option("--json", "as_json", is_flag=True, help="Answer with one JSON document.")
set_option: Final = click.option(
    "--set", "sets", metavar="PATH[=VALUE]", multiple=True, help="What if this were so: env.TOKEN=x, auth.github, …"
)
unset_option: Final = click.option(
    "--unset", "unsets", metavar="PATH", multiple=True, help="What if this were not so: plugins.chat, …"
)


def example(*lines: str) -> str:
    """Return the end of a command's help: examples, each on its own line."""
    return "\n".join(("\b", "Example:", *(f"  {line}" for line in lines)))
