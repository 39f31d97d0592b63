"""Rebase: patches follow their skeleton to its next version, or the reason why not is named."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envelope.strategies import contracts, definitions
from holdfast.envelope import (
    Contract,
    OrgWorkflowDefinition,
    Skeleton,
    automation_skeleton,
    compile_effective,
    generate_skeleton,
    rebase,
)
from holdfast.errors import InvalidInput

SLOT = "slot:submitted_to_approved"


def skeleton(version: int, fields: tuple[str, ...] = ("total",), **changes: Any) -> Skeleton:
    document = {"type": "object", "properties": {name: {"type": "number"} for name in fields}}
    return generate_skeleton(Contract(entity_type="invoice", version=version, document=document, **changes))


def definition(version: int = 1, **slots: Any) -> OrgWorkflowDefinition:
    return OrgWorkflowDefinition.read(
        {
            "base_ref": {"entity_type": "invoice", "envelope_version": version},
            "slots": {f"slot:{name}": patch for name, patch in slots.items()},
        }
    )


def script(text: str = "entity.total", **more: Any) -> dict[str, Any]:
    return {"nodes": [{"id": "a", "type": "script", "config": {"assign": {"x": text}}}], **more}


def test_patches_are_carried_to_a_new_version() -> None:
    outcome = rebase(definition(submitted_to_approved=script()), skeleton(1), skeleton(2, ("total", "tax")))
    assert outcome.clean
    assert outcome.carried == (SLOT,)
    assert outcome.definition.base_ref.envelope_version == 2
    compile_effective(skeleton(2, ("total", "tax")), outcome.definition)


def test_a_slot_that_is_gone_is_a_conflict_and_its_patch_is_kept() -> None:
    written = definition(submitted_to_approved=script(), draft_to_submit=script())
    newer = skeleton(2, slots=[{"name": "draft_to_submit", "after": "state:draft", "before": "gate:submit"}])
    outcome = rebase(written, skeleton(1), newer)
    assert [(each.kind, each.slot) for each in outcome.conflicts] == [("slot_removed", SLOT)]
    assert outcome.held_back == {SLOT: written.slots[SLOT]}
    assert outcome.carried == ("slot:draft_to_submit",)
    assert "conflict in slot:submitted_to_approved" in outcome.to_text()


def test_a_slot_that_moved_is_a_conflict() -> None:
    moved = [{"name": "submitted_to_approved", "after": "gate:approve", "before": "state:active"}]
    outcome = rebase(definition(submitted_to_approved=script()), skeleton(1), skeleton(2, slots=moved))
    (conflict,) = outcome.conflicts
    assert conflict.kind == "slot_moved"
    assert "sys:state:submitted → sys:gate:approve" in conflict.message
    assert "sys:gate:approve → sys:state:active" in conflict.message


def test_a_field_that_is_gone_is_a_conflict_with_the_problem_named() -> None:
    written = definition(submitted_to_approved=script(), draft_to_submit=script("now"))
    outcome = rebase(written, skeleton(1), skeleton(2, ("net",)))
    (conflict,) = outcome.conflicts
    assert (conflict.kind, conflict.slot) == ("does_not_compile", SLOT)
    assert [each.path for each in conflict.problems] == [f'slots["{SLOT}"].nodes[0].config.assign.x']
    assert conflict.to_json()["problems"][0]["code"] == "expression.invalid"
    assert outcome.carried == ("slot:draft_to_submit",)


def test_an_override_that_became_looser_is_a_conflict_and_a_stricter_skeleton_is_noted() -> None:
    strict = [
        {"name": "draft_to_submit", "after": "state:draft", "before": "gate:submit", "edit_window": "locked"},
        {"name": "amendment_cycle", "after": "state:amended", "before": "gate:submit", "stable": True},
    ]
    written = definition(
        draft_to_submit=script(edit_window_override="amend_only"),
        amendment_cycle=script(),
    )
    outcome = rebase(written, skeleton(1), skeleton(2, slots=strict))
    assert [(each.kind, each.slot) for each in outcome.conflicts] == [("window_looser", "slot:draft_to_submit")]
    assert outcome.notes == ("slot:amendment_cycle is now a stable region",)
    noted = rebase(definition(draft_to_submit=script()), skeleton(1), skeleton(2, slots=strict))
    assert noted.clean
    assert noted.notes == ("slot:draft_to_submit: the window is now locked, it was editable",)


def test_only_a_definition_of_the_old_skeleton_can_be_rebased() -> None:
    with pytest.raises(InvalidInput, match="not for version 1"):
        rebase(definition(3), skeleton(1), skeleton(2))
    with pytest.raises(InvalidInput, match="cannot be carried"):
        rebase(definition(1), skeleton(1), automation_skeleton("payment", version=2))


@settings(max_examples=30, deadline=None)
@given(st.data(), contracts(), contracts())
def test_a_clean_rebase_compiles_and_nothing_is_ever_lost(data: st.DataObject, one: Contract, two: Contract) -> None:
    old = generate_skeleton(one)
    new = generate_skeleton(two.model_copy(update={"version": one.version + 1}))
    written = data.draw(definitions(old, depth=1))
    outcome = rebase(written, old, new)
    compile_effective(new, outcome.definition)
    carried = outcome.definition.slots
    assert {**carried, **outcome.held_back} == written.slots
    assert not set(carried) & set(outcome.held_back)
    assert outcome.clean == (not outcome.held_back)
    again = rebase(outcome.definition, new, new)
    assert again.definition == outcome.definition
