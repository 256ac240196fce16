"""`toolbench plan`: buckets and reasons, what-if, one tool explained, two sessions compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from toolbench.cli import exit_codes
from toolbench.cli.options import example, json_option, session_argument, set_option, trust_option, unset_option


@click.command(
    "plan",
    epilog=example(
        "toolbench plan sample_sessions/quickstart",
        "toolbench plan sample_sessions/quickstart --explain deploy --json",
        "toolbench plan sample_sessions/quickstart --set env.TRACKER_TOKEN=x --unset auth.tracker",
    ),
)
@session_argument
@click.option("--explain", "tool", metavar="TOOL", help="Tell all about one tool: its bucket, and why.")
@click.option("--diff", "other", metavar="OTHER", type=click.Path(), help="Compare with the plan of another session.")
@set_option
@unset_option
@trust_option
@json_option
def command(
    session: str,
    tool: str | None,
    other: str | None,
    sets: tuple[str, ...],
    unsets: tuple[str, ...],
    trust: bool,
    as_json: bool,
) -> int:
    """Show every tool of SESSION in its bucket, with the reason. Nothing is run, no file is changed.

    Exits with 1 if anything is broken, if a host would refuse the plan, or if a source is in error or stale.
    """
    from toolbench.cli.changes import apply_changes
    from toolbench.cli.comparison import difference_json
    from toolbench.cli.output import answer_json, answer_lines
    from toolbench.cli.plan_text import difference_lines, explanation_lines, plan_lines
    from toolbench.cli.sessions import open_session
    from toolbench.session.explain import explain_tool
    from toolbench.session.plan_json import plan_json

    if tool is not None and other is not None:
        raise click.UsageError("--explain and --diff do not go together")
    opened = open_session(session, trust=trust or None)
    apply_changes(opened, sets, unsets)
    plan = plan_json(opened.generation, opened.name)
    code = plan_exit_code(plan)
    if tool is not None:
        document = explain_tool(opened.generation, opened.context, tool)
        lines = explanation_lines(document)
    elif other is not None:
        document = difference_json(opened.generation, open_session(other, trust=trust or None).generation)
        lines = difference_lines(document)
    else:
        document = plan
        lines = plan_lines(document)
    if as_json:
        answer_json(document)
    else:
        answer_lines(lines)
    return code


def plan_exit_code(plan: Mapping[str, Any]) -> int:
    """Return 1 if anything is broken, an error is set, or a source is in error or stale; hidden tools are fine."""
    bad_source = any(source["state"] in ("error", "stale") for source in plan["sources"])
    return exit_codes.PROBLEMS if plan["broken"] or plan["error"] or bad_source else exit_codes.OK
