"""Undo and redo of every edit and toggle.

Edits of context and policy are kept as a list that is laid over what the session file says, so that a file that changes
underneath keeps the person's edits. Undoing one takes it out of the list. Edits of the activation are undone by going
back to the activation before, or, when more happened to it since, by switching back just the tools that were switched.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from toolbench.session.commands import Command, EditState, Place
from toolbench.session.context import ContextError
from toolbench.tools.activation import Activation, toggle


@dataclass(frozen=True, slots=True)
class Edit:
    """One change that took effect, with the activation around it."""

    command: Command
    before: Activation
    after: Activation

    @property
    def switches(self) -> bool:
        """Whether it changed the activation."""
        return self.before is not self.after


@dataclass(slots=True)
class History:
    """What was done, and what was undone and can be done again."""

    done: list[Edit] = field(default_factory=list)
    undone: list[Edit] = field(default_factory=list)

    def record(self, command: Command, before: EditState, after: EditState) -> None:
        """Note a change that took effect; what was undone before it can no longer be redone."""
        self.done.append(Edit(command, before.activation, after.activation))
        self.undone.clear()

    def overlay(self, base: EditState, place: Place) -> tuple[EditState, tuple[tuple[Command, str], ...]]:
        """Lay the edits of context and policy over `base`; the activation of `base` stays.

        Returns:
            the state, and the edits that no longer fit the file, each with the reason.
        """
        state = base
        failed: list[tuple[Command, str]] = []
        for edit in self.done:
            if edit.switches:
                continue
            try:
                state = edit.command.apply(state, place)
            except ContextError as error:
                failed.append((edit.command, str(error)))
        return replace(state, activation=base.activation), tuple(failed)

    def undo(self, state: EditState, base: EditState, place: Place) -> tuple[EditState, str]:
        """Take back the newest edit; return the state without it, and its label.

        Raises:
            ContextError: there is nothing to undo.
        """
        if not self.done:
            raise ContextError("nothing to undo")
        edit = self.done.pop()
        self.undone.append(edit)
        if edit.switches:
            return replace(state, activation=_without(edit, state.activation, place)), edit.command.label
        without, _ = self.overlay(replace(base, activation=state.activation), place)
        return without, edit.command.label

    def redo(self, state: EditState, place: Place) -> tuple[EditState, str]:
        """Make the edit that was undone last again; return the state with it, and its label.

        Raises:
            ContextError: there is nothing to redo, or it no longer fits.
        """
        if not self.undone:
            raise ContextError("nothing to redo")
        edit = self.undone[-1]
        after = edit.command.apply(state, place)
        self.undone.pop()
        self.done.append(Edit(edit.command, state.activation, after.activation))
        return after, edit.command.label


def _without(edit: Edit, now: Activation, place: Place) -> Activation:
    """Return the activation as it would be without the edit."""
    if now == edit.after:
        return replace(edit.before, known=now.known)
    was, became, is_on = set(edit.before.order), set(edit.after.order), set(now.order)
    back = [
        name for name in sorted(was ^ became) if name in place.registry.tools and (name in is_on) == (name in became)
    ]
    return toggle(now, place.registry, tuple(back), place.generation)
