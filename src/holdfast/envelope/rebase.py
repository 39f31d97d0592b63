"""Rebase: carry an organisation's patches from one version of a skeleton to the next, or name what is in the
way.

A patch belongs to its slot's name. When the new skeleton still has the slot, the patch is carried over; when
the slot moved to another way, lost its place, or the result no longer compiles, that is a conflict with the
slot named and what to decide. A definition without conflicts compiles on the new skeleton; nothing is ever
dropped silently.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from holdfast.envelope.compiler import analyse
from holdfast.envelope.parts.graph import BaseRef, OrgWorkflowDefinition, SlotGraphPatch
from holdfast.envelope.parts.registry import STANDARD, NodeTypes
from holdfast.envelope.problems import Problem
from holdfast.envelope.skeleton import BodySlot, Skeleton
from holdfast.envelope.windows import is_looser
from holdfast.errors import InvalidInput

__all__ = ["Conflict", "ConflictKind", "Rebase", "rebase"]

ConflictKind = Literal["slot_removed", "slot_moved", "window_looser", "does_not_compile"]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why one slot's patch cannot simply be carried over."""

    kind: ConflictKind
    slot: str
    message: str
    hint: str
    problems: tuple[Problem, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The conflict as JSON values."""
        return {
            "kind": self.kind,
            "slot": self.slot,
            "message": self.message,
            "hint": self.hint,
            "problems": [problem.to_json() for problem in self.problems],
        }


@dataclass(frozen=True, slots=True)
class Rebase:
    """The definition for the new skeleton, the slots carried over, and the conflicts.

    With conflicts the definition holds only what could be carried; `held_back` keeps the rest as it was
    written.
    """

    definition: OrgWorkflowDefinition
    carried: tuple[str, ...]
    conflicts: tuple[Conflict, ...]
    notes: tuple[str, ...]
    """What changed for the patches without being in their way."""
    held_back: dict[str, SlotGraphPatch]

    @property
    def clean(self) -> bool:
        """Whether the definition can be published as it is."""
        return not self.conflicts

    def to_text(self) -> str:
        """The outcome for people."""
        lines = [f"carried over: {', '.join(self.carried) or 'nothing'}", *self.notes]
        for conflict in self.conflicts:
            lines.append(f"conflict in {conflict.slot}: {conflict.message}. {conflict.hint}")
            lines += [f"    {problem}" for problem in conflict.problems]
        return "\n".join(lines) + "\n"


def rebase(definition: OrgWorkflowDefinition, old: Skeleton, new: Skeleton, *, types: NodeTypes = STANDARD) -> Rebase:
    """Carry a definition written for `old` to `new`."""
    base = definition.base_ref
    if (base.entity_type, base.envelope_version) != (old.entity_type, old.version):
        raise InvalidInput(
            f"the definition is for version {base.envelope_version} of {base.entity_type}, "
            f"not for version {old.version} of {old.entity_type}"
        )
    if old.entity_type != new.entity_type:
        raise InvalidInput(f"a definition of {old.entity_type} cannot be carried to {new.entity_type}")
    conflicts: list[Conflict] = []
    notes: list[str] = []
    kept: dict[str, SlotGraphPatch] = {}
    for slot_id in sorted(definition.slots):
        patch = definition.slots[slot_id]
        conflict = _slot_conflict(slot_id, patch, old.slot(slot_id), new.slot(slot_id), notes)
        if conflict is None:
            kept[slot_id] = patch
        else:
            conflicts.append(conflict)
    kept, failing = _compiling(kept, new, types)
    conflicts += failing
    return Rebase(
        definition=OrgWorkflowDefinition(
            base_ref=BaseRef(entity_type=new.entity_type, envelope_version=new.version), slots=kept
        ),
        carried=tuple(kept),
        conflicts=tuple(sorted(conflicts, key=lambda conflict: conflict.slot)),
        notes=tuple(notes),
        held_back={each.slot: definition.slots[each.slot] for each in conflicts},
    )


def _slot_conflict(
    slot_id: str, patch: SlotGraphPatch, old: BodySlot | None, new: BodySlot | None, notes: list[str]
) -> Conflict | None:
    if new is None:
        return Conflict(
            "slot_removed",
            slot_id,
            "the new skeleton has no such slot",
            "Move the steps to another slot, or remove them",
        )
    if old is None:
        return None
    ways = [(slot.entry_node_id, slot.exit_node_id) for slot in (old, new)]
    if ways[0] != ways[1]:
        before, after = (f"{entry} → {exit_}" for entry, exit_ in ways)
        return Conflict(
            "slot_moved",
            slot_id,
            f"the slot sat on {before} and now sits on {after}",
            "Look whether the steps still make sense there, then write them for the new version",
        )
    override = patch.edit_window_override
    if override is not None and is_looser(override, new.default_edit_window):
        return Conflict(
            "window_looser",
            slot_id,
            f"the patch sets {override}, and the new skeleton already demands {new.default_edit_window}",
            "Remove edit_window_override, or make it stricter",
        )
    if old.default_edit_window != new.default_edit_window:
        notes.append(f"{slot_id}: the window is now {new.default_edit_window}, it was {old.default_edit_window}")
    if old.stable_region != new.stable_region:
        now = "is now" if new.stable_region else "is no longer"
        notes.append(f"{slot_id} {now} a stable region")
    return None


def _compiling(
    patches: dict[str, SlotGraphPatch], new: Skeleton, types: NodeTypes
) -> tuple[dict[str, SlotGraphPatch], list[Conflict]]:
    """Compile each slot by itself, so that one slot's trouble does not hold back the others."""
    kept: dict[str, SlotGraphPatch] = {}
    conflicts: list[Conflict] = []
    for slot_id, patch in patches.items():
        errors = analyse(new, {slot_id: patch}, types=types).errors
        if errors:
            message = "the steps no longer compile" if len(errors) == 1 else f"{len(errors)} things no longer compile"
            hint = "Correct them for the new contract"
            conflicts.append(Conflict("does_not_compile", slot_id, message, hint, errors))
        else:
            kept[slot_id] = patch
    return kept, conflicts
