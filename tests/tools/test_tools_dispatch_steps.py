"""The way of one call: lookup, preparing, validation, execution, result (R-DISP 1 to 5, 10 to 12)."""

from __future__ import annotations

import asyncio
import json

import pytest
from dispatch_rig import after, before, echo, text_of
from hypothesis import given
from hypothesis import strategies as st

from toolbench.tools.blocks import ToolUse
from toolbench.tools.events import (
    CallEnded,
    CallLookedUp,
    CallPrepared,
    CallStarted,
    CallValidated,
    ExecutionEnded,
    ExecutionProgress,
    ExecutionStarted,
    HandlerEnded,
    HandlerStarted,
)
from toolbench.tools.hooks import MISSING
from toolbench.tools.settings import DispatchSettings

QUERY = {"type": "object", "required": ["query"], "properties": {"query": {"type": "string"}}}


def answering(value):
    async def run(_arguments, _context):
        return value

    return run


def raising(error):
    async def run(_arguments, _context):
        raise error

    return run


# Exactly one result: R-DISP-01 R-DISP-02


async def test_a_call_goes_through_its_steps_in_order(rig):
    rig.tool("t", echo, before("b"), after("a"))
    report = await rig.call("t", {"x": 1}, "toolu_1")
    assert [type(event) for event in rig.events] == [
        CallStarted,
        CallLookedUp,
        CallValidated,
        HandlerStarted,
        HandlerEnded,
        ExecutionStarted,
        ExecutionEnded,
        HandlerStarted,
        HandlerEnded,
        CallEnded,
    ]
    assert report.result.block() == {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "content": [{"type": "text", "text": '{"x": 1}'}],
        "is_error": False,
    }


# R-DISP-03 OC-D4
async def test_the_model_is_told_only_that_there_is_no_such_tool(rig):
    report = await rig.call("nope")
    assert text_of(report) == "Tool nope not found"
    assert (report.verdict, report.executed, report.result.is_error) == ("not-found", False, True)
    assert report.why == {"name": "nope", "why": "unknown"}
    assert rig.told(CallLookedUp)[0].why == report.why


# The input: R-DISP-05 HAND-11 HAND-12 OC-H29


@pytest.mark.parametrize(
    ("given_input", "arguments"),
    [
        (MISSING, {}),  # HAND-12 t1
        ({}, {}),
        ('{"query": "x"}', {"query": "x"}),  # HAND-11 OC-H29
        ("{}", {}),
    ],
)
async def test_inputs_that_are_objects(rig, given_input, arguments):
    rig.tool("t", echo)
    report = await rig.dispatcher.call(ToolUse("t1", "t", given_input), rig.toolset)
    assert report.result.structured == arguments
    assert ("input was text" in report.flags) is isinstance(given_input, str)
    assert len(rig.told(CallPrepared)) == isinstance(given_input, str)


@pytest.mark.parametrize(
    ("given_input", "says"),
    [
        ("", "no JSON object"),  # OC-H29 runs these with {}; here they never run
        ("null", "must be an object"),
        ("[1]", "must be an object"),
        ("{", "no JSON object"),
        ('{"a": NaN}', "NaN is no JSON"),
        ('{"a": -Infinity}', "-Infinity is no JSON"),
        ('{"a": 1e999}', "is no JSON number"),
        ('{"a": 1, "a": 2}', "duplicate key 'a'"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deep"),
        (None, "must be an object, found NoneType"),
        ([], "must be an object, found list"),
        (5, "must be an object, found int"),
        ({"a": float("nan")}, "no JSON number"),
        ({"a": float("inf")}, "no JSON number"),
        ({"a": {1, 2}}, "set is no JSON type"),
        ({1: "a"}, "no text"),
    ],
)
async def test_inputs_that_never_run(rig, given_input, says):
    rig.tool("t", echo, before("b"))
    report = await rig.dispatcher.call(ToolUse("t1", "t", given_input), rig.toolset)
    assert (report.verdict, report.executed, report.result.is_error) == ("invalid-arguments", False, True)
    assert says in text_of(report)
    assert rig.told(HandlerStarted) == []


async def test_a_missing_input_is_told_by_what_is_missing_in_it(rig):
    rig.tool("search", echo, schema=QUERY)  # HAND-12 t2
    report = await rig.dispatcher.call(ToolUse("t1", "search", MISSING), rig.toolset)
    assert '"query" is a required property' in text_of(report)


# Validation: R-DISP-04 OC-V13 HAND-41 HAND-43


async def test_each_failure_is_told_with_its_path_and_what_was_received(rig):
    schema = {
        "type": "object",
        "required": ["path"],
        "properties": {"lines": {"type": "array", "items": {"type": "integer"}}},
    }
    rig.tool("read", echo, before("b"), schema=schema)
    report = await rig.call("read", {"lines": [1, "two"]})
    first, *between, last = text_of(report).splitlines()
    assert first == "Invalid arguments for read:"
    assert any(line.startswith("  /lines/1: ") and '"two"' in line for line in between)
    assert any(line.startswith("  /: ") and '"path" is a required property' in line for line in between)
    assert json.loads(last.removeprefix("Received: ")) == {"lines": [1, "two"]}
    assert len(rig.told(CallValidated)[0].problems) == 2
    assert rig.told(HandlerStarted) == []


async def test_an_argument_that_the_schema_does_not_have_is_refused_with_the_one_that_was_meant(rig):
    # HAND-41: dropping it would turn a dry run into a real one
    schema = {
        "type": "object",
        "additionalProperties": False,
        "required": ["path"],
        "properties": {"path": {"type": "string"}, "dry_run": {"type": "boolean"}},
    }
    rig.tool("write", echo, schema=schema)
    report = await rig.call("write", {"path": "/x", "dryRun": True})
    assert not report.executed
    assert "'dryRun': did you mean 'dry_run'?" in text_of(report)


async def test_a_pattern_is_one_of_ecmascript(rig):
    rig.tool(
        "greet", echo, schema={"type": "object", "properties": {"who": {"type": "string", "pattern": r"^\p{L}+$"}}}
    )
    assert (await rig.call("greet", {"who": "Zoë"})).executed  # HAND-43
    assert (await rig.call("greet", {"who": "42"})).verdict == "invalid-arguments"


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"x": {"pattern": "("}}},
        {"type": "dict"},
        {"type": "object", "required": "ab"},
        {"type": "object", "properties": {"x": {"$ref": "https://schemas.example/x.json"}}},  # never fetched
        [],
        True,
    ],
)
async def test_an_invalid_schema_fails_its_tool_alone_and_by_name(rig, schema):
    rig.tool("odd", echo, schema=schema)
    rig.tool("fine", echo)
    odd, fine = (await rig.batch("odd", "fine")).reports
    assert (odd.verdict, fine.verdict) == ("invalid-arguments", "ok")
    assert "Invalid arguments for odd" in text_of(odd)
    assert "the tool's own schema is invalid" in text_of(odd)


async def test_local_references_are_followed(rig):
    schema = {
        "type": "object",
        "properties": {"node": {"$ref": "#/$defs/node"}},
        "$defs": {"node": {"type": "object", "required": ["name"], "properties": {"next": {"$ref": "#/$defs/node"}}}},
    }
    rig.tool("t", echo, schema=schema)
    report = await rig.call("t", {"node": {"name": "a", "next": {}}})
    assert "/node/next: " in text_of(report)


async def test_nothing_is_coerced_unless_the_session_says_so(rig):
    rig.tool("t", echo, schema={"type": "object", "properties": {"n": {"type": "integer"}}})
    assert (await rig.call("t", {"n": "3"})).verdict == "invalid-arguments"
    rig.settings(coerce_arguments=True)
    report = await rig.call("t", {"n": "3"})
    assert report.result.structured == {"n": 3}
    assert report.flags == ('coerced /n: "3" → 3',)
    assert rig.told(CallStarted)[-1].input == {"n": "3"}


# Defaults: R-DISP-02 HAND-42

DEFAULTS = {
    "type": "object",
    "required": ["must"],
    "properties": {
        "must": {"type": "string", "default": "x"},
        "tags": {"type": "array", "items": {"type": "string"}, "default": []},
        "bad": {"type": "integer", "default": "five"},
        "opt": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        "nested": {"type": "object", "properties": {"deep": {"type": "integer", "default": 3}}},
    },
}


async def append_to_tags(arguments, _context):
    seen = dict(arguments, tags=list(arguments["tags"]))
    arguments["tags"].append("changed")
    return seen


async def test_defaults_are_filled_in_fresh_for_each_call(rig):
    rig.settings(fill_defaults=True)
    rig.tool("add", append_to_tags, schema=DEFAULTS)
    for _ in range(2):
        report = await rig.call("add", {"must": "m"})
        assert report.result.structured == {"must": "m", "tags": [], "opt": None}
        assert report.flags == ("default filled in: tags", "default filled in: opt")
    refused = await rig.call("add", {})
    assert (refused.verdict, refused.executed) == ("invalid-arguments", False)
    assert '"must" is a required property' in text_of(refused)


async def test_defaults_stay_away_unless_the_session_says_so(rig):
    rig.tool("add", echo, schema=DEFAULTS)
    assert (await rig.call("add", {"must": "m"})).result.structured == {"must": "m"}


# An executor that raises: R-DISP-10 HAND-18 OC-H27


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ValueError("disk full"), "disk full"),  # OC-D31 OC-H27: the message, and no traceback
        (ValueError(), "ValueError"),
        (ValueError("  "), "ValueError"),
        (KeyError("k"), "'k'"),
        (SystemExit(3), "the tool tried to exit with 3"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (GeneratorExit(), "GeneratorExit"),
        (asyncio.CancelledError("mine"), "mine"),  # HAND-18 A
        (ExceptionGroup("two", [ValueError("a"), TypeError("b")]), "two: a; b"),
        (BaseExceptionGroup("one", [KeyboardInterrupt()]), "one: KeyboardInterrupt"),
    ],
)
async def test_whatever_an_executor_raises_is_its_own_error_result(rig, error, says):
    rig.tool("bad", raising(error))
    rig.tool("good", echo)
    report = await rig.call("bad")
    assert (report.verdict, report.executed, report.result.is_error) == ("tool-error", True, True)
    assert says in text_of(report)
    assert "Traceback" not in text_of(report)
    assert (await rig.call("good")).verdict == "ok"


async def test_a_time_limit_inside_a_tool_is_the_tools_own(rig):
    async def impatient(_arguments, _context):
        async with asyncio.timeout(0.01):
            await asyncio.Event().wait()

    rig.tool("t", impatient)  # HAND-18 B
    assert (await rig.call("t")).verdict == "tool-error"


# Results: R-DISP-11 OC-H28

BYTES = "application/octet-stream"


@pytest.mark.parametrize(
    ("value", "content", "rest"),
    [
        (None, [], {}),
        ("", [], {}),
        ("text", [{"type": "text", "text": "text"}], {}),
        ([], [], {}),
        ([{"type": "text", "text": "a"}], [{"type": "text", "text": "a"}], {}),
        ({"content": "a", "isError": True}, [{"type": "text", "text": "a"}], {"is_error": True}),
        ({"content": "a", "is_error": "yes"}, [{"type": "text", "text": "a"}], {"is_error": False}),
        ({"content": [], "details": 1}, [], {"details": 1}),
        ({"content": "a", "structuredContent": [1]}, [{"type": "text", "text": "a"}], {"structured": [1]}),
        ({"content": 5}, [{"type": "text", "text": '{"content": 5}'}], {"structured": {"content": 5}}),
        ({"a": 1}, [{"type": "text", "text": '{"a": 1}'}], {"structured": {"a": 1}}),  # OC-H28
        ([1, 2], [{"type": "text", "text": "[1, 2]"}], {"structured": [1, 2]}),
        (0, [{"type": "text", "text": "0"}], {"structured": 0}),
        (False, [{"type": "text", "text": "false"}], {"structured": False}),
        (b"\x00", [{"type": "document", "source": {"type": "base64", "media_type": BYTES, "data": "AA=="}}], {}),
    ],
)
async def test_whatever_an_executor_returns_becomes_blocks(rig, value, content, rest):
    rig.tool("t", answering(value))
    result = (await rig.call("t")).result
    assert result.content == content
    expected = {"is_error": False, "details": None, "structured": None, **rest}
    assert {name: getattr(result, name) for name in expected} == expected


async def test_a_result_that_is_no_json_is_flagged(rig):
    class Odd:
        def __repr__(self):
            raise ValueError("no")

    for value in (Odd(), {1, 2}, float("nan")):
        rig.tool("t", answering(value))
        report = await rig.call("t")
        assert "the result is no JSON" in report.flags
        assert text_of(report)


@pytest.mark.parametrize(
    ("value", "flagged"),
    [({"n": 1}, False), ({"n": "x"}, True), ("text", True), ({"content": "e", "isError": True}, False)],
)
async def test_a_result_that_breaks_the_output_schema_is_flagged(rig, value, flagged):
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    rig.tool("t", answering(value), output_schema=schema)
    report = await rig.call("t")
    assert any("output schema" in flag for flag in report.flags) is flagged
    assert report.executed


# Progress: R-DISP-12


async def test_progress_is_told_while_a_tool_runs_and_ignored_afterwards(rig):
    kept = []

    async def run(_arguments, context):
        kept.append(context.progress)
        context.progress("half")
        context.progress({"done": 1})

    rig.tool("t", run)
    await rig.call("t")
    kept[0]("late")
    assert [event.update for event in rig.told(ExecutionProgress)] == ["half", {"done": 1}]


# Properties

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(tool_input=JSON | st.just(MISSING), answer=JSON, hook=JSON, late=JSON, coerce=st.booleans())
def test_every_tool_use_gets_exactly_one_result(tool_input, answer, hook, late, coerce):
    from dispatch_rig import Rig

    async def go():
        rig = Rig()
        rig.settings(coerce_arguments=coerce, fill_defaults=True)
        rig.tool("t", answering(answer), before("b", hook), after("a", late), schema=DEFAULTS | {"required": []})
        report = await rig.dispatcher.call(ToolUse("t1", "t", tool_input), rig.toolset)
        assert report.result.tool_use_id == "t1"
        assert [event.report for event in rig.told(CallEnded)] == [report]
        assert not report.result.is_error or report.result.content
        assert report.executed is bool(rig.told(ExecutionStarted))
        assert rig.dispatcher._services.lock.holder is None
        assert rig.dispatcher.running == ()

    asyncio.run(go())


@pytest.mark.parametrize(
    ("argument", "fields", "limit"),
    [
        (None, {}, 180.0),
        (None, {"timeout": 5.0}, 5.0),
        (7, {"timeout_argument": "wait"}, 7.0),
        (10_000, {"timeout_argument": "wait"}, 600.0),
        (0, {"timeout_argument": "wait", "timeout": 5.0}, 5.0),
        (-1, {"timeout_argument": "wait"}, 180.0),
        (True, {"timeout_argument": "wait"}, 180.0),
        ("9", {"timeout_argument": "wait"}, 180.0),
    ],
)
async def test_how_long_a_call_may_take(rig, argument, fields, limit):
    # R-DISP-08
    assert DispatchSettings().tool_timeout == 180.0
    rig.tool("t", echo, **fields)
    await rig.call("t", {} if argument is None else {"wait": argument})
    assert rig.told(ExecutionStarted)[0].limit == limit
