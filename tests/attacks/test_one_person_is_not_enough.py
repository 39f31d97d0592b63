"""Duties: who made, edited or submitted a version does not decide on it, and nobody fills two seats of one document."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from holdfast import Contract, FakeClock, Forbidden, Holdfast, NotFound
from holdfast.documents import Document
from holdfast.people import Request

INVOICE = Contract(
    entity_type="invoice",
    document={"type": "object", "properties": {"number": {"type": "string"}, "total": {"type": "string"}}},
)
ORDER = Contract(
    entity_type="order",
    document=INVOICE.document,
    states=[
        {"name": "draft", "edit_window": "editable"},
        {"name": "submitted", "edit_window": "amend_only"},
        {"name": "active", "edit_window": "locked"},
        {"name": "cancelled", "edit_window": "locked"},
    ],
    transitions=[
        {"name": "submit", "from": "draft", "to": "submitted"},
        {"name": "approve", "from": "submitted", "to": "active", "trigger": "automatic", "outcome": "approved"},
        {"name": "cancel", "from": ["draft", "submitted"], "to": "cancelled", "kind": "cancel"},
    ],
    slots=[{"name": "leaving", "after": "gate:cancel", "before": "state:cancelled"}],
)
FINANCE = [{"kind": "role", "role": "finance"}]
LEGAL = [{"kind": "role", "role": "legal"}]
SLOT = "slot:submitted_to_approved"


def asking(**config: Any) -> dict[str, Any]:
    """One approval between submitting and the gate."""
    return {
        SLOT: {
            "nodes": [{"id": "ask", "type": "approval", "config": {"approvers": FINANCE, **config}}],
            "edges": [
                {"source": "in", "target": "ask"},
                {"source": "ask", "target": "out", "outcome": "approved"},
                {"source": "ask", "target": "out", "outcome": "rejected"},
            ],
            "exit_edge_mode": "join",
        }
    }


def side_by_side(*allowing: str) -> dict[str, Any]:
    """Finance and legal are asked in two branches; those named let who decides beside them decide."""

    def approval(name: str, approvers: Any) -> dict[str, Any]:
        config = {"approvers": approvers, "may_decide_in_parallel": name in allowing}
        return {"id": name, "type": "approval", "config": config}

    def through(name: str) -> list[dict[str, Any]]:
        ends = [{"source": name, "target": "join", "outcome": each} for each in ("approved", "rejected")]
        return [{"source": "split", "target": name}, *ends]

    return {
        SLOT: {
            "nodes": [
                {"id": "split", "type": "parallel_split"},
                approval("money", FINANCE),
                approval("law", LEGAL),
                {"id": "join", "type": "parallel_join"},
            ],
            "edges": [
                {"source": "in", "target": "split"},
                *through("money"),
                *through("law"),
                {"source": "join", "target": "out"},
            ],
        }
    }


@pytest.fixture
async def acme(app: Holdfast) -> Holdfast:
    """ana designs; cleo, ben and cat write, and decide for finance; ben, cat and eve for legal too."""
    app.contracts.add(INVOICE)
    async with app.tenant("acme") as hold:
        await hold.definitions.register(INVOICE)
        for role in ("finance", "legal"):
            await hold.roles.define(role, [])
        for name in ("cleo", "ben", "cat"):
            await hold.users.create(name, roles=["author", "approver", "finance"])
        await hold.users.create("eve", roles=["approver", "legal"])
        for name in ("ben", "cat"):
            await hold.users.grant(name, "legal")
    return app


async def publish(app: Holdfast, patches: dict[str, Any]) -> None:
    async with app.tenant("acme", actor="ana") as hold:
        await hold.definitions.publish((await hold.definitions.create_draft("invoice", patches)).id)


async def made(app: Holdfast, by: str) -> Document:
    async with app.tenant("acme", actor=by) as hold:
        return await hold.documents.create("invoice", {"number": "7", "total": "10.00"})


async def edit(app: Holdfast, document: Document, by: str, total: str) -> None:
    async with app.tenant("acme", actor=by) as hold:
        seen = await hold.documents.get(document.id)
        await hold.documents.update(document.id, {"total": total}, expected_version=seen.entity_version)


async def submit(app: Holdfast, document: Document, by: str) -> list[Request]:
    """What is open after it."""
    async with app.tenant("acme", actor=by) as hold:
        await hold.documents.transition(document.id, "submit")
    await app.engine_worker().drain()
    return await requests(app, document)


async def requests(app: Holdfast, document: Document) -> list[Request]:
    async with app.tenant("acme") as hold:
        found = (await hold.approvals.list(document_id=document.id)).items
    return sorted((each for each in found if each.status == "open"), key=lambda each: each.node_id)


async def decide(app: Holdfast, by: str, request: Request, decision: Any = "approved") -> None:
    async with app.tenant("acme", actor=by) as hold:
        await hold.approvals.decide(request.id, decision, reason="because")


async def inbox(app: Holdfast, name: str) -> set[UUID]:
    async with app.tenant("acme", actor=name) as hold:
        found = {each.id for each in (await hold.inbox.list()).items}
        assert (await hold.inbox.counts()).all == len(found)
    return found


async def by_hand(app: Holdfast, by: str, request: Request) -> None:
    """The function that writes decisions, called without our code before it."""
    async with app.tenant("acme", actor=by) as hold:
        await hold.connection.execute(
            """
            SELECT holdfast.record_decisions(
              jsonb_build_array(to_jsonb(r) - 'status' - 'reason' || jsonb_build_object(
                'id', gen_random_uuid(), 'request_id', r.id, 'decision', 'approved', 'outcome', 'approved',
                'decided_by', %s::text, 'seat', %s::text)),
              jsonb_build_array(jsonb_build_object(
                'object_kind', 'instance', 'object_id', r.instance_id, 'event_type', 'approval.decided',
                'actor', 'user:' || %s, 'data', '{}'::jsonb)),
              NULL, NULL, NULL, 'user:' || %s, false, now())
            FROM holdfast.approval_requests r WHERE r.id = %s
            """,
            [by, by, by, by, request.id],
        )


async def is_refused(app: Holdfast, by: str, request: Request, why: str) -> None:
    """By us, by Postgres, and it does not lie in their inbox."""
    with pytest.raises(Forbidden, match=why):
        await decide(app, by, request)
    with pytest.raises(Forbidden, match=why):
        await by_hand(app, by, request)
    assert request.id not in await inbox(app, by)


async def test_who_created_it_does_not_decide_whoever_submits_it(acme: Holdfast) -> None:
    await publish(acme, asking())
    [request] = await submit(acme, await made(acme, "cleo"), by="ben")
    for name in ("cleo", "ben"):
        await is_refused(acme, name, request, "made, edited or submitted")
    await decide(acme, "cat", request)


async def test_who_asks_for_a_cancellation_does_not_approve_it(acme: Holdfast) -> None:
    """A transition that interrupts is chosen like any other, whatever the process waits for at that moment."""
    acme.contracts.add(ORDER)
    async with acme.tenant("acme") as hold:
        await hold.definitions.register(ORDER)
    async with acme.tenant("acme", actor="ana") as hold:
        draft = await hold.definitions.create_draft("order", {"slot:leaving": asking()[SLOT]})
        await hold.definitions.publish(draft.id)
    async with acme.tenant("acme", actor="cleo") as hold:
        order = await hold.documents.create("order", {"number": "7", "total": "10.00"})
        await hold.documents.transition(order.id, "submit")
    async with acme.tenant("acme", actor="ben") as hold:
        await hold.documents.transition(order.id, "cancel")
    [request] = await requests(acme, order)
    assert request.requester == "ben"
    for name in ("cleo", "ben"):
        await is_refused(acme, name, request, "made, edited or submitted")
    await decide(acme, "cat", request)


async def test_who_edited_it_once_does_not_decide_whoever_edits_it_last(acme: Holdfast) -> None:
    await publish(acme, asking())
    document = await made(acme, "cleo")
    await edit(acme, document, "cat", "20.00")
    await edit(acme, document, "cleo", "30.00")
    [request] = await submit(acme, document, by="cleo")
    await is_refused(acme, "cat", request, "made, edited or submitted")
    await decide(acme, "ben", request)


async def test_what_somebody_amended_is_not_theirs_to_approve_nor_its_first_authors(acme: Holdfast) -> None:
    """An amendment is a new document, of which only the amender has written a version."""
    await publish(acme, asking())
    document = await made(acme, "cleo")
    await submit(acme, document, by="cleo")
    async with acme.tenant("acme", actor="ben") as hold:
        seen = await hold.documents.get(document.id)
        new = await hold.documents.update(document.id, {"total": "90.00"}, expected_version=seen.entity_version)
    assert new.id != document.id
    await acme.engine_worker().drain()
    [request] = await submit(acme, new, by="ben")
    for name in ("ben", "cleo"):
        await is_refused(acme, name, request, "made, edited or submitted")
    await decide(acme, "cat", request)


async def test_makers_are_neither_picked_nor_handed_a_request_nor_stood_in_for(acme: Holdfast) -> None:
    await publish(acme, asking(approvers=[{"kind": "role", "role": "finance", "pick": "first_available"}]))
    document = await made(acme, "ben")
    [request] = await submit(acme, document, by="cleo")
    async with acme.tenant("acme") as hold:
        assert [each.principal for each in (await hold.approvals.get(request.id)).assignees] == ["user:cat"]
    with pytest.raises(Exception, match="made, edited or submitted"):
        async with acme.tenant("acme", actor="cat") as hold:
            await hold.approvals.reassign(request.id, "ben", reason="you know it best")
    now = datetime.now(UTC)
    async with acme.tenant("acme", actor="cat") as hold:
        await hold.delegations.create("ben", starts_at=now - timedelta(hours=1), ends_at=now + timedelta(days=1))
    await is_refused(acme, "ben", request, "made, edited or submitted")


async def test_when_everybody_made_it_nobody_is_asked(acme: Holdfast) -> None:
    await publish(acme, asking())
    document = await made(acme, "cleo")
    for name in ("ben", "cat"):
        await edit(acme, document, name, "1.00" if name == "ben" else "2.00")
    assert await submit(acme, document, by="cleo") == []
    async with acme.tenant("acme") as hold:
        instance = await hold.processes.of_document(document.id)
        steps = (await hold.processes.steps(instance.id)).items
    [asked] = [each for each in steps if each.node_id.endswith(":ask")]
    assert asked.error is not None
    assert asked.error["code"] == "NOBODY_TO_ASK"


async def test_a_step_may_let_makers_approve(acme: Holdfast) -> None:
    await publish(acme, asking(requester_may_approve=True))
    [request] = await submit(acme, await made(acme, "cleo"), by="ben")
    await decide(acme, "cleo", request)


async def test_one_person_has_one_seat_among_parallel_approvals(acme: Holdfast) -> None:
    await publish(acme, side_by_side())
    law, money = await submit(acme, await made(acme, "cleo"), by="cleo")
    await decide(acme, "ben", money)
    await is_refused(acme, "ben", law, "parallel approval")
    await decide(acme, "eve", law)


async def test_a_delegate_is_no_second_seat(acme: Holdfast) -> None:
    """Neither for who stands in, nor for whom."""
    await publish(acme, side_by_side())
    now = datetime.now(UTC)
    async with acme.tenant("acme", actor="cat") as hold:
        await hold.delegations.create("eve", starts_at=now - timedelta(hours=1), ends_at=now + timedelta(days=1))
    law, money = await submit(acme, await made(acme, "cleo"), by="cleo")
    async with acme.tenant("acme", actor="eve") as hold:
        await hold.approvals.decide(money.id, "approved", on_behalf_of="cat")
    for name in ("eve", "cat"):
        await is_refused(acme, name, law, "parallel approval")
    await decide(acme, "ben", law)


@pytest.mark.parametrize(("allowing", "fine"), [(("money",), False), (("law",), False), (("money", "law"), True)])
async def test_two_seats_are_allowed_where_both_steps_say_so(
    acme: Holdfast, allowing: tuple[str, ...], fine: bool
) -> None:
    await publish(acme, side_by_side(*allowing))
    law, money = await submit(acme, await made(acme, "cleo"), by="cleo")
    await decide(acme, "ben", money)
    if fine:
        assert law.id in await inbox(acme, "ben")
        await decide(acme, "ben", law)
    else:
        await is_refused(acme, "ben", law, "parallel approval")


async def test_the_pinned_document_is_for_its_readers_and_those_asked(acme: Holdfast) -> None:
    await publish(acme, asking())
    async with acme.tenant("acme") as hold:
        await hold.users.create("sam", roles=["approver"])
    [request] = await submit(acme, await made(acme, "cleo"), by="cleo")
    async with acme.tenant("acme", actor="cat") as hold:
        assert (await hold.approvals.document(request.id)).data["total"] == "10.00"
    with pytest.raises(NotFound):
        async with acme.tenant("acme", actor="sam") as hold:
            await hold.approvals.document(request.id)


# -------------------------------------------------------------------------------------------------- the last one leaves


async def chain(app: Holdfast, **stage: Any) -> None:
    async with app.tenant("acme", actor="ana") as hold:
        await hold.chains.define(
            "spending", [{"name": "Legal", "approvers": [{"kind": "user", "user": "eve"}], **stage}]
        )
    await publish(app, asking(approvers=[], chain="spending"))


@pytest.mark.parametrize("leaving", ["deactivated", "role revoked"])
async def test_a_request_whose_last_person_leaves_is_escalated(
    acme: Holdfast, holdfast_clock: FakeClock, leaving: str
) -> None:
    approvers = [{"kind": "user", "user": "eve"}] if leaving == "deactivated" else [{"kind": "role", "role": "board"}]
    async with acme.tenant("acme") as hold:
        await hold.roles.define("board", [])
        await hold.users.grant("eve", "board")
    escalation = {"escalate_after": "30d", "escalate_to": [{"kind": "user", "user": "cat"}]}
    await chain(acme, approvers=approvers, **escalation)
    [request] = await submit(acme, await made(acme, "cleo"), by="cleo")
    async with acme.tenant("acme") as hold:
        if leaving == "deactivated":
            await hold.users.deactivate("eve")
        else:
            await hold.users.revoke("eve", "board")
    holdfast_clock.advance(timedelta(seconds=1))
    await tend(acme)
    assert request.id in await inbox(acme, "cat")
    async with acme.tenant("acme") as hold:
        events = (await hold.audit.list(object_id=request.instance_id)).items
    [told] = [each for each in events if each.event_type == "approval.escalated"]
    assert told.data["reason"] == "nobody who was asked is left"
    await decide(acme, "cat", request)


async def test_without_an_escalation_it_is_reported(acme: Holdfast, holdfast_clock: FakeClock) -> None:
    await chain(acme)
    await submit(acme, await made(acme, "cleo"), by="cleo")
    async with acme.tenant("acme") as hold:
        await hold.users.deactivate("eve")
    holdfast_clock.advance(timedelta(hours=1))
    await tend(acme)
    async with acme.tenant("acme") as hold:
        [stuck] = await hold.processes.repair.stuck()
    assert re.search("nobody who is asked can answer", stuck.why)


async def test_one_of_several_leaving_escalates_nothing(acme: Holdfast, holdfast_clock: FakeClock) -> None:
    escalation = {"escalate_after": "30d", "escalate_to": [{"kind": "user", "user": "cat"}]}
    await chain(acme, approvers=LEGAL, **escalation)
    await submit(acme, await made(acme, "cleo"), by="cleo")
    async with acme.tenant("acme") as hold:
        await hold.users.deactivate("eve")
    holdfast_clock.advance(timedelta(seconds=1))
    await tend(acme)
    async with acme.tenant("acme") as hold:
        events = (await hold.audit.list()).items
    assert "approval.escalated" not in {each.event_type for each in events}


async def tend(app: Holdfast) -> None:
    (chore,) = app.effects_worker()._chores
    await chore()
