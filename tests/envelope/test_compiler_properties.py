"""Random contracts × random patches: what every accepted compile promises, and what is always refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from envelope.strategies import cases, contracts, definitions, shuffled
from holdfast.envelope import (
    CompiledWorkflow,
    OrgWorkflowDefinition,
    Skeleton,
    analyse,
    compile_effective,
    generate_skeleton,
    verify,
)
from holdfast.envelope.compiler.graph import forward_ways
from holdfast.envelope.windows import is_looser
from holdfast.errors import CompileError

quick = settings(
    max_examples=35, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)

Case = tuple[Skeleton, OrgWorkflowDefinition]


@quick
@given(cases())
def test_every_drawn_definition_compiles_and_verifies(case: Case) -> None:
    skeleton, definition = case
    analysis = analyse(skeleton, definition)
    assert analysis.errors == ()
    assert analysis.compiled is not None
    assert verify(analysis.compiled, skeleton).ok


@quick
@given(cases())
def test_wf06_custom_parts_stay_in_their_slot(case: Case) -> None:
    skeleton, definition = case
    compiled = compile_effective(skeleton, definition)
    system = {node.id for node in skeleton.nodes}
    for node in compiled.nodes_by_id.values():
        if node.id in system:
            assert node.provenance == "envelope"
        elif node.type == "attachment" and node.parent is None:
            assert node.id in (f"sys:{node.provenance}:in", f"sys:{node.provenance}:out")
        else:
            assert node.id.startswith(f"usr:{node.provenance}:")
    for edge in compiled.edges_by_id.values():
        if edge.provenance == "envelope":
            assert {edge.source, edge.target} <= system
            continue
        slot = compiled.slots[edge.provenance]
        inside = {key for key, owner in compiled.slot_map.items() if owner == slot.id}
        if edge.source not in inside:
            assert (edge.source, edge.target) == (slot.entry, f"sys:{slot.id}:in")
        elif edge.target not in inside:
            assert (edge.source, edge.target) == (f"sys:{slot.id}:out", slot.exit)


@quick
@given(cases())
def test_wf08_the_skeleton_is_whole_and_in_order(case: Case) -> None:
    skeleton, definition = case
    compiled = compile_effective(skeleton, definition)
    bare = compile_effective(skeleton, {})
    position = {node_id: index for index, node_id in enumerate(compiled.topological_order)}
    for node in skeleton.nodes:
        assert compiled.nodes_by_id[node.id] == bare.nodes_by_id[node.id]
        assert compiled.edit_windows[node.id] == node.edit_window
    filled = {slot.edge for slot in compiled.slots.values() if slot.filled}
    for edge in skeleton.edges:
        assert (edge.id in compiled.edges_by_id) == (edge.id not in filled)
        if not edge.returns:
            assert position[edge.source] < position[edge.target]
    assert compiled.system_gate_integrity.valid
    assert set(compiled.system_gate_integrity.present_gates) == {node.id for node in skeleton.nodes}


@quick
@given(st.data(), cases())
def test_wf12_the_order_of_the_input_never_shows(data: st.DataObject, case: Case) -> None:
    skeleton, definition = case
    first = compile_effective(skeleton, definition)
    again = compile_effective(skeleton, data.draw(shuffled(definition)))
    assert again.hash == first.hash
    assert again.to_json() == first.to_json()
    assert compile_effective(skeleton, definition).to_json() == first.to_json()


@quick
@given(st.data(), contracts())
def test_wf12_the_order_of_a_contract_never_shows(data: st.DataObject, contract: Any) -> None:
    given_order = contract.to_data()
    given_order["states"] = data.draw(st.permutations(given_order["states"]))
    given_order["transitions"] = data.draw(st.permutations(given_order["transitions"]))
    other = type(contract).from_data(given_order)
    assert generate_skeleton(other).to_json() == generate_skeleton(contract).to_json()


@quick
@given(cases())
def test_wf13_topological_order_is_the_smallest_by_id(case: Case) -> None:
    """At every place stands the smallest id among the nodes all of whose predecessors have been placed."""
    skeleton, definition = case
    compiled = compile_effective(skeleton, definition)
    ways = forward_ways(compiled.nodes_by_id, compiled.edges_by_id.values(), compiled.bodies)
    waiting = dict.fromkeys(compiled.nodes_by_id, 0)
    for targets in ways.values():
        for target in targets:
            waiting[target] += 1
    for node_id in compiled.topological_order:
        assert node_id == min(key for key, count in waiting.items() if count == 0)
        del waiting[node_id]
        for target in ways[node_id]:
            waiting[target] -= 1
    assert not waiting


@quick
@given(cases())
def test_windows_are_never_looser_than_the_skeletons(case: Case) -> None:
    skeleton, definition = case
    compiled = compile_effective(skeleton, definition)
    assert compiled.edit_windows.keys() == compiled.nodes_by_id.keys()
    for node_id, owner in compiled.slot_map.items():
        if owner != "envelope":
            assert not is_looser(compiled.edit_windows[node_id], compiled.slots[owner].default_edit_window)
            assert compiled.is_stable(node_id) == compiled.slots[owner].stable_region


@quick
@given(cases())
def test_every_join_waits_for_the_branches_of_its_split(case: Case) -> None:
    skeleton, definition = case
    compiled = compile_effective(skeleton, definition)
    splits = {key for key, node in compiled.nodes_by_id.items() if node.type == "parallel_split"}
    joins = {key for key, node in compiled.nodes_by_id.items() if node.type == "parallel_join"}
    assert compiled.join_requirements.keys() == joins
    assert compiled.split_joins.keys() == splits
    for join, requirement in compiled.join_requirements.items():
        assert requirement.branches == compiled.adjacency[requirement.split]
        config = compiled.nodes_by_id[join].config
        expected = {"all": len(requirement.branches), "any": 1, "n_of_m": config["n"]}[requirement.mode]
        assert requirement.required_token_count == expected
        guards = [compiled.edges_by_id[edge].condition for edge in requirement.branches]
        assert requirement.guarded == any(guard is not None for guard in guards)


@quick
@given(cases())
def test_json_keeps_the_workflow_and_its_hash(case: Case) -> None:
    compiled = compile_effective(*case)
    again = CompiledWorkflow.from_json(compiled.to_json())
    assert again == compiled
    assert again.hash == compiled.hash == again.computed_hash()


# What is always refused. Each mutation takes a legal case and breaks it in one way.


def _filled(definition: OrgWorkflowDefinition) -> dict[str, Any]:
    assume(definition.slots)
    return definition.model_dump(exclude_defaults=True)


def _codes(skeleton: Skeleton, data: dict[str, Any]) -> set[str]:
    with pytest.raises(CompileError) as caught:
        compile_effective(skeleton, OrgWorkflowDefinition.read(data))
    problems = caught.value.details["problems"]
    assert all(problem["path"] and problem["message"] for problem in problems)
    return {problem["code"] for problem in problems}


def _pick(data: st.DataObject, definition: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    slot_id = data.draw(st.sampled_from(sorted(definition["slots"])))
    return slot_id, definition["slots"][slot_id]


@quick
@given(st.data(), cases())
def test_an_edge_to_the_skeleton_is_refused(data: st.DataObject, case: Case) -> None:
    skeleton, definition = case
    broken = _filled(definition)
    _, patch = _pick(data, broken)
    foreign = data.draw(st.sampled_from([node.id for node in skeleton.nodes]))
    edge = data.draw(st.sampled_from(patch["edges"]))
    edge[data.draw(st.sampled_from(["source", "target"]))] = foreign
    assert "scope.edge_endpoint" in _codes(skeleton, broken)


@quick
@given(st.data(), cases())
def test_an_edge_to_another_slot_is_refused(data: st.DataObject, case: Case) -> None:
    skeleton, definition = case
    broken = _filled(definition)
    slot_id, patch = _pick(data, broken)
    others = [slot.slot_id for slot in skeleton.slots if slot.slot_id != slot_id]
    assume(others)
    edge = data.draw(st.sampled_from(patch["edges"]))
    edge["target"] = f"usr:{data.draw(st.sampled_from(others))}:n0"
    assert "scope.edge_endpoint" in _codes(skeleton, broken)


@quick
@given(st.data(), cases())
def test_a_node_named_outside_its_slot_is_refused(data: st.DataObject, case: Case) -> None:
    skeleton, definition = case
    broken = _filled(definition)
    _, patch = _pick(data, broken)
    node = data.draw(st.sampled_from(patch["nodes"]))
    other = f"{skeleton.slots[-1].slot_id}x"
    node["id"] = data.draw(
        st.sampled_from(["sys:state:s0", "sys:gate:go0", f"usr:{other}:n0", "in", "out", "a/b", "n0:x", "-", "é"])
    )
    assert "scope.node_id" in _codes(skeleton, broken)


@quick
@given(st.data(), cases())
def test_a_renamed_node_leaves_edges_that_are_refused(data: st.DataObject, case: Case) -> None:
    skeleton, definition = case
    broken = _filled(definition)
    _, patch = _pick(data, broken)
    data.draw(st.sampled_from(patch["nodes"]))["id"] = "renamed"
    assert "edge.unknown_endpoint" in _codes(skeleton, broken)


@quick
@given(st.data(), cases())
def test_a_looser_window_is_refused(data: st.DataObject, case: Case) -> None:
    skeleton, definition = case
    broken = _filled(definition)
    slot_id, patch = _pick(data, broken)
    slot = skeleton.slot(slot_id)
    assert slot is not None
    assume(slot.default_edit_window != "editable")
    if data.draw(st.booleans()):
        patch["edit_window_override"] = "editable"
    else:
        data.draw(st.sampled_from(patch["nodes"]))["edit_window"] = "editable"
    assert "window.looser" in _codes(skeleton, broken)


@quick
@given(st.data(), cases(loops=False))
def test_a_cycle_is_refused(data: st.DataObject, case: Case) -> None:
    skeleton, definition = case
    broken = _filled(definition)
    _, patch = _pick(data, broken)
    edge = data.draw(st.sampled_from([each for each in patch["edges"] if each["source"] != "in"]))
    target = data.draw(st.sampled_from(sorted(_before(patch, edge["source"]) | {edge["source"]})))
    patch["edges"].append({"source": edge["source"], "target": target, "outcome": edge.get("outcome", "completed")})
    assert "graph.cycle" in _codes(skeleton, broken)


def _before(patch: dict[str, Any], node: str) -> set[str]:
    found: set[str] = set()
    waiting = [node]
    while waiting:
        here = waiting.pop()
        for edge in patch["edges"]:
            if edge["target"] == here and edge["source"] not in found and edge["source"] != "in":
                found.add(edge["source"])
                waiting.append(edge["source"])
    return found


@quick
@given(st.data(), cases())
def test_a_node_of_the_skeletons_type_is_refused(data: st.DataObject, case: Case) -> None:
    skeleton, definition = case
    broken = _filled(definition)
    _, patch = _pick(data, broken)
    kind = data.draw(st.sampled_from(["start", "end", "state", "lifecycle_gate", "attachment"]))
    data.draw(st.sampled_from(patch["nodes"])).update(type=kind, config={})
    assert "scope.system_type" in _codes(skeleton, broken)


@quick
@given(st.data(), cases())
def test_a_cut_edge_never_passes_unnoticed(data: st.DataObject, case: Case) -> None:
    """Without any inner edge of a drawn patch a step is unreachable, stuck, or has an outcome too many."""
    skeleton, definition = case
    broken = _filled(definition)
    _, patch = _pick(data, broken)
    needed = [
        edge
        for edge in patch["edges"]
        if edge["source"] != "in"
        and edge["target"] != "out"
        and "condition" not in edge
        and edge.get("outcome") not in ("error", "denied")
    ]
    assume(needed)
    patch["edges"].remove(data.draw(st.sampled_from(needed)))
    analysis = analyse(skeleton, OrgWorkflowDefinition.read(broken))
    assert analysis.problems


@quick
@given(st.data(), cases())
def test_a_skeleton_with_a_moved_or_missing_gate_is_refused(data: st.DataObject, case: Case) -> None:
    skeleton, definition = case
    altered = skeleton.model_dump()
    victim = data.draw(st.sampled_from(["nodes", "edges"]))
    index = data.draw(st.integers(0, len(altered[victim]) - 1))
    match data.draw(st.sampled_from(["remove", "alter"])):
        case "remove":
            del altered[victim][index]
        case "alter" if victim == "nodes":
            window = altered["nodes"][index]["edit_window"]
            altered["nodes"][index]["edit_window"] = "locked" if window != "locked" else "editable"
        case _:
            altered["edges"][index]["target"] = "sys:end"
            assume(skeleton.edges[index].target != "sys:end")
    analysis = analyse(Skeleton.model_validate(altered), definition)
    assert analysis.compiled is None
    assert {problem.code.partition(".")[0] for problem in analysis.errors} == {"integrity"}


@quick
@given(st.data(), cases())
def test_a_compiled_workflow_that_was_tampered_with_does_not_verify(data: st.DataObject, case: Case) -> None:
    skeleton, definition = case
    content = compile_effective(skeleton, definition).content()
    sealed_hash = compile_effective(skeleton, definition).hash
    gate = data.draw(st.sampled_from([node.id for node in skeleton.nodes]))
    match data.draw(st.sampled_from(["remove", "window", "type", "edge"])):
        case "remove":
            del content["nodes_by_id"][gate]
        case "window":
            content["edit_windows"][gate] = "locked" if content["edit_windows"][gate] != "locked" else "editable"
        case "type":
            content["nodes_by_id"][gate]["type"] = "script"
        case "edge":
            edge = data.draw(st.sampled_from(sorted(content["edges_by_id"])))
            del content["edges_by_id"][edge]
    tampered = CompiledWorkflow.from_json({**content, "hash": sealed_hash})
    assert not verify(tampered).genuine
    resealed = tampered.sealed()
    assert not verify(resealed, skeleton).genuine


@settings(quick, max_examples=20)
@given(st.data())
def test_a_definition_for_another_version_is_refused(data: st.DataObject) -> None:
    contract = data.draw(contracts())
    definition = data.draw(definitions(generate_skeleton(contract), depth=1))
    newer = generate_skeleton(contract.model_copy(update={"version": contract.version + 1}))
    with pytest.raises(CompileError) as caught:
        compile_effective(newer, definition)
    assert [problem["code"] for problem in caught.value.details["problems"]] == ["base.envelope_version"]
