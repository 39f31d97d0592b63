"""Transactions that wait for each other: Postgres undoes one, and its event is given back at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from harness.waiting import kept_waiting, until
from holdfast import Holdfast
from holdfast.actions import Call
from holdfast.documents import Document
from holdfast.errors import DatabaseUnreachable
from holdfast.testing import FakeClock
from processes.shop import Shop, nodes, passing, ways

LOCK = b"SELECT FROM holdfast.entities WHERE id = %s FOR UPDATE"
HELD = "SELECT status, attempts, lease_until FROM holdfast.workflow_events_outbox WHERE event_type = 'take_step'"
CROSSING = passing(
    ("wait", "wait_event", {"event_key": "go"}),
    ("cross", "action", {"action": "invoice.cross"}),
    edges=ways("in -> wait", "wait -> cross", "cross -> pass"),
)


async def waiting(shop: Shop, number: int) -> tuple[list[Document], list[UUID]]:
    """Invoices whose processes wait for the event `go`, and cross when it comes."""
    await shop.publish(CROSSING)
    made = [await shop.invoice(number=str(n)) for n in range(number)]
    return made, [await shop.submit(each) for each in made]


@pytest.mark.parametrize("together", [1, 3], ids=["alone", "in a batch"])
async def test_event_that_loses_to_a_deadlock_is_done_right_after_it(
    shop: Shop, superuser: psycopg.Connection[Any], holdfast_dsn: str, holdfast_clock: FakeClock, together: int
) -> None:
    documents, instances = await waiting(shop, together)
    mine, other = documents[0].id, (await shop.invoice(number="other")).id
    attempts = []

    @shop.action("invoice.cross")
    async def cross(call: Call, given: Any) -> None:
        if call.document_id == mine:
            attempts.append(call.step)
            await call.tx.connection.execute(LOCK, [mine])
            await call.tx.connection.execute(LOCK, [other])

    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.tell("go")
    # Somebody who takes the two documents the other way round, and whom Postgres will not choose to undo.
    somebody = await psycopg.AsyncConnection.connect(holdfast_dsn)
    async with somebody:
        await somebody.execute("SET deadlock_timeout = '1h'")
        await somebody.execute(LOCK, [other])
        draining = asyncio.create_task(shop.worker.drain())
        await kept_waiting(superuser)
        await somebody.execute(LOCK, [mine])
        await somebody.rollback()
        await draining
    # Nothing is left with a lease of a minute on it; whatever is not done yet is due in a moment, and costs no attempt.
    assert [row["lease_until"] for row in superuser.execute(HELD)] == [None] * together
    assert all(row["attempts"] <= 1 for row in superuser.execute(HELD))
    holdfast_clock.advance(timedelta(seconds=1))
    await shop.worker.drain()
    assert {(await shop.instance(each)).status for each in instances} == {"completed"}
    # Once with the others, once alone; on a busy machine it may lose another time.
    assert len(attempts) in (2, 3)
    assert len(set(attempts)) == 1
    for each in instances:
        assert await shop.matches_its_steps(each)


async def test_two_steps_that_write_each_others_documents_both_get_there(
    shop: Shop, app: Holdfast, holdfast_clock: FakeClock
) -> None:
    documents, instances = await waiting(shop, 2)
    ids = [each.id for each in documents]
    both = asyncio.Barrier(2)

    @shop.action("invoice.cross")
    async def cross(call: Call, given: Any) -> None:
        own = call.document_id
        assert own is not None
        await call.tx.connection.execute(LOCK, [own])
        if not both.broken:
            try:
                async with asyncio.timeout(10):
                    await both.wait()
            except (TimeoutError, asyncio.BrokenBarrierError):
                await both.abort()
        await call.tx.connection.execute(LOCK, [next(each for each in ids if each != own)])

    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.tell("go")
    workers = [app.engine_worker(batch=1) for _ in range(2)]
    turns = 0
    while turns < 20:
        turns += 1
        await asyncio.gather(*(worker.drain() for worker in workers))
        await both.abort()  # They meet once; from then on each goes as fast as it can.
        holdfast_clock.advance(timedelta(seconds=1))
        if {(await shop.instance(each)).status for each in instances} == {"completed"}:
            break
    assert {(await shop.instance(each)).status for each in instances} == {"completed"}
    assert turns > 1, "they never met: the test shows nothing"
    for each in instances:
        trail = await shop.trail(each)
        assert [step for step in trail if step[0] == "cross"] == [("cross", "completed", "completed")]
        assert await shop.matches_its_steps(each)


async def test_events_of_a_worker_that_lost_its_database_are_given_back_by_its_next_look(
    shop: Shop, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock
) -> None:
    _, instances = await waiting(shop, 3)
    broken: list[str | None] = []

    @shop.action("invoice.cross")
    async def cross(call: Call, given: Any) -> None:
        if not broken:
            broken.append(call.key)
            pid = call.tx.connection.info.backend_pid
            superuser.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
            await call.tx.connection.execute(b"SELECT 1")

    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.tell("go")
    with pytest.raises(DatabaseUnreachable):
        await shop.worker.drain()
    assert await lease(superuser) == ["processing"] * 3
    # Its leases end in a minute. It does not wait for that.
    await shop.worker.drain()
    assert {(await shop.instance(each)).status for each in instances} == {"completed"}
    assert [row["attempts"] for row in superuser.execute(HELD)] == [1, 1, 1]


async def lease(superuser: psycopg.Connection[Any]) -> Sequence[str]:
    return [row["status"] for row in superuser.execute(HELD)]


async def test_document_that_is_just_being_written_still_comes_to_its_status(
    shop: Shop, superuser: psycopg.Connection[Any], holdfast_dsn: str
) -> None:
    [document], _ = await waiting(shop, 1)

    @shop.action("invoice.cross")
    async def cross(call: Call, given: Any) -> None:
        return None

    async with shop.app.tenant("acme", actor="ana") as hold:
        before = (await hold.documents.get(document.id)).doc_status
        await hold.processes.tell("go")
    somebody = await psycopg.AsyncConnection.connect(holdfast_dsn)
    async with somebody:
        # Nothing the process would mind, but the row is another one afterwards.
        await somebody.execute("UPDATE holdfast.entities SET updated_by = 'somebody' WHERE id = %s", [document.id])
        draining = asyncio.create_task(shop.worker.drain())
        await kept_waiting(superuser)
    await draining
    async with shop.app.tenant("acme") as hold:
        after = (await hold.documents.get(document.id)).doc_status
    assert (before, after) == ("submitted", "active")


async def test_event_that_is_given_back_is_not_left_until_the_next_look(holdfast_dsn: str) -> None:
    attempts = 0

    async def lose_once(call: Call, given: Any) -> None:
        nonlocal attempts
        attempts += 1
        if attempts == 1:
            raise psycopg.errors.DeadlockDetected("two that wait for each other")

    async with Holdfast(dsn=holdfast_dsn, worker_poll_interval=60) as app:
        app.action("test.lose_once", output={}, permission="documents:read")(lose_once)
        await app.tenants.create("acme")
        async with app.tenant("acme") as hold:
            steps = {"nodes": nodes(("lose", "action", {"action": "test.lose_once"})), "edges": ways("in -> lose")}
            await hold.definitions.publish((await hold.definitions.create_automation("loser", steps)).id)
            await hold.triggers.create("go", "loser", "on_event", event_key="go")
        worker = app.engine_worker()
        working = asyncio.create_task(worker.run())
        async with app.tenant("acme") as hold:
            await hold.processes.tell("go")
        await until(lambda: attempts == 2)
        worker.stop()
        await working


@pytest.mark.parametrize("together", [1, 3], ids=["alone", "in a batch"])
async def test_who_submits_while_the_worker_begins_the_process_is_no_failed_attempt(
    shop: Shop, superuser: psycopg.Connection[Any], together: int
) -> None:
    async with shop.app.tenant("acme", actor="ana") as hold:
        made = [await hold.documents.create("invoice", {"number": str(n)}) for n in range(together)]
    async with shop.app.tenant("acme", actor="ana") as hold:
        for each in made:
            await hold.documents.transition(each.id, "submit")
        draining = asyncio.create_task(shop.worker.drain())
        await kept_waiting(superuser)
    await draining
    rows = superuser.execute(
        "SELECT event_type, status, attempts, error FROM holdfast.workflow_events_outbox WHERE event_type = 'on_create'"
    ).fetchall()
    assert {tuple(row.values()) for row in rows} == {
        ("on_create", "completed", 1, "the document has a process, or is gone")
    }
    assert len(rows) == together
