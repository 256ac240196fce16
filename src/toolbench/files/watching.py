"""Tells which files changed, settled and grouped (formats: watched)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Final

DEBOUNCE_MS: Final = 50
STEP_MS: Final = 10
POLL_SECONDS: Final = 0.5
_IGNORED: Final = (".git", "__pycache__", "node_modules", ".venv")

Stamps = dict[str, tuple[int, int, int]]


class Watcher:
    """An async iterator of sets of changed paths. Folders are watched, never single files: saves often rename."""

    def __init__(self, folders: Iterable[Path]) -> None:
        """Watch what happens directly in these folders."""
        self._folders = tuple(sorted({folder for folder in folders if folder.is_dir()}))

    async def __aiter__(self) -> AsyncIterator[frozenset[Path]]:
        """Yield each group of changes, until the iteration is cancelled.

        Notifications only wake it up; what changed is found by looking, so that a lost or wrong notification costs at
        most the poll interval.
        """
        before = await asyncio.to_thread(scan, self._folders)
        wake = asyncio.Event()
        notifier = asyncio.create_task(_notify(self._folders, wake))
        try:
            while True:
                try:
                    async with asyncio.timeout(POLL_SECONDS):
                        await wake.wait()
                except TimeoutError:
                    pass
                wake.clear()
                after = await asyncio.to_thread(scan, self._folders)
                if changed := differences(before, after):
                    before = after
                    yield changed
        finally:
            notifier.cancel()
            await asyncio.wait([notifier])


async def _notify(folders: tuple[Path, ...], wake: asyncio.Event) -> None:
    """Set `wake` when the system tells of a change; where it tells nothing, the poll alone remains."""
    import watchfiles

    stop = asyncio.Event()
    try:
        async for _ in watchfiles.awatch(
            *folders,
            watch_filter=None,
            debounce=DEBOUNCE_MS,
            step=STEP_MS,
            stop_event=stop,
            recursive=False,
            rust_timeout=500,
        ):
            wake.set()
    except (OSError, RuntimeError):
        return
    finally:
        stop.set()


def scan(folders: Iterable[Path]) -> Stamps:
    """Return time stamp, size and inode of every file directly in the folders; a folder that is gone has none."""
    found: Stamps = {}
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.name in _IGNORED:
                        continue
                    try:
                        status = entry.stat()
                    except OSError:
                        continue
                    if entry.is_file():
                        found[entry.path] = (status.st_mtime_ns, status.st_size, status.st_ino)
        except OSError:
            continue
    return found


def differences(before: Stamps, after: Stamps) -> frozenset[Path]:
    """Return the paths that are new, gone or different."""
    return frozenset(Path(path) for path in before.keys() | after.keys() if before.get(path) != after.get(path))
