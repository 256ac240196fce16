"""The two points of hooks: what an answer means, who may change what, and what is told (R-HOOK)."""

from __future__ import annotations

import asyncio

import pytest
from dispatch_rig import after, before, echo, text_of

from toolbench.tools.events import ExecutionStarted, HandlerEnded, HandlerStarted
from toolbench.tools.hooks import Ask, Block, HandlerNotStarted, Replace, Rewrite
from toolbench.tools.lock import ReentrantCall

PATH_AND_MODE = {
    "type": "object",
    "required": ["path", "mode"],
    "properties": {"path": {"type": "string"}, "mode": {"enum": ["a", "w"]}},
}


def raising(error):
    def run(*_given):
        raise error

    return run


async def forever(*_given):
    await asyncio.Event().wait()


# Order: R-HOOK-01 OC-H7 OC-S29


async def test_handlers_run_one_after_another_in_their_order(rig):
    ran = []
    hooks = [before(f"h{number}", lambda call, n=number: ran.append((n, dict(call.input)))) for number in range(3)]
    rig.tool("t", _noting(ran), *hooks, after("late", lambda call, result: ran.append("after")))
    await rig.call("t", {"a": 1})
    assert ran == [(0, {"a": 1}), (1, {"a": 1}), (2, {"a": 1}), "executor", "after"]


def _noting(ran):
    async def run(_arguments, _context):
        ran.append("executor")

    return run


async def test_an_asynchronous_handler_is_awaited_before_the_next_one_begins(rig):
    ran = []

    async def slow(_call):
        ran.append("slow begins")
        await asyncio.sleep(0)
        ran.append("slow ends")

    rig.tool("t", _noting(ran), before("slow", slow), before("next", lambda call: ran.append("next")))
    await rig.call("t")
    assert ran == ["slow begins", "slow ends", "next", "executor"]


# What a before handler answers: R-HOOK-02 HAND-14 OC-H6 OC-D9 OC-D31 OC-D39

ALIEN = "looks like a verdict of another host"


@pytest.mark.parametrize(
    ("answer", "verdict", "reason"),
    [
        (None, "pass", None),
        ({}, "pass", None),  # HAND-14 OC-H6
        (Replace({"a": 2}), "replace", None),
        ({"a": 2}, "replace", None),
        (Block("no"), "block", "no"),
        (Block(), "block", "Tool execution was blocked"),  # OC-D39
        (Block(""), "block", "Tool execution was blocked"),
        ([], "failed", "must not answer list"),  # HAND-14
        ("block", "failed", "must not answer str"),
        (0, "failed", "must not answer int"),
        (False, "failed", "must not answer bool"),
        (Rewrite(content="x"), "failed", "must not answer Rewrite"),
        (Replace([1]), "failed", "Replace takes a dict, not list"),
        ({"block": None}, "failed", ALIEN),
        ({"block": False}, "failed", ALIEN),  # OC-H6 differs: there it is no effect; here it fails closed
        ({"decision": "approve"}, "failed", ALIEN),
        ({"permissionDecision": "allow"}, "failed", ALIEN),
        ({"requireApproval": {}}, "failed", ALIEN),
        ({"params": {"a": 2}}, "failed", ALIEN),
        ({"reason": "x"}, "failed", ALIEN),
        (raising(ValueError("boom")), "failed", "boom"),  # OC-D31 OC-H8
        (raising(ValueError()), "failed", "ValueError"),
        (raising(SystemExit(3)), "failed", "3"),
        (raising(asyncio.CancelledError("mine")), "failed", "mine"),  # HAND-13 B
        (raising(HandlerNotStarted("no such program")), "not-started", "no such program"),
    ],
)
async def test_what_a_before_handler_answers(rig, answer, verdict, reason):
    later = []
    rig.tool("t", echo, before("guard", answer), before("later", lambda call: later.append(dict(call.input))))
    report = await rig.call("t", {"a": 1})
    first = report.hooks[0]
    assert first.verdict == verdict
    assert reason is None or reason in first.reason
    if verdict in ("pass", "replace"):
        seen = {"a": 2} if verdict == "replace" else {"a": 1}
        assert later == [seen]
        assert report.result.structured == seen
        assert (report.verdict, report.executed) == ("ok", True)
    else:
        assert later == []
        assert rig.told(ExecutionStarted) == []
        assert (report.verdict, report.executed) == ("blocked", False)
        assert first.reason == text_of(report)
        assert report.result.is_error


async def test_words_of_a_verdict_are_arguments_where_the_schema_declares_them(rig):
    schema = {"type": "object", "properties": {"reason": {"type": "string"}}}
    rig.tool("t", echo, before("h", {"reason": "x"}), schema=schema)
    assert (await rig.call("t")).result.structured == {"reason": "x"}


async def test_a_failed_handler_leaves_the_arguments_as_they_were(rig):
    def spoil(call):
        call.input["a"] = 2
        raise ValueError("after all")

    rig.tool("t", echo, before("h", spoil))
    report = await rig.call("t", {"a": 1})
    assert report.arguments == {"a": 1}
    assert report.hooks[0].changed == ()


# OC-H5: nobody can un-block what an earlier handler blocked
async def test_a_block_is_final(rig):
    rig.tool("t", echo, before("guard", Block("no")), before("opener", Replace({"ok": True})))
    report = await rig.call("t")
    assert [hook.id for hook in report.hooks] == ["guard"]
    assert text_of(report) == "no"


# Changing the arguments: R-HOOK-03 R-HOOK-04 HAND-15 OC-D14 OC-D30


async def test_a_change_in_place_counts_and_is_told(rig):
    def change(call):
        call.input["list"].append(2)

    given = {"list": [1]}
    rig.tool("t", echo, before("h", change))
    report = await rig.call("t", given)
    assert report.result.structured == {"list": [1, 2]}
    assert given == {"list": [1]}  # R-HOOK-03 OC-V14: the caller's object is never touched
    (hook,) = report.hooks
    assert (hook.verdict, hook.changed, hook.saw, hook.left) == (
        "replace",
        ("/list/1",),
        {"list": [1]},
        {"list": [1, 2]},
    )
    assert "changed in place" in hook.flags


async def test_a_replacement_is_not_tied_to_what_the_handler_keeps(rig):
    kept = {"a": [1]}

    def spoil(_call):
        kept["a"].append(2)

    rig.tool("t", echo, before("giver", Replace(kept)), before("spoiler", spoil))
    assert (await rig.call("t")).result.structured == {"a": [1]}


async def test_a_replacement_is_whole_and_is_flagged_when_the_schema_forbids_it(rig):
    # HAND-15 OC-D30: no merge; the executor gets it, and everybody is told
    rig.tool("write", echo, before("h", Replace({"mode": "x"})), schema=PATH_AND_MODE)
    report = await rig.call("write", {"path": "/data/f", "mode": "w"})
    assert report.result.structured == {"mode": "x"}
    assert "args no longer match the schema" in report.flags
    assert "args no longer match the schema" in report.hooks[0].flags


async def test_a_change_that_the_schema_forbids_is_an_error_where_the_session_says_so(rig):
    rig.settings(revalidate="block")
    rig.tool("write", echo, before("h", Replace({"mode": "x"})), schema=PATH_AND_MODE)
    report = await rig.call("write", {"path": "/data/f", "mode": "w"})
    assert (report.verdict, report.executed) == ("invalid-arguments", False)
    assert "mode" in text_of(report)
    assert "path" in text_of(report)


@pytest.mark.parametrize(
    ("hooks", "flag"),
    [
        ([before("h", lambda call: Replace(dict(call.input)))], "rewrite without effect"),
        ([before("h", Replace({"path": "p", "mode": "w", "odd": 1}))], "unknown field 'odd'"),
        (
            [
                before("first", Replace({"path": "q", "mode": "w"})),
                before("h", Replace({"path": "r", "mode": "w"})),
            ],
            "/path was changed by first already",
        ),
    ],
)
async def test_what_is_odd_about_a_change_is_flagged(rig, hooks, flag):
    rig.tool("write", echo, *hooks, schema=PATH_AND_MODE)
    report = await rig.call("write", {"path": "p", "mode": "w"})
    assert flag in report.hooks[-1].flags
    assert report.executed


# After handlers: R-HOOK-05 HAND-16 OC-D32 OC-D33 OC-D34 OC-H9 OC-S30


async def test_after_handlers_see_the_result_so_far_and_one_that_fails_undoes_nothing(rig):
    # HAND-16 OC-H9: isolated, unlike OC-D34
    async def save(_arguments, _context):
        return "saved 3 files"

    def add(_call, result):
        return Rewrite(content=result.content[0]["text"] + "!")

    rig.tool("t", save, after("metrics", raising(RuntimeError("metrics down"))), after("exclaim", add))
    report = await rig.call("t")
    assert text_of(report) == "saved 3 files!"
    assert (report.verdict, report.result.is_error) == ("ok", False)
    assert [(hook.id, hook.verdict, hook.reason) for hook in report.hooks] == [
        ("metrics", "failed", "metrics down"),
        ("exclaim", "rewrite", None),
    ]


@pytest.mark.parametrize(
    ("answer", "field", "value"),
    [
        (Rewrite(content="new"), "content", [{"type": "text", "text": "new"}]),
        (Rewrite(details=None), "details", None),  # OC-S30: None given replaces; it is not OC-D33's "missing"
        (Rewrite(details={"b": 1}), "details", {"b": 1}),  # no deep merge
        (Rewrite(terminate=True), "terminate", True),
    ],
)
async def test_a_field_given_replaces_and_one_not_given_stays(rig, answer, field, value):
    async def run(_arguments, _context):
        return {"content": "old", "details": {"a": 1}}

    rig.tool("t", run, after("h", answer))
    result = (await rig.call("t")).result
    expected = {
        "content": [{"type": "text", "text": "old"}],
        "details": {"a": 1},
        "is_error": False,
        "terminate": False,
    }
    expected[field] = value
    assert {name: getattr(result, name) for name in expected} == expected


async def test_an_after_handler_may_clear_an_error(rig):
    # OC-D32 OC-D33: an executor that raised has run
    seen = []

    async def fail(_arguments, _context):
        raise ValueError("disk full")

    def clear(_call, result):
        seen.append((result.is_error, result.content[0]["text"]))
        return Rewrite(is_error=False)

    rig.tool("t", fail, after("h", clear))
    report = await rig.call("t")
    assert seen == [(True, "disk full")]
    assert (report.verdict, report.executed, report.result.is_error) == ("ok", True, False)
    assert text_of(report) == "disk full"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("text", "must not answer str"),
        (Block("no"), "must not answer Block"),
        (Rewrite(content=[1]), "content must be text or a list of blocks"),
        (Rewrite(is_error=None), "is_error must be true or false"),
        (raising(KeyboardInterrupt()), "KeyboardInterrupt"),
        (raising(SystemExit()), "SystemExit"),
    ],
)
async def test_a_wrong_answer_of_an_after_handler_is_reported_and_changes_nothing(rig, answer, reason):
    rig.tool("t", echo, after("h", answer))
    report = await rig.call("t", {"a": 1})
    assert report.hooks[0].verdict == "failed"
    assert reason in report.hooks[0].reason
    assert report.result.structured == {"a": 1}
    assert not report.result.is_error


# HAND-17 OC-H12: how often each runs
async def test_each_handler_runs_once_for_each_call_that_gets_as_far(rig):
    ran = []
    hooks = [
        before("b", lambda call: ran.append(f"before {call.name}")),
        before("guard", lambda call: Block("no") if call.name == "blocked" else None),
        after("a", lambda call, result: ran.append(f"after {call.name}")),
    ]
    rig.tool("good", echo, *hooks)
    rig.tool("blocked", echo, *hooks)
    rig.tool("strict", echo, *hooks, schema={"type": "object", "required": ["x"]})
    await rig.batch("good", "blocked", "unknown", "strict")
    assert ran == ["before good", "before blocked", "after good"]


# The lock: R-HOOK-06 OC-S5


async def test_hooks_run_under_the_lock_and_the_executor_does_not(rig):
    held = []
    lock = rig.dispatcher._services.lock

    async def run(_arguments, _context):
        held.append(lock.holder)

    rig.tool(
        "t",
        run,
        before("b", lambda call: held.append(lock.holder)),
        after("a", lambda call, result: held.append(lock.holder)),
    )
    await rig.call("t")
    assert held == ["before hooks of #1 t", None, "after hooks of #1 t"]
    assert lock.holder is None


@pytest.mark.parametrize("stage", ["before", "after"])
async def test_a_hook_that_calls_the_dispatcher_gets_an_error_at_once(rig, stage):
    async def again(*_given):
        await rig.call("t")

    rig.tool("t", echo, before("h", again) if stage == "before" else after("h", again))
    report = await rig.call("t")
    assert report.hooks[0].verdict == "failed"
    assert "holds the session's write lock" in report.hooks[0].reason
    assert issubclass(ReentrantCall, RuntimeError)
    assert rig.dispatcher._services.lock.holder is None


async def test_chains_of_two_calls_never_overlap(rig):
    inside, worst = [], []

    async def slow(*_given):
        inside.append(1)
        worst.append(len(inside))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        inside.pop()

    rig.tool("t", echo, before("b", slow), after("a", slow))
    await asyncio.gather(*(rig.call("t", {}, f"t{number}") for number in range(5)))
    assert worst == [1] * 10


# Time limits: R-HOOK-07 HAND-13 OC-H10 OC-H20


async def test_a_before_handler_that_takes_too_long_blocks(rig):
    rig.settings(hook_timeout=0.02)
    rig.tool("delete", echo, before("guard", forever))  # HAND-13 A
    report = await rig.call("delete", {"path": "/x"})
    assert (report.verdict, report.executed) == ("blocked", False)
    assert text_of(report) == "hook guard did not answer within 0.02 s"
    assert rig.told(ExecutionStarted) == []  # OC-H10


async def test_a_host_that_passes_over_a_late_handler_can_be_acted(rig):
    rig.tool("t", echo, before("guard", forever, timeout=0.02, on_timeout="skip"))
    report = await rig.call("t")
    assert (report.hooks[0].verdict, report.verdict) == ("timeout", "ok")


async def test_an_after_handler_that_takes_too_long_is_reported_and_changes_nothing(rig):
    rig.tool("t", echo, after("slow", forever, timeout=0.02), after("next", Rewrite(details="n")))
    report = await rig.call("t", {"a": 1})
    assert [hook.verdict for hook in report.hooks] == ["timeout", "rewrite"]
    assert (report.verdict, report.result.structured, report.result.details) == ("ok", {"a": 1}, "n")


async def test_a_late_handler_cannot_change_what_it_was_shown(rig):
    kept = []

    async def keep(call):
        kept.append(call.input)
        await forever()

    rig.tool("t", echo, before("h", keep, timeout=0.02, on_timeout="skip"), before("spoil", lambda c: kept[0].clear()))
    report = await rig.call("t", {"a": 1})
    assert report.result.structured == {"a": 1}


# Asking: R-HOOK-08 OC-H14


async def test_an_ask_is_a_deny_that_says_so(rig):
    rig.tool("t", echo, before("h", Ask("deletes a file")))
    report = await rig.call("t")
    assert (report.verdict, report.executed) == ("blocked", False)
    assert text_of(report) == "deletes a file: a person must decide, and nobody can be asked here"


async def test_a_block_wins_over_an_ask(rig):
    rig.tool("t", echo, before("asks", Ask("sure?")), before("guard", Block("never")))  # OC-H14
    report = await rig.call("t")
    assert [hook.verdict for hook in report.hooks] == ["ask", "block"]
    assert text_of(report) == "never"


# What is told: R-HOOK-09 OC-H4


async def test_what_a_handler_saw_answered_and_changed_is_told_whole(rig):
    hook = before("h", Replace({"a": 2}), file="hooks.py", line=7)
    rig.tool("t", echo, hook)
    report = await rig.call("t", {"a": 1})
    (told,) = report.hooks
    assert (told.id, told.stage, told.verdict, told.changed) == ("h", "before", "replace", ("/a",))
    assert (told.saw, told.left, told.file, told.line) == ({"a": 1}, {"a": 2}, "hooks.py", 7)
    assert told.duration >= 0
    assert [event.report for event in rig.told(HandlerEnded)] == [told]
    assert [(event.id, event.position, event.total) for event in rig.told(HandlerStarted)] == [("h", 0, 1)]


async def test_could_not_start_is_not_denied(rig):
    rig.tool("t", echo, before("h", blocks_because="it is not trusted"))
    report = await rig.call("t")
    assert (report.hooks[0].verdict, report.executed) == ("not-started", False)
    assert text_of(report) == "it is not trusted"  # OC-H4: a normal result that holds the reason
