"""Bills: a document type with windows, amendments and slots, and workflows and scripts for it that Hypothesis draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from hypothesis import strategies as st

from holdfast.envelope import Contract
from holdfast.envelope.simulate import (
    Act,
    Arrive,
    Choose,
    Decide,
    Edit,
    Fill,
    Interrupt,
    Pass,
    Person,
    Retry,
    Simulation,
    Stop,
)

PEOPLE: Final = {
    "ana": Person("ana", ("boss", "clerk")),
    "ben": Person("ben", ("boss",), manager="cat"),
    "cat": Person("cat", ("boss",)),
    "dan": Person("dan", ("clerk",), manager="ben"),
    "eve": Person("eve"),
}
CHAINS: Final[dict[str, list[dict[str, Any]]]] = {
    "two": [
        {"name": "Boss", "approvers": [{"kind": "role", "role": "boss"}], "required": 2},
        {"name": "Clerk", "approvers": [{"kind": "role", "role": "clerk"}], "condition": "entity.amount > 5"},
    ],
    "large": [
        {"name": "Ben", "approvers": [{"kind": "user", "user": "ben"}], "condition": "entity.amount > 5"},
    ],
}
BILL: Final = Contract(
    entity_type="bill",
    document={"properties": {"number": {"type": "string"}, "amount": {"type": "integer"}}, "required": ["amount"]},
    states=[
        {"name": "draft", "edit_window": "editable", "initial": True},
        {"name": "submitted", "edit_window": "amend_only"},
        {"name": "active", "edit_window": "amend_only"},
        {"name": "paid", "edit_window": "locked"},
        {"name": "changed", "edit_window": "editable"},
        {"name": "cancelled", "edit_window": "locked"},
    ],
    transitions=[
        {"name": "submit", "from": ["draft", "changed"], "to": "submitted"},
        {"name": "approve", "from": "submitted", "to": "active", "trigger": "automatic", "outcome": "approved"},
        {"name": "reject", "from": "submitted", "to": "draft", "kind": "return"},
        {"name": "pay", "from": "active", "to": "paid", "roles": ["boss"]},
        {"name": "amend", "from": "submitted", "to": "changed", "kind": "amend"},
        {"name": "reopen", "from": "active", "to": "draft", "kind": "amend", "roles": ["boss"]},
        {"name": "cancel", "from": ["draft", "submitted", "active"], "to": "cancelled", "kind": "cancel"},
    ],
    slots=[
        {"name": "before", "after": "state:draft", "before": "gate:submit"},
        {"name": "asking", "after": "state:submitted", "before": "gate:approve"},
        {"name": "leaving", "after": "gate:cancel", "before": "state:cancelled"},
    ],
)  # fmt: skip

# ------------------------------------------------------------------------------------------------------- what is drawn

NAMES: Final = st.sampled_from(sorted(PEOPLE))
APPROVERS: Final = st.lists(
    st.sampled_from(
        [
            {"kind": "role", "role": "boss"},
            {"kind": "role", "role": "clerk"},
            {"kind": "role", "role": "nobody"},
            {"kind": "role", "role": "boss", "pick": "first_available"},
            {"kind": "user", "user": "ben"},
            {"kind": "user", "user": "dan"},
            {"kind": "user", "user": "ana"},
            {"kind": "manager", "of": "actor.user_id"},
        ]
    ),
    min_size=1,
    max_size=2,
    unique_by=str,
)
APPROVAL: Final = st.one_of(
    st.fixed_dictionaries(
        {
            "approvers": APPROVERS,
            "required": st.sampled_from(["any", "all", 2, 3]),
            "requester_may_approve": st.booleans(),
        },
        optional={"timeout": st.just("2h")},
    ),
    st.fixed_dictionaries({"chain": st.sampled_from(sorted(CHAINS))}, optional={"timeout": st.just("1h")}),
)
FORM: Final = {"type": "object", "properties": {"note": {"type": "string"}}, "required": ["note"]}
PART: Final = st.one_of(
    st.tuples(st.just("approval"), APPROVAL),
    st.tuples(st.just("both"), st.tuples(APPROVAL, APPROVAL, st.sampled_from(["all", "any", "first rejection"]))),
    st.tuples(
        st.just("wait_event"),
        st.fixed_dictionaries(
            {"event_key": st.just("paid:{entity.number}")},
            optional={"accepts": st.just("payload.amount == entity.amount"), "timeout": st.just("2h")},
        ),
    ),
    st.tuples(st.just("wait_timer"), st.just({"duration": "1h"})),
    st.tuples(st.just("task"), st.just({"title": "T", "assignees": [{"kind": "role", "role": "clerk"}], "form": FORM})),
    st.tuples(st.just("script"), st.just({"assign": {"seen": "entity.amount"}})),
)
SLOT: Final = st.tuples(st.lists(PART, max_size=3), st.booleans())
AMOUNT: Final = st.sampled_from([1, 10, 20])
ACT: Final = st.one_of(
    st.builds(Choose, st.sampled_from(["submit", "submit", "pay"]), NAMES),
    st.builds(Decide, st.just("approved"), NAMES),
    st.builds(Decide, st.just("approved"), NAMES),
    st.builds(Decide, st.just("rejected"), NAMES, reason=st.sampled_from([None, "no"])),
    st.builds(Fill, st.sampled_from([{}, {"note": "n"}]), NAMES),
    st.builds(Arrive, st.just("paid"), AMOUNT.map(lambda amount: {"amount": amount})),
    st.just(Pass("1h")),
    st.builds(Edit, AMOUNT.map(lambda amount: {"amount": amount}), NAMES),
    st.builds(Interrupt, st.just("cancel"), NAMES),
    st.just(Retry()),
    st.just(Stop("enough")),
)
SCRIPT: Final = st.lists(st.tuples(ACT, st.integers(0, 3)), min_size=3, max_size=14)


def patch_of(parts: Sequence[tuple[str, Any]], *, handled: bool) -> dict[str, Any]:
    """The parts one after the other; where errors are handled, they lead on like everything else."""
    nodes: list[dict[str, Any]] = []
    edges: list[dict[str, Any]] = []
    ends = ["in"]

    def add(name: str, kind: str, config: dict[str, Any], targets: list[str]) -> None:
        nodes.append({"id": name, "type": kind, "config": config})
        outcomes: list[str | None] = ["approved", "rejected"] if kind == "approval" else [None]
        outcomes += ["timeout"] if "timeout" in config else []
        outcomes += ["error"] if handled and kind in ("approval", "task", "wait_event") else []
        edges.extend({"source": name, "target": each, "outcome": outcome} for each in targets for outcome in outcomes)

    names = [f"p{number}" for number in range(len(parts))]
    for name, after, (kind, config) in zip(names, [*names[1:], "out"], parts, strict=True):
        edges.extend([{"source": "in", "target": name}] if ends == ["in"] else [])
        ends = [name]
        if kind != "both":
            add(name, kind, config, [after])
            continue
        one, other, mode = config
        join = {"mode": "all", "first_rejection_ends": True} if mode == "first rejection" else {"mode": mode}
        add(name, "parallel_split", {}, [f"{name}a", f"{name}b"])
        add(f"{name}a", "approval", one, [f"{name}j"])
        add(f"{name}b", "approval", other, [f"{name}j"])
        add(f"{name}j", "parallel_join", join, [after])
    return {"nodes": nodes, "edges": edges, "exit_edge_mode": "join"}


def slots_of(drawn: Mapping[str, tuple[Sequence[tuple[str, Any]], bool]]) -> dict[str, Any]:
    """The patches of slots that have any parts."""
    return {name: patch_of(parts, handled=handled) for name, (parts, handled) in drawn.items() if parts}


def meant(simulation: Simulation, act: Act, which: int) -> str | None:
    """The token that an act is about: one of those that are open for it, or None."""
    kinds = {Decide: ("approval", "lifecycle_gate"), Fill: ("task",)}.get(type(act))
    nodes = simulation.workflow.nodes_by_id
    wanted = "failed" if isinstance(act, Retry) else "waiting"
    found = sorted(
        token.id
        for token in simulation.position.tokens.values()
        if token.state == wanted and (kinds is None or nodes[token.node].type in kinds)
    )
    return found[which % len(found)] if found else None


def exact(simulation: Simulation, act: Act, which: int) -> Act | None:
    """The act with the token it is about and the key of its document; None when there is nothing it could be about."""
    if isinstance(act, Arrive):
        return Arrive(f"{act.key}:{simulation.document['number']}", act.payload)
    if not isinstance(act, Decide | Fill | Retry):
        return act
    token = meant(simulation, act, which)
    given = {name: getattr(act, name) for name in act.__slots__}
    return None if token is None else type(act)(**{**given, "at": token})
