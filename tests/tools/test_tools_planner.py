"""The plan, names and projections (R-PLAN, R-DESC)."""

from __future__ import annotations

import dataclasses
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.tools.availability import AvailabilityContext
from toolbench.tools.descriptor import (
    ChannelExecutor,
    ChannelOwner,
    CoreExecutor,
    CoreOwner,
    McpExecutor,
    McpOwner,
    PluginExecutor,
    PluginOwner,
    ToolDescriptor,
)
from toolbench.tools.frozen import freeze
from toolbench.tools.names import look_alikes, name_fault, nearest
from toolbench.tools.planner import ToolPlanContractError, contract_errors, plan_tools
from toolbench.tools.projection import project, provider_schema_problems, to_mcp, tokens_estimate

EMPTY = AvailabilityContext()


def tool(name, **fields):
    fields.setdefault("executor", CoreExecutor(name))
    return ToolDescriptor(name=name, **fields)


def test_sorted_by_sort_key_or_name_and_set_apart_by_availability():
    # OC-P1 R-PLAN-01 R-PLAN-03
    plan = plan_tools(
        [tool("zeta"), tool("alpha"), tool("hidden", sort_key="middle", availability={"env": "MISSING_ENV"})], EMPTY
    )
    assert [one.name for one in plan.visible] == ["alpha", "zeta"]
    assert [(one.descriptor.name, one.diagnostics[0].reason) for one in plan.hidden] == [("hidden", "env-missing")]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["gamma", "Beta", "alpha"], ["alpha", "Beta", "gamma"]),  # OC-P13
        (["read", "Read", "READ"], ["READ", "Read", "read"]),  # OC-P11
        (["b_2", "b-1", "b1"], ["b-1", "b1", "b_2"]),
    ],
)
def test_upper_and_lower_case_interleave(names, expected):
    assert [one.name for one in plan_tools([tool(name) for name in names], EMPTY).visible] == expected


@given(st.lists(st.text(min_size=1, max_size=4), unique=True), st.randoms())
def test_the_plan_does_not_depend_on_the_order_of_the_input(names, rng: random.Random):
    # R-PLAN-06
    tools = [tool(name, availability={"env": "X"} if len(name) > 2 else None) for name in names]
    shuffled = list(tools)
    rng.shuffle(shuffled)
    assert plan_tools(tools, EMPTY) == plan_tools(shuffled, EMPTY)


@pytest.mark.parametrize(
    ("tools", "code", "name"),
    [
        ([tool("read"), tool("read")], "duplicate-tool-name", "read"),  # OC-P2 R-PLAN-02
        ([tool("read", executor=None)], "missing-executor", "read"),  # OC-P3 R-PLAN-04
        (
            [tool("b", executor=None), tool("a"), tool("a", availability={"env": "X"})],
            "duplicate-tool-name",
            "a",
        ),  # OC-P10
        ([tool("b", executor=None), tool("a", executor=None)], "missing-executor", "a"),  # OC-P12
    ],
)
def test_contract_errors(tools, code, name):
    # R-PLAN-05
    with pytest.raises(ToolPlanContractError) as caught:
        plan_tools(tools, EMPTY)
    assert (caught.value.code, caught.value.tool_name) == (code, name)
    assert name in caught.value.message
    assert contract_errors(tools, EMPTY)[0].code == code


def test_a_hidden_tool_needs_no_executor():
    # OC-P4
    plan = plan_tools([tool("plugin_tool", executor=None, availability={"plugin": "demo"})], EMPTY)
    assert plan.visible == ()
    assert [one.reason for one in plan.hidden[0].diagnostics] == ["plugin-disabled"]


def nested(levels):
    """Return lists in lists."""
    value = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("met", "other"), [(1, True), (1, "1"), ({"1": 0}, {1: 0}), (nested(300), nested(299)), ([None], None)]
)
def test_tools_whose_conditions_only_look_alike_are_judged_apart(met, other):
    tools = [
        tool("met", availability={"context": {"key": "k", "equals": met}}),
        tool("other", availability={"context": {"key": "k", "equals": other}}),
    ]
    plan = plan_tools(tools, AvailabilityContext(values={"k": met}))
    assert [one.name for one in plan.visible] == ["met"]
    assert [one.descriptor.name for one in plan.hidden] == ["other"]


def test_tools_with_the_same_condition_are_hidden_for_the_same_reason():
    tools = [tool("a", availability={"env": "TOKEN"}), tool("b", availability={"kind": "env", "name": "TOKEN"})]
    first, second = plan_tools(tools, EMPTY).hidden
    assert first.diagnostics == second.diagnostics
    assert [one.reason for one in first.diagnostics] == ["env-missing"]


def test_a_malformed_expression_hides_with_one_diagnostic_without_signal():
    # OC-P5
    (hidden,) = plan_tools([tool("malformed", availability={"allOf": []})], EMPTY).hidden
    (one,) = hidden.diagnostics
    assert (one.reason, one.message, one.signal) == ("unsupported-signal", "Empty availability allOf group", None)


def test_a_descriptor_cannot_be_changed():
    # R-DESC-01
    one = tool("x", input_schema=freeze({"type": "object", "properties": {"a": [1]}}))
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.name = "y"
    with pytest.raises(TypeError):
        one.input_schema["type"] = "array"
    with pytest.raises(TypeError):
        one.input_schema["properties"]["a"].append(2)


@pytest.mark.parametrize(
    ("owner", "kind"),
    [(CoreOwner(), "core"), (PluginOwner("p"), "plugin"), (ChannelOwner("c", "p"), "channel"), (McpOwner("s"), "mcp")],
)
def test_owners(owner, kind):
    # R-DESC-02
    assert owner.kind == kind


@pytest.mark.parametrize(
    ("ref", "text"),
    [
        (CoreExecutor("read"), "core:read"),
        (PluginExecutor("demo", "plugin_tool"), "plugin:demo:plugin_tool"),  # OC-P8
        (ChannelExecutor("chat", "post"), "channel:chat:post"),
        (McpExecutor("git", "log"), "mcp:git:log"),
    ],
)
def test_refs_have_a_text_form(ref, text):
    # R-DESC-03
    assert str(ref) == text


@pytest.mark.parametrize(
    ("provider", "expected"),
    [
        ("anthropic", {"name": "x", "description": "D", "input_schema": {"type": "object"}}),
        (
            "openai",
            {"type": "function", "function": {"name": "x", "description": "D", "parameters": {"type": "object"}}},
        ),
        ("gemini", {"name": "x", "description": "D", "parametersJsonSchema": {"type": "object"}}),
        ("mcp", {"name": "x", "description": "D", "inputSchema": {"type": "object"}}),
        ("any", {"name": "x", "description": "D", "input_schema": {"type": "object"}}),
    ],
)
def test_the_model_gets_no_owner_executor_availability_or_sort_key(provider, expected):
    # R-DESC-04
    one = tool("x", description="D", input_schema={"type": "object"}, availability={"env": "X"}, sort_key="a")
    assert project(one, provider) == expected


def test_the_title_is_told():
    one = tool(
        "x", title="Title", description="D", annotations={"readOnlyHint": True}, output_schema={"type": "object"}
    )
    assert to_mcp(one)["title"] == "Title"
    assert to_mcp(one)["annotations"] == {"readOnlyHint": True}
    assert project(one, "anthropic")["description"] == "Title: D"


def test_provider_rules_for_schemas_are_told_and_break_nothing():
    one = tool("x", input_schema={"anyOf": [{"type": "object"}]})
    assert [path for path, _ in provider_schema_problems(one, "openai")] == ["", "/anyOf"]
    assert provider_schema_problems(one, "mcp") == ()
    assert tokens_estimate(401) == 100


@pytest.mark.parametrize(
    ("name", "provider", "words"),
    [
        ("hosting_restartNode.jsApp", "anthropic", "'.' (U+002E"),  # HAND-05
        ("a" * 65, "anthropic", "65 characters long; anthropic takes 64"),
        ("a" * 64, "anthropic", None),
        ("r\u0435ad_file", "anthropic", "U+0435"),  # HAND-06
        ("r\u0435ad_file", "any", None),
        ("   ", "any", "blank"),
        ("1abc", "gemini", "begin with a letter"),
        ("a.b:c", "gemini", None),
        ("a.b", "mcp", None),
        ("a b", "mcp", "U+0020"),
    ],
)
def test_names_by_provider(name, provider, words):
    fault = name_fault(name, provider)
    assert (fault is None) if words is None else (fault is not None and words in fault[1])


def test_names_that_look_alike_are_grouped():
    assert look_alikes(["read_file", "r\u0435ad_file", "Read-File", "other"]) == (
        ("Read-File", "read_file", "r\u0435ad_file"),
    )


def test_the_nearest_names_are_offered():
    assert nearest("creat_isue", ["create_issue", "close_issue", "zzz"])[0] == "create_issue"
    assert nearest("qqq", ["create_issue"]) == ()
