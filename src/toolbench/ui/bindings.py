"""Every key that can be configured, by the id of its action."""

from __future__ import annotations

from collections.abc import Iterator

from textual.binding import Binding
from textual.dom import DOMNode

from toolbench.ui.app import ToolbenchApp
from toolbench.ui.screens.calls import ReadyCallsScreen
from toolbench.ui.screens.context import ContextScreen
from toolbench.ui.screens.fire import FireScreen
from toolbench.ui.screens.help import HelpScreen
from toolbench.ui.screens.main import MainScreen
from toolbench.ui.screens.model import ModelScreen
from toolbench.ui.screens.pager import PagerScreen
from toolbench.ui.screens.trust import TrustScreen
from toolbench.ui.widgets.filter_bar import FilterBar
from toolbench.ui.widgets.hook_log import HookLogPanel
from toolbench.ui.widgets.inspector import Inspector
from toolbench.ui.widgets.registry import Registry
from toolbench.ui.widgets.step_dock import StepDock

OWNERS: tuple[type[DOMNode], ...] = (
    ToolbenchApp,
    MainScreen,
    Registry,
    Inspector,
    HookLogPanel,
    StepDock,
    FilterBar,
    FireScreen,
    ContextScreen,
    ReadyCallsScreen,
    ModelScreen,
    PagerScreen,
    TrustScreen,
    HelpScreen,
)


def binding_ids() -> frozenset[str]:
    """Return the ids of all bindings."""
    return frozenset(binding.id for binding in _bindings() if binding.id is not None)


def _bindings() -> Iterator[Binding]:
    for owner in OWNERS:
        yield from (binding for binding in owner.BINDINGS if isinstance(binding, Binding))
