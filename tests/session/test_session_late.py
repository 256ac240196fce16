"""Code that does not stop: left behind, listed, and its late answer dropped and told (R-DISP-08)."""

from __future__ import annotations

import asyncio
import os

import pytest

from toolbench.tools.events import LateResult, Notice

CODE = """
from toolbench import ToolContext

def stubborn(context: ToolContext):
    with open("{pipe}") as pipe:
        pipe.read()
    return "too late"

def before_tool_call(call):
    if call.name == "guarded":
        with open("{pipe}") as pipe:
            pipe.read()
"""
SESSION = """
    toolbench: 1
    builtin: false
    custom:
      - {name: stubborn, timeout: 0.1, run: {python: "code.py:stubborn"}}
      - {name: guarded, run: {reply: never}}
    hooks: [{python: code.py}]
    settings: {hook_timeout: 0.1}
"""


@pytest.mark.parametrize(
    ("name", "verdict", "label", "kind"),
    [
        ("stubborn", "timeout", "stubborn (code.py:stubborn)", LateResult),
        ("guarded", "blocked", "hook code.py:before_tool_call", Notice),
    ],
)
async def test_a_late_answer_is_dropped_and_told(project, heard, name, verdict, label, kind):
    pipe = project.folder / "pipe"
    os.mkfifo(pipe)
    session = project.open(SESSION, trust=True, code_py=CODE.replace("{pipe}", str(pipe)))
    report = await session.call(name)
    assert report.verdict == verdict
    assert session.left_behind == (label,)
    late = asyncio.ensure_future(heard(session, kind))
    await asyncio.sleep(0)
    await asyncio.to_thread(pipe.write_text, "go on")
    event = await late
    assert session.left_behind == ()
    assert (event.call if kind is LateResult else event.code) == (1 if kind is LateResult else "late")
