"""Where calls are stopped: at tools that a person chose, or everywhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolbench.tools.stepper import everywhere

if TYPE_CHECKING:
    from toolbench.tools.monitor import Point
    from toolbench.tools.stepper import Stepper


@dataclass(slots=True)
class Breakpoints:
    """What the stepper is asked to stop at."""

    tools: set[str] = field(default_factory=set)

    def toggle(self, tool: str, stepper: Stepper) -> bool:
        """Stop at every step of a tool's calls, or no longer; tell which."""
        self.tools ^= {tool}
        stepper.should_stop = self._hit if self.tools else everywhere
        stepper.mode = "step" if self.tools else "off"
        return tool in self.tools

    def toggle_everywhere(self, stepper: Stepper) -> bool:
        """Stop every call at each step, or only where breakpoints are; tell which."""
        stops = not (stepper.mode == "step" and stepper.should_stop is everywhere)
        stepper.should_stop = everywhere if stops or not self.tools else self._hit
        stepper.mode = "step" if stops or self.tools else "off"
        return stops

    def _hit(self, point: Point) -> bool:
        return point.tool in self.tools
