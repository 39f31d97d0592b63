"""A vendor's new skeleton beside an organisation's patches: theirs, yours, and where the two are in each other's way.

`look` changes nothing. `Definitions.rebase` makes the draft; what could not be carried over stays with it, held back,
slot by slot, until somebody decides: `Definitions.resolve`. Nothing is published before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from holdfast.envelope import NodeTypes, Rebase, Skeleton, WorkflowDiff, compile_effective, diff_workflows, rebase
from holdfast.envelope.parts import OrgWorkflowDefinition
from holdfast.envelope.skeleton import BodySlot

__all__ = ["SlotUpgrade", "Upgrade", "held_back", "look"]

SlotState = Literal["unchanged", "theirs", "yours", "both", "conflict"]


@dataclass(frozen=True, slots=True)
class SlotUpgrade:
    """One slot: what the vendor made of it, what the organisation put into it, and what is in the way.

    `theirs`: only the skeleton changed. `yours`: only the organisation filled it. `both`: both, and it fits.
    """

    slot: str
    state: SlotState
    theirs_before: BodySlot | None
    theirs_after: BodySlot | None
    yours: Mapping[str, Any] | None
    conflict: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What carrying patches to another version of their skeleton would mean."""

    entity_type: str
    from_version: int
    to_version: int
    clean: bool
    """Whether everything can be carried over."""
    slots: tuple[SlotUpgrade, ...]
    skeleton: WorkflowDiff
    """What the vendor changed: the two skeletons, each alone."""
    notes: tuple[str, ...]


def look(definition: OrgWorkflowDefinition, old: Skeleton, new: Skeleton, types: NodeTypes) -> Upgrade:
    """Slot by slot, what a rebase would come to."""
    moved = rebase(definition, old, new, types=types)
    conflicts = {each.slot: each.to_json() for each in moved.conflicts}
    names = sorted({*(slot.slot_id for slot in (*old.slots, *new.slots)), *definition.slots})
    slots = []
    for name in names:
        before, after, patch = old.slot(name), new.slot(name), definition.slots.get(name)
        slots.append(
            SlotUpgrade(
                name,
                _state(name in conflicts, before != after, patch is not None),
                before,
                after,
                None if patch is None else patch.model_dump(exclude_unset=True),
                conflicts.get(name),
            )
        )
    bare = [compile_effective(each, {}, types=types) for each in (old, new)]
    return Upgrade(
        old.entity_type, old.version, new.version, moved.clean, tuple(slots), diff_workflows(*bare), moved.notes
    )


def held_back(moved: Rebase) -> dict[str, Any]:
    """What could not be carried over, as a draft keeps it: the patch as it was, and what is in its way."""
    return {
        conflict.slot: {
            "patch": moved.held_back[conflict.slot].model_dump(exclude_unset=True),
            "conflict": conflict.to_json(),
        }
        for conflict in moved.conflicts
    }


def _state(conflict: bool, theirs: bool, yours: bool) -> SlotState:
    if conflict:
        return "conflict"
    if theirs and yours:
        return "both"
    if theirs:
        return "theirs"
    return "yours" if yours else "unchanged"
