"""`toolbench check`: everything that is wrong, without running anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from toolbench.cli import exit_codes
from toolbench.cli.options import example, json_option, session_argument

if TYPE_CHECKING:
    from toolbench.session.check import Profile


@click.command(
    "check",
    epilog=example(
        "toolbench check sample_sessions/broken",
        "toolbench check sample_sessions/big-import --profile openai --strict",
        "toolbench check sample_sessions/broken --format sarif > report.sarif",
    ),
)
@session_argument
@click.option(
    "--profile",
    type=click.Choice(["anthropic", "openai", "gemini", "mcp"]),
    help="Also hold names and schemas against this provider's rules.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 on a warning too.")
@click.option("--format", "form", type=click.Choice(["text", "json", "sarif"]), default="text", show_default=True)
@json_option
def command(session: str, profile: Profile | None, strict: bool, form: str, as_json: bool) -> int:
    """Tell everything that is wrong with SESSION and its files: where, what, and how to mend it.

    Exits with 1 on an error.
    """
    from toolbench.cli.check_text import problem_lines
    from toolbench.cli.output import answer_json, answer_lines
    from toolbench.cli.sarif import sarif_json
    from toolbench.cli.sessions import open_session
    from toolbench.session.check import check

    result = check(open_session(session, trust=False), profile=profile, strict=strict)
    if as_json or form == "json":
        answer_json(result.to_json())
    elif form == "sarif":
        answer_json(sarif_json(result.problems))
    else:
        answer_lines(problem_lines(result.problems))
    return exit_codes.OK if result.ok else exit_codes.PROBLEMS
