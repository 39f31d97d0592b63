"""What is told to those who come too late, and to everybody about a rejection; and how a rejection ends a join."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from holdfast.errors import Conflict
from holdfast.people import Request
from holdfast.testing import FakeClock
from people.office import FINANCE, SLOT, Office
from processes.shop import nodes, ways

BY = {name: {"approvers": [{"kind": "user", "user": name}]} for name in ("ben", "cat", "dan")}


def side_by_side(join: dict[str, Any]) -> dict[str, Any]:
    """Finance (ben) and the budget's owner (cat) are asked at the same time."""
    edges = ways(
        "in -> split",
        "split -> finance",
        "split -> budget",
        *(f"{node} -{outcome}-> join" for node in ("finance", "budget") for outcome in ("approved", "rejected")),
        "join -> out",
    )
    steps = nodes(
        ("split", "parallel_split", {}),
        ("finance", "approval", BY["ben"]),
        ("budget", "approval", BY["cat"]),
        ("join", "parallel_join", join),
    )
    return {SLOT: {"nodes": steps, "edges": edges}}


async def both(office: Office, instance: UUID) -> list[Request]:
    """The latest requests to the budget's owner and to finance."""
    found = {each.node_id.split(":")[-1]: each for each in reversed(await office.requests(instance))}
    return [found["budget"], found["finance"]]


async def refusal(office: Office, name: str, request: Any, decision: str = "approved") -> Conflict:
    with pytest.raises(Conflict) as caught:
        await office.decide(name, request, decision, reason="again")
    return caught.value


async def test_who_decides_again_is_told_what_they_decided_and_when(office: Office, holdfast_clock: FakeClock) -> None:
    await office.publish(FINANCE)
    _, _, request = await office.asked()
    at = holdfast_clock.now()
    await office.decide("ben", request, "rejected", reason="the total is wrong")
    holdfast_clock.advance(timedelta(minutes=5))
    own = await refusal(office, "ben", request)
    assert own.message == f"you have decided on this already: 'rejected' on {at:%Y-%m-%d %H:%M:%S} UTC"
    assert "faster" not in f"{own.message} {own.hint}"
    assert (own.details["decision"], own.details["decided_by"]) == ("rejected", "ben")
    assert own.details["decided_at"] == at.isoformat()
    other = await refusal(office, "cat", request)
    assert other.message == f"the request is closed: ben decided 'rejected' on {at:%Y-%m-%d %H:%M:%S} UTC"
    assert other.hint is not None
    assert other.hint.startswith("ben was faster")


async def test_who_decides_again_while_others_are_asked_is_told_the_same(office: Office) -> None:
    await office.publish({**FINANCE, "required": 2})
    _, _, request = await office.asked()
    await office.decide("ben", request)
    assert (await refusal(office, "ben", request)).message.startswith("you have decided on this already: 'approved' on")


async def test_a_request_that_nobody_decided_says_what_closed_it(office: Office) -> None:
    await office.publish(FINANCE)
    _, instance, request = await office.asked()
    async with office.acting("ana") as hold:
        await hold.processes.cancel(instance, reason="entered twice")
    found = await refusal(office, "ben", request)
    assert (found.message, "faster" in str(found.hint)) == ("the request is closed: it is cancelled", False)


async def test_an_advance_that_is_a_decision_says_where_decisions_are_made(office: Office) -> None:
    await office.publish(FINANCE)
    _, instance, _ = await office.asked()
    async with office.acting("ana") as hold:
        with pytest.raises(Conflict) as caught:
            await hold.processes.advance(instance, "approved")
        assert "waits for the people who are asked" in caught.value.message
        assert caught.value.hint is not None
        assert "approvals.decide" in caught.value.hint
        with pytest.raises(Conflict) as caught:
            await hold.processes.advance(instance, "fly")
        # What it says is possible, is.
        assert (caught.value.message, caught.value.hint) == ("'fly' cannot happen now", "possible: cancel")
        await hold.processes.advance(instance, "cancel", reason="no longer wanted")
        with pytest.raises(Conflict, match="the instance is completed"):
            await hold.processes.advance(instance, "approved")


@pytest.mark.parametrize("join", [{}, {"mode": "n_of_m", "n": 2}])
async def test_a_join_waits_for_everybody_unless_the_first_rejection_ends_it(office: Office, join: Any) -> None:
    await office.shop.publish(side_by_side(join))
    document = await office.shop.invoice()
    instance = await office.shop.submit(document)
    budget, finance = await both(office, instance)
    await office.decide("ben", finance, "rejected", reason="the total is wrong")
    assert await office.status(document) == "submitted"
    await office.decide("cat", budget)
    assert await office.status(document) == "draft"

    await office.shop.publish(side_by_side({**join, "first_rejection_ends": True}))
    document = await office.shop.invoice()
    instance = await office.shop.submit(document)
    budget, finance = await both(office, instance)
    await office.decide("ben", finance, "rejected", reason="the total is wrong")
    assert await office.status(document) == "draft"
    budget, finance = await both(office, instance)
    assert (finance.status, budget.status) == ("rejected", "cancelled")
    why = "ben rejected it at Finance, which ends Join: the total is wrong"
    assert budget.reason == why
    (row,) = [each for each in await office.shop.steps(instance) if each.node_id.endswith(":budget")]
    assert (row.status, row.output["reason"]) == ("cancelled", why)
    assert await office.shop.matches_its_steps(instance)
    late = await refusal(office, "cat", budget)
    assert late.message == "the request is closed: it is cancelled"


async def test_approvals_do_not_end_a_join_that_a_rejection_would(office: Office) -> None:
    await office.shop.publish(side_by_side({"first_rejection_ends": True}))
    document = await office.shop.invoice()
    instance = await office.shop.submit(document)
    budget, finance = await both(office, instance)
    await office.decide("ben", finance)
    assert await office.status(document) == "submitted"
    await office.decide("cat", budget)
    assert await office.status(document) == "active"
    # The rejection of an earlier round, which its gate has used, ends nothing in the next.
    document = await office.shop.invoice()
    instance = await office.shop.submit(document)
    _, finance = await both(office, instance)
    await office.decide("ben", finance, "rejected", reason="no")
    assert await office.status(document) == "draft"
    await office.shop.submit(document)
    await office.shop.worker.drain()
    budget, finance = await both(office, instance)
    await office.decide("ben", finance)
    assert await office.status(document) == "submitted"


async def test_an_instance_and_its_document_tell_why_it_was_rejected(office: Office, holdfast_clock: FakeClock) -> None:
    await office.publish(FINANCE)
    document, instance, request = await office.asked()
    await office.decide("ben", request, "rejected", reason="the total is wrong")
    assert await office.status(document) == "draft"
    async with office.acting("ana") as hold:
        found = await hold.processes.get(instance)
        assert found.rejection is not None
        assert (found.rejection["by"], found.rejection["reason"]) == ("ben", "the total is wrong")
        assert found.rejection["node"].endswith(":ask")
        assert found.rejection["entity_version"] == 1
        assert (await hold.processes.of_document(document.id)).rejection == found.rejection
        assert [each.rejection for each in (await hold.processes.find_active()).items] == [found.rejection]
        told = (await hold.audit.list(object_id=document.id)).items
        moves = [each.data for each in told if each.event_type == "document.transitioned"]
        (back,) = [each for each in moves if each["to"] == "draft" and each["from"] == "submitted"]
        assert back["reason"] == "the total is wrong"
        trail = (await hold.audit.list(object_id=instance)).items
        assert any(step.get("reason") == "the total is wrong" for each in trail for step in each.data.get("steps", ()))
        # Worked over and approved, it is not rejected any more.
        await hold.documents.update(document.id, {"grand_total": "1.00"})
        await hold.documents.transition(document.id, "submit")
    await office.shop.worker.drain()
    await office.decide("cat", await office.open_request(instance))
    assert await office.status(document) == "active"
    assert (await office.shop.instance(instance)).rejection is None


async def test_escalating_to_a_role_tells_the_people_who_hold_it(office: Office, holdfast_clock: FakeClock) -> None:
    async with office.app.tenant("acme") as hold:
        await hold.users.grant("ana", "finance_manager")
    async with office.acting("ana") as hold:
        await hold.chains.define(
            "slow",
            [
                {
                    "name": "One",
                    "approvers": [{"kind": "user", "user": "eve"}],
                    "escalate_after": "2d",
                    "escalate_to": [{"kind": "role", "role": "finance_manager"}, {"kind": "user", "user": "dan"}],
                }
            ],
        )
    await office.publish({"chain": "slow"})
    _, instance, request = await office.asked()
    holdfast_clock.advance(timedelta(days=2, minutes=1))
    await office.app.effects_worker().drain()
    told = {}
    for name in ("ana", "ben", "cat", "dan", "eve"):
        async with office.acting(name) as hold:
            told[name] = [(each.subject, each.request_id) for each in (await hold.notifications.list()).items]
    message = [(f"Escalated to you: {request.title}", request.id)]
    # ana asked for it, and eve was asked before.
    assert told == {"ana": [], "ben": message, "cat": message, "dan": message, "eve": []}
    async with office.acting("ana") as hold:
        events = (await hold.audit.list(object_id=instance)).items
    (event,) = [each for each in events if each.event_type == "approval.escalated"]
    assert event.data["notified"] == ["ben", "cat", "dan"]


async def test_who_is_asked_too_by_hand_is_told(office: Office) -> None:
    await office.publish({"approvers": [{"kind": "user", "user": "ben"}]})
    _, _, request = await office.asked()
    async with office.acting("ana") as hold:
        await hold.approvals.escalate(request.id, "dan", reason="it takes too long")
    async with office.acting("dan") as hold:
        (message,) = (await hold.notifications.list()).items
    assert (message.subject, message.body) == (f"Escalated to you: {request.title}", "it takes too long")
