"""Rule hooks: blocks, sets and replacements that a session file says without code (formats: hooks)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Literal

from toolbench.running.patterns import PatternError, compile_pattern, replace_all
from toolbench.tools.hooks import Block, Call, Handler, Replace, Result, Rewrite, Stage
from toolbench.tools.patterns import glob

Run = Callable[[Call, Result | None], Awaitable[Any]]
SLOW: Final = 2.0
"""Seconds that `fault: slow` takes."""


def rule_handler(
    *,
    id: str,  # noqa: A002 - the word of the session file
    on: Stage,
    tools: tuple[str, ...],
    data: Mapping[str, Any],
    file: str | None,
    line: int | None,
    source: str,
    enabled: bool = True,
    timeout: float | None = None,
    on_timeout: Literal["block", "skip"] = "block",
) -> Handler:
    """Return the handler of one rule.

    Args:
        id: the hook's.
        on: the point at which it runs.
        tools: name patterns.
        data: the entry as written: `when`, and one of `block`, `set`, `replace_text`, `fault`.
        file: where it is declared.
        line: in that file.
        source: the extension, or `session`.
        enabled: a disabled one is shown and never run.
        timeout: seconds.
        on_timeout: what a time-out means.
    """
    run: Run
    blocks: str | None = None
    try:
        run = _when(data.get("when"), _action(data))
    except PatternError as error:
        run, blocks = _fails(str(error)), str(error)
    return Handler(
        id=id,
        stage=on,
        run=run,
        tools=tools,
        file=file,
        line=line,
        source=source,
        kind="rule",
        enabled=enabled,
        timeout=timeout,
        on_timeout=on_timeout,
        blocks_because=blocks,
    )


def _when(conditions: Any, action: Run) -> Run:
    """Run the action only where each named argument fits its pattern (`*` globs; exactly as written otherwise)."""
    if not conditions:
        return action
    tests = {key: glob(_text(pattern)) for key, pattern in conditions.items()}

    async def run(call: Call, result: Result | None) -> Any:
        for key, fits in tests.items():
            if key not in call.input or not fits(_text(call.input[key])):
                return None
        return await action(call, result)

    return run


def _text(value: Any) -> str:
    """Return a value as it is matched: text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, default=repr)


def _action(data: Mapping[str, Any]) -> Run:
    """Return what a rule does."""
    if "block" in data:
        return _block(data["block"])
    if "set" in data:
        return _set(data["set"])
    if "replace_text" in data:
        return _replace_text(data["replace_text"])
    return _fault(str(data.get("fault", "throw")))


def _block(reason: Any) -> Run:
    async def run(_call: Call, _result: Result | None) -> Any:
        return None if reason is False else Block(reason) if isinstance(reason, str) and reason else Block()

    return run


def _set(values: Mapping[str, Any]) -> Run:
    async def run(call: Call, _result: Result | None) -> Any:
        return Replace({**call.input, **values})

    return run


def _replace_text(replacements: Mapping[str, str]) -> Run:
    """Replace in every text of the input (before), or of content and details (after)."""
    compiled = {compile_pattern(pattern): text for pattern, text in replacements.items()}

    async def run(call: Call, result: Result | None) -> Any:
        if result is None:
            replaced = await replace_all(compiled, call.input)
            return None if replaced == call.input else Replace(replaced)
        content = await replace_all(compiled, result.content)
        details = await replace_all(compiled, result.details)
        if content == result.content and details == result.details:
            return None
        return Rewrite(content=content, details=details)

    return run


def _fails(message: str) -> Run:
    async def run(_call: Call, _result: Result | None) -> Any:
        raise PatternError(message)

    return run


def _fault(kind: str) -> Run:
    """Misbehave on purpose: to see what a host makes of it."""

    async def run(_call: Call, _result: Result | None) -> Any:
        match kind:
            case "timeout":
                await asyncio.Event().wait()
            case "garbage":
                return ["this", "is", "no", "answer"]
            case "slow":
                await asyncio.sleep(SLOW)
            case _:
                raise RuntimeError("fault: throw")
        return None

    return run
