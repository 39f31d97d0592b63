"""The parts: every node type has a form, its schema agrees with the compiler, and the set of types is open."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from envelope.strategies import cases, patches
from holdfast.envelope import (
    STANDARD,
    NodeConfig,
    NodeType,
    OrgWorkflowDefinition,
    Skeleton,
    SlotGraphPatch,
    analyse,
    automation_skeleton,
    compile_effective,
    definition_schema,
)
from holdfast.envelope.parts import expression, field, template
from holdfast.errors import CompileError, InvalidInput

SPECIFIED = {
    *("start", "end", "lifecycle_gate", "policy_gate", "action", "approval", "condition", "parallel_split"),
    *("parallel_join", "wait_timer", "wait_event", "webhook_out", "notification", "script", "rule"),
    *("task", "for_each", "session", "run"),
}


def test_every_specified_node_type_exists() -> None:
    assert SPECIFIED | {"state", "attachment"} == set(STANDARD)
    assert {each.name for each in STANDARD.values() if each.branch} == {"condition", "rule", "lifecycle_gate"}


def test_every_field_of_every_form_has_a_title_and_a_description() -> None:
    for entry in STANDARD.palette():
        schema = entry["schema"]
        Draft202012Validator.check_schema(schema)
        models = [schema, *schema.get("$defs", {}).values()]
        for model in models:
            for name, shape in model.get("properties", {}).items():
                assert shape.get("title"), (entry["type"], name)
                assert shape.get("description"), (entry["type"], name)


def test_the_forms_say_where_an_expression_is_expected() -> None:
    forms = {entry["type"]: entry["schema"]["properties"] for entry in STANDARD.palette()}
    assert forms["condition"]["expression"]["x-widget"] == "expression"
    assert forms["condition"]["expression"]["x-type"] == "boolean"
    assert forms["wait_event"]["event_key"]["x-holds"] == "template"
    assert forms["action"]["payload"]["x-holds"] == "payload"
    assert forms["for_each"]["body"]["x-widget"] == "graph"


def definition(patch: dict[str, Any]) -> dict[str, Any]:
    base = {"entity_type": "automation", "envelope_version": 1}
    return {"base_ref": base, "slots": {"slot:main": patch}}


@settings(max_examples=40, deadline=None)
@given(patches())
def test_what_compiles_fits_the_schema(patch: dict[str, Any]) -> None:
    Draft202012Validator(definition_schema()).validate(definition(patch))


@pytest.mark.parametrize(
    ("kind", "config"),
    [
        ("approval", {"approvers": [{"kind": "role"}]}),
        ("approval", {"approvers": [{"kind": "role", "role": "r"}], "timeout": "soon"}),
        ("wait_event", {}),
        ("run", {"run_type": 5}),
        ("unknown", {}),
        ("state", {"state": "draft"}),
        ("action", {"action": "a", "colour": "red"}),
    ],
)
def test_what_the_schema_refuses_does_not_compile(kind: str, config: dict[str, Any]) -> None:
    data = definition({"nodes": [{"id": "a", "type": kind, "config": config}]})
    assert list(Draft202012Validator(definition_schema()).iter_errors(data))
    with pytest.raises(CompileError):
        compile_effective(automation_skeleton(), OrgWorkflowDefinition.read(data))


def test_a_malformed_definition_lists_every_wrong_field() -> None:
    with pytest.raises(CompileError) as caught:
        OrgWorkflowDefinition.read({"slots": {"slot:main": {"nodes": [{"id": "a"}], "edges": [{"source": 1}]}}})
    assert {problem["path"] for problem in caught.value.details["problems"]} == {
        "base_ref",
        'slots["slot:main"].nodes[0].type',
        'slots["slot:main"].edges[0].source',
        'slots["slot:main"].edges[0].target',
    }
    with pytest.raises(CompileError, match="a definition is an object"):
        OrgWorkflowDefinition.from_json("[]")


@settings(max_examples=25, deadline=None)
@given(cases())
def test_a_definition_survives_its_own_json(case: tuple[Skeleton, OrgWorkflowDefinition]) -> None:
    skeleton, written = case
    again = OrgWorkflowDefinition.from_json(written.to_json())
    assert again == written
    assert compile_effective(skeleton, again).hash == compile_effective(skeleton, written).hash


def test_yaml_and_json_mean_the_same() -> None:
    in_yaml = OrgWorkflowDefinition.from_yaml("""
        base_ref: {entity_type: automation, envelope_version: 1}
        slots:
          slot:main:
            nodes:
              - {id: a, type: action, config: {action: x, payload: {rate: 1.50, day: 2026-01-31}}}
              - {id: b, type: condition, config: {expression: context.ok == true}}
              - {id: c, type: wait_timer, config: {duration: 1h}}
            edges:
              - {source: a, target: b}
              - {source: b, target: c, outcome: true}
              - {source: b, target: c, outcome: false}
    """)
    payload = {"rate": 1.5, "day": "2026-01-31"}
    in_json = OrgWorkflowDefinition.from_json(
        json.dumps(
            definition(
                {
                    "nodes": [
                        {
                            "id": "a",
                            "type": "action",
                            "config": {"action": "x", "payload": payload},
                        },
                        {"id": "b", "type": "condition", "config": {"expression": "context.ok == true"}},
                        {"id": "c", "type": "wait_timer", "config": {"duration": "1h"}},
                    ],
                    "edges": [
                        {"source": "a", "target": "b"},
                        {"source": "b", "target": "c", "outcome": "true"},
                        {"source": "b", "target": "c", "outcome": "false"},
                    ],
                }
            )
        )
    )
    skeleton = automation_skeleton()
    assert compile_effective(skeleton, in_yaml).to_json() == compile_effective(skeleton, in_json).to_json()


class CreditScore(NodeConfig):
    """A user's own node type."""

    customer: str = expression("Customer", "Whose score.", gives="text")
    note: str | None = template("Note", "For the file.", default=None)
    minimum: int = field("Minimum", "The least score that passes.", default=600)

    def outcomes(self) -> tuple[str, ...]:
        return ("good", "poor", "error")

    def waits(self) -> bool:
        return True


CREDIT = NodeType("acme.credit_score", CreditScore, "Credit score", "Asks the bureau.", branch=True)


def credit(config: dict[str, Any], edges: list[dict[str, Any]]) -> SlotGraphPatch:
    nodes = [{"id": "score", "type": "acme.credit_score", "config": config}]
    return SlotGraphPatch.model_validate({"nodes": nodes, "edges": edges, "exit_edge_mode": "join"})


def test_a_node_type_of_ones_own_compiles_like_the_products() -> None:
    types = STANDARD.with_types(CREDIT)
    ways = [{"source": "score", "target": "out", "outcome": each} for each in ("good", "poor")]
    skeleton = automation_skeleton()
    compiled = compile_effective(
        skeleton, {"slot:main": credit({"customer": "payload.customer", "note": "{now}"}, ways)}, types=types
    )
    node = compiled.nodes_by_id["usr:slot:main:score"]
    assert (node.outcomes, node.waits, node.branch) == (("good", "poor", "error"), True, True)
    assert node.config == {"customer": "payload.customer", "note": "{now}", "minimum": 600}
    broken = credit({"customer": "payload.customer == 1", "note": "{nobody}"}, ways[:1])
    codes = [problem.code for problem in analyse(skeleton, {"slot:main": broken}, types=types).errors]
    assert sorted(codes) == ["expression.invalid", "expression.type", "node.outcome_unhandled"]
    assert [each.code for each in analyse(skeleton, {"slot:main": broken}).errors] == ["node.unknown_type"]
    Draft202012Validator(definition_schema(types)).validate(
        definition({"nodes": [{"id": "score", "type": "acme.credit_score", "config": {"customer": "now"}}]})
    )


def test_the_products_own_types_cannot_be_replaced() -> None:
    with pytest.raises(InvalidInput, match="defined twice"):
        STANDARD.with_types(NodeType("approval", CreditScore, "Mine", "Approves everything."))
    with pytest.raises(InvalidInput, match="not a name"):
        NodeType("Bad Name", CreditScore, "", "")
    assert "acme.credit_score" not in STANDARD


def test_positions_on_the_canvas_never_reach_the_workflow() -> None:
    plain = {"nodes": [{"id": "a", "type": "script", "config": {"assign": {"x": "now"}}}]}
    moved = {"nodes": [{**plain["nodes"][0], "position": {"x": 10, "y": -4}}]}
    skeleton = automation_skeleton()
    hashes = {
        compile_effective(skeleton, {"slot:main": SlotGraphPatch.model_validate(patch)}).hash
        for patch in (plain, moved)
    }
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("type_name", "config", "name"),
    [
        ("run", {"run_type": "billing.charge.v1"}, "max_attempts"),
        ("parallel_join", {"mode": "n_of_m"}, "n"),
        ("approval", {"approvers": [{"kind": "role", "role": "boss"}]}, "required"),
    ],
)
def test_a_truth_is_no_number_of_a_node(type_name: str, config: dict[str, Any], name: str) -> None:
    kind = STANDARD[type_name].config
    assert kind.model_validate(config | {name: 1})
    with pytest.raises(ValidationError) as caught:
        kind.model_validate(config | {name: True})
    assert [(each["loc"], each["msg"]) for each in caught.value.errors()] == [
        ((name,), "true and false are not numbers")
    ]
