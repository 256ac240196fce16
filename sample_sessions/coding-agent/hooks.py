"""Guards of a coding agent. Each handler is a small function; they run one after another, in the order of this file.

A handler of a call gets the call and may answer `Block("why")`, `Replace({...})`, `Ask("why")`, or nothing: pass. One
that raises, answers nonsense or takes too long blocks the call, so that a broken guard never lets anything through.
"""

from __future__ import annotations

import re
import shlex

from toolbench import Block, Call, Result, Rewrite, after, before

PROTECTED = ("LICENSE", ".git/", "tests/golden/")
SECRET = re.compile(r"\b(?:tok|key)_[A-Za-z0-9]{8,}")


@before(tools="exec")
def guard_shell(call: Call) -> Block | None:
    """Block commands that remove whole folders."""
    try:
        words = shlex.split(call.input["command"])
    except ValueError as error:
        return Block(f"the command cannot be read: {error}")
    flags = "".join(word[1:] for word in words if word.startswith("-") and not word.startswith("--"))
    if "rm" in words and "r" in flags:
        return Block("No recursive removal. Name the files, or ask the person.")
    return None


@before(tools=["write", "edit"])
def guard_files(call: Call) -> Block | None:
    """Block changes of files that are not the agent's to change."""
    path = str(call.input.get("path", ""))
    if path.startswith(PROTECTED):
        return Block(f"{path} is protected.")
    return None


@before(tools="write")
def end_with_newline(call: Call) -> None:
    """End every file with a line break. Changing the input in place counts, and the log shows it."""
    content = call.input["content"]
    if content and not content.endswith("\n"):
        call.input["content"] = content + "\n"


@after(tools="*")
async def redact(call: Call, result: Result) -> Rewrite | None:
    """Take what looks like a secret out of every result. Handlers may be async."""
    changed = False
    content = []
    for block in result.content:
        text = block.get("text")
        if isinstance(text, str) and SECRET.search(text):
            content.append({**block, "text": SECRET.sub("[redacted]", text)})
            changed = True
        else:
            content.append(block)
    return Rewrite(content=content) if changed else None
