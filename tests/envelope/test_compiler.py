"""The compiler, problem by problem: each mistake is found at its place, with a word of advice."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import Any

import pytest

from holdfast.envelope import (
    PROBLEM_CODES,
    CompiledWorkflow,
    Contract,
    OrgWorkflowDefinition,
    Problem,
    Skeleton,
    SlotGraphPatch,
    analyse,
    automation_skeleton,
    compile_effective,
    generate_skeleton,
    verify,
)
from holdfast.envelope.compiler.integrity import check_effective
from holdfast.envelope.problems import Problems
from holdfast.errors import CompileError

DOCUMENT = {
    "type": "object",
    "required": ["total", "lines"],
    "properties": {
        "total": {"type": "number"},
        "owner": {"type": "string"},
        "due": {"type": "string", "format": "date-time"},
        "lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
    },
}
INVOICE = generate_skeleton(Contract(entity_type="invoice", document=DOCUMENT))
SLOT = "slot:submitted_to_approved"
WAIT = {"type": "wait_timer", "config": {"duration": "1h"}}
ASK = {"type": "approval", "config": {"approvers": [{"kind": "role", "role": "boss"}]}}
SPLIT, JOIN = {"type": "parallel_split"}, {"type": "parallel_join"}


def nodes(**kinds: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"id": name, **kind} for name, kind in kinds.items()]


def edges(*texts: str, **more: Any) -> list[dict[str, Any]]:
    """`a[approved]>b` is an edge on an outcome, `a<b` one that returns from b to a."""
    found = []
    for text in texts:
        source, mark, target = text.partition("<") if "<" in text else text.partition(">")
        if mark == "<":
            source, target = target, source
        name, _, outcome = source.partition("[")
        edge: dict[str, Any] = {"source": name, "target": target, **more}
        if outcome:
            edge["outcome"] = outcome.rstrip("]")
        if mark == "<":
            edge["returns"] = True
        found.append(edge)
    return found


def patch(
    node_list: list[dict[str, Any]], edge_list: list[dict[str, Any]] | None = None, **more: Any
) -> dict[str, Any]:
    return {"nodes": node_list, "edges": edge_list or [], **more}


def problems(data: dict[str, Any], skeleton: Skeleton = INVOICE, slot: str = SLOT) -> tuple[Problem, ...]:
    return analyse(skeleton, {slot: SlotGraphPatch.model_validate(data)}).problems


def script(text: str) -> dict[str, Any]:
    return {"type": "script", "config": {"assign": {"x": text}}}


def each(body: dict[str, Any], items: str = "entity.lines") -> dict[str, Any]:
    return {"type": "for_each", "config": {"items": items, "body": body}}


def deep(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"a": value}
    return {"action": "x", "payload": value}


def nested(depth: int) -> dict[str, Any]:
    body = patch(nodes(a=WAIT))
    for _ in range(depth):
        body = patch(nodes(e=each(body, "entity.lines")))
    return body


MISTAKES: list[tuple[str, str, dict[str, Any]]] = [
    ("scope.node_id", "nodes[0].id", patch(nodes(**{"sys:gate:approve": WAIT}))),
    ("scope.node_id", "nodes[0].id", patch(nodes(**{"usr:slot:other:a": WAIT}))),
    ("scope.node_id", "nodes[0].id", patch(nodes(out=WAIT))),
    ("scope.edge_id", "edges[0].id", patch(nodes(a=WAIT), edges("a>out", id="usr:slot:other:e"))),
    ("scope.edge_endpoint", "edges[0].target", patch(nodes(a=WAIT), edges("a>sys:state:draft"))),
    ("scope.edge_endpoint", "edges[0].source", patch(nodes(a=WAIT), edges("sys:start>a"))),
    ("scope.edge_endpoint", "edges[0].target", patch(nodes(a=WAIT), edges("a>in"))),
    ("scope.edge_endpoint", "edges[0].source", patch(nodes(a=WAIT), edges("out>a"))),
    ("scope.edge_endpoint", "edges[0].target", patch(nodes(a=WAIT), edges("a>sys:slot:draft_to_submit:in"))),
    ("scope.duplicate_node", "nodes[1].id", patch([*nodes(a=WAIT), *nodes(**{f"usr:{SLOT}:a": WAIT})])),
    ("scope.duplicate_edge", "edges[1]", patch(nodes(a=WAIT), edges("a>out", "a>out"))),
    ("scope.system_type", "nodes[0].type", patch(nodes(a={"type": "lifecycle_gate", "config": {}}))),
    ("attach.entry", "entry_edge_mode", patch(nodes(a=WAIT, b=WAIT), edges("a>out", "b>out"), exit_edge_mode="join")),
    ("attach.entry", "", patch(nodes(a=WAIT, b=WAIT), edges("a>b", "b>a"))),
    ("attach.exit", "exit_edge_mode", patch(nodes(a=ASK), edges("a[approved]>out", "a[rejected]>out"))),
    ("attach.exit", "", patch(nodes(a=WAIT, b=WAIT), edges("in>a", "a>b", "b>a"))),
    ("node.unknown_type", "nodes[0].type", patch(nodes(a={"type": "aproval"}))),
    (
        "node.unreachable",
        "nodes[1]",
        patch(nodes(a=WAIT, b=WAIT), edges("in>a", "a>out", "b>out"), exit_edge_mode="join"),
    ),
    ("node.dead_end", "nodes[1]", patch(nodes(a=SPLIT, b=WAIT), edges("in>a", "a>out", "a>b"))),
    ("node.outcome_unhandled", "nodes[0]", patch(nodes(a=ASK), edges("a>out"))),
    ("node.outcome_unhandled", "nodes[0]", patch(nodes(a=ASK), edges("a[approved]>out"))),
    (
        "node.outcome_unhandled",
        "nodes[0]",
        patch(nodes(a={"type": "wait_event", "config": {"event_key": "k", "timeout": "1h"}})),
    ),
    (
        "config.invalid",
        "nodes[0].config.timeout",
        patch(nodes(a={"type": "run", "config": {"run_type": "r", "timeout": "x"}})),
    ),
    (
        "config.invalid",
        "nodes[0].config.approvers[1].role",
        patch(
            nodes(a={"type": "approval", "config": {"approvers": [{"kind": "user", "user": "u"}, {"kind": "role"}]}})
        ),
    ),
    ("config.invalid", "nodes[0].config", patch(nodes(a={"type": "wait_timer", "config": {}}))),
    ("config.invalid", "nodes[0].config", patch(nodes(a={"type": "parallel_join", "config": {"mode": "n_of_m"}}))),
    (
        "config.invalid",
        "nodes[0].config.form.type",
        patch(
            nodes(
                a={
                    "type": "task",
                    "config": {"title": "t", "assignees": [{"kind": "user", "user": "u"}], "form": {"type": "form"}},
                }
            )
        ),
    ),
    (
        "config.invalid",
        "nodes[0].config.body.nodes[0].config.duration",
        patch(nodes(a=each(patch(nodes(b={"type": "wait_timer", "config": {"duration": 5}}))))),
    ),
    (
        "config.float",
        "nodes[0].config.payload.rate[0]",
        patch(nodes(a={"type": "action", "config": {"action": "x", "payload": {"rate": [0.1]}}})),
    ),
    (
        "config.invalid",
        "nodes[0].config.payload.when",
        patch(nodes(a={"type": "action", "config": {"action": "x", "payload": {"when": date(2026, 1, 1)}}})),
    ),
    (
        "config.invalid",
        "nodes[0].config.payload" + ".a" * 100,
        patch(nodes(a={"type": "action", "config": deep(2000)})),
    ),
    ("edge.unknown_outcome", "edges[0].outcome", patch(nodes(a=WAIT), edges("a[aproved]>out"))),
    ("edge.unknown_outcome", "edges[0].outcome", patch(nodes(a=WAIT), edges("in[created]>a"))),
    ("edge.unknown_endpoint", "edges[0].target", patch(nodes(a=WAIT), edges("a>b"))),
    ("edge.shadowed", "edges[1]", patch(nodes(a=WAIT, b=WAIT), edges("a>b", "a>out"), exit_edge_mode="join")),
    ("graph.cycle", "edges[0]", patch(nodes(a=WAIT, b=WAIT), edges("a>b", "b>a", "in>a", "b[completed]>out"))),
    ("graph.cycle", "edges[0]", patch(nodes(a=WAIT), edges("a>a", "in>a", "a[completed]>out"))),
    ("graph.return_forward", "edges[1]", patch(nodes(a=ASK, b=WAIT), edges("a[approved]>b", "b<a[rejected]"))),
    ("graph.return_guard", "edges[1]", patch(nodes(a=WAIT, b=WAIT), edges("a>b", "a<b", "b[completed]>out"))),
    (
        "graph.return_crosses",
        "edges[4]",
        patch(
            nodes(a=WAIT, s=SPLIT, b=ASK, c=WAIT, j=JOIN),
            edges("a>s", "s>b", "s>c", "b[approved]>j", "a<b[rejected]", "c>j"),
        ),
    ),
    (
        "graph.return_crosses",
        "edges[4]",
        patch(
            nodes(s=SPLIT, b=WAIT, c=WAIT, j=JOIN, d=ASK),
            edges("s>b", "s>c", "b>j", "c>j", "j<d[rejected]", "j>d", "d[approved]>out"),
        ),
    ),
    ("split.too_few", "nodes[0]", patch(nodes(s=SPLIT, j=JOIN), edges("s>j"))),
    (
        "split.unpaired",
        "nodes[0]",
        patch(
            nodes(s=SPLIT, a=WAIT, b=WAIT, j=JOIN),
            edges("s>a", "s>b", "a>j", "b>j", "s>out", "j>out"),
            exit_edge_mode="join",
        ),
    ),
    (
        "split.branches_meet",
        "nodes[0]",
        patch(nodes(s=SPLIT, a=WAIT, b=WAIT, c=WAIT), edges("s>a", "s>b", "a>c", "b>c")),
    ),
    (
        "split.branches_meet",
        "nodes[0]",
        patch(nodes(s=SPLIT, a=WAIT, b=WAIT), edges("s>a", "s>b", "a>out", "b>out"), exit_edge_mode="join"),
    ),
    (
        "split.unpaired",
        "nodes[0]",
        patch(
            nodes(s=SPLIT, a={"type": "condition"}, b={"type": "condition"}, j=JOIN, k=JOIN),
            [*edges("s>a", "s>b", "a>j", "b>j", "j>out", "k>out"), *edges("a>k", "b>k", condition="entity.total > 1")],
            exit_edge_mode="join",
        ),
    ),
    ("join.unpaired", "nodes[1]", patch(nodes(a=WAIT, j=JOIN), edges("a>j"))),
    (
        "join.count",
        "nodes[3].config.n",
        patch(
            nodes(s=SPLIT, a=WAIT, b=WAIT, j={"type": "parallel_join", "config": {"mode": "n_of_m", "n": 3}}),
            edges("s>a", "s>b", "a>j", "b>j"),
        ),
    ),
    ("expression.invalid", "nodes[0].config.assign.x", patch(nodes(a=script("entity.totl")))),
    ("expression.invalid", "nodes[0].config.assign.x", patch(nodes(a=script("entity.total >")))),
    ("expression.invalid", "nodes[0].config.assign.x", patch(nodes(a=script("payload.x")))),
    ("expression.invalid", "nodes[0].config.assign.x", patch(nodes(a=script("item.sku")))),
    ("expression.invalid", "edges[0].condition", patch(nodes(a=WAIT), edges("a>out", condition="entity.totl > 1"))),
    (
        "expression.invalid",
        "nodes[0].config.event_key",
        patch(nodes(a={"type": "wait_event", "config": {"event_key": "pod:{entity.shipment}"}})),
    ),
    (
        "expression.invalid",
        "nodes[0].config.payload.lines[0]",
        patch(nodes(a={"type": "action", "config": {"action": "x", "payload": {"lines": [{"$expr": "entity.nope"}]}}})),
    ),
    (
        "expression.invalid",
        "nodes[0].config.approvers[0].expression",
        patch(nodes(a={"type": "approval", "config": {"approvers": [{"kind": "rule", "expression": "entity.boss"}]}})),
    ),
    (
        "expression.invalid",
        "nodes[0].config.body.nodes[0].config.assign.x",
        patch(nodes(a=each(patch(nodes(b=script("item.colour")))))),
    ),
    ("expression.type", "edges[0].condition", patch(nodes(a=WAIT), edges("a>out", condition="entity.total"))),
    ("expression.type", "nodes[0].config.items", patch(nodes(a=each(patch(nodes(b=WAIT)), "entity.total")))),
    (
        "expression.type",
        "nodes[0].config.until",
        patch(nodes(a={"type": "wait_timer", "config": {"until": "entity.total"}})),
    ),
    ("window.looser", "edit_window_override", patch(nodes(a=WAIT), edit_window_override="editable")),
    ("window.looser", "nodes[0].edit_window", patch(nodes(a={**WAIT, "edit_window": "editable"}))),
    (
        "window.looser",
        "nodes[0].edit_window",
        patch(nodes(a={**WAIT, "edit_window": "amend_only"}), edit_window_override="locked"),
    ),
    (
        "window.looser",
        "nodes[0].config.body.nodes[0].edit_window",
        patch(nodes(a={**each(patch(nodes(b={**WAIT, "edit_window": "amend_only"}))), "edit_window": "locked"})),
    ),
    ("body.depth", "config.body", nested(5)),
    ("attach.entry", "nodes[0].config.body", patch(nodes(a=each(patch([]))))),
]


@pytest.mark.parametrize(
    ("code", "place", "data"), MISTAKES, ids=[f"{code}-{i}" for i, (code, _, _) in enumerate(MISTAKES)]
)
def test_a_mistake_is_found_at_its_place(code: str, place: str, data: dict[str, Any]) -> None:
    found = {(each.code, each.path): each for each in problems(data) if each.severity == "error"}
    here = f'slots["{SLOT}"]'
    full = f"{here}.{place}" if place else here
    matching = [each for key, each in found.items() if key == (code, full) or (code == "body.depth" and key[0] == code)]
    assert matching, sorted(found)
    assert all(each.message for each in matching)


def test_every_problem_code_of_the_compiler_is_shown_by_a_test() -> None:
    elsewhere = {
        *("shape.invalid", "base.entity_type", "base.envelope_version", "slot.unknown", "node.no_else", "limit.size"),
        *("integrity.missing", "integrity.altered", "integrity.order"),
    }
    shown = {code for code, _, _ in MISTAKES} | elsewhere
    assert shown == {code for code in PROBLEM_CODES if not code.startswith("contract.")}


def test_all_problems_are_reported_at_once() -> None:
    data = patch(
        [*nodes(a=ASK, b={"type": "nonsense"}, c=script("entity.totl")), {"id": "sys:x", **WAIT}],
        [*edges("a[approved]>c", "c>out"), {"source": "c", "target": "sys:end"}],
        edit_window_override="editable",
    )
    definition = OrgWorkflowDefinition.read(
        {"base_ref": {"entity_type": "invoice", "envelope_version": 9}, "slots": {SLOT: data, "slot:nope": {}}}
    )
    with pytest.raises(CompileError) as caught:
        compile_effective(INVOICE, definition)
    found = caught.value.details["problems"]
    assert {problem["code"] for problem in found} == {
        "base.envelope_version",
        "slot.unknown",
        "scope.node_id",
        "scope.edge_endpoint",
        "attach.entry",
        "node.unknown_type",
        "node.dead_end",
        "node.outcome_unhandled",
        "expression.invalid",
        "window.looser",
    }
    assert all(problem["message"] in str(caught.value) for problem in found)


def test_an_expression_is_shown_with_a_caret() -> None:
    (found,) = problems(patch(nodes(a=script("entity.totl"))))
    assert "entity.totl\n" in found.message
    assert "^" in found.message
    assert "total" in found.message + found.hint


def test_a_definition_for_another_type_is_refused() -> None:
    definition = OrgWorkflowDefinition.read({"base_ref": {"entity_type": "order", "envelope_version": 1}})
    assert [each.code for each in analyse(INVOICE, definition).errors] == ["base.entity_type"]


def test_a_doubtful_definition_compiles_with_a_warning() -> None:
    guarded = patch(nodes(a={"type": "condition"}), edges("a>out", condition="entity.total > 1"))
    analysis = analyse(INVOICE, {SLOT: SlotGraphPatch.model_validate(guarded)})
    assert analysis.compiled is not None
    assert [each.code for each in analysis.warnings] == ["node.no_else"]
    superfluous = patch(
        nodes(a={"type": "condition", "config": {"expression": "entity.total > 1"}}, b=WAIT),
        edges("a[true]>b", "a[false]>b", "a>b"),
    )
    assert [(each.code, each.severity) for each in problems(superfluous)] == [("edge.shadowed", "warning")]
    branches = edges("s>a", "s>b", condition="entity.total > 1")
    all_guarded = patch(nodes(s=SPLIT, a=WAIT, b=WAIT, j=JOIN), [*branches, *edges("a>j", "b>j")])
    assert [each.code for each in problems(all_guarded)] == ["node.no_else"]


def test_a_definition_of_unreasonable_size_is_refused() -> None:
    data = patch([{"id": f"n{index}", **WAIT} for index in range(10_001)])
    assert [each.code for each in problems(data)] == ["limit.size"]
    body = patch([{"id": f"n{index}", **WAIT} for index in range(10_001)])
    assert "limit.size" in [each.code for each in problems(patch(nodes(a=each(body))))]


def compiled(data: dict[str, Any], skeleton: Skeleton = INVOICE, slot: str = SLOT) -> CompiledWorkflow:
    return compile_effective(skeleton, {slot: SlotGraphPatch.model_validate(data)})


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


# Integrity (WF-08)


def altered(**changes: Any) -> Skeleton:
    return INVOICE.model_copy(update=changes)


def test_a_skeleton_without_one_of_its_nodes_is_refused_even_when_resealed() -> None:
    without = altered(nodes=[node for node in INVOICE.nodes if node.id != "sys:gate:approve"])
    assert {each.code for each in analyse(without, {}).errors} == {"integrity.altered", "integrity.missing"}
    assert {each.code for each in analyse(without.sealed(), {}).errors} == {"integrity.missing"}


def test_a_skeleton_whose_gates_are_reordered_is_refused() -> None:
    back = [edge.model_copy(update={"returns": False}) for edge in INVOICE.edges]
    assert {each.code for each in analyse(altered(edges=back).sealed(), {}).errors} == {"integrity.order"}
    cut = [edge for edge in INVOICE.edges if edge.source != "sys:start"]
    assert "integrity.order" in {each.code for each in analyse(altered(edges=cut).sealed(), {}).errors}


def test_an_effective_workflow_that_lost_or_changed_a_gate_is_noticed() -> None:
    workflow = compiled(patch(nodes(a=WAIT)))

    def codes(**changes: Any) -> set[str]:
        content = {**{name: getattr(workflow, name) for name in PARTS}, **changes}
        found = Problems()
        check_effective(
            INVOICE,
            content["nodes_by_id"],
            content["edges_by_id"],
            content["edit_windows"],
            content["topological_order"],
            found,
        )
        return {each.code for each in found}

    assert codes() == set()
    lost = {key: node for key, node in workflow.nodes_by_id.items() if key != "sys:gate:approve"}
    assert codes(nodes_by_id=lost) == {"integrity.missing"}
    assert codes(edit_windows={**workflow.edit_windows, "sys:state:active": "editable"}) == {"integrity.altered"}
    assert codes(topological_order=tuple(reversed(workflow.topological_order))) == {"integrity.order"}
    cut = {key: edge for key, edge in workflow.edges_by_id.items() if edge.target != f"sys:{SLOT}:in"}
    assert codes(edges_by_id=cut) == {"integrity.missing"}


PARTS = ("nodes_by_id", "edges_by_id", "edit_windows", "topological_order")


# Verification (WF-07)


def test_a_workflow_of_another_compiler_is_genuine_but_not_current() -> None:
    older = replace(compiled(patch(nodes(a=WAIT))), compiler_version="0.9.0").sealed()
    answer = verify(older, INVOICE)
    assert answer.genuine
    assert not answer.current
    assert not answer.ok
    assert answer.to_json()["ok"] is False


def test_verification_says_what_was_changed() -> None:
    workflow = compiled(patch(nodes(a=WAIT)))
    content = {**workflow.content(), "hash": workflow.hash}
    content["topological_order"].reverse()
    answer = verify(CompiledWorkflow.from_json(content))
    assert answer.differences == ("topological_order does not follow from the nodes and edges",)
    content = {**workflow.content(), "hash": workflow.hash}
    content["nodes_by_id"][f"usr:{SLOT}:a"]["config"]["duration"] = "9h"
    answer = verify(CompiledWorkflow.from_json(content))
    assert not answer.genuine
    assert answer.differences == ("the content is consistent in itself but is not the content that was hashed",)


def test_what_is_no_compiled_workflow_is_refused() -> None:
    for text in ("{}", '{"nodes_by_id": []}', "[]", '"x"'):
        with pytest.raises(CompileError, match="not a compiled workflow"):
            CompiledWorkflow.from_json(text)
