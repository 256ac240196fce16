"""People's code off the application's loop, and what becomes of it when it does not stop (R-DISP 8, 10)."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading

import pytest

from toolbench.running.code import CodeError, CodeRunner


@pytest.fixture
def runner():
    """Return a runner, closed afterwards."""
    made = CodeRunner()
    yield made
    made.close()


async def test_sync_and_async_code_answer(runner):
    async def later(a):
        await asyncio.sleep(0)
        return a, threading.get_ident()

    assert await runner.run(lambda a: a + 1, (1,), label="x") == 2
    value, thread = await runner.run(later, (), {"a": 3}, label="x")
    assert value == 3
    assert thread != threading.get_ident()


@pytest.mark.parametrize(
    ("error", "kind", "says"),
    [
        (ValueError("no"), ValueError, "no"),
        (SystemExit(2), CodeError, "tried to exit with 2"),
        (KeyboardInterrupt(), CodeError, "KeyboardInterrupt"),
        (asyncio.CancelledError("mine"), CodeError, "CancelledError: mine"),
        (BaseExceptionGroup("all", [SystemExit(1)]), CodeError, "all"),
    ],
)
@pytest.mark.parametrize("kind_of_code", ["sync", "async"])
async def test_whatever_code_raises_is_its_own(runner, error, kind, says, kind_of_code):
    def sync():
        raise error

    async def asynchronous():
        raise error

    with pytest.raises(kind, match=says):
        await runner.run(sync if kind_of_code == "sync" else asynchronous, label="x")
    assert await runner.run(lambda: "goes on", label="y") == "goes on"


async def test_a_stop_iteration_of_code_does_not_stop_the_one_who_waits(runner):
    def sync():
        raise StopIteration("end")

    with pytest.raises(CodeError, match="StopIteration: end"):
        await runner.run(sync, label="x")


async def test_code_that_does_not_stop_is_left_behind_and_listed_until_it_ends():
    late = []
    gate, begun, ended = threading.Event(), threading.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def stubborn():
        begun.set()
        gate.wait()
        return "too late"

    runner = CodeRunner()
    runner.on_late = lambda label, seconds: (late.append(label), loop.call_soon_threadsafe(ended.set))
    task = asyncio.create_task(runner.run(stubborn, label="stubborn"))
    await asyncio.to_thread(begun.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert runner.left_behind == ("stubborn",)
    gate.set()
    async with asyncio.timeout(10):
        await ended.wait()
    assert late == ["stubborn"]
    assert runner.left_behind == ()


async def test_async_code_hears_the_cancel(runner):
    heard, begun = threading.Event(), threading.Event()

    async def waits():
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            heard.set()

    task = asyncio.create_task(runner.run(waits, label="waits"))
    await asyncio.to_thread(begun.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(heard.wait, 10)


def test_what_was_left_behind_does_not_keep_the_process_from_ending(tmp_path):
    # R-DISP-08: at exit either
    program = """
import asyncio, threading, time
from toolbench.running.code import CodeRunner

async def blocks():
    time.sleep(3600)

async def main():
    runner = CodeRunner()
    for code in (blocks, lambda: time.sleep(3600)):
        try:
            async with asyncio.timeout(0.1):
                await runner.run(code, label="x")
        except TimeoutError:
            pass
    print(len(runner.left_behind), "left behind")
    runner.close()

asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "2 left behind\n", "")
