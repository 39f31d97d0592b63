"""Deciding on many at once, and steps that lead to nobody."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from holdfast import Contract
from holdfast.errors import InvalidInput
from holdfast.people import ChosenRequest
from people.office import FINANCE, Office


async def asked(office: Office, number: int) -> list[UUID]:
    await office.publish(FINANCE)
    return [(await office.asked(number=str(each)))[2].id for each in range(number)]


async def statuses(office: Office, requests: list[UUID]) -> list[str]:
    async with office.app.tenant("acme") as hold:
        return [(await hold.approvals.get(each)).request.status for each in requests]


async def test_many_are_decided_in_one_call_and_each_says_what_became_of_it(office: Office) -> None:
    first, second, stale, done = await asked(office, 4)
    await office.decide("cat", done)
    unknown = uuid4()
    chosen: list[ChosenRequest | UUID] = [unknown, second, ChosenRequest(stale, entity_version=7), done, first]
    async with office.acting("ben") as hold:
        found = await hold.approvals.decide_many(chosen, "approved")
    assert [each.request_id for each in found] == [unknown, second, stale, done, first]
    assert [None if each.refused is None else each.refused.code for each in found] == [
        "not_found",
        None,
        "WORKFLOW_STALE_APPROVAL",
        "conflict",
        None,
    ]
    assert [each.decided and each.decided.outcome for each in found] == [None, "approved", None, None, "approved"]
    assert await statuses(office, [first, second, stale]) == ["approved", "approved", "open"]


async def test_a_dry_run_says_what_would_happen_and_writes_nothing(office: Office) -> None:
    requests = await asked(office, 3)
    await office.decide("cat", requests[1])
    async with office.acting("ben") as hold:
        found = await hold.approvals.decide_many(requests, "approved", dry_run=True)
    assert [each.refused is None for each in found] == [True, False, True]
    assert await statuses(office, requests) == ["open", "approved", "open"]


async def test_whose_turn_it_is_moves_once_for_each_and_not_at_all_in_a_dry_run(office: Office) -> None:
    async with office.acting("ana") as hold:
        anyone, next_in_turn = {"kind": "role", "role": "finance_manager"}, {"pick": "round_robin"}
        stages = [{"name": "one", "approvers": [anyone]}, {"name": "two", "approvers": [{**anyone, **next_in_turn}]}]
        await hold.chains.define("turns", stages)
    await office.publish({"chain": "turns"})
    requests = [(await office.asked(number=str(each)))[2].id for each in range(2)]
    async with office.acting("eve") as hold:
        await hold.approvals.decide_many(requests, "approved", dry_run=True)
    async with office.acting("ben") as hold:
        await hold.approvals.decide_many(requests, "approved", dry_run=True)
    async with office.acting("ben") as hold:
        found = await hold.approvals.decide_many(requests, "approved")
        following = [each.decided.next_request_id for each in found if each.decided is not None]
        asked = [await hold.approvals.get(each) for each in following if each is not None]
    assert [each.principal for detail in asked for each in detail.assignees] == ["user:ben", "user:cat"]


async def test_the_requester_is_refused_each_and_the_others_are_not_kept(office: Office) -> None:
    requests = await asked(office, 2)
    async with office.app.tenant("acme") as hold:
        await hold.users.grant("ana", "finance_manager")
    async with office.acting("ana") as hold:
        found = await hold.approvals.decide_many(requests, "approved")
    assert {each.refused and each.refused.code for each in found} == {"forbidden"}
    assert await statuses(office, requests) == ["open", "open"]


async def test_too_many_or_one_twice_is_refused(office: Office) -> None:
    async with office.acting("ben") as hold:
        for chosen in ([uuid4()] * 2, [uuid4() for _ in range(101)]):
            with pytest.raises(InvalidInput):
                await hold.approvals.decide_many(chosen, "approved")


async def test_a_role_that_nobody_holds_is_nobody_to_ask(office: Office) -> None:
    async with office.acting("ana") as hold:
        await hold.roles.define("auditor", [])
    await office.publish({"approvers": [{"kind": "role", "role": "auditor"}]})
    instance = await office.shop.submit(await office.shop.invoice())
    step = (await office.shop.steps(instance))[-1]
    assert (step.status, step.error and step.error["code"]) == ("failed", "NOBODY_TO_ASK")
    assert step.error is not None
    assert "auditor" in step.error["message"]
    assert await office.requests(instance) == []


async def test_a_gate_whose_role_nobody_holds_is_nobody_to_ask(office: Office) -> None:
    """Also where whoever brought the document there must not pass the gate themselves."""
    order = Contract(
        entity_type="order",
        document={"type": "object"},
        states=[{"name": "new", "edit_window": "editable"}, {"name": "paid", "edit_window": "locked"}],
        transitions=[{"name": "pay", "from": "new", "to": "paid", "trigger": "automatic", "roles": ["cashier"]}],
    )
    office.app.contracts.add(order)
    async with office.acting("ana") as hold:
        await hold.roles.define("cashier", [])
        made = await hold.documents.create("order", {})
    await office.shop.worker.drain()
    async with office.acting("ana") as hold:
        instance = (await hold.processes.of_document(made.id)).id
    step = (await office.shop.steps(instance))[-1]
    assert (step.node_id, step.status, step.error and step.error["code"]) == (
        "sys:gate:pay",
        "failed",
        "NOBODY_TO_ASK",
    )
    async with office.acting("ana") as hold:
        await hold.users.grant("ben", "cashier")
        await hold.processes.retry_step(instance)
    await office.decide("ben", await office.open_request(instance))
    assert (await office.shop.instance(instance)).status == "completed"


async def test_a_role_that_only_the_requester_holds_is_nobody_to_ask(office: Office) -> None:
    async with office.app.tenant("acme") as hold:
        await hold.roles.define("auditor", [])
        await hold.users.grant("ana", "auditor")
    await office.publish({"approvers": [{"kind": "role", "role": "auditor"}]})
    instance = await office.shop.submit(await office.shop.invoice())
    step = (await office.shop.steps(instance))[-1]
    assert (step.status, step.error and step.error["code"]) == ("failed", "NOBODY_TO_ASK")
    # Somebody else is given the role, and the step is tried again.
    async with office.acting("ana") as hold:
        await hold.users.grant("ben", "auditor")
        await hold.processes.retry_step(instance)
    await office.decide("ben", await office.open_request(instance))
    assert (await office.shop.instance(instance)).status == "completed"
