"""What steps send leaves through the outbox, and comes back as an outcome (WF-10)."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from harness.receivers import HttpReceiver, MailReceiver
from holdfast import Holdfast
from holdfast.doctor import examine
from holdfast.effects import Delivery, EffectsWorker, Outgoing, Undelivered
from holdfast.testing import FakeClock
from processes.shop import Shop, nodes, ways

SLOT = "slot:draft_to_submit"
SECRET = "whsec_" + base64.b64encode(b"s" * 32).decode()


async def publish(shop: Shop, *steps: tuple[str, str, Mapping[str, Any]], edges: list[str]) -> None:
    await shop.publish({SLOT: {"nodes": nodes(*steps), "edges": ways(*edges), "exit_edge_mode": "join"}})


@asynccontextmanager
async def reaching(shop: Shop, clock: FakeClock, **settings: Any) -> AsyncIterator[EffectsWorker]:
    """An effects worker that may reach loopback."""
    dsn = shop.app.settings.dsn
    assert dsn is not None
    given = {"effects_allowed_networks": "127.0.0.0/8", "effects_timeout": 2, **settings}
    async with Holdfast(dsn=dsn.get_secret_value(), clock=clock, **given) as app:
        worker = app.effects_worker()
        yield worker
        for sender in worker._senders.values():
            if hasattr(sender, "aclose"):
                await sender.aclose()


HOOK_WAYS = ["in -> hook", "hook -completed-> out", "hook -error-> note", "note -> out"]
NOTE = ("note", "script", {"assign": {"failed": "true"}})


async def test_wf10_a_webhook_step_waits_until_the_receiver_has_confirmed(
    shop: Shop, holdfast_clock: FakeClock
) -> None:
    async with HttpReceiver(500, 201) as receiver, reaching(shop, holdfast_clock) as sending:
        url = f"{receiver.url}/invoices/{{entity.number}}"
        body = {"total": {"$expr": "entity.grand_total"}}
        await publish(
            shop, ("hook", "webhook_out", {"url": url, "body": body, "save_as": "answer"}), NOTE, edges=HOOK_WAYS
        )
        document = await shop.invoice()
        instance = await shop.submit(document)
        await shop.worker.drain()
        assert not receiver.requests, "nothing is sent by the engine"
        async with shop.app.tenant("acme") as hold:
            assert (await hold.documents.get(document.id)).doc_status == "draft"
            (effect,) = (await hold.effects.list(instance_id=instance)).items
            assert (effect.kind, effect.status) == ("webhook", "pending")
        await sending.drain()
        await shop.worker.drain()
        async with shop.app.tenant("acme") as hold:
            assert (await hold.documents.get(document.id)).doc_status == "draft"
        holdfast_clock.advance(60)
        await sending.drain()
        await shop.worker.drain()
    assert [request.path for request in receiver.requests] == ["/invoices/7", "/invoices/7"]
    assert json.loads(receiver.requests[0].body) == {"total": "12500.00"}
    assert len({request.headers["idempotency-key"] for request in receiver.requests}) == 1
    async with shop.app.tenant("acme") as hold:
        assert (await hold.documents.get(document.id)).doc_status == "submitted"
        found = await hold.processes.get(instance)
        assert found.context["answer"]["status"] == 201
        (step,) = [each for each in (await hold.processes.steps(instance)).items if each.node_type == "webhook_out"]
        assert step.output["result"]["status"] == 201


@pytest.mark.parametrize("edge", [True, False])
async def test_a_dead_letter_takes_the_error_edge_or_fails_the_step(
    shop: Shop, holdfast_clock: FakeClock, edge: bool
) -> None:
    async with HttpReceiver(404) as receiver, reaching(shop, holdfast_clock) as sending:
        hook = ("hook", "webhook_out", {"url": receiver.url, "max_attempts": 2})
        if edge:
            await publish(shop, hook, NOTE, edges=HOOK_WAYS)
        else:
            await publish(shop, hook, edges=["in -> hook", "hook -completed-> out"])
        document = await shop.invoice()
        instance = await shop.submit(document)
        await shop.worker.drain()
        await sending.drain()
        await shop.worker.drain()
    async with shop.app.tenant("acme") as hold:
        found = await hold.processes.get(instance)
        (dead,) = (await hold.effects.list(status="dead_letter")).items
        (step,) = [each for each in (await hold.processes.steps(instance)).items if each.node_type == "webhook_out"]
    assert dead.error == "http_404: the answer was 404"
    assert step.error == {"code": "http_404", "message": "the answer was 404"} or step.outcome == "error"
    if edge:
        assert found.context["failed"] is True
        assert found.doc_status == "submitted"
    else:
        assert (found.status, step.status) == ("paused", "failed")


@pytest.mark.parametrize("awaited", [True, False])
async def test_a_webhook_whose_secret_is_missing_waits_is_listed_and_goes_on_when_there_is_one(
    shop: Shop, holdfast_clock: FakeClock, awaited: bool
) -> None:
    keys = shop.app.settings.keys
    async with HttpReceiver(204) as receiver, reaching(shop, holdfast_clock, keys=keys) as sending:
        hook = {"url": receiver.url, "secret": "erp", "max_attempts": 2, "wait": awaited}
        edges = HOOK_WAYS if awaited else ["in -> hook", "hook -> out"]
        await publish(shop, ("hook", "webhook_out", hook), *([NOTE] if awaited else []), edges=edges)
        async with shop.app.tenant("acme") as hold:
            await hold.users.create("ben", roles=["approver"])  # For the gate, which asks anybody but ana.
        instance = await shop.submit(await shop.invoice())
        for _ in range(5):
            await sending.drain()
            holdfast_clock.advance(300)
        await shop.worker.drain()
        async with shop.app.tenant("acme", actor="ana") as hold:
            (effect,) = (await hold.effects.list()).items
            stuck = [each.why for each in await hold.processes.repair.stuck()]
            assert (effect.status, effect.attempts) == ("failed", 0)
            if awaited:
                assert [each.instance_id for each in await hold.processes.repair.stuck()] == [instance]
                assert "secret_missing: there is no secret 'erp'" in stuck[0]
                assert "no worker takes" not in stuck[0]
            else:
                assert stuck == []
        await sending.drain()
        (found,) = [each async for each in examine(shop.app.settings, holdfast_clock) if each.check == "effects"]
        assert (found.verdict, "no secret for 1 webhook" in found.detail) == ("warning", True), found
        assert found.fix is not None
        assert "set-secret" in found.fix
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.secrets.set("erp", SECRET, hosts=["127.0.0.1"])
        # At once: nobody waits for the next look at what waited.
        await sending.drain()
        await shop.worker.drain()
        assert "webhook-signature" in receiver.requests[0].headers
    gone_on = await shop.instance(instance)
    assert (gone_on.doc_status, gone_on.context.get("failed")) == ("submitted", None)
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert await hold.processes.repair.stuck() == []


async def test_a_notification_is_not_waited_for(shop: Shop, holdfast_clock: FakeClock) -> None:
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.users.create("ben", email="ben@example.org", roles=["approver"])
    to = [{"kind": "role", "role": "approver"}]
    mail = {"channel": "email", "to": to, "subject": "Invoice {entity.number}", "body": "over {entity.grand_total}"}
    bell = {"channel": "in_app", "to": to, "subject": "Look at {entity.number}"}
    edges = ["in -> mail", "mail -> bell", "bell -> out"]
    await publish(shop, ("mail", "notification", mail), ("bell", "notification", bell), edges=edges)
    document = await shop.invoice()
    await shop.submit(document)
    async with shop.app.tenant("acme") as hold:
        assert (await hold.documents.get(document.id)).doc_status == "submitted"
    async with MailReceiver() as receiver:
        settings = {"smtp_url": receiver.url, "mail_from": "no-reply@example.org"}
        async with reaching(shop, holdfast_clock, **settings) as sending:
            assert await sending.drain() == 2
    ((recipients, message),) = receiver.messages
    assert (recipients, message["subject"]) == (["ben@example.org"], "Invoice 7")
    async with shop.app.tenant("acme", actor="ben") as hold:
        (told,) = (await hold.notifications.list()).items
        assert told.subject == "Look at 7"


async def test_what_a_cancelled_process_asked_for_is_not_sent(shop: Shop, holdfast_clock: FakeClock) -> None:
    async with HttpReceiver(200) as receiver, reaching(shop, holdfast_clock) as sending:
        await publish(shop, ("hook", "webhook_out", {"url": receiver.url}), NOTE, edges=HOOK_WAYS)
        document = await shop.invoice()
        instance = await shop.submit(document)
        await shop.worker.drain()
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.processes.cancel(instance, reason="a mistake")
        assert await sending.drain() == 0
        assert not receiver.requests
    async with shop.app.tenant("acme") as hold:
        (withdrawn,) = (await hold.effects.list()).items
        events = {each.event_type: each for each in (await hold.audit.list(object_id=instance)).items}
    assert withdrawn.status == "cancelled"
    assert events["effect.withdrawn"].data["effect"] == str(withdrawn.id)


async def test_a_late_confirmation_does_not_move_what_has_moved_on(shop: Shop, holdfast_clock: FakeClock) -> None:
    """The receiver answers after the step was given up: the answer is kept, the process is not disturbed."""
    async with HttpReceiver(200) as receiver, reaching(shop, holdfast_clock) as sending:
        await publish(shop, ("hook", "webhook_out", {"url": receiver.url}), NOTE, edges=HOOK_WAYS)
        document = await shop.invoice()
        instance = await shop.submit(document)
        await shop.worker.drain()
        (claimed,) = await sending._claim()
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.processes.cancel(instance, reason="a mistake")
        await sending._handle(claimed)
        await shop.worker.drain()
    async with shop.app.tenant("acme") as hold:
        assert (await hold.processes.get(instance)).status == "cancelled"
        assert [each.status for each in (await hold.effects.list()).items] == ["cancelled"]


async def test_users_send_what_the_product_does_not(shop: Shop) -> None:
    sent: list[Outgoing] = []

    @shop.app.effect("sms")
    async def text(effect: Outgoing) -> dict[str, Any]:
        sent.append(effect)
        if len(sent) == 1:
            raise Undelivered("busy", "the gateway is busy", again=True)
        return {"id": "42"}

    to = [{"kind": "user", "user": "ana"}]
    sms = {"channel": "sms", "to": to, "subject": "Hello", "wait": True}
    await publish(shop, ("sms", "notification", sms), edges=["in -> sms", "sms -completed-> out"])
    document = await shop.invoice()
    await shop.submit(document)
    await shop.worker.drain()
    sending = shop.app.effects_worker()
    await sending.drain()
    async with shop.app.tenant("acme") as hold:
        assert [(each.status, each.error) for each in (await hold.effects.list()).items] == [
            ("failed", "busy: the gateway is busy")
        ]
    clock = shop.app.clock
    assert isinstance(clock, FakeClock)
    clock.advance(60)
    await sending.drain()
    await shop.worker.drain()
    async with shop.app.tenant("acme") as hold:
        assert (await hold.documents.get(document.id)).doc_status == "submitted"
        (effect,) = (await hold.effects.list()).items
    assert effect.response is not None
    assert effect.response["id"] == "42"
    assert isinstance(Delivery({}), Delivery)
