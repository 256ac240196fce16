"""Tells which files changed, settled and grouped (formats: watched).

A file is written in pieces, and a piece may be valid: a tool whose condition is not there yet. So a change is told only
when the files have stood still for a while.
"""

from __future__ import annotations

import asyncio
import os
import stat
import time
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Final, TypeAlias

from toolbench.files.expand import IGNORED

DEBOUNCE_MS: Final = 50
STEP_MS: Final = 10
POLL_SECONDS: Final = 0.5
SETTLE_SECONDS: Final = 0.15
"""How long files must stand still; half-written ones are mostly whole after a tenth of a second."""
SETTLE_AT_MOST: Final = 3.0
"""Seconds after which a file that never stands still, a log perhaps, is told all the same."""

CLOCK_STEP_NS: Final = 20_000_000
"""By how much the time stamps of files may lag behind the clock."""

Stamps: TypeAlias = dict[str, tuple[int, int, int]]


class Watcher:
    """An async iterator of sets of changed paths. Folders are watched, never single files: saves often rename."""

    def __init__(self, folders: Iterable[Path], *, known: Stamps | None = None, since: int | None = None) -> None:
        """Watch what happens directly in these folders.

        Args:
            folders: those that are not there are left out.
            known: the stamps of an earlier watch, so that nothing falls between the two.
            since: nanoseconds since the epoch; files that changed later count as changed at once.
        """
        self._folders = tuple(sorted({folder for folder in folders if folder.is_dir()}))
        self._since = since
        self.stamps: Stamps | None = known
        """What was seen last."""

    async def __aiter__(self) -> AsyncIterator[frozenset[Path]]:
        """Yield each group of changes, until the iteration is cancelled.

        Notifications only wake it up; what changed is found by looking, so that a lost or wrong notification costs at
        most the poll interval.
        """
        wake = asyncio.Event()
        notifier = asyncio.create_task(_notify(self._folders, wake))
        try:
            before = self.stamps
            if before is None:
                before = self.stamps = self._older(await asyncio.to_thread(scan, self._folders))
            while True:
                after = await asyncio.to_thread(scan, self._folders)
                if after != before:
                    after = await self._settled(after)
                    changed = differences(before, after)
                    before = self.stamps = after
                    if changed:
                        yield changed
                try:
                    async with asyncio.timeout(POLL_SECONDS):
                        await wake.wait()
                except TimeoutError:
                    pass
                wake.clear()
        finally:
            notifier.cancel()
            await asyncio.wait([notifier])

    def _older(self, stamps: Stamps) -> Stamps:
        """Leave out what changed since; it is then found to be new."""
        since = self._since
        if since is None:
            return stamps
        return {path: stamp for path, stamp in stamps.items() if stamp[0] < since - CLOCK_STEP_NS}

    async def _settled(self, stamps: Stamps) -> Stamps:
        """Return the stamps when they have stood still, or have not for so long that waiting makes no sense."""
        began = time.monotonic()
        while time.monotonic() - began < SETTLE_AT_MOST:
            await asyncio.sleep(SETTLE_SECONDS)
            now = await asyncio.to_thread(scan, self._folders)
            if now == stamps:
                break
            stamps = now
        return stamps


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
    """Return time of change, size and inode of every file directly in the folders; a folder that is gone has none.

    A folder in them counts by its being there: files may appear in it that a pattern names.
    """
    found: Stamps = {}
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.name in IGNORED:
                        continue
                    try:
                        status = entry.stat()
                    except OSError:
                        continue
                    if stat.S_ISREG(status.st_mode):
                        # The later of the two: a file moved here keeps the time of its content.
                        changed = max(status.st_mtime_ns, status.st_ctime_ns)
                        found[entry.path] = (changed, status.st_size, status.st_ino)
                    elif stat.S_ISDIR(status.st_mode):
                        found[entry.path] = (0, 0, status.st_ino)
        except OSError:
            continue
    return found


def differences(before: Stamps, after: Stamps) -> frozenset[Path]:
    """Return the paths that are new, gone or different."""
    return frozenset(Path(path) for path in before.keys() | after.keys() if before.get(path) != after.get(path))
