"""What a contract promises: one way of meaning it in three notations, and clear words for what cannot work."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from pydantic import BaseModel, Field

from envelope.strategies import contracts
from holdfast.envelope import Contract, SlotPlace, State, Transition, generate_skeleton
from holdfast.envelope.problems import PROBLEM_CODES
from holdfast.errors import CanonicalError, ContractError

DOCUMENT = {"type": "object", "properties": {"total": {"type": "number"}}}


def order(**changes: Any) -> dict[str, Any]:
    """A lifecycle new → open → closed that can work, with `changes`."""
    contract: dict[str, Any] = {
        "entity_type": "order",
        "document": DOCUMENT,
        "states": [
            {"name": "new", "edit_window": "editable"},
            {"name": "open", "edit_window": "amend_only"},
            {"name": "closed", "edit_window": "locked"},
        ],
        "transitions": [
            {"name": "place", "from": "new", "to": "open"},
            {"name": "close", "from": ["open"], "to": "closed", "trigger": "automatic"},
        ],
    }
    return {**contract, **changes}


def problems_of(data: dict[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(ContractError) as caught:
        Contract.from_data(data)
    found = caught.value.details["problems"]
    assert all(problem["code"] in PROBLEM_CODES and problem["message"] in str(caught.value) for problem in found)
    return [(problem["code"], problem["path"]) for problem in found]


def test_a_pydantic_model_is_a_document() -> None:
    class Line(BaseModel):
        sku: str

    class Invoice(BaseModel):
        number: str
        total: Decimal = Field(ge=Decimal("0.5"))
        discount: float = Field(default=0.25, lt=0.75)
        lines: list[Line] = []

    contract = Contract(entity_type="invoice", document=Invoice)
    assert contract.document["properties"]["number"] == {"title": "Number", "type": "string"}
    assert contract.document["properties"]["discount"]["exclusiveMaximum"] == Decimal("0.75")
    assert contract.scope().roots["entity"].fields.keys() == {"number", "total", "discount", "lines"}
    assert Contract.from_json(contract.to_json()) == contract


def test_the_same_contract_in_python_yaml_and_json() -> None:
    in_python = Contract(
        entity_type="order",
        document=DOCUMENT,
        states=[
            State(name="new", edit_window="editable"),
            State(name="open", edit_window="amend_only"),
            State(name="closed", edit_window="locked"),
        ],
        transitions=[
            Transition(name="place", from_states=["new"], to_state="open"),
            Transition(name="close", from_states=["open"], to_state="closed", trigger="automatic"),
        ],
        slots=[SlotPlace(name="checks", after="state:open", before="gate:close")],
    )
    in_yaml = Contract.from_yaml("""
        entity_type: order
        document: {type: object, properties: {total: {type: number}}}
        states:
          - {name: new, edit_window: editable}
          - {name: open, edit_window: amend_only}
          - {name: closed, edit_window: locked}
        transitions:
          - {name: place, from: new, to: open}
          - {name: close, from: open, to: closed, trigger: automatic}
        slots:
          - {name: checks, after: "state:open", before: "gate:close"}
    """)
    assert in_python == in_yaml == Contract.from_json(in_python.to_json()) == Contract.from_yaml(in_python.to_yaml())
    assert in_python.fingerprint == in_yaml.fingerprint


@settings(max_examples=25, deadline=None)
@given(contracts())
def test_every_contract_survives_json_and_yaml(contract: Contract) -> None:
    assert Contract.from_json(contract.to_json()) == contract
    assert Contract.from_yaml(contract.to_yaml()) == contract
    assert Contract.from_yaml(contract.to_yaml()).fingerprint == contract.fingerprint


def test_the_version_grows_only_when_the_content_changes() -> None:
    first = Contract.from_data(order(version=3))
    same = Contract.from_data(order()).succeeding(first)
    assert same.version == 3
    changed = Contract.from_data(order(title="Orders")).succeeding(first)
    assert changed.version == 4
    assert changed.fingerprint != first.fingerprint
    assert Contract.from_data(order()).succeeding(None).version == 1
    changed.check_succession(first)
    same.check_succession(first)


@pytest.mark.parametrize(
    "successor",
    [order(version=3, title="other"), order(version=2), order(version=4, entity_type="parcel")],
    ids=["content without version", "version going back", "another type"],
)
def test_a_contract_cannot_change_under_its_version(successor: dict[str, Any]) -> None:
    first = Contract.from_data(order(version=3))
    with pytest.raises(ContractError) as caught:
        Contract.from_data(successor).check_succession(first)
    assert [each["code"] for each in caught.value.details["problems"]] == ["contract.version"]


def state(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "edit_window": "locked", **more}


IMPOSSIBLE: dict[str, tuple[dict[str, Any], tuple[str, str]]] = {
    "unknown field": ({"colour": "red"}, ("contract.shape", "colour")),
    "no entity type": ({"entity_type": None}, ("contract.shape", "entity_type")),
    "bad entity type": ({"entity_type": "Order!"}, ("contract.shape", "entity_type")),
    "bad window": (
        {"states": [{"name": "new", "edit_window": "open"}]},
        ("contract.shape", "states[0].edit_window"),
    ),
    "version zero": ({"version": 0}, ("contract.shape", "version")),
    "schema that is no schema": (
        {"document": {"type": "object", "properties": {"a": {"type": "text"}}}},
        ("contract.schema", "document.properties.a.type"),
    ),
    "schema of a list": ({"document": {"type": "array"}}, ("contract.schema", "document")),
    "schema with a broken reference": (
        {"document": {"type": "object", "properties": {"a": {"$ref": "#/$defs/nothing"}}}},
        ("contract.schema", 'document.properties.a["$ref"]'),
    ),
    "context of a number": ({"context": {"type": "number"}}, ("contract.schema", "context")),
    "two states of one name": (
        {"states": [*order()["states"], state("new")]},
        ("contract.duplicate", "states[3].name"),
    ),
    "two transitions of one name": (
        {"transitions": [*order()["transitions"], {"name": "place", "from": "new", "to": "open"}]},
        ("contract.duplicate", "transitions[2].name"),
    ),
    "unknown state": (
        {"transitions": [*order()["transitions"], {"name": "lose", "from": ["open", "gone"], "to": "closed"}]},
        ("contract.unknown_state", "transitions[2].from[1]"),
    ),
    "two starts": (
        {"states": [*order()["states"], state("other", initial=True), state("third", initial=True)]},
        ("contract.two_starts", "states"),
    ),
    "a second state nothing leads to": (
        {"states": [*order()["states"], state("lost")]},
        ("contract.two_starts", "states"),
    ),
    "no start": (
        {
            "states": [state("a"), state("b"), state("c")],
            "transitions": [
                {"name": "ab", "from": "a", "to": "b"},
                {"name": "ba", "from": "b", "to": "a"},
                {"name": "bc", "from": "b", "to": "c"},
            ],
        },
        ("contract.no_start", "states"),
    ),
    "no end": (
        {
            "states": [state("a", initial=True), state("b")],
            "transitions": [{"name": "ab", "from": "a", "to": "b"}, {"name": "ba", "from": "b", "to": "a"}],
        },
        ("contract.no_end", "states"),
    ),
    "unreachable state": (
        {"states": [state("new", initial=True), *order()["states"][1:], state("island")]},
        ("contract.unreachable", "states[3]"),
    ),
    "circle": (
        {
            "states": [state("new", initial=True), *order()["states"][1:]],
            "transitions": [*order()["transitions"], {"name": "again", "from": "closed", "to": "new"}],
        },
        ("contract.cycle", "transitions[0]"),
    ),
    "return from a state without a way onward": (
        {
            "transitions": [
                *order()["transitions"],
                {"name": "reopen", "from": "closed", "to": "open", "kind": "return"},
            ]
        },
        ("contract.return", "transitions[2]"),
    ),
    "return that leads onward": (
        {"transitions": [*order()["transitions"], {"name": "jump", "from": "new", "to": "closed", "kind": "return"}]},
        ("contract.return", "transitions[2]"),
    ),
    "a way onward beside an automatic one": (
        {"transitions": [*order()["transitions"], {"name": "drop", "from": "open", "to": "closed"}]},
        ("contract.ambiguous", "transitions"),
    ),
    "a refusal that cannot be told from passing": (
        {
            "transitions": [
                *order()["transitions"],
                {"name": "back", "from": "open", "to": "new", "kind": "return", "outcome": "completed"},
            ]
        },
        ("contract.ambiguous", "transitions[2].outcome"),
    ),
    "a gate that is passed when nobody can be asked": (
        {"transitions": [order()["transitions"][0], {**order()["transitions"][1], "outcome": "error"}]},
        ("contract.ambiguous", "transitions[1].outcome"),
    ),
    "a transition named as the end of patience": (
        {"transitions": [{**order()["transitions"][0], "name": "timeout"}, order()["transitions"][1]]},
        ("contract.ambiguous", "transitions[0].name"),
    ),
    "two amendments of one state": (
        {
            "transitions": [
                *order()["transitions"],
                {"name": "amend", "from": "open", "to": "new", "kind": "amend"},
                {"name": "correct", "from": ["open", "closed"], "to": "new", "kind": "amend", "roles": ["boss"]},
            ]
        },
        ("contract.ambiguous", "transitions"),
    ),
    "window missing": (
        {"states": [{"name": "new"}, *order()["states"][1:]]},
        ("contract.window_missing", "states[0].edit_window"),
    ),
    "slot on no way": (
        {"slots": [{"name": "x", "after": "state:new", "before": "gate:close"}]},
        ("contract.slot", "slots[0]"),
    ),
    "two slots on one way": (
        {
            "slots": [
                {"name": "x", "after": "state:new", "before": "gate:place"},
                {"name": "y", "after": "state:new", "before": "gate:place"},
            ]
        },
        ("contract.slot", "slots[1]"),
    ),
    "two slots of one name": (
        {
            "slots": [
                {"name": "x", "after": "state:new", "before": "gate:place"},
                {"name": "x", "after": "state:open", "before": "gate:close"},
            ]
        },
        ("contract.duplicate", "slots[1].name"),
    ),
    "states without transitions": ({"transitions": []}, ("contract.two_starts", "states")),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_an_impossible_contract_is_refused_with_the_place(name: str) -> None:
    changes, expected = IMPOSSIBLE[name]
    assert expected in problems_of(order(**changes))


def test_every_problem_of_a_contract_is_reported_at_once() -> None:
    found = problems_of(
        order(
            document={"type": "string"},
            states=[{"name": "new"}, *order()["states"][1:], state("open")],
            slots=[{"name": "x", "after": "state:new", "before": "gate:close"}],
        )
    )
    assert {code for code, _ in found} == {
        "contract.schema",
        "contract.window_missing",
        "contract.duplicate",
        "contract.slot",
    }


def test_a_contract_that_is_no_object_is_refused() -> None:
    with pytest.raises(ContractError, match="a contract is an object"):
        Contract.from_yaml("- a\n- b\n")
    with pytest.raises(CanonicalError, match="not valid YAML"):
        Contract.from_yaml("a: [")


def test_validating_a_contract_inside_another_model_checks_it_too() -> None:
    with pytest.raises(ContractError):
        Contract.model_validate(order(states=[{"name": "new"}]))
    assert Contract.model_validate(order()) == Contract.from_data(order())
    assert Contract.model_json_schema()["properties"]["states"]["title"] == "States"


def test_a_contract_without_a_lifecycle_has_the_standard_one() -> None:
    contract = Contract(entity_type="invoice", document=DOCUMENT)
    assert [each.name for each in contract.states] == ["draft", "submitted", "active", "cancelled", "amended"]
    assert contract.initial_state == "draft"
    assert generate_skeleton(contract).version == contract.version == 1
