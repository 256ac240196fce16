"""Availability: signals, groups, shapes and messages (R-AVAIL)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.tools.availability import AvailabilityContext, evaluate, signals
from toolbench.tools.explain import explain

FULL = AvailabilityContext(
    auth=frozenset({"github"}),
    config={"a": {"b": "x", "blank": "  ", "zero": 0, "no": False, "empty": [], "none": None, "list": [{"c": 1}]}},
    env={"TOKEN": "t", "BLANK": "  ", "ZERO": "0", "FALSE": "false", "EMPTY": ""},
    plugins=frozenset({"demo"}),
    values={"one": 1, "text": "1", "yes": True, "null": None, "half": 1.0, "no": False},
)
NOTHING = AvailabilityContext()
AUTH, ENV = {"kind": "auth", "providerId": "github"}, {"kind": "env", "name": "TOKEN"}
CONFIG = {"kind": "config", "path": ["a", "b"], "check": "non-empty"}
PLUGIN, CONTEXT = {"kind": "plugin-enabled", "pluginId": "demo"}, {"kind": "context", "key": "one", "equals": 1}
FIVE = {"allOf": [AUTH, ENV, CONFIG, PLUGIN, CONTEXT]}
FIVE_REASONS = ["auth-missing", "env-missing", "config-missing", "plugin-disabled", "context-mismatch"]
MIXED = {"anyOf": [AUTH, ENV, {"allOf": [CONFIG, PLUGIN]}]}


def reasons(expression, context=NOTHING):
    return [one.reason for one in evaluate(expression, context)]


@pytest.mark.parametrize(
    ("case", "expression", "context", "expected"),
    [
        ("OC-A1 R-AVAIL-01", None, NOTHING, []),
        ("OC-A2", FIVE, FULL, []),
        ("OC-A3 R-AVAIL-02", FIVE, NOTHING, FIVE_REASONS),
        ("OC-A4", {"config": ["a", "b"], "check": "available"}, FULL, ["config-missing"]),
        ("OC-A6", {"config": ["a"], "check": "available"}, AvailabilityContext(config={"a": "$X"}), ["config-missing"]),
        ("OC-A7", {"config": ["a"], "check": "non-empty"}, AvailabilityContext(config={"a": {"source": "x"}}), []),
        ("OC-A8", MIXED, AvailabilityContext(env={"TOKEN": "t"}), []),
        ("OC-A9", MIXED, NOTHING, ["auth-missing", "env-missing", "config-missing", "plugin-disabled"]),
        ("OC-A10 R-AVAIL-05", {"anyOf": [AUTH, {"allOf": []}]}, FULL, ["unsupported-signal"]),
        ("OC-A31", {"all_of": [ENV, ENV]}, NOTHING, ["env-missing", "env-missing"]),
        ("OC-A32", {"any_of": [ENV, {"any_of": []}]}, NOTHING, ["env-missing", "unsupported-signal"]),
        ("short spellings", {"all_of": [{"auth": "github"}, {"env": "TOKEN"}, {"plugin": "demo"}, {"config": "a.b"},
                                        {"context": {"key": "one", "equals": 1}}, {"always": True}]}, FULL, []),
    ],
)  # fmt: skip
def test_reasons_in_order(case, expression, context, expected):
    assert reasons(expression, context) == expected, case


def test_a_resolver_that_answers_true_passes():
    # OC-A5, OC-A28 R-AVAIL-03
    asked = []

    def resolver(path):
        asked.append(path)
        return True

    context = AvailabilityContext(config={"a": 1, "none": None}, is_available=resolver)
    assert reasons({"config": ["a"], "check": "available"}, context) == []
    assert reasons({"config": ["none"], "check": "available"}, context) == ["config-missing"]
    assert asked == [("a",)]
    truthy = AvailabilityContext(config={"a": 1}, is_available=lambda _path: 1)
    assert reasons({"config": ["a"], "check": "available"}, truthy) == ["config-missing"]


def cyclic():
    children: list = []
    node = {"allOf": children}
    children.append(node)
    return node


@pytest.mark.parametrize(
    ("expression", "path"),
    [
        (cyclic(), ".allOf[0]"),  # OC-A11 HAND-31
        ([], ""),  # OC-A20
        ("always", ""),
        (7, ""),
        ({"kind": "unknown-kind"}, ""),
        ({"kind": ["auth"]}, ""),
        ({}, ""),
        ({"auth": "x", "env": "Y"}, ""),
        ({"allOf": {"auth": "x"}}, ".allOf"),  # OC-A21
        ({"allOf": [{"env": "X"}, None]}, ".allOf[1]"),
        ({"anyOf": [{"allOf": [{"kind": "env", "name": 3}]}]}, ".anyOf[0].allOf[0]"),
        ({"kind": "auth"}, ""),
        ({"kind": "config", "path": "a", "check": "sometimes"}, ""),
        ({"kind": "config", "path": ["a", 1]}, ""),
    ],
)
def test_one_bad_node_gives_exactly_one_diagnostic(expression, path):
    # R-AVAIL-04 HAND-30
    (one,) = evaluate(expression, NOTHING)
    assert (one.reason, one.message, one.signal, one.path) == (
        "unsupported-signal",
        "Unsupported availability expression",
        None,
        path,
    )


def test_an_expression_that_is_nested_beyond_reason_is_malformed():
    node = {"env": "X"}
    for _ in range(5_000):
        node = {"all_of": [node]}
    assert reasons(node) == ["unsupported-signal"]


def test_a_node_used_twice_as_sibling_is_fine():
    # OC-A12
    assert reasons({"allOf": [AUTH, AUTH]}, FULL) == []
    assert reasons({"anyOf": [AUTH, {"allOf": [AUTH, AUTH]}]}, FULL) == []


def test_kind_wins_over_groups_and_all_of_over_any_of():
    # OC-A22
    assert reasons({"kind": "env", "name": "TOKEN", "allOf": []}, FULL) == []
    assert reasons({"allOf": [ENV], "anyOf": []}, FULL) == []


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ({"allOf": []}, "Empty availability allOf group"),
        ({"anyOf": []}, "Empty availability anyOf group"),
        ({"auth": ""}, "Malformed auth signal: missing providerId"),  # OC-A23
        ({"env": ""}, "Malformed env signal: missing name"),
        ({"plugin": ""}, "Malformed plugin-enabled signal: missing pluginId"),
        ({"context": ""}, "Malformed context signal: missing key"),
        ({"auth": "x"}, "Missing auth provider: x"),  # OC-A24
        ({"env": "X"}, "Missing environment value: X"),
        ({"config": "a.b.c"}, "Missing config path: a.b.c"),
        ({"plugin": "p"}, "Plugin is not enabled: p"),
        ({"context": "k"}, "Missing context value: k"),
    ],
)
def test_messages(expression, message):
    (one,) = evaluate(expression, NOTHING)
    assert one.message == message
    assert (one.signal is None) == ("Empty" in message)


@pytest.mark.parametrize(
    ("name", "met"),
    [("TOKEN", True), ("ZERO", True), ("FALSE", True), ("BLANK", False), ("EMPTY", False), ("GONE", False)],
)
def test_env_is_there_when_it_is_not_blank(name, met):
    # OC-A25 HAND-27
    assert (reasons({"env": name}, FULL) == []) is met


@pytest.mark.parametrize(
    ("path", "check", "met"),
    [
        (["a", "zero"], "exists", True),  # OC-A26 HAND-28
        (["a", "no"], "exists", True),
        (["a", "empty"], "exists", True),
        (["a", "none"], "exists", False),
        (["a", "gone"], "exists", False),
        (["a", "zero"], "non-empty", True),  # OC-A27
        (["a", "no"], "non-empty", True),
        (["a", "blank"], "non-empty", False),
        (["a", "empty"], "non-empty", False),
        (["a"], "non-empty", True),
        (["a", "list", "0"], "exists", False),  # OC-A29
        ([], "exists", True),
    ],
)
def test_config_paths_are_walked_through_objects_only(path, check, met):
    assert (reasons({"kind": "config", "path": path, "check": check}, FULL) == []) is met


@pytest.mark.parametrize(
    ("key", "equals", "met"),
    [
        ("null", ..., True),
        ("no", ..., True),
        ("gone", ..., False),
        ("one", 1, True),
        ("half", 1, True),
        ("one", "1", False),
        ("text", 1, False),
        ("yes", 1, False),
        ("one", True, False),
        ("yes", True, True),
        ("null", None, True),
        ("gone", None, False),
    ],
)
def test_context_values_are_compared_strictly(key, equals, met):
    # OC-A30 HAND-29
    signal = {"kind": "context", "key": key} | ({} if equals is ... else {"equals": equals})
    assert (reasons(signal, FULL) == []) is met


def test_a_mismatch_tells_wanted_and_found():
    (one,) = evaluate({"context": {"key": "text", "equals": 1}}, FULL)
    assert (one.message, one.wanted, one.found) == ("Context value did not match: text", "equal to 1", "1")


def test_the_tree_tells_each_node():
    # R-AVAIL-06
    tree = explain({"any_of": [{"auth": "github"}, {"all_of": [{"env": "GONE"}]}]}, FULL)
    assert tree["passed"] is True
    first, second = tree["any_of"]
    assert first == {
        "signal": {"kind": "auth", "provider_id": "github"},
        "passed": True,
        "wanted": None,
        "found": None,
        "reason": None,
        "message": None,
    }
    assert second["passed"] is False
    assert second["all_of"][0]["wanted"] == "not blank"
    assert explain(None, FULL) is None
    assert explain({"all_of": [3]}, FULL)["malformed"] == ".all_of[0]"


def test_signals_are_told_in_the_long_form():
    assert signals({"all_of": [{"config": "a.b"}, {"plugin": "p"}]}) == (
        {"kind": "config", "path": ["a", "b"], "check": "exists"},
        {"kind": "plugin-enabled", "plugin_id": "p"},
    )
    assert signals(7) == ()


LEAF = st.one_of(
    st.sampled_from([{"auth": "github"}, {"env": "TOKEN"}, {"env": "GONE"}, {"plugin": ""}, {"context": "no"}, 3, None])
)
EXPRESSIONS = st.recursive(
    LEAF,
    lambda below: st.builds(lambda key, items: {key: items}, st.sampled_from(["all_of", "any_of"]), st.lists(below)),
)


@given(EXPRESSIONS)
def test_tree_and_diagnostics_agree(expression):
    tree = explain(expression, FULL)
    assert (tree is None or tree["passed"]) == (evaluate(expression, FULL) == ())
    assert evaluate(expression, FULL) == evaluate(expression, FULL)
