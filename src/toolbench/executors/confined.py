"""Files within one folder, and nothing outside: against `..`, links, and races between looking and opening.

Every path is walked part by part from an open folder, each opened relative to the one before without following links.
A link is followed by walking its target the same way, so one that stays inside works and one that leads out does not.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from toolbench.executors.errors import ToolError

MAX_LINKS: Final = 20
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Outside(ToolError):
    """A path leads out of the workspace."""


def parts_of(path: str, root: str) -> list[str]:
    """Return a path's parts below the workspace; an absolute one must lie in it.

    Raises:
        Outside: it does not.
        ToolError: it is no path.
    """
    if "\0" in path:
        raise ToolError("a path cannot hold a null character")
    if path.startswith("~"):
        raise Outside(f"{path} is outside the workspace")
    if os.path.isabs(path):
        # Only the spelling is looked at here; the walk decides.
        relative = os.path.relpath(os.path.normpath(path), root)
        if relative == ".." or relative.startswith("../"):
            raise Outside(f"{path} is outside the workspace")
        path = relative
    return [part for part in path.split("/") if part not in ("", ".")]


@contextmanager
def opened_parent(root: str, path: str) -> Iterator[tuple[int, str]]:
    """Yield an open folder and the last part of `path` in it; that part is no link, and may not exist.

    Raises:
        Outside: the path leads out of the workspace.
        ToolError: a folder on the way is none.
    """
    stack: list[tuple[int, str]] = []
    try:
        try:
            stack.append((os.open(os.path.realpath(root), _FOLDER), ""))
        except OSError as error:
            raise ToolError(f"the workspace cannot be opened: {error.strerror}") from None
        waiting = parts_of(path, os.path.realpath(root))
        links = 0
        while waiting:
            part = waiting.pop(0)
            if part == "..":
                if len(stack) == 1:
                    raise Outside(f"{path} is outside the workspace")
                os.close(stack.pop()[0])
                continue
            target = _link(stack[-1][0], part)
            if target is not None:
                links += 1
                if links > MAX_LINKS:
                    raise ToolError(f"{path} goes through too many links")
                if os.path.isabs(target):
                    while len(stack) > 1:
                        os.close(stack.pop()[0])
                    waiting = parts_of(target, os.path.realpath(root)) + waiting
                else:
                    waiting = [one for one in target.split("/") if one not in ("", ".")] + waiting
                continue
            if not waiting:
                yield stack[-1][0], part
                return
            stack.append((_enter(stack[-1][0], part, path), part))
        yield stack[-1][0], "."
    finally:
        for descriptor, _ in stack:
            os.close(descriptor)


def _link(folder: int, part: str) -> str | None:
    """Return where a link points, None for what is no link."""
    try:
        return os.readlink(part, dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.ENOENT, errno.ENOTDIR):
            return None
        raise ToolError(f"{part}: {error.strerror}") from None


def _enter(folder: int, part: str, path: str) -> int:
    """Open the next folder on the way; a link that appeared since is refused."""
    try:
        return os.open(part, _FOLDER, dir_fd=folder)
    except OSError as error:
        raise ToolError(f"{path}: {part}: {error.strerror}") from None


@contextmanager
def opened_file(root: str, path: str) -> Iterator[int]:
    """Yield a regular file, open for reading; pipes and devices are refused without waiting for them.

    Raises:
        ToolError: it is not there, no file, or outside.
    """
    with opened_parent(root, path) as (folder, name):
        try:
            descriptor = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
        except OSError as error:
            raise ToolError(f"{path}: {error.strerror}") from None
        try:
            mode = os.fstat(descriptor).st_mode
            if stat.S_ISDIR(mode):
                raise ToolError(f"{path} is a folder")
            if not stat.S_ISREG(mode):
                raise ToolError(f"{path} is no regular file")
            yield descriptor
        finally:
            os.close(descriptor)


@contextmanager
def opened_folder(root: str, path: str) -> Iterator[int]:
    """Yield a folder, open.

    Raises:
        ToolError: it is not there, no folder, or outside.
    """
    with opened_parent(root, path) as (folder, name):
        descriptor = _enter(folder, name, path)
        try:
            yield descriptor
        finally:
            os.close(descriptor)


def read_bytes(root: str, path: str, limit: int) -> bytes:
    """Return a file's bytes.

    Raises:
        ToolError: it cannot be read, or has more than `limit` bytes.
    """
    with opened_file(root, path) as descriptor:
        size = os.fstat(descriptor).st_size
        if size > limit:
            raise ToolError(f"{path} has {size} bytes; the limit is {limit}")
        with os.fdopen(os.dup(descriptor), "rb") as file:
            return file.read(limit)


def write_bytes(root: str, path: str, data: bytes) -> bool:
    """Write a file whole, by rename; make the folders on the way. Tell whether it is new.

    Raises:
        ToolError: it cannot be written, or is outside.
    """
    _make_folders(root, path)
    with opened_parent(root, path) as (folder, name):
        if name in (".", ""):
            raise ToolError(f"{path or '.'} is a folder")
        mode = _mode(folder, name, path)
        temporary = f".toolbench-{secrets.token_hex(8)}"
        try:
            descriptor = os.open(
                temporary,
                os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW,
                0o666 if mode is None else mode,
                dir_fd=folder,
            )
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                os.unlink(temporary, dir_fd=folder)
                raise
        except OSError as error:
            raise ToolError(f"{path}: {error.strerror}") from None
        return mode is None


def _mode(folder: int, name: str, path: str) -> int | None:
    """Return the permissions of the file that will be replaced, None when there is none."""
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise ToolError(f"{path} is no regular file")
    return stat.S_IMODE(status.st_mode)


def _make_folders(root: str, path: str) -> None:
    """Make the folders above a path that are missing, each from the one above it."""
    parts = parts_of(path, os.path.realpath(root))
    for depth in range(1, len(parts)):
        with opened_parent(root, "/".join(parts[:depth])) as (folder, name):
            if name == ".":
                continue
            try:
                os.mkdir(name, dir_fd=folder)
            except FileExistsError:
                continue
            except OSError as error:
                raise ToolError(f"{path}: {error.strerror}") from None


def walk(root: str, path: str) -> Iterator[tuple[str, bool]]:
    """Yield every file and folder below `path`: its path relative to it, and whether it is a folder.

    Links are named, not followed.

    Raises:
        ToolError: `path` is no folder within the workspace.
    """
    with opened_folder(root, path) as descriptor:
        for folder, folders, files, _ in os.fwalk(".", dir_fd=descriptor, follow_symlinks=False):
            folders[:] = sorted(one for one in folders if one not in (".git", "__pycache__"))
            base = Path(folder)
            for name in sorted([*folders, *files]):
                yield (base / name).as_posix(), name in folders
