"""Makes the pictures of README and of the documentation from the sample sessions: `python screenshots/make.py`.

They are drawn as `toolbench snapshot` draws them, so the same code gives the same pictures. A test holds that the
pictures in the repository are current.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from toolbench.session.clocks import noon, still
from toolbench.session.session import Session
from toolbench.ui.picture import take_picture

HERE = Path(__file__).parent
SAMPLES = HERE.parent / "sample_sessions"


class Shot(NamedTuple):
    """One picture: of which sample, after which keys."""

    name: str
    sample: str
    press: tuple[str, ...] = ()
    size: tuple[int, int] = (120, 40)


SHOTS = (Shot("quickstart", "quickstart"),)


def draw(shot: Shot) -> str:
    """Return the picture as SVG."""
    session = Session.open(SAMPLES / shot.sample, trust=False, clock=still, wall=noon)
    return take_picture(session, press=shot.press, size=shot.size)


def main(folder: Path = HERE) -> None:
    """Write all pictures."""
    for shot in SHOTS:
        file = folder / f"{shot.name}.svg"
        file.write_text(draw(shot), encoding="utf-8", newline="\n")
        print(file.name)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
