"""`toolbench plan`."""

from __future__ import annotations

import json

import pytest

BUCKETS = ("visible", "hidden", "off", "denied", "shadowed", "broken")


@pytest.fixture
def plan(toolbench, quickstart):
    """Return a function that plans quickstart with options and reads the JSON."""

    def run(*options: str) -> dict:
        return json.loads(toolbench("plan", quickstart, "--json", *options).stdout)

    return run


def names(document: dict, bucket: str) -> list[str]:
    """Return the names in a bucket."""
    return [tool["name"] for tool in document[bucket]]


def test_text_tells_every_bucket_with_reasons(toolbench, quickstart):
    done = toolbench("plan", quickstart)
    assert done.returncode == 1  # deploy.rollback is broken
    for words in (
        "Release assistant", "visible (7)", "Missing environment value: TRACKER_TOKEN", "extensions/tracker.yaml:",
        "global: “delete_branch”", "by better-files, extension-over-builtin", "⚠ release_report", "tokens (estimate)",
    ):  # fmt: skip
        assert words in done.stdout
    assert done.stderr == ""


def test_json_tells_the_same(plan):
    document = plan()
    assert {bucket: len(document[bucket]) for bucket in BUCKETS} == {
        "visible": 7, "hidden": 6, "off": 2, "denied": 1, "shadowed": 1, "broken": 1,
    }  # fmt: skip
    assert document["error"] is None
    assert document["model"]["tools"] == 7


@pytest.mark.parametrize(
    ("options", "name", "bucket"),
    [
        (["--set", "env.TRACKER_TOKEN=x"], "create_issue", "visible"),
        (["--set", "config.deploys.target=blue"], "deploy", "visible"),
        (["--set", 'config."deploys"."target"=blue'], "deploy", "visible"),
        (["--set", "values.role=maintainer"], "approve_release", "visible"),
        (["--set", 'values.role="maintainer"'], "approve_release", "visible"),
        (["--set", "values.role=[maintainer]"], "approve_release", "hidden"),
        (["--set", "plugins.chat"], "list_channels", "visible"),
        (["--unset", "auth.tracker"], "search_issues", "hidden"),
        (["--unset", "active.read"], "read", "off"),
        (["--set", "active.find"], "find", "visible"),
        (["--unset", "policy.global"], "delete_branch", "visible"),  # new to the registry: active (R-REG 6)
        (["--set", "policy.agent={deny: [read]}"], "read", "denied"),
    ],
)
def test_what_if(plan, options, name, bucket):
    assert name in names(plan(*options), bucket)


def test_what_if_touches_no_file(toolbench, quickstart):
    before = (quickstart / "session.yaml").read_bytes()
    toolbench("plan", quickstart, "--set", "env.TRACKER_TOKEN=x")
    assert (quickstart / "session.yaml").read_bytes() == before


def test_explain_tells_wanted_and_found(toolbench, quickstart):
    text = toolbench("plan", quickstart, "--explain", "deploy").stdout
    assert text.startswith("deploy: hidden")
    assert "✗ config deploys.target" in text
    document = json.loads(toolbench("plan", quickstart, "--explain", "create_issue", "--json").stdout)
    assert [leaf["passed"] for leaf in document["tree"]["all_of"]] == [True, True, False]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("grep", "shadowed: by better-files"),
        ("delete_branch", "denied: global"),
        ("find", "off: switched off since generation 1"),
        ("deploy.rollback", "broken: "),
        ("serch_issues", "nearest names: search_issues"),
    ],
)
def test_explain_tells_why(toolbench, quickstart, name, said):
    assert said in toolbench("plan", quickstart, "--explain", name).stdout


def test_diff_of_two_sessions(toolbench, quickstart, samples):
    assert toolbench("plan", quickstart, "--diff", quickstart).stdout == "no difference\n"
    text = toolbench("plan", quickstart, "--diff", samples / "coding-agent").stdout
    assert "− roll_dice" in text
    assert "+ run_tests" in text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("custom: [{name: t, description: d, input_schema: {type: object}, run: {reply: ok}}]", 0),
        ("custom: [{name: t, description: d, input_schema: {type: object}}]", 1),
        ("custom: [{name: t, description: d, input_schema: {type: object}, availability: {env: X}}]", 0),
        ("extensions: [{id: x, tools: none.yaml}]", 1),
        ("builtin: {workspace: .}", 0),
        ("policy: {global: {deny: [nothing]}}", 0),
    ],
)
def test_exit_code(toolbench, tmp_path, text, code):
    (tmp_path / "session.yaml").write_text(f"toolbench: 1\nname: x\n{text}\n")
    assert toolbench("plan", tmp_path).returncode == code


def test_host_would_stop_is_told_with_its_place(toolbench, tmp_path):
    """The contract error has the file and line of the tool (R-GEN-04)."""
    (tmp_path / "session.yaml").write_text(
        "toolbench: 1\nname: x\ncustom:\n  - {name: t, description: d, input_schema: {type: object}}\n"
    )
    document = json.loads(toolbench("plan", tmp_path, "--json").stdout)
    error = document["error"]
    assert (error["code"], error["tool_name"], error["file"], error["line"]) == (
        "missing-executor", "t", "session.yaml", 4,
    )  # fmt: skip
    assert "A host would stop here: session.yaml:4" in toolbench("plan", tmp_path).stdout
