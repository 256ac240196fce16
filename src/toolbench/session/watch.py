"""Follows the session's files and rebuilds when one changes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from toolbench.files.expand import watched_folders
from toolbench.files.run import PythonRun
from toolbench.files.watching import Stamps, Watcher
from toolbench.session.loading import Loaded
from toolbench.tools.events import Notice, WatchChanged

if TYPE_CHECKING:
    from toolbench.session.session import Session


class Watch:
    """One task that waits for changes and refreshes; it ends with `stop`."""

    def __init__(self, session: Session) -> None:
        """Create the watch of a session; nothing runs yet."""
        self._session = session
        self._task: asyncio.Task[None] | None = None

    @property
    def running(self) -> bool:
        """Whether changes are followed."""
        return self._task is not None and not self._task.done()

    def start(self) -> None:
        """Begin; must be called with an event loop running."""
        self._task = asyncio.create_task(self._follow(), name="toolbench-watch")

    async def stop(self) -> None:
        """End, and wait until it has ended."""
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.wait([self._task])
        self._task = None

    async def _follow(self) -> None:
        """Watch, refresh, and begin anew when the set of folders changed."""
        session = self._session
        known: Stamps | None = None
        try:
            while True:
                folders = folders_of(session.loaded)
                watcher = Watcher(folders, known=known, since=session.loaded.began)
                session.events.emit(WatchChanged(True, f"watching {len(folders)} folders"))
                async for changed in watcher:
                    cause = ", ".join(sorted(path.name for path in changed)[:3])
                    await session.refresh(cause, changed)
                    if folders_of(session.loaded) != folders:
                        break
                known = watcher.stamps
        except OSError as error:
            session.events.emit(WatchChanged(False, f"watching ended: {error}"))
            session.events.emit(Notice("error", "watch-failed", f"files are no longer watched: {error}"))


def folders_of(loaded: Loaded) -> frozenset[Path]:
    """Return the folders in which a change could matter."""
    file = loaded.file
    folders = {file.folder}
    for extension in file.extensions:
        if extension.enabled:
            folders |= watched_folders(extension.tools, file.folder)
    folders |= {Path(claim.binding.file).parent for claim in loaded.claims if isinstance(claim.binding, PythonRun)}
    specs = [spec for one in file.extensions if one.enabled for spec in one.hooks] + list(file.hooks)
    folders |= {spec.file.parent for spec in specs if spec.file is not None}
    return frozenset(folder for folder in folders if folder.is_dir())
