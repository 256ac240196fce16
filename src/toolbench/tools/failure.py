"""How an execution ended, and what a tool's exception says (R-DISP 10)."""

from __future__ import annotations

import asyncio
from typing import Literal, TypeAlias

Outcome: TypeAlias = Literal["ok", "error", "timeout", "aborted"]


def error_message(error: BaseException) -> str:
    """Return what a tool's exception says, its type when it says nothing; a group tells all of its members."""
    if isinstance(error, BaseExceptionGroup):
        members = "; ".join(error_message(one) for one in error.exceptions[:10])
        return f"{error.message}: {members}"
    if isinstance(error, SystemExit):
        return f"the tool tried to exit with {error.code!r}"
    text = str(error)
    if isinstance(error, asyncio.CancelledError | KeyboardInterrupt):
        return f"{type(error).__name__}: {text}" if text else type(error).__name__
    return text if text.strip() else type(error).__name__
