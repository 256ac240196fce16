"""Runs an executor within its limit, and survives whatever it does (R-DISP 8 to 10)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from toolbench.tools.chain import INFINITE, is_cancelled
from toolbench.tools.executor import Executor, ToolContext
from toolbench.tools.normalize import Normalized, error_result, normalize
from toolbench.tools.watchdog import Limited, Watchdog


class Executed(NamedTuple):
    """What came of an execution."""

    outcome: Literal["ok", "error", "timeout", "aborted"]
    result: Normalized
    duration: float
    message: str | None = None


async def execute(
    executor: Executor,
    arguments: dict[str, Any],
    context: ToolContext,
    run: Limited,
    watchdog: Watchdog,
    limit: float,
    clock: Callable[[], float],
) -> Executed:
    """Run to the end, the limit or a cancel of the call.

    Args:
        executor: awaited in this task; see `Executor`.
        arguments: the call's own.
        context: what it is told.
        run: the call, which is cancelled when its time is over.
        watchdog: does so.
        limit: seconds.
        clock: monotonic seconds.

    Raises:
        asyncio.CancelledError: the call was cancelled; the executor has been told.
    """
    begun = clock()
    watchdog.limit(run, limit)
    try:
        value = await executor(arguments, context)
    except BaseException as error:  # noqa: BLE001 - outside, some of it would end the event loop (R-DISP 10)
        run.deadline = INFINITE
        failed: BaseException | None = error
        value = None
    else:
        run.deadline = INFINITE
        failed = None
    duration = clock() - begun
    if run.out_of_time():
        if is_cancelled():
            raise asyncio.CancelledError
        message = f"Tool {context.tool_name} did not finish within {limit:g} s"
        return Executed("timeout", error_result(message), duration, message)
    if failed is None:
        result = normalize(value)
        return Executed("error" if result.is_error else "ok", result, duration)
    if isinstance(failed, asyncio.CancelledError) and is_cancelled():
        raise failed
    message = error_message(failed)
    return Executed("error", error_result(message), duration, message)


def error_message(error: BaseException) -> str:
    """Return what a tool's exception says, its type when it says nothing; a group tells all of its members."""
    if isinstance(error, BaseExceptionGroup):
        members = "; ".join(error_message(one) for one in error.exceptions[:10])
        return f"{error.message}: {members}"
    if isinstance(error, SystemExit):
        return f"the tool tried to exit with {error.code!r}"
    text = str(error)
    if isinstance(error, asyncio.CancelledError | KeyboardInterrupt):
        return f"{type(error).__name__}: {text}" if text else type(error).__name__
    return text if text.strip() else type(error).__name__
