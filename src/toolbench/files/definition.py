"""Reads one tool's definition into a claim (R-DESC 1; formats: Definition files)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from toolbench.files.owners import read_executor, read_owner
from toolbench.files.reading import Complaints, Fields, kind_of
from toolbench.files.run import CannedRun, CommandRun, PythonRun, ReplyRun, Run
from toolbench.files.shapes import SCHEMA_KEYS, Found
from toolbench.tools.descriptor import (
    EMPTY_SCHEMA,
    CoreExecutor,
    CoreOwner,
    ExecutorRef,
    Owner,
    PluginExecutor,
    PluginOwner,
    ToolDescriptor,
)
from toolbench.tools.frozen import FrozenDict, freeze
from toolbench.tools.projection import model_size, to_anthropic
from toolbench.tools.registry import Claim, Fault, Origin, SourceKind

KNOWN: Final = (
    "name",
    "title",
    "description",
    *SCHEMA_KEYS,
    "output_schema",
    "outputSchema",
    "owner",
    "executor",
    "availability",
    "annotations",
    "sort_key",
    "prompt_snippet",
    "prompt_guidelines",
    "execution_mode",
    "timeout",
    "timeout_argument",
    "run",
    "strict",
    "_meta",
    "icons",
    "type",
    "cache_control",
    "execution",
    "defer_loading",
)
EXTRAS: Final = ("strict", "_meta", "icons", "type", "cache_control", "execution", "defer_loading")


@dataclass(frozen=True, slots=True)
class Home:
    """Where a definition stands, and what follows from it."""

    source: str
    kind: SourceKind
    plugin_id: str | None
    folder: Path
    """Relative paths of `run:` are relative to the file's folder."""
    strict: bool = False
    """Imported tools get no canned reply."""


def read_tool(found: Found, home: Home, complaints: Complaints) -> Claim | None:
    """Return the claim of one tool; None when it has no name to claim. Every fault is told, and spoils it alone."""
    place = complaints.document.at(found.path)
    if not isinstance(found.value, dict):
        complaints.add("no-tool", f"a tool must be a mapping, found {kind_of(found.value)}", path=found.path)
        return None
    fields = Fields(found.value, found.path, complaints)
    name = found.value.get("name")
    if not isinstance(name, str):
        what = "has no name" if name is None else f"needs a name that is text, found {kind_of(name)}"
        complaints.add("no-name", f"the tool {what}", path=found.path)
        return None
    complaints.tool = name
    origin = Origin(complaints.file, *(place or (None, None)))
    before = len(complaints.problems)
    descriptor, run = _descriptor(name, found, fields, home)
    fault = next((one for one in complaints.problems[before:] if one.severity == "error"), None)
    complaints.tool = None
    return Claim(
        descriptor=descriptor,
        source=home.source,
        kind=home.kind,
        origin=origin,
        digest=_digest(found, home, run),
        size=_size(descriptor),
        fault=None if fault is None else Fault(fault.code, fault.message, Origin(fault.file, fault.line, fault.column)),
        binding=run,
    )


def _descriptor(name: str, found: Found, fields: Fields, home: Home) -> tuple[ToolDescriptor, Run | None]:
    """Read all fields of a tool."""
    fields.known(KNOWN)
    value = found.value
    run = _run(fields, found, home)
    owner = _owner(fields, home)
    timeout = fields.seconds("timeout", None)
    guidelines = value.get("prompt_guidelines")
    annotations = fields.mapping("annotations")
    extras = {key: value[key] for key in EXTRAS if key in value}
    if found.outer is not None and "strict" in found.outer:
        extras["strict"] = found.outer["strict"]
    mode: Literal["parallel", "sequential"] = "parallel"
    if fields.choice("execution_mode", ("parallel", "sequential"), "parallel") == "sequential":
        mode = "sequential"
    return ToolDescriptor(
        name=name,
        description=fields.text("description", default="") or "",
        input_schema=_schema(fields, found),
        owner=owner,
        title=fields.text("title"),
        output_schema=freeze(fields.mapping("output_schema", "outputSchema")),
        executor=_executor(name, fields, owner, run),
        availability=freeze(value.get("availability")),
        annotations=None if annotations is None else freeze(annotations),
        sort_key=fields.text("sort_key"),
        prompt_snippet=fields.text("prompt_snippet"),
        prompt_guidelines=(guidelines,) if isinstance(guidelines, str) else fields.names("prompt_guidelines") or (),
        execution_mode=mode,
        timeout=timeout,
        timeout_argument=fields.text("timeout_argument"),
        extras=freeze(extras) if extras else FrozenDict(),
    ), run


def _schema(fields: Fields, found: Found) -> Any:
    """Return the input schema as it stands; what is no object is judged with the registry's rules."""
    for key in SCHEMA_KEYS:
        if key in fields.value and fields.value[key] is not None:
            return freeze(fields.value[key])
    if isinstance(fields.value.get("arguments"), list):
        fields.wrong(
            "arguments",
            "`arguments` is a list of names, not a JSON Schema: write `input_schema`",
            code="no-input-schema",
        )
    elif found.shape != "own":
        fields.complaints.add(
            "missing-input-schema",
            "no input schema: taken as an object without properties",
            path=found.path,
            severity="warning",
        )
    return EMPTY_SCHEMA


def _owner(fields: Fields, home: Home) -> Owner:
    """Return the owner as written, else the plugin that brings the tool, else the core (R-DESC 2)."""
    written = read_owner(fields)
    if written is not None:
        return written
    return CoreOwner() if home.plugin_id is None else PluginOwner(home.plugin_id)


def _executor(name: str, fields: Fields, owner: Owner, run: Run | None) -> ExecutorRef | None:
    """Return the ref as written, else what follows from the owner; none for a tool that nothing runs."""
    written = read_executor(fields)
    if written is not None:
        return written
    if run is None:
        return None
    if isinstance(owner, PluginOwner):
        return PluginExecutor(owner.plugin_id, name)
    return CoreExecutor(f"sdk.{name}")


def _run(fields: Fields, found: Found, home: Home) -> Run | None:
    """Read `run:`; an imported tool without one gets a canned reply, unless its extension is strict."""
    if "run" not in fields.value:
        return CannedRun() if found.shape != "own" and not home.strict else None
    run = fields.value["run"]
    if run is None:
        return None
    below = fields.below("run")
    if below is None:
        return None
    below.known(("python", "command", "reply", "stdin"))
    kinds = [key for key in ("python", "command", "reply") if key in run]
    if len(kinds) != 1:
        fields.wrong("run", "`run` takes one of python, command and reply", code="bad-run")
        return None
    if kinds == ["reply"]:
        return ReplyRun(freeze(run["reply"]))
    return _python(below, home) if kinds == ["python"] else _command(below, home)


def _python(fields: Fields, home: Home) -> PythonRun | None:
    """Read `python: FILE:FUNCTION`."""
    text = fields.text("python")
    if text is None:
        return None
    file, colon, function = text.rpartition(":")
    if not colon or not file.endswith(".py") or not function.isidentifier():
        fields.wrong("python", f"`python` takes FILE.py:FUNCTION, found {text!r}", code="bad-run")
        return None
    line, _ = fields.complaints.document.at((*fields.path, "python")) or (None, None)
    return PythonRun(str((home.folder / file).resolve()), function, line)


def _command(fields: Fields, home: Home) -> CommandRun | None:
    """Read `command: [argv…]`."""
    argv = fields.names("command")
    if not argv:
        if not fields.faults:
            fields.wrong("command", "`command` takes a list of words, the program first", code="bad-run")
        return None
    program = argv[0]
    if "/" in program and not Path(program).is_absolute():
        program = str((home.folder / program).resolve())
    return CommandRun(
        (program, *argv[1:]), fields.choice("stdin", ("json", "none"), "none") == "json", str(home.folder)
    )


def _digest(found: Found, home: Home, run: Run | None) -> str:
    """Return the hash of a definition and of what runs it; the same wherever the session lies."""
    text = json.dumps(
        [
            found.value,
            found.outer if found.outer is None else sorted(found.outer),
            home.source,
            home.plugin_id,
            type(run).__name__,
        ],
        sort_keys=True,
        default=repr,
    )
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _size(descriptor: ToolDescriptor) -> int:
    """Return the bytes that the model gets."""
    return model_size(to_anthropic(descriptor))
