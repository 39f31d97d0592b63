"""The compiler, problem by problem: each mistake is found at its place, with a word of advice."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from envelope.patches import (
    ASK,
    INVOICE,
    JOIN,
    SLOT,
    SPLIT,
    WAIT,
    deep,
    each,
    edges,
    nested,
    nodes,
    patch,
    problems,
    script,
)
from holdfast.envelope import PROBLEM_CODES, OrgWorkflowDefinition, SlotGraphPatch, analyse, compile_effective
from holdfast.errors import CompileError

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
        *("expression.nullable", "integrity.missing", "integrity.altered", "integrity.order"),
        # What is looked up around a workflow: tests/processes/definitions/test_names.py.
        *(
            "config.input",
            "name.role",
            "name.user",
            "name.chain",
            "name.rule",
            "name.action",
            "name.permission",
            "name.event",
            "chain.expression",
        ),
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
