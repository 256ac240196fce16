"""What a call costs, as a multiple of the bare `await fn(**arguments)` of the same function: B (P1 to P3, P12)."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

import pytest
from ledger import Row, ratios, record

from toolbench.session.hub import EventHub
from toolbench.tools.blocks import ToolUse
from toolbench.tools.descriptor import ToolDescriptor
from toolbench.tools.dispatch import Dispatcher
from toolbench.tools.hooks import Handler
from toolbench.tools.schema import Validator
from toolbench.tools.settings import DispatchSettings
from toolbench.tools.toolset import CallableTool

ARGUMENTS = {"path": "a.txt", "line": 2, "all": True, "ratio": 1.5, "mode": "w"}
SCHEMA = {
    "type": "object",
    "required": ["path"],
    "properties": {
        "path": {"type": "string"},
        "line": {"type": "integer"},
        "all": {"type": "boolean"},
        "ratio": {"type": "number"},
        "mode": {"type": "string"},
    },
}


async def work(path, line, all, ratio, mode):  # noqa: A002 - as a tool's author would write it
    return "done"


async def executor(arguments, _context):
    return await work(**arguments)


async def passes(_call, _result):
    return None


@dataclass
class Tools:
    """Two tools: without hooks and with three before and three after."""

    settings: DispatchSettings = field(default_factory=DispatchSettings)
    number: int = 1
    workspace: str | None = None

    def __post_init__(self):
        before = tuple(Handler(id=f"b{number}", stage="before", run=passes) for number in range(3))
        after = tuple(Handler(id=f"a{number}", stage="after", run=passes) for number in range(3))
        self.tools = {"plain": _tool("plain", (), ()), "hooked": _tool("hooked", before, after)}

    def lookup(self, name):
        return self.tools.get(name)

    def why(self, name):
        return {}


def _tool(name, before, after):
    return CallableTool(
        descriptor=ToolDescriptor(name=name, input_schema=SCHEMA),
        source="session",
        executor=executor,
        validator=Validator(SCHEMA),
        before=before,
        after=after,
    )


def bare():
    return work(**ARGUMENTS)


async def test_dispatch_alone():
    tools, dispatcher = Tools(), Dispatcher(clock=time.monotonic)
    plain, hooked = ToolUse("t1", "plain", ARGUMENTS), ToolUse("t1", "hooked", ARGUMENTS)
    wrong = ToolUse("t1", "plain", {**ARGUMENTS, "line": "two"})
    without, with_hooks, refused = await ratios(
        bare,
        lambda: dispatcher.call(plain, tools),
        lambda: dispatcher.call(hooked, tools),
        lambda: dispatcher.call(wrong, tools),
        times=1000,
    )
    record(Row("P1", "dispatch, no hooks", without, 9, "B", "with its time limit and report", known=32))
    record(Row("P1", "dispatch, 3 + 3 hooks", with_hooks, 14, "B", "each timed, limited, reported whole", known=165))
    record(Row("P3", "wrong arguments → error result with path", refused, 16, "B", known=50))


async def test_dispatch_with_events():
    tools, hub = Tools(), EventHub(time.monotonic)
    dispatcher = Dispatcher(emit=hub.emit, clock=time.monotonic)
    plain = ToolUse("t1", "plain", ARGUMENTS)
    own, in_task = await ratios(
        bare,
        lambda: dispatcher.call(plain, tools),
        lambda: asyncio.create_task(dispatcher.call(plain, tools)),
        times=500,
    )
    record(Row("P2", "the same with events, in the caller's task", own, 18, "B", "six events kept", known=70))
    record(Row("P2", "the same in a task of its own", in_task, 60, "B"))


async def test_peers():
    """Where pydantic-ai is installed beside us: the same work through its ToolManager."""
    pydantic_ai = pytest.importorskip("pydantic_ai", reason="no peer is installed")
    from pydantic_ai._run_context import RunContext
    from pydantic_ai._tool_manager import ToolManager
    from pydantic_ai.messages import ToolCallPart
    from pydantic_ai.models.test import TestModel
    from pydantic_ai.usage import RunUsage

    toolset = pydantic_ai.FunctionToolset(tools=[work])
    context = RunContext(deps=None, model=TestModel(), usage=RunUsage())
    manager = await ToolManager(toolset).for_run_step(context)
    part = ToolCallPart("work", ARGUMENTS)
    tools, dispatcher = Tools(), Dispatcher(clock=time.monotonic)
    plain = ToolUse("t1", "plain", ARGUMENTS)
    (theirs,) = await ratios(
        lambda: dispatcher.call(plain, tools), lambda: manager.handle_call(part), times=200, rounds=5
    )
    record(Row("P12", "dispatch against pydantic-ai's ToolManager", theirs, 5, "times", at_least=True))
