"""The built-in tools, and that nothing of them leaves the workspace: not by `..`, not by a link, not by a race."""

from __future__ import annotations

import contextlib
import os
import shutil
import threading

import pytest

from toolbench.executors.builtin import builtin_executor
from toolbench.executors.errors import ToolError
from toolbench.running.code import CodeRunner
from toolbench.tools.executor import ToolContext


@pytest.fixture
def workspace(tmp_path):
    """A folder to work in, and a secret beside it."""
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    root = tmp_path / "workspace"
    (root / "src" / "deep").mkdir(parents=True)
    (root / "a.txt").write_text("one\ntwo\nthree\n", encoding="utf-8")
    (root / "src" / "b.py").write_text("import os\nTOKEN = 1\n", encoding="utf-8")
    (root / "src" / "deep" / "c.py").write_text("token\n", encoding="utf-8")
    (root / "binary").write_bytes(b"\xff\x00token")
    return root


@pytest.fixture
def use(workspace):
    """Return `await use(tool, **arguments)`."""
    runner = CodeRunner()

    async def run(name, **arguments):
        return await builtin_executor(name, runner)(arguments, ToolContext("t1", name, str(workspace)))

    return run


@pytest.mark.parametrize(
    ("tool", "arguments", "answer"),
    [
        ("read", {"path": "a.txt"}, "one\ntwo\nthree\n"),
        ("read", {"path": "./src/../a.txt", "offset": 3}, "three\n"),
        ("read", {"path": "a.txt", "limit": 1}, "one\n\n(lines 1 to 1 of 3; read on with offset 2)"),
        ("ls", {}, "a.txt\nbinary\nsrc/"),
        ("ls", {"path": "src"}, "b.py\ndeep/"),
        ("find", {"pattern": "*.py"}, "src/b.py\nsrc/deep/c.py"),
        ("find", {"pattern": "src/*.py"}, "src/b.py"),
        ("find", {"pattern": "**/c.*"}, "src/deep/c.py"),
        ("find", {"pattern": "*.rs"}, "(no file matches *.rs)"),
        ("grep", {"pattern": "token"}, "src/deep/c.py:1:token"),
        ("grep", {"pattern": "token", "ignore_case": True}, "src/b.py:2:TOKEN = 1\nsrc/deep/c.py:1:token"),
        ("grep", {"pattern": "^t", "path": "a.txt"}, "a.txt:2:two\na.txt:3:three"),
        ("grep", {"pattern": "nothing"}, "(nothing matches)"),
        ("exec", {"command": "cat a.txt; echo err >&2"}, "one\ntwo\nthree\nerr"),
    ],
)
async def test_what_the_tools_answer(use, tool, arguments, answer):
    assert await use(tool, **arguments) == answer


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("read", {"path": "none.txt"}, "No such file"),
        ("read", {"path": "src"}, "is a folder"),
        ("read", {"path": "binary"}, "no text in UTF-8"),
        ("read", {"path": "a.txt", "offset": 9}, "beyond its end"),
        ("read", {"path": "a\0b"}, "null character"),
        ("ls", {"path": "a.txt"}, "Not a directory"),
        ("grep", {"pattern": "("}, "no regular expression"),
        ("grep", {"pattern": r"(a|a)*$", "path": "long.txt"}, "takes longer than"),
        ("edit", {"path": "a.txt", "old_text": "o", "new_text": "x"}, "2 times; it must stand in it exactly once"),
        ("edit", {"path": "a.txt", "old_text": "zero", "new_text": "x"}, "0 times"),
        ("write", {"path": "src", "content": ""}, "no regular file"),
        ("write", {"path": "a.txt/b", "content": ""}, "Not a directory"),
        ("exec", {"command": "echo out; exit 3"}, "out\nexit code 3"),
        ("exec", {"command": "kill -9 $$"}, "SIGKILL"),
    ],
)
async def test_what_goes_wrong_is_said(use, workspace, tool, arguments, says):
    (workspace / "long.txt").write_text("a" * 5000 + "!\n", encoding="utf-8")
    with pytest.raises(ToolError) as raised:
        await use(tool, **arguments)
    assert says in str(raised.value)


async def test_writing_and_editing(use, workspace):
    assert await use("write", path="new/folder/x.txt", content="é") == "Created new/folder/x.txt (2 bytes)"
    assert await use("write", path="new/folder/x.txt", content="ab\ncd") == "Replaced new/folder/x.txt (5 bytes)"
    assert (
        await use("edit", path="new/folder/x.txt", old_text="cd", new_text="ef") == "Changed new/folder/x.txt in line 2"
    )
    assert (workspace / "new/folder/x.txt").read_text(encoding="utf-8") == "ab\nef"
    assert os.listdir(workspace / "new/folder") == ["x.txt"]


async def test_a_file_keeps_its_permissions(use, workspace):
    (workspace / "a.txt").chmod(0o750)
    await use("write", path="a.txt", content="x")
    assert (workspace / "a.txt").stat().st_mode & 0o777 == 0o750


# Out of the workspace


def outside_paths(workspace):
    (workspace / "up").symlink_to("..")
    (workspace / "file").symlink_to("../secret.txt")
    (workspace / "absolute").symlink_to(workspace.parent)
    (workspace / "first").symlink_to("second")
    (workspace / "second").symlink_to("up")
    (workspace / "src" / "sub").symlink_to("../../")
    return [
        "../secret.txt",
        "src/../../secret.txt",
        "./../secret.txt",
        str(workspace.parent / "secret.txt"),
        str(workspace / ".." / "secret.txt"),
        "~/secret.txt",
        "up/secret.txt",
        "file",
        "absolute/secret.txt",
        "first/secret.txt",
        "src/sub/secret.txt",
    ]


@pytest.mark.parametrize("number", range(11))
async def test_no_path_leads_out(use, workspace, number):
    path = outside_paths(workspace)[number]
    for tool, arguments in (
        ("read", {}),
        ("edit", {"old_text": "secret", "new_text": "x"}),
        ("write", {"content": "x"}),
        ("grep", {"pattern": "secret"}),
    ):
        with pytest.raises(ToolError, match="outside the workspace"):
            await use(tool, path=path, **arguments)
    for tool, arguments in (("ls", {}), ("find", {"pattern": "*"}), ("grep", {"pattern": "."})):
        with pytest.raises(ToolError, match="outside the workspace"):
            await use(tool, path=path.removesuffix("/secret.txt") if "secret" in path else path, **arguments)
    assert (workspace.parent / "secret.txt").read_text(encoding="utf-8") == "secret"
    assert sorted(os.listdir(workspace.parent)) == ["secret.txt", "workspace"]


async def test_searching_does_not_follow_links_out(use, workspace):
    outside_paths(workspace)
    assert "secret" not in await use("grep", pattern="secret")
    assert "secret.txt" not in await use("find", pattern="*")


async def test_links_inside_work(use, workspace):
    (workspace / "link").symlink_to("src/b.py")
    (workspace / "folder").symlink_to(workspace / "src")
    assert (await use("read", path="link")).startswith("import os")
    assert (await use("read", path="folder/deep/c.py")) == "token\n"
    await use("write", path="link", content="x")
    assert (workspace / "link").is_symlink()
    assert (workspace / "src/b.py").read_text(encoding="utf-8") == "x"


async def test_links_in_a_circle_end(use, workspace):
    (workspace / "x").symlink_to("y")
    (workspace / "y").symlink_to("x")
    with pytest.raises(ToolError, match="too many links"):
        await use("read", path="x")


async def test_a_pipe_is_refused_without_waiting(use, workspace):
    os.mkfifo(workspace / "pipe")
    with pytest.raises(ToolError, match="no regular file"):
        await use("read", path="pipe")
    assert "pipe" not in await use("grep", pattern=".")


async def test_a_folder_that_turns_into_a_link_meanwhile_leads_nowhere(use, workspace):
    """Swap a folder against a link to the outside as fast as can be, while it is written through."""
    outside = workspace.parent / "outside"
    outside.mkdir()
    (workspace / "swap").mkdir()
    going = threading.Event()

    def swap():
        swapped, real = workspace / "swap", workspace / "real"
        while not going.is_set():
            # The tool makes the folder anew where it is quick enough; then a step has nothing to do.
            for step in (
                lambda: os.rename(swapped, real),
                lambda: os.symlink(outside, swapped),
                lambda: os.unlink(swapped),
                lambda: os.rename(real, swapped),
                lambda: shutil.rmtree(real),
            ):
                with contextlib.suppress(OSError):
                    step()

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        for _ in range(300):
            try:
                await use("write", path="swap/f.txt", content="x")
            except ToolError:
                continue
    finally:
        going.set()
        thread.join()
    assert os.listdir(outside) == []


async def test_without_a_workspace_nothing_is_touched():
    with pytest.raises(ToolError, match="no workspace"):
        await builtin_executor("read", CodeRunner())({"path": "/etc/passwd"}, ToolContext("t1"))
