"""How the dispatcher does its work (formats: `settings`)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from toolbench.tools.descriptor import ExecutionMode, ToolDescriptor


@dataclass(frozen=True, slots=True, kw_only=True)
class DispatchSettings:
    """Times are in seconds."""

    hook_timeout: float = 10.0
    tool_timeout: float = 180.0
    max_timeout: float = 600.0
    """The most that a call's own `timeout` argument may ask for."""
    coerce_arguments: bool = False
    fill_defaults: bool = False
    revalidate: Literal["flag", "block"] = "flag"
    """What comes of arguments that no longer match the schema after hooks changed them (R-HOOK 4)."""
    tool_execution: ExecutionMode = "parallel"


def time_limit(descriptor: ToolDescriptor, arguments: Mapping[str, Any], settings: DispatchSettings) -> float:
    """Return the seconds that a call may take: its argument's, the tool's, or the session's (R-DISP 8)."""
    name = descriptor.timeout_argument
    if name is not None:
        asked = arguments.get(name)
        if isinstance(asked, int | float) and not isinstance(asked, bool) and math.isfinite(asked) and asked > 0:
            return min(float(asked), settings.max_timeout)
    return descriptor.timeout if descriptor.timeout is not None else settings.tool_timeout
