"""Documents in the hands of their processes: edit windows, amendments and locks, with every worker stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import psycopg
import pytest

from harness.waiting import held_up, until
from holdfast import Conflict, Holdfast
from holdfast.actions import Call
from holdfast.documents import Document, Documents, Operation
from holdfast.envelope import Contract
from holdfast.errors import EditLocked, Forbidden, NotFound, RuleRejected
from processes.shop import Shop, nodes, passing, ways


async def state(app: Holdfast, document_id: UUID) -> tuple[Document, str]:
    async with app.tenant("acme", actor="ana") as hold:
        return await hold.documents.get(document_id), (await hold.processes.of_document(document_id)).status


WAIT = passing(("wait", "ask", {}), edges=ways("wait -completed> pass", "wait -refused> pass", "wait -error> pass"))
POST = {
    "slot:approved_to_active": {
        "nodes": nodes(("hold", "ask", {}), ("post", "action", {"action": "invoice.number"})),
        "edges": ways("hold -completed> post", "hold -refused> post", "hold -error> post"),
    }
}


async def test_wf05_an_edit_in_a_stable_region_becomes_an_amendment(shop: Shop) -> None:
    await shop.publish(WAIT)
    made = await shop.invoice()
    instance = await shop.submit(made)
    async with shop.app.tenant("acme", actor="ana") as hold:
        new = await hold.documents.update(made.id, {"grand_total": "1.00"}, reason="wrong")
    old, status = await state(shop.app, made.id)
    assert (old.doc_status, old.amended_to_id, status) == ("amended", new.id, "cancelled")
    assert (await shop.instance(instance)).reason == "amended"
    assert new.data["grand_total"] == "1.00"
    again, running = await state(shop.app, new.id)
    assert (again.doc_status, running) == ("amended", "running")
    # The old process is over: what it waited for cannot move anything any more.
    assert (await shop.answer(shop.asked[0])).result == "ignored"
    assert (await state(shop.app, made.id))[0].doc_status == "amended"


async def test_a_transition_that_is_not_possible_tells_all_that_are(shop: Shop) -> None:
    await shop.publish(WAIT)
    made = await shop.invoice()
    async with shop.app.tenant("acme", actor="ana") as hold:
        with pytest.raises(Conflict) as in_draft:
            await hold.documents.transition(made.id, "approve")
    await shop.submit(made)
    async with shop.app.tenant("acme", actor="ana") as hold:
        with pytest.raises(Conflict) as on_its_way:
            await hold.documents.transition(made.id, "submit")
    assert in_draft.value.hint == "possible now: cancel, submit"
    assert on_its_way.value.hint == "possible now: cancel"


async def test_an_amended_document_goes_through_everything_again(shop: Shop) -> None:
    await shop.publish(WAIT)
    made = await shop.invoice()
    await shop.submit(made)
    async with shop.app.tenant("acme", actor="ana") as hold:
        new = await hold.documents.amend(made.id, {"grand_total": "1.00"})
        edited = await hold.documents.update(new.id, {"vendor": "other"})
        assert (edited.id, edited.entity_version) == (new.id, 2)
        await hold.documents.transition(new.id, "submit")
    await shop.worker.drain()
    assert len(shop.asked) == 2
    await shop.answer(shop.asked[1])
    assert (await state(shop.app, new.id)) == ((await state(shop.app, new.id))[0], "completed")
    assert (await state(shop.app, new.id))[0].doc_status == "active"


async def test_a_locked_document_stays_locked_with_every_worker_stopped(shop: Shop) -> None:
    made = await shop.invoice()
    await shop.publish({**WAIT, **POST})
    async with shop.app.tenant("acme", actor="ana") as hold:
        second = await hold.documents.create("invoice", {"number": "8"})
        await hold.documents.transition(second.id, "submit")
    await shop.worker.drain()
    await shop.answer(shop.asked[0])
    # No worker runs from now on. The process stands in the slot behind the gate, whose window is locked.
    async with shop.app.tenant("acme", actor="ana") as hold:
        instance = await hold.processes.of_document(second.id)
        assert (instance.edit_window, instance.status) == ("locked", "running")
    with pytest.raises(EditLocked) as caught:
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.documents.update(second.id, {"number": "9"})
    assert caught.value.code == "WORKFLOW_EDIT_LOCKED"
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert (await hold.documents.update(made.id, {"number": "10"})).entity_version == 2


async def test_the_window_is_that_of_the_document_when_the_process_is_over(shop: Shop) -> None:
    await shop.publish(passing(edges=ways("in -> pass")))
    made = await shop.invoice()
    await shop.submit(made)
    document, status = await state(shop.app, made.id)
    assert (document.doc_status, status) == ("active", "completed")
    with pytest.raises(EditLocked, match="amend it"):
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.documents.update(made.id, {"number": "9"})
    async with shop.app.tenant("acme", actor="ana") as hold:
        new = await hold.documents.amend(made.id, {"number": "9"})
        assert new.amended_from_id == made.id
    assert (await state(shop.app, new.id))[1] == "running"


async def test_an_edit_of_a_draft_lets_the_process_go_on(shop: Shop) -> None:
    made = await shop.invoice()
    async with shop.app.tenant("acme", actor="ana") as hold:
        before = await hold.processes.of_document(made.id)
        await hold.documents.update(made.id, {"number": "9"})
        after = await hold.processes.of_document(made.id)
    assert (after.id, after.status) == (before.id, "running")
    await shop.publish(WAIT)
    await shop.submit(made)
    assert (await state(shop.app, made.id))[0].doc_status in ("submitted", "active")


async def test_deleting_a_draft_cancels_its_process(shop: Shop) -> None:
    made = await shop.invoice()
    async with shop.app.tenant("acme", actor="ana") as hold:
        instance = await hold.processes.of_document(made.id)
        await hold.documents.delete(made.id, reason="twice")
    assert (await shop.instance(instance.id)).status == "cancelled"


async def test_an_organisation_may_lock_what_the_vendor_leaves_open(shop: Shop) -> None:
    patch: dict[str, Any] = {
        "nodes": nodes(("wait", "ask", {})),
        "edges": ways("wait -completed> out", "wait -refused> out", "wait -error> out"),
        "exit_edge_mode": "join",
        "edit_window_override": "locked",
    }
    await shop.publish({"slot:draft_to_submit": patch})
    made = await shop.invoice()
    await shop.submit(made)
    with pytest.raises(EditLocked):
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.documents.update(made.id, {"number": "9"})


async def test_an_edit_and_an_advance_of_one_document_never_wait_in_a_circle(shop: Shop) -> None:
    """Many edits, submissions and answers of the same documents at once: each either happens or is refused."""
    await shop.publish(WAIT)
    documents = [await shop.invoice(number=str(n)) for n in range(3)]

    async def disturb(document: Document, turn: int) -> str:
        try:
            async with shop.app.tenant("acme", actor="ana") as hold:
                if turn % 3 == 0:
                    await hold.documents.transition(document.id, "submit")
                else:
                    await hold.documents.update(document.id, {"vendor": f"v{turn}"})
        except Conflict:
            return "refused"
        return "done"

    outcomes = await asyncio.gather(*(disturb(document, turn) for turn in range(8) for document in documents))
    assert set(outcomes) <= {"done", "refused"}
    for document in documents:
        found, _ = await state(shop.app, document.id)
        last = found.amended_to_id or found.id
        async with shop.app.tenant("acme", actor="ana") as hold:
            instance = await hold.processes.of_document(last)
            versions = (await hold.documents.versions(last)).items
            assert [each.version for each in versions] == list(range(len(versions), 0, -1))
            assert (await hold.documents.get(last)).content_hash == versions[0].content_hash
        assert await shop.matches_its_steps(instance.id)


async def test_the_process_is_held_before_the_row(
    shop: Shop, holdfast_dsn: str, superuser: psycopg.Connection[Any]
) -> None:
    """Whoever advances the process keeps editors waiting; their edit then meets the process where it has come to."""
    await shop.publish(WAIT)
    made = await shop.invoice()
    async with shop.app.tenant("acme", actor="ana") as hold:
        instance = await hold.processes.of_document(made.id)

    async def edit() -> Document:
        async with shop.app.tenant("acme", actor="ana") as hold:
            return await hold.documents.update(made.id, {"number": "9"})

    async with shop.app.tenant("acme", actor="ana") as advancing:
        await advancing.documents.transition(made.id, "submit")
        editing = asyncio.create_task(edit())
        waiting = (
            "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted "
            "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
        await until(lambda: superuser.execute(waiting).rowcount)
        assert not editing.done()
    new = await editing
    assert new.amended_from_id == made.id
    assert (await shop.instance(instance.id)).status == "cancelled"


async def test_the_trace_leads_from_the_change_to_the_step(shop: Shop) -> None:
    trace = "0af7651916cd43dd8448eb211c80319c"
    async with shop.app.tenant("acme", actor="ana") as hold:
        made = await hold.documents.create("invoice", {"number": "1"}, trace_id=trace)
    await shop.worker.drain()
    async with shop.app.tenant("acme", actor="ana") as hold:
        instance = await hold.processes.of_document(made.id)
        cursor = await hold.connection.execute(
            "SELECT DISTINCT trace_id FROM holdfast.workflow_step_executions WHERE instance_id = %s", [instance.id]
        )
        assert await cursor.fetchall() == [(trace,)]


async def test_a_rule_kept_with_documents_decides_in_a_process(shop: Shop) -> None:
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.rules.put(
            "big", "invoice", timing="after", effect="note", operations=["delete"], condition='entity.vendor == "big"'
        )
    edges = ways(
        "big -matched> wait",
        "big -not_matched> pass",
        "big -error> pass",
        "wait -completed> pass",
        "wait -refused> pass",
        "wait -error> pass",
    )
    await shop.publish(passing(("big", "rule", {"rule": "big"}), ("wait", "ask", {}), edges=edges))
    small = await shop.invoice(vendor="small")
    await shop.submit(small)
    assert (await state(shop.app, small.id))[0].doc_status == "active"
    big = await shop.invoice(vendor="big")
    instance = await shop.submit(big)
    assert (await state(shop.app, big.id))[0].doc_status == "submitted"
    step = next(each for each in await shop.steps(instance) if each.node_type == "rule")
    assert step.outcome == "matched"
    assert "because" in str(step.output)


async def step_that(shop: Shop, act: Any) -> Document:
    """A document whose process, behind its gate, calls an action that does something to documents."""

    @shop.action("invoice.number")
    async def number(call: Call, given: Any) -> None:
        await act(Documents(call.tx, shop.app.assembly.cabinet()), call)

    behind = {
        "slot:approved_to_active": {
            "nodes": nodes(("post", "action", {"action": "invoice.number"})),
            "edges": ways("post -> out"),
        }
    }
    await shop.publish({**passing(edges=ways("in -> pass")), **behind})
    made = await shop.invoice()
    await shop.submit(made)
    return made


async def test_a_step_may_write_its_own_document_where_nobody_else_may(shop: Shop) -> None:
    async def write(documents: Documents, call: Call) -> None:
        assert call.document_id is not None
        await documents.update(call.document_id, {"number": "posted"})

    made = await step_that(shop, write)
    found, status = await state(shop.app, made.id)
    assert (found.data["number"], found.doc_status, status) == ("posted", "active", "completed")
    async with shop.app.tenant("acme", actor="ana") as hold:
        instance = await hold.processes.of_document(made.id)
        assert (await hold.documents.version(made.id, 2)).instance_id == instance.id


async def test_a_step_may_not_write_another_locked_document(shop: Shop) -> None:
    await shop.publish({**passing(edges=ways("in -> pass")), **POST})
    other = await shop.invoice()
    instance = await shop.submit(other)
    assert ((await shop.instance(instance)).status, (await shop.instance(instance)).edit_window) == (
        "running",
        "locked",
    )

    async def write(documents: Documents, call: Call) -> None:
        await documents.update(other.id, {"number": "stolen"})

    made = await step_that(shop, write)
    assert (await state(shop.app, made.id))[1] == "paused"
    assert (await state(shop.app, other.id))[0].data["number"] == other.data["number"]


async def test_a_step_does_not_move_amend_or_delete_its_own_document(shop: Shop) -> None:
    refused: list[str] = []

    async def meddle(documents: Documents, call: Call) -> None:
        own = call.document_id
        assert own is not None
        attempts: tuple[Callable[[], Awaitable[Document]], ...] = (
            lambda: documents.transition(own, "cancel"),
            lambda: documents.amend(own, {"number": "1"}),
            lambda: documents.delete(own),
        )
        for attempt in attempts:
            with pytest.raises(Conflict, match="of its own process") as caught:
                await attempt()
            refused.append(str(caught.value))

    made = await step_that(shop, meddle)
    assert len(refused) == 3
    assert (await state(shop.app, made.id))[1] == "completed"


async def test_no_process_begins_for_a_document_that_was_deleted_before_the_worker_came(shop: Shop) -> None:
    async with shop.app.tenant("acme", actor="ana") as hold:
        made = await hold.documents.create("invoice", {"number": "7"})
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.documents.delete(made.id)
    await shop.worker.drain()
    async with shop.app.tenant("acme", actor="ana") as hold:
        with pytest.raises(NotFound, match="no process"):
            await hold.processes.of_document(made.id)
        with pytest.raises(NotFound):
            await hold.processes.start("invoice", document_id=made.id)


async def test_a_worker_waits_for_whoever_is_deleting_the_document(
    shop: Shop, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    async with shop.app.tenant("acme", actor="ana") as hold:
        made = await hold.documents.create("invoice", {"number": "7"})
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.documents.delete(made.id)
        draining = asyncio.create_task(shop.worker.drain())
        await until(lambda: draining.done() or held_up(superuser))
    await draining
    async with shop.app.tenant("acme", actor="ana") as hold:
        with pytest.raises(NotFound, match="no process"):
            await hold.processes.of_document(made.id)


async def test_a_process_is_not_started_for_a_document_of_another_type(shop: Shop) -> None:
    shop.app.contracts.add(Contract(entity_type="note", document={"type": "object"}))
    async with shop.app.tenant("acme", actor="ana") as hold:
        note = await hold.documents.create("note", {})
        with pytest.raises(NotFound, match="no invoice"):
            await hold.processes.start("invoice", document_id=note.id)


async def test_whoever_names_the_process_meets_the_same_roles_as_whoever_names_the_document(shop: Shop) -> None:
    made = await shop.invoice()
    async with shop.app.tenant("acme") as hold:
        await hold.configure(settings={"document_roles": {"invoice": {"transition": ["controller"]}}})
    async with shop.app.tenant("acme", actor="ana") as hold:
        instance = await hold.processes.of_document(made.id)
        with pytest.raises(Forbidden, match="transition"):
            await hold.documents.transition(made.id, "submit")
        with pytest.raises(Forbidden, match="transition"):
            await hold.processes.advance(instance.id, "submit")
        with pytest.raises(Forbidden, match="transition"):
            await hold.processes.advance(instance.id, "cancel")
    assert (await state(shop.app, made.id))[0].doc_status == "draft"


async def test_and_the_same_rules(shop: Shop) -> None:
    made = await shop.invoice()
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.rules.put(
            "has-a-vendor",
            "invoice",
            timing="before",
            effect="reject",
            operations=["transition"],
            condition='payload.transition == "submit" && entity.vendor == ""',
        )
        await hold.rules.put(
            "tell",
            "invoice",
            timing="after",
            effect="emit",
            operations=["transition"],
            condition='payload.status == "submitted"',
            config={"event_key": "submitted:{entity.number}"},
        )
        made = await hold.documents.update(made.id, {"vendor": ""})
        instance = await hold.processes.of_document(made.id)
    with pytest.raises(RuleRejected):
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.processes.advance(instance.id, "submit", expected_version=instance.version)
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.documents.update(made.id, {"vendor": "acme"})
        done = await hold.processes.advance(instance.id, "submit", {"note": "now"})
        assert (done.result, done.status) == ("advanced", "running")
        found = {each.rule_name: each.matched for each in await hold.rules.executions(made.id, limit=2)}
    assert found == {"has-a-vendor": False, "tell": True}
    await shop.worker.drain()
    async with shop.app.tenant("acme") as hold:
        cursor = await hold.connection.execute("SELECT event_key FROM holdfast.workflow_inbound_events")
        assert await cursor.fetchall() == [("submitted:7",)]
    assert await shop.matches_its_steps(instance.id)


async def test_beginning_a_process_anew_is_no_way_to_open_a_locked_document(shop: Shop) -> None:
    await shop.publish(passing(edges=ways("in -> pass")))
    made = await shop.invoice()
    instance = await shop.submit(made)
    await shop.worker.drain()
    assert (await shop.instance(instance)).doc_status == "active"
    with pytest.raises(Conflict, match="active"):
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.processes.start("invoice", document_id=made.id)
    with pytest.raises(EditLocked):
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.documents.update(made.id, {"grand_total": "1.00"})
    assert (await state(shop.app, made.id))[0].doc_status == "active"


async def test_to_begin_anew_what_was_given_up_on_the_way_is_for_operators(shop: Shop) -> None:
    await shop.publish(WAIT)
    made = await shop.invoice()
    instance = await shop.submit(made)
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.users.create("eve", roles=["author"])
        await hold.processes.cancel(instance, reason="stuck")
    with pytest.raises(Forbidden):
        async with shop.app.tenant("acme", actor="eve") as hold:
            await hold.processes.start("invoice", document_id=made.id)
    async with shop.app.tenant("acme", actor="ana") as hold:
        again = await hold.processes.start("invoice", document_id=made.id)
        assert (again.status, again.doc_status) == ("running", "draft")


async def test_whoever_may_not_amend_does_not_amend_by_an_update(shop: Shop) -> None:
    await shop.publish(WAIT)
    made = await shop.invoice()
    await shop.submit(made)
    async with shop.app.tenant("acme") as hold:
        await hold.configure(settings={"document_roles": {"invoice": {"amend": ["controller"]}}})
    for attempt in ("update", "amend"):
        with pytest.raises(Forbidden, match="amend"):
            async with shop.app.tenant("acme", actor="ana") as hold:
                await getattr(hold.documents, attempt)(made.id, {"number": "8"})
    assert (await state(shop.app, made.id))[0].doc_status == "submitted"


@pytest.mark.parametrize("attempt", ["update", "amend"])
@pytest.mark.parametrize("operation", ["update", "amend"])
async def test_an_amendment_is_an_edit_that_the_rules_of_both_look_at(
    shop: Shop, attempt: str, operation: Operation
) -> None:
    await shop.publish(WAIT)
    made = await shop.invoice()
    await shop.submit(made)
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.rules.put(
            "not-eight", "invoice", timing="before", effect="reject", operations=[operation],
            condition='entity.number == "8"',
        )  # fmt: skip
    with pytest.raises(RuleRejected):
        async with shop.app.tenant("acme", actor="ana") as hold:
            await getattr(hold.documents, attempt)(made.id, {"number": "8"})
    async with shop.app.tenant("acme", actor="ana") as hold:
        new = await getattr(hold.documents, attempt)(made.id, {"number": "9"})
    assert new.amended_from_id == made.id
