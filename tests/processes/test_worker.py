"""The worker lets posted events happen, keeps those nobody waits for, and never loses or repeats one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from harness.waiting import until
from holdfast.actions import Call
from holdfast.app import Hold
from holdfast.envelope import Contract
from holdfast.envelope.tokens import Settled
from holdfast.errors import Conflict, InvalidInput, NotFound
from holdfast.processes.events import InboxEvent
from holdfast.runs import Run
from holdfast.testing import FakeClock
from processes.shop import Shop, nodes, passing, ways


async def outbox(shop: Shop) -> Sequence[tuple[Any, ...]]:
    """(event type, status, attempts) of every event, in order."""
    async with shop.app.tenant("acme") as hold:
        cursor = await hold.connection.execute(
            "SELECT event_type, status, attempts FROM holdfast.workflow_events_outbox ORDER BY created_at, id"
        )
        return await cursor.fetchall()


async def test_timer_fires_when_it_is_due(shop: Shop, holdfast_clock: FakeClock) -> None:
    await shop.publish(passing(("wait", "wait_timer", {"duration": "24h"}), edges=ways("in -> wait", "wait -> pass")))
    instance = await shop.submit(await shop.invoice())
    assert (await shop.instance(instance)).timeout_at == holdfast_clock.now() + timedelta(hours=24)
    holdfast_clock.advance(timedelta(hours=23, minutes=59))
    assert await shop.worker.drain() == 0
    holdfast_clock.advance(timedelta(minutes=1))
    async with shop.app.tenant("acme") as hold:
        assert [each.id for each in await hold.processes.find_expired()] == [instance]
    assert await shop.worker.drain() == 1
    found = await shop.instance(instance)
    assert (found.status, found.timeout_at) == ("completed", None)
    assert await shop.worker.drain() == 0


WAIT = {"event_key": "delivery:pod:{entity.number}", "timeout": "72h", "accepts": 'payload.status == "delivered"'}


def delivery(**config: Any) -> dict[str, Any]:
    return passing(
        ("pod", "wait_event", {**WAIT, **config}),
        ("late", "action", {"action": "invoice.post"}),
        edges=ways("in -> pod", "pod -completed-> pass", "pod -timeout-> late", "late -> pass"),
    )


async def test_event_lets_the_waiting_process_go_on(shop: Shop) -> None:
    await shop.publish(delivery(save_as="pod"))
    instance = await shop.submit(await shop.invoice(number="42"))
    async with shop.app.tenant("acme", actor="ana") as hold:
        told = await hold.processes.tell("delivery:pod:42", {"status": "delivered"})
    assert told.waiting == (instance,)
    await shop.worker.drain()
    found = await shop.instance(instance)
    assert found.status == "completed"
    assert found.context["pod"] == {"status": "delivered"}


async def test_event_that_comes_too_early_is_kept(shop: Shop) -> None:
    await shop.publish(delivery())
    made = await shop.invoice(number="42")
    async with shop.app.tenant("acme", actor="ana") as hold:
        told = await hold.processes.tell("delivery:pod:42", {"status": "delivered"})
    assert told.waiting == ()
    instance = await shop.submit(made)
    assert (await shop.instance(instance)).status == "completed"
    # It was taken: the next one has to wait for an event of its own.
    second = await shop.submit(await shop.invoice(number="42"))
    assert (await shop.instance(second)).status == "running"


async def test_event_that_is_not_accepted_is_kept_for_another(shop: Shop) -> None:
    await shop.publish(delivery())
    instance = await shop.submit(await shop.invoice(number="42"))
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.tell("delivery:pod:42", {"status": "lost"})
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "running"
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.tell("delivery:pod:42", {"status": "delivered"})
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"


async def test_kept_event_expires(shop: Shop, holdfast_clock: FakeClock) -> None:
    await shop.publish(delivery())
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.tell("delivery:pod:42", {"status": "delivered"}, keep=timedelta(hours=1))
    holdfast_clock.advance(timedelta(hours=2))
    instance = await shop.submit(await shop.invoice(number="42"))
    assert (await shop.instance(instance)).status == "running"


async def test_event_told_twice_by_its_source_is_one_event(shop: Shop) -> None:
    await shop.publish(delivery())
    await shop.submit(await shop.invoice(number="42"))
    async with shop.app.tenant("acme", actor="ana") as hold:
        first = await hold.processes.tell("delivery:pod:42", {"status": "delivered"}, event_id="shipper-9")
        again = await hold.processes.tell("delivery:pod:42", {"status": "delivered"}, event_id="shipper-9")
    assert (first.new, again.new) == (True, False)
    assert first.id == again.id
    assert await shop.worker.drain() == 0, "it was heard when it was told"


async def test_nobody_telling_means_timeout(shop: Shop, holdfast_clock: FakeClock) -> None:
    await shop.publish(delivery())
    instance = await shop.submit(await shop.invoice(number="42"))
    holdfast_clock.advance(timedelta(hours=72))
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"
    assert len(shop.posted) == 1


async def test_event_and_waiting_at_the_same_moment_always_meet(shop: Shop) -> None:
    await shop.publish(delivery())
    made = [await shop.invoice(number=str(number)) for number in range(8)]

    async def tell(number: int) -> None:
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.processes.tell(f"delivery:pod:{number}", {"status": "delivered"})

    acts = [act for number, each in enumerate(made) for act in (tell(number), shop.submit(each))]
    await asyncio.gather(*acts)
    await shop.worker.drain()
    async with shop.app.tenant("acme") as hold:
        assert (await hold.processes.find_active()).items == []


CHARGE = {
    "run_type": "billing.charge.v1",
    "payload": {"amount": {"$expr": "entity.grand_total"}},
    "save_as": "r",
}


async def test_run_is_enqueued_and_waited_for(shop: Shop) -> None:
    @shop.app.handler("billing.charge.v1")
    async def charge(run: Run, payload: dict[str, Any]) -> dict[str, Any]:
        return {"charged": payload["amount"]}

    await shop.publish(
        passing(
            (
                "charge",
                "run",
                {
                    "run_type": "billing.charge.v1",
                    "payload": {"amount": {"$expr": "entity.grand_total"}},
                    "save_as": "r",
                },
            ),
            edges=ways("in -> charge", "charge -> pass"),
        )
    )
    instance = await shop.submit(await shop.invoice())
    assert (await shop.instance(instance)).status == "running"
    runner = shop.app.worker()
    running = asyncio.create_task(runner.run())

    async def it_is_over() -> bool:
        await shop.worker.drain()
        return (await shop.instance(instance)).status != "running"

    await until(it_is_over)
    runner.stop()
    await running
    found = await shop.instance(instance)
    assert found.status == "completed"
    assert found.context["r"] == {"charged": "12500.00"}
    async with shop.app.tenant("acme") as hold:
        [run] = (await hold.runs.list()).items
    assert run.trace_parent is not None
    assert run.trace_parent.split("-")[1] in {step.trace_id for step in await shop.steps(instance)}


async def test_one_bad_event_does_not_hold_up_the_others(shop: Shop, holdfast_clock: FakeClock) -> None:
    @shop.action("invoice.explode")
    async def explode(call: Call, given: Any) -> None:
        if given["number"] == "2":
            raise RuntimeError("boom")

    await shop.publish(
        passing(
            ("q", "ask", {}),
            ("bang", "action", {"action": "invoice.explode", "payload": {"number": {"$expr": "entity.number"}}}),
            edges=ways("in -> q", "q -> bang", "bang -> pass"),
        )
    )
    instances = [await shop.submit(await shop.invoice(number=str(number))) for number in range(5)]
    for ask in shop.asked:
        await shop.answer(ask, now=False)
    await shop.worker.drain()
    statuses = [(await shop.instance(each)).status for each in instances]
    assert statuses == ["completed", "completed", "running", "completed", "completed"]
    # It is tried again after a pause; at the last attempt the failure is the step's, for people to see.
    for _ in range(5):
        holdfast_clock.advance(timedelta(minutes=10))
        await shop.worker.drain()
    found = await shop.instance(instances[2])
    assert found.status == "paused"
    step = (await shop.steps(instances[2]))[-1]
    assert step.error is not None
    assert step.error["message"] == "RuntimeError: boom"


async def test_event_that_cannot_happen_is_buried_and_can_be_replayed(shop: Shop, holdfast_clock: FakeClock) -> None:
    await shop.publish(passing(("q", "ask", {}), edges=ways("in -> q", "q -> pass")))
    instance = await shop.submit(await shop.invoice())
    await shop.answer(shop.asked[0], "no such outcome", now=False)
    for _ in range(6):
        await shop.worker.drain()
        holdfast_clock.advance(timedelta(minutes=10))
    assert (await outbox(shop))[-1] == ("advance", "dead_letter", 5)
    async with shop.app.tenant("acme", actor="ana") as hold:
        cursor = await hold.connection.execute(
            "SELECT id, error FROM holdfast.workflow_events_outbox WHERE status = 'dead_letter'"
        )
        [(event, error)] = await cursor.fetchall()
        assert "no such outcome" in error
        await hold.processes.replay_event(event)
    await shop.worker.drain()
    assert (await outbox(shop))[-1] == ("advance", "failed", 1)
    assert (await shop.instance(instance)).status == "running"


async def test_a_buried_event_can_be_given_up_and_both_ways_are_on_the_trail(
    shop: Shop, holdfast_clock: FakeClock
) -> None:
    await shop.publish(passing(("q", "ask", {}), edges=ways("in -> q", "q -> pass")))
    instance = await shop.submit(await shop.invoice())
    await shop.answer(shop.asked[0], "no such outcome", now=False)
    for _ in range(2):
        for _ in range(6):
            await shop.worker.drain()
            holdfast_clock.advance(timedelta(minutes=10))
        async with shop.app.tenant("acme") as hold:
            (letter,) = (await hold.processes.inbox.dead_letters()).items
            if not await _told(hold, instance):
                await hold.processes.replay_event(letter.id)
    async with shop.app.tenant("acme") as hold:
        await hold.processes.skip_event(letter.id, reason="answered by telephone")
        assert (await hold.processes.inbox.dead_letters()).items == []
        assert await _told(hold, instance) == [("inbox.skipped", "answered by telephone"), ("inbox.replayed", None)]
        with pytest.raises(NotFound):
            await hold.processes.skip_event(letter.id, reason="again")
    await shop.worker.drain()
    assert (await outbox(shop))[-1] == ("advance", "cancelled", 5)
    assert (await shop.instance(instance)).status == "running"


async def _told(hold: Hold, instance: UUID) -> list[tuple[str, str | None]]:
    events = (await hold.audit.list(object_id=instance)).items
    return [(each.event_type, each.data.get("reason")) for each in events if each.event_type.startswith("inbox.")]


async def test_what_a_dead_worker_held_comes_back(shop: Shop, holdfast_clock: FakeClock) -> None:
    await shop.publish(passing(("q", "ask", {}), edges=ways("in -> q", "q -> pass")))
    instance = await shop.submit(await shop.invoice())
    await shop.answer(shop.asked[0], now=False)
    dead = shop.app.engine_worker(name="dead")
    assert len(await dead.claim()) == 1
    assert await shop.worker.drain() == 0
    holdfast_clock.advance(timedelta(seconds=61))
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"


async def test_an_event_whose_transaction_took_its_time_is_found_before_the_mark(
    shop: Shop, holdfast_clock: FakeClock
) -> None:
    """It is due since before what the worker has claimed meanwhile, behind which the next claim begins."""
    await shop.publish(passing(("q", "ask", {}), edges=ways("in -> q", "q -> pass")))
    first, second = [await shop.submit(await shop.invoice()) for _ in range(2)]
    worker = shop.app.engine_worker()
    async with shop.app.tenant("acme") as late:
        ask = shop.asked[0]
        settled = Settled(ask.effect.token, "completed", None, key=ask.effect.step)
        await shop.app.assembly.engine.happen(late._tx, first, settled)
        holdfast_clock.advance(timedelta(seconds=1))
        await shop.answer(shop.asked[1], now=False)
        claimed = await worker.claim()
        assert [event.instance_id for event in claimed] == [second]
        await worker.handle(claimed)
    claimed = await worker.claim()
    assert [event.instance_id for event in claimed] == [first]
    await worker.handle(claimed)
    assert [(await shop.instance(each)).status for each in (first, second)] == ["completed", "completed"]


async def test_a_worker_that_lost_its_event_changes_nothing(shop: Shop, holdfast_clock: FakeClock) -> None:
    await shop.publish(
        passing(
            ("q", "ask", {}),
            ("post", "action", {"action": "invoice.post"}),
            ("q2", "ask", {}),
            edges=ways("in -> q", "q -> post", "post -> q2", "q2 -> pass"),
        )
    )
    instance = await shop.submit(await shop.invoice())
    await shop.answer(shop.asked[0], now=False)
    slow = shop.app.engine_worker(name="slow")
    events = await slow.claim()
    holdfast_clock.advance(timedelta(seconds=61))
    await shop.worker.drain()
    version = (await shop.instance(instance)).version
    await slow.handle(events)
    assert (await shop.instance(instance)).version == version
    assert len([step for step in await shop.trail(instance) if step[0] == "post"]) == 1


async def test_a_projection_that_lags_is_rebuilt(
    shop: Shop, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock
) -> None:
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
        f"CREATE TABLE kept AS SELECT {columns} FROM holdfast.workflow_instances WHERE id = %s", [instance]
    )
    await shop.answer(shop.asked[0])
    superuser.execute("ALTER TABLE holdfast.workflow_instances DISABLE TRIGGER USER")
    superuser.execute(
        f"UPDATE holdfast.workflow_instances i SET ({columns}) = (SELECT {columns} FROM kept) WHERE i.id = %s",
        [instance],
    )
    superuser.execute("ALTER TABLE holdfast.workflow_instances ENABLE TRIGGER USER")
    await shop.answer(shop.asked[0], now=False)
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"
    holdfast_clock.advance(timedelta(minutes=1))
    await shop.worker.drain()
    assert (await outbox(shop))[-1][:2] == ("advance", "completed")
    assert len(shop.posted) == 1


async def test_events_of_a_paused_instance_wait(shop: Shop) -> None:
    await shop.publish(passing(("q", "ask", {}), edges=ways("in -> q", "q -> pass")))
    instance = await shop.submit(await shop.invoice())
    async with shop.app.tenant("acme", actor="ana") as hold:
        paused = await hold.processes.pause(instance, reason="audit")
        assert (paused.status, paused.paused_by) == ("paused", "user:ana")
    await shop.answer(shop.asked[0], now=False)
    await shop.worker.drain()
    with pytest.raises(Conflict, match="paused"):
        await shop.answer(shop.asked[0])
    assert (await shop.instance(instance)).status == "paused"
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.resume(instance)
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"


async def test_workers_running_for_real_end_every_process(shop: Shop) -> None:
    await shop.publish(
        passing(
            ("q", "ask", {}),
            ("post", "action", {"action": "invoice.post"}),
            edges=ways("in -> q", "q -> post", "post -> pass"),
        )
    )
    instances = [await shop.submit(await shop.invoice(number=str(number))) for number in range(10)]
    workers = [shop.app.engine_worker(name=f"w{number}") for number in range(2)]
    running = [asyncio.create_task(worker.run()) for worker in workers]
    for ask in list(shop.asked):
        await shop.answer(ask, now=False)
    await shop.over(instances)
    for worker in workers:
        worker.stop()
    await asyncio.gather(*running)
    assert len(shop.posted) == 10


async def test_what_comes_in_behind_other_events_is_done_together(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfast.processes.worker._GATHERING", 3600.0)
    await shop.publish(
        passing(
            ("q", "ask", {}),
            ("post", "action", {"action": "invoice.post"}),
            edges=ways("in -> q", "q -> post", "post -> pass"),
        )
    )
    instances = [await shop.submit(await shop.invoice(number=str(number))) for number in range(6)]
    await shop.worker.drain()
    first, *others = list(shop.asked)
    worker = shop.app.engine_worker()
    taken: list[int] = []
    handle = worker.handle

    async def counting(events: Iterable[InboxEvent]) -> None:
        events = list(events)
        taken.append(len(events))
        await handle(events)

    gathering, answered = asyncio.Event(), asyncio.Event()
    rest = worker._rest

    async def resting(seconds: float, news: asyncio.Event) -> None:
        if news is worker._stopping and seconds > 1800:
            # The time in which events gather passes when all have come.
            gathering.set()
            await answered.wait()
        else:
            await rest(seconds, news)

    monkeypatch.setattr(worker, "handle", counting)
    monkeypatch.setattr(worker, "_rest", resting)
    working = asyncio.create_task(worker.run())
    await shop.answer(first, now=False)
    # After a quiet time it is taken at once; so shortly after it, the others are waited for.
    await until(gathering.is_set)
    assert taken == [1]
    for ask in others:
        await shop.answer(ask, now=False)
    answered.set()
    await shop.over(instances)
    worker.stop()
    await working
    assert taken == [1, 5]
    assert len(shop.posted) == 6


async def test_a_worker_that_waits_for_more_stops_at_once(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfast.processes.worker._GATHERING", 3600.0)
    await shop.publish(passing(("q", "ask", {}), edges=ways("in -> q", "q -> pass")))
    instance = await shop.submit(await shop.invoice())
    await shop.worker.drain()
    worker = shop.app.engine_worker()
    working = asyncio.create_task(worker.run())
    await shop.answer(shop.asked[0], now=False)
    await shop.over([instance])
    worker.stop()
    async with asyncio.timeout(20):
        await working


ECHO = {
    "nodes": nodes(
        ("note", "script", {"assign": {"seen": "payload.event"}}),
        ("post", "action", {"action": "invoice.post"}),
    ),
    "edges": ways("in -> note", "note -> post", "post -> out"),
}


async def automations(shop: Shop) -> list[Any]:
    async with shop.app.tenant("acme") as hold:
        return (await hold.processes.list(workflow_id="echo")).items


async def test_a_process_that_takes_long_does_not_hold_up_the_others(shop: Shop) -> None:
    begun, over = asyncio.Event(), asyncio.Event()

    @shop.action("invoice.ponder")
    async def ponder(call: Call, given: Any) -> None:
        begun.set()
        await over.wait()

    await shop.publish(
        passing(
            ("pod", "wait_event", {"event_key": "go:{entity.number}"}),
            ("slow", "condition", {"expression": 'entity.number == "1"'}),
            ("ponder", "action", {"action": "invoice.ponder"}),
            edges=ways("in -> pod", "pod -> slow", "slow -true-> ponder", "slow -false-> pass", "ponder -> pass"),
        )
    )
    slow, quick = [await shop.submit(await shop.invoice(number=number)) for number in ("1", "2")]
    worker = shop.app.engine_worker()
    working = asyncio.create_task(worker.run())
    try:
        async with asyncio.timeout(20):
            async with shop.app.tenant("acme", actor="ana") as hold:
                await hold.processes.tell("go:1")
            await begun.wait()
            async with shop.app.tenant("acme", actor="ana") as hold:
                await hold.processes.tell("go:2")
        await shop.over([quick])
        assert (await shop.instance(quick)).status == "completed"
        assert (await shop.instance(slow)).status == "running"
    finally:
        over.set()
        worker.stop()
        await working


async def test_automation_starts_when_a_document_is_created(shop: Shop) -> None:
    number = {"number": {"$expr": "entity.number"}}
    await shop.automation(
        "echo",
        {
            "nodes": nodes(
                ("note", "script", {"assign": {"seen": "payload.event"}}),
                ("post", "action", {"action": "invoice.post", "payload": number}),
            ),
            "edges": ways("in -> note", "note -> post", "post -> out"),
        },
    )
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.triggers.create(
            "news", "echo", "on_create", entity_type="invoice", condition='entity.vendor == "acme"'
        )
    made = await shop.invoice()
    await shop.invoice(vendor="globex")
    [found] = await automations(shop)
    assert found.status == "completed"
    assert found.context == {"seen": "on_create"}
    assert found.document_id is None
    assert shop.posted[0].given["number"] == made.data["number"]


async def test_automation_starts_at_a_transition_and_at_a_change(shop: Shop) -> None:
    await shop.automation("echo", ECHO)
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.triggers.create(
            "submitted", "echo", "on_lifecycle_transition", entity_type="invoice", config={"to": "submitted"}
        )
        await hold.triggers.create(
            "changed", "echo", "on_mutation", entity_type="invoice", config={"changed": "vendor"}
        )
    made = await shop.invoice()
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.documents.update(made.id, {"number": "9"})
        await hold.documents.update(made.id, {"vendor": "globex"})
    await shop.worker.drain()
    await shop.submit(made)
    await shop.worker.drain()
    assert sorted(each.context["seen"] for each in await automations(shop)) == [
        "on_lifecycle_transition",
        "on_mutation",
    ]


async def test_automation_starts_on_a_schedule(shop: Shop, holdfast_clock: FakeClock) -> None:
    await shop.automation("echo", ECHO)
    async with shop.app.tenant("acme", actor="ana") as hold:
        trigger = await hold.triggers.create("monthly", "echo", "on_timer", cron="0 6 1 * *")
    assert trigger.next_at is not None
    holdfast_clock.advance(trigger.next_at - holdfast_clock.now())
    await shop.worker.drain()
    assert len(await automations(shop)) == 1
    async with shop.app.tenant("acme") as hold:
        after = await hold.triggers.get("monthly")
    assert after.last_at == trigger.next_at
    assert after.next_at is not None
    assert after.next_at > trigger.next_at


async def test_automation_starts_at_an_event(shop: Shop) -> None:
    await shop.automation("echo", ECHO)
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.triggers.create("hook", "echo", "on_event", event_key="crm:lead")
        told = await hold.processes.tell("crm:lead", {"name": "Ben"})
        assert told.started == 1
    await shop.worker.drain()
    [found] = await automations(shop)
    assert found.status == "completed"


async def test_automation_is_started_by_hand(shop: Shop) -> None:
    await shop.automation("echo", ECHO)
    async with shop.app.tenant("acme", actor="ana") as hold:
        begun = await hold.processes.start("echo", payload={"event": "manual"}, context={"a": 1})
    await shop.worker.drain()
    begun = await shop.instance(begun.id)
    assert begun.status == "completed"
    assert begun.context == {"a": 1, "seen": "manual"}


async def test_replayed_event_starts_nothing_again(shop: Shop, superuser: psycopg.Connection[Any]) -> None:
    await shop.automation("echo", ECHO)
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.triggers.create("news", "echo", "on_create", entity_type="invoice")
    await shop.invoice()
    superuser.execute("ALTER TABLE holdfast.workflow_events_outbox DISABLE TRIGGER USER")
    superuser.execute(
        "UPDATE holdfast.workflow_events_outbox SET status = 'pending', completed_at = NULL "
        "WHERE event_type = 'on_create'"
    )
    await shop.worker.drain()
    assert len(await automations(shop)) == 1
    async with shop.app.tenant("acme") as hold:
        assert len((await hold.processes.list(workflow_id="invoice")).items) == 1


async def test_a_kept_event_that_is_not_accepted_does_not_hide_the_next(shop: Shop) -> None:
    await shop.publish(delivery())
    made = await shop.invoice(number="42")
    async with shop.app.tenant("acme", actor="ana") as hold:
        for number in range(60):
            await hold.processes.tell("delivery:pod:42", {"status": "lost", "number": number})
        await hold.processes.tell("delivery:pod:42", {"status": "delivered"})
    instance = await shop.submit(made)
    assert (await shop.instance(instance)).status == "completed"


@pytest.mark.parametrize(
    ("payload", "options", "why"),
    [
        ({"text": "a\0b"}, {}, "NUL"),
        ({"a\0b": 1}, {}, "NUL"),
        ({"text": "\ud800"}, {}, "surrogate"),
        ({"number": float("nan")}, {}, "NaN"),
        ({"thing": object()}, {}, "not JSON"),
        ({}, {"event_id": "x" * 501}, "event_id"),
        ({}, {"event_id": "a\0b"}, "event_id"),
        ({}, {"keep": timedelta(days=10**8)}, "keep"),
    ],
)
async def test_what_cannot_be_kept_is_refused_with_the_reason(
    shop: Shop, payload: Any, options: dict[str, Any], why: str
) -> None:
    async with shop.app.tenant("acme", actor="ana") as hold:
        with pytest.raises(InvalidInput, match=why):
            await hold.processes.tell("key", payload, **options)
        if not options:
            with pytest.raises(InvalidInput, match=why):
                await hold.processes.start("auto", payload=payload)
            with pytest.raises(InvalidInput, match=why):
                await hold.processes.start("auto", context=payload)


async def test_an_action_whose_result_cannot_be_kept_fails_its_step(shop: Shop) -> None:
    @shop.action("invoice.odd")
    async def odd(call: Call, given: Any) -> dict[str, Any]:
        return {"text": "a\0b"}

    await shop.publish(passing(("odd", "action", {"action": "invoice.odd"}), edges=ways("in -> odd", "odd -> pass")))
    instance = await shop.submit(await shop.invoice())
    assert (await shop.instance(instance)).status == "paused"
    error = (await shop.steps(instance))[-1].error
    assert error is not None
    assert "NUL" in error["message"]


async def test_a_moment_that_has_passed_is_not_waited_for(shop: Shop, holdfast_clock: FakeClock) -> None:
    """Time comes by once for each moment: a second timer until the same one would wait for ever."""
    contract = Contract(
        entity_type="ticket",
        document={"type": "object", "properties": {"due": {"type": "string", "format": "date-time"}}},
    )
    shop.app.contracts.add(contract)
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.definitions.register(contract)
    until = {"until": "entity.due"}
    await shop.publish(
        passing(
            ("one", "wait_timer", until),
            ("two", "wait_timer", until),
            edges=ways("in -> one", "one -> two", "two -> pass"),
        ),
        "ticket",
    )
    found = []
    for hours in (1, -1):
        async with shop.app.tenant("acme", actor="ana") as hold:
            due = (holdfast_clock.now() + timedelta(hours=hours)).isoformat()
            made = await hold.documents.create("ticket", {"due": due})
            await hold.documents.transition(made.id, "submit")
            found.append(await hold.processes.of_document(made.id))
    assert [each.status for each in found] == ["running", "completed"]
    holdfast_clock.advance(timedelta(hours=2))
    await shop.worker.drain()
    assert (await shop.instance(found[0].id)).status == "completed"
    assert await shop.matches_its_steps(found[0].id)
    assert await shop.matches_its_steps(found[1].id)


async def test_what_triggers_start_is_listed_newest_first(shop: Shop) -> None:
    await shop.automation("note", {"nodes": nodes(("n", "script", {"assign": {"x": "now"}}))})
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.triggers.create("when", "note", "on_event", event_key="go")
    for number in range(8):
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.processes.tell("go", {"number": number})
        await shop.worker.drain()
    async with shop.app.tenant("acme") as hold:
        page = await hold.processes.list(workflow_id="note", limit=5)
        rest = await hold.processes.list(workflow_id="note", limit=5, cursor=page.next_cursor)
        started = []
        for each in (*page.items, *rest.items):
            (step, *_) = (await hold.processes.steps(each.id)).items
            started.append(step.input["payload"]["payload"]["number"])
    assert started == [7, 6, 5, 4, 3, 2, 1, 0]
