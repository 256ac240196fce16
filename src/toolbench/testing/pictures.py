"""Compares a picture of the workbench with the one that was accepted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from toolbench.session.session import Session


def compare_picture(
    session: Session, accepted: Any, *, press: Sequence[str], size: tuple[int, int], folder: Path
) -> None:
    """Take a picture after some keys and compare it.

    Args:
        session: what to show.
        accepted: the `snapshot` fixture of syrupy, which knows where the accepted pictures lie.
        press: the keys, one after another.
        size: columns and rows.
        folder: where the new picture is put if it differs, to be looked at.

    Raises:
        AssertionError: the picture is another one, or none was accepted yet.
    """
    from pytest_textual_snapshot import SVGImageExtension

    from toolbench.ui.picture import take_picture

    picture = take_picture(session, press=press, size=size)
    if accepted.use_extension(SVGImageExtension) == picture:
        return
    new = folder / "picture.svg"
    new.write_text(picture, encoding="utf-8")
    raise AssertionError(f"the picture is not the accepted one; look at {new}, and accept it with --snapshot-update")
