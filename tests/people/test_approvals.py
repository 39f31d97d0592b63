"""Who may decide, what their decisions amount to, and what follows from them."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from holdfast.actions import Call
from holdfast.documents import Documents, Mutation
from holdfast.errors import Conflict, Forbidden, HoldfastError, InvalidInput, NotFound, StaleApproval
from holdfast.kernel.ids import uuid7
from holdfast.testing import FakeClock
from people.office import FINANCE, Office
from processes.shop import nodes, passing, ways


async def test_an_approved_document_passes_its_gate_and_the_decision_is_used_up(office: Office) -> None:
    await office.publish(FINANCE)
    document, instance, request = await office.asked()
    assert (request.entity_version, request.content_hash) == (document.entity_version, document.content_hash)
    assert request.requester == "ana"
    decided = await office.decide("ben", request, reason="looks right")
    assert (decided.status, decided.outcome) == ("approved", "approved")
    assert await office.status(document) == "active"
    async with office.app.tenant("acme") as hold:
        detail = await hold.approvals.get(request.id)
        steps = (await hold.processes.steps(instance)).items
    (decision,) = detail.decisions
    assert (decision.decided_by, decision.seat, decision.applied, decision.voided_at) == ("ben", "ben", True, None)
    (step,) = [step for step in steps if step.node_type == "approval"]
    assert (step.approval_request_id, step.applied, step.snapshot_version_id) == (
        request.id,
        True,
        request.snapshot_version_id,
    )


async def test_a_rejected_document_goes_back_with_the_reason(office: Office) -> None:
    await office.publish(FINANCE)
    document, instance, request = await office.asked()
    for reason in (None, "", "  "):
        with pytest.raises(InvalidInput, match="reason"):
            await office.decide("ben", request, "rejected", reason=reason)
    await office.decide("ben", request, "returned", reason="the total is wrong")
    assert await office.status(document) == "draft"
    async with office.app.tenant("acme") as hold:
        events = (await hold.audit.list(object_id=instance)).items
    (told,) = [event for event in events if event.event_type == "approval.decided"]
    assert told.data["reason"] == "the total is wrong"
    assert told.actor == "user:ben"


async def test_a_stranger_cannot_decide(office: Office) -> None:
    await office.publish(FINANCE)
    document, _, request = await office.asked()
    with pytest.raises(Forbidden, match="eve is not asked"):
        await office.decide("eve", request)
    async with office.app.tenant("acme", actor="ana") as hold:
        await hold.users.create("vic", roles=["viewer"])
    with pytest.raises(Forbidden):
        await office.decide("vic", request)
    with pytest.raises(NotFound):
        async with office.app.tenant("globex", actor="ana") as hold:
            await hold.approvals.decide(request.id, "approved")
    with pytest.raises(NotFound):
        await office.decide("ben", uuid7())
    with pytest.raises(Forbidden, match="programs"):
        async with office.app.tenant("acme") as hold:
            await hold.approvals.decide(request.id, "approved")
    assert await office.status(document) == "submitted"


async def test_the_requester_cannot_approve_their_own_unless_the_step_allows_it(office: Office) -> None:
    async with office.app.tenant("acme") as hold:
        await hold.users.grant("ana", "finance_manager")
    await office.publish(FINANCE)
    _, _, request = await office.asked()
    with pytest.raises(Forbidden, match="four eyes"):
        await office.decide("ana", request)
    await office.decide("ben", request)
    await office.publish({**FINANCE, "requester_may_approve": True})
    document, _, request = await office.asked()
    await office.decide("ana", request)
    assert await office.status(document) == "active"


async def test_nobody_decides_twice_and_nobody_after_the_end(office: Office) -> None:
    await office.publish({**FINANCE, "required": "all"})
    _, instance, request = await office.asked()
    await office.decide("ben", request)
    with pytest.raises(Conflict, match="already"):
        await office.decide("ben", request)
    await office.decide("cat", request)
    await office.decide("dan", request)
    with pytest.raises(Conflict, match="you have decided on this already"):
        await office.decide("dan", request)
    with pytest.raises(Conflict, match="closed: dan decided"):
        await office.decide("eve", request)
    _, instance, request = await office.asked()
    async with office.acting("ana") as hold:
        await hold.processes.cancel(instance, reason="not needed")
    with pytest.raises(Conflict, match="cancelled"):
        await office.decide("ben", request)
    assert (await office.requests(instance))[0].status == "cancelled"
    async with office.app.tenant("acme") as hold:
        (told,) = [
            each
            for each in (await hold.audit.list(object_id=instance)).items
            if each.event_type == "approval.cancelled"
        ]
    assert (told.actor, told.data["request"], told.data["reason"]) == ("user:ana", str(request.id), "not needed")


@pytest.mark.parametrize(
    ("required", "votes", "outcome"),
    [
        ("any", ["approved"], "approved"),
        ("any", ["abstained", "approved"], "approved"),
        ("any", ["rejected"], "rejected"),
        ("all", ["approved", "approved", "approved"], "approved"),
        ("all", ["approved", "abstained", "approved"], "approved"),
        ("all", ["approved", "rejected"], "rejected"),
        ("all", ["approved", "approved"], None),
        (2, ["approved", "rejected", "approved"], "approved"),
        (2, ["rejected", "rejected"], "rejected"),
        (2, ["approved"], None),
        ("all", ["abstained", "abstained", "abstained"], "rejected"),
    ],
)
async def test_a_quorum_decides(office: Office, required: Any, votes: list[str], outcome: str | None) -> None:
    await office.publish({**FINANCE, "required": required})
    _, _, request = await office.asked()
    decided = None
    for name, vote in zip(("ben", "cat", "dan"), votes, strict=False):
        decided = await office.decide(name, request, vote, reason="because")
    assert decided is not None
    assert decided.outcome == outcome


async def test_a_decision_on_another_version_than_the_request_is_about_is_stale(office: Office) -> None:
    await office.publish(FINANCE)
    document, _, request = await office.asked()
    for wrong in ({"entity_version": 2}, {"content_hash": "0" * 64}):
        with pytest.raises(StaleApproval):
            await office.decide("ben", request, **wrong)
    await office.decide("ben", request, entity_version=1, content_hash=document.content_hash)


async def test_32_decisions_at_once_on_one_request_one_wins(office: Office) -> None:
    await office.publish(FINANCE)
    names = [f"m{number}" for number in range(32)]
    async with office.acting("ana") as hold:
        for name in names:
            await hold.users.create(name, roles=["approver", "finance_manager"])
    document, instance, request = await office.asked()
    results = await asyncio.gather(*(_tried(office, name, request) for name in names))
    assert sorted(results) == [False] * 31 + [True]
    assert await office.status(document) == "active"
    async with office.app.tenant("acme") as hold:
        assert len((await hold.approvals.get(request.id)).decisions) == 1
        assert (await hold.processes.repair.check_projection(instance)).differed == ()


async def test_32_attempts_of_three_people_count_each_person_once(office: Office) -> None:
    await office.publish({**FINANCE, "required": "all"})
    document, _, request = await office.asked()
    names = ["ben", "cat", "dan"] * 11
    results = await asyncio.gather(*(_tried(office, name, request) for name in names[:32]))
    assert sum(results) == 3
    assert await office.status(document) == "active"


async def _tried(office: Office, name: str, request: Any) -> bool:
    try:
        await office.decide(name, request)
    except (Conflict, Forbidden):
        return False
    return True


async def test_a_request_that_is_claimed_is_for_one_person_alone(office: Office) -> None:
    await office.publish(FINANCE)
    _, _, request = await office.asked()

    async def claim(name: str) -> bool:
        try:
            async with office.acting(name) as hold:
                await hold.approvals.claim(request.id)
        except Conflict:
            return False
        return True

    winners = await asyncio.gather(*(claim(name) for name in ("ben", "cat", "dan")))
    assert sum(winners) == 1
    holder = ("ben", "cat", "dan")[winners.index(True)]
    other = next(name for name in ("ben", "cat", "dan") if name != holder)
    with pytest.raises(Conflict, match="is at it"):
        await office.decide(other, request)
    async with office.acting(other) as hold:
        assert not (await hold.inbox.list()).items
        with pytest.raises(Forbidden):
            await hold.approvals.release(request.id)
    with pytest.raises(Forbidden):
        async with office.acting("eve") as hold:
            await hold.approvals.claim(request.id)
    async with office.acting(holder) as hold:
        reading = hold.actor.limited_to(["processes:read"])
    with pytest.raises(Forbidden, match="processes:approve"):
        async with office.app.tenant("acme", actor=reading) as hold:
            await hold.approvals.release(request.id)
    async with office.acting(holder) as hold:
        await hold.approvals.release(request.id)
    await office.decide(other, request)


async def test_a_request_is_handed_to_somebody_else_with_a_reason(office: Office) -> None:
    await office.publish({"approvers": [{"kind": "user", "user": "ben"}]})
    document, instance, request = await office.asked()
    with pytest.raises(InvalidInput, match="reason"):
        async with office.acting("ben") as hold:
            await hold.approvals.reassign(request.id, "eve", reason=" ")
    with pytest.raises(InvalidInput, match="cannot decide"):
        async with office.acting("ben") as hold:
            await hold.approvals.reassign(request.id, "ana", reason="your turn")
    with pytest.raises(NotFound):
        async with office.acting("ben") as hold:
            await hold.approvals.reassign(request.id, "nobody", reason="your turn")
    with pytest.raises(Forbidden):
        async with office.acting("cat") as hold:
            await hold.approvals.reassign(request.id, "eve", of="ben", reason="take it away")
    async with office.acting("ben") as hold:
        await hold.approvals.reassign(request.id, "eve", reason="on holiday")
    with pytest.raises(Forbidden):
        await office.decide("ben", request)
    async with office.acting("eve") as hold:
        (item,) = (await hold.inbox.list(which="mine")).items
        assert item.id == request.id
    async with office.acting("ana") as hold:
        await hold.approvals.escalate(request.id, "dan", reason="it takes too long")
        assert {each.principal for each in (await hold.approvals.get(request.id)).assignees if each.is_open} == {
            "user:eve",
            "user:dan",
        }
    await office.decide("eve", request)
    assert await office.status(document) == "active"
    async with office.app.tenant("acme") as hold:
        events = {event.event_type for event in (await hold.audit.list(object_id=instance)).items}
    assert {"approval.requested", "approval.reassigned", "approval.escalated", "approval.decided"} <= events


async def test_somebody_decides_for_another_while_the_delegation_lasts(
    office: Office, holdfast_clock: FakeClock
) -> None:
    await office.publish({"approvers": [{"kind": "user", "user": "ben"}]})
    async with office.acting("ben") as hold:
        given = await hold.delegations.create("eve", ends_at=holdfast_clock.now() + timedelta(days=3))
    _, _, request = await office.asked()
    async with office.acting("eve") as hold:
        (item,) = (await hold.inbox.list(which="delegated")).items
        assert (item.id, item.seat, item.how) == (request.id, "ben", "delegated")
    decided = await office.decide("eve", request)
    assert decided.outcome == "approved"
    async with office.app.tenant("acme") as hold:
        (decision,) = (await hold.approvals.get(request.id)).decisions
    assert (decision.decided_by, decision.seat) == ("eve", "ben")
    with pytest.raises(Conflict):
        await office.decide("ben", request)
    document, _, request = await office.asked()
    holdfast_clock.advance(timedelta(days=3))
    with pytest.raises(Forbidden):
        await office.decide("eve", request)
    async with office.acting("ben") as hold:
        later = await hold.delegations.create(
            "eve", starts_at=holdfast_clock.now() + timedelta(days=1), ends_at=holdfast_clock.now() + timedelta(days=2)
        )
    with pytest.raises(Forbidden):
        await office.decide("eve", request)
    holdfast_clock.advance(timedelta(days=1))
    async with office.acting("ben") as hold:
        await hold.delegations.revoke(later.id)
    with pytest.raises(Forbidden):
        await office.decide("eve", request)
    assert given.delegate == "eve"
    await office.decide("ben", request)
    assert await office.status(document) == "active"


async def test_a_delegate_never_decides_on_their_own_request(office: Office, holdfast_clock: FakeClock) -> None:
    ends = holdfast_clock.now() + timedelta(days=3)
    async with office.acting("ben") as hold:
        await hold.delegations.create("ana", ends_at=ends)
    # Not even where a requester may decide: then as themselves, not in another's place.
    for config in ({}, {"requester_may_approve": True}):
        await office.publish({"approvers": [{"kind": "user", "user": "ben"}], **config})
        _, _, request = await office.asked()
        async with office.acting("ana") as hold:
            assert not (await hold.inbox.list()).items
        with pytest.raises(Forbidden):
            await office.decide("ana", request)
        await office.decide("ben", request)
    await office.publish({"approvers": [{"kind": "user", "user": "ben"}], "may_delegate": False})
    async with office.acting("ben") as hold:
        await hold.delegations.create("eve", ends_at=ends)
    _, _, request = await office.asked()
    with pytest.raises(Forbidden):
        await office.decide("eve", request)


async def test_delegations_that_make_no_sense_are_refused(office: Office, holdfast_clock: FakeClock) -> None:
    now = holdfast_clock.now()
    async with office.acting("ben") as hold:
        for problem, to, starts, ends in (
            ("themselves", "ben", None, now + timedelta(days=1)),
            ("begins", "cat", now, now - timedelta(days=1)),
            ("time zone", "cat", None, now.replace(tzinfo=None)),
        ):
            with pytest.raises(InvalidInput, match=problem):
                await hold.delegations.create(to, starts_at=starts, ends_at=ends)
        with pytest.raises(Forbidden):
            await hold.delegations.create("cat", delegator="dan", ends_at=now + timedelta(days=1))
    with pytest.raises(NotFound):
        async with office.acting("ben") as hold:
            await hold.delegations.create("nobody", ends_at=now + timedelta(days=1))
    with pytest.raises(InvalidInput, match="begins"):
        async with office.acting("ben") as hold:
            await hold.delegations.create("cat", ends_at=now - timedelta(days=1))


async def test_an_approval_nobody_decides_times_out(office: Office, holdfast_clock: FakeClock) -> None:
    await office.publish({**FINANCE, "timeout": "72h"}, outcomes=("approved", "rejected", "timeout"))
    _, instance, request = await office.asked()
    assert request.due_at == holdfast_clock.now() + timedelta(hours=72)
    holdfast_clock.advance(timedelta(hours=71))
    await office.shop.worker.drain()
    assert (await office.open_request(instance)).id == request.id
    holdfast_clock.advance(timedelta(hours=2))
    async with office.acting("ben") as hold:
        (overdue,) = (await hold.inbox.list(which="overdue")).items
        assert overdue.overdue
    await office.shop.worker.drain()
    assert {each.status for each in await office.requests(instance) if each.id == request.id} == {"timeout"}
    with pytest.raises(Conflict):
        await office.decide("ben", request)
    outcomes = {step.node_id.split(":")[-1]: step.outcome for step in await office.shop.steps(instance)}
    assert outcomes["ask"] == "timeout"


async def test_people_are_reminded_but_not_those_who_have_decided(office: Office, holdfast_clock: FakeClock) -> None:
    await office.publish({**FINANCE, "required": "all", "remind_every": "24h"})
    _, _, request = await office.asked()
    await office.decide("ben", request)
    worker = office.app.effects_worker()
    (tend,) = worker._chores
    assert await tend() == 0
    for _ in range(2):
        holdfast_clock.advance(timedelta(hours=25))
        assert await tend() == 1
        assert await tend() == 0
    for name, count in (("ben", 0), ("cat", 2), ("eve", 0), ("ana", 0)):
        async with office.acting(name) as hold:
            assert len((await hold.notifications.list()).items) == count


async def test_nobody_to_ask_is_an_error_that_says_why(office: Office) -> None:
    async with office.acting("ana") as hold:
        await hold.users.create("nobody")
        await hold.chains.define("missing", [{"name": "One", "approvers": [{"kind": "user", "user": "ben"}]}])
    for config, why in (
        ({"approvers": [{"kind": "user", "user": "nobody"}]}, "no active user 'nobody'"),
        ({"approvers": [{"kind": "user", "user": "ana"}]}, "four eyes"),
        ({"approvers": [{"kind": "manager", "of": "entity.vendor"}]}, "manager of 'acme'"),
        ({"approvers": [{"kind": "user", "user": "ben"}], "required": 2}, "2 people must agree"),
        ({"chain": "missing"}, "no approval chain"),
    ):
        await office.publish(config)
        async with office.acting("ana") as hold:
            # They were there when it was published; what is not is refused then.
            await hold.users.deactivate("nobody")
            if "chain" in config:
                await hold.chains.archive("missing", anyway=True)
        document = await office.shop.invoice()
        instance = await office.shop.submit(document)
        await office.shop.worker.drain()
        async with office.app.tenant("acme") as hold:
            (step,) = [each for each in (await hold.processes.steps(instance)).items if each.node_type == "approval"]
            assert step.status == "failed"
            assert step.error is not None
            assert why in step.error["message"]
        assert not await office.requests(instance)


async def test_every_strategy_finds_its_people(office: Office) -> None:
    async with office.shop.app.tenant("acme") as hold:
        await hold.org.set_manager("ana", "cat")
        await hold.org.set_manager("cat", "dan")
        assert await hold.org.managers("ana") == ["cat", "dan"]
        with pytest.raises(InvalidInput, match="circles"):
            await hold.org.set_manager("dan", "ana")
    for approver, expected in (
        ({"kind": "user", "user": "ben"}, {"user:ben"}),
        ({"kind": "role", "role": "finance_manager"}, {"role:finance_manager"}),
        ({"kind": "manager", "of": "actor.user_id"}, {"user:cat"}),
        ({"kind": "rule", "expression": "entity.vendor"}, {"user:dan"}),
    ):
        await office.publish({"approvers": [approver]})
        _, _, request = await office.asked(vendor="dan")
        async with office.app.tenant("acme") as hold:
            found = (await hold.approvals.get(request.id)).assignees
        assert {each.principal for each in found} == expected


async def test_the_holders_of_a_role_take_turns(office: Office) -> None:
    await office.publish({"approvers": [{"kind": "role", "role": "finance_manager", "pick": "round_robin"}]})
    asked = []
    for _ in range(4):
        _, _, request = await office.asked()
        async with office.app.tenant("acme") as hold:
            (one,) = (await hold.approvals.get(request.id)).assignees
            asked.append(one.principal)
    assert asked == ["user:ben", "user:cat", "user:dan", "user:ben"]


async def test_the_first_who_has_not_handed_over_is_available(office: Office, holdfast_clock: FakeClock) -> None:
    async with office.acting("ben") as hold:
        await hold.delegations.create("eve", ends_at=holdfast_clock.now() + timedelta(days=1))
    await office.publish({"approvers": [{"kind": "role", "role": "finance_manager", "pick": "first_available"}]})
    _, _, request = await office.asked()
    async with office.app.tenant("acme") as hold:
        (one,) = (await hold.approvals.get(request.id)).assignees
    assert (one.principal, one.via) == ("user:cat", "role:finance_manager")


async def test_a_role_is_whoever_holds_it_when_deciding(office: Office) -> None:
    await office.publish({**FINANCE, "required": "all"})
    document, _, request = await office.asked()
    async with office.acting("ana") as hold:
        await hold.users.revoke("dan", "finance_manager")
        await hold.users.grant("eve", "finance_manager")
    with pytest.raises(Forbidden):
        await office.decide("dan", request)
    for name in ("ben", "cat", "eve"):
        await office.decide(name, request)
    assert await office.status(document) == "active"


async def test_a_chain_is_asked_stage_by_stage(office: Office, holdfast_clock: FakeClock) -> None:
    async with office.acting("ana") as hold:
        chain = await hold.chains.define(
            "spending",
            [
                {"name": "Manager", "approvers": [{"kind": "user", "user": "ben"}], "due_after": "24h"},
                {
                    "name": "Large",
                    "approvers": [{"kind": "rule", "expression": "entity.vendor"}],
                    "condition": "entity.number == '9'",
                },
                {"name": "Finance", "approvers": [{"kind": "role", "role": "finance_manager"}], "required": 2},
            ],
        )
        assert [stage.name for stage in chain.stages] == ["Manager", "Large", "Finance"]
        assert [each.name for each in await hold.chains.list()] == ["spending"]
    await office.publish({"chain": "spending"})
    document, instance, first = await office.asked()
    assert (first.stage, first.stage_count, first.due_at) == (1, 2, holdfast_clock.now() + timedelta(hours=24))
    decided = await office.decide("ben", first)
    assert decided.outcome is None
    assert decided.next_request_id is not None
    second = await office.open_request(instance)
    assert (second.id, second.stage, second.instructions) == (decided.next_request_id, 2, "Finance")
    with pytest.raises(Forbidden):
        await office.decide("eve", second)
    await office.decide("cat", second)
    assert await office.status(document) == "submitted"
    await office.decide("dan", second)
    assert await office.status(document) == "active"
    async with office.app.tenant("acme") as hold:
        for request in (first, second):
            assert all(each.applied for each in (await hold.approvals.get(request.id)).decisions)
    # A document to which the condition applies has all three; a refusal ends the chain where it stands.
    document, instance, first = await office.asked(number="9", vendor="cat")
    assert first.stage_count == 3
    await office.decide("ben", first)
    await office.decide("cat", await office.open_request(instance), "rejected", reason="too much")
    assert await office.status(document) == "draft"


async def test_a_stage_that_takes_too_long_is_escalated(office: Office, holdfast_clock: FakeClock) -> None:
    async with office.acting("ana") as hold:
        await hold.org.set_manager("ben", "dan")
        await hold.chains.define(
            "slow",
            [
                {
                    "name": "Manager",
                    "approvers": [{"kind": "user", "user": "ben"}],
                    "escalate_after": "2d",
                    "escalate_to": [{"kind": "user", "user": "dan"}],
                }
            ],
        )
    await office.publish({"chain": "slow"})
    document, _, request = await office.asked()
    (tend,) = office.app.effects_worker()._chores
    assert await tend() == 0
    holdfast_clock.advance(timedelta(days=2, hours=1))
    assert await tend() == 1
    assert await tend() == 0
    async with office.acting("dan") as hold:
        assert [each.id for each in (await hold.inbox.list()).items] == [request.id]
        assert len((await hold.notifications.list()).items) == 1
    await office.decide("dan", request)
    assert await office.status(document) == "active"


async def test_a_chain_that_makes_no_sense_is_refused(office: Office) -> None:
    good = {"name": "One", "approvers": [{"kind": "user", "user": "ben"}]}
    async with office.acting("ana") as hold:
        for stages, problem in (
            ([], "1 to 50"),
            ([{**good, "approvers": []}], "approvers"),
            ([{**good, "required": 0}], "required"),
            ([{**good, "condition": "entity.x >"}], "One"),
            ([{**good, "escalate_after": "2d"}], "belong together"),
            ([{**good, "unknown": 1}], "unknown"),
        ):
            with pytest.raises(InvalidInput, match=problem):
                await hold.chains.define("broken", stages)
        await hold.chains.define("fine", [good])
        await hold.chains.archive("fine")
        assert not await hold.chains.list()
        with pytest.raises(NotFound):
            await hold.chains.get("missing")


async def test_a_gate_without_a_decision_asks_those_who_may_pass_it(office: Office) -> None:
    document = await office.shop.invoice()
    instance = await office.shop.submit(document)
    await office.shop.worker.drain()
    request = await office.open_request(instance)
    assert request.passes == "approved"
    with pytest.raises(HoldfastError):
        await office.decide("ana", request)
    await office.decide("eve", request)
    assert await office.status(document) == "active"
    async with office.app.tenant("acme") as hold:
        (decision,) = (await hold.approvals.get(request.id)).decisions
    assert decision.applied


TASK = {
    "title": "Check {entity.number}",
    "assignees": [{"kind": "role", "role": "finance_manager"}],
    "form": {
        "type": "object",
        "required": ["cost_center"],
        "properties": {"cost_center": {"type": "string"}, "share": {"type": "number", "maximum": 1}},
        "additionalProperties": False,
    },
    "answers": ["done", "not_ours"],
    "save_as": "check",
}


async def test_a_task_takes_what_its_form_allows(office: Office) -> None:
    await office.publish(TASK, kind="task", outcomes=("done", "not_ours"))
    _, instance, request = await office.asked()
    assert (request.kind, request.title, request.outcomes) == ("task", "Check 7", ["done", "not_ours"])
    for data, problem in (
        ({}, "cost_center"),
        ({"cost_center": 7}, "cost_center"),
        ({"cost_center": "A", "share": 2}, "share"),
        ({"cost_center": "A", "more": 1}, "more"),
        ({"cost_center": "x" * 300_000}, "bytes"),
    ):
        with pytest.raises(InvalidInput, match=problem):
            async with office.acting("ben") as hold:
                await hold.approvals.complete(request.id, data)
    with pytest.raises(InvalidInput, match="done, not_ours"):
        async with office.acting("ben") as hold:
            await hold.approvals.complete(request.id, {"cost_center": "A"}, answer="perhaps")
    with pytest.raises(Forbidden):
        async with office.acting("eve") as hold:
            await hold.approvals.complete(request.id, {"cost_center": "A"})
    with pytest.raises(InvalidInput, match="task"):
        await office.decide("ben", request)
    async with office.acting("ben") as hold:
        done = await hold.approvals.complete(request.id, {"cost_center": "A"}, answer="not_ours")
    assert done.outcome == "not_ours"
    with pytest.raises(Conflict):
        async with office.acting("cat") as hold:
            await hold.approvals.complete(request.id, {"cost_center": "B"})
    await office.shop.worker.drain()
    async with office.app.tenant("acme") as hold:
        found = await hold.processes.get(instance)
    assert found.context["check"] == {"cost_center": "A"}


async def test_every_stage_has_its_own_due_date_and_the_reminders_of_its_step(
    office: Office, holdfast_clock: FakeClock
) -> None:
    async with office.acting("ana") as hold:
        await hold.chains.define(
            "slowly",
            [
                {"name": "One", "approvers": [{"kind": "user", "user": "ben"}], "due_after": "24h"},
                {"name": "Two", "approvers": [{"kind": "user", "user": "cat"}], "due_after": "7d"},
                {"name": "Three", "approvers": [{"kind": "user", "user": "dan"}]},
            ],
        )
    await office.publish(
        {"chain": "slowly", "remind_every": "12h", "timeout": "30d"}, outcomes=("approved", "rejected", "timeout")
    )
    begun = holdfast_clock.now()
    _, instance, first = await office.asked()
    await office.decide("ben", first)
    second = await office.open_request(instance)
    assert (first.due_at, second.due_at) == (begun + timedelta(hours=24), begun + timedelta(days=7))
    holdfast_clock.advance(timedelta(hours=13))
    (tend,) = office.app.effects_worker()._chores
    assert await tend() == 1
    async with office.acting("cat") as hold:
        assert len((await hold.notifications.list()).items) == 1
    await office.decide("cat", second)
    assert (await office.open_request(instance)).due_at == begun + timedelta(days=30)


async def test_a_later_stage_that_leads_to_nobody_ends_the_step_and_says_why(office: Office) -> None:
    async with office.acting("ana") as hold:
        await hold.users.create("gus", roles=["approver"])
        await hold.chains.define(
            "leaving",
            [
                {"name": "One", "approvers": [{"kind": "user", "user": "ben"}]},
                {"name": "Two", "approvers": [{"kind": "user", "user": "gus"}]},
            ],
        )
    await office.publish({"chain": "leaving"})
    _, instance, request = await office.asked()
    async with office.acting("ana") as hold:
        await hold.users.deactivate("gus")
    decided = await office.decide("ben", request)
    assert (decided.status, decided.outcome, decided.next_request_id) == ("approved", "error", None)
    await office.shop.worker.drain()
    assert (await office.shop.instance(instance)).status == "paused"
    step = (await office.shop.steps(instance))[-1]
    assert (step.status, step.error and step.error["code"]) == ("failed", "NOBODY_TO_ASK")
    # Somebody puts it right, and the step is tried again: it begins with the first stage.
    async with office.acting("ana") as hold:
        await hold.users.reactivate("gus")
        await hold.processes.retry_step(instance)
    again = await office.open_request(instance)
    assert again.stage == 1


async def test_what_was_handed_on_can_be_handed_back(office: Office) -> None:
    await office.publish({"approvers": [{"kind": "user", "user": "ben"}]})
    document, _, request = await office.asked()
    for giver, taker in (("ben", "cat"), ("cat", "ben")):
        async with office.acting(giver) as hold:
            await hold.approvals.reassign(request.id, taker, reason="yours, I think")
    with pytest.raises(Forbidden):
        await office.decide("cat", request)
    async with office.acting("ana") as hold:
        with pytest.raises(Conflict, match="asked already"):
            await hold.approvals.escalate(request.id, "ben", reason="again")
    await office.decide("ben", request)
    assert await office.status(document) == "active"


@pytest.mark.parametrize("together", [True, False])
async def test_a_decision_stands_although_its_time_was_up(
    office: Office, holdfast_clock: FakeClock, together: bool
) -> None:
    """The timeout was told before the decision, and is handled before it."""
    await office.publish(
        {"approvers": [{"kind": "user", "user": "ben"}], "timeout": "72h"}, outcomes=("approved", "rejected", "timeout")
    )
    document, instance, request = await office.asked()
    holdfast_clock.advance(timedelta(hours=73))
    await office.shop.worker.tend()
    events = [] if together else await office.shop.worker.claim()
    holdfast_clock.advance(timedelta(seconds=1))
    decided = await office.decide("ben", request)
    assert (decided.status, decided.outcome) == ("approved", "approved")
    await office.shop.worker.handle(events)
    for _ in range(3):
        await office.shop.worker.drain()
        holdfast_clock.advance(timedelta(seconds=5))
    assert await office.status(document) == "active"
    assert ("ask", "completed", "approved") in await office.shop.trail(instance)
    async with office.app.tenant("acme") as hold:
        assert all(each.applied for each in (await hold.approvals.get(request.id)).decisions)
        health = await hold.processes.repair.health()
    assert (health.failed, health.dead_letters) == (0, 0)


async def test_a_task_about_a_document_that_was_edited_is_asked_again(office: Office) -> None:
    task = {"title": "Check", "assignees": [{"kind": "user", "user": "ben"}], "form": {"type": "object"}}
    edges = ways("in -> check", "check -completed-> out")
    await office.shop.publish({"slot:draft_to_submit": {"nodes": nodes(("check", "task", task)), "edges": edges}})
    document, instance, first = await office.asked()
    async with office.acting("ana") as hold:
        await hold.documents.update(document.id, {"vendor": "another"})
    second = await office.open_request(instance)
    assert (first.entity_version, second.entity_version) == (1, 2)
    async with office.acting("ben") as hold:
        assert [item.id for item in (await hold.inbox.list()).items] == [second.id]
        assert (await hold.approvals.get(first.id)).request.status == "cancelled"
        with pytest.raises(Conflict):
            await hold.approvals.complete(first.id, {})
        await hold.approvals.complete(second.id, {})
    assert await office.status(document) == "submitted"


async def test_a_task_stays_open_while_a_step_beside_it_writes_the_document(office: Office) -> None:
    @office.shop.action("invoice.mark")
    async def mark(call: Call, given: Any) -> None:
        documents = Documents(call.tx, office.app.assembly.cabinet())
        await documents.mutate(Mutation("update", document_id=call.document_id, changes={"posted": True}))

    task = {"title": "Check", "assignees": [{"kind": "user", "user": "ben"}], "form": {"type": "object"}}
    steps: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("split", "parallel_split", {}),
        ("check", "task", task),
        ("go", "wait_event", {"event_key": "go"}),
        ("mark", "action", {"action": "invoice.mark"}),
        ("join", "parallel_join", {}),
    )
    edges = ways(
        "in -> split",
        "split -> check",
        "split -> go",
        "go -> mark",
        "mark -> join",
        "check -completed-> join",
        "join -> pass",
    )
    await office.shop.publish(passing(*steps, edges=edges))
    document, instance, request = await office.asked()
    async with office.acting("ana") as hold:
        await hold.processes.tell("go")
    await office.shop.worker.drain()
    assert await office.open_request(instance) == request
    async with office.acting("ben") as hold:
        await hold.approvals.complete(request.id, {})
    assert await office.status(document) == "active"


async def test_what_cannot_be_kept_is_no_answer_and_a_large_number_is_one(office: Office) -> None:
    form = {"type": "object", "properties": {"number": {"type": "number"}}}
    task = {"title": "Count", "assignees": [{"kind": "user", "user": "ben"}], "form": form, "save_as": "count"}
    await office.shop.publish(passing(("count", "task", task), edges=ways("in -> count", "count -completed-> pass")))
    _, instance, request = await office.asked()
    odd: list[Any] = [{"text": "a\0b"}, {"text": "\ud800"}, {"text": object()}, {"number": float("nan")}, [1], "text"]
    for data in odd:
        async with office.acting("ben") as hold:
            with pytest.raises(InvalidInput) as problem:
                await hold.approvals.complete(request.id, data)
            assert problem.value.details["field"] == "data", data
    async with office.acting("ben") as hold:
        await hold.approvals.complete(request.id, {"number": 10**40})
    await office.shop.worker.drain()
    found = await office.shop.instance(instance)
    assert (found.status, found.context["count"]) == ("completed", {"number": 10**40})
    assert await office.shop.matches_its_steps(instance)


@pytest.mark.parametrize("text", ["context.amount > 1", "item.amount > 1", "payload.amount > 1"])
async def test_a_chain_cannot_ask_for_what_only_one_process_knows(office: Office, text: str) -> None:
    people = [{"kind": "user", "user": "ben"}]
    async with office.acting("ana") as hold:
        with pytest.raises(InvalidInput, match="stage 'one'"):
            await hold.chains.define("own", [{"name": "one", "approvers": people, "condition": text}])
        with pytest.raises(InvalidInput, match="stage 'one'"):
            by_rule = [{"kind": "rule", "expression": text.partition(" ")[0]}]
            await hold.chains.define("own", [{"name": "one", "approvers": by_rule}])


async def test_a_delegation_for_a_type_that_cannot_be_one_says_so(office: Office, holdfast_clock: FakeClock) -> None:
    ends_at = holdfast_clock.now() + timedelta(days=1)
    async with office.acting("ben") as hold:
        for entity_type in ("", "x" * 65, "a\0b"):
            with pytest.raises(InvalidInput) as caught:
                await hold.delegations.create("eve", ends_at=ends_at, entity_type=entity_type)
            assert caught.value.details["field"] == "entity_type"
