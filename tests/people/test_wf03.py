"""WF-03: approvals are pinned to a version and used up once. The database itself says no, to whoever asks."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import AsyncConnection

from holdfast.actions import Call
from holdfast.documents import Documents, Mutation
from holdfast.envelope.tokens import Settled, StepRecord
from holdfast.errors import Conflict, HoldfastError, StaleApproval
from holdfast.kernel.ids import uuid7
from holdfast.people import PeopleObserver
from holdfast.steps import DocumentRef, InstanceRef, StepsWritten
from people.office import FINANCE, SLOT, Office
from processes.shop import nodes, ways

DECIDE = """
INSERT INTO holdfast.approval_decisions
  (tenant, id, request_id, instance_id, step_key, entity_id, entity_version, content_hash, compiled_hash, decision,
   outcome, decided_by, seat, reason)
SELECT r.tenant, %(id)s, r.id, r.instance_id, r.step_key, r.entity_id, coalesce(%(version)s, r.entity_version),
       coalesce(%(hash)s, r.content_hash), coalesce(%(compiled)s, r.compiled_hash), %(decision)s, 'approved', %(by)s,
       coalesce(%(seat)s, %(by)s), %(reason)s
FROM holdfast.approval_requests r WHERE r.id = %(request)s
"""


@pytest.fixture
async def attacker(
    office: Office, intruder: AsyncConnection[dict[str, Any]], superuser: psycopg.Connection[Any]
) -> AsyncConnection[dict[str, Any]]:
    """The application role inside the tenant, writing SQL of its own, with more rights on decisions than it has."""
    superuser.execute(
        "GRANT INSERT, UPDATE (applied, applied_at, applied_by, voided_at, void_reason, changed_fields) "
        "ON holdfast.approval_decisions TO holdfast_app"
    )
    async with office.app.tenant("acme") as hold:
        await intruder.execute(f"SET holdfast.tenant = '{hold.tenant.id}'")
    return intruder


async def attack(attacker: AsyncConnection[dict[str, Any]], request: UUID, **values: Any) -> None:
    given = {"version": None, "hash": None, "compiled": None, "seat": None, "reason": None, "decision": "approved"}
    await attacker.execute(DECIDE, {**given, "id": uuid7(), "request": request, "by": "ben", **values})


def refused(state: str) -> Any:
    """Raises the SQLSTATE that is mapped to one of our errors."""
    return pytest.raises(psycopg.Error, check=lambda error: error.sqlstate == state)


async def test_wf03_the_database_refuses_decisions_that_must_not_be(
    office: Office, attacker: AsyncConnection[dict[str, Any]]
) -> None:
    await office.publish({**FINANCE, "required": "all"})
    async with office.app.tenant("acme") as hold:
        await hold.users.grant("ana", "finance_manager")
    _, _, request = await office.asked()
    for state, values in (
        ("HF003", {"version": 2}),
        ("HF003", {"hash": "0" * 64}),
        ("HF003", {"compiled": "0" * 64}),
        ("HF002", {"by": "ana"}),  # the requester
        ("HF002", {"by": "ben", "seat": "ana"}),
        ("HF002", {"by": "eve"}),  # a stranger
        ("HF002", {"by": "eve", "seat": "ben"}),  # who has no delegation
        ("23514", {"decision": "rejected"}),  # without a reason
    ):
        with refused(state):
            await attack(attacker, request.id, **values)
    await attack(attacker, request.id)
    with refused("23505"):
        await attack(attacker, request.id)


async def test_wf03_a_decision_never_changes_and_never_goes(
    office: Office, attacker: AsyncConnection[dict[str, Any]], superuser: psycopg.Connection[Any]
) -> None:
    await office.publish({**FINANCE, "required": "all"})
    _, _, request = await office.asked()
    await office.decide("ben", request)
    for statement in (
        "UPDATE holdfast.approval_decisions SET decision = 'rejected', reason = 'x'",
        "UPDATE holdfast.approval_decisions SET entity_version = 2",
        "UPDATE holdfast.approval_decisions SET decided_by = 'cat'",
        "DELETE FROM holdfast.approval_decisions",
        "TRUNCATE holdfast.approval_decisions",
        "DELETE FROM holdfast.approval_requests",
        "UPDATE holdfast.approval_requests SET entity_version = 2",
        "UPDATE holdfast.approval_requests SET four_eyes = false",
        "DELETE FROM holdfast.approval_assignees",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await attacker.execute(statement)
    # Not even whoever may update everything.
    for statement in (
        "UPDATE holdfast.approval_decisions SET decision = 'rejected', reason = 'x'",
        "UPDATE holdfast.approval_decisions SET content_hash = repeat('0', 64)",
        "UPDATE holdfast.approval_decisions SET applied = true, applied_at = now(), applied_by = 'x'",
        "UPDATE holdfast.approval_requests SET requester = 'eve'",
    ):
        with pytest.raises(psycopg.Error, match=r"never change|no outcome"):
            superuser.execute(statement)


async def test_wf03_a_request_cannot_be_closed_without_a_decision_nor_opened_again(
    office: Office, attacker: AsyncConnection[dict[str, Any]], superuser: psycopg.Connection[Any]
) -> None:
    await office.publish(FINANCE)
    _, _, request = await office.asked()
    closing = "UPDATE holdfast.approval_requests SET status = 'approved', outcome = 'approved', closed_at = now()"
    opening = "UPDATE holdfast.approval_requests SET status = 'open', closed_at = NULL, outcome = NULL"
    close = "SELECT holdfast.close_requests(jsonb_build_array(jsonb_build_object('id', %s::uuid, 'status', 'approved', "
    with refused("42501"):
        await attacker.execute(closing)
    with refused("HF001"):
        await attacker.execute(close + "'outcome', 'approved')), 'user:eve', now())", [request.id])
    with refused("HF001"):
        superuser.execute(closing)
    await office.decide("ben", request)
    with refused("42501"):
        await attacker.execute(opening)
    with refused("HF001"):
        superuser.execute(opening)
    with refused("HF001"):
        await attack(attacker, request.id, by="cat")


async def test_wf03_a_decision_is_applied_once(office: Office, attacker: AsyncConnection[dict[str, Any]]) -> None:
    await office.publish(FINANCE)
    document, _, request = await office.asked()
    await office.decide("ben", request)
    assert await office.status(document) == "active"
    for statement in (
        "UPDATE holdfast.approval_decisions SET applied = false, applied_at = NULL, applied_by = NULL",
        "UPDATE holdfast.approval_decisions SET applied_by = 'another gate'",
        "UPDATE holdfast.approval_decisions SET voided_at = now(), changed_fields = '{}'",
    ):
        with refused("HF003"):
            await attacker.execute(statement)


async def test_wf03_an_edit_voids_what_was_decided_and_names_the_fields(office: Office) -> None:
    await office.publish({**FINANCE, "required": "all"})
    document, instance, request = await office.asked()
    await office.decide("ben", request)
    async with office.acting("ana") as hold:
        amended = await hold.documents.update(document.id, {"grand_total": "99.00"})
    detail_requests = await office.requests(instance)
    (old,) = [each for each in detail_requests if each.id == request.id]
    assert (old.status, old.changed_fields) == ("voided", ["grand_total"])
    async with office.app.tenant("acme") as hold:
        (decision,) = (await hold.approvals.get(request.id)).decisions
        events = (await hold.audit.list(object_id=instance)).items
    assert decision.voided_at is not None
    assert decision.changed_fields == ["grand_total"]
    assert any(event.event_type == "approval.voided" and event.data["changed"] == ["grand_total"] for event in events)
    for name in ("cat", "dan"):
        with pytest.raises(StaleApproval, match="the document was changed"):
            await office.decide(name, request)
    await office.shop.worker.drain()
    async with office.app.tenant("acme") as hold:
        assert (await hold.documents.get(document.id)).doc_status == "amended"
        assert (await hold.processes.get(instance)).reason == "amended"
    assert amended.id != document.id


async def publish_with_a_step_behind(office: Office) -> None:
    """Between the approval and the gate is a step that waits for a worker."""
    post = {"id": "post", "type": "action", "run_as": "system", "config": {"action": "invoice.post"}}
    edges = ways("in -> ask", "ask -approved-> post", "ask -rejected-> out", "post -> out")
    patch = {"nodes": [*nodes(("ask", "approval", FINANCE)), post], "edges": edges, "exit_edge_mode": "join"}
    await office.shop.publish({SLOT: patch})


async def test_wf03_an_approval_made_before_an_edit_never_opens_the_gate(
    office: Office, attacker: AsyncConnection[dict[str, Any]]
) -> None:
    """The decision is made, but the worker has not come by yet, when the document is edited."""
    await publish_with_a_step_behind(office)
    document, instance, request = await office.asked()
    await office.decide("ben", request)
    async with office.acting("ana") as hold:
        await hold.documents.update(document.id, {"grand_total": "1000000.00"})
    assert await office.status(document) == "amended"
    async with office.app.tenant("acme") as hold:
        (decision,) = (await hold.approvals.get(request.id)).decisions
        assert not decision.applied
        assert (await hold.processes.get(instance)).status == "cancelled"
    with refused("HF003"):
        await attacker.execute(
            "UPDATE holdfast.approval_decisions SET applied = true, applied_at = now(), applied_by = 'x'"
        )


def change_behind_our_back(superuser: psycopg.Connection[Any], document: UUID) -> None:
    """A new version that nobody is told of."""
    version = uuid7()
    with superuser.transaction():
        superuser.execute(
            "INSERT INTO holdfast.entity_versions (tenant, id, entity_id, version, contract_version, doc_status, data, "
            "content_hash, created_by) SELECT tenant, %s, id, 2, 1, doc_status, '{}', repeat('0', 64), 'x' "
            "FROM holdfast.entities WHERE id = %s",
            [version, document],
        )
        superuser.execute(
            "UPDATE holdfast.entities SET entity_version = 2, content_hash = repeat('0', 64), data = '{}', "
            "version_id = %s WHERE id = %s",
            [version, document],
        )


async def test_wf03_content_changed_behind_our_back_is_noticed_by_whoever_decides(
    office: Office, superuser: psycopg.Connection[Any], attacker: AsyncConnection[dict[str, Any]]
) -> None:
    """The request is still open, because nobody withdrew it: no decision on it can be made any more."""
    await office.publish(FINANCE)
    document, _, request = await office.asked()
    change_behind_our_back(superuser, document.id)
    with pytest.raises(StaleApproval, match="has changed"):
        await office.decide("ben", request)
    with refused("HF003"):
        await attack(attacker, request.id)
    async with office.app.tenant("acme") as hold:
        assert (await hold.approvals.get(request.id)).decisions == []


async def test_wf03_an_edit_under_way_is_waited_for_by_whoever_decides(
    office: Office, superuser: psycopg.Connection[Any], attacker: AsyncConnection[dict[str, Any]]
) -> None:
    """An edit that has not been committed cannot slip in between the look and the commit of a decision."""
    await office.publish(FINANCE)
    document, _, request = await office.asked()
    with superuser.transaction():
        superuser.execute("SELECT FROM holdfast.entities WHERE id = %s FOR UPDATE", [document.id])
        await attacker.execute("SET lock_timeout = '50ms'")
        with refused("55P03"):
            await attack(attacker, request.id)
    await attack(attacker, request.id)


async def test_wf03_content_changed_behind_our_back_is_noticed_by_the_gate(
    office: Office, superuser: psycopg.Connection[Any], attacker: AsyncConnection[dict[str, Any]]
) -> None:
    """Even when nobody told the process: whoever writes versions directly cannot keep the approval."""
    await publish_with_a_step_behind(office)
    document, _, request = await office.asked()
    await office.decide("ben", request)
    change_behind_our_back(superuser, document.id)
    with refused("HF003"):
        await attacker.execute(
            "UPDATE holdfast.approval_decisions SET applied = true, applied_at = now(), applied_by = 'x'"
        )
    assert await office.status(document) != "active"
    async with office.app.tenant("acme") as hold:
        assert not (await hold.approvals.get(request.id)).decisions[0].applied


async def test_wf03_nobody_settles_a_step_around_the_people_who_are_asked(office: Office) -> None:
    await office.publish(FINANCE)
    document, instance, request = await office.asked()
    for happening in (
        Settled(request.token_id, "approved", key=request.step_key),
        Settled(request.token_id, "rejected", reason="no"),
    ):
        with pytest.raises(HoldfastError):
            async with office.acting("ana") as hold:
                await office.app.assembly.engine.happen(hold._tx, instance, happening, now=True)
        async with office.acting("ana") as hold:
            await office.app.assembly.engine.happen(hold._tx, instance, happening)
        assert await office.status(document) == "submitted"
    assert (await office.open_request(instance)).id == request.id
    with pytest.raises(HoldfastError):
        async with office.acting("ana") as hold:
            await hold.processes.advance(instance, "approved", expected_version=1)
    await office.decide("ben", request)
    assert await office.status(document) == "active"


async def test_nobody_answers_a_task_around_those_who_are_asked(office: Office) -> None:
    form = {"title": "Check", "assignees": [{"kind": "user", "user": "cat"}], "answers": ["done"]}
    await office.publish(form, kind="task", outcomes=("done",))
    _, instance, request = await office.asked()
    happening = Settled(request.token_id, "done", result={}, key=request.step_key)
    with pytest.raises(HoldfastError):
        async with office.acting("ana") as hold:
            await office.app.assembly.engine.happen(hold._tx, instance, happening, now=True)
    assert (await office.open_request(instance)).id == request.id


async def test_wf03_an_edit_and_a_decision_at_once_end_in_one_order_or_the_other(office: Office) -> None:
    await publish_with_a_step_behind(office)
    for _ in range(6):
        document, _, request = await office.asked()

        async def edit(document_id: UUID = document.id) -> None:
            async with office.acting("ana") as hold:
                await hold.documents.update(document_id, {"grand_total": "5.00"})

        async def decide(request_id: UUID = request.id) -> bool:
            try:
                await office.decide("ben", request_id)
            except Conflict:
                return False
            return True

        _, decided = await asyncio.gather(edit(), decide())
        assert await office.status(document) == "amended"
        async with office.app.tenant("acme") as hold:
            found = (await hold.approvals.get(request.id)).decisions
        assert len(found) == int(decided)
        assert all(each.voided_at is not None and not each.applied for each in found)


# Whoever decides may not call actions; the process does.
STAMP = {"id": "stamp", "type": "action", "run_as": "system", "config": {"action": "invoice.stamp"}}


async def test_wf03_what_the_process_writes_itself_does_not_make_its_approvals_stale(office: Office) -> None:
    @office.shop.action("invoice.stamp")
    async def stamp(call: Call, given: Any) -> None:
        documents = Documents(call.tx, office.app.assembly.cabinet())
        await documents.mutate(Mutation("update", document_id=call.document_id, changes={"posted": True}))

    await office.shop.publish(
        {
            SLOT: {
                "nodes": [*nodes(("ask", "approval", FINANCE)), STAMP],
                "edges": ways("in -> ask", "ask -approved-> stamp", "ask -rejected-> out", "stamp -> out"),
                "exit_edge_mode": "join",
            }
        }
    )
    document, _, request = await office.asked()
    await office.decide("ben", request)
    assert await office.status(document) == "active"
    async with office.app.tenant("acme") as hold:
        now = await hold.documents.get(document.id)
        (decision,) = (await hold.approvals.get(request.id)).decisions
    assert (now.entity_version, now.data["posted"], decision.applied) == (2, True, True)


async def test_wf03_who_is_still_being_asked_when_the_process_writes_is_asked_again(office: Office) -> None:
    @office.shop.action("invoice.stamp")
    async def stamp(call: Call, given: Any) -> None:
        documents = Documents(call.tx, office.app.assembly.cabinet())
        await documents.mutate(Mutation("update", document_id=call.document_id, changes={"posted": True}))

    form = {"title": "Check", "assignees": [{"kind": "user", "user": "cat"}]}
    await office.shop.publish(
        {
            SLOT: {
                "nodes": [
                    *nodes(
                        ("both", "parallel_split", {}),
                        ("ask", "approval", {"approvers": [{"kind": "user", "user": "ben"}]}),
                        ("check", "task", form),
                        ("agreed", "parallel_join", {"mode": "all"}),
                    ),
                    STAMP,
                ],
                "edges": ways(
                    "in -> both",
                    "both -> ask",
                    "both -> check",
                    "check -completed-> stamp",
                    "stamp -> agreed",
                    "ask -approved-> agreed",
                    "ask -rejected-> agreed",
                    "agreed -> out",
                ),
            }
        }
    )
    document = await office.shop.invoice()
    instance = await office.shop.submit(document)
    await office.shop.worker.drain()
    asked = {request.kind: request for request in await office.requests(instance)}
    async with office.acting("cat") as hold:
        await hold.approvals.complete(asked["task"].id, {})
    await office.shop.worker.drain()
    with pytest.raises(Conflict):
        await office.decide("ben", asked["approval"])
    again = await office.open_request(instance)
    assert (asked["approval"].entity_version, again.entity_version) == (1, 2)
    async with office.acting("ben") as hold:
        assert (await hold.approvals.document(again.id)).data["posted"] is True
    await office.decide("ben", again)
    assert await office.status(document) == "active"


async def test_wf03_two_gates_cannot_use_one_decision(office: Office) -> None:
    await office.publish(FINANCE)
    document, instance, request = await office.asked()
    await office.decide("ben", request)
    assert await office.status(document) == "active"
    with pytest.raises(StaleApproval, match="cannot use a decision"):
        async with office.app.tenant("acme") as hold:
            case = await hold.processes.get(instance)
            record = _gate(request.step_key)
            await PeopleObserver().steps_written(hold._tx, [StepsWritten(_ref(case), _document(case), [record])])


def _gate(key: str) -> Any:

    return StepRecord(
        99,
        "f" * 64,
        "sys:gate:approve",
        "lifecycle_gate",
        "main",
        1,
        "completed",
        "approved",
        "",
        {},
        {"applied": [key]},
    )


def _ref(case: Any) -> Any:
    return InstanceRef(
        case.id, case.entity_type, case.document_id, case.definition_id, 1, case.compiled_hash, "user:ana"
    )


def _document(case: Any) -> Any:
    return DocumentRef(case.entity_type, case.document_id, 1)
