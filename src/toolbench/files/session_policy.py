"""Reads `policy:` (R-POL)."""

from __future__ import annotations

from toolbench.files.reading import Fields
from toolbench.tools.policy import LAYERS, Layer, Policy


def read_policy(fields: Fields) -> Policy:
    """Return the groups and layers; a wrong entry is told and left out."""
    below = fields.below("policy")
    if below is None:
        return Policy()
    below.known(("groups", *LAYERS))
    layers = [layer for name in LAYERS if name in below.value and (layer := _layer(below, name)) is not None]
    return Policy(groups=_groups(below), layers=tuple(layers))


def _layer(fields: Fields, name: str) -> Layer | None:
    below = fields.below(name)
    if below is None:
        return None
    below.known(("allow", "deny", "also_allow", "alsoAllow"))
    also = "alsoAllow" if "alsoAllow" in below.value else "also_allow"
    return Layer(name=name, allow=below.names("allow"), deny=below.names("deny"), also_allow=below.names(also) or ())


def _groups(fields: Fields) -> dict[str, tuple[str, ...]]:
    """Return the groups; the prefix `group:` may be left out where they are declared."""
    below = fields.below("groups")
    if below is None:
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for name in below.value:
        members = below.names(name)
        if members is not None:
            found[name if name.startswith("group:") else f"group:{name}"] = members
    return found
