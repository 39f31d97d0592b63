"""What a program has no code for, it leaves to one that has: two applications on one database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from harness.waiting import until
from holdfast import Holdfast
from holdfast.actions import Call
from holdfast.processes.nodes import Ask
from holdfast.processes.worker import EngineWorker
from holdfast.testing import FakeClock
from processes.conftest import AskConfig
from processes.shop import Shop, passing, ways

DOCUMENTS = 20


@pytest.fixture
async def stranger(app: Holdfast, holdfast_dsn: str) -> AsyncIterator[Holdfast]:
    """Another application on the same database, which has none of the shop's code."""
    async with Holdfast(dsn=holdfast_dsn, clock=app.clock, worker_poll_interval=0.1) as other:
        yield other


@asynccontextmanager
async def running(*workers: EngineWorker) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(worker.run()) for worker in workers]
    try:
        yield
    finally:
        for worker in workers:
            worker.stop()
        await asyncio.gather(*tasks)


def posting(superuser: psycopg.Connection[Any]) -> list[tuple[Any, ...]]:
    """(event type, status, attempts) of every event of the engine that is not done as it should be."""
    rows = superuser.execute(
        "SELECT event_type, status, attempts, needs, error FROM holdfast.workflow_events_outbox"
        " WHERE status <> 'completed' OR attempts > 1"
    ).fetchall()
    return [tuple(row.values()) for row in rows]


async def test_a_worker_leaves_what_it_has_no_code_for_to_one_that_has(
    shop: Shop, stranger: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    async def vouch(call: Call, given: Any) -> dict[str, Any]:
        return {"by": "code"}

    shop.action("vendor.vouch")(vouch)
    shop.app.rule("large")(lambda ask: True)

    @shop.app.node("sanctions_check", config=AskConfig)
    async def check(ask: Ask) -> dict[str, Any]:
        return {"clean": True}

    await shop.publish(
        passing(
            ("go", "wait_event", {"event_key": "go:{entity.number}"}),
            ("vouch", "action", {"action": "vendor.vouch"}),
            ("large", "rule", {"rule": "large"}),
            ("clean", "sanctions_check", {}),
            ("post", "action", {"action": "invoice.post", "save_as": "posting"}),
            edges=ways(
                "in -> go", "go -> vouch", "vouch -> large", "large -matched-> clean", "large -not_matched-> pass",
                "clean -completed-> post", "post -> pass",
            ),
        )
    )  # fmt: skip
    documents = [await shop.invoice(number=str(number)) for number in range(DOCUMENTS)]
    instances = [await shop.submit(document) for document in documents]
    ignorant = stranger.engine_worker(name="ignorant")
    # Somebody holds the instances, so that telling leaves them all to a worker.
    with superuser.transaction():
        for each in instances:
            superuser.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [str(each)])
        async with stranger.tenant("acme", actor="ana") as hold:
            for number in range(DOCUMENTS):
                await hold.processes.tell(f"go:{number}")
    async with running(ignorant):
        await until(lambda: ignorant.handled >= DOCUMENTS)
        assert {(await shop.instance(each)).status for each in instances} == {"running"}
        async with running(shop.app.engine_worker(name="knowing")):
            await shop.over(instances)
    for each in instances:
        found = await shop.instance(each)
        assert (found.status, found.doc_status, found.context["posting"]) == ("completed", "active", {"posted": True})
        assert {step.status for step in await shop.steps(each)} == {"completed"}
        assert await shop.matches_its_steps(each)
    assert len(shop.posted) == DOCUMENTS
    assert posting(superuser) == []


async def test_steps_of_two_applications_in_one_process_are_each_done_by_its_own(
    shop: Shop, stranger: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    done: list[str] = []

    async def ship(call: Call, given: Any) -> None:
        done.append(given["number"])

    stranger.action("parcel.ship", output={}, permission="documents:read")(ship)
    await shop.publish(
        passing(
            ("post", "action", {"action": "invoice.post"}),
            ("ship", "action", {"action": "parcel.ship", "payload": {"number": {"$expr": "entity.number"}}}),
            ("again", "action", {"action": "invoice.post"}),
            edges=ways("in -> post", "post -> ship", "ship -> again", "again -> pass"),
        )
    )
    instance = await shop.submit(await shop.invoice())
    async with running(shop.app.engine_worker(), stranger.engine_worker()):
        await shop.over([instance])
    assert (await shop.instance(instance)).status == "completed"
    assert (done, len(shop.posted)) == (["7"], 2)
    assert posting(superuser) == []


async def test_a_request_leaves_what_it_has_no_code_for_to_the_inbox(shop: Shop, stranger: Holdfast) -> None:
    await shop.publish(
        passing(("post", "action", {"action": "invoice.post"}), edges=ways("in -> post", "post -> pass"))
    )
    document = await shop.invoice()
    async with stranger.tenant("acme", actor="ana") as hold:
        moved = await hold.documents.transition(document.id, "submit")
        instance = await hold.processes.of_document(document.id)
    assert moved.doc_status == "submitted"
    assert (instance.status, [node.split(":")[-1] for node in instance.current_nodes]) == ("running", ["post"])
    await stranger.engine_worker().drain()
    assert (await shop.instance(instance.id)).status == "running"
    await shop.worker.drain()
    assert (await shop.instance(instance.id)).status == "completed"
    (posted,) = shop.posted
    assert str(posted.call.actor) == "user:ana"  # Whoever asked for it, not the worker.


async def test_a_step_that_nobody_has_code_for_is_listed_and_goes_on_when_somebody_has(
    shop: Shop, holdfast_clock: FakeClock
) -> None:
    await shop.publish(
        passing(("post", "action", {"action": "invoice.pots"}), edges=ways("in -> post", "post -> pass"))
    )
    instance = await shop.submit(await shop.invoice())
    await shop.worker.drain()
    holdfast_clock.advance(timedelta(hours=1))
    async with shop.app.tenant("acme", actor="ana") as hold:
        (stuck,) = await hold.processes.repair.stuck()
        assert stuck.instance_id == instance
        assert "action:invoice.pots" in stuck.why
        await hold.processes.repair.enqueue_again(instance)
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "running"

    async def pots(call: Call, given: Any) -> None: ...

    shop.action("invoice.pots")(pots)
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"


@pytest.mark.parametrize("kind", ["node", "rule", "resolver"])
async def test_a_step_that_an_operator_offers_to_everybody_is_left_by_whoever_has_no_code_for_it(
    shop: Shop, stranger: Holdfast, kind: str
) -> None:
    @shop.app.node("sanctions_check", config=AskConfig)
    async def check(ask: Ask) -> dict[str, Any]:
        return {"clean": True}

    shop.app.rule("large")(lambda ask: True)
    shop.app.resolver("on_call")(lambda ask: ["ben"])
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.users.create("ben", roles=["approver"])
    asking = {"approvers": [{"kind": "resolver", "resolver": "on_call"}]}
    steps: dict[str, tuple[str, dict[str, Any], list[str]]] = {
        "node": ("sanctions_check", {}, ["n -completed-> pass"]),
        "rule": ("rule", {"rule": "large"}, ["n -matched-> pass", "n -not_matched-> pass"]),
        "resolver": ("approval", asking, ["n -approved-> pass", "n -rejected-> pass"]),
    }
    node_type, config, following = steps[kind]
    await shop.publish(passing(("n", node_type, config), edges=ways("in -> n", *following)))
    instance = await shop.submit(await shop.invoice(), work=False)
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.repair.enqueue_again(instance)
    assert await stranger.engine_worker().drain() > 0
    assert (await shop.trail(instance))[-1][:2] == ("n", "pending" if kind == "resolver" else "running")
    await shop.worker.drain()
    if kind == "resolver":
        async with shop.app.tenant("acme", actor="ben") as hold:
            (item,) = (await hold.inbox.list()).items
            await hold.approvals.decide(item.id, "approved")
        await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"


async def test_a_rule_that_is_written_down_later_lets_its_step_go_on(shop: Shop) -> None:
    await shop.publish(
        passing(
            ("large", "rule", {"rule": "large"}), edges=ways("in -> large", "large -matched-> pass", "large -> pass")
        )
    )
    instance = await shop.submit(await shop.invoice())
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "running"
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.rules.put("large", "invoice", timing="after", effect="note", condition='entity.number == "7"')
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"


async def test_a_step_that_is_over_is_not_taken_up(shop: Shop, stranger: Holdfast) -> None:
    await shop.publish(
        passing(("post", "action", {"action": "invoice.post"}), edges=ways("in -> post", "post -> pass"))
    )
    document = await shop.invoice()
    async with stranger.tenant("acme", actor="ana") as hold:
        await hold.documents.transition(document.id, "submit")
        instance = await hold.processes.of_document(document.id)
        await hold.processes.cancel(instance.id, reason="not wanted")
    await shop.worker.drain()
    assert shop.posted == []
    assert (await shop.instance(instance.id)).status == "cancelled"
