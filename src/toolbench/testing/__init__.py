"""For those who test what they built with toolbench: a pytest plugin, and the pieces that it is made of.

The fixtures `toolbench_session` and `toolbench_snap` are there as soon as toolbench is installed; see `plugin`. The
names below are imported when first used: pytest loads the plugin in every run, of this project or not.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolbench.testing.bench import Bench
    from toolbench.testing.reports import hook_verdicts, result_text

_HOMES = {
    "Bench": "toolbench.testing.bench",
    "hook_verdicts": "toolbench.testing.reports",
    "result_text": "toolbench.testing.reports",
}

__all__ = ["Bench", "hook_verdicts", "result_text"]


def __getattr__(name: str) -> Any:
    """Import a public name from its home on first use.

    Raises:
        AttributeError: there is no such public name.
    """
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'toolbench.testing' has no attribute {name!r}")
    return getattr(import_module(home), name)
