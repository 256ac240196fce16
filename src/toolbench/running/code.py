"""Runs people's Python off the application's loop: async on a loop of its own, sync in a thread each (R-DISP 8, 10)."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, Final

from toolbench.running.output import capture

STUCK_AFTER: Final = 1.0
"""Seconds that code may block the loop that it shares before calls get a loop of their own."""


class CodeError(Exception):
    """People's code ended with something that would end more than itself: SystemExit, KeyboardInterrupt, a cancel."""


@dataclass(frozen=True, slots=True)
class Abandoned:
    """Code that did not stop and was left behind."""

    label: str
    since: float


class CodeRunner:
    """Threads for people's code, all of them daemons: what cannot be stopped keeps nobody waiting, at exit either."""

    def __init__(self) -> None:
        """Create a runner; no thread starts before the first call."""
        self.on_late: Callable[[str, float], None] | None = None
        """Told the label of code that ends after it was left behind, where nobody else wants to know, and the seconds
        since its start; called in its thread."""
        self._loop: _LoopThread | None = None
        self._abandoned: dict[int, Abandoned] = {}
        self._lock = threading.Lock()
        self._closed = False

    async def run(
        self,
        function: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        *,
        label: str,
        on_late: Callable[[], None] | None = None,
    ) -> Any:
        """Return what `function` returns, awaited where it is async.

        Cancelling the await ends it at once; the code is told, and left behind when it does not stop.

        Args:
            function: sync or async.
            args: positional arguments.
            kwargs: named ones.
            label: what the code is called in the list of what was left behind.
            on_late: called when code that was left behind has ended, in its thread.

        Raises:
            CodeError: the code raised SystemExit, KeyboardInterrupt or a cancel of its own.
            Exception: whatever the code raises.
        """
        begun = time.monotonic()
        future: Future[Any] = Future()
        call = _Call(function, tuple(args), dict(kwargs or {}), future)
        if _is_async(function):
            stop = self._shared_loop().start(call)
        else:
            context = copy_context()
            threading.Thread(target=context.run, args=(call.run_sync,), name=f"toolbench: {label}", daemon=True).start()
            stop = None
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if stop is not None:
                stop()
            self._abandon(call, label, begun, on_late)
            raise

    @property
    def left_behind(self) -> tuple[str, ...]:
        """The labels of code that was left behind and still runs."""
        with self._lock:
            return tuple(one.label for one in self._abandoned.values())

    def close(self) -> None:
        """Stop the shared loop if it can be; never waits."""
        self._closed = True
        if self._loop is not None:
            self._loop.stop()
            self._loop = None

    def _shared_loop(self) -> _LoopThread:
        """Return the loop for async code; a new one when code blocks the old one."""
        if self._loop is None or self._loop.stuck:
            self._loop = _LoopThread()
        return self._loop

    def _abandon(self, call: _Call, label: str, begun: float, on_late: Callable[[], None] | None) -> None:
        """List code until it ends."""
        key = id(call)
        with self._lock:
            self._abandoned[key] = Abandoned(label, time.monotonic())

        def ended() -> None:
            with self._lock:
                known = self._abandoned.pop(key, None)
            if known is None or call.stopped:
                return
            if on_late is not None:
                on_late()
            elif self.on_late is not None:
                self.on_late(label, time.monotonic() - begun)

        call.when_over(ended)


class _Call:
    """One run of people's code; everything that it raises ends here."""

    def __init__(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], future: Future[Any]
    ) -> None:
        self._function = function
        self._args = args
        self._kwargs = kwargs
        self._future = future
        self._over = threading.Event()
        self._then: list[Callable[[], None]] = []
        self._guard = threading.Lock()
        self.stopped = False
        """Whether it ended because it was told to."""

    def when_over(self, then: Callable[[], None]) -> None:
        """Call `then` when the code has ended, at once if it has."""
        with self._guard:
            if not self._over.is_set():
                self._then.append(then)
                return
        then()

    def run_sync(self) -> None:
        """Run in this thread."""
        with capture():
            try:
                value = self._function(*self._args, **self._kwargs)
                if inspect.iscoroutine(value):
                    # A function that is not marked async may still answer a coroutine, a partial for one.
                    value = asyncio.run(value)
            except BaseException as error:  # noqa: BLE001 - people's code: whatever it raises is its answer
                self._answer(None, error)
            else:
                self._answer(value, None)
        self._end()

    async def run_async(self) -> None:
        """Run on this loop."""
        with capture():
            try:
                value = await self._function(*self._args, **self._kwargs)
            except BaseException as error:  # noqa: BLE001 - as above
                self.stopped = isinstance(error, asyncio.CancelledError)
                self._answer(None, error)
            else:
                self._answer(value, None)
        self._end()

    def _answer(self, value: Any, error: BaseException | None) -> None:
        """Hand over, unless nobody waits any more."""
        if not self._future.set_running_or_notify_cancel():
            return
        if error is None:
            self._future.set_result(value)
        elif isinstance(error, Exception) and not isinstance(error, StopIteration):
            self._future.set_exception(error)
        else:
            wrapped = CodeError(_words(error))
            wrapped.__cause__ = error
            self._future.set_exception(wrapped)

    def _end(self) -> None:
        with self._guard:
            self._over.set()
            waiting = tuple(self._then)
        for then in waiting:
            then()


class _LoopThread:
    """An event loop in a daemon thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._beat = time.monotonic()
        self._pending = 0
        threading.Thread(target=self._run, name="toolbench: async code", daemon=True).start()

    @property
    def stuck(self) -> bool:
        """Whether code blocks the loop, so that others would wait for it."""
        return self._pending > 0 and time.monotonic() - self._beat > STUCK_AFTER

    def start(self, call: _Call) -> Callable[[], None]:
        """Begin a call; return what cancels it."""
        task: list[asyncio.Task[None]] = []
        context = copy_context()

        def begin() -> None:
            self._touch()
            self._pending += 1
            made = self._loop.create_task(call.run_async(), context=context)
            made.add_done_callback(self._done)
            task.append(made)

        self._loop.call_soon_threadsafe(begin)

        def stop() -> None:
            self._loop.call_soon_threadsafe(lambda: task[0].cancel() if task else None)

        return stop

    def stop(self) -> None:
        """Ask the loop to end."""
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _done(self, _task: asyncio.Task[None]) -> None:
        self._touch()
        self._pending -= 1

    def _touch(self) -> None:
        self._beat = time.monotonic()

    def _run(self) -> None:
        """Run until stopped, with a heartbeat by which a blocked loop is told."""
        asyncio.set_event_loop(self._loop)

        def beat() -> None:
            self._touch()
            self._loop.call_later(STUCK_AFTER / 4, beat)

        self._loop.call_soon(beat)
        try:
            self._loop.run_forever()
        finally:
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
            self._loop.run_until_complete(asyncio.sleep(0))
            self._loop.close()


def _is_async(function: Callable[..., Any]) -> bool:
    """Tell whether calling the function gives something to await."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))  # noqa: B004


def _words(error: BaseException) -> str:
    """Return what people's code raised, in words."""
    if isinstance(error, SystemExit):
        return f"it tried to exit with {error.code!r}"
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
