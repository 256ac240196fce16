"""Cuts a release. Only here to be read and searched by the tools of the session."""

from __future__ import annotations


def next_version(version: str, part: str = "minor") -> str:
    """Return the version that follows `version`."""
    major, minor, patch = (int(number) for number in version.removeprefix("v").split("."))
    if part == "major":
        return f"v{major + 1}.0.0"
    if part == "minor":
        return f"v{major}.{minor + 1}.0"
    # TODO: ask before tagging a patch release.
    return f"v{major}.{minor}.{patch + 1}"
