"""Input that means harm, or was made by accident as if it did: refused with a problem, never with a crash or a hang."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from time import process_time
from typing import Any

import pytest

from envelope.patches import INVOICE, SLOT, WAIT, compiled, edges, nodes, patch, problems
from holdfast.envelope import (
    STANDARD,
    Contract,
    NodeConfig,
    NodeType,
    analyse,
    compile_effective,
    fold,
    generate_skeleton,
)
from holdfast.envelope.simulate import Choose, simulate
from holdfast.envelope.text import MAX_REPEATED, parse_yaml
from holdfast.errors import CanonicalError, CompileError, ContractError, InvalidInput

WINDOW = {"edit_window": "editable"}


def seconds(work: Any) -> float:
    begun = process_time()
    work()
    return process_time() - begun


# YAML


def test_aliases_of_aliases_are_limited() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 9)]
    with pytest.raises(CanonicalError, match=f"repeat more than {MAX_REPEATED}"):
        parse_yaml("\n".join(lines))
    assert parse_yaml("a: &a {x: 1}\nb: [*a, *a]") == {"a": {"x": 1}, "b": [{"x": 1}, {"x": 1}]}
    with pytest.raises(CanonicalError, match="inside of what it names"):
        parse_yaml("a: &a [*a]")


@pytest.mark.parametrize(
    "value", ["9" * 5000, "!!int x", "!!bool maybe", "!!binary aGk=", "!!set {b}", "!!omap [x: 1]"]
)
def test_yaml_that_is_no_json_is_refused(value: str) -> None:
    with pytest.raises(CanonicalError):
        parse_yaml(f"a: {value}")


def test_yaml_has_no_other_words_for_values_than_json() -> None:
    words = ["yes", "no", "on", "off", "1:30", "0x1F", "0b_", "007", "1_000", ".inf", "2026-01-31", "True"]
    assert parse_yaml(f"[{', '.join(words)}]") == words
    assert parse_yaml("[true, false, null, ~, -1, 1.50]") == [True, False, None, None, -1, Decimal("1.50")]


# Configurations


UNHASHABLE: dict[str, Any] = {
    "a huge integer": 10**5000,
    "half a character": "\ud800",
    "half a character as a key": {"\ud800": 1},
    "a number as a key": {1: 1},
    "a date": date(2026, 1, 1),
    "a float": 0.5,
    "no number": Decimal("nan"),
    "a huge decimal": Decimal("1e2000"),
    "a tiny decimal": Decimal("1e-2000"),
}


@pytest.mark.parametrize("value", UNHASHABLE.values(), ids=UNHASHABLE.keys())
def test_a_value_that_cannot_be_hashed_is_a_problem_at_its_place(value: Any) -> None:
    (found,) = problems(patch(nodes(a={"type": "action", "config": {"action": "x", "payload": {"deep": [value]}}})))
    assert found.code in ("config.invalid", "config.float")
    assert found.path.startswith(f'slots["{SLOT}"].nodes[0].config.payload.deep[0]')


def test_a_value_that_holds_itself_ends_the_scan() -> None:
    circle: dict[str, Any] = {}
    circle |= {"a": circle, "b": circle}
    data = patch(nodes(a={"type": "action", "config": {"action": "x", "payload": circle}}))
    assert {each.code for each in problems(data)} == {"config.invalid"}


class Ratio(NodeConfig):
    ratio: float = 0.5


class Day(NodeConfig):
    day: date = date(2026, 1, 1)


class OwnTimeout(NodeConfig):
    timeout: int = 30


class BadTimeout(NodeConfig):
    timeout: str = "soon"

    def outcomes(self) -> tuple[str, ...]:
        return ("completed", "timeout", "error")


def custom(config: type[NodeConfig], *more: str) -> tuple[Any, ...]:
    types = STANDARD.with_types(NodeType("acme.x", config, "X", "Does x."))
    data = patch(nodes(a={"type": "acme.x"}), edges("in>a", "a>out", *more), exit_edge_mode="join")
    found = analyse(INVOICE, {SLOT: data}, types=types)
    return found.compiled, [each.code for each in found.errors]


def test_a_type_whose_defaults_cannot_be_hashed_is_a_problem() -> None:
    assert custom(Ratio) == (None, ["config.float"])
    assert custom(Day) == (None, ["config.invalid"])


def test_a_types_own_field_named_timeout_means_what_its_author_says() -> None:
    workflow, errors = custom(OwnTimeout)
    assert not errors
    trace = simulate(workflow, {"total": 1, "lines": []}, [Choose("submit", by="ana")])
    assert f"usr:{SLOT}:a" in {record.node for record in trace.steps}
    assert custom(BadTimeout, "a[timeout]>out") == (None, ["config.invalid"])


def test_patches_may_be_given_as_the_json_they_are_read_from() -> None:
    data = patch(nodes(a=WAIT))
    assert compile_effective(INVOICE, {SLOT: data}).hash == compiled(data).hash
    wrong = analyse(INVOICE, {SLOT: {"nodes": [{"id": "a", "tpye": "x"}]}}).errors
    assert {(each.code, each.hint) for each in wrong} == {
        ("shape.invalid", "Add it"),
        ("shape.invalid", "Remove it, or correct its name"),
    }


def test_thousands_of_mistakes_are_reported_in_seconds() -> None:
    many = {f"node_number_{index}": WAIT for index in range(2000)}
    data = patch(nodes(**many), [{"source": f"node_numbr_{index}", "target": "out"} for index in range(2000)])
    assert seconds(lambda: problems(data)) < 10


# Times


def test_a_duration_beyond_the_calendar_is_refused() -> None:
    for text in ("999999w", "36526d"):
        (found,) = problems(patch(nodes(a={"type": "wait_timer", "config": {"duration": text}})))
        assert found.code == "config.invalid"
        assert "hundred years" in found.message
    compiled(patch(nodes(a={"type": "wait_timer", "config": {"duration": "36525d"}})))


@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59-05:00", "0001-01-01T00:00:00+05:00"])
def test_a_moment_beyond_the_calendar_fails_the_step(moment: str) -> None:
    workflow = compiled(patch(nodes(a={"type": "wait_timer", "config": {"until": "entity.due"}})))
    document = {"total": 1, "lines": [], "due": moment}
    trace = simulate(workflow, document, [Choose("submit", by="ana")], scope=INVOICE.scope())
    assert trace.status == "paused"
    *_, last = trace.steps
    assert last.error is not None
    assert last.error["code"] == "WORKFLOW_EXPRESSION_FAILED"


def test_a_history_of_nonsense_is_refused() -> None:
    workflow = compiled(patch(nodes(a=WAIT)))
    history = list(simulate(workflow, {"total": 1, "lines": []}).steps)
    spoils: list[Any] = [None, [], "x"]
    for nonsense in spoils:
        spoilt = type(history[0]).from_json({**history[0].to_json(), "output": nonsense})
        with pytest.raises(InvalidInput):
            fold(workflow, [spoilt])


# Contracts


def contract(names: str, *transitions: dict[str, Any], **more: Any) -> Contract:
    first, *rest = names.split()
    states = [{"name": first, "initial": True, **WINDOW}, *({"name": name, **WINDOW} for name in rest)]
    return Contract(entity_type="x", document={"type": "object"}, states=states, transitions=list(transitions), **more)


def way(name: str, source: str, to: str, kind: str = "forward", **more: Any) -> dict[str, Any]:
    return {"name": name, "from": source.split(), "to": to, "kind": kind, **more}


def codes(names: str, *transitions: dict[str, Any], **more: Any) -> set[str]:
    with pytest.raises(ContractError) as caught:
        contract(names, *transitions, **more)
    return {problem["code"] for problem in caught.value.details["problems"]}


def test_cancelling_must_not_lead_back() -> None:
    assert codes("a b c", way("go", "a", "b"), way("on", "b", "c"), way("drop", "b", "a", "cancel")) == {
        "contract.cycle"
    }


def test_an_amendment_cannot_begin_where_the_name_says_new() -> None:
    found = codes("a b created", way("go", "a created", "b"), way("amend", "b", "created", "amend"))
    assert found == {"contract.ambiguous"}


def test_a_gate_refuses_only_with_returns_open_to_every_document_it_takes() -> None:
    ways = [way("x", "d", "a"), way("y", "d", "b"), way("ok", "a b", "z", trigger="automatic")]
    assert codes("d a b z", *ways, way("no", "a", "d", "return")) == {"contract.return"}
    contract("d a b z", *ways, way("no", "a b", "d", "return"))


def test_a_slot_cannot_sit_on_two_returns_at_once() -> None:
    ways = [way("x", "d", "a"), way("ok", "a", "z", trigger="automatic"), way("no", "a", "d", "return")]
    slots = [{"name": "sorry", "after": "gate:ok", "before": "state:d"}]
    contract("d a z", *ways, slots=slots)
    other = way("later", "a", "d", "return", outcome="postponed")
    assert codes("d a z", *ways, other, slots=slots) == {"contract.slot"}


def test_a_contract_of_three_hundred_states_is_checked_in_seconds() -> None:
    names = [f"s{index}" for index in range(300)]
    onward = [way(f"t{index}", f"s{index}", f"s{index + 1}", trigger="automatic") for index in range(299)]
    back = [way(f"r{index}", f"s{index}", f"s{index - 1}", "return") for index in range(1, 299)]
    made = contract(" ".join(names), *onward, *back, slots=[])
    assert seconds(lambda: contract(" ".join(names), *onward, *back, slots=[])) < 5
    assert seconds(lambda: compile_effective(generate_skeleton(made), {})) < 5


def shared(prefix: str) -> dict[str, Any]:
    defs: dict[str, Any] = {f"{prefix}26": {"type": "string"}}
    for level in range(26):
        inner = {"$ref": f"#/$defs/{prefix}{level + 1}"}
        defs[f"{prefix}{level}"] = {"type": "object", "properties": {"left": inner, "right": inner}}
    return defs


@pytest.mark.parametrize("word", ["anyOf", "oneOf", "allOf"])
def test_shared_definitions_are_combined_once(word: str) -> None:
    both = [{"$ref": "#/$defs/a0"}, {"$ref": "#/$defs/b0"}]
    document = {"type": "object", "properties": {"x": {word: both}}, "$defs": {**shared("a"), **shared("b")}}
    assert seconds(lambda: Contract(entity_type="x", document=document)) < 5


def test_an_anchor_is_what_carries_its_name() -> None:
    document = {
        "type": "object",
        "properties": {"x": {"$ref": "#amount"}, "y": {"$ref": "#/$defs/a%20b"}},
        "required": ["x", "y"],
        "$defs": {"m": {"$anchor": "amount", "type": "number"}, "a b": {"type": "boolean"}},
    }
    entity = Contract(entity_type="x", document=document).scope().roots["entity"]
    assert [str(entity.field(name)) for name in ("x", "y")] == ["number", "boolean"]


# Warnings


def test_reading_what_may_be_absent_is_a_warning() -> None:
    doubtful: list[dict[str, Any]] = [
        {"type": "condition", "config": {"expression": 'entity.owner contains "a"'}},
        {"type": "wait_event", "config": {"event_key": "x:{entity.owner}"}},
        {"type": "wait_timer", "config": {"until": "entity.due"}},
        {"type": "action", "config": {"action": "x", "payload": {"a": {"$template": "{entity.owner}"}}}},
    ]
    for node in doubtful:
        outcomes = ("a[true]>out", "a[false]>out") if node["type"] == "condition" else ("a>out",)
        found = problems(patch(nodes(a=node), edges(*outcomes), exit_edge_mode="join"))
        assert [(each.code, each.severity) for each in found] == [("expression.nullable", "warning")], node
    tested = {"type": "condition", "config": {"expression": 'entity.owner != null && entity.owner contains "a"'}}
    assert not problems(patch(nodes(a=tested), edges("a[true]>out", "a[false]>out"), exit_edge_mode="join"))


def test_an_entry_with_conditions_only_is_a_warning() -> None:
    found = problems(patch(nodes(a=WAIT), edges("in>a", condition="entity.total > 1")))
    assert [(each.code, each.severity) for each in found] == [("node.no_else", "warning")]


def test_unusable_definitions_still_raise_one_error_with_every_problem() -> None:
    with pytest.raises(CompileError) as caught:
        compile_effective(INVOICE, {SLOT: {"nodes": 7}, "slot:nope": patch(nodes(a=WAIT))})
    assert {each["code"] for each in caught.value.details["problems"]} == {"shape.invalid", "slot.unknown"}
