"""`toolbench snapshot`: a picture of the workbench, the same every time."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from toolbench.cli import exit_codes
from toolbench.cli.options import example, session_argument, trust_option

if TYPE_CHECKING:
    _ParamType: TypeAlias = click.ParamType[tuple[int, int]]
else:  # Older versions of click have no generic type.
    _ParamType = click.ParamType


class Size(_ParamType):
    """A terminal's size, `120x40`."""

    name = "COLUMNSxROWS"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Read a size; at least 20x5, at most 500x200."""
        match = re.fullmatch(r"(\d{1,4})x(\d{1,4})", str(value))
        if match is None:
            self.fail(f"{value!r} is no size: write columns, x, rows, such as 120x40", param, ctx)
        columns, rows = int(match[1]), int(match[2])
        if not (20 <= columns <= 500 and 5 <= rows <= 200):
            self.fail(f"{value!r} is out of bounds: from 20x5 to 500x200", param, ctx)
        return columns, rows


@click.command(
    "snapshot",
    epilog=example(
        "toolbench snapshot sample_sessions/quickstart -o quickstart.svg",
        "toolbench snapshot sample_sessions/quickstart -o context.svg --press c --size 100x30",
    ),
)
@session_argument
@click.option("-o", "--output", required=True, metavar="FILE.svg", type=click.Path(dir_okay=False), help="The picture.")
@click.option("--press", "presses", multiple=True, metavar="KEYS", help="Keys to press first, split at spaces.")
@click.option("--size", type=Size(), default="120x40", show_default=True, help="Of the terminal.")
@trust_option
def command(session: str, output: str, presses: tuple[str, ...], size: tuple[int, int], trust: bool) -> int:
    """Take a picture of the workbench on SESSION after some keys were pressed.

    Clock, ids and durations are fixed, so that the same session and keys give the same picture.
    """
    from toolbench.cli.failures import CommandFailure
    from toolbench.cli.output import note
    from toolbench.cli.sessions import open_session
    from toolbench.session.clocks import noon, still
    from toolbench.text import safe
    from toolbench.ui.picture import take_picture

    opened = open_session(session, trust=trust or None, clock=still, wall=noon)
    keys = tuple(key for press in presses for key in press.split())
    picture = take_picture(opened, press=keys, size=size)
    try:
        Path(output).write_text(picture, encoding="utf-8", newline="\n")
    except OSError as error:
        raise CommandFailure("cannot-write", f"{output}: {error.strerror}") from error
    note(f"wrote {safe(output)}")
    return exit_codes.OK
