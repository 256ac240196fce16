"""A generation of tools held in memory: what the dispatcher asks for, and nothing of files or sessions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from toolbench.tools.blocks import ToolUse
from toolbench.tools.descriptor import ToolDescriptor
from toolbench.tools.dispatch import Dispatcher
from toolbench.tools.events import Event
from toolbench.tools.hooks import Call, Handler, Result
from toolbench.tools.report import BatchReport, CallReport
from toolbench.tools.schema import Validator
from toolbench.tools.settings import DispatchSettings
from toolbench.tools.toolset import CallableTool


async def echo(arguments: dict[str, Any], _context: Any) -> Any:
    """Return the arguments as they came."""
    return arguments


async def never(_arguments: dict[str, Any], _context: Any) -> Any:
    """Wait for ever."""
    await asyncio.Event().wait()


def before(name: str, answer: Any = None, **fields: Any) -> Handler:
    """Make a before handler of an answer, or of a function that gets the call."""
    return Handler(id=name, stage="before", run=_runner(lambda call, _result: _answered(answer, call)), **fields)


def after(name: str, answer: Any = None, **fields: Any) -> Handler:
    """Make an after handler of an answer, or of a function that gets call and result."""
    return Handler(id=name, stage="after", run=_runner(lambda call, result: _answered(answer, call, result)), **fields)


def _answered(answer: Any, *given: Any) -> Any:
    return answer(*given) if callable(answer) else answer


def _runner(function: Callable[[Call, Result | None], Any]) -> Callable[[Call, Result | None], Any]:
    async def run(call: Call, result: Result | None) -> Any:
        answer = function(call, result)
        return await answer if asyncio.iscoroutine(answer) else answer

    return run


@dataclass
class Small:
    """A toolset of a few tools."""

    settings: DispatchSettings = field(default_factory=DispatchSettings)
    number: int = 1
    workspace: str | None = None
    tools: dict[str, CallableTool] = field(default_factory=dict)

    def lookup(self, name: str) -> CallableTool | None:
        """Return the tool of that name."""
        return self.tools.get(name)

    def why(self, name: str) -> Mapping[str, Any]:
        """Tell that there is none."""
        return {"name": name, "why": "unknown"}


@dataclass
class Rig:
    """A dispatcher, its tools and all that it told."""

    toolset: Small = field(default_factory=Small)
    events: list[Event] = field(default_factory=list)
    dispatcher: Dispatcher = field(init=False)

    def __post_init__(self) -> None:
        self.dispatcher = Dispatcher(emit=self.events.append, clock=time.monotonic)

    def settings(self, **changes: Any) -> None:
        """Set how calls are dispatched."""
        self.toolset.settings = DispatchSettings(**changes)

    def tool(
        self,
        name: str,
        executor: Any = echo,
        *hooks: Handler,
        schema: Any = None,
        **fields: Any,
    ) -> None:
        """Add a tool with the hooks that match it."""
        descriptor = ToolDescriptor(name=name, input_schema={"type": "object"} if schema is None else schema, **fields)
        self.toolset.tools[name] = CallableTool(
            descriptor=descriptor,
            source="session",
            executor=executor,
            validator=Validator(descriptor.input_schema),
            before=tuple(hook for hook in hooks if hook.stage == "before"),
            after=tuple(hook for hook in hooks if hook.stage == "after"),
        )

    async def call(self, name: str, tool_input: Any = None, use_id: str = "t1") -> CallReport:
        """Call a tool."""
        return await self.dispatcher.call(ToolUse(use_id, name, {} if tool_input is None else tool_input), self.toolset)

    async def batch(self, *names: str, stop_reason: str | None = None) -> BatchReport:
        """Call tools in one message; `name:id` names the id, else they are t1, t2, …"""
        uses = []
        for number, text in enumerate(names, 1):
            name, _, use_id = text.partition(":")
            uses.append(ToolUse(use_id or f"t{number}", name, {}))
        return await self.dispatcher.batch(uses, self.toolset, stop_reason=stop_reason)

    def told(self, kind: type) -> list[Any]:
        """Return the events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]


def text_of(report: CallReport) -> str:
    """Return the text of a result's blocks."""
    return "".join(block.get("text", "") for block in report.result.content)
