"""Which tools depend on an entry of the context."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolbench.session.paths import ContextPath
from toolbench.tools.availability import signals
from toolbench.tools.buckets import Buckets


def dependents(buckets: Buckets, path: ContextPath) -> tuple[str, ...]:
    """Return the names of the tools whose availability names the entry at `path`, or for config one above or below."""
    return tuple(
        row.name
        for row in buckets.all()
        if row.bucket not in ("shadowed", "denied", "broken")
        and any(names(signal, path) for signal in signals(row.claim.descriptor.availability))
    )


def names(signal: Mapping[str, Any], path: ContextPath) -> bool:
    """Tell whether a signal in the long form is about the entry."""
    match signal.get("kind"), path.kind:
        case ("auth", "auth"):
            return bool(signal.get("provider_id") == path.key)
        case ("plugin-enabled", "plugins"):
            return bool(signal.get("plugin_id") == path.key)
        case ("env", "env"):
            return bool(signal.get("name") == path.key)
        case ("context", "values"):
            return bool(signal.get("key") == path.key)
        case ("config", "config"):
            asked = tuple(signal.get("path") or ())
            shared = min(len(asked), len(path.parts))
            return asked[:shared] == path.parts[:shared]
        case _:
            return False
