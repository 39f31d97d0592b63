"""Review looks around: what a definition names must be there, and what it gives to actions must fit them."""

from __future__ import annotations

import time
from typing import Any

import pytest
from pydantic import BaseModel

from holdfast import Forbidden, Holdfast
from holdfast.actions import Call
from holdfast.envelope import Problem, analyse, generate_skeleton
from holdfast.envelope.compiler import Surroundings
from holdfast.errors import CompileError
from processes.shop import INVOICE, Shop, nodes, ways

SLOT = "slot:submitted_to_approved"


def patch(kind: str, config: dict[str, Any], *outcomes: str) -> dict[str, Any]:
    """One node between submitting and the gate."""
    named = outcomes or (("approved", "rejected") if kind == "approval" else ())
    edges = ways("in -> n", *(f"n -{outcome}-> out" for outcome in named), *([] if named else ["n -> out"]))
    return {SLOT: {"nodes": nodes(("n", kind, config)), "edges": edges, "exit_edge_mode": "join"}}


async def found(shop: Shop, kind: str, config: dict[str, Any], *outcomes: str) -> dict[str, Problem]:
    """What a review says, by the place below the node's configuration."""
    async with shop.app.tenant("acme", actor="ana") as hold:
        review = await hold.definitions.validate("invoice", patch(kind, config, *outcomes))
    start = f'slots["{SLOT}"].nodes[0].config.'
    told = [problem for problem in review.problems if problem.code != "expression.nullable"]
    return {problem.path.removeprefix(start): problem for problem in told}


def said(problems: dict[str, Problem]) -> dict[str, tuple[str, str]]:
    return {path: (problem.code, problem.severity) for path, problem in problems.items()}


def asking(*people: dict[str, Any]) -> dict[str, Any]:
    return {"approvers": list(people)}


async def test_a_role_that_is_not_there_is_an_error_with_the_one_that_was_meant(shop: Shop) -> None:
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.roles.define("finance_manager", [])
    problems = await found(shop, "approval", asking({"kind": "role", "role": "finance_manger"}))
    assert said(problems) == {"approvers[0].role": ("name.role", "error")}
    assert "finance_manager" in problems["approvers[0].role"].hint
    assert await found(shop, "approval", asking({"kind": "role", "role": "finance_manager"})) == {}
    assert await found(shop, "approval", asking({"kind": "role", "role": "approver"})) == {}


async def test_a_person_who_is_not_there_or_has_left_is_an_error(shop: Shop) -> None:
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.users.create("ben", roles=["approver"])
    assert await found(shop, "approval", asking({"kind": "user", "user": "ben"})) == {}
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.users.deactivate("ben")
    problems = await found(shop, "approval", asking({"kind": "user", "user": "ana"}, {"kind": "user", "user": "ben"}))
    assert said(problems) == {"approvers[1].user": ("name.user", "error")}


async def test_whoever_gets_a_message_or_a_task_must_be_there_too(shop: Shop) -> None:
    task = {"title": "T", "assignees": [{"kind": "role", "role": "ghosts"}]}
    assert said(await found(shop, "task", task)) == {"assignees[0].role": ("name.role", "error")}
    mail = {"to": [{"kind": "user", "user": "ghost"}], "subject": "S"}
    assert said(await found(shop, "notification", mail)) == {"to[0].user": ("name.user", "error")}


async def test_a_chain_that_is_not_there_or_does_not_fit_the_document_is_an_error(shop: Shop) -> None:
    assert said(await found(shop, "approval", {"chain": "ap"})) == {"chain": ("name.chain", "error")}
    stage = {"name": "Boss", "approvers": [{"kind": "role", "role": "approver"}]}
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.chains.define("ap", [stage, {**stage, "name": "Large", "condition": "entity.grand_total > 5"}])
        await hold.chains.define("other", [{**stage, "condition": "entity.weight > 5"}])
        await hold.chains.define("odd", [{**stage, "condition": "entity.number"}])
    assert await found(shop, "approval", {"chain": "ap"}) == {}
    problems = await found(shop, "approval", {"chain": "other"})
    assert said(problems) == {"chain": ("chain.expression", "error")}
    assert "'entity.weight > 5'" in problems["chain"].message
    assert said(await found(shop, "approval", {"chain": "odd"})) == {"chain": ("chain.expression", "error")}
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.chains.archive("ap")
    assert said(await found(shop, "approval", {"chain": "ap"})) == {"chain": ("name.chain", "error")}


async def test_whom_a_chain_asks_must_be_there_too(shop: Shop) -> None:
    """Nobody may have looked at a chain since it was defined, and people leave."""
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.users.create("ben", roles=["approver"])
        await hold.roles.define("finance_manager", [])
        stages = [
            {"name": "one", "approvers": [{"kind": "user", "user": "ben"}]},
            {
                "name": "two",
                "approvers": [{"kind": "role", "role": "finance_manager"}],
                "escalate_after": "1d",
                "escalate_to": [{"kind": "role", "role": "boss"}],
            },
        ]
        await hold.chains.define("spending", stages)
    problems = await found(shop, "approval", {"chain": "spending"})
    assert said(problems) == {"chain": ("name.role", "error")}
    assert "'boss', whom the stage 'two' of the chain 'spending' asks" in problems["chain"].message
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.roles.define("boss", [])
    assert await found(shop, "approval", {"chain": "spending"}) == {}
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.users.deactivate("ben")
    assert said(await found(shop, "approval", {"chain": "spending"})) == {"chain": ("name.user", "error")}


async def test_a_misspelt_action_of_ours_is_an_error_and_one_that_others_may_have_a_warning(shop: Shop) -> None:
    problems = await found(shop, "action", {"action": "store.sett"})
    assert said(problems) == {"action": ("name.action", "error")}
    assert "store.set" in problems["action"].hint
    assert said(await found(shop, "action", {"action": "process.aprove"})) == {"action": ("name.action", "error")}
    assert said(await found(shop, "action", {"action": "ledger.post"})) == {"action": ("name.action", "warning")}
    assert await found(shop, "action", {"action": "process.approve"}) == {}


async def test_the_input_of_an_action_is_held_against_its_schema(shop: Shop) -> None:
    given = {"namespace": "n", "key": {"$expr": "entity.number"}, "value": {"$expr": "entity.grand_total"}}
    assert await found(shop, "action", {"action": "store.set", "payload": given}) == {}
    wrong = {"namespace": "n", "kee": "k", "value": 1}
    problems = await found(shop, "action", {"action": "store.set", "payload": wrong})
    assert said(problems) == {
        "payload.kee": ("config.input", "error"),
        "payload.key": ("config.input", "error"),
    }
    assert "holdfast actions show store.set" in problems["payload.key"].hint
    links = {"namespace": "n", "from": {"type": "a", "id": {"$expr": "entity.number"}}, "direction": "sideways"}
    problems = await found(shop, "action", {"action": "links.lookup", "payload": links})
    assert said(problems) == {"payload.direction": ("config.input", "error")}


async def test_what_an_expression_will_give_is_left_to_the_call(shop: Shop) -> None:
    class Line(BaseModel):
        amount: int

    class Bill(BaseModel):
        lines: list[Line]
        to: str | None = None

    @shop.app.action("billing.make", input=Bill, output={}, permission="documents:read")
    async def make(call: Call, given: Bill) -> None: ...

    @shop.app.action(
        "billing.send",
        input={"anyOf": [{"properties": {"to": {"type": "integer"}}, "required": ["to"]}, {"required": ["at"]}]},
        output={},
        permission="documents:read",
    )
    async def send(call: Call, given: Any) -> None: ...

    unknown = {"$expr": "entity.number"}
    fine = {"lines": [{"amount": unknown}, {"amount": 3}], "to": unknown}
    assert await found(shop, "action", {"action": "billing.make", "payload": fine}) == {}
    wrong = {"lines": [{"amount": unknown}, {"amount": "much"}]}
    problems = await found(shop, "action", {"action": "billing.make", "payload": wrong})
    assert said(problems) == {"payload.lines[1].amount": ("config.input", "error")}
    assert await found(shop, "action", {"action": "billing.send", "payload": {"to": unknown}}) == {}
    problems = await found(shop, "action", {"action": "billing.send", "payload": {"to": "ana"}})
    assert said(problems) == {"payload": ("config.input", "error")}


async def test_a_rule_nobody_here_has_is_a_warning(shop: Shop) -> None:
    @shop.app.rule("is_large")
    async def is_large(ask: Any) -> bool:
        return True

    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.rules.put("stored", "invoice", timing="before", effect="note")
    outcomes = ("matched", "not_matched")
    assert await found(shop, "rule", {"rule": "is_large"}, *outcomes) == {}
    assert await found(shop, "rule", {"rule": "stored"}, *outcomes) == {}
    assert said(await found(shop, "rule", {"rule": "is_larg"}, *outcomes)) == {"rule": ("name.rule", "warning")}


async def test_an_event_that_the_application_does_not_tell_is_a_warning_once_it_says_what_it_tells(shop: Shop) -> None:
    waiting = {"event_key": "delivery:pood:{entity.number}"}
    assert await found(shop, "wait_event", waiting) == {}
    shop.app.event("delivery:pod:", "the proof of a delivery came")
    assert said(await found(shop, "wait_event", waiting)) == {"event_key": ("name.event", "warning")}
    assert await found(shop, "wait_event", {"event_key": "delivery:pod:{entity.number}"}) == {}
    assert await found(shop, "wait_event", {"event_key": "{entity.number}"}) == {}


async def test_publishing_refuses_what_review_calls_an_error_and_publishing_again_does_not(shop: Shop) -> None:
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.users.create("ben", roles=["approver"])
    named = patch("approval", asking({"kind": "user", "user": "ben"}))
    await shop.publish(named)
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.users.deactivate("ben")
        version = next(
            each
            for each in (await hold.definitions.list(entity_type="invoice", kind="effective")).items
            if each.status == "published"
        )
        draft = await hold.definitions.create_draft("invoice", named)
    with pytest.raises(CompileError, match="there is no active user 'ben'"):
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.definitions.publish(draft.id)
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert (await hold.definitions.roll_back("invoice", version.version)).status == "published"


async def test_a_gate_asks_for_a_permission_that_the_application_declares(shop: Shop) -> None:
    gate = {"permission": "invoice.release"}
    problems = await found(shop, "policy_gate", gate, "completed", "denied")
    assert said(problems) == {"permission": ("name.permission", "error")}
    shop.app.permission("invoice.release", "release invoices")
    assert await found(shop, "policy_gate", gate, "completed", "denied") == {}
    await shop.publish(patch("policy_gate", gate, "completed", "denied"))
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.roles.define("releaser", ["invoice.release"])
        await hold.users.create("ben", roles=["author", "releaser"])
        await hold.users.create("cat", roles=["author", "admin"])
    for name, outcome in (("ben", "completed"), ("cat", "denied")):
        document = await shop.invoice()
        async with shop.app.tenant("acme", actor=name) as hold:
            assert hold.actor.may("invoice.release") == (outcome == "completed")
            await hold.documents.transition(document.id, "submit")
            instance = (await hold.processes.of_document(document.id)).id
        assert ("n", "completed", outcome) in await shop.trail(instance)


async def test_an_action_can_ask_for_a_permission_of_its_application(app: Holdfast) -> None:
    app.permission("ledger.close", "close the ledger")

    @app.action("ledger.close_year", output={}, permission="ledger.close")
    async def close(call: Call, given: Any) -> dict[str, Any]:
        return {"closed": True}

    async with app.tenant("acme", actor="ana") as hold:
        await hold.roles.define("closer", ["ledger.close"])
        await hold.users.create("ben", roles=["operator", "closer"])
        await hold.users.create("cat", roles=["operator"])
    async with app.tenant("acme", actor="ben") as hold:
        assert await hold.actions.call("ledger.close_year") == {"closed": True}
    with pytest.raises(Forbidden, match="close the ledger"):
        async with app.tenant("acme", actor="cat") as hold:
            await hold.actions.call("ledger.close_year")


def test_reviewing_300_nodes_is_quick_enough_to_do_while_somebody_types() -> None:
    chosen = [f"n{number}" for number in range(300)]
    config = {
        "approvers": [{"kind": "role", "role": "boss"}, {"kind": "user", "user": "ana"}],
        "title": "{entity.number}",
    }
    edges = ways(
        "in -> n0", *(f"{one} -approved-> {two}" for one, two in zip(chosen, [*chosen[1:], "out"], strict=True))
    )
    edges += ways(*(f"{name} -rejected-> out" for name in chosen))
    patches = {SLOT: {"nodes": nodes(*((name, "approval", config) for name in chosen)), "edges": edges,
                      "exit_edge_mode": "join"}}  # fmt: skip
    around = Surroundings({"boss"}, {"ana"}, {}, (), (), {})
    skeleton = generate_skeleton(INVOICE)
    assert analyse(skeleton, patches, around=around).errors == ()

    def measured() -> float:
        begun = time.process_time()
        analyse(skeleton, patches, around=around)
        return time.process_time() - begun

    # 0.06 s on a machine that does nothing else; a busy one counts up to twice as much for the same work.
    assert min(measured() for _ in range(10)) < 0.2
