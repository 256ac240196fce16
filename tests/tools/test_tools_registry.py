"""Registry, policy, activation, prompt, buckets (R-REG, R-POL, R-GEN 4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.tools.activation import Activation, carry, set_active, start, toggle
from toolbench.tools.availability import AvailabilityContext
from toolbench.tools.buckets import model_rows, sort_out
from toolbench.tools.descriptor import ChannelOwner, CoreExecutor, CoreOwner, PluginOwner, ToolDescriptor
from toolbench.tools.patterns import compile_patterns
from toolbench.tools.policy import LAYERS, Layer, Policy, PolicyTool, apply_policy, reaches
from toolbench.tools.prompt import build_prompt
from toolbench.tools.registry import Claim, Fault, Origin, RegistryOptions, build_registry
from toolbench.tools.why import why

EMPTY = AvailabilityContext()


def claim(name, source="builtin", **fields):
    kind = source if source in ("builtin", "custom") else "extension"
    descriptor = {key: fields.pop(key) for key in tuple(fields) if key in ToolDescriptor.__dataclass_fields__}
    descriptor.setdefault("executor", CoreExecutor(name))
    descriptor.setdefault("owner", PluginOwner(source) if kind == "extension" else CoreOwner())
    return Claim(descriptor=ToolDescriptor(name=name, **descriptor), source=source, kind=kind, **fields)


def registry(*claims, **options):
    return build_registry(claims, RegistryOptions(**options))


# Merging


@pytest.mark.parametrize(
    ("sources", "winner", "losers"),
    [
        (["builtin", "db-a"], "db-a", [("builtin", "extension-over-builtin")]),  # R-REG-02 OC-S20
        (["db-a", "db-b"], "db-a", [("db-b", "first-extension-wins")]),  # HAND-08
        (["builtin", "custom"], "custom", [("builtin", "custom-over-builtin")]),  # OC-S21
        (["builtin", "db-a", "db-b", "custom"], "custom",
         [("db-b", "custom-over-extension"), ("builtin", "custom-over-builtin"), ("db-a", "custom-over-extension")]),
    ],
)  # fmt: skip
def test_the_later_source_wins_and_losers_are_kept(sources, winner, losers):
    built = registry(*(claim("read", source) for source in sources))
    assert built.tools["read"].source == winner
    assert sorted((one.claim.source, one.rule) for one in built.shadowed) == sorted(losers)
    assert {one.winner for one in built.shadowed} == {winner}


def test_the_winner_stands_at_the_place_of_the_one_it_replaced():
    built = registry(claim("read"), claim("write"), claim("extra", "x"), claim("read", "custom"))
    assert list(built.tools) == ["read", "write", "extra"]


def test_a_name_twice_in_one_source_takes_part_in_the_merge_as_one():
    # R-REG-03
    built = registry(
        claim("read"), claim("read", "db", origin=Origin("a.yaml", 3)), claim("read", "db", origin=Origin("b.yaml", 4))
    )
    assert "read" not in built.tools
    assert [(one.code, one.claim.source) for one in built.broken] == [("duplicate-tool-name", "db")] * 2
    assert "a.yaml:3, b.yaml:4" in built.broken[0].message
    assert [one.claim.source for one in built.shadowed] == ["builtin"]


@pytest.mark.parametrize(
    ("options", "left", "layers"),
    [
        # R-REG-04 OC-S22
        ({"disable_builtin": True, "builtin_names": frozenset({"read", "write"})}, ["other"], {"builtin"}),
        ({"allowed_tools": ("other",)}, ["other"], {"allowed_tools"}),
        ({"allowed_tools": ("read", "gone")}, ["read"], {"allowed_tools"}),
        ({"policy": Policy(layers=(Layer("global", deny=("Read", "WRITE")),))}, ["other"], {"global"}),
    ],
)
def test_filters_come_before_the_merge(options, left, layers):
    built = registry(claim("read"), claim("write"), claim("read", "x"), claim("other", "x"), **options)
    assert list(built.tools) == left
    assert {one.layer for one in built.denied} == layers


def test_an_allowlist_entry_that_names_nothing_warns():
    assert [code for code, _, _ in registry(claim("read"), allowed_tools=("gone",)).warnings] == [
        "allowed-tool-unknown"
    ]


def test_broken_tools_are_set_apart_and_keep_nobody_out():
    built = registry(
        claim("ok"),
        claim("a.b", "x"),
        claim("list", "x", input_schema=[1]),
        claim("odd", "x", input_schema={"type": "dict"}),
        claim("told", "x", fault=Fault("bad-run", "no such run")),
    )
    assert list(built.tools) == ["ok"]
    assert [(one.claim.name, one.code) for one in built.broken] == [
        ("a.b", "invalid-name"),
        ("list", "schema-no-object"),
        ("odd", "invalid-schema"),
        ("told", "bad-run"),
    ]


def test_names_that_look_alike_warn():
    built = registry(claim("read_file"), claim("Read-File", "x"))
    assert [code for code, _, _ in built.warnings] == ["look-alike-names"]
    assert len(built.tools) == 2  # HAND-02


# Activation


def test_what_is_active_at_the_start():
    # R-REG-06 R-REG-09
    built = registry(*(claim(name) for name in ("read", "ls", "exec", "edit", "write")), claim("roll", "custom"))
    assert start(built).order == ("read", "exec", "edit", "write", "roll")
    assert start(built, None, ["ls"]).order == ("ls", "roll")
    assert start(built, ["roll", "gone", "read", "roll"]).order == ("roll", "read")
    listed = registry(claim("ls"), claim("read"), allowed_tools=("ls", "read"))
    assert start(listed).order == ("ls", "read")


def test_activation_is_carried_over_rebuilds():
    # R-REG-01 OC-S23
    first = registry(claim("a", "x"), claim("b", "x"), claim("ls"))
    activation = toggle(start(first), first, ["a"], 2)
    without = registry(claim("b", "x"), claim("c", "x"), claim("ls"))
    carried = carry(activation, without, 3)
    assert carried.order == ("b", "c")
    back = carry(carried, registry(claim("a", "x"), claim("b", "x"), claim("c", "x"), claim("ls")), 4)
    assert back.order == ("b", "c")
    assert back.off["a"] == 2
    assert back.off["ls"] == 1


def test_set_active_takes_names_in_order_without_repeats():
    # R-REG-07 OC-S24
    built = registry(claim("a", "x"), claim("b", "x"), claim("c", "x"))
    activation, skipped = set_active(start(built), built, ["c", "gone", "a", "c"], 2)
    assert activation.order == ("c", "a")
    assert skipped == ("gone",)
    assert activation.off == {"b": 2}


def test_a_tool_switched_on_again_is_appended():
    # R-REG-08
    built = registry(claim("a", "x"), claim("b", "x"))
    activation = toggle(toggle(start(built), built, ["a"], 2), built, ["a"], 3)
    assert activation.order == ("b", "a")
    assert activation.off == {}
    buckets = sort_out(built, activation, EMPTY)
    assert [row.name for row in buckets.visible] == ["a", "b"]
    assert [row.name for row in model_rows(buckets, activation)] == ["b", "a"]


@given(st.lists(st.sampled_from("abcd"), max_size=8))
def test_toggling_keeps_on_and_off_apart(names):
    built = registry(*(claim(name, "x") for name in "abcd"))
    activation = start(built)
    for number, name in enumerate(names):
        activation = toggle(activation, built, [name], number)
    assert set(activation.order) | set(activation.off) == set("abcd")
    assert not set(activation.order) & set(activation.off)
    assert activation.by_person == frozenset(activation.off)


def test_the_prompt_holds_snippets_and_distinct_guidelines():
    tools = [
        claim("a", prompt_snippet="does\n  a", prompt_guidelines=("Be kind.", "Be brief.")).descriptor,
        claim("b", prompt_guidelines=("Be kind.",)).descriptor,
        claim("c", prompt_snippet=" ").descriptor,
    ]
    assert build_prompt("Base.\n", tools) == ("Base.\n\nTools:\n- a: does a\n\nGuidelines:\n- Be kind.\n- Be brief.")
    assert build_prompt("", []) == ""


# Policy

TOOLS = [
    PolicyTool("read"),
    PolicyTool("write"),
    PolicyTool("exec"),
    PolicyTool("web_get", PluginOwner("web")),
    PolicyTool("post", ChannelOwner("chat", "web")),
]


def kept(*layers, groups=None):
    result = apply_policy(Policy(groups or {}, layers), TOOLS)
    return [one.name for one, gone in zip(TOOLS, result.removals, strict=True) if gone is None]


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        ([Layer("global", allow=("*",))], ["read", "write", "exec", "web_get", "post"]),  # OC-T1
        ([Layer("global", deny=("*",))], []),  # OC-T2
        ([Layer("global", deny=("web_*",))], ["read", "write", "exec", "post"]),  # OC-T3
        ([Layer("global", allow=("web_*", "read"))], ["read", "web_get"]),
        ([Layer("global", allow=())], ["read", "write", "exec", "web_get", "post"]),  # OC-T4
        ([Layer("global", allow=("read", "exec"), deny=("exec",))], ["read"]),  # OC-T6
        ([Layer("global", deny=(" BASH ",))], ["read", "write", "web_get", "post"]),  # OC-T7 HAND-07
        ([Layer("global", deny=("group:fs",))], ["exec", "web_get", "post"]),  # OC-T8
        ([Layer("global", deny=("group:plugins",))], ["read", "write", "exec"]),
        ([Layer("global", deny=("web",))], ["read", "write", "exec"]),
        ([Layer("profile", also_allow=("read",))], ["read", "write", "exec", "web_get", "post"]),  # OC-T17
        ([Layer("profile", allow=("write",), also_allow=("read",))], ["read", "write"]),
        # OC-T14
        ([Layer("profile", allow=("write",), also_allow=("exec",)), Layer("agent", deny=("exec",))], ["write"]),
        ([Layer("inherited", deny=("bash",))], ["read", "write", "web_get", "post"]),  # OC-T15
        ([Layer("inherited", allow=("read",))], ["read"]),
        ([Layer("agent", allow=("read", "exec")), Layer("global", deny=("exec",))], ["read"]),  # OC-T21
        ([Layer("global", allow=("web",))], ["read", "write", "exec", "web_get", "post"]),  # OC-T19
        ([Layer("sender", allow=("web",))], ["web_get", "post"]),
    ],
)  # fmt: skip
def test_layers_narrow(layers, expected):
    # R-POL-01 R-POL-02 HAND-44 OC-T5 OC-T16 OC-T18
    assert kept(*layers, groups={"group:fs": ("read", "write")}) == expected


def test_entries_that_match_nothing_warn_once():
    # R-POL-03 OC-T20
    result = apply_policy(
        Policy({}, (Layer("agent", allow=("read", "wat", "wat")), Layer("global", allow=("web",)))), TOOLS
    )
    assert [code for code, _ in result.warnings] == ["policy-only-plugins", "policy-matches-nothing"]
    assert "agent" in result.warnings[1][1]
    assert "'wat'" in result.warnings[1][1]


def test_the_first_layer_and_entry_are_named():
    # R-POL-04 OC-T24
    layers = (Layer("inherited", deny=("exec",)), Layer("global", deny=("ex*",)), Layer("agent", allow=("read",)))
    removals = apply_policy(Policy({}, layers), TOOLS).removals
    assert (removals[2].layer, removals[2].entry) == ("global", "ex*")
    assert (removals[1].layer, removals[1].entry) == ("agent", None)


def test_a_skill_goes_through_the_same_layers():
    # R-POL-05
    policy = Policy({}, (Layer("global", deny=("exec",)),))
    assert reaches(policy, TOOLS[2]).layer == "global"
    assert reaches(policy, TOOLS[0]) is None


def test_a_group_may_name_itself():
    groups = {"group:a": ("group:a", "read", "group:b"), "group:b": ("group:a",)}
    assert kept(Layer("global", deny=("group:a",)), groups=groups) == ["write", "exec", "web_get", "post"]


LAYER = st.builds(
    Layer,
    st.sampled_from(LAYERS),
    st.none() | st.tuples(st.sampled_from(["read", "web", "*", "w*", "nothing"])),
    st.none() | st.tuples(st.sampled_from(["exec", "web_*", "group:plugins"])),
)


@given(st.lists(LAYER, max_size=4), LAYER)
def test_one_more_layer_never_brings_a_tool_back(layers, extra):
    assert set(kept(*layers, extra)) <= set(kept(*layers))


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("gh_*", "gh_issue", True),
        ("*_*_*", "a_b", False),
        ("*a*b*", "xxaxxbxx", True),
        ("[ab]", "a", False),
        ("a*a", "a", False),
        ("*" * 50 + "x", "a" * 5000, False),
        ("bash", "exec", True),
        ("Exec ", "EXEC", True),
    ],
)
def test_patterns(pattern, name, fits):
    assert compile_patterns([pattern])(name) is fits


# Buckets


def test_every_tool_stands_in_its_bucket_with_a_reason():
    built = registry(
        claim("read"),
        claim("ls"),
        claim("read", "x"),
        claim("deploy", "x", availability={"context": {"key": "role", "equals": "admin"}}),
        claim("lonely", "x", executor=None),
        claim("gone", "x", executor=None, availability={"env": "T"}),
        claim("no", "x"),
        policy=Policy({}, (Layer("global", deny=("no",)),)),
    )
    buckets = sort_out(built, start(built), EMPTY)
    assert {row.name: (row.bucket, row.words) for row in buckets.all() if row.bucket != "shadowed"} == {
        "read": ("visible", ""),
        "deploy": ("hidden", 'context role ≠ "admin"'),
        "gone": ("hidden", "env T"),
        "ls": ("off", "not active at the start"),
        "no": ("denied", "global.deny “no”"),
        "lonely": ("broken", "Tool lonely is visible but names no executor"),
    }
    assert [(row.name, row.winner) for row in buckets.shadowed] == [("read", "x")]
    # R-GEN-04 HAND-45
    assert (buckets.error.code, buckets.error.tool_name) == ("missing-executor", "lonely")
    strict = sort_out(built, start(built), EMPTY, strict_plan=True)
    assert (strict.counts["visible"], strict.error.tool_name) == (0, "lonely")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gone", {"bucket": "hidden"}),
        ("ls", {"bucket": "off", "since_generation": 1}),
        ("no", {"bucket": "denied", "layer": "global", "entry": "no"}),
        ("a.b", {"bucket": "broken", "code": "invalid-name"}),
        ("gon", {"bucket": "unknown", "nearest": ["gone"]}),
    ],
)
def test_a_person_is_told_why_there_is_no_such_tool(name, expected):
    # R-DISP-03
    built = registry(
        claim("ls"), claim("gone", "x", availability={"env": "T"}), claim("no", "x"), claim("a.b", "x"),
        policy=Policy({}, (Layer("global", deny=("no",)),)),
    )  # fmt: skip
    told = why(sort_out(built, start(built), EMPTY), name)
    assert {key: told[key] for key in expected} == expected


def test_rows_keep_their_key_over_rebuilds():
    built = registry(claim("a", "x"), claim("a", "x"))
    rows = sort_out(built, Activation(), EMPTY).broken
    assert [row.key for row in rows] == [("a", "x", 0), ("a", "x", 1)]
