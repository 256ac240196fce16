"""What a plan costs beside the least that it could: to sort names and see that each is there once (P4 to P6)."""

from __future__ import annotations

import os
import time
from dataclasses import replace

from ledger import Row, best, record

from toolbench import Session
from toolbench.tools.activation import start
from toolbench.tools.availability import AvailabilityContext
from toolbench.tools.buckets import sort_out
from toolbench.tools.descriptor import PluginExecutor, PluginOwner, ToolDescriptor
from toolbench.tools.planner import Planner
from toolbench.tools.registry import Claim, RegistryOptions, build_registry

CONTEXT = AvailabilityContext(
    auth=frozenset({"github"}), plugins=frozenset({"x"}), env={"TOKEN": "t"}, config={"a": {"b": 1}}, values={"k": "v"}
)


def descriptors(count):
    """Return tools with five signals each; about half of them are visible."""
    return [
        ToolDescriptor(
            name=f"tool_{(number * 7919) % count:05}",
            description="Does something.",
            input_schema={"type": "object", "properties": {}},
            owner=PluginOwner("x"),
            executor=PluginExecutor("x", f"tool_{number}"),
            availability={
                "all_of": [
                    {"auth": "github"},
                    {"config": "a.b"},
                    {"any_of": [{"env": "TOKEN" if number % 2 else "GONE"}, {"plugin": "none"}]},
                    {"context": {"key": "k", "equals": "v"}},
                ]
            },
        )
        for number in range(count)
    ]


def claims(count):
    return tuple(
        Claim(descriptor=one, source="x", kind="extension", digest=one.name, size=200) for one in descriptors(count)
    )


def floor(tools):
    """Sort the tools and see that no name comes twice."""
    names = [one.name for one in sorted(tools, key=lambda one: one.name)]
    assert len(set(names)) == len(names)


def cold(found):
    """Build a registry and its first plan."""
    registry = build_registry(found, RegistryOptions())
    return sort_out(registry, start(registry), CONTEXT)


def test_plan():
    tools = descriptors(1000)
    least = best(lambda: floor(tools), times=20)
    planner = Planner(tools)
    assert 0 < len(planner.plan(CONTEXT).visible) < 1000
    warm = best(lambda: planner.plan(CONTEXT), times=10) / least
    record(
        Row(
            "P4",
            "warm plan with diagnostics, 1 000 tools",
            warm,
            2.5,
            "× floor",
            f"floor {least * 1e3:.2f} ms",
            known=6,
        )
    )
    found = claims(1000)
    whole = best(lambda: cold(found), times=3)
    record(Row("P5", "cold rebuild + first plan, 1 000 tools", whole / least, 12, "× floor", known=70))
    many = claims(10_000)
    growth = best(lambda: cold(many), times=1, rounds=3) / whole
    record(Row("P5", "cold rebuild + first plan, 1 000 → 10 000 tools", growth, 20, "×"))


TOOL = """  - name: tool_{number:04}
    description: Does something with a path and a number of lines.
    input_schema: {{type: object, required: [path], properties: {{path: {{type: string}}, lines: {{type: integer}}}}}}
    run: {{reply: done}}
    availability: {{any_of: [{{env: TOKEN}}, {{auth: github}}]}}
"""


def folder_of_tools(folder, count, per_file):
    """Write definition files below `folder`, and a session that names them."""
    tools = folder / "tools"
    tools.mkdir()
    for first in range(0, count, per_file):
        body = "".join(TOOL.format(number=number) for number in range(first, first + per_file))
        (tools / f"t{first:05}.yaml").write_text(f"tools:\n{body}", encoding="utf-8")
    (folder / "session.yaml").write_text(
        "toolbench: 1\nbuiltin: false\nextensions: [{id: x, tools: tools}]\ncontext: {auth: [github]}\n",
        encoding="utf-8",
    )


async def test_one_definition_changed(tmp_path):
    folder_of_tools(tmp_path, 1000, 10)
    path = tmp_path / "tools" / "t00500.yaml"
    async with Session.open(tmp_path) as session:
        loader, took = session._loader, []
        for turn in range(7):
            path.write_text(path.read_text(encoding="utf-8").replace("Does", f"Does {turn}", 1), encoding="utf-8")
            os.utime(path, ns=(turn, turn))
            begun = time.perf_counter()
            loader.load(trusted=False, changed=frozenset({path}))
            reading = time.perf_counter() - begun
            os.utime(path, ns=(turn + 100, turn + 100))
            number = session.generation.number
            begun = time.perf_counter()
            await session.refresh("changed", frozenset({path}))
            took.append(time.perf_counter() - begun - reading)
            assert session.generation.number == number + 1
    beyond = min(took) * 1e3
    record(Row("P6", "one of 1 000 changed → new generation, beyond reading", beyond, 2, "ms", known=14))


def test_replaced_claim_keeps_the_rest():
    """The figure above stands for a change of one tool: all others are the same objects."""
    found = claims(10)
    changed = (*found[:5], replace(found[5], digest="other"), *found[6:])
    assert sum(one is other for one, other in zip(found, changed, strict=True)) == 9
