"""Dispatchers that are killed, frozen or cut off, and a Postgres that goes away: nothing is lost, order is kept."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import Process
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from harness.faultproxy import FaultProxy
from harness.waiting import until
from holdfast import Holdfast
from holdfast.outbox import NewEvent, OutboxEvent
from holdfast.testing import Databases
from outbox.conftest import QUICK, TYPE, Basket, dispatching, publish, published
from outbox.receiver import Receiver, Request
from runs.test_faults import restart

CREW = Path(__file__).parent / "crew.py"


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with Receiver() as receiver:
        yield receiver


@asynccontextmanager
async def crew(dsn: str, url: str) -> AsyncIterator[Process]:
    """One dispatcher process."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(CREW), dsn, url), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        if await process.stdout.readline() != b"dispatching\n":
            pytest.fail((await process.communicate())[1].decode())
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGCONT)
            process.terminate()
        async with asyncio.timeout(30):
            await process.communicate()


async def publish_rounds(app: Holdfast, aggregates: int, rounds: int) -> None:
    async with app.tenant("acme") as hold:
        await hold.outbox.publish_many(
            [
                NewEvent(TYPE, number, aggregate=("invoice", str(one)))
                for number in range(rounds)
                for one in range(aggregates)
            ]
        )


def check_order(requests: list[Request], aggregates: int, rounds: int) -> None:
    """Every event arrived, and of each aggregate none arrived before one that comes before it."""
    arrived: dict[str, list[int]] = defaultdict(list)
    ids: dict[str, set[str]] = defaultdict(set)
    for request in requests:
        event = request.event
        arrived[event.get_subject()].append(event.get_data())
        ids[f"{event.get_subject()}:{event.get_data()}"].add(event.get_id())
    assert len(arrived) == aggregates
    for subject, numbers in arrived.items():
        assert list(dict.fromkeys(numbers)) == list(range(rounds)), subject
    assert {len(known) for known in ids.values()} == {1}, "an event that comes again has the same id"


async def drained(app: Holdfast, timeout: float = 60) -> None:
    async def nothing_left() -> bool:
        async with app.tenant("acme") as hold:
            stats = await hold.outbox.stats()
            return stats.waiting == stats.dead == 0

    await until(nothing_left, timeout)


async def test_dispatchers_killed_in_the_middle_of_a_batch_lose_nothing(
    live: Holdfast, receiver: Receiver, holdfast_dsn: str
) -> None:
    await publish_rounds(live, aggregates=20, rounds=50)
    for _ in range(2):
        receiver.gate.clear()
        async with crew(holdfast_dsn, receiver.url) as one, crew(holdfast_dsn, receiver.url) as other:
            receiver.gate.set()
            await receiver.until(len(receiver.taken) + 40)
            one.kill()
            other.kill()
        assert len({request.event.get_id() for request in receiver.taken}) < 1000, "they were too quick to be killed"
    async with crew(holdfast_dsn, receiver.url):
        await drained(live)
    check_order(receiver.taken, 20, 50)


async def test_a_frozen_dispatcher_comes_back_as_a_zombie_and_records_nothing(
    live: Holdfast, receiver: Receiver, holdfast_dsn: str
) -> None:
    ids = await publish(live, *range(5), aggregate=("invoice", "0"))
    receiver.gate.clear()
    async with crew(holdfast_dsn, receiver.url) as zombie:
        await until(lambda: _true(receiver.requests))
        zombie.send_signal(signal.SIGSTOP)
        receiver.gate.set()
        async with crew(holdfast_dsn, receiver.url):
            events = await published(live, *ids)
            zombie.send_signal(signal.SIGCONT)
            more = await publish(live, 5, 6, aggregate=("invoice", "0"))
            await published(live, *more)
    assert [event.attempts for event in events] == [2, 1, 1, 1, 1]
    check_order(receiver.taken, 1, 7)


@pytest.mark.every_loop
async def test_a_dispatcher_survives_lost_connections(live: Holdfast, receiver: Receiver, holdfast_dsn: str) -> None:
    async with FaultProxy(holdfast_dsn) as proxy, crew(proxy.dsn, receiver.url):
        for number in range(4):
            (made,) = await publish(live, number, aggregate=("invoice", "0"))
            await receiver.until(number + 1)
            proxy.drop_all()
            await published(live, made)
    check_order(receiver.taken, 1, 4)


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_connection_cut_while_recording_sends_nothing_out_of_order(
    live: Holdfast, receiver: Receiver, holdfast_dsn: str, when: str
) -> None:
    async with FaultProxy(holdfast_dsn) as proxy:
        proxy.cut(on="SELECT S.PLACE AS LOST", when="before" if when == "before" else "after", times=4)
        await publish_rounds(live, aggregates=4, rounds=10)
        async with crew(proxy.dsn, receiver.url):
            await drained(live)
        assert proxy.cuts >= 1
    check_order(receiver.taken, 4, 10)


@pytest.mark.skipif(bool(os.environ.get("TEST_DSN")), reason="it restarts the server")
async def test_a_restart_of_postgres_under_dispatch_loses_nothing(
    holdfast_databases: Databases, receiver: Receiver, holdfast_dsn: str
) -> None:
    server = holdfast_databases.server
    assert server is not None
    async with Holdfast(dsn=holdfast_dsn, **QUICK, connect_timeout=3) as app:
        await app.tenants.create("acme")
        await publish_rounds(app, aggregates=20, rounds=20)
        async with crew(holdfast_dsn, receiver.url), crew(holdfast_dsn, receiver.url):
            await receiver.until(50)
            await asyncio.to_thread(restart, server)
            await receiver.until(400, timeout=60)
            await drained(app)
    check_order(receiver.taken, 20, 20)


async def test_dispatching_works_through_a_transaction_pooler(pgbouncer: str, holdfast_dsn: str) -> None:
    async with Holdfast(dsn=pgbouncer, listen_dsn=holdfast_dsn, admin_dsn=holdfast_dsn, **QUICK) as app:
        await app.tenants.create("acme")
        basket = Basket()
        async with dispatching(app, sinks=[basket]), dispatching(app, sinks=[basket]):
            for _ in range(5):
                await publish_rounds(app, aggregates=10, rounds=5)
            await drained(app)
    assert len(basket.events) == 250


@pytest.mark.every_loop
async def test_a_dispatcher_can_be_stopped_while_postgres_is_gone(live: Holdfast, holdfast_dsn: str) -> None:
    """What it sent and could not record is sent again by the next one."""
    async with FaultProxy(holdfast_dsn) as proxy:
        impatient = QUICK | {"worker_shutdown_timeout": 0.2, "connect_timeout": 1}
        async with Holdfast(dsn=proxy.dsn, **impatient) as app:
            gate, reached = asyncio.Event(), asyncio.Event()

            class Gated(Basket):
                async def before(self, event: OutboxEvent) -> None:
                    reached.set()
                    await gate.wait()

            basket = Gated()
            (made,) = await publish(live, 1)
            async with dispatching(app, sinks=[basket]) as dispatcher:
                await reached.wait()
                proxy.refuse()
                proxy.drop_all()
                gate.set()
                dispatcher.stop()
            assert dispatcher.published == 0
            proxy.refuse(False)
    async with dispatching(live, sinks=[basket]):
        (event,) = await published(live, made)
    assert (basket.data, event.attempts) == ([1, 1], 2)


async def test_what_is_stopped_before_it_has_begun_is_handed_back(live: Holdfast) -> None:
    """Told to end at once by a sink, when other aggregates were leased by the same statement."""

    class Ending(Basket):
        async def before(self, event: OutboxEvent) -> None:
            dispatcher.stop(at_once=True)
            await asyncio.sleep(0)

    made = [one for name in "abc" for one in await publish(live, 1, aggregate=("invoice", name))]
    dispatcher = live.dispatcher(sinks=[Ending()])
    async with asyncio.timeout(10):
        await dispatcher.run()
    async with live.tenant("acme") as hold:
        events = [await hold.outbox.get(one) for one in made]
    assert {(event.status, event.attempts) for event in events} == {("pending", 0)}


async def test_without_notifications_polling_finds_the_same(live: Holdfast, monkeypatch: pytest.MonkeyPatch) -> None:
    async def deaf(_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("holdfast.postgres.listening.Listening._listen", deaf)
    async with dispatching(live, sinks=[Basket()]):
        await asyncio.sleep(0)
        await published(live, *(await publish(live, 1)))


async def _true(value: object) -> bool:
    return bool(value)
