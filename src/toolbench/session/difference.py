"""What one generation changed against another (R-GEN 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from toolbench.tools.buckets import Buckets, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Tools by name, in plan order of the newer generation (removed ones: of the older)."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Definition, bucket or reason differs; includes all that moved."""
    moved: tuple[tuple[str, str, str], ...] = ()
    """Name, bucket before, bucket now."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """For each tool above: what is different, in words."""
    prompt_changed: bool = False

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed or self.prompt_changed)

    def summary(self) -> str:
        """Return `+1 −0 ~2`."""
        return f"+{len(self.added)} −{len(self.removed)} ~{len(self.changed)}"


def compare(old: Buckets, new: Buckets, *, prompt_changed: bool = False) -> Difference:
    """Return what is different in `new`; a tool with several claims counts as one name."""
    if old is new:
        return Difference(prompt_changed=prompt_changed)
    added: list[str] = []
    changed: list[str] = []
    moved: list[tuple[str, str, str]] = []
    reasons: dict[str, str] = {}
    for name, rows in new.by_name.items():
        before = old.by_name.get(name)
        if before is None:
            added.append(name)
            reasons[name] = f"new, {rows[0].bucket}"
            continue
        words = _difference(before, rows)
        if words is not None:
            changed.append(name)
            reasons[name] = words
            if before[0].bucket != rows[0].bucket:
                moved.append((name, before[0].bucket, rows[0].bucket))
    removed = tuple(name for name in old.by_name if name not in new.by_name)
    reasons.update((name, f"gone, was {old.by_name[name][0].bucket}") for name in removed)
    return Difference(
        added=tuple(added),
        removed=removed,
        changed=tuple(changed),
        moved=tuple(moved),
        reasons=reasons,
        prompt_changed=prompt_changed,
    )


def _difference(before: tuple[Row, ...], now: tuple[Row, ...]) -> str | None:
    """Say in words how the rows of one name differ, None when they do not."""
    if before is now:
        return None
    old, new = before[0], now[0]
    if old.bucket != new.bucket:
        because = f": {new.words}" if new.words else ""
        return f"{old.bucket} → {new.bucket}{because}"
    if old.claim.digest != new.claim.digest:
        return "definition changed"
    if old.claim.source != new.claim.source:
        return f"from {new.claim.source}, was from {old.claim.source}"
    if old.words != new.words:
        return f"{old.words or 'no reason'} → {new.words or 'no reason'}"
    if old.claim.stale != new.claim.stale:
        return "stale" if new.claim.stale else "fresh again"
    if old.active != new.active:
        return "switched on" if new.active else "switched off"
    if [row.key for row in before] != [row.key for row in now]:
        return "other claims to the name"
    return None
