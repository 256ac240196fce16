"""A session under test: opened with a clock that stands still, called without an event loop of one's own."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Final, Self

from toolbench.session.clocks import noon, still
from toolbench.session.explain import explain_tool
from toolbench.session.session import Session
from toolbench.session.tickets import Ticket
from toolbench.tools.blocks import ToolUse
from toolbench.tools.hooks import MISSING
from toolbench.tools.report import BatchReport, CallReport

BUCKETS: Final = ("visible", "hidden", "off", "denied", "shadowed", "broken")


class Bench:
    """A session, and what a test asks of it. A context manager: leaving it closes the session.

    The methods run the session's coroutines on a loop of the bench's own. In an `async` test use `session` instead, and
    await its methods.
    """

    def __init__(self, session: Session) -> None:
        """Take over a session that is open."""
        self.session = session
        self._runner = asyncio.Runner()

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, trust: bool = False) -> Self:
        """Open a session with a clock that stands still. Ids are numbered from `call_1`.

        Args:
            path: the session file, or its folder.
            trust: let the session run code.

        Raises:
            SessionFileError: the session does not load.
        """
        return cls(Session.open(path, trust=trust, clock=still, wall=noon))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the session; what still runs is cancelled."""
        self._runner.run(self.session.aclose())
        self._runner.close()

    # Calls

    def call(self, name: str, arguments: Any = MISSING, *, call_id: str | None = None) -> CallReport:
        """Call a tool as a model would, hooks and all."""
        return self._runner.run(self.session.call(name, arguments, call_id=call_id))

    def fire(self, *uses: ToolUse | Mapping[str, Any], stop_reason: str | None = None) -> BatchReport:
        """Call the tools of one message.

        Args:
            uses: `tool_use` blocks; one without an id is numbered.
            stop_reason: why the model's message ended.
        """
        blocks = [use if isinstance(use, ToolUse) else self._use(use) for use in uses]
        return self._runner.run(self.session.fire(blocks, stop_reason=stop_reason))

    def _use(self, block: Mapping[str, Any]) -> ToolUse:
        """Read a `tool_use` block."""
        return ToolUse(block.get("id") or self.session.next_id(), block["name"], block.get("input", MISSING))

    # Changes

    def set(self, path: str, value: Any = None) -> None:
        """Set an entry such as `env.TOKEN`, `auth.github`, `active.read`."""
        _applied(self.session.set(path, value))

    def unset(self, path: str) -> None:
        """Unset an entry; see `set`."""
        _applied(self.session.unset(path))

    def toggle(self, *names: str) -> None:
        """Switch each tool to its other state."""
        _applied(self.session.toggle(names))

    # What there is to see

    def names(self, bucket: str) -> tuple[str, ...]:
        """Return the names in a bucket, in plan order."""
        if bucket not in BUCKETS:
            raise ValueError(f"{bucket!r} is no bucket: one of {', '.join(BUCKETS)}")
        return tuple(row.name for row in getattr(self.session.generation.buckets, bucket))

    def explain(self, name: str) -> dict[str, Any]:
        """Return all that is known of a tool, as `toolbench plan --explain NAME --json` tells it."""
        return explain_tool(self.session.generation, self.session.context, name)

    # Assertions

    def assert_visible(self, *names: str) -> None:
        """Assert that the model sees each of the tools."""
        for name in names:
            self.assert_bucket(name, "visible")

    def assert_hidden(self, name: str, *reasons: str) -> None:
        """Assert that a tool is hidden, and for exactly these reasons (`env-missing`) where any are given."""
        self.assert_bucket(name, "hidden")
        found = tuple(one["reason"] for one in self.explain(name)["diagnostics"])
        if reasons and found != reasons:
            raise AssertionError(f"{name} is hidden because of {', '.join(found)}, not {', '.join(reasons)}")

    def assert_bucket(self, name: str, bucket: str) -> None:
        """Assert in which bucket a tool stands; one of several claims to the name is enough."""
        if name not in self.names(bucket):
            told = self.explain(name)
            because = {key: told[key] for key in ("diagnostics", "denied", "shadowed", "off", "broken", "nearest")}
            reasons = {key: value for key, value in because.items() if value}
            raise AssertionError(f"{name} is {told['bucket']}, not {bucket}: {reasons or 'nothing speaks against it'}")


def _applied(ticket: Ticket) -> None:
    """Raise if a change did not take effect."""
    if ticket.state != "applied":
        raise AssertionError(f"{ticket.label} is {ticket.state}: {ticket.message or ticket.waits_for}")
