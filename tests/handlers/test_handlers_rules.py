"""Rule hooks: what a session file says without code (formats: hooks)."""

from __future__ import annotations

import pytest

from toolbench.handlers.rules import rule_handler
from toolbench.running.patterns import PatternError
from toolbench.tools.hooks import Block, Call, Replace, Result, Rewrite


def rule(stage="before", **data):
    return rule_handler(id="r", on=stage, tools=("*",), data=data, file=None, line=None, source="session")


async def answer(handler, tool_input, result=None):
    return await handler.run(Call("t1", "t", tool_input), result)


@pytest.mark.parametrize(
    ("data", "tool_input", "expected"),
    [
        ({"block": "no"}, {}, Block("no")),
        ({"block": True}, {}, Block()),
        ({"block": False}, {}, None),
        ({"block": "no", "when": {"command": "rm *"}}, {"command": "rm -rf /"}, Block("no")),
        ({"block": "no", "when": {"command": "rm *"}}, {"command": "ls"}, None),
        ({"block": "no", "when": {"command": "rm *"}}, {}, None),
        ({"block": "no", "when": {"command": "rm", "force": True}}, {"command": "rm", "force": True}, Block("no")),
        ({"block": "no", "when": {"command": "rm", "force": True}}, {"command": "rm", "force": False}, None),
        ({"block": "no", "when": {"list": "*secret*"}}, {"list": ["a", "secret"]}, Block("no")),
        ({"block": "no", "when": {"path": "a[1]"}}, {"path": "a1"}, None),  # only the star is special
        ({"set": {"limit": 5}}, {"limit": 500, "q": "x"}, Replace({"limit": 5, "q": "x"})),
        ({"replace_text": {r"\d+": "#"}}, {"a": ["x1", {"b": "22"}]}, Replace({"a": ["x#", {"b": "#"}]})),
        ({"replace_text": {r"\d+": "#"}}, {"n": 3, "a1": None}, None),
        ({"replace_text": {"zzz": "#"}}, {"a": "x"}, None),
        ({"fault": "garbage"}, {}, ["this", "is", "no", "answer"]),
    ],
)
async def test_before_rules(data, tool_input, expected):
    assert await answer(rule(**data), tool_input) == expected


async def test_text_is_replaced_in_content_and_details():
    handler = rule("after", replace_text={"tok_[a-z]+": "[redacted]"})
    result = Result([{"type": "text", "text": "a tok_abc"}], details={"t": "tok_x"})
    assert await answer(handler, {}, result) == Rewrite(
        content=[{"type": "text", "text": "a [redacted]"}], details={"t": "[redacted]"}
    )
    assert await answer(handler, {}, Result([{"type": "text", "text": "fine"}])) is None


def test_a_pattern_that_is_none_blocks_what_the_rule_names():
    assert "no regular expression" in rule(replace_text={"(": "x"}).blocks_because


async def test_a_pattern_that_takes_too_long_is_a_failed_handler():
    with pytest.raises(PatternError, match="takes longer than"):
        await answer(rule(replace_text={"(a|a)*$": "x"}), {"a": "a" * 5000 + "!"})


async def test_a_fault_on_purpose_throws():
    with pytest.raises(RuntimeError, match="fault: throw"):
        await answer(rule(fault="throw"), {})
