"""Several calls of one message, cancelling and time limits (R-DISP 6 to 9, 13, 14)."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from dispatch_rig import Small, after, before, echo, never, text_of

from toolbench.tools.blocks import ToolUse
from toolbench.tools.events import CallEnded, CallWaiting, ExecutionEnded, ExecutionStarted, HandlerStarted


class Turnstile:
    """Executors that wait for each other, and a count of how many are inside."""

    def __init__(self):
        self.inside = 0
        self.most = 0
        self.order = []

    def tool(self, name, turns=1):
        async def run(_arguments, _context):
            self.inside += 1
            self.most = max(self.most, self.inside)
            for _ in range(turns):
                await asyncio.sleep(0)
            self.inside -= 1
            self.order.append(name)

        return run


async def until(holds):
    """Give other tasks their turn until something holds; there is no event to wait for."""
    async with asyncio.timeout(10):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0)


# Scheduling: R-DISP-06 OC-D16 OC-D35


@pytest.mark.parametrize(
    ("modes", "session", "at_once"),
    [
        ((None, None, None), "parallel", 3),
        (("parallel",) * 3, "parallel", 3),
        (("parallel", "sequential", "parallel"), "parallel", 1),  # OC-D16: one makes the whole batch sequential
        (("sequential",) * 3, "parallel", 1),
        ((None, None, None), "sequential", 1),
    ],
)
async def test_executors_run_side_by_side_unless_something_says_sequential(rig, modes, session, at_once):
    rig.settings(tool_execution=session)
    turnstile = Turnstile()
    for number, mode in enumerate(modes):
        rig.tool(f"t{number}", turnstile.tool(f"t{number}"), **({} if mode is None else {"execution_mode": mode}))
    await rig.batch("t0", "t1", "t2")
    assert turnstile.most == at_once


async def test_before_hooks_run_in_call_order_and_results_stand_in_it(rig):
    # OC-D35: ends come as they come
    turnstile, hooked = Turnstile(), []
    hook = before("h", lambda call: hooked.append(call.name))
    for number, turns in enumerate((9, 5, 1)):
        rig.tool(f"t{number}", turnstile.tool(f"t{number}", turns), hook)
    batch = await rig.batch("t0", "t1", "t2")
    assert hooked == ["t0", "t1", "t2"]
    assert turnstile.order == ["t2", "t1", "t0"]
    assert [report.name for report in batch.reports] == ["t0", "t1", "t2"]
    assert [event.report.name for event in rig.told(CallEnded)] == ["t2", "t1", "t0"]


async def test_all_before_hooks_of_a_batch_run_before_its_first_executor(rig):
    rig.tool("t", echo, before("h"))
    await rig.batch("t", "t", "t")
    kinds = [type(event) for event in rig.events if isinstance(event, HandlerStarted | ExecutionStarted)]
    assert kinds == [HandlerStarted] * 3 + [ExecutionStarted] * 3


async def test_a_second_call_with_the_same_id_is_an_error_and_nothing_runs_twice(rig):
    # HAND-09
    ran = []

    async def run(arguments, _context):
        ran.append(arguments)

    rig.tool("t", run)
    first, second, third = (await rig.batch("t:same", "t:same", "t:other")).reports
    assert (first.verdict, second.verdict, third.verdict) == ("ok", "refused", "ok")
    assert text_of(second) == "not run: the message has another call with the id same"
    assert len(ran) == 2
    assert [first.call, second.call, third.call] == [1, 2, 3]  # both blocks stand in the log


@pytest.mark.parametrize("reason", ["max_tokens", "length"])
async def test_a_message_that_was_cut_off_runs_nothing(rig, reason):
    # R-DISP-07 OC-D2: here each call has its result
    rig.tool("t", echo, before("h"))
    batch = await rig.batch("t", "unknown", stop_reason=reason)
    assert [report.verdict for report in batch.reports] == ["refused", "refused"]
    assert all("the arguments may be cut off" in text_of(report) for report in batch.reports)
    assert not rig.told(HandlerStarted)
    assert not rig.told(ExecutionStarted)


# R-DISP-13 OC-D10 OC-D36
@pytest.mark.parametrize(
    ("says", "stops"), [([True], True), ([True, True], True), ([True, False], False), ([False], False), ([], False)]
)
async def test_a_batch_stops_the_loop_only_if_every_result_says_so(rig, says, stops):
    for number, terminate in enumerate(says):

        async def run(_arguments, _context, terminate=terminate):
            return {"content": "x", "terminate": terminate}

        rig.tool(f"t{number}", run)
    assert (await rig.batch(*(f"t{number}" for number in range(len(says))))).terminate is stops


# Cancelling: R-DISP-09 HAND-10 HAND-18 HAND-19 OC-D37 OC-D38


async def test_a_running_call_is_cancelled_alone(rig):
    # HAND-18 C: the cancel reaches the executor
    heard = []

    async def waits(_arguments, context):
        try:
            await asyncio.Event().wait()
        finally:
            heard.append(context.cancelled)

    rig.tool("waits", waits, after("a", lambda call, result: heard.append("after")))
    rig.tool("good", echo)
    task = asyncio.create_task(rig.batch("waits", "good"))
    await until(lambda: len(rig.told(ExecutionStarted)) == 2)
    assert rig.dispatcher.cancel(1)
    waits_report, good = (await task).reports
    assert text_of(waits_report) == "Operation aborted"
    assert (waits_report.verdict, waits_report.executed, good.verdict) == ("aborted", True, "ok")
    assert heard == [True]
    assert not rig.dispatcher.cancel(1)


async def test_siblings_neither_stall_nor_fail_each_other(rig):
    # HAND-19
    async def fails(_arguments, _context):
        raise ValueError("bad")

    release = asyncio.Event()

    async def sleeps(_arguments, _context):
        await release.wait()
        return "rested"

    for name, run in (("echo", echo), ("raise", fails), ("never", never), ("sleep", sleeps)):
        rig.tool(name, run)
    task = asyncio.create_task(rig.batch("echo", "raise", "never", "sleep"))
    await until(lambda: len(rig.told(CallEnded)) == 2)
    assert [running.name for running in rig.dispatcher.running] == ["never", "sleep"]  # t1 shows done meanwhile
    release.set()
    await until(lambda: len(rig.told(CallEnded)) == 3)
    rig.dispatcher.cancel_all()
    assert [report.verdict for report in (await task).reports] == ["ok", "tool-error", "aborted", "ok"]


async def test_two_presses_give_two_separate_runs(rig):
    rig.tool("t", echo)
    first, second = await asyncio.gather(rig.call("t", {"n": 1}), rig.call("t", {"n": 2}))
    assert (first.call, second.call) == (1, 2)
    assert (first.result.structured, second.result.structured) == ({"n": 1}, {"n": 2})


@pytest.mark.parametrize("session", ["parallel", "sequential"])
async def test_calls_of_an_aborted_batch_have_their_results_too(rig, session):
    # HAND-10 OC-D37: the host leaves the second without one
    rig.settings(tool_execution=session)
    rig.tool("never", never)
    task = asyncio.create_task(rig.batch("never", "never"))
    await until(lambda: rig.told(ExecutionStarted))
    rig.dispatcher.cancel_all()
    reports = (await task).reports
    assert [text_of(report) for report in reports] == ["Operation aborted"] * 2
    assert [report.id for report in reports] == ["t1", "t2"]
    assert rig.dispatcher.running == ()


async def test_a_cancel_between_hook_and_execution_aborts(rig):
    # OC-D38
    def cancels(call):
        rig.dispatcher.cancel(1)

    rig.tool("t", echo, before("h", cancels))
    report = await rig.call("t")
    assert (text_of(report), report.executed) == ("Operation aborted", False)
    assert rig.told(ExecutionStarted) == []


async def test_a_cancel_while_a_hook_runs_leaves_the_lock_free(rig):
    # OC-H10: the executor is not entered when the hook answers late
    async def forever(*_given):
        await asyncio.Event().wait()

    rig.tool("t", echo, before("h", forever))
    rig.tool("good", echo, before("b"))
    task = asyncio.create_task(rig.call("t"))
    await until(lambda: rig.told(HandlerStarted))
    waiting = asyncio.create_task(rig.call("good"))
    await until(lambda: rig.told(CallWaiting))
    assert rig.told(CallWaiting)[0].holder == "before hooks of #1 t"
    rig.dispatcher.cancel(1)
    assert (await task).verdict == "aborted"
    assert (await waiting).verdict == "ok"
    assert rig.dispatcher._services.lock.holder is None


async def test_a_cancel_of_the_caller_ends_the_call_and_goes_on(rig):
    rig.tool("never", never)
    task = asyncio.create_task(rig.call("never"))
    await until(lambda: rig.told(ExecutionStarted))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [event.report.verdict for event in rig.told(CallEnded)] == ["aborted"]
    assert [event.outcome for event in rig.told(ExecutionEnded)] == ["aborted"]


# Time limits: R-DISP-08


async def test_a_tool_over_its_limit_is_cancelled_and_named(rig):
    ended = []

    async def slow(_arguments, _context):
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    seen = []
    rig.tool("slow", slow, after("a", lambda call, result: seen.append(result.is_error)), timeout=0.02)
    report = await rig.call("slow")
    assert text_of(report) == "Tool slow did not finish within 0.02 s"
    assert (report.verdict, report.executed) == ("timeout", True)
    assert ended == ["cancelled"]
    assert seen == [True]  # it has run, so the after hooks see it


async def test_an_answer_after_the_limit_is_dropped(rig):
    async def stubborn(_arguments, _context):
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "too late"

    rig.tool("stubborn", stubborn, timeout=0.02)
    report = await rig.call("stubborn")
    assert report.verdict == "timeout"
    assert text_of(report) == "Tool stubborn did not finish within 0.02 s"
    assert len(rig.told(CallEnded)) == 1


async def test_a_cancel_counts_even_when_the_limit_is_over_in_the_same_moment(rig):
    async def slow(_arguments, _context):
        try:
            await asyncio.Event().wait()
        finally:
            rig.dispatcher.cancel(1)

    rig.tool("slow", slow, timeout=0.02)
    rig.tool("good", echo)
    assert (await rig.call("slow")).verdict == "aborted"
    assert asyncio.current_task().cancelling() == 0
    assert (await rig.call("good")).verdict == "ok"


async def test_many_limits_side_by_side_each_hold(rig):
    rig.tool("short", never, timeout=0.02)
    rig.tool("long", never, timeout=0.04)
    rig.tool("good", echo, timeout=0.01)
    batch = await rig.batch("long", "short", "good", "short")
    assert [report.verdict for report in batch.reports] == ["timeout", "timeout", "ok", "timeout"]


def test_a_dispatcher_may_be_used_in_one_loop_after_another(rig):
    rig.tool("never", never, timeout=0.02)
    for _ in range(2):
        assert asyncio.run(rig.call("never")).verdict == "timeout"


# Generations: R-DISP-14


async def test_a_call_holds_on_to_the_generation_it_was_fired_in(rig):
    ran = []

    async def old(_arguments, _context):
        ran.append("old")
        await asyncio.sleep(0)

    async def new(_arguments, _context):
        ran.append("new")

    def swap(_call):
        rig.toolset = Small(number=2)
        rig.tool("t", new, before("new hook", lambda call: ran.append("new hook")))

    rig.tool("t", old, before("swap", swap))
    rig.settings(tool_execution="sequential")
    uses = [ToolUse("t1", "t", {}), ToolUse("t2", "t", {})]
    batch = await rig.dispatcher.batch(uses, rig.toolset)
    assert ran == ["old", "old"]
    assert [report.generation for report in batch.reports] == [1, 1]
    assert (await rig.call("t")).generation == 2
    assert ran == ["old", "old", "new hook", "new"]


# R-REG-05: tools of every source go through the same
@pytest.mark.parametrize("source", ["builtin", "an-extension", "custom", "mcp:server"])
async def test_a_tool_of_any_source_goes_through_the_same_steps(rig, source):
    rig.tool("t", echo, before("b"), after("a"))
    rig.toolset.tools["t"] = replace(rig.toolset.tools["t"], source=source)
    report = await rig.call("t")
    assert [hook.id for hook in report.hooks] == ["b", "a"]
    assert report.executed
