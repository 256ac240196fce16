"""From a claim to something that can be called: its executor, its validator, the handlers that match it (R-REG 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from toolbench.executors.builtin import NEEDS_TRUST, builtin_executor
from toolbench.executors.command import command_executor
from toolbench.executors.python import python_executor
from toolbench.executors.refusing import refusing_executor
from toolbench.executors.reply import canned_executor, reply_executor
from toolbench.files.run import CannedRun, CommandRun, PythonRun, ReplyRun
from toolbench.running.code import CodeRunner
from toolbench.tools.dispatch import CallableTool
from toolbench.tools.executor import Executor
from toolbench.tools.hooks import Handler, Stage
from toolbench.tools.patterns import compile_patterns
from toolbench.tools.registry import Claim
from toolbench.tools.schema import Validator

RESTRICTED: Final = (
    "this session is restricted: the tool runs code, and its folder is not trusted "
    "(answer the question in the workbench, or run: toolbench trust)"
)


@dataclass(frozen=True, slots=True)
class BuiltinRun:
    """Binds a built-in tool to the host's own executor."""

    name: str


def needs_trust(claim: Claim) -> bool:
    """Tell whether calling the tool runs people's code (formats: Trust)."""
    match claim.binding:
        case PythonRun() | CommandRun():
            return True
        case BuiltinRun(name=name):
            return name in NEEDS_TRUST
        case _:
            return False


class Binder:
    """Makes callable tools and keeps them as long as claim and chain are the same objects.

    Keeping them keeps what executors hold, such as the place in a reply's sequence, over a refresh that did not touch
    the tool.
    """

    def __init__(self, runner: CodeRunner, folder: Path) -> None:
        """Create a binder.

        Args:
            runner: where people's Python runs.
            folder: the session's folder, in which things run.
        """
        self._runner = runner
        self._folder = folder
        self._executors: dict[tuple[str, str], tuple[tuple[str, bool, str], Executor]] = {}
        self._validators: dict[str, Validator] = {}

    def bound_to(
        self, hooks: tuple[Handler, ...], *, trusted: bool, versions: Mapping[str, str]
    ) -> Callable[[Claim], CallableTool]:
        """Return the function that binds claims under one chain of handlers and one state of trust.

        Args:
            hooks: all handlers, in the order of the chain.
            trusted: whether people's code may run.
            versions: for each file of Python tools, what tells its content from an earlier one.
        """
        matches = [(handler, compile_patterns(handler.tools)) for handler in hooks if handler.enabled]
        made: dict[str, CallableTool] = {}

        def chain(name: str, stage: Stage) -> tuple[Handler, ...]:
            return tuple(handler for handler, fits in matches if handler.stage == stage and fits(name))

        def bind(claim: Claim) -> CallableTool:
            name = claim.descriptor.name
            tool = made.get(name)
            if tool is None:
                tool = made[name] = CallableTool(
                    descriptor=claim.descriptor,
                    source=claim.source,
                    executor=self._executor(claim, trusted, versions),
                    validator=self._validator(claim),
                    before=chain(name, "before"),
                    after=chain(name, "after"),
                )
            return tool

        return bind

    def _validator(self, claim: Claim) -> Validator:
        """Return the validator of the claim's schema, compiled once for each content."""
        key = claim.digest
        validator = self._validators.get(key) if key else None
        if validator is None:
            validator = Validator(claim.descriptor.input_schema)
            if len(self._validators) > 4096:
                self._validators.clear()
            self._validators[key] = validator
        return validator

    def _executor(self, claim: Claim, trusted: bool, versions: Mapping[str, str]) -> Executor:
        """Return the claim's executor, the same one as long as its definition and its code are the same."""
        version = versions.get(claim.binding.file, "") if isinstance(claim.binding, PythonRun) else ""
        place, state = (claim.source, claim.descriptor.name), (claim.digest, trusted, version)
        known = self._executors.get(place)
        if known is not None and known[0] == state:
            return known[1]
        executor = self._make(claim) if trusted or not needs_trust(claim) else refusing_executor(RESTRICTED)
        self._executors[place] = (state, executor)
        return executor

    def _make(self, claim: Claim) -> Executor:
        """Make the executor that the claim's binding names."""
        name = claim.descriptor.name
        match claim.binding:
            case BuiltinRun(name=builtin):
                return builtin_executor(builtin, self._runner)
            case PythonRun() as run:
                return python_executor(run.file, run.function, self._runner)
            case CommandRun() as run:
                return command_executor(run.argv, stdin_json=run.stdin_json, folder=str(self._folder))
            case ReplyRun(reply=reply):
                return reply_executor(reply)
            case CannedRun():
                return canned_executor(name)
            case _:
                return refusing_executor(f"nothing runs {name}: its definition binds no executor")
