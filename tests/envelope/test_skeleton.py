"""The skeleton a contract generates: the same nodes, edges, windows and slots, whatever way it is written."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from envelope.strategies import contracts
from holdfast.envelope import (
    Contract,
    Skeleton,
    SlotGraphPatch,
    automation_skeleton,
    compile_effective,
    generate_skeleton,
)

DOCUMENT = {"type": "object", "properties": {"total": {"type": "number"}}}


def patch(*nodes: dict[str, Any]) -> SlotGraphPatch:
    return SlotGraphPatch.model_validate({"nodes": nodes})


def ways(skeleton: Skeleton) -> set[tuple[str, str | None, str]]:
    return {(edge.source, edge.outcome, edge.target) for edge in skeleton.edges}


def test_the_standard_lifecycle_has_exactly_the_specified_nodes_and_windows() -> None:
    skeleton = generate_skeleton(Contract(entity_type="invoice", document=DOCUMENT))
    assert {node.id: node.edit_window for node in skeleton.nodes} == {
        "sys:start": "editable",
        "sys:state:draft": "editable",
        "sys:gate:submit": "amend_only",
        "sys:state:submitted": "amend_only",
        "sys:gate:approve": "amend_only",
        "sys:state:active": "locked",
        "sys:gate:cancel": "locked",
        "sys:state:cancelled": "locked",
        "sys:state:amended": "editable",
        "sys:end": "locked",
    }
    assert {node.type for node in skeleton.nodes} == {"start", "state", "lifecycle_gate", "end"}


def test_the_standard_lifecycle_has_the_specified_edges() -> None:
    skeleton = generate_skeleton(Contract(entity_type="invoice", document=DOCUMENT))
    specified = {
        ("sys:start", "created", "sys:state:draft"),
        ("sys:state:draft", "submit", "sys:gate:submit"),
        ("sys:gate:submit", "completed", "sys:state:submitted"),
        ("sys:state:submitted", None, "sys:gate:approve"),
        ("sys:gate:approve", "approved", "sys:state:active"),
        ("sys:state:active", None, "sys:end"),
        ("sys:gate:approve", "rejected", "sys:state:draft"),
    }
    cancelling = {
        *((f"sys:state:{name}", "cancel", "sys:gate:cancel") for name in ("draft", "submitted", "active")),
        ("sys:gate:cancel", "completed", "sys:state:cancelled"),
        ("sys:state:cancelled", None, "sys:end"),
    }
    amending = {
        ("sys:start", "amended", "sys:state:amended"),
        ("sys:state:amended", "submit", "sys:gate:submit"),
    }
    assert ways(skeleton) == specified | cancelling | amending
    assert [edge.id for edge in skeleton.edges if edge.returns] == ["sys:gate:approve[rejected]->sys:state:draft"]
    assert {edge.outcome for edge in skeleton.edges if edge.interrupts} == {"cancel"}


def test_the_standard_lifecycle_has_exactly_the_specified_slots() -> None:
    skeleton = generate_skeleton(Contract(entity_type="invoice", document=DOCUMENT))
    assert {
        slot.slot_id: (slot.entry_node_id, slot.exit_node_id, slot.default_edit_window, slot.stable_region)
        for slot in skeleton.slots
    } == {
        "slot:draft_to_submit": ("sys:state:draft", "sys:gate:submit", "editable", False),
        "slot:submitted_to_approved": ("sys:state:submitted", "sys:gate:approve", "amend_only", True),
        "slot:approved_to_active": ("sys:gate:approve", "sys:state:active", "locked", False),
        "slot:amendment_cycle": ("sys:state:amended", "sys:gate:submit", "editable", False),
    }


def test_a_draft_waits_in_its_editable_state_and_not_at_the_gate() -> None:
    compiled = compile_effective(generate_skeleton(Contract(entity_type="invoice", document=DOCUMENT)), {})
    assert compiled.nodes_by_id["sys:state:draft"].waits
    assert compiled.nodes_by_id["sys:state:draft"].outcomes == ("submit",)
    assert not compiled.nodes_by_id["sys:gate:submit"].waits
    assert not compiled.nodes_by_id["sys:state:submitted"].waits
    assert compiled.nodes_by_id["sys:gate:approve"].waits
    assert compiled.nodes_by_id["sys:gate:approve"].branch


def lifecycle(**changes: Any) -> Contract:
    return Contract.from_data(
        {
            "entity_type": "parcel",
            "version": 7,
            "document": DOCUMENT,
            "states": [
                {"name": "packed", "edit_window": "editable", "title": "Packed up"},
                {"name": "shipped", "edit_window": "locked"},
                {"name": "lost", "edit_window": "locked"},
            ],
            "transitions": [
                {"name": "ship", "from": "packed", "to": "shipped", "roles": ["driver"]},
                {"name": "write_off", "from": "packed", "to": "lost", "roles": ["boss"]},
            ],
            **changes,
        }
    )


def test_where_several_ways_lead_onward_a_person_chooses() -> None:
    skeleton = generate_skeleton(lifecycle())
    assert ways(skeleton) >= {
        ("sys:state:packed", "ship", "sys:gate:ship"),
        ("sys:state:packed", "write_off", "sys:gate:write_off"),
    }
    packed = next(node for node in skeleton.nodes if node.id == "sys:state:packed")
    assert packed.name == "Packed up"
    assert packed.config["waits_for"] == ["ship", "write_off"]
    assert packed.config["roles"] == {"ship": ["driver"], "write_off": ["boss"]}
    assert skeleton.version == 7


def test_without_named_slots_there_is_one_on_every_way_of_a_forward_gate() -> None:
    skeleton = generate_skeleton(lifecycle())
    assert {(slot.slot_id, slot.default_edit_window, slot.stable_region) for slot in skeleton.slots} == {
        ("slot:packed_to_ship", "editable", False),
        ("slot:ship_to_shipped", "locked", False),
        ("slot:packed_to_write_off", "editable", False),
        ("slot:write_off_to_lost", "locked", False),
    }
    assert generate_skeleton(lifecycle(slots=[])).slots == []


def test_a_return_from_a_state_where_people_choose_is_one_of_the_choices() -> None:
    contract = lifecycle(
        states=[
            {"name": "packed", "edit_window": "editable"},
            {"name": "loaded", "edit_window": "locked"},
            {"name": "gone", "edit_window": "locked"},
        ],
        transitions=[
            {"name": "load", "from": "packed", "to": "loaded"},
            {"name": "leave", "from": "loaded", "to": "gone"},
            {"name": "unload", "from": "loaded", "to": "packed", "kind": "return"},
        ],
    )
    skeleton = generate_skeleton(contract)
    back = [edge for edge in skeleton.edges if edge.returns]
    assert [(edge.source, edge.outcome, edge.target) for edge in back] == [
        ("sys:state:loaded", "unload", "sys:state:packed")
    ]
    loaded = next(node for node in skeleton.nodes if node.id == "sys:state:loaded")
    assert loaded.config["waits_for"] == ["leave", "unload"]


def test_a_slot_may_sit_on_the_way_back_and_the_return_comes_after_it() -> None:
    contract = Contract(
        entity_type="invoice",
        document=DOCUMENT,
        slots=[{"name": "rework", "after": "gate:approve", "before": "state:draft"}],
    )
    skeleton = generate_skeleton(contract)
    compiled = compile_effective(
        skeleton, {"slot:rework": patch({"id": "a", "type": "wait_timer", "config": {"duration": "1h"}})}
    )
    into = compiled.edges_by_id["sys:gate:approve[rejected]->sys:slot:rework:in"]
    onward = compiled.edges_by_id["sys:slot:rework:out->sys:state:draft"]
    assert (into.outcome, into.returns, onward.outcome, onward.returns) == ("rejected", False, None, True)


def test_an_automation_is_start_main_end() -> None:
    skeleton = automation_skeleton(payload={"type": "object", "properties": {"order": {"type": "string"}}})
    assert ways(skeleton) == {("sys:start", "created", "sys:end")}
    assert [slot.slot_id for slot in skeleton.slots] == ["slot:main"]
    assert skeleton.scope().roots.keys() >= {"payload", "entity", "context"}
    assert skeleton.scope().roots["payload"].fields.keys() == {"order"}
    compiled = compile_effective(
        skeleton,
        {"slot:main": patch({"id": "a", "type": "script", "config": {"assign": {"o": "payload.order"}}})},
    )
    assert compiled.topological_order == (
        "sys:start",
        "sys:slot:main:in",
        "usr:slot:main:a",
        "sys:slot:main:out",
        "sys:end",
    )


@settings(max_examples=40, deadline=None)
@given(contracts())
def test_every_skeleton_survives_json_and_compiles_bare(contract: Contract) -> None:
    skeleton = generate_skeleton(contract)
    again = Skeleton.from_json(skeleton.to_json())
    assert again == skeleton
    assert again.hash == skeleton.computed_hash()
    compiled = compile_effective(again, {})
    assert set(compiled.nodes_by_id) == {node.id for node in skeleton.nodes}
    assert compiled.envelope_hash == skeleton.hash
    assert compiled.envelope_version == contract.version
