"""Each sample session opens and shows what it is there to teach."""

from __future__ import annotations

import shutil

import pytest

from toolbench.testing import Bench, hook_verdicts, result_text

SAMPLES = ("quickstart", "coding-agent", "big-import", "broken")


@pytest.mark.parametrize("name", SAMPLES)
def test_sample_opens(samples, name):
    with Bench.open(samples / name) as bench:
        assert bench.session.generation.number == 1
        assert bench.session.calls


class TestQuickstart:
    """Something in every bucket, every signal, and no trust needed."""

    @pytest.fixture
    def bench(self, samples):
        with Bench.open(samples / "quickstart") as bench:
            yield bench

    def test_every_bucket_is_populated(self, bench):
        assert {bucket: bench.names(bucket) for bucket in ("off", "denied", "shadowed", "broken")} == {
            "off": ("export_issues", "find"),
            "denied": ("delete_branch",),
            "shadowed": ("grep",),
            "broken": ("deploy.rollback",),
        }
        assert bench.names("visible") == (
            "grep", "label_issue", "ls", "post_message", "read", "roll_dice", "search_issues",
        )  # fmt: skip

    @pytest.mark.parametrize(
        ("name", "reasons"),
        [
            ("create_issue", ["env-missing"]),
            ("close_issue", ["env-missing", "context-mismatch"]),
            ("deploy", ["config-missing"]),
            ("approve_release", ["context-mismatch"]),
            ("list_channels", ["plugin-disabled"]),
            ("release_report", ["unsupported-signal"]),
        ],
    )
    def test_hidden_with_its_reasons(self, bench, name, reasons):
        bench.assert_hidden(name, *reasons)

    def test_each_signal_decides_something(self, bench):
        for path, value in [
            ("env.TRACKER_TOKEN", "x"), ("plugins.chat", None), ("config.deploys.target", "blue"),
            ("values.role", "maintainer"),
        ]:  # fmt: skip
            bench.set(path, value)
        bench.assert_visible("create_issue", "close_issue", "deploy", "approve_release", "list_channels")
        bench.unset("auth.tracker")
        bench.assert_hidden("search_issues", "auth-missing")

    def test_needs_no_trust(self, bench):
        assert not bench.session.trusted
        assert bench.session.runnable == ()
        assert {source.state for source in bench.session.sources} == {"ok"}

    def test_rules_change_a_call_and_its_result(self, bench):
        report = bench.call("search_issues", {"query": "login", "limit": 500})
        assert report.verdict == "ok"
        assert report.arguments == {"query": "login", "limit": 20}
        assert hook_verdicts(report) == {"cap-limit": "replace", "redact-tokens": "rewrite"}
        assert "tok_" not in result_text(report)
        assert "[redacted]" in result_text(report)

    def test_rule_blocks(self, bench):
        bench.set("config.deploys.target", "blue")
        report = bench.call("deploy", {"version": "v1.5.0", "reason": "it is friday"})
        assert (report.verdict, report.executed) == ("blocked", False)
        assert "Fridays" in result_text(report)

    @pytest.mark.parametrize(
        ("index", "verdicts"),
        [(0, ["ok"]), (1, ["ok"]), (2, ["invalid-arguments"]), (3, ["not-found"]), (4, ["ok", "ok", "not-found"])],
    )
    def test_calls_of_the_session(self, bench, index, verdicts):
        batch = bench.fire(*bench.session.calls[index].uses)
        assert [report.verdict for report in batch.reports] == verdicts

    def test_sequence_stays_with_its_last(self, bench):
        assert [result_text(bench.call("roll_dice", {"sides": 6})) for _ in range(4)] == ["4", "2", "6", "6"]


class TestCodingAgent:
    """Guards in Python around tools that change things."""

    @pytest.fixture
    def bench(self, samples, tmp_path):
        folder = shutil.copytree(samples / "coding-agent", tmp_path / "coding-agent")
        with Bench.open(folder, trust=True) as bench:
            yield bench

    def test_restricted_until_trusted(self, samples):
        with Bench.open(samples / "coding-agent") as bench:
            assert {"builtin", "custom"} <= {one.id for one in bench.session.sources if one.state == "restricted"}
            assert {one.kind for one in bench.session.runnable} >= {"hooks", "python", "command", "builtin"}
            bench.assert_visible("read", "run_tests")

    @pytest.mark.parametrize(
        ("name", "arguments", "reason"),
        [
            ("exec", {"command": "rm -rf build"}, "No recursive removal"),
            ("exec", {"command": "rm 'unclosed"}, "cannot be read"),
            ("write", {"path": "LICENSE", "content": ""}, "LICENSE is protected"),
        ],
    )
    def test_guards_block(self, bench, name, arguments, reason):
        report = bench.call(name, arguments)
        assert (report.verdict, report.executed) == ("blocked", False)
        assert reason in result_text(report)

    def test_tests_run_and_the_agent_can_break_them(self, bench):
        assert result_text(bench.call("run_tests")) == "2 passed, 0 failed"
        bench.call("edit", {"path": "src/slugs.py", "old_text": '"-".join', "new_text": '"_".join'})
        report = bench.call("run_tests")
        assert report.verdict == "tool-error"
        assert "2 failed" in result_text(report)

    def test_write_ends_with_a_line_break(self, bench):
        report = bench.call("write", {"path": "src/new.py", "content": "x = 1"})
        assert report.arguments == {"path": "src/new.py", "content": "x = 1\n"}
        assert (bench.session.folder / "workspace/src/new.py").read_text() == "x = 1\n"

    def test_secret_is_redacted(self, bench):
        assert "key_d41d8cd98f00" not in result_text(bench.call("read", {"path": "README.md"}))

    def test_program_is_a_tool(self, bench):
        report = bench.call("count_lines")
        assert report.result.structured["lines"] > 0


class TestBigImport:
    """A real-sized import in two shapes, which can be tried at once."""

    def test_sizes(self, samples):
        with Bench.open(samples / "big-import") as bench:
            counts = {bucket: len(bench.names(bucket)) for bucket in ("visible", "hidden", "denied", "broken")}
            assert counts == {"visible": 84, "hidden": 0, "denied": 14, "broken": 0}
            assert bench.session.generation.sizes.bytes > 30_000

    def test_canned_reply_and_page_size(self, samples):
        with Bench.open(samples / "big-import") as bench:
            report = bench.call("contacts_search", {"query": "Kim", "limit": 200})
            assert report.arguments == {"query": "Kim", "limit": 50}
            assert report.verdict == "ok"


class TestBroken:
    """A fault spoils its own entry alone, and is told."""

    @pytest.fixture
    def bench(self, samples):
        with Bench.open(samples / "broken") as bench:
            yield bench

    def test_what_has_no_fault_works(self, bench):
        assert "works" in bench.names("visible")

    @pytest.mark.parametrize(
        "name",
        ["lonely", "files.read", "twice", "wrong_type", "required_inside", "no_schema"],
    )
    def test_set_apart(self, bench, name):
        bench.assert_bucket(name, "broken")

    @pytest.mark.parametrize("name", ["empty_group", "unknown_signal", "empty_id", "itself"])
    def test_malformed(self, bench, name):
        bench.assert_hidden(name, "unsupported-signal")

    def test_sources_in_error(self, bench):
        states = {source.id: source.state for source in bench.session.sources}
        assert (states["syntax"], states["names"], states["schemas"]) == ("error", "ok", "ok")

    def test_each_fault_names_its_place(self, bench):
        places = {(problem.file, problem.line) for problem in bench.session.problems}
        assert ("session.yaml", 11) in places
        assert ("definitions/keys.yaml", 3) in places
        assert any(file == "definitions/syntax.yaml" for file, _ in places)
        assert any(problem.fix and "input_schema" in problem.fix for problem in bench.session.problems)
