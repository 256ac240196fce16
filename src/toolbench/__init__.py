"""The public API of toolbench, imported when first used (PEP 562)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from toolbench._version import __version__

if TYPE_CHECKING:
    from toolbench.handlers.api import after, before
    from toolbench.session.session import Session
    from toolbench.tools.executor import ToolContext
    from toolbench.tools.hooks import Ask, Block, Call, Replace, Result, Rewrite

_HOMES = {
    "Ask": "toolbench.tools.hooks",
    "Block": "toolbench.tools.hooks",
    "Call": "toolbench.tools.hooks",
    "Replace": "toolbench.tools.hooks",
    "Result": "toolbench.tools.hooks",
    "Rewrite": "toolbench.tools.hooks",
    "Session": "toolbench.session.session",
    "ToolContext": "toolbench.tools.executor",
    "after": "toolbench.handlers.api",
    "before": "toolbench.handlers.api",
}

__all__ = [
    "Ask",
    "Block",
    "Call",
    "Replace",
    "Result",
    "Rewrite",
    "Session",
    "ToolContext",
    "__version__",
    "after",
    "before",
]


def __getattr__(name: str) -> Any:
    """Import a public name from its home on first use.

    Raises:
        AttributeError: the package has no such public name.
    """
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'toolbench' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted(__all__)
