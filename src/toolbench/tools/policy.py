"""May a tool exist here? Layers of allow and deny, each narrowing what the one before left (R-POL)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from toolbench.tools.descriptor import ChannelOwner, CoreOwner, Owner, PluginOwner
from toolbench.tools.patterns import matcher, normalize_name

LAYERS: Final = (
    "profile",
    "provider_profile",
    "global",
    "global_provider",
    "agent",
    "agent_provider",
    "group",
    "sender",
    "sandbox",
    "subagent",
    "inherited",
)
PROFILES: Final = frozenset({"profile", "provider_profile"})
_UP_TO_GROUP: Final = frozenset(LAYERS[: LAYERS.index("group") + 1])
PLUGIN_TOOLS: Final = "group:plugins"


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer. Deny beats allow; an empty or absent `allow` allows all (R-POL 1)."""

    name: str
    allow: tuple[str, ...] | None = None
    deny: tuple[str, ...] | None = None
    also_allow: tuple[str, ...] = ()
    """Added to the `allow` of a profile layer; without one there it restricts nothing."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The layers and the groups that their entries may name."""

    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    layers: tuple[Layer, ...] = ()


@dataclass(frozen=True, slots=True)
class PolicyTool:
    """What a policy looks at."""

    name: str
    owner: Owner = field(default_factory=CoreOwner)


@dataclass(frozen=True, slots=True)
class Removal:
    """The first layer and entry that removed a tool (R-POL 4)."""

    layer: str
    entry: str | None
    """The deny entry; None where an allow list lacks the tool."""


@dataclass(frozen=True, slots=True)
class PolicyResult:
    """What each tool came to, in the order given, and what is odd about the policy."""

    removals: tuple[Removal | None, ...]
    warnings: tuple[tuple[str, str], ...] = ()
    """Code and message."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry of a list, ready to match."""

    text: str
    fits: Callable[[PolicyTool], bool]
    only_plugins: bool
    """Whether it can name nothing but plugin tools."""


def apply_policy(policy: Policy, tools: Iterable[PolicyTool]) -> PolicyResult:
    """Return for each tool what removed it, if anything did (R-POL 1 to 4)."""
    candidates = tuple(tools)
    removals: list[Removal | None] = [None] * len(candidates)
    warnings: list[tuple[str, str]] = []
    if not policy.layers:
        return PolicyResult(tuple(removals))
    read = _Reader(policy, candidates)
    for layer in sorted(policy.layers, key=lambda one: LAYERS.index(one.name) if one.name in LAYERS else len(LAYERS)):
        allow = read.entries(layer.allow or ())
        deny = read.entries(layer.deny or ())
        if allow and layer.name in PROFILES:
            allow = (*allow, *read.entries(layer.also_allow))
        warnings.extend(_unmatched(layer, (*allow, *deny, *read.entries(layer.also_allow)), candidates))
        spares_core = bool(allow) and layer.name in _UP_TO_GROUP and all(entry.only_plugins for entry in allow)
        if spares_core:
            names = ", ".join(entry.text for entry in allow)
            warnings.append(
                (
                    "policy-only-plugins",
                    f"policy {layer.name}: its allow list names only plugins ({names}), so core tools ignore it",
                )
            )
        for index, tool in enumerate(candidates):
            if removals[index] is None:
                removals[index] = _removal(layer.name, tool, allow, deny, spares_core=spares_core)
    return PolicyResult(tuple(removals), tuple(dict.fromkeys(warnings)))


def reaches(policy: Policy, tool: PolicyTool, tools: Iterable[PolicyTool] = ()) -> Removal | None:
    """Tell what keeps a skill from dispatching straight to a tool: the same layers (R-POL 5).

    Args:
        policy: the session's.
        tool: the one that the skill names.
        tools: all others, by which plugin ids are known.
    """
    return apply_policy(policy, (tool, *tools)).removals[0]


def _removal(
    layer: str, tool: PolicyTool, allow: Sequence[_Entry], deny: Sequence[_Entry], *, spares_core: bool
) -> Removal | None:
    """Hold one tool against one layer."""
    for entry in deny:
        if entry.fits(tool):
            return Removal(layer, entry.text)
    if not allow or (spares_core and isinstance(tool.owner, CoreOwner)):
        return None
    return None if any(entry.fits(tool) for entry in allow) else Removal(layer, None)


def _unmatched(layer: Layer, entries: Iterable[_Entry], candidates: Sequence[PolicyTool]) -> Iterable[tuple[str, str]]:
    """Warn of entries that match nothing, naming the layer (R-POL 3)."""
    for entry in entries:
        if not any(entry.fits(tool) for tool in candidates):
            yield ("policy-matches-nothing", f"policy {layer.name}: the entry {entry.text!r} matches no tool")


class _Reader:
    """Reads entries under one set of groups and plugins; each text once."""

    def __init__(self, policy: Policy, tools: Sequence[PolicyTool]) -> None:
        self._groups = {normalize_name(name): members for name, members in policy.groups.items()}
        self._plugins = {plugin for tool in tools if (plugin := _plugin_of(tool.owner)) is not None}
        self._names = {normalize_name(tool.name) for tool in tools}
        self._read: dict[str, _Entry] = {}

    def entries(self, texts: Iterable[str]) -> tuple[_Entry, ...]:
        """Return the entries ready to match."""
        return tuple(self._entry(text, ()) for text in texts)

    def _entry(self, text: str, within: tuple[str, ...]) -> _Entry:
        """Read one entry; `within` are the groups that it stands in, for a group may name itself."""
        known = self._read.get(text)
        if known is not None:
            return known
        wanted = normalize_name(text)
        if wanted == PLUGIN_TOOLS and wanted not in self._groups:
            entry = _Entry(text, lambda tool: _plugin_of(tool.owner) is not None, only_plugins=True)
        elif wanted in self._groups:
            members = [
                self._entry(member, (*within, wanted))
                for member in self._groups[wanted]
                if normalize_name(member) not in (*within, wanted)
            ]
            entry = _Entry(
                text,
                lambda tool: any(member.fits(tool) for member in members),
                only_plugins=bool(members) and all(member.only_plugins for member in members),
            )
        else:
            entry = self._plain(text, wanted)
        self._read[text] = entry
        return entry

    def _plain(self, text: str, wanted: str) -> _Entry:
        """Read a tool name, a glob or a plugin id."""
        by_name = matcher(text)
        plugins = {plugin for plugin in self._plugins if normalize_name(plugin) == wanted}
        return _Entry(
            text,
            lambda tool: by_name(tool.name) or _plugin_of(tool.owner) in plugins,
            only_plugins=bool(plugins) and wanted not in self._names,
        )


def _plugin_of(owner: Owner) -> str | None:
    """Return the plugin that a tool belongs to, directly or through its channel."""
    if isinstance(owner, PluginOwner):
        return owner.plugin_id
    return owner.plugin_id if isinstance(owner, ChannelOwner) else None
