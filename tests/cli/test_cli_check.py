"""`toolbench check` and `toolbench schema`."""

from __future__ import annotations

import json

import jsonschema_rs
import pytest


def test_quickstart_tells_its_one_error(toolbench, quickstart):
    done = toolbench("check", quickstart)
    assert done.returncode == 1
    assert "extensions/deploys.yaml:" in done.stdout
    assert "deploy.rollback" in done.stdout


def test_nothing_wrong_is_0(toolbench, samples):
    done = toolbench("check", samples / "coding-agent")
    assert (done.returncode, done.stdout) == (0, "nothing wrong\n")


def test_strict_fails_on_a_warning(toolbench, tmp_path):
    (tmp_path / "session.yaml").write_text("toolbench: 1\nname: x\ncolour: blue\n")
    assert toolbench("check", tmp_path).returncode == 0
    assert toolbench("check", tmp_path, "--strict").returncode == 1


def test_broken_tells_file_line_and_fix(toolbench, samples):
    done = toolbench("check", samples / "broken", "--json")
    problems = json.loads(done.stdout)["problems"]
    assert done.returncode == 1
    assert {"definitions/syntax.yaml", "definitions/keys.yaml", "definitions/strict.json", "hooks.py"} <= {
        problem["file"] for problem in problems
    }
    assert any("input_schema" in (problem["fix"] or "") for problem in problems)


def test_nothing_is_run(toolbench, tmp_path):
    (tmp_path / "hooks.py").write_text("from pathlib import Path\nPath(__file__).with_name('ran').touch()\n")
    (tmp_path / "session.yaml").write_text("toolbench: 1\nname: x\nhooks: [hooks.py]\n")
    toolbench("trust", tmp_path)
    toolbench("check", tmp_path)
    assert not (tmp_path / "ran").exists()


def test_sarif_has_a_result_for_each_problem(toolbench, samples):
    log = json.loads(toolbench("check", samples / "broken", "--format", "sarif").stdout)
    problems = json.loads(toolbench("check", samples / "broken", "--format", "json").stdout)["problems"]
    (run,) = log["runs"]
    assert [result["ruleId"] for result in run["results"]] == [problem["code"] for problem in problems]
    assert {result["level"] for result in run["results"]} >= {"error", "warning"}


def test_profile_finds_what_a_provider_refuses(toolbench, tmp_path):
    (tmp_path / "session.yaml").write_text(
        "toolbench: 1\nname: x\nprovider: any\ncustom:\n"
        "  - {name: a.b, description: d, input_schema: {type: object}, run: {reply: ok}}\n"
    )
    assert toolbench("check", tmp_path).returncode == 0
    assert toolbench("check", tmp_path, "--profile", "openai").returncode == 1


OUTPUTS = [
    ("plan", ["plan", "quickstart"]),
    ("plan", ["plan", "broken"]),
    ("plan", ["plan", "big-import"]),
    ("plan", ["plan", "quickstart", "--explain", "create_issue"]),
    ("plan", ["plan", "quickstart", "--explain", "release_report"]),
    ("plan", ["plan", "quickstart", "--explain", "nobody"]),
    ("plan", ["plan", "quickstart", "--diff", "quickstart"]),
    ("check", ["check", "broken"]),
    ("call", ["call", "quickstart", "ls"]),
    ("call", ["call", "quickstart", "ls", "--trace"]),
    ("call", ["call", "quickstart", "deploy"]),
    ("call", ["call", "quickstart", "search_issues", "--input", '{"query": "x", "limit": 30}', "--trace"]),
    ("call", ["call", "quickstart", "--batch", "-"]),
]


@pytest.mark.parametrize(("name", "arguments"), OUTPUTS)
def test_output_is_as_its_schema_says(toolbench, samples, name, arguments):
    schema = json.loads(toolbench("schema", name).stdout)
    words = [samples / word if (samples / word).is_dir() and word != "--" else word for word in arguments]
    words[0] = arguments[0]
    stdin = '[{"type": "tool_use", "id": "a", "name": "ls", "input": {}}]'
    document = json.loads(toolbench(*words, "--json", stdin=stdin).stdout)
    errors = [error.message for error in jsonschema_rs.validator_for(schema).iter_errors(document)]
    assert errors == []


@pytest.mark.parametrize("name", ["plan", "call", "check", "session", "definitions"])
def test_schema_is_a_schema(toolbench, name):
    jsonschema_rs.meta.validate(json.loads(toolbench("schema", name).stdout))


@pytest.mark.parametrize("sample", ["quickstart", "coding-agent", "big-import"])
def test_samples_are_as_the_session_schema_says(toolbench, samples, sample):
    import yaml

    schema = json.loads(toolbench("schema", "session").stdout)
    document = yaml.safe_load((samples / sample / "session.yaml").read_text())
    hooks = document.get("hooks", [])
    for hook in hooks:  # YAML 1.1, which this test reads with, takes the word `on` for true
        if isinstance(hook, dict) and True in hook:
            hook["on"] = hook.pop(True)
    assert [error.message for error in jsonschema_rs.validator_for(schema).iter_errors(document)] == []
