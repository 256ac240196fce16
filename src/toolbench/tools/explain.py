"""The whole tree of an availability expression: nodes passed or failed, leaves with wanted and found (R-AVAIL 6)."""

from __future__ import annotations

from typing import Any

from toolbench.tools.availability import AvailabilityContext, check_signal, empty_group, evaluate_node, malformed
from toolbench.tools.expression import MalformedExpression, Node, Signal, parse


def explain(expression: Any, context: AvailabilityContext) -> dict[str, Any] | None:
    """Return the tree as JSON data, None for no expression.

    A group is `{"all_of": [...], "passed": …}`, a leaf `{"signal", "passed", "wanted", "found", "reason", "message"}`,
    an expression of wrong shape `{"malformed": PATH, "message", "passed": false}`.
    """
    try:
        node = parse(expression)
    except MalformedExpression as error:
        told = malformed(error)
        return {"malformed": error.path, "message": told.message, "found": error.message, "passed": False}
    return None if node is None else _tree(node, context)


def _tree(node: Node, context: AvailabilityContext) -> dict[str, Any]:
    """Return one node with all below it."""
    if isinstance(node, Signal):
        failure = check_signal(node, context)
        return {
            "signal": dict(node.long),
            "passed": failure is None,
            "wanted": None if failure is None else failure.wanted,
            "found": None if failure is None else failure.found,
            "reason": None if failure is None else failure.reason,
            "message": None if failure is None else failure.message,
        }
    whole: dict[str, Any] = {
        node.kind: [_tree(child, context) for child in node.children],
        "passed": not evaluate_node(node, context),
    }
    if not node.children:
        whole["message"] = empty_group(node).message
    return whole
