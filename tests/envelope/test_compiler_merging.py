"""What a compile makes of skeleton and patches: ids, edges in order, windows, bodies, variables."""

from __future__ import annotations

from itertools import pairwise

from envelope.patches import INVOICE, SLOT, WAIT, compiled, each, edges, nodes, patch, problems, script
from holdfast.envelope import SlotGraphPatch, automation_skeleton, compile_effective, verify


def test_an_unfilled_slot_keeps_its_direct_edge() -> None:
    workflow = compile_effective(INVOICE, {SLOT: SlotGraphPatch()})
    assert "sys:state:submitted->sys:gate:approve" in workflow.edges_by_id
    assert not workflow.slots[SLOT].filled
    assert workflow.hash == compile_effective(INVOICE, {}).hash


def test_a_filled_slot_replaces_its_direct_edge_by_attachment_points() -> None:
    workflow = compiled(patch(nodes(a=WAIT)))
    ways = {(edge.source, edge.target): edge.provenance for edge in workflow.edges_by_id.values()}
    assert ("sys:state:submitted", "sys:gate:approve") not in ways
    chain = ["sys:state:submitted", f"sys:{SLOT}:in", f"usr:{SLOT}:a", f"sys:{SLOT}:out", "sys:gate:approve"]
    for pair in pairwise(chain):
        assert ways[pair] == SLOT
    assert workflow.slots[SLOT].filled


def test_short_and_full_names_mean_the_same() -> None:
    short = patch(nodes(a=WAIT, b=WAIT), edges("in>a", "a>b", "b>out"))
    full = patch(
        nodes(**{f"usr:{SLOT}:a": WAIT, f"usr:{SLOT}:b": WAIT}),
        edges(f"sys:{SLOT}:in>usr:{SLOT}:a", f"usr:{SLOT}:a>usr:{SLOT}:b", f"usr:{SLOT}:b>sys:{SLOT}:out"),
    )
    implied = patch(nodes(a=WAIT, b=WAIT), edges("a>b"))
    assert compiled(short).hash == compiled(full).hash == compiled(implied).hash


def test_a_uuid_is_a_name() -> None:
    name = "0f8fad5b-d9cb-469f-a165-70867728950e"
    workflow = compiled(patch(nodes(**{name: WAIT})))
    assert workflow.nodes_by_id[f"usr:{SLOT}:{name}"].name == "Wait"


def test_a_node_keeps_its_name_and_on_whose_behalf_it_acts() -> None:
    workflow = compiled(
        patch(nodes(a={**WAIT, "name": "Cool off", "run_as": "system"}, second_look=WAIT), edges("a>second_look"))
    )
    first, second = workflow.nodes_by_id[f"usr:{SLOT}:a"], workflow.nodes_by_id[f"usr:{SLOT}:second_look"]
    assert (first.name, first.run_as) == ("Cool off", "system")
    assert (second.name, second.run_as) == ("Second look", "actor")


def test_edges_are_tried_by_priority_and_id_and_else_comes_last() -> None:
    data = patch(
        nodes(c={"type": "condition"}, a=WAIT),
        [
            {"source": "c", "target": "a", "id": "a_else", "priority": -5},
            {"source": "c", "target": "a", "id": "late", "condition": "entity.total > 1", "priority": 2},
            {"source": "c", "target": "a", "id": "b_tie", "condition": "entity.total > 2", "priority": 1},
            {"source": "c", "target": "a", "id": "a_tie", "condition": "entity.total > 3", "priority": 1},
        ],
    )
    order = compiled(data).adjacency[f"usr:{SLOT}:c"]
    assert [edge.rpartition(":")[2] for edge in order] == ["a_tie", "b_tie", "late", "a_else"]


def test_a_plain_edge_never_takes_a_rejection_an_error_or_a_timeout() -> None:
    workflow = compiled(patch(nodes(a=WAIT)))
    plain = workflow.edges_by_id[f"usr:{SLOT}:a->out"]
    assert plain.takes("completed")
    assert not any(plain.takes(outcome) for outcome in ("rejected", "error", "timeout", "denied"))
    cancel = workflow.edges_by_id["sys:state:draft[cancel]->sys:gate:cancel"]
    assert not cancel.takes("cancel")
    assert workflow.interrupts["cancel"].target == "sys:gate:cancel"
    assert workflow.interrupts["cancel"].from_states == ("active", "draft", "submitted")


def test_windows_and_stable_regions_cover_the_slot_and_its_bodies() -> None:
    workflow = compiled(patch(nodes(a={**each(patch(nodes(b=WAIT))), "edit_window": "locked"}, c=WAIT), edges("a>c")))
    inside = {key for key, owner in workflow.slot_map.items() if owner == SLOT}
    assert inside <= set(workflow.stable_region_nodes)
    assert set(workflow.stable_region_nodes) - inside == {"sys:state:submitted", "sys:gate:approve"}
    assert workflow.edit_windows[f"usr:{SLOT}:a/b"] == workflow.edit_windows[f"usr:{SLOT}:a/in"] == "locked"
    assert workflow.edit_windows[f"usr:{SLOT}:c"] == "amend_only"
    tightened = compiled(patch(nodes(a=WAIT), edit_window_override="locked"))
    assert tightened.edit_windows[f"sys:{SLOT}:in"] == tightened.edit_windows[f"usr:{SLOT}:a"] == "locked"
    assert tightened.slots[SLOT].default_edit_window == "amend_only"


def test_a_body_is_a_slot_inside_a_node() -> None:
    body = patch(nodes(b=script("item.sku"), c=each(patch(nodes(d=script("item"))), "context.list")), edges("b>c"))
    workflow = compiled(patch(nodes(a=each(body), z=WAIT), edges("a>z")))
    a = f"usr:{SLOT}:a"
    assert workflow.bodies[a].entry == f"{a}/in"
    assert workflow.nodes_by_id[f"{a}/b"].parent == a
    assert workflow.nodes_by_id[f"{a}/c/d"].parent == f"{a}/c"
    assert "body" not in workflow.nodes_by_id[a].config
    order = workflow.topological_order
    assert order.index(a) < order.index(f"{a}/b") < order.index(f"{a}/c/d") < order.index(f"{a}/out")
    assert order.index(f"{a}/out") < order.index(f"usr:{SLOT}:z")
    assert verify(workflow, INVOICE).ok


def test_what_a_step_saves_may_be_read_from_a_declared_context() -> None:
    context = {"type": "object", "properties": {"known": {"type": "number"}}}
    skeleton = automation_skeleton(context=context)
    saving = {"type": "action", "config": {"action": "x", "save_as": "answer"}}
    reading = patch(nodes(a=saving, b=script("context.answer == context.known")), edges("a>b"))
    assert problems(reading, skeleton, "slot:main") == ()
    unknown = problems(patch(nodes(b=script("context.other"))), skeleton, "slot:main")
    assert [each.code for each in unknown] == ["expression.invalid"]


def test_the_payload_of_an_event_may_be_read_by_what_accepts_it() -> None:
    wait = {"type": "wait_event", "config": {"event_key": "k", "accepts": 'payload.status == "paid"'}}
    assert problems(patch(nodes(a=wait))) == ()
