"""Text, YAML and JSON as files hold them: odd types, bombs, doubled keys, encodings, links (HAND-26, 32 to 34, 37)."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from toolbench.files.definitions import load_definitions
from toolbench.files.expand import expand
from toolbench.files.session_file import load_session_file
from toolbench.files.text_file import load_file


@pytest.fixture
def written(tmp_path):
    """Write a file and return its path."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return write


def definitions(path):
    return load_definitions(path, shown=path.name, source="x", plugin_id="x")


def complaints(problems):
    return [(problem.code, problem.line) for problem in problems]


# YAML 1.2 types: HAND-26 HAND-27


def test_words_are_no_booleans_and_numbers_stay_what_was_written(written):
    path = written(
        "session.yaml",
        "toolbench: 1\ncontext:\n  env: {FEATURE: on, COUNTRY: NO, DEBUG: off, Y: yes, OCTAL: '010', NUM: 0}\n",
    )
    file = load_session_file(path)
    env = dict(file.context.env)
    assert {name: env[name] for name in ("FEATURE", "COUNTRY", "DEBUG", "Y", "OCTAL")} == {
        "FEATURE": "on",
        "COUNTRY": "NO",
        "DEBUG": "off",
        "Y": "yes",
        "OCTAL": "010",
    }
    assert env.get("NUM") == "0" or any("NUM" in problem.message for problem in file.problems)


# Bombs: HAND-32


def bomb():
    lines = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    for before, name in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]")
    lines += ["tools:", "  - {name: t, run: {reply: r}, input_schema: {type: object, properties: {p: {enum: *i}}}}"]
    return "\n".join(lines)


def test_a_bomb_is_refused_fast_and_small(written):
    path = written("bomb.yaml", bomb())
    tracemalloc.start()
    began = time.process_time()
    loaded = definitions(path)
    spent = time.process_time() - began
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert loaded.failed
    assert [problem.severity for problem in loaded.problems] == ["error"]
    assert "alias" in loaded.problems[0].message
    assert most < 20_000_000
    assert spent < 1


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("deep.yaml", "[" * 5000 + "]" * 5000),
        ("deep.json", "[" * 100_000 + "]" * 100_000),
        ("deep.jsonl", '{"a":' * 5000 + "1" + "}" * 5000),
        ("flow.yaml", "{a: " * 3000 + "1" + "}" * 3000),
    ],
)
def test_what_is_too_deep_is_one_problem(written, name, content):
    loaded = definitions(written(name, content))
    assert loaded.claims == ()
    assert len(loaded.problems) == 1
    assert loaded.problems[0].severity == "error"


def test_an_alias_inside_what_it_names_is_told(written):
    loaded = definitions(written("loop.yaml", "&a [*a]"))
    assert loaded.claims == ()
    assert "an alias stands inside what it names" in [problem.message for problem in loaded.problems]


# Doubled keys: HAND-33


def test_a_doubled_key_in_json_is_told_with_its_place(written):
    loaded = definitions(
        written(
            "w.json",
            '{"name": "w", "input_schema": {"type": "object", "properties":\n'
            '  {"path": {"type": "string"},\n   "path": {"type": "integer"}}}}',
        )
    )
    assert ("duplicate-key", 3) in complaints(loaded.problems)
    assert loaded.failed


def test_a_key_that_overrides_a_merged_one_is_no_double(written):
    loaded = definitions(
        written(
            "m.yaml",
            "base: &b {description: from base, run: {reply: a}}\n"
            "tools:\n  - {<<: *b, name: ok, description: own, run: {reply: other}}\n",
        )
    )
    (claim,) = loaded.claims
    assert (claim.descriptor.name, claim.descriptor.description) == ("ok", "own")
    assert "duplicate-key" not in [problem.code for problem in loaded.problems]


def test_a_number_and_its_text_are_two_keys_and_equal_ones_are_a_double(written):
    # A key is text here, so 1 and "1" are one key twice: told, and not merged.
    odd = load_file(written("odd.yaml", '{1: a, "1": b, name: odd}')).document
    assert [fault.message for fault in odd.faults] == ["the key '1' stands twice, first in line 1"]
    twice = load_file(written("odd2.yaml", "{true: a, True: b, 1: c, 01: d, name: odd2}")).document
    assert [fault.message for fault in twice.faults] == [
        "the key 'True' is 'true' again, first in line 1",
        "the key '01' is '1' again, first in line 1",
    ]


# Encodings: HAND-34


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.yaml", "name: é".encode("utf-16"), "UTF-16"),
        ("b.yaml", "name: é".encode("utf-16-le"), "UTF-16"),
        ("c.yaml", "name: é".encode("latin-1"), "no UTF-8"),
        ("d.yaml", b"name: x\0", "control characters are not allowed"),
        ("h.yaml", b"---\nname: a\n---\nname: b\n", "document"),
    ],
)
def test_a_file_in_another_encoding_is_one_problem_that_names_it(written, name, content, says):
    loaded = definitions(written(name, content))
    assert loaded.failed
    (problem,) = loaded.problems
    assert says in problem.message
    assert problem.file == name


def test_a_lone_surrogate_never_reaches_what_is_written(written):
    loaded = definitions(written("e.json", '{"name": "ok", "description": "\\ud800"}'))
    (claim,) = loaded.claims
    assert claim.descriptor.description == "\ufffd"
    assert ("lone-surrogate", 1) in complaints(loaded.problems)
    (pair,) = definitions(written("p.json", '{"name": "ok", "description": "\\ud83d\\ude00"}')).claims
    assert pair.descriptor.description == "😀"


@pytest.mark.parametrize("content", ["", "# a comment\n", "---\n", "null\n"])
def test_an_empty_file_holds_no_tools(written, content):
    loaded = definitions(written("f.yaml", content))
    assert (loaded.claims, loaded.failed) == ((), False)
    assert [problem.severity for problem in loaded.problems] == ["warning"]


def test_a_byte_order_mark_is_passed_over(written):
    (claim,) = definitions(written("bom.yaml", b"\xef\xbb\xbfname: x\nrun: {reply: r}\n")).claims
    assert claim.descriptor.name == "x"


# Links: HAND-37


def test_links_end_each_file_comes_once_and_one_to_nothing_is_told(tmp_path):
    defs = tmp_path / "defs"
    defs.mkdir()
    (defs / "tools.yaml").write_text("name: x\n", encoding="utf-8")
    (defs / "sub").symlink_to("..")
    (defs / "gone.yaml").symlink_to("/no/such/file")
    for pattern in ("defs", "defs/*.yaml", "defs/**/*.yaml"):
        paths, problems = expand([pattern], tmp_path)
        assert [path.name for path in paths] == ["tools.yaml"]
        assert [problem.code for problem in problems] == ["dangling-link"]
        assert "gone.yaml is a link to nothing" in problems[0].message


def test_a_pipe_is_never_read(tmp_path):
    import os

    os.mkfifo(tmp_path / "pipe.yaml")
    loaded = definitions(tmp_path / "pipe.yaml")
    assert loaded.failed
    assert "no regular file" in loaded.problems[0].message
