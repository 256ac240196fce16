"""The system prompt: base, a line for each active visible tool with a snippet, the distinct guidelines (R-REG 7)."""

from __future__ import annotations

from collections.abc import Sequence

from toolbench.tools.descriptor import ToolDescriptor


def build_prompt(base: str, tools: Sequence[ToolDescriptor]) -> str:
    """Return the whole system prompt.

    Args:
        base: the session's own part.
        tools: the visible and active ones, in the order of activation (R-REG 8).
    """
    snippets = [
        f"- {tool.name}: {' '.join(tool.prompt_snippet.split())}"
        for tool in tools
        if tool.prompt_snippet and tool.prompt_snippet.strip()
    ]
    lines = dict.fromkeys(line.strip() for tool in tools for line in tool.prompt_guidelines if line.strip())
    parts = [base.rstrip("\n")]
    if snippets:
        parts.append("Tools:\n" + "\n".join(snippets))
    if lines:
        parts.append("Guidelines:\n" + "\n".join(f"- {line}" for line in lines))
    return "\n\n".join(part for part in parts if part)
