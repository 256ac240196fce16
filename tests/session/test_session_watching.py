"""Files that change while the session is open: settled, found again, and never half (HAND-35 to HAND-37)."""

from __future__ import annotations

import asyncio
import os
import shutil

import pytest

from toolbench.tools.events import GenerationBuilt, SourceChanged, WatchChanged

SESSION = """
    toolbench: 1
    builtin: false
    extensions:
      - {id: x, tools: tools.yaml}
"""
READ = "tools:\n  - {name: look, run: {reply: r}}\n"
HALF = READ + "  - name: delete_all\n    run: {reply: gone}\n"
WHOLE = HALF + "    availability: {env: ADMIN_KEY}\n"


def visible(session):
    return list(session.generation.callable_claims)


@pytest.fixture
async def watched(project, heard):
    """Open a session and wait until it is watched."""

    async def start(*arguments, **files):
        session = project.open(*arguments, **files)
        watching = asyncio.ensure_future(heard(session, WatchChanged))
        await asyncio.sleep(0)
        await session.start()
        await watching
        return session

    return start


async def test_a_half_written_file_is_never_believed(project, watched, heard):
    # HAND-35: at no moment is delete_all visible without its condition
    session = await watched(SESSION, tools_yaml=READ)
    seen = []
    session.events.subscribe(lambda entry: seen.append(visible(session)))
    built = asyncio.ensure_future(heard(session, GenerationBuilt))
    await asyncio.sleep(0)
    path = project.folder / "tools.yaml"
    writes = iter((HALF, WHOLE))

    def write():
        with path.open("w", encoding="utf-8") as file:
            file.write(next(writes))

    write()
    asyncio.get_running_loop().call_later(0.1, write)
    await built
    assert "delete_all" in session.generation.registry.tools
    assert all("delete_all" not in names for names in seen)


async def test_a_file_that_is_removed_and_written_again_at_once_keeps_its_tools(project, watched, heard):
    # HAND-36: the disk tells what is there, not the kind of the event
    session = await watched(SESSION, tools_yaml=READ)
    built = asyncio.ensure_future(heard(session, GenerationBuilt))
    await asyncio.sleep(0)
    path = project.folder / "tools.yaml"
    path.unlink()
    path.write_text(READ.replace("reply: r", "reply: s"), encoding="utf-8")
    assert (await built).added == ()
    assert visible(session) == ["look"]


async def test_a_file_that_is_gone_takes_its_tools_along_and_brings_them_back(project, watched, heard):
    session = await watched(SESSION, tools_yaml=READ)
    gone = asyncio.ensure_future(heard(session, SourceChanged, lambda event: event.state == "error"))
    await asyncio.sleep(0)
    (project.folder / "tools.yaml").unlink()
    assert "names no file that is there" in (await gone).error
    assert visible(session) == []
    back = asyncio.ensure_future(heard(session, SourceChanged, lambda event: event.state == "ok"))
    await asyncio.sleep(0)
    project.write("tools.yaml", READ + "  - {name: more, run: {reply: m}}\n")
    await back
    assert visible(session) == ["look", "more"]


async def test_the_folder_behind_a_link_is_swapped(project, watched, heard):
    # HAND-37, as a config map does it
    project.write("defs/v1/tools.yaml", READ)
    project.write("defs/v2/tools.yaml", READ.replace("name: look", "name: look2"))
    defs = project.folder / "defs"
    (defs / "..data").symlink_to("v1")
    (defs / "tools.yaml").symlink_to("..data/tools.yaml")
    session = await watched(SESSION.replace("tools: tools.yaml", "tools: defs/tools.yaml"))
    assert visible(session) == ["look"]
    built = asyncio.ensure_future(heard(session, GenerationBuilt))
    await asyncio.sleep(0)
    (defs / "..new").symlink_to("v2")
    os.replace(defs / "..new", defs / "..data")
    shutil.rmtree(defs / "v1")
    await built
    assert visible(session) == ["look2"]


async def test_a_new_folder_that_a_pattern_reaches_is_found_with_what_appears_in_it(project, watched, heard):
    project.write("defs/a/tools.yaml", READ)
    session = await watched(SESSION.replace("tools: tools.yaml", "tools: 'defs/**/*.yaml'"))
    built = asyncio.ensure_future(heard(session, GenerationBuilt))
    await asyncio.sleep(0)
    project.write("defs/b/c/more.yaml", READ.replace("name: look", "name: more"))
    assert (await built).added == ("more",)


async def test_what_changed_between_reading_and_watching_is_not_missed(project, heard):
    session = project.open(SESSION, tools_yaml=READ)
    project.write("tools.yaml", WHOLE)
    built = asyncio.ensure_future(heard(session, GenerationBuilt))
    await asyncio.sleep(0)
    await session.start()
    assert (await built).added == ("delete_all",)


async def test_many_changes_at_once_make_one_generation(project, watched, heard):
    session = await watched(SESSION.replace("tools: tools.yaml", "tools: defs"), tools_yaml=READ)
    (project.folder / "defs").mkdir(exist_ok=True)
    built = asyncio.ensure_future(heard(session, GenerationBuilt, lambda event: event.added))
    await asyncio.sleep(0)
    for number in range(20):
        project.write(f"defs/t{number}.yaml", READ.replace("name: look", f"name: t{number}"))
    assert len((await built).added) == 20


async def test_closing_ends_the_watch(project, watched):
    session = await watched(SESSION, tools_yaml=READ)
    assert session.watching
    await session.aclose()
    assert not session.watching
