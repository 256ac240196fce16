"""The folders whose code may run, remembered for the user (formats: Trust)."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Final

ENVIRONMENT: Final = "TOOLBENCH_STATE_DIR"
FILE: Final = "trusted.json"


class TrustStore:
    """One small file in the user's state folder; a folder that is trusted covers those below it."""

    def __init__(self, folder: Path | None = None) -> None:
        """Use the file in `folder`; by default in `$TOOLBENCH_STATE_DIR`, else where the system keeps such files."""
        self._folder = folder

    @property
    def path(self) -> Path:
        """The file."""
        if self._folder is not None:
            return self._folder / FILE
        if named := os.environ.get(ENVIRONMENT):
            return Path(named) / FILE
        import platformdirs

        return Path(platformdirs.user_state_dir("toolbench")) / FILE

    @property
    def entries(self) -> tuple[Path, ...]:
        """The trusted folders, sorted; none when the file is missing or damaged."""
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return ()
        folders = data.get("folders") if isinstance(data, dict) else None
        return tuple(sorted(Path(one) for one in folders if isinstance(one, str))) if isinstance(folders, list) else ()

    def is_trusted(self, folder: Path) -> bool:
        """Tell whether `folder` or one above it is trusted."""
        resolved = folder.resolve()
        return any(resolved == one or one in resolved.parents for one in self.entries)

    def trust(self, folder: Path) -> None:
        """Remember a folder.

        Raises:
            OSError: the file cannot be written.
        """
        self._write({*self.entries, folder.resolve()})

    def untrust(self, folder: Path) -> bool:
        """Forget a folder; tell whether it was remembered.

        Raises:
            OSError: the file cannot be written.
        """
        entries = set(self.entries)
        resolved = folder.resolve()
        if resolved not in entries:
            return False
        self._write(entries - {resolved})
        return True

    def _write(self, folders: set[Path]) -> None:
        """Write the file whole, by rename."""
        path = self.path
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".trusted-")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({"folders": sorted(str(one) for one in folders)}, file, indent=1)
        Path(temporary).replace(path)
