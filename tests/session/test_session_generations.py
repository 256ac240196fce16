"""How a session goes from one generation to the next (R-GEN), and what its activation becomes (R-REG 6, 7)."""

from __future__ import annotations

import asyncio
import json

import pytest

from toolbench.session.session import KEPT_GENERATIONS
from toolbench.tools.events import GenerationBuilt, Notice, RefreshChangedNothing, SourceChanged
from toolbench.tools.lock import ReentrantCall

SESSION = """
    toolbench: 1
    builtin: false
    extensions:
      - id: x
        tools: tools.yaml
"""
ONE = "tools: [{name: one, run: {reply: '1'}}]\n"
TWO = "tools: [{name: one, run: {reply: '1'}}, {name: two, run: {reply: '2'}}]\n"
BROKEN = "tools: [{name: one\n"


def told(session, kind):
    return [entry.event for entry in session.events.entries if isinstance(entry.event, kind)]


def visible(session):
    return list(session.generation.callable_claims)


# R-GEN-01
async def test_a_refresh_makes_the_next_generation_with_its_cause_and_difference(project):
    session = project.open(SESSION, tools_yaml=ONE)
    first = session.generation
    project.write("tools.yaml", TWO)
    await session.refresh("tools.yaml", frozenset({project.folder / "tools.yaml"}))
    second = session.generation
    assert (first.number, second.number) == (1, 2)
    assert (second.cause, second.files) == ("tools.yaml", ("tools.yaml",))
    assert second.at >= first.at
    assert second.diff.added == ("two",)
    assert second.hash != first.hash
    assert told(session, GenerationBuilt)[-1][:4] == (2, "tools.yaml", ("two",), ())
    project.write("tools.yaml", "tools: [{name: two, run: {reply: 'other'}}]\n")
    await session.refresh()
    third = session.generation
    assert third.diff.removed == ("one",)
    assert "two" in str(third.diff.changed)


async def test_a_tool_that_moves_between_buckets_is_told_with_the_reason(project):
    session = project.open(SESSION, tools_yaml="tools: [{name: one, run: {reply: '1'}, availability: {env: TOKEN}}]\n")
    assert visible(session) == []
    session.set("env.TOKEN", "x")
    assert visible(session) == ["one"]
    session.unset("env.TOKEN")
    diff = session.generation.diff
    assert diff.changed == ("one",)
    assert diff.moved == (("one", "visible", "hidden"),)
    assert diff.reasons["one"] == "visible → hidden: env TOKEN"


# R-GEN-02
async def test_equal_content_makes_no_generation(project):
    session = project.open(SESSION, tools_yaml=ONE)
    project.write("tools.yaml", ONE + "# a comment\n")
    before = session.generation
    await session.refresh("tools.yaml", frozenset({project.folder / "tools.yaml"}))
    assert session.generation is before
    assert told(session, RefreshChangedNothing)[-1].cause == "tools.yaml"
    session.set("env.NOBODY_ASKS", "1")
    assert session.generation is before


# R-GEN-03
async def test_a_file_that_no_longer_parses_keeps_its_last_good_tools_and_takes_no_other_with_it(project):
    session = project.open(
        """
        toolbench: 1
        builtin: false
        extensions:
          - {id: good, tools: good.yaml}
          - {id: bad, tools: bad.yaml}
        """,
        good_yaml=ONE,
        bad_yaml="tools: [{name: mine, run: {reply: m}}]\n",
    )
    project.write("bad.yaml", BROKEN)
    await session.refresh()
    good, bad = (next(one for one in session.sources if one.id == name) for name in ("good", "bad"))
    assert (good.state, bad.state) == ("ok", "stale")
    assert "bad.yaml:" in bad.error
    assert visible(session) == ["one", "mine"]
    assert session.generation.registry.tools["mine"].stale
    assert not session.generation.registry.tools["one"].stale
    assert told(session, SourceChanged)[-1].state == "stale"
    project.write("bad.yaml", "tools: [{name: mine, run: {reply: m}}]\n")
    await session.refresh()
    assert not session.generation.registry.tools["mine"].stale


async def test_a_file_that_never_parsed_leaves_its_source_in_error(project):
    session = project.open(SESSION, tools_yaml=BROKEN)
    (source,) = (one for one in session.sources if one.id == "x")
    assert (source.state, source.tools) == ("error", 0)
    assert visible(session) == []


async def test_a_session_file_that_no_longer_loads_keeps_the_last_good_one(project):
    session = project.open(SESSION, tools_yaml=ONE)
    project.write("session.yaml", "toolbench: 1\nextensions: [\n")
    await session.refresh()
    assert visible(session) == ["one"]
    assert session.sources[0].id == "session"
    assert session.sources[0].state == "stale"


@pytest.mark.parametrize(
    ("extension", "says"),
    [
        ("{id: s, mcp: {command: [server]}}", "mcp"),
        ("{id: s, channel: {id: chat}}", "channel"),
        ("{id: s, tools: [agent.py:toolset, tools.yaml]}", "agent.py:toolset"),
    ],
)
async def test_a_source_of_a_kind_that_is_not_there_yet_is_in_error(project, extension, says):
    session = project.open(f"toolbench: 1\nextensions:\n  - {extension}\n", tools_yaml=ONE)
    (source,) = (one for one in session.sources if one.id == "s")
    assert source.state == "error"
    assert says in source.error
    assert any(problem.code == "source-not-supported" and problem.line == 3 for problem in session.problems)


# R-GEN-05
async def test_generations_are_kept_up_to_a_number(project):
    session = project.open(SESSION, tools_yaml="tools: [{name: one, run: {reply: '1'}, availability: {env: A}}]\n")
    for number in range(KEPT_GENERATIONS):
        session.set("env.A", "x" if number % 2 == 0 else "")
    numbers = [generation.number for generation in session.generations]
    assert numbers == list(range(2, KEPT_GENERATIONS + 2))
    assert session.generations[-1] is session.generation


# R-GEN-04
async def test_under_strict_plan_the_last_good_generation_stays(project):
    session = project.open(SESSION + "    settings: {strict_plan: true}\n", tools_yaml=ONE)
    project.write("tools.yaml", "tools: [{name: one, run: {reply: a}}, {name: one, run: {reply: b}}]\n")
    await session.refresh()
    assert (session.generation.number, session.generation.stale) == (1, True)
    assert session.generation.error.code == "duplicate-tool-name"
    assert visible(session) == ["one"]
    assert told(session, Notice)[-1].code == "duplicate-tool-name"
    project.write("tools.yaml", TWO)
    await session.refresh()
    assert (session.generation.number, session.generation.stale, session.generation.error) == (2, False, None)


# What is active: R-REG-06 R-REG-07

CUSTOM = """
    toolbench: 1
    system_prompt: Exactly this.
    builtin: false
    custom:
      - {name: custom_lookup, prompt_snippet: looks up, run: {reply: x}}
"""


async def test_what_is_active_at_the_start(project):
    assert list(project.open(CUSTOM).generation.activation.order) == ["custom_lookup"]  # OC-S1


async def test_the_built_in_tools_that_are_active_unless_said_otherwise(project):
    # OC-S28, in the order of the registry
    session = project.open("toolbench: 1\nbuiltin: {workspace: .}\n")
    assert set(session.generation.activation.order) == {"read", "exec", "edit", "write"}


async def test_setting_the_active_tools_drops_unknown_names_and_tells_it(project):
    session = project.open(CUSTOM)
    session.set_active(["bash", "custom_lookup"])  # OC-S2
    assert session.generation.activation.order == ("custom_lookup",)
    assert told(session, Notice)[-1].message == "not registered, so passed over: bash"


async def test_setting_the_active_tools_keeps_their_order_once_each_and_may_empty_the_set(project):
    # OC-S26 keeps duplicates; OC-S27 and R-REG-07 do not
    session = project.open(SESSION, tools_yaml=TWO)
    session.set_active(["two", "one", "two"])
    assert visible(session) == ["two", "one"]
    session.set_active([])
    assert visible(session) == []


async def test_the_base_prompt_is_kept_and_the_tools_lines_follow_the_active_ones(project):
    session = project.open(CUSTOM)
    assert session.generation.prompt == "Exactly this.\n\nTools:\n- custom_lookup: looks up"
    session.set_active([])
    assert session.generation.prompt == "Exactly this."  # OC-S3


async def test_what_a_person_switched_off_stays_off_when_its_file_goes_and_comes_back(project):
    # OC-S25 differs: there a reload brings it back
    session = project.open(SESSION, tools_yaml=TWO)
    session.toggle(["two"])
    project.write("tools.yaml", ONE)
    await session.refresh()
    project.write("tools.yaml", TWO)
    await session.refresh()
    assert visible(session) == ["one"]


async def test_flags_of_other_hosts_survive(project):
    # OC-S4
    tool = {"name": "one", "inputSchema": {"type": "object"}, "_meta": {"hideFromChannelProgress": True}}
    session = project.open(SESSION.replace("tools.yaml", "tools.json"), tools_json=json.dumps({"tools": [tool]}))
    assert session.generation.model_tools("mcp")[0]["_meta"] == {"hideFromChannelProgress": True}


# Events: OC-S7 OC-S9


async def test_a_listener_hears_from_when_it_came_and_a_broken_one_keeps_nobody_from_hearing(project):
    session = project.open(CUSTOM)

    def broken(_entry):
        raise ValueError("listener")

    heard = []
    session.events.emit(Notice("info", "before", "nobody hears this"))
    session.events.subscribe(broken)
    undo = session.events.subscribe(lambda entry: heard.append(entry.event.code))
    session.events.emit(Notice("info", "during", "all hear this"))
    undo()
    session.events.emit(Notice("info", "after", "nobody hears this either"))
    assert heard == ["during"]
    assert [str(error) for error in session.events.listener_errors] == ["listener"] * 2


# Refreshing while something runs: R-HOOK-06 R-DISP-14


async def test_a_refresh_from_within_a_hook_is_refused_at_once(project):
    session = project.open(
        """
        toolbench: 1
        hooks: [{on: before_tool_call, tools: [one], block: "no"}]
        custom: [{name: one, run: {reply: x}}]
        """
    )
    from toolbench.tools.lock import HOOK_CONTEXT, HookPlace

    token = HOOK_CONTEXT.set(HookPlace("a hook"))
    try:
        with pytest.raises(ReentrantCall):
            await session.refresh()
        with pytest.raises(ReentrantCall):
            session.toggle(["one"])
    finally:
        HOOK_CONTEXT.reset(token)


async def test_refreshes_side_by_side_end_with_what_the_files_hold(project):
    session = project.open(SESSION, tools_yaml=ONE)
    project.write("tools.yaml", TWO)
    await asyncio.gather(*(session.refresh(f"r{number}") for number in range(5)))
    assert visible(session) == ["one", "two"]
    assert session.generation.number == 2
