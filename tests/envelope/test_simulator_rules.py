"""What the simulator once allowed and the engine never did: the same rules stand for both."""

from __future__ import annotations

from typing import Any

import pytest

from envelope.bills import BILL, slots_of
from holdfast.envelope import Contract, compile_effective, generate_skeleton
from holdfast.envelope.simulate import Arrive, Choose, Decide, Edit, Interrupt, Pass, Person, Simulation, World

SLOT = "slot:submitted_to_approved"
STATES: list[dict[str, Any]] = [
    {"name": "draft", "edit_window": "editable", "initial": True},
    {"name": "submitted", "edit_window": "amend_only"},
    {"name": "active", "edit_window": "amend_only"},
]
WAYS: list[dict[str, Any]] = [
    {"name": "submit", "from": "draft", "to": "submitted"},
    {"name": "approve", "from": "submitted", "to": "active", "trigger": "automatic", "outcome": "approved"},
    {"name": "reject", "from": "submitted", "to": "draft", "kind": "return"},
]
PEOPLE = {"ben": Person("ben", ("boss",)), "cat": Person("cat", ("boss",)), "ana": Person("ana", ("boss",))}


def contract(*ways: dict[str, Any], states: list[dict[str, Any]] | None = None) -> Contract:
    return Contract(
        entity_type="bill", document={"properties": {"amount": {"type": "integer"}}},
        states=states or STATES, transitions=[*WAYS, *ways],
        slots=[{"name": "submitted_to_approved", "after": "state:submitted", "before": "gate:approve"}],
    )  # fmt: skip


def simulation(
    *nodes: tuple[str, str, dict[str, Any]],
    made: Contract | None = None,
    people: dict[str, Person] | None = None,
    outcomes: tuple[str, ...] = ("completed",),
) -> Simulation:
    """A bill of 10, with nodes one after the other between submitting and the gate."""
    skeleton = generate_skeleton(made or contract())
    ends = ["in", *(name for name, _, _ in nodes), "out"]
    edges: list[dict[str, Any]] = [{"source": "in", "target": ends[1]}]
    for (name, kind, _), after in zip(nodes, ends[2:], strict=True):
        named = ("approved", "rejected") if kind == "approval" else outcomes
        edges += [{"source": name, "target": after, "outcome": outcome} for outcome in named]
    listed = [{"id": name, "type": kind, "config": config} for name, kind, config in nodes]
    patch = {"nodes": listed, "edges": edges, "exit_edge_mode": "join"}
    workflow = compile_effective(skeleton, {SLOT: patch} if nodes else {})
    return Simulation(workflow, {"amount": 10}, world=World(people=people or PEOPLE), scope=skeleton.scope())


def boss(**config: Any) -> tuple[str, str, dict[str, Any]]:
    return "ask", "approval", {"approvers": [{"kind": "role", "role": "boss"}], **config}


def refused(given: Any) -> str:
    assert given is not None
    return str(given.code)


def test_whoever_submitted_does_not_decide_at_a_bare_gate() -> None:
    played = simulation()
    played.play(Choose("submit", by="ana"))
    assert refused(played.play(Decide("approved", by="ana"))) == "own_request"
    assert played.play(Decide("approved", by="ben")) is None
    assert played.position.doc_status == "active"


def test_whoever_edited_it_once_does_not_decide_on_it_whoever_edits_it_last() -> None:
    played = simulation(boss(), people={**PEOPLE, "dan": Person("dan", ("boss",))})
    played.play(Edit({"amount": 20}, by="ben"))
    played.play(Edit({"amount": 30}, by="cat"))
    played.play(Choose("submit", by="ana"))
    for name in ("ana", "ben", "cat"):
        assert refused(played.play(Decide("approved", by=name))) == "own_request"
    assert played.play(Decide("approved", by="dan")) is None


def test_whoever_asks_for_a_cancellation_does_not_approve_it() -> None:
    skeleton = generate_skeleton(BILL)
    workflow = compile_effective(skeleton, slots_of({"slot:leaving": ([boss()[1:]], False)}))
    staff = {**PEOPLE, "eve": Person("eve", ("boss",))}
    played = Simulation(workflow, {"amount": 10}, world=World(people=staff, requester="eve"), scope=skeleton.scope())
    played.play(Choose("submit", by="ana"))
    assert played.play(Interrupt("cancel", by="ben")) is None
    for name in ("eve", "ana", "ben"):
        assert refused(played.play(Decide("approved", by=name))) == "own_request"
    assert played.play(Decide("approved", by="cat")) is None
    assert (played.position.doc_status, played.position.status) == ("cancelled", "completed")


def test_a_number_of_people_is_never_lowered_because_fewer_are_there() -> None:
    few = {"ana": Person("ana"), "ben": Person("ben", ("boss",)), "cat": Person("cat")}
    played = simulation(boss(required=2), people=few)
    played.play(Choose("submit", by="ana"))
    assert played.play(Decide("approved", by="ben")) is None
    assert played.trace().waiting_at() == ("ask",)


def test_fewer_named_people_than_must_agree_are_not_asked_at_all() -> None:
    named = [{"kind": "user", "user": "ben"}]
    played = simulation(("ask", "approval", {"approvers": named, "required": 2}))
    played.play(Choose("submit", by="ana"))
    assert played.position.status == "paused"
    [failed] = [step for step in played.trace().steps if step.status == "failed"]
    assert failed.error is not None
    assert failed.error["code"] == "NOBODY_TO_ASK"


def test_a_role_that_only_the_requester_holds_leaves_nobody_to_ask() -> None:
    played = simulation(boss(), people={"ana": Person("ana", ("boss",))})
    played.play(Choose("submit", by="ana"))
    assert played.position.status == "paused"


def test_an_edit_that_changes_nothing_changes_nothing() -> None:
    amend = {"name": "amend", "from": ["submitted", "active"], "to": "draft", "kind": "amend"}
    played = simulation(boss(), made=contract(amend))
    played.play(Choose("submit", by="ana"))
    assert played.play(Edit({"amount": 10}, by="ana")) is None
    assert played.trace().amended == ()
    assert (played.entity_version, played.trace().waiting_at()) == (1, ("ask",))


def test_who_is_asked_again_after_an_edit_is_asked_about_what_the_document_has_become() -> None:
    skeleton = generate_skeleton(BILL)
    patch = slots_of({"slot:before": ([("approval", {"chain": "large"})], False)})
    chains = {
        "large": [{"name": "L", "approvers": [{"kind": "user", "user": "ben"}], "condition": "entity.amount > 5"}]
    }
    world = World(people=PEOPLE, chains=chains, requester="ana")
    played = Simulation(compile_effective(skeleton, patch), {"amount": 10}, world=world, scope=skeleton.scope())
    played.play(Choose("submit", by="ana"))
    assert played.trace().waiting_at() == ("p0",)
    assert played.play(Edit({"amount": 1}, by="ana")) is None
    [failed] = [step for step in played.trace().steps if step.status == "failed"]
    assert failed.error is not None
    assert (failed.error["code"], played.position.status) == ("CHAIN_EMPTY", "paused")


@pytest.mark.parametrize(
    ("run_as", "outcome"), [("actor", "completed"), ("system", "completed"), ("service_account", "denied")]
)
def test_a_step_after_a_timer_acts_as_its_definition_says(run_as: str, outcome: str) -> None:
    """In the name of the process nobody has rights of their own: the starter's count, or the system's."""
    skeleton = generate_skeleton(contract())
    nodes: list[dict[str, Any]] = [
        {"id": "pause", "type": "wait_timer", "config": {"duration": "1h"}},
        {"id": "may", "type": "policy_gate", "config": {"permission": "audit:read"}, "run_as": run_as},
    ]
    edges: list[dict[str, Any]] = [{"source": "in", "target": "pause"}, {"source": "pause", "target": "may"}]
    edges += [{"source": "may", "target": "out", "outcome": each} for each in ("completed", "denied")]
    patch = {SLOT: {"nodes": nodes, "edges": edges, "exit_edge_mode": "join"}}
    people = {"ana": Person("ana", permissions=("audit:read",)), "robot": Person("robot")}
    world = World(people=people, org={"service_account": "robot"}, requester="ana")
    played = Simulation(compile_effective(skeleton, patch), {"amount": 10}, world=world, scope=skeleton.scope())
    played.play(Choose("submit", by="eve"))
    played.play(Pass("1h"))
    assert [step.outcome for step in played.trace().steps if step.node_type == "policy_gate" and not step.is_open] == [
        outcome
    ]


def test_an_amended_document_begins_where_its_contract_says() -> None:
    states: list[dict[str, Any]] = [*STATES, {"name": "changed", "edit_window": "editable"}]
    ways: list[dict[str, Any]] = [
        {"name": "amend", "from": ["submitted", "active"], "to": "changed", "kind": "amend"},
        {"name": "resubmit", "from": "changed", "to": "submitted"},
    ]
    played = simulation(boss(), made=contract(*ways, states=states))
    played.play(Choose("submit", by="ana"))
    assert played.play(Edit({"amount": 20}, by="ana")) is None
    assert (played.position.doc_status, len(played.trace().amended)) == ("changed", 1)


def test_each_state_is_amended_its_own_way_and_by_those_who_may() -> None:
    states: list[dict[str, Any]] = [
        *STATES, {"name": "changed", "edit_window": "editable"}, {"name": "reopened", "edit_window": "editable"}
    ]  # fmt: skip
    ways: list[dict[str, Any]] = [
        {"name": "amend", "from": "submitted", "to": "changed", "kind": "amend"},
        {"name": "reopen", "from": "active", "to": "reopened", "kind": "amend", "roles": ["boss"]},
        {"name": "resubmit", "from": ["changed", "reopened"], "to": "submitted"},
    ]
    played = simulation(boss(), made=contract(*ways, states=states), people={**PEOPLE, "dan": Person("dan")})
    played.play(Choose("submit", by="ana"))
    played.play(Decide("approved", by="ben"))
    assert refused(played.play(Edit({"amount": 20}, by="dan"))) == "forbidden"
    assert played.play(Edit({"amount": 20}, by="ana")) is None
    assert played.position.doc_status == "reopened"


def test_without_an_amendment_in_the_contract_there_is_none() -> None:
    played = simulation(boss())
    played.play(Choose("submit", by="ana"))
    assert refused(played.play(Edit({"amount": 20}, by="ana"))) == "edit_locked"
    assert (played.document, played.trace().waiting_at()) == ({"amount": 10}, ("ask",))


def test_an_early_event_that_is_not_accepted_is_kept_for_whoever_accepts_it() -> None:
    wait = {"event_key": "paid", "accepts": "payload.amount == 10"}
    later = {"event_key": "paid", "accepts": "payload.amount == 1"}
    played = simulation(("first", "wait_event", wait), ("second", "wait_event", later))
    played.play(Arrive("paid", {"amount": 1}))
    played.play(Choose("submit", by="ana"))
    assert played.trace().waiting_at() == ("first",)
    played.play(Arrive("paid", {"amount": 10}))
    assert played.trace().waiting_at() == ("approve",)


def test_each_person_decides_once() -> None:
    played = simulation(boss(required=2))
    played.play(Choose("submit", by="ana"))
    assert played.play(Decide("approved", by="ben")) is None
    assert refused(played.play(Decide("approved", by="ben"))) == "already_decided"
    assert played.play(Decide("approved", by="cat")) is None
    assert played.position.doc_status == "active"


def test_a_decision_against_says_why() -> None:
    played = simulation(boss())
    played.play(Choose("submit", by="ana"))
    assert refused(played.play(Decide("rejected", by="ben"))) == "reason_missing"
    assert played.play(Decide("rejected", by="ben", reason="too dear")) is None
    assert played.position.doc_status == "draft"
