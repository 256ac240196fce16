"""`toolbench call`."""

from __future__ import annotations

import json

import pytest


@pytest.mark.parametrize(
    ("name", "arguments", "code", "verdict", "executed"),
    [
        ("roll_dice", '{"sides": 6}', 0, "ok", True),
        ("roll_dice", '{"sides": "six"}', 1, "invalid-arguments", False),
        ("roll_dice", None, 1, "invalid-arguments", False),
        ("roll_dice", "[1]", 1, "invalid-arguments", False),
        ("create_issue", '{"title": "abc"}', 1, "not-found", False),
        ("no_such_tool", "{}", 1, "not-found", False),
        ("read", '{"path": "../session.yaml"}', 1, "tool-error", True),
        ("ls", None, 0, "ok", True),
    ],
)
def test_exit_code_and_verdict(toolbench, quickstart, name, arguments, code, verdict, executed):
    options = [] if arguments is None else ["--input", arguments]
    done = toolbench("call", quickstart, name, *options, "--json")
    document = json.loads(done.stdout)
    assert (done.returncode, document["verdict"], document["executed"]) == (code, verdict, executed)
    assert done.stderr == ""


def test_blocked_is_3(toolbench, quickstart):
    done = toolbench(
        "call", quickstart, "deploy", "--set", "config.deploys.target=blue",
        "--input", '{"version": "v1.0.0", "reason": "on friday"}',
    )  # fmt: skip
    assert done.returncode == 3
    assert "No deploys on Fridays" in done.stdout
    assert "no-friday  block" in done.stderr


def test_stdout_carries_the_result_alone(toolbench, quickstart):
    done = toolbench("call", quickstart, "search_issues", "--input", '{"query": "login", "limit": 900}')
    assert done.stdout.startswith("#12 Login page")
    assert "cap-limit" not in done.stdout
    for words in ("cap-limit  replace  changed /limit", "redact-tokens  rewrite", "ok  executed, generation 1"):
        assert words in done.stderr


def test_input_from_a_file_and_from_stdin(toolbench, quickstart, tmp_path):
    file = tmp_path / "arguments.json"
    file.write_text('{"sides": 6}')
    assert toolbench("call", quickstart, "roll_dice", "--input", f"@{file}").stdout == "4\n"
    assert toolbench("call", quickstart, "roll_dice", "--input", "-", stdin='{"sides": 6}').stdout == "4\n"


def test_hidden_tool_says_why_to_the_person_alone(toolbench, quickstart):
    """R-DISP-03: the model is told no more than that there is no such tool."""
    document = json.loads(toolbench("call", quickstart, "create_issue", "--json").stdout)
    assert document["result"]["content"] == [{"type": "text", "text": "Tool create_issue not found"}]
    assert document["why"]["bucket"] == "hidden"


def test_trace_has_the_events_in_order(toolbench, quickstart):
    """R-EVT: the trace is the same stream that the workbench reads."""
    document = json.loads(toolbench("call", quickstart, "ls", "--trace", "--json").stdout)
    types = [event["type"] for event in document["events"]]
    way = ["call-started", "call-looked-up", "call-validated", "execution-started", "execution-ended", "call-ended"]
    assert [one for one in types if one in way] == way
    sequence = [event["seq"] for event in document["events"]]
    assert sequence == sorted(sequence)
    assert "execution-ended" in toolbench("call", quickstart, "ls", "--trace").stderr


ANTHROPIC = {
    "role": "assistant",
    "stop_reason": "tool_use",
    "content": [
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "a", "name": "roll_dice", "input": {"sides": 6}},
        {"type": "tool_use", "id": "b", "name": "ls", "input": {}},
    ],
}
OPENAI = {
    "role": "assistant",
    "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "roll_dice", "arguments": '{"sides": 6}'}},
        {"id": "b", "type": "function", "function": {"name": "nobody", "arguments": "{}"}},
    ],
}


@pytest.mark.parametrize(
    ("message", "code", "verdicts"),
    [
        (ANTHROPIC, 0, ["ok", "ok"]),
        (ANTHROPIC["content"][1:], 0, ["ok", "ok"]),
        (OPENAI, 1, ["ok", "not-found"]),
        ({**ANTHROPIC, "stop_reason": "max_tokens"}, 1, ["refused", "refused"]),
    ],
)
def test_batch(toolbench, quickstart, message, code, verdicts):
    done = toolbench("call", quickstart, "--batch", "-", "--json", stdin=json.dumps(message))
    document = json.loads(done.stdout)
    assert (done.returncode, [one["verdict"] for one in document["results"]]) == (code, verdicts)
    assert [one["result"]["tool_use_id"] for one in document["results"]] == ["a", "b"]


def test_batch_of_blocks_alone_is_3(toolbench, quickstart):
    use = {"type": "tool_use", "id": "a", "name": "deploy", "input": {"version": "v1.0.0", "reason": "friday"}}
    done = toolbench("call", quickstart, "--batch", "-", "--set", "config.deploys.target=x", stdin=json.dumps([use]))
    assert done.returncode == 3


class TestTrust:
    """A session that must run code and is not trusted ends with 2 and says how to trust."""

    @pytest.mark.parametrize("name", ["exec", "run_tests", "count_lines", "read"])
    def test_untrusted_is_2(self, toolbench, samples, name):
        done = toolbench("call", samples / "coding-agent", name, "--input", '{"command": "x", "path": "x"}')
        assert (done.returncode, done.stdout) == (2, "")
        assert "--trust" in done.stderr
        assert "toolbench trust " in done.stderr

    def test_trust_for_one_run(self, toolbench, samples):
        arguments = ["call", samples / "coding-agent", "exec", "--input", '{"command": "echo hello"}']
        assert toolbench(*arguments, "--trust").stdout == "hello\n"
        assert toolbench(*arguments).returncode == 2

    def test_trust_is_remembered_until_untrusted(self, toolbench, samples):
        folder = samples / "coding-agent"
        arguments = ["call", folder, "count_lines"]
        assert toolbench("trust", folder).returncode == 0
        assert toolbench("trust", "--list").stdout == f"{folder}\n"
        assert toolbench(*arguments).returncode == 0
        assert toolbench("untrust", folder).returncode == 0
        assert toolbench(*arguments).returncode == 2
        assert toolbench("trust", "--list").stdout.strip() == ""
