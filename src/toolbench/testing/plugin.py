"""The pytest plugin: fixtures for tests of sessions, tools and hooks.

    def test_guard(toolbench_session):
        bench = toolbench_session("my_session", trust=True)
        bench.assert_hidden("deploy", "env-missing")
        report = bench.call("exec", {"command": "rm -rf ."})
        assert report.verdict == "blocked"

    def test_picture(toolbench_snap):
        toolbench_snap("my_session", press=["c"], size=(80, 24))

Clock, ids and durations are fixed, and the environment is cleaned, so that a test gives the same answer everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from toolbench.testing.bench import Bench

SessionFactory: TypeAlias = "Callable[..., Bench]"


@pytest.fixture
def toolbench_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Clean the process environment for one test; return the folder that stands for the home folder."""
    from toolbench.testing.environment import clean_environment

    home = tmp_path_factory.mktemp("home")
    clean_environment(monkeypatch.setenv, monkeypatch.delenv, home)
    return home


@pytest.fixture
def toolbench_session(request: pytest.FixtureRequest, toolbench_environment: Path) -> Iterator[SessionFactory]:
    """Return `open(path, *, trust=False)`, which opens a session for the test and closes it afterwards.

    A relative path is relative to the test's file.
    """
    from toolbench.testing.bench import Bench

    with ExitStack() as stack:

        def open_session(path: str | Path, *, trust: bool = False) -> Bench:
            return stack.enter_context(Bench.open(request.path.parent / path, trust=trust))

        yield open_session


@pytest.fixture
def toolbench_snap(
    request: pytest.FixtureRequest, toolbench_session: SessionFactory, tmp_path: Path
) -> Callable[..., None]:
    """Return `snap(path, *, press=(), size=(120, 40), trust=False)`, which compares a picture of the workbench.

    The accepted pictures lie beside the test; `pytest --snapshot-update` accepts the ones of now. Needs
    pytest-textual-snapshot.
    """
    from toolbench.testing.pictures import compare_picture

    accepted = request.getfixturevalue("snapshot")

    def snap(
        path: str | Path, *, press: Sequence[str] = (), size: tuple[int, int] = (120, 40), trust: bool = False
    ) -> None:
        bench = toolbench_session(path, trust=trust)
        compare_picture(bench.session, accepted, press=press, size=size, folder=tmp_path)

    return snap
