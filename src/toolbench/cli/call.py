"""`toolbench call`: one tool or a batch, through the same dispatcher, hooks and lock as the workbench."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from toolbench.cli import exit_codes
from toolbench.cli.options import example, json_option, session_argument, set_option, trust_option, unset_option

if TYPE_CHECKING:
    from toolbench.tools.events import Entry


@click.command(
    "call",
    epilog=example(
        """toolbench call sample_sessions/quickstart search_issues --input '{"query": "login", "limit": 500}'""",
        "toolbench call sample_sessions/quickstart search_issues --input @arguments.json --trace",
        "toolbench call sample_sessions/quickstart --batch message.json --json",
    ),
)
@session_argument
@click.argument("name", required=False)
@click.option(
    "--input", "input_text", metavar="JSON|@FILE|-", help="The arguments: JSON, @ and a file, or - for stdin."
)
@click.option("--batch", metavar="FILE", help="A list of tool_use blocks or an assistant message; - for stdin.")
@click.option("--trace", is_flag=True, help="Tell every event of the way.")
@set_option
@unset_option
@trust_option
@json_option
def command(
    session: str,
    name: str | None,
    input_text: str | None,
    batch: str | None,
    trace: bool,
    sets: tuple[str, ...],
    unsets: tuple[str, ...],
    trust: bool,
    as_json: bool,
) -> int:
    """Call the tool NAME of SESSION, or a whole batch, as a model would.

    Standard output carries the result alone. Exits with 0 when all is well, 1 when a result is an error, 3 when a hook
    blocked.
    """
    import asyncio

    from toolbench.cli.calling import fire_batch, fire_one, parse_batch, parse_input
    from toolbench.cli.changes import apply_changes
    from toolbench.cli.sessions import open_session, require_trust
    from toolbench.session.event_json import event_json

    if (name is None) == (batch is None):
        raise click.UsageError("give the NAME of a tool, or --batch FILE")
    if batch is not None and input_text is not None:
        raise click.UsageError("--batch and --input do not go together")
    opened = open_session(session, trust=trust or None)
    watch = _note_event if trace and not as_json else None
    apply_changes(opened, sets, unsets)
    if batch is not None:
        uses, stop_reason = parse_batch(batch)
        require_trust(opened, [use.name for use in uses])
        document = asyncio.run(fire_batch(opened, uses, stop_reason, watch))
    else:
        assert name is not None
        arguments = parse_input(input_text)
        require_trust(opened, [name])
        document = asyncio.run(fire_one(opened, name, arguments, watch))
    if trace and as_json:
        document["events"] = [event_json(entry) for entry in opened.events.entries]
    _tell(document, as_json=as_json)
    return call_exit_code(document)


def _note_event(entry: Entry) -> None:
    """Tell an event as it happens, on standard error."""
    from toolbench.cli.call_text import event_line
    from toolbench.cli.output import note

    note(event_line(entry))


def _tell(document: Mapping[str, Any], *, as_json: bool) -> None:
    """Put the answer on standard output; in words the way to it goes to standard error."""
    from toolbench.cli.call_text import result_lines, way_lines
    from toolbench.cli.output import answer_json, answer_lines, note

    if as_json:
        answer_json(document)
        return
    for one in _calls(document):
        for line in way_lines(one):
            note(line)
        answer_lines(result_lines(one["result"]))


def _calls(document: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the calls of an answer: a batch has several."""
    results: Sequence[Mapping[str, Any]] = document.get("results", [document])
    return results


def call_exit_code(document: Mapping[str, Any]) -> int:
    """Return 0 when all went well, 1 for any error that is no block, else 3."""
    failed = [one for one in _calls(document) if one["result"]["is_error"]]
    if not failed:
        return exit_codes.OK
    return exit_codes.BLOCKED if all(one["verdict"] == "blocked" for one in failed) else exit_codes.PROBLEMS
