"""Effects are written once, sent at least once, settled by whoever holds them, and told to whoever waits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import AsyncConnection

from harness.receivers import HttpReceiver, Received, answer
from harness.waiting import outlived, until
from holdfast import Holdfast
from holdfast.effects import (
    Delivery,
    EffectInfo,
    Effects,
    EffectsWorker,
    NewEffect,
    Notifications,
    Outgoing,
    Undelivered,
    enqueue,
    standard_senders,
    withdraw,
)
from holdfast.effects.guard import Allowed
from holdfast.effects.webhook import Webhooks
from holdfast.envelope.tokens import Effect, effect_key
from holdfast.errors import Conflict, Forbidden, InvalidInput, NotFound
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import canonical_hash
from holdfast.kernel.webhooks import verify
from holdfast.leases import Backoff
from holdfast.postgres.tenant import TenantTx
from holdfast.testing import FakeClock

SECRET = "whsec_c2l4dGVlbi1vci1tb3JlLXJhbmRvbS1ieXRlcyE="
WAITS_TO_BE_TOLD = """
SELECT FROM pg_stat_activity listening, pg_stat_activity claiming
WHERE listening.datname = current_database() AND listening.query LIKE 'LISTEN%' AND listening.state = 'idle'
  AND claiming.datname = current_database() AND claiming.query LIKE '%claim_effects%' AND claiming.state = 'idle'
  AND claiming.state_change > listening.state_change
"""
"""Whether a worker has looked in vain since it listens."""


class Told:
    """What the engine was told."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str, Mapping[str, Any] | None]] = []

    async def __call__(
        self,
        tx: TenantTx,
        effect: Outgoing,
        outcome: str,
        evidence: Mapping[str, Any],
        error: Mapping[str, Any] | None,
    ) -> None:
        assert tx.tenant.id == effect.tenant
        self.heard.append((effect.step_key, outcome, error))


class Script:
    """A sender that does as told: a delivery, a problem, or something to wait for."""

    def __init__(self, *acts: Any) -> None:
        self.acts = list(acts)
        self.sent: list[Outgoing] = []

    async def send(self, effect: Outgoing) -> Delivery:
        self.sent.append(effect)
        act = self.acts.pop(0) if len(self.acts) > 1 else self.acts[0]
        if isinstance(act, asyncio.Event):
            await act.wait()
            return Delivery({})
        if isinstance(act, Exception):
            raise act
        return Delivery(act)


AGAIN = Undelivered("http_500", "the answer was 500", again=True)


def effect(number: int = 1, *, kind: str = "webhook", awaited: bool = True, **payload: Any) -> NewEffect:
    step = canonical_hash(["step", number])
    whole = {"url": "https://example.org/", **payload}
    made = Effect(kind, effect_key(step, kind, whole), step, "usr:slot:main:hook", "main", whole, awaited)
    return NewEffect(UUID(int=number), uuid7(), made, "00-trace-01")


@asynccontextmanager
async def tenant(app: Holdfast, slug: str = "acme") -> AsyncIterator[TenantTx]:
    async with app.tenant(slug) as hold:
        yield hold._tx


async def put(app: Holdfast, *new: NewEffect, slug: str = "acme") -> int:
    async with tenant(app, slug) as tx:
        return await enqueue(tx, new)


async def look(app: Holdfast, slug: str = "acme") -> list[EffectInfo]:
    async with tenant(app, slug) as tx:
        return (await Effects(tx).list()).items


def worker(app: Holdfast, sender: Any, told: Told | None = None, **options: Any) -> EffectsWorker:
    senders = {"webhook": sender}
    given = {"backoff": Backoff(base=10, jitter=0), **options}
    return EffectsWorker(app.database, senders, app.clock, told or Told(), **given)


async def test_wf11_an_effect_is_written_once_whoever_writes_it_how_often(app: Holdfast) -> None:
    assert await put(app, effect(1), effect(1), effect(2)) == 2
    assert await put(app, effect(1)) == 0
    script = Script({})
    assert await worker(app, script).drain() == 2
    assert len({sent.key for sent in script.sent}) == 2


async def test_wf11_two_transactions_cannot_both_write_it(app: Holdfast) -> None:
    results = await asyncio.gather(*(put(app, effect(1)) for _ in range(8)))
    assert sorted(results) == [0] * 7 + [1]


async def test_an_effect_of_a_transaction_that_is_undone_never_leaves(app: Holdfast) -> None:
    with pytest.raises(RuntimeError):
        async with tenant(app) as tx:
            await enqueue(tx, [effect(1)])
            raise RuntimeError
    assert await worker(app, Script({})).drain() == 0


async def test_a_delivery_is_kept_as_evidence_and_told_to_whoever_waits(app: Holdfast) -> None:
    await put(app, effect(1), effect(2, awaited=False))
    told = Told()
    await worker(app, Script({"status": 204, "body": "\0"}), told).drain()
    effects = await look(app)
    assert {each.status for each in effects} == {"completed"}
    assert effects[0].response == {"status": 204, "body": "\ufffd", "attempt": 1}
    assert told.heard == [(canonical_hash(["step", 1]), "completed", None)]
    async with app.tenant("acme") as hold:
        events = (await hold.audit.list(object_id=UUID(int=1))).items
    assert [event.event_type for event in events] == ["effect.delivered"]


async def test_a_receiver_that_fails_for_ever_makes_a_dead_letter_after_the_last_attempt(
    app: Holdfast, holdfast_clock: FakeClock
) -> None:
    await put(app, effect(1, max_attempts=3))
    told, script = Told(), Script(AGAIN)
    working = worker(app, script, told)
    pauses = []
    for _ in range(3):
        assert await working.drain() == 1
        assert await working.drain() == 0, "not before its time"
        (info,) = await look(app)
        pauses.append(info.next_retry_at - holdfast_clock.now() if info.next_retry_at else None)
        holdfast_clock.advance(3600)
    assert pauses[:2] == [timedelta(seconds=10), timedelta(seconds=20)]
    assert (info.status, info.attempts, info.error) == ("dead_letter", 3, "http_500: the answer was 500")
    assert told.heard == [(canonical_hash(["step", 1]), "error", {"code": "http_500", "message": "the answer was 500"})]
    assert await working.drain() == 0


async def test_a_dead_letter_can_be_replayed_with_the_same_key(app: Holdfast) -> None:
    await put(app, effect(1))
    script = Script(Undelivered("http_404", "gone", again=False), {"status": 200})
    working = worker(app, script)
    await working.drain()
    (dead,) = await look(app)
    assert dead.status == "dead_letter"
    async with tenant(app) as tx:
        assert (await Effects(tx).replay(dead.id)).status == "pending"
    await working.drain()
    (info,) = await look(app)
    assert (info.status, info.attempts) == ("completed", 1)
    assert script.sent[0].key == script.sent[1].key
    with pytest.raises(Conflict):
        async with tenant(app) as tx:
            await Effects(tx).replay(dead.id)
    with pytest.raises(NotFound):
        async with tenant(app, "globex") as tx:
            await Effects(tx).replay(dead.id)


async def test_a_dead_letter_can_be_given_up_with_a_reason_and_counts_no_longer(app: Holdfast) -> None:
    await put(app, effect(1))
    await worker(app, Script(Undelivered("http_404", "gone", again=False))).drain()
    (dead,) = await look(app)
    assert dead.created_by
    async with app.tenant("acme") as hold:
        with pytest.raises(InvalidInput):
            await hold.effects.skip(dead.id, reason=" ")
        skipped = await hold.effects.skip(dead.id, reason="the shop is closed for good")
        assert (skipped.status, skipped.error) == ("cancelled", "http_404: gone")
        (event, *_) = (await hold.audit.list(object_id=UUID(int=1))).items
        assert (event.event_type, event.data["reason"]) == ("effect.skipped", "the shop is closed for good")
        states = {each.queue: each.dead for each in (await hold.operate.health()).queues}
        assert states["effects"] == 0
    with pytest.raises(Conflict):
        async with tenant(app) as tx:
            await Effects(tx).skip(dead.id, reason="again")
    with pytest.raises(Conflict):
        async with tenant(app) as tx:
            await Effects(tx).replay(dead.id)
    with pytest.raises(NotFound):
        async with tenant(app, "globex") as tx:
            await Effects(tx).skip(dead.id, reason="not ours")


async def test_replaying_needs_the_permission(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("vic", roles=["viewer"])
    with pytest.raises(Forbidden):
        async with app.tenant("acme", actor="vic") as hold:
            await Effects(hold._tx).replay(uuid7())


async def test_a_worker_that_lost_its_lease_writes_nothing(app: Holdfast, holdfast_clock: FakeClock) -> None:
    await put(app, effect(1))
    gate, told = asyncio.Event(), Told()
    hanging = Script(gate)
    first = asyncio.create_task(worker(app, hanging, told).drain())
    await until(lambda: hanging.sent)
    holdfast_clock.advance(120)
    assert await worker(app, Script({"by": "second"}), told).drain() == 0  # taken back, after a short pause
    holdfast_clock.advance(5)
    assert await worker(app, Script({"by": "second"}), told).drain() == 1
    gate.set()
    await first
    (info,) = await look(app)
    assert (info.status, info.attempts) == ("completed", 2)
    assert info.response is not None
    assert info.response["by"] == "second"
    assert [heard[1] for heard in told.heard] == ["completed"]


async def test_an_effect_that_kills_its_worker_runs_out_of_attempts(app: Holdfast, holdfast_clock: FakeClock) -> None:
    await put(app, effect(1, max_attempts=2))
    told = Told()
    for _ in range(2):
        assert len(await worker(app, Script({}))._claim()) == 1  # and dies
        holdfast_clock.advance(120)
        await worker(app, Script({}))._tend()
        holdfast_clock.advance(5)
    script = Script({})
    await worker(app, script, told).drain()
    assert not script.sent
    (info,) = await look(app)
    assert (info.status, info.error) == (
        "dead_letter",
        "lease_expired: every worker that tried was gone before it answered",
    )
    assert [heard[1] for heard in told.heard] == ["error"]


async def test_what_a_cancelled_step_asked_for_does_not_leave(app: Holdfast) -> None:
    await put(app, effect(1), effect(2))
    async with tenant(app) as tx:
        assert await withdraw(tx, UUID(int=1), [canonical_hash(["step", 1])], "the document has changed") == 1
    script, told = Script({}), Told()
    await worker(app, script, told).drain()
    assert [sent.instance_id for sent in script.sent] == [UUID(int=2)]
    assert {info.status for info in await look(app)} == {"cancelled", "completed"}


async def test_one_tenant_whose_receivers_hang_does_not_keep_others_waiting(app: Holdfast) -> None:
    gate = asyncio.Event()

    class Hanging:
        async def send(self, effect: Outgoing) -> Delivery:
            if effect.payload.get("hang"):
                await gate.wait()
            return Delivery({})

    await put(app, *(effect(number, hang=True) for number in range(20)))
    await put(app, effect(1), effect(2), slug="globex")
    working = worker(app, Hanging(), concurrency=4, poll_interval=0.02, shutdown_timeout=0.1)
    task = asyncio.create_task(working.run())

    async def others_are_served() -> bool:
        return {info.status for info in await look(app, "globex")} == {"completed"}

    await until(others_are_served)
    assert sum(info.status == "processing" for info in await look(app)) <= 3
    working.stop()
    await task
    # What was under way was given back, its attempt not counted.
    assert {(info.status, info.attempts) for info in await look(app)} == {("pending", 0)}


async def test_a_running_worker_sends_what_comes_and_keeps_its_leases(
    holdfast_dsn: str, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    async with Holdfast(dsn=holdfast_dsn) as app:
        await app.tenants.create("acme")
        told, over = Told(), asyncio.Event()
        slow = Script(over)
        working = worker(app, slow, told, lease=timedelta(seconds=0.6), poll_interval=30)
        task = asyncio.create_task(working.run())

        async def lease_until() -> datetime | None:
            row = superuser.execute("SELECT lease_until FROM holdfast.workflow_side_effects_outbox").fetchone()
            return None if row is None else row["lease_until"]

        try:
            await until(lambda: superuser.execute(WAITS_TO_BE_TOLD).rowcount)
            await put(app, effect(1))
            await until(lambda: slow.sent)
            await outlived(lease_until, 0.6)
            over.set()
            await until(lambda: told.heard)
        finally:
            working.stop()
            await task
        (info,) = await look(app)
        assert (info.status, info.attempts) == ("completed", 1)


async def test_what_a_worker_has_nothing_to_send_with_is_left_to_others(app: Holdfast) -> None:
    await put(app, effect(1, kind="sms"), effect(2))
    assert await worker(app, Script({})).drain() == 1
    assert {(info.kind, info.status, info.attempts) for info in await look(app)} == {
        ("sms", "pending", 0),
        ("webhook", "completed", 1),
    }


async def test_a_sender_with_a_bug_is_an_attempt_that_failed(app: Holdfast, caplog: pytest.LogCaptureFixture) -> None:
    await put(app, effect(1))
    await worker(app, Script(ZeroDivisionError("oops"))).drain()
    (info,) = await look(app)
    assert (info.status, info.error) == ("failed", "sender_failed: ZeroDivisionError: oops")
    assert "oops" in caplog.text


async def test_secrets_sign_and_are_never_seen(app: Holdfast, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with app.tenant("acme") as hold:
        await hold.secrets.set("erp", SECRET, hosts=["127.0.0.1", "ERP.example."])
        assert [(secret.name, secret.hosts) for secret in await hold.secrets.list()] == [
            ("erp", ["127.0.0.1", "erp.example"])
        ]
    async with HttpReceiver(500, 200) as receiver:
        await put(app, effect(1, url=receiver.url, secret="erp"))
        sender = standard_senders(app.database, app.clock, lambda: app.keyring)["webhook"]
        assert isinstance(sender, Webhooks)
        sender._allowed = Allowed.parse(["127.0.0.0/8"])
        await worker(app, sender).drain()
        await sender.aclose()
        request = receiver.requests[0]
        assert verify(request.headers, request.body, SECRET, tolerance=1e9)
    assert SECRET not in caplog.text
    assert SECRET not in repr(await look(app))
    async with app.tenant("acme") as hold:
        assert SECRET not in repr(await hold.audit.list())
        for wrong, hosts in (
            ("short", ["erp.example"]),
            (SECRET, []),
            (SECRET, ["https://erp.example"]),
            (SECRET, ["a:1"]),
            (SECRET, ["*"]),
        ):
            with pytest.raises(InvalidInput):
                await hold.secrets.set("erp", wrong, hosts=hosts)
        await hold.secrets.delete("erp")
        assert not await hold.secrets.list()


async def test_a_message_inside_the_product_arrives_once(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("ben", roles=["approver"])
        await hold.users.create("cat", roles=["approver"])
        await hold.users.create("off", roles=["approver"])
        await hold.users.deactivate("off")
    to = [{"kind": "role", "role": "approver"}, {"kind": "user", "user": "ben"}]
    await put(app, effect(1, kind="in_app", to=to, subject="Look", body="at this"))
    senders = standard_senders(app.database, app.clock, lambda: app.keyring)
    working = EffectsWorker(app.database, senders, app.clock, Told())
    (claimed,) = await working._claim()
    await senders["in_app"].send(claimed)
    await working._handle(claimed)
    for name in ("ben", "cat"):
        async with app.tenant("acme", actor=name) as hold:
            own = Notifications(hold._tx)
            (message,) = (await own.list(unread=True)).items
            assert (message.subject, message.body) == ("Look", "at this")
            assert await own.mark_read([message.id]) == 1
            assert not (await own.list(unread=True)).items
            assert len((await own.list()).items) == 1
    (info,) = await look(app)
    assert info.response is not None
    assert info.response["notified"] == ["ben", "cat"]


async def test_wf10_the_application_cannot_move_an_effect_by_hand(
    app: Holdfast, intruder: AsyncConnection[dict[str, Any]]
) -> None:
    await put(app, effect(1))
    async with tenant(app) as tx:
        own = tx.tenant.id
    await intruder.execute(f"SET holdfast.tenant = '{own}'")
    for statement in (
        "UPDATE holdfast.workflow_side_effects_outbox SET status = 'completed', completed_at = now()",
        "UPDATE holdfast.workflow_side_effects_outbox SET payload_json = '{}'",
        "DELETE FROM holdfast.workflow_side_effects_outbox",
        "DELETE FROM holdfast.workflow_outbox_receipts",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await intruder.execute(statement)


async def test_effects_are_listed_page_by_page(app: Holdfast, holdfast_clock: FakeClock) -> None:
    for number in range(5):
        await put(app, effect(number))
        holdfast_clock.advance(1)
    async with tenant(app) as tx:
        found, cursor = [], None
        while True:
            page = await Effects(tx).list(limit=2, cursor=cursor)
            found += [info.instance_id.int for info in page.items]
            cursor = page.next_cursor
            if cursor is None:
                break
        assert found == [4, 3, 2, 1, 0]
        assert [info.instance_id.int for info in (await Effects(tx).list(instance_id=UUID(int=3))).items] == [3]
        with pytest.raises(InvalidInput, match="status"):
            await Effects(tx).list(status="lost")


async def test_a_webhook_answered_with_500_for_ever_ends_as_a_dead_letter_with_its_evidence(
    app: Holdfast, holdfast_clock: FakeClock
) -> None:
    async def told(_: Received, writer: asyncio.StreamWriter) -> None:
        await answer(writer, 500, b'{"why": "no"}')

    async with HttpReceiver(told) as receiver:
        await put(app, effect(1, url=receiver.url, max_attempts=4))
        sender = Webhooks(_no_secret, allowed=Allowed.parse(["127.0.0.0/8"]))
        working = worker(app, sender)
        for _ in range(6):
            await working.drain()
            holdfast_clock.advance(3600)
        await sender.aclose()
        assert len(receiver.requests) == 4
        assert len({request.headers["idempotency-key"] for request in receiver.requests}) == 1
    (info,) = await look(app)
    assert info.status == "dead_letter"
    assert info.response is not None
    assert (info.response["status"], info.response["body"]) == (500, '{"why": "no"}')
    assert info.response["request"]["idempotency-key"] == info.key


async def _no_secret(_: Outgoing) -> None:
    return None
