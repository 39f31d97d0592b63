"""The diff tells an auditor what an organisation changed, slot by slot, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envelope.strategies import cases, definitions
from holdfast.envelope import (
    Contract,
    OrgWorkflowDefinition,
    Skeleton,
    SlotGraphPatch,
    automation_skeleton,
    compile_effective,
    diff_from_skeleton,
    diff_workflows,
    generate_skeleton,
)
from holdfast.errors import InvalidInput

SKELETON = generate_skeleton(
    Contract(entity_type="invoice", document={"type": "object", "properties": {"total": {"type": "number"}}})
)
SLOT = "slot:submitted_to_approved"
WAIT: dict[str, Any] = {"type": "wait_timer", "config": {"duration": "1h"}}


def workflow(**slots: dict[str, Any]) -> Any:
    return compile_effective(
        SKELETON, {f"slot:{name}": SlotGraphPatch.model_validate(patch) for name, patch in slots.items()}
    )


def signs(diff: Any) -> set[tuple[str, str, str, str]]:
    return {(slot.slot, change.kind, change.what, change.id) for slot in diff.slots for change in slot.changes}


def test_a_filled_slot_is_shown_with_its_provenance() -> None:
    diff = diff_from_skeleton(workflow(submitted_to_approved={"nodes": [{"id": "a", **WAIT}]}), SKELETON)
    assert signs(diff) == {
        (SLOT, "added", "node", f"sys:{SLOT}:in"),
        (SLOT, "added", "node", f"sys:{SLOT}:out"),
        (SLOT, "added", "node", f"usr:{SLOT}:a"),
        (SLOT, "removed", "edge", "sys:state:submitted->sys:gate:approve"),
        (SLOT, "added", "edge", f"sys:state:submitted->sys:{SLOT}:in"),
        (SLOT, "added", "edge", f"usr:{SLOT}:in->a"),
        (SLOT, "added", "edge", f"usr:{SLOT}:a->out"),
        (SLOT, "added", "edge", f"sys:{SLOT}:out->sys:gate:approve"),
    }
    removed = next(change for change in diff.changes if change.kind == "removed")
    assert removed.provenance == "envelope"
    assert all(change.provenance == SLOT for change in diff.changes if change.kind == "added")


def test_the_text_is_for_people() -> None:
    before = workflow(submitted_to_approved={"nodes": [{"id": "a", "name": "Cool off", **WAIT}]})
    after = workflow(
        submitted_to_approved={
            "nodes": [{"id": "a", "name": "Cool off", "type": "wait_timer", "config": {"duration": "2h"}}],
            "edit_window_override": "locked",
        }
    )
    assert diff_workflows(before, after).to_text() == (
        "slot:submitted_to_approved\n"
        f"  ~ node usr:{SLOT}:a (wait_timer) 'Cool off'\n"
        '      config.duration: "1h" → "2h"\n'
        f"  ~ window of {SLOT}\n"
        '      edit_window: "amend_only" → "locked"\n'
        f"  ~ window at sys:{SLOT}:in\n"
        '      edit_window: "amend_only" → "locked"\n'
        f"  ~ window at sys:{SLOT}:out\n"
        '      edit_window: "amend_only" → "locked"\n'
        f"  ~ window at usr:{SLOT}:a\n"
        '      edit_window: "amend_only" → "locked"\n'
    )
    assert diff_workflows(before, before).to_text() == "No changes.\n"


def test_a_stricter_window_in_an_empty_slot_is_shown() -> None:
    diff = diff_from_skeleton(workflow(draft_to_submit={"edit_window_override": "locked"}), SKELETON)
    assert signs(diff) == {("slot:draft_to_submit", "changed", "window", "slot:draft_to_submit")}


def test_a_branch_more_changes_what_its_join_waits_for() -> None:
    def split(*branches: str) -> dict[str, Any]:
        nodes: list[dict[str, Any]] = [{"id": "s", "type": "parallel_split"}, {"id": "j", "type": "parallel_join"}]
        nodes += [{"id": name, **WAIT} for name in branches]
        edges = [{"source": "s", "target": name} for name in branches]
        edges += [{"source": name, "target": "j"} for name in branches]
        return {"nodes": nodes, "edges": edges}

    diff = diff_workflows(
        workflow(submitted_to_approved=split("a", "b")), workflow(submitted_to_approved=split("a", "b", "c"))
    )
    (join,) = [change for change in diff.changes if change.what == "join"]
    assert {each.path: (each.before, each.after) for each in join.fields}["required_token_count"] == (2, 3)


def test_a_new_version_of_the_skeleton_is_a_change_of_the_skeleton() -> None:
    newer = generate_skeleton(
        Contract(entity_type="invoice", version=2, document={"type": "object", "properties": {"n": {"type": "string"}}})
    )
    diff = diff_workflows(compile_effective(SKELETON, {}), compile_effective(newer, {}))
    assert {change.id for change in diff.changes} == {"envelope_version", "envelope_hash"}
    assert [slot.slot for slot in diff.slots] == ["envelope"]
    assert diff.to_text().startswith("The skeleton\n")


def test_another_skeleton_cannot_be_the_base() -> None:
    with pytest.raises(InvalidInput, match="another skeleton"):
        diff_from_skeleton(workflow(), automation_skeleton())


def _mirrored(entries: set[tuple[str, str, str, str]]) -> set[tuple[str, str, str, str]]:
    swap = {"added": "removed", "removed": "added", "changed": "changed"}
    return {(slot, swap[kind], what, part) for slot, kind, what, part in entries}


@settings(max_examples=30, deadline=None)
@given(st.data(), cases(depth=1))
def test_the_diff_is_empty_for_equal_workflows_only_and_mirrors(
    data: st.DataObject, case: tuple[Skeleton, OrgWorkflowDefinition]
) -> None:
    skeleton, definition = case
    one = compile_effective(skeleton, definition)
    other = compile_effective(skeleton, data.draw(definitions(skeleton, depth=1)))
    there, back = diff_workflows(one, other), diff_workflows(other, one)
    assert bool(there) == (one.hash != other.hash)
    assert signs(there) == _mirrored(signs(back))
    assert not diff_workflows(one, one)
    assert json.loads(json.dumps(there.to_json(), default=str))["after"] == other.hash
    assert all(line.isprintable() for line in there.to_text().splitlines())
    for change in diff_from_skeleton(one, skeleton).changes:
        assert change.kind != "changed" or change.what == "window"
