"""Which tools are visible, which hidden, and why (R-PLAN). Pure: same input, same plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from toolbench.tools.availability import AvailabilityContext, Diagnostic, evaluate_node, malformed
from toolbench.tools.descriptor import ToolDescriptor
from toolbench.tools.expression import MalformedExpression, Node, parse


class ToolPlanContractError(Exception):
    """The tools cannot be planned: a host stops here (R-PLAN 5)."""

    def __init__(self, code: str, tool_name: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.tool_name = tool_name
        self.message = message


@dataclass(frozen=True, slots=True)
class HiddenTool:
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
    """Descriptors sorted and their expressions read, once; each plan then only evaluates them."""

    __slots__ = ("_conditional", "_plain", "descriptors", "duplicates")

    def __init__(self, descriptors: Iterable[ToolDescriptor]) -> None:
        self.descriptors: Sequence[ToolDescriptor] = sorted(descriptors, key=plan_key)
        self.duplicates = tuple(_duplicates(self.descriptors))
        self._conditional: list[tuple[int, Node | Diagnostic]] = []
        for index, descriptor in enumerate(self.descriptors):
            if descriptor.availability is not None:
                self._conditional.append((index, _read(descriptor)))
        self._plain = not self._conditional

    def diagnose(self, context: AvailabilityContext) -> dict[int, tuple[Diagnostic, ...]]:
        """Return the diagnostics of each hidden descriptor, by its place in plan order."""
        found: dict[int, tuple[Diagnostic, ...]] = {}
        for index, node in self._conditional:
            diagnostics = (node,) if isinstance(node, Diagnostic) else evaluate_node(node, context)
            if diagnostics:
                found[index] = diagnostics
        return found

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
        hidden = {} if self._plain else self.diagnose(context)
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


def _read(descriptor: ToolDescriptor) -> Node | Diagnostic:
    """Read an expression; one of wrong shape becomes its one diagnostic."""
    try:
        node = parse(descriptor.availability)
    except MalformedExpression as error:
        return malformed(error)
    assert node is not None
    return node
