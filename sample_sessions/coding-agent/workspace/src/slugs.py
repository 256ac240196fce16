"""Turns titles into slugs. The agent's work."""

from __future__ import annotations

import re


def slug(title: str) -> str:
    """Return `title` as a slug: lower case, words joined by hyphens."""
    words = re.findall(r"[a-z0-9]+", title.lower())
    return "-".join(words)
