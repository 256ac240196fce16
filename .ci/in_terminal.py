"""Runs a shell command in a pseudo terminal, waits until the workbench is drawn, and quits it. Exits as it does."""

from __future__ import annotations

import os
import sys

import pexpect

DRAWN = "create_issue"
QUIT = "\x11"  # ctrl+q
INSTALL_SECONDS = 600


def main(command: str) -> int:
    """Run `command` and quit the workbench that it opens."""
    child = pexpect.spawn("bash", ["-c", command], dimensions=(40, 120), encoding="utf-8", env=dict(os.environ))
    child.expect(DRAWN, timeout=INSTALL_SECONDS)
    child.send(QUIT)
    child.expect(pexpect.EOF, timeout=30)
    child.close()
    return child.exitstatus if child.exitstatus is not None else 128 + (child.signalstatus or 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
