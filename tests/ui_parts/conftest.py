"""A session in memory for the parts of the screen: the real tool system, without files."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from textual.app import App

from toolbench.session.commands import Change, EditState, Place
from toolbench.session.context import ContextState
from toolbench.session.dependents import dependents
from toolbench.session.explain import explain_missing
from toolbench.session.generation import Generation
from toolbench.session.hub import EventHub
from toolbench.session.paths import parse_path
from toolbench.session.tickets import Ticket
from toolbench.tools.activation import start
from toolbench.tools.blocks import ToolUse
from toolbench.tools.buckets import sort_out
from toolbench.tools.descriptor import CoreExecutor, PluginExecutor, PluginOwner, ToolDescriptor
from toolbench.tools.dispatch import CallableTool, Dispatcher, DispatchSettings
from toolbench.tools.hooks import MISSING, Handler, Replace
from toolbench.tools.lock import FairLock
from toolbench.tools.policy import Policy
from toolbench.tools.registry import Claim, Origin, RegistryOptions, build_registry
from toolbench.tools.schema import Validator
from toolbench.tools.stepper import Stepper

HOSTILE = "[/] [bold]x[/foo] list[str] [@click=app.quit] \x1b]52;c;eA==\x07\u202e"
ISSUE = {
    "type": "object",
    "required": ["title"],
    "additionalProperties": False,
    "properties": {
        "title": {"type": "string", "description": HOSTILE},
        "labels": {"type": "array", "items": {"type": "string"}},
        "limit": {"type": "integer", "minimum": 1},
    },
}


def claim(name, source="github", availability=None, schema=ISSUE, description=HOSTILE, **fields):
    builtin = source == "builtin"
    descriptor = ToolDescriptor(
        name=name,
        description=description,
        input_schema=schema,
        availability=availability,
        executor=CoreExecutor(name) if builtin else PluginExecutor(source, name),
        **({} if builtin else {"owner": PluginOwner(source)}),
        **fields,
    )
    origin = Origin() if builtin else Origin(f"extensions/{source}/tools.yaml", 14, 5)
    kind = "builtin" if builtin else "extension"
    return Claim(descriptor=descriptor, source=source, kind=kind, origin=origin, digest=name, size=400)


CLAIMS = (
    claim("read", "builtin", schema={"type": "object", "properties": {"path": {"type": "string"}}}),
    claim("create_issue", availability={"all_of": [{"plugin": "github"}, {"auth": "github"}, {"env": "GH_TOKEN"}]}),
    claim("list_issues", availability={"any_of": [{"env": "GH_TOKEN"}, {"config": "github.anonymous"}]}),
    claim("odd", availability={"allOf": []}),
)


async def cap(call, _result):
    return Replace({**call.input, "limit": 10})


async def watch(_call, _result):
    return None


class InMemorySession:
    """What the parts of the screen use of `Session`, over the same dispatcher, planner and stepper."""

    name = f"Release {HOSTILE}"
    provider = "anthropic"
    folder = Path("/srv/release")
    queued = ()

    def __init__(self, claims=CLAIMS):
        self.claims = claims
        self.trusted, self.remembered, self.now = False, None, lambda: 1.0
        self.events = EventHub(lambda: 1.0)
        self.stepper = Stepper(emit=self.events.emit, clock=lambda: 1.0)
        self.dispatcher = Dispatcher(emit=self.events.emit, clock=lambda: 1.0, lock=FairLock())
        self.dispatcher.add_monitor(self.stepper)
        self.hooks = (
            Handler(id="cap", stage="before", run=cap, tools=("create_issue",), file="hooks.py", line=8),
            Handler(id="audit", stage="before", run=watch, tools=("create_issue",)),
            Handler(id="redact", stage="after", run=watch),
        )
        self.calls = (
            SimpleNamespace(label="read notes", uses=(ToolUse("x", "read", {"path": HOSTILE}),), batch=False, line=3),
            SimpleNamespace(label="two", uses=(ToolUse("x", "read"), ToolUse("x", "nothing", {})), batch=True, line=4),
        )
        self.runnable = (SimpleNamespace(kind="hooks", what=f"import {HOSTILE}", where="session.yaml:3"),)
        self.undone, self._ids, self._history = [], 0, []
        self.registry = build_registry(claims, RegistryOptions())
        context = ContextState(auth=("github",), plugins=("github",), env={"API_TOKEN": "sesame"}, values={"n": 1})
        self._state = EditState(context, Policy(), start(self.registry))
        self.generation = self._built(self._state, 1)

    @property
    def context(self):
        return self._state.context

    @property
    def generations(self):
        return (self.generation,)

    @property
    def running(self):
        return self.dispatcher.running

    @property
    def undo_label(self):
        return self._history[-1][1] if self._history else None

    def _built(self, state, number):
        return Generation(
            number=number, cause="test", at=0.0, wall=0.0, hash=str(number), registry=self.registry,
            buckets=sort_out(self.registry, state.activation, state.context.availability()),
            activation=state.activation, prompt=f"You help. {HOSTILE}", provider=self.provider,
            settings=DispatchSettings(), workspace=None, hooks=self.hooks, sources=(), warnings=(), files=(),
            bind=self._bind, explain_missing=explain_missing,
        )  # fmt: skip

    def _bind(self, one):
        async def run(arguments, _context):
            return f"ran {arguments} {HOSTILE}"

        chain = [h for h in self.hooks if h.tools == ("*",) or one.name in h.tools]
        return CallableTool(
            descriptor=one.descriptor, source=one.source, executor=run,
            validator=Validator(one.descriptor.input_schema),
            before=tuple(h for h in chain if h.stage == "before"), after=tuple(h for h in chain if h.stage == "after"),
        )  # fmt: skip

    def replace_claims(self, claims):
        self.registry = build_registry(claims, RegistryOptions())
        self._state = replace(self._state, activation=start(self.registry))
        self.generation = self._built(self._state, self.generation.number + 1)

    def dependents(self, path):
        return dependents(self.generation.buckets, parse_path(path))

    def _publish(self, state, label):
        self._state = state
        self.generation = self._built(state, self.generation.number + 1)
        return Ticket(self.generation.number, label, state="applied")

    def _change(self, change):
        after = change.apply(self._state, Place(self.registry, self.generation.number + 1))
        self._history.append((self._state, change.label))
        return self._publish(after, change.label)

    def set(self, path, value=None):
        return self._change(Change.parse("set", path, value))

    def unset(self, path):
        return self._change(Change.parse("unset", path))

    def undo(self):
        if not self._history:
            return Ticket(0, "undo", state="refused", message="nothing to undo")
        state, label = self._history.pop()
        self.undone.append(label)
        return self._publish(state, f"undo {label}")

    redo = undo

    def preview(self, changes):
        state = self._state
        for change in changes:
            state = change.apply(state, Place(self.registry, 0))
        would = self._built(state, 0)
        now, then = self.generation.callable_claims, would.callable_claims
        return SimpleNamespace(
            generation=would,
            appears=tuple(name for name in then if name not in now),
            vanishes=tuple(name for name in now if name not in then),
        )

    def next_id(self):
        self._ids += 1
        return f"call_{self._ids}"

    async def call(self, name, tool_input=MISSING, *, call_id=None):
        return await self.dispatcher.call(ToolUse(call_id or self.next_id(), name, tool_input), self.generation)

    async def fire(self, uses, *, stop_reason=None):
        return await self.dispatcher.batch(uses, self.generation, stop_reason=stop_reason)

    def cancel(self, call):
        return self.dispatcher.cancel(call)

    async def set_trusted(self, trusted, *, remember=False):
        self.trusted, self.remembered = trusted, remember


@pytest.fixture
def session():
    return InMemorySession()


@pytest.fixture
def new_claim():
    return claim


@pytest.fixture
def show():
    """Make an application that shows one screen, or one widget on the default screen."""

    def make(part, *, screen=True):
        class Host(App[None]):
            answer = None

            def compose(self):
                if not screen:
                    yield part

            def on_mount(self):
                if screen:
                    self.push_screen(part, self._answered)

            def _answered(self, answer):
                self.answer = answer

        return Host()

    return make


@pytest.fixture
def text():
    """Read what stands on the screen, line by line."""

    def read(app):
        width, height = app.size
        lines = app.screen._compositor.render_strips(app.size)
        assert len(lines) <= height
        return "\n".join(strip.text[:width].rstrip() for strip in lines)

    return read


@pytest.fixture
def until():
    """Wait until something is so, in turns of the event loop and not in seconds."""

    async def wait(pilot, condition):
        for _ in range(200):
            await pilot.pause()
            if condition():
                return
        raise AssertionError("it never came to be")

    return wait
