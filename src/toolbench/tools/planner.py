"""Which tools are visible, which hidden, and why (R-PLAN). Pure: same input, same plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from toolbench.tools.availability import AvailabilityContext, Diagnostic, evaluate_node, malformed
from toolbench.tools.descriptor import ToolDescriptor
from toolbench.tools.expression import MalformedExpression, Node


class ToolPlanContractError(Exception):
    """The tools cannot be planned: a host stops here (R-PLAN 5)."""

    def __init__(self, code: str, tool_name: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.tool_name = tool_name
        self.message = message


class HiddenTool(NamedTuple):
    """A tool whose signals are not met."""

    descriptor: ToolDescriptor
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class ToolPlan:
    """What the model may see and what it may not, in plan order."""

    visible: tuple[ToolDescriptor, ...]
    hidden: tuple[HiddenTool, ...]


def plan_key(descriptor: ToolDescriptor) -> tuple[str, str, str, str]:
    """Return what tools are sorted by: sort key or name, then name; case-folded first, then as written (R-PLAN 1)."""
    first, name = descriptor.sort_key or descriptor.name, descriptor.name
    return (first.casefold(), first, name.casefold(), name)


def plan_tools(descriptors: Iterable[ToolDescriptor], context: AvailabilityContext) -> ToolPlan:
    """Return the plan (R-PLAN).

    Raises:
        ToolPlanContractError: the first one in plan order: doubled names, then visible tools without executor.
    """
    return Planner(descriptors).plan(context)


def contract_errors(
    descriptors: Iterable[ToolDescriptor], context: AvailabilityContext
) -> tuple[ToolPlanContractError, ...]:
    """Return all contract errors, in the order in which a host would come upon them (R-PLAN 2, 4)."""
    planner = Planner(descriptors)
    return (*planner.duplicates, *planner.missing_executors(context))


class Planner:
    """Descriptors sorted and their conditions gathered, once; each plan then only evaluates these."""

    __slots__ = ("_conditional", "_nodes", "descriptors", "duplicates")

    def __init__(self, descriptors: Iterable[ToolDescriptor]) -> None:
        self.descriptors: Sequence[ToolDescriptor] = sorted(descriptors, key=plan_key)
        self.duplicates = tuple(_duplicates(self.descriptors))
        self._nodes: list[Node | MalformedExpression | None] = []
        """Each different condition."""
        self._conditional: list[tuple[int, int]] = []
        """The place of each descriptor that has a condition, and the condition's place in `_nodes`."""
        seen: dict[str, int] = {}
        for index, descriptor in enumerate(self.descriptors):
            if descriptor.availability is None:
                continue
            condition = descriptor.condition
            place = len(self._nodes) if condition.key is None else seen.setdefault(condition.key, len(self._nodes))
            if place == len(self._nodes):
                self._nodes.append(condition.node)
            self._conditional.append((index, place))

    def diagnose(self, context: AvailabilityContext) -> dict[int, tuple[Diagnostic, ...]]:
        """Return the diagnostics of each hidden descriptor, by its place in plan order."""
        answers = [
            (malformed(node),) if isinstance(node, MalformedExpression) else evaluate_node(node, context)
            for node in self._nodes
        ]
        return {index: why for index, place in self._conditional if (why := answers[place])}

    def missing_executors(self, context: AvailabilityContext) -> Iterator[ToolPlanContractError]:
        """Yield an error for each visible descriptor without an executor ref (R-PLAN 4)."""
        hidden = self.diagnose(context)
        for index, descriptor in enumerate(self.descriptors):
            if descriptor.executor is None and index not in hidden:
                yield missing_executor(descriptor.name)

    def plan(self, context: AvailabilityContext) -> ToolPlan:
        """Return the plan under a context.

        Raises:
            ToolPlanContractError: see `plan_tools`.
        """
        if self.duplicates:
            raise self.duplicates[0]
        hidden = self.diagnose(context)
        visible: list[ToolDescriptor] = []
        for index, descriptor in enumerate(self.descriptors):
            if index in hidden:
                continue
            if descriptor.executor is None:
                raise missing_executor(descriptor.name)
            visible.append(descriptor)
        descriptors = self.descriptors
        return ToolPlan(tuple(visible), tuple(HiddenTool(descriptors[index], why) for index, why in hidden.items()))


def missing_executor(name: str) -> ToolPlanContractError:
    """Return the contract error of a visible tool that names no executor."""
    return ToolPlanContractError("missing-executor", name, f"Tool {name} is visible but names no executor")


def duplicate_name(name: str, times: int) -> ToolPlanContractError:
    """Return the contract error of a name that is claimed more than once (R-PLAN 2)."""
    return ToolPlanContractError("duplicate-tool-name", name, f"Tool name {name} is declared {times} times")


def _duplicates(descriptors: Sequence[ToolDescriptor]) -> Iterator[ToolPlanContractError]:
    """Yield each doubled name, compared exactly, in plan order."""
    names = [descriptor.name for descriptor in descriptors]
    if len(set(names)) == len(names):
        return
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    for name, times in counts.items():
        if times > 1:
            yield duplicate_name(name, times)
