"""One running session, whole: what the application, the commands, tests and scripts call.

It owns all state, changes by a few methods under its write lock, and tells everything as events (R-EVT). What is shown
anywhere is read from here.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from toolbench.files.problems import Problem
from toolbench.files.session_model import ReadyCall, SessionFile, SessionSettings
from toolbench.files.trust import TrustStore
from toolbench.running.code import CodeRunner
from toolbench.session.binding import Binder
from toolbench.session.building import Builder, Occasion, base_state, first_activation
from toolbench.session.commands import Change, Command, EditState, Place, SetActive, Toggle
from toolbench.session.context import ContextState
from toolbench.session.dependents import dependents
from toolbench.session.generation import Generation, SourceState
from toolbench.session.history import History
from toolbench.session.hub import EventHub
from toolbench.session.loading import Loaded, Loader
from toolbench.session.paths import parse_path
from toolbench.session.queue import ChangeQueue
from toolbench.session.runnable import Runnable, runnables
from toolbench.session.tickets import Ticket
from toolbench.session.watch import Watch
from toolbench.tools.blocks import ToolUse
from toolbench.tools.dispatch import Dispatcher, Running
from toolbench.tools.events import (
    CallEnded,
    Entry,
    GenerationBuilt,
    Notice,
    RefreshChangedNothing,
    SourceChanged,
    TrustChanged,
)
from toolbench.tools.hooks import MISSING, Handler
from toolbench.tools.lock import FairLock, refuse_hooks
from toolbench.tools.report import BatchReport, CallReport
from toolbench.tools.stepper import Stepper

KEPT_GENERATIONS: Final = 50


@dataclass(frozen=True, slots=True)
class Preview:
    """What would follow from changes that nobody has made."""

    generation: Generation
    appears: tuple[str, ...]
    """Tools that the model would newly get, in its order."""
    vanishes: tuple[str, ...]
    """Tools that the model would no longer get."""


class Session:
    """An agent's tool session. Open it, look, call, change, close.

    All methods but `events.subscribe` belong to one thread: the one whose event loop awaits its coroutines. Opening and
    changing need no loop.
    """

    def __init__(
        self,
        loader: Loader,
        runner: CodeRunner,
        store: TrustStore,
        trusted: bool,
        clock: Callable[[], float],
        wall: Callable[[], float],
    ) -> None:
        """Not called by users: see `Session.open`."""
        self._loader = loader
        self._runner = runner
        self._store = store
        self._trusted = trusted
        self._clock = clock
        self._wall = wall
        self._lock = FairLock()
        self._refreshing = asyncio.Lock()
        self._history = History()
        self._builder = Builder(Binder(runner, loader.path.parent))
        self._generations: deque[Generation] = deque(maxlen=KEPT_GENERATIONS)
        self._calls = 0
        self._watch: Watch | None = None
        self.events = EventHub(clock)
        self.stepper = Stepper(emit=self.events.emit, clock=clock)
        self._dispatcher = Dispatcher(emit=self.events.emit, clock=clock, lock=self._lock)
        self._dispatcher.add_monitor(self.stepper)
        runner.on_late = self._late
        self.events.subscribe(self._after_call)
        self._queue = ChangeQueue(self._lock, self.events.emit, lambda: self.generation.number)
        self._loaded = loader.load(trusted=trusted)
        self._base = base_state(self._loaded, os.environ.get)
        registry = self._builder.registry(self._loaded, self._base.policy)
        self._state = replace(self._base, activation=first_activation(self._loaded, registry))
        self._publish(self._state, "opened")
        self._tell_sources(())

    # Opening and closing

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        trust: bool | None = None,
        store: TrustStore | None = None,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> Self:
        """Read a session file with all that it names and build its first generation. Blocking.

        Args:
            path: the session file, or a folder that holds `session.yaml`.
            trust: run people's code (True), do not (False), or as the remembered folders say (None).
            store: the remembered folders; the user's own when not given.
            clock: monotonic seconds.
            wall: seconds since the epoch.

        Raises:
            SessionFileError: the file is unreadable, not YAML, not a mapping, or of an unknown format version.
        """
        found = Path(path).resolve()
        found = found / "session.yaml" if found.is_dir() else found
        store = store or TrustStore()
        trusted = store.is_trusted(found.parent) if trust is None else trust
        runner = CodeRunner()
        try:
            return cls(Loader(found, runner), runner, store, trusted, clock, wall)
        except BaseException:
            runner.close()
            raise

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def start(self) -> None:
        """Begin to watch the session's files; each save rebuilds on its own."""
        if self._watch is None:
            self._watch = Watch(self)
            self._watch.start()

    async def aclose(self) -> None:
        """Stop watching, cancel what runs, and leave behind what does not stop (R-DISP 8)."""
        if self._watch is not None:
            await self._watch.stop()
            self._watch = None
        self.stepper.release_all()
        self._dispatcher.cancel_all()
        self._runner.close()

    # What there is to see

    @property
    def path(self) -> Path:
        """The session file, absolute."""
        return self._loader.path

    @property
    def folder(self) -> Path:
        """The folder in which things run."""
        return self._loader.path.parent

    @property
    def file(self) -> SessionFile:
        """The session file as it was read last."""
        return self._loaded.file

    @property
    def name(self) -> str:
        """What the session calls itself."""
        return self._loaded.file.name

    @property
    def provider(self) -> str:
        """Whose rules for names and schemas hold."""
        return self._loaded.file.provider

    @property
    def settings(self) -> SessionSettings:
        """The session's settings."""
        return self._loaded.file.settings

    @property
    def trusted(self) -> bool:
        """Whether people's code may run."""
        return self._trusted

    @property
    def watching(self) -> bool:
        """Whether files are watched."""
        return self._watch is not None and self._watch.running

    @property
    def generation(self) -> Generation:
        """The newest generation."""
        return self._generations[-1]

    @property
    def generations(self) -> tuple[Generation, ...]:
        """The generations that are kept, oldest first (R-GEN 5)."""
        return tuple(self._generations)

    @property
    def context(self) -> ContextState:
        """What the signals are held against."""
        return self._state.context

    @property
    def sources(self) -> tuple[SourceState, ...]:
        """The sources and how they fare."""
        return self._loaded.sources

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All that is wrong with the files."""
        return self._loaded.problems

    @property
    def hooks(self) -> tuple[Handler, ...]:
        """The chain of handlers in order, disabled ones too."""
        return self._loaded.handlers

    @property
    def loaded(self) -> Loaded:
        """All that was read, as it stands."""
        return self._loaded

    @property
    def runnable(self) -> tuple[Runnable, ...]:
        """What trust would allow to run."""
        return runnables(self._loaded)

    @property
    def calls(self) -> tuple[ReadyCall, ...]:
        """The calls that the session file holds ready."""
        return self._loaded.file.calls

    @property
    def lock_holder(self) -> str | None:
        """What holds the write lock."""
        return self._lock.holder

    def now(self) -> float:
        """Return the monotonic seconds of the session's clock, by which its events are stamped."""
        return self._clock()

    def dependents(self, path: str) -> tuple[str, ...]:
        """Return the tools whose availability names an entry of the context, in plan order.

        Raises:
            PathError: the path is not written as it must be.
        """
        return dependents(self.generation.buckets, parse_path(path))

    # Changes

    def set(self, path: str, value: Any = None) -> Ticket:
        """Set an entry such as `env.TOKEN`, `auth.github`, `config.a.b`, `active.read`, `policy.global`.

        Raises:
            PathError: the path is not written as it must be.
        """
        return self._change(Change.parse("set", path, value))

    def unset(self, path: str) -> Ticket:
        """Unset an entry; see `set`."""
        return self._change(Change.parse("unset", path))

    def toggle(self, names: Sequence[str]) -> Ticket:
        """Switch each tool to its other state (gate 4)."""
        return self._change(Toggle(tuple(dict.fromkeys(names))))

    def set_active(self, names: Sequence[str]) -> Ticket:
        """Switch on exactly these tools, in this order; names that are not registered are noted (R-REG 7)."""
        command = SetActive(tuple(dict.fromkeys(names)))

        def action() -> str | None:
            self._apply(command)
            skipped = command.skipped(self.generation.registry)
            if not skipped:
                return None
            message = f"not registered, so passed over: {', '.join(skipped)}"
            self.events.emit(Notice("info", "skipped-names", message))
            return message

        return self._queue.submit(command.label, command.names, action)

    def undo(self) -> Ticket:
        """Take back the newest edit or toggle."""

        def action() -> str:
            state, label = self._history.undo(self._state, self._base, self._place())
            self._publish(state, f"undo {label}")
            return label

        return self._queue.submit("undo", (), action)

    def redo(self) -> Ticket:
        """Make the edit or toggle again that was undone last."""

        def action() -> str:
            state, label = self._history.redo(self._state, self._place())
            self._publish(state, f"redo {label}")
            return label

        return self._queue.submit("redo", (), action)

    @property
    def undo_label(self) -> str | None:
        """What `undo` would take back."""
        return self._history.done[-1].command.label if self._history.done else None

    @property
    def redo_label(self) -> str | None:
        """What `redo` would make again."""
        return self._history.undone[-1].command.label if self._history.undone else None

    @property
    def queued(self) -> tuple[Ticket, ...]:
        """The changes that wait for the write lock, in turn."""
        return self._queue.queued

    def withdraw(self, number: int) -> bool:
        """Take back a change that still waits; tell whether it did."""
        return self._queue.withdraw(number)

    def preview(self, changes: Sequence[Change]) -> Preview:
        """Return what would follow from the changes; nothing happens.

        Raises:
            ContextError: a change cannot be made.
        """
        state = self._state
        for change in changes:
            registry = self._builder.registry(self._loaded, state.policy)
            state = change.apply(state, Place(registry, self.generation.number + 1))
        would, _ = self._builder.build(self._loaded, state, self._occasion("preview", ()), self.generation)
        now, then = self.generation.callable_claims, would.callable_claims
        return Preview(
            would,
            appears=tuple(name for name in then if name not in now),
            vanishes=tuple(name for name in now if name not in then),
        )

    async def set_trusted(self, trusted: bool, *, remember: bool = False) -> None:
        """Allow people's code to run, or no longer; loads or drops the Python hooks.

        Args:
            trusted: whether code may run from now on.
            remember: keep the answer for the folder beyond this session.
        """
        if remember:
            change = self._store.trust if trusted else self._store.untrust
            await asyncio.to_thread(change, self.folder)
        if trusted == self._trusted:
            return
        self._trusted = trusted
        self.events.emit(TrustChanged(trusted))
        await self.refresh("trusted" if trusted else "no longer trusted")

    async def refresh(self, cause: str = "refresh", changed: frozenset[Path] = frozenset()) -> None:
        """Read the files again, off the loop, and build a new generation if anything is different (R-GEN 1, 2).

        Args:
            cause: what the generation tells as its cause.
            changed: files known to have changed; others are read again when their time stamps differ.

        Raises:
            ReentrantCall: the caller is a hook.
        """
        refuse_hooks("a refresh")
        # One after another: an older reading must not be put in place after a newer one.
        async with self._refreshing:
            loaded = await asyncio.to_thread(self._loader.load, trusted=self._trusted, changed=changed)
            await self._lock.acquire(cause)
            try:
                before, self._loaded = self._loaded.sources, loaded
                self._rebase()
                self._publish(self._state, cause, self._shown(changed))
                self._tell_sources(before)
            finally:
                self._lock.release()

    # Calls

    async def call(self, name: str, tool_input: Any = MISSING, *, call_id: str | None = None) -> CallReport:
        """Call one tool as a model would (R-DISP 1).

        Args:
            name: the tool's.
            tool_input: an object, JSON text, or anything that the model might send; missing means `{}`.
            call_id: the `tool_use` id; numbered when not given.
        """
        return await self._dispatcher.call(ToolUse(call_id or self.next_id(), name, tool_input), self.generation)

    async def fire(self, uses: Sequence[ToolUse], *, stop_reason: str | None = None) -> BatchReport:
        """Call the tools of one message (R-DISP 6, 7)."""
        return await self._dispatcher.batch(uses, self.generation, stop_reason=stop_reason)

    def next_id(self) -> str:
        """Return a `tool_use` id that this session has not given yet."""
        self._calls += 1
        return f"call_{self._calls}"

    def cancel(self, call: int) -> bool:
        """Cancel a running call alone, by its number; tell whether it ran (R-DISP 9)."""
        return self._dispatcher.cancel(call)

    def cancel_all(self) -> None:
        """Cancel all running calls."""
        self._dispatcher.cancel_all()

    @property
    def running(self) -> tuple[Running, ...]:
        """The calls on their way."""
        return self._dispatcher.running

    @property
    def left_behind(self) -> tuple[str, ...]:
        """Code that did not stop and was left behind (R-DISP 8)."""
        return self._runner.left_behind

    # How it is done

    def _change(self, command: Command) -> Ticket:
        """Make a change under the lock, at once or in turn."""

        def action() -> None:
            self._apply(command)

        return self._queue.submit(command.label, command.names, action)

    def _apply(self, command: Command) -> None:
        """Make a change; the lock is held."""
        after = command.apply(self._state, self._place())
        self._history.record(command, self._state, after)
        self._publish(after, command.label)

    def _place(self) -> Place:
        return Place(self.generation.registry, self.generation.number + 1)

    def _rebase(self) -> None:
        """Lay the person's edits over what the files now say."""
        self._base = base_state(self._loaded, os.environ.get)
        base = replace(self._base, activation=self._state.activation)
        self._state, failed = self._history.overlay(base, self._place())
        for command, reason in failed:
            self.events.emit(Notice("warning", "edit-no-longer-fits", f"{command.label}: {reason}"))

    def _occasion(self, cause: str, files: tuple[str, ...]) -> Occasion:
        return Occasion(cause=cause, at=self._clock(), wall=self._wall(), trusted=self._trusted, files=files)

    def _publish(self, state: EditState, cause: str, files: tuple[str, ...] = ()) -> None:
        """Build the next generation and put it in place in one assignment (R-REG 1)."""
        previous = self._generations[-1] if self._generations else None
        occasion = self._occasion(cause, files)
        generation, self._state = self._builder.build(self._loaded, state, occasion, previous)
        if generation is previous:
            self.events.emit(RefreshChangedNothing(cause))
            return
        if previous is not None and generation.number == previous.number:
            self._generations[-1] = generation
            error = generation.error
            assert error is not None
            origin = error.origin
            self.events.emit(Notice("error", error.code, error.message, origin.file, origin.line, origin.column))
            return
        self._generations.append(generation)
        diff = generation.diff
        duration = self._clock() - occasion.at
        self.events.emit(
            GenerationBuilt(generation.number, cause, diff.added, diff.removed, diff.changed, files, duration)
        )

    def _after_call(self, entry: Entry) -> None:
        """Let the stepper forget a call that is over."""
        if isinstance(entry.event, CallEnded):
            self.stepper.ended(entry.event.call)

    def _late(self, label: str, seconds: float) -> None:
        """Tell of a hook whose code ended after all; its answer is dropped."""
        self.events.emit(Notice("warning", "late", f"{label} ended after {seconds:.1f} s; nobody waits for it"))

    def _tell_sources(self, before: tuple[SourceState, ...]) -> None:
        """Tell each source whose state is another than before."""
        known = {one.id: one for one in before}
        for one in self._loaded.sources:
            old = known.get(one.id)
            if old is None or (old.state, old.error) != (one.state, one.error):
                self.events.emit(SourceChanged(one.id, one.state, one.tools, one.error))

    def _shown(self, changed: frozenset[Path]) -> tuple[str, ...]:
        """Return paths as people see them."""
        return tuple(
            sorted(
                path.relative_to(self.folder).as_posix() if path.is_relative_to(self.folder) else str(path)
                for path in changed
            )
        )
