"""The invariants of the contracted envelope that the engine keeps, one test each, on a real Postgres."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import psycopg
import pytest

from harness.waiting import kept_waiting
from holdfast.actions import Call
from holdfast.envelope.tokens import Settled, event_key, step_key
from holdfast.errors import ProjectionBehind
from processes.shop import Shop, passing, ways

Given = tuple[str, str, dict[str, Any]]
BRANCHES: list[Given] = [("split", "parallel_split", {}), ("a", "ask", {}), ("b", "ask", {})]
WAYS = ways("in -> split", "split -> a", "split -> b", "a -> join", "b -> join", "join -> pass")


def split(mode: str) -> dict[str, Any]:
    """Two branches that wait, and a join."""
    return passing(*BRANCHES, ("join", "parallel_join", {"mode": mode}), edges=WAYS)


async def test_wf01_one_writer_for_an_instance(shop: Shop, superuser: psycopg.Connection[Any]) -> None:
    await shop.publish(passing(("q", "ask", {}), edges=ways("in -> q", "q -> pass")))
    instance = await shop.submit(await shop.invoice())
    held, entered = asyncio.Event(), asyncio.Event()

    async def hold_the_lock() -> None:
        async with shop.app.tenant("acme") as hold:
            await hold.connection.execute("SELECT holdfast.lock_instance(%s)", [instance])
            entered.set()
            await held.wait()

    holding = asyncio.create_task(hold_the_lock())
    await entered.wait()
    answering = asyncio.create_task(shop.answer(shop.asked[0]))
    await kept_waiting(superuser)
    assert not answering.done()
    held.set()
    await holding
    assert (await answering).status == "completed"


async def test_wf01_one_of_many_answers_wins(shop: Shop) -> None:
    await shop.publish(passing(("q", "ask", {}), edges=ways("in -> q", "q -> pass")))
    instance = await shop.submit(await shop.invoice())
    ask = shop.asked[0]
    done = await asyncio.gather(*(shop.answer(ask) for _ in range(32)))
    assert sorted(each.result for each in done) == ["advanced"] + ["ignored"] * 31
    trail = await shop.trail(instance)
    assert len(trail) == len(set(trail))
    assert (await shop.instance(instance)).status == "completed"
    assert await shop.matches_its_steps(instance)


async def test_wf02_a_step_is_done_once_for_each_token_and_version(shop: Shop) -> None:
    await shop.publish(
        passing(("post", "action", {"action": "invoice.post"}), edges=ways("in -> post", "post -> pass"))
    )
    instance = await shop.submit(await shop.invoice())
    async with shop.app.tenant("acme") as hold:
        cursor = await hold.connection.execute(
            "SELECT idempotency_key, step_execution_id FROM holdfast.workflow_step_receipts WHERE instance_id = %s",
            [instance],
        )
        receipts = dict(await cursor.fetchall())
    steps = await shop.steps(instance)
    expected = {step_key(str(instance), step.node_id, step.token_id, step.entity_version): step.id for step in steps}
    assert receipts == expected


async def test_wf02_a_projection_that_lags_cannot_repeat_a_step(shop: Shop, superuser: psycopg.Connection[Any]) -> None:
    await shop.publish(
        passing(
            ("q", "ask", {}),
            ("post", "action", {"action": "invoice.post"}),
            edges=ways("in -> q", "q -> post", "post -> pass"),
        )
    )
    instance = await shop.submit(await shop.invoice())
    columns = "status, state, active_tokens, current_nodes, completed_at, doc_status"
    superuser.execute(
        f"CREATE TABLE kept AS SELECT id, {columns} FROM holdfast.workflow_instances WHERE id = %s", [instance]
    )
    await shop.answer(shop.asked[0])
    assert len(shop.posted) == 1
    superuser.execute("ALTER TABLE holdfast.workflow_instances DISABLE TRIGGER USER")
    superuser.execute(
        f"UPDATE holdfast.workflow_instances i SET ({columns}) = (SELECT {columns} FROM kept) WHERE i.id = %s",
        [instance],
    )
    with pytest.raises(ProjectionBehind):
        await shop.answer(shop.asked[0])
    assert len(shop.posted) == 1
    async with shop.app.tenant("acme", actor="ana") as hold:
        rebuilt = await hold.processes.repair.rebuild_projection(instance)
        assert "tokens" in rebuilt.differed
    assert (await shop.instance(instance)).status == "completed"
    assert await shop.matches_its_steps(instance)


async def test_wf05_drift_in_a_stable_region_leads_to_an_amendment(
    shop: Shop, superuser: psycopg.Connection[Any]
) -> None:
    await shop.publish(passing(("q", "ask", {}), edges=ways("in -> q", "q -> pass")))
    made = await shop.invoice()
    instance = await shop.submit(made)
    # The document changes behind the back of mutate(), as one that lives in a user's own table might.
    superuser.execute("SET session_replication_role = replica")
    superuser.execute(
        "UPDATE holdfast.entities SET entity_version = 2 WHERE id = %s",
        [made.id],
    )
    superuser.execute("SET session_replication_role = origin")
    done = await shop.answer(shop.asked[0])
    assert done.result == "amended"
    ended = await shop.instance(instance)
    assert (ended.status, ended.reason) == ("cancelled", "amended")
    assert ended.context["cancel_reason"] == "amended"
    async with shop.app.tenant("acme") as hold:
        again = await hold.processes.of_document(made.id)
    assert again.id != instance
    assert again.doc_status == "amended"
    assert again.status == "running"


async def test_wf05_edit_in_a_stable_region_starts_over_with_a_new_document(shop: Shop) -> None:
    await shop.publish(passing(("q", "ask", {}), edges=ways("in -> q", "q -> pass")))
    made = await shop.invoice()
    instance = await shop.submit(made)
    async with shop.app.tenant("acme", actor="ana") as hold:
        new = await hold.documents.update(made.id, {"grand_total": "1.00"})
        assert new.id != made.id
        assert new.amended_from_id == made.id
        again = await hold.processes.of_document(new.id)
    assert (await shop.instance(instance)).reason == "amended"
    assert again.doc_status == "amended"
    # The answer to what was asked about the old document comes too late.
    assert (await shop.answer(shop.asked[0])).result == "ignored"


async def test_wf09_nothing_is_done_without_a_row_that_says_so(shop: Shop) -> None:
    seen: list[tuple[str, str]] = []

    @shop.action("invoice.look")
    async def look(call: Call, given: Any) -> None:
        cursor = await call.tx.connection.execute(
            "SELECT node_type, status FROM holdfast.workflow_step_executions WHERE id = %s", [call.step]
        )
        seen.extend(await cursor.fetchall())

    await shop.publish(
        passing(("look", "action", {"action": "invoice.look"}), edges=ways("in -> look", "look -> pass"))
    )
    await shop.submit(await shop.invoice())
    assert seen == [("action", "running")]


async def test_wf11_an_event_posted_twice_happens_once(shop: Shop) -> None:
    await shop.publish(passing(("q", "ask", {}), edges=ways("in -> q", "q -> pass")))
    instance = await shop.submit(await shop.invoice())
    for _ in range(3):
        await shop.answer(shop.asked[0], now=False)
    async with shop.app.tenant("acme") as hold:
        cursor = await hold.connection.execute(
            "SELECT event_idempotency_key, payload_json, entity_version FROM holdfast.workflow_events_outbox "
            "WHERE instance_id = %s AND event_type = 'advance'",
            [instance],
        )
        rows = await cursor.fetchall()
    assert len(rows) == 1
    assert rows[0][0] == event_key(str(instance), "advance", rows[0][1], rows[0][2])
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"


async def test_wf11_keys_made_by_postgres_are_those_of_the_core(shop: Shop) -> None:
    await shop.publish(passing(("wait", "wait_timer", {"duration": "1h"}), edges=ways("in -> wait", "wait -> pass")))
    instance = await shop.submit(await shop.invoice())
    shop.app.clock.advance(3601)  # type: ignore[attr-defined]
    await shop.worker.drain()
    async with shop.app.tenant("acme") as hold:
        cursor = await hold.connection.execute(
            "SELECT event_idempotency_key, payload_json, entity_version FROM holdfast.workflow_events_outbox "
            "WHERE instance_id = %s AND event_type = 'on_timer'",
            [instance],
        )
        [(key, payload, version)] = await cursor.fetchall()
    assert key == event_key(str(instance), "on_timer", payload, version)
    assert (await shop.instance(instance)).status == "completed"


async def test_wf14_no_handler_runs_without_its_receipt(shop: Shop, superuser: psycopg.Connection[Any]) -> None:
    await shop.publish(
        passing(
            ("q", "ask", {}),
            ("post", "action", {"action": "invoice.post"}),
            edges=ways("in -> q", "q -> post", "post -> pass"),
        )
    )
    instance = await shop.submit(await shop.invoice())
    # Somebody else has the receipt of the very step that comes next.
    key = step_key(str(instance), "usr:slot:submitted_to_approved:post", "main", 1)
    superuser.execute(
        "INSERT INTO holdfast.workflow_step_receipts (tenant, instance_id, idempotency_key, step_execution_id) "
        "SELECT tenant, id, %s, gen_random_uuid() FROM holdfast.workflow_instances WHERE id = %s",
        [key, instance],
    )
    with pytest.raises(ProjectionBehind):
        await shop.answer(shop.asked[0])
    assert shop.posted == []
    assert ("post", "running", None) not in await shop.trail(instance)


async def test_wf15_the_projection_follows_from_the_steps(shop: Shop, superuser: psycopg.Connection[Any]) -> None:
    await shop.publish(
        passing(
            ("each", "for_each", {"items": "entity.lines", "mode": "parallel", "body": BODY, "save_as": "results"}),
            *BRANCHES,
            ("join", "parallel_join", {}),
            edges=[*ways("in -> each", "each -> split"), *WAYS[1:]],
        )
    )
    instance = await shop.submit(await shop.invoice(lines=[{"sku": "a"}, {"sku": "b"}]))
    for _ in range(10):
        assert await shop.matches_its_steps(instance)
        if not shop.asked:
            break
        await shop.answer(shop.asked.pop(0), result={"ok": True})
    live = await shop.position(instance)
    assert live.status == "completed"
    superuser.execute("ALTER TABLE holdfast.workflow_instances DISABLE TRIGGER USER")
    superuser.execute(
        "UPDATE holdfast.workflow_instances SET state = '{}', active_tokens = '[]', current_nodes = '{nowhere}' "
        "WHERE id = %s",
        [instance],
    )
    superuser.execute("ALTER TABLE holdfast.workflow_instances ENABLE TRIGGER USER")
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.repair.rebuild_projection(instance)
    assert await shop.position(instance) == live


BODY = {
    "nodes": [{"id": "q", "type": "ask", "config": {}}],
    "edges": [{"source": "in", "target": "q"}, {"source": "q", "target": "out"}],
}


@pytest.mark.parametrize("mode", ["any", "all"])
async def test_wf16_a_join_fires_once(shop: Shop, mode: str) -> None:
    await shop.publish(split(mode))
    instance = await shop.submit(await shop.invoice())
    first, second = shop.asked
    done = await asyncio.gather(shop.answer(first), shop.answer(second))
    results = sorted(each.result for each in done)
    assert results == (["advanced", "ignored"] if mode == "any" else ["advanced", "advanced"])
    joins = [step for step in await shop.trail(instance) if step[0] == "join"]
    assert joins.count(("join", "completed", "completed")) == 1
    lost = [step for step in await shop.trail(instance) if step[1] == "cancelled"]
    assert len(lost) == (1 if mode == "any" else 0)
    async with shop.app.tenant("acme") as hold:
        cursor = await hold.connection.execute(
            "SELECT count(*) FROM holdfast.workflow_step_executions s JOIN holdfast.workflow_step_receipts r "
            "ON r.instance_id = s.instance_id AND r.idempotency_key = s.join_key WHERE s.instance_id = %s",
            [instance],
        )
        assert await cursor.fetchone() == (1,)
    assert (await shop.instance(instance)).status == "completed"
    assert await shop.matches_its_steps(instance)


async def test_a_late_answer_to_a_cancelled_branch_is_ignored(shop: Shop) -> None:
    await shop.publish(split("any"))
    instance: UUID = await shop.submit(await shop.invoice())
    first, second = shop.asked
    await shop.answer(first)
    late = Settled(second.effect.token, "completed", key=second.effect.step)
    assert (await shop.happen(instance, late)).result == "ignored"
