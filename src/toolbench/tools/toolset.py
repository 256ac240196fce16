"""What the dispatcher asks of a generation (R-DISP 14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from toolbench.tools.descriptor import ToolDescriptor
from toolbench.tools.executor import Executor
from toolbench.tools.hooks import Handler
from toolbench.tools.schema import Validator
from toolbench.tools.settings import DispatchSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class CallableTool:
    """A tool with all that a call of it needs; every tool of every source goes through the same (R-REG 5)."""

    descriptor: ToolDescriptor
    source: str
    executor: Executor
    validator: Validator
    before: tuple[Handler, ...] = ()
    """The handlers that match the tool, in the order of the chain."""
    after: tuple[Handler, ...] = ()


class Toolset(Protocol):
    """One generation's tools, by which a call runs from its start to its end."""

    @property
    def number(self) -> int:
        """The generation's number."""

    @property
    def settings(self) -> DispatchSettings:
        """How calls are dispatched."""

    @property
    def workspace(self) -> str | None:
        """The folder that built-in tools may touch."""

    def lookup(self, name: str) -> CallableTool | None:
        """Return the visible and active tool of that name (R-DISP 2)."""

    def why(self, name: str) -> Mapping[str, Any]:
        """Tell a person why there is none (R-DISP 3)."""
