"""The pytest plugin, as those use it who test their own sessions."""

from __future__ import annotations

import pytest

SESSION = """\
toolbench: 1
name: Mine
builtin: false
custom:
  - name: greet
    description: Greet.
    input_schema: {type: object, properties: {who: {type: string}}, required: [who]}
    run: {reply: "Hello ${input.who}, tok_123"}
  - name: secret
    description: Hidden.
    input_schema: {type: object}
    availability: {env: TOKEN}
    run: {reply: ok}
hooks:
  - {id: no-bob, on: before, tools: greet, when: {who: Bob}, block: Not Bob.}
  - {id: redact, on: after, tools: "*", replace_text: {"tok_[0-9]+": "***"}}
"""


@pytest.fixture
def project(pytester):
    """A project of one session, whose tests are run in a process of their own."""
    pytester.makefile(".yaml", session=SESSION)
    pytester.makeini("[pytest]\naddopts = -p no:cacheprovider\n")

    def run(code: str, *options: str):
        pytester.makepyfile(code)
        return pytester.runpytest_subprocess("-q", "-p", "no:randomly", *options)

    return run


def test_buckets_reasons_results_and_verdicts(project):
    result = project("""
        from toolbench.testing import hook_verdicts, result_text

        def test_mine(toolbench_session):
            bench = toolbench_session("session.yaml")
            bench.assert_visible("greet")
            bench.assert_hidden("secret", "env-missing")
            report = bench.call("greet", {"who": "Ann"})
            assert result_text(report) == "Hello Ann, ***"
            assert hook_verdicts(report) == {"no-bob": "pass", "redact": "rewrite"}
            assert bench.call("greet", {"who": "Bob"}).verdict == "blocked"
            bench.set("env.TOKEN", "x")
            bench.assert_visible("secret")
            bench.toggle("secret")
            bench.assert_bucket("secret", "off")
            assert bench.names("visible") == ("greet",)
    """)
    result.assert_outcomes(passed=1)


def test_clock_ids_and_durations_are_fixed(project):
    result = project("""
        def test_mine(toolbench_session):
            bench = toolbench_session("session.yaml")
            batch = bench.fire({"name": "greet", "input": {"who": "Ann"}}, {"name": "greet", "input": {"who": "Eve"}})
            assert [report.id for report in batch.reports] == ["call_1", "call_2"]
            assert {report.duration for report in batch.reports} == {0.0}
            assert {entry.at for entry in bench.session.events.entries} == {0.0}
    """)
    result.assert_outcomes(passed=1)


def test_environment_is_cleaned(project, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TEXTUAL_THEME", "dracula")
    monkeypatch.setenv("TOOLBENCH_STATE_DIR", "/nonexistent")
    result = project("""
        import os
        from toolbench.files.trust import TrustStore

        def test_mine(toolbench_session, tmp_path):
            assert "NO_COLOR" not in os.environ and "TEXTUAL_THEME" not in os.environ
            TrustStore().trust(tmp_path)
    """)
    result.assert_outcomes(passed=1)


def test_failed_assertion_says_what_is_so(project):
    result = project("""
        def test_hidden(toolbench_session):
            toolbench_session("session.yaml").assert_visible("secret")

        def test_reason(toolbench_session):
            toolbench_session("session.yaml").assert_hidden("secret", "auth-missing")

        def test_refused(toolbench_session):
            toolbench_session("session.yaml").toggle("nobody")
    """)
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines_random(
        [
            "*secret is hidden, not visible*env-missing*",
            "*secret is hidden because of env-missing, not auth-missing*",
        ]
    )


def test_async_tests_use_the_session(project):
    result = project(
        """
        async def test_mine(toolbench_session):
            bench = toolbench_session("session.yaml")
            report = await bench.session.call("greet", {"who": "Ann"})
            assert report.verdict == "ok"
        """,
        "-o", "asyncio_mode=auto",
    )  # fmt: skip
    result.assert_outcomes(passed=1)


PICTURE = """
    def test_mine(toolbench_snap):
        toolbench_snap("session.yaml", press=[{keys}], size=(100, 30))
"""


def test_picture_is_compared(project):
    first = project(PICTURE.format(keys=""))
    first.assert_outcomes(failed=1)
    first.stdout.fnmatch_lines(["*accept it with --snapshot-update*"])
    project(PICTURE.format(keys=""), "--snapshot-update").assert_outcomes(passed=1)
    project(PICTURE.format(keys="")).assert_outcomes(passed=1)
    project(PICTURE.format(keys="'question_mark'")).assert_outcomes(failed=1)


def test_plugin_costs_nothing_where_it_is_not_used(project):
    result = project("""
        import sys

        def test_mine():
            assert "toolbench.session.session" not in sys.modules
    """)
    result.assert_outcomes(passed=1)
