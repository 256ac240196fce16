"""A handler that stands for a hook which cannot run here: it blocks what the hook names (fail closed)."""

from __future__ import annotations

from typing import Any

from toolbench.tools.hooks import Call, Handler, Result, Stage


def blocking_handler(
    *,
    id: str,  # noqa: A002 - the word of the session file
    stage: Stage,
    tools: tuple[str, ...],
    reason: str,
    file: str | None,
    line: int | None,
    source: str,
) -> Handler:
    """Return the handler; the chain answers `reason` for it and never runs it."""
    return Handler(
        id=id,
        stage=stage,
        run=_never,
        tools=tools,
        file=file,
        line=line,
        source=source,
        kind="blocked",
        blocks_because=reason,
    )


async def _never(_call: Call, _result: Result | None) -> Any:
    raise AssertionError("a blocking handler is answered by the chain")
