"""`toolbench plan --json` over tool lists that others wrote: nothing crashes, and no tool is lost without a word."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

DATA = Path(__file__).parents[3] / "shared" / "data"
ENTRIES = {
    "bfcl": 2030,
    "claude-cookbooks": 23,
    "docker-mcp-registry": 550,
    "github-mcp-server": 88,
    "mcp-servers-recorded": 40,
    "openai-cookbook": 2,
    "tau2-bench": 44,
}
"""How many tools with a name each folder's files declare; the files beside them hold calls and tasks."""
SET_APART = {
    "hidden": ("diagnostics",),
    "denied": ("layer",),
    "broken": ("code", "message"),
    "shadowed": ("winner", "rule"),
}


@pytest.fixture
def foreign(request, tmp_path):
    """Return a session whose extensions are the files of a folder of lists, each by itself."""
    lists = [one for one in sorted((DATA / request.param).rglob("*")) if one.is_file() and one.suffix != ".txt"]
    if not lists:
        pytest.skip("the lists are not here")
    extensions = []
    for number, path in enumerate(lists):
        name = f"{number:03}.json"  # a list is read by what it holds; only its ending has to be one of ours
        shutil.copyfile(path, tmp_path / name)
        extensions.append({"id": f"x{number}", "tools": name})
    session = tmp_path / "session.yaml"
    session.write_text(json.dumps({"toolbench": 1, "builtin": False, "extensions": extensions}), encoding="utf-8")
    return request.param, session


@pytest.mark.parametrize("foreign", sorted(ENTRIES), indirect=True)
def test_each_tool_is_planned_or_set_apart_with_file_line_and_reason(toolbench, foreign):
    folder, session = foreign
    done = toolbench("plan", "--json", session)
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    plan = json.loads(done.stdout)
    assert len(plan["visible"]) + len(plan["off"]) + sum(len(plan[one]) for one in SET_APART) == ENTRIES[folder]
    for bucket, reason in SET_APART.items():
        for tool in plan[bucket]:
            assert all(tool[key] for key in reason), tool
            assert Path(tool["file"]).suffix == ".json", tool
            assert tool["line"] >= 1, tool
    assert {source["state"] for source in plan["sources"]} == {"ok"}
    for warning in plan["warnings"]:
        assert warning["code"], warning
        assert warning["message"], warning
        assert warning["line"] >= 1 or warning["code"] == "look-alike-names", warning
