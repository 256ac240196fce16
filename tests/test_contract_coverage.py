"""Every rule of the contract, and every case that applies, is named by a test: `R-DISP-07`, `HAND-13`, `OC-D4`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
RULES = {
    "R-DESC": 4,
    "R-AVAIL": 6,
    "R-PLAN": 6,
    "R-REG": 9,
    "R-POL": 5,
    "R-HOOK": 9,
    "R-DISP": 14,
    "R-GEN": 5,
}
"""How many numbered rules each section has."""

HAND = [f"HAND-{number:02}" for number in range(1, 47)]

OPENCLAW = {
    "P": [*range(1, 6), 8, *range(9, 14)],
    "A": [*range(1, 13), *range(20, 33)],
    "D": [2, 4, 9, 10, 14, 16, *range(30, 40)],
    "V": range(1, 15),
    "S": [*range(1, 6), 7, 9, *range(20, 31)],
    "H": [*range(4, 8), 8, 9, 10, 12, 14, 20, 27, 28, 29],
    "T": [*range(1, 9), *range(14, 17), *range(17, 22), 24],
}
"""The rows that apply. Left out are those in `NOT_HERE`."""

NOT_HERE = {
    "OC-P6a, OC-P7a, OC-P6b, OC-P7b": "variants of the planner that log; its plan is pure (R-PLAN 6)",
    "OC-E1 to OC-E7": "a design of OpenClaw's that was never merged",
    "OC-D1, OC-D11 to OC-D13, OC-D15, OC-D17 to OC-D19": "about the model's turns; toolbench has no model",
    "OC-D3, OC-D5 to OC-D7": "about tools that are loaded when first called; a plan knows all its tools",
    "OC-D8": "about turns; that an after hook answers nothing is R-HOOK 5",
    "OC-S6": "about aborting extensions; there is no such call",
    "OC-S8": "about subscribing during an event; listeners are read without the lock being given up",
    "OC-S10": "masking of secrets is no part of the engine's result",
    "OC-H1 to OC-H3": "aliases reach patterns only (R-POL 2), input that is no object is invalid (R-DISP 5), and a "
    "replacement is whole (R-HOOK 2)",
    "OC-H11, OC-H13": "about runs and client tools of a gateway",
    "OC-H15 to OC-H19, OC-H21 to OC-H23": "about a gateway that asks; here an ask is a deny until a person can answer",
    "OC-H24 to OC-H26, OC-H30": "about loops of a model, diagnostics for a vendor, and client tools",
    "OC-T9 to OC-T11": "special cases of OpenClaw's own tools",
    "OC-T12, OC-T13, OC-T22, OC-T23, OC-T25": "about accounts, profiles and sandboxes of a gateway",
}
"""Rows of OpenClaw's own tests that toolbench does not follow, with the reason."""

HAND_NOT_YET = {
    "HAND-25": "secrets are masked where transcripts are written",
}


@cache
def everything_said() -> str:
    """Return the text of all tests but this one."""
    files = (file for file in sorted(TESTS.rglob("*.py")) if file != Path(__file__))
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def named(identifier: str) -> bool:
    """Tell whether a test names `identifier`, whole."""
    return re.search(rf"{re.escape(identifier)}(?![0-9A-Za-z])", everything_said()) is not None


@pytest.mark.parametrize(
    "rule", [f"{name}-{number:02}" for name, count in RULES.items() for number in range(1, count + 1)]
)
def test_rule_is_named_by_a_test(rule):
    assert named(rule)


def test_events_are_named_by_a_test():
    assert named("R-EVT")


@pytest.mark.parametrize("case", [case for case in HAND if case not in HAND_NOT_YET])
def test_case_is_named_by_a_test(case):
    assert named(case)


@pytest.mark.parametrize(
    "row", [f"OC-{section}{number}" for section, numbers in OPENCLAW.items() for number in numbers]
)
def test_row_is_named_by_a_test(row):
    assert named(row)
