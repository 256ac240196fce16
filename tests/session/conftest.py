"""A folder with a session in it, written by the test."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from toolbench import Session


class Project:
    """A folder of session, definition and hook files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.opened: list[Session] = []

    def write(self, name: str, text: str) -> Path:
        """Write a file as a careful editor does: whole, by a rename."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(path.name + ".new")
        fresh.write_text(dedent(text), encoding="utf-8")
        os.replace(fresh, path)
        return path

    def open(self, session: str = "toolbench: 1\n", *, trust: bool = False, **files: str) -> Session:
        """Write `session.yaml` and other files (`tools_yaml` is `tools.yaml`), and open the session."""
        self.write("session.yaml", session)
        for name, text in files.items():
            stem, _, suffix = name.rpartition("_")
            self.write(f"{stem}.{suffix}", text)
        opened = Session.open(self.folder, trust=trust)
        self.opened.append(opened)
        return opened


@pytest.fixture
async def project(tmp_path: Path) -> Any:
    """Return a `Project`; its sessions are closed afterwards."""
    made = Project(tmp_path)
    yield made
    for session in made.opened:
        await session.aclose()


@pytest.fixture
def heard() -> Callable[..., Any]:
    """Return `heard(session, kind, holds)`, which waits for an event that holds."""

    async def wait(session: Session, kind: type, holds: Callable[[Any], bool] = lambda event: True) -> Any:
        loop = asyncio.get_running_loop()
        found: asyncio.Future[Any] = loop.create_future()

        def listen(entry: Any) -> None:
            if isinstance(entry.event, kind) and holds(entry.event):
                loop.call_soon_threadsafe(lambda: found.done() or found.set_result(entry.event))

        undo = session.events.subscribe(listen)
        try:
            async with asyncio.timeout(20):
                return await found
        finally:
            undo()

    return wait
