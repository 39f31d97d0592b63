"""Effects wait for a worker that can send them, as long as their schedule says; channels may be one's own."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from harness.receivers import MailReceiver
from holdfast import Holdfast
from holdfast.doctor import Finding, examine
from holdfast.effects import EffectInfo, EffectsWorker, Outgoing, Recipient, Undelivered
from holdfast.effects.worker import SCHEDULE
from holdfast.errors import CompileError, InvalidInput
from holdfast.leases import Backoff
from holdfast.settings import Settings
from holdfast.testing import FakeClock
from processes.shop import Shop, nodes, ways

SLOT = "slot:draft_to_submit"
ANA = [{"kind": "user", "user": "ana"}]
NOWHERE = "smtp://127.0.0.1:1"


@asynccontextmanager
async def sending(app: Holdfast, **settings: Any) -> AsyncIterator[EffectsWorker]:
    """The effects worker of another process on the same database."""
    assert app.settings.dsn is not None
    dsn = app.settings.dsn.get_secret_value()
    async with Holdfast(dsn=dsn, clock=app.clock, effects_timeout=2, **settings) as other:
        worker = other.effects_worker()
        yield worker
        await worker.aclose()


async def notify(app: Holdfast, channel: str = "email", **more: Any) -> UUID:
    async with app.tenant("acme") as hold:
        done = await hold.actions.call("notify", {"users": ["ana"], "subject": "Hello", "channel": channel, **more})
        return UUID(str(done["effect_id"]))


async def look(app: Holdfast) -> list[EffectInfo]:
    async with app.tenant("acme") as hold:
        return (await hold.effects.list()).items


@pytest.fixture
async def office(app: Holdfast) -> Holdfast:
    async with app.tenant("acme") as hold:
        if "ana" not in [user.name for user in (await hold.users.list()).items]:
            await hold.users.create("ana", email="ana@example.org")
        else:
            await hold.users.update("ana", email="ana@example.org")
    return app


def publishing(channel: str, **more: Any) -> Mapping[str, Any]:
    step = {"channel": channel, "to": ANA, "subject": "Invoice {entity.number}", **more}
    return {
        SLOT: {
            "nodes": nodes(("tell", "notification", step)),
            "edges": ways("in -> tell", "tell -completed-> out"),
            "exit_edge_mode": "join",
        }
    }


# ------------------------------------------------------------------------------------------------------------ schedule


def test_the_schedule_of_retries_lasts_for_hours() -> None:
    """The shortest it can be: without the jitter that lengthens every pause."""
    attempts = Settings.load({}).effects_max_attempts
    plain = Backoff(base=SCHEDULE.base, cap=SCHEDULE.cap, jitter=0)
    assert sum((plain.after(attempt) for attempt in range(1, attempts)), timedelta(0)) >= timedelta(hours=5)
    assert SCHEDULE.after(1) < timedelta(seconds=5), "what fails for a moment is tried again at once"


async def test_mail_outlasts_a_server_that_is_down_for_hours(office: Holdfast, holdfast_clock: FakeClock) -> None:
    await notify(office)
    begun, pauses = holdfast_clock.now(), []
    async with sending(office, smtp_url=NOWHERE, mail_from="no-reply@example.org") as worker:
        while holdfast_clock.now() - begun < timedelta(hours=4):
            assert await worker.drain() == 1
            (info,) = await look(office)
            assert info.status == "failed", info.error
            assert info.next_retry_at is not None
            pauses.append(info.next_retry_at - holdfast_clock.now())
            holdfast_clock.advance(pauses[-1].total_seconds())
    assert max(pauses) <= timedelta(hours=1.5)
    async with MailReceiver() as receiver, sending(office, smtp_url=receiver.url, mail_from="a@example.org") as worker:
        assert await worker.drain() == 1
    assert [to for to, _ in receiver.messages] == [["ana@example.org"]]
    assert [info.status for info in await look(office)] == ["completed"]


async def test_how_often_an_effect_is_tried_is_the_operators_and_the_definitions(
    office: Holdfast, holdfast_dsn: str
) -> None:
    async with Holdfast(dsn=holdfast_dsn, clock=office.clock, effects_max_attempts=3) as other:
        await notify(other)
        async with other.tenant("acme") as hold:
            await hold.actions.call("http.request", {"url": "https://example.org/"})
            await hold.actions.call("http.request", {"url": "https://example.org/", "max_attempts": 7})
    assert sorted(info.max_attempts for info in await look(office)) == [3, 3, 7]


async def test_a_step_that_does_not_say_how_often_is_tried_as_the_operator_says(shop: Shop) -> None:
    url = {"url": "https://example.org/"}
    steps = nodes(("one", "webhook_out", {**url, "wait": False}), ("two", "webhook_out", {**url, "max_attempts": 2}))
    await shop.publish(
        {SLOT: {"nodes": steps, "edges": ways("in -> one", "one -completed-> two", "two -completed-> out")}}
    )
    await shop.submit(await shop.invoice())
    await shop.worker.drain()
    assert sorted(info.max_attempts for info in await look(shop.app)) == [2, shop.app.settings.effects_max_attempts]


# -------------------------------------------------------------------------------------------------------- who can send


@pytest.mark.parametrize("missing", ["smtp_url", "mail_from"])
async def test_a_worker_that_cannot_send_mail_leaves_it_to_one_that_can(office: Holdfast, missing: str) -> None:
    await notify(office)
    await notify(office, "in_app")
    async with MailReceiver() as receiver:
        mail = {"smtp_url": receiver.url, "mail_from": "no-reply@example.org"}
        async with sending(office, **{name: value for name, value in mail.items() if name != missing}) as unable:
            assert await unable.drain() == 1, "the message in the product"
            assert await unable._tend() is None, "what it cannot send does not keep it awake"
        assert {info.kind: (info.status, info.attempts) for info in await look(office)} == {
            "email": ("pending", 0),
            "in_app": ("completed", 1),
        }
        async with sending(office, **mail) as able:
            assert await able.drain() == 1
    assert len(receiver.messages) == 1


async def findings(app: Holdfast, **settings: Any) -> dict[str, Finding]:
    assert app.settings.dsn is not None
    wanted = Settings.load({}, dsn=app.settings.dsn.get_secret_value(), **settings)
    return {finding.check: finding async for finding in examine(wanted, app.clock)}


async def test_the_doctor_says_that_nobody_sends_the_mail(office: Holdfast, holdfast_clock: FakeClock) -> None:
    await notify(office)
    assert (await findings(office))["effects"].verdict == "ok", "it may still be taken"
    holdfast_clock.advance(120)
    found = (await findings(office))["effects"]
    assert (found.verdict, "1 email" in found.detail) == ("warning", True), found
    assert found.fix is not None
    assert "HOLDFAST_SMTP_URL" in found.fix
    async with sending(office, smtp_url=NOWHERE, mail_from="a@example.org") as able:
        await able._claim()
    assert (await findings(office))["effects"].verdict == "ok", "somebody has it"


async def test_the_doctor_names_a_channel_of_ones_own_that_nobody_sends(shop: Shop, holdfast_clock: FakeClock) -> None:
    @shop.app.effect("slack")
    async def post(effect: Outgoing) -> None: ...

    await shop.publish(publishing("slack"))
    await shop.submit(await shop.invoice())
    holdfast_clock.advance(120)
    found = (await findings(shop.app))["effects"]
    assert found.fix is not None
    assert "@app.effect('slack')" in found.fix


async def test_a_process_whose_mail_nobody_sends_is_stuck_and_says_why(shop: Shop, holdfast_clock: FakeClock) -> None:
    await shop.publish(publishing("email", wait=True))
    instance = await shop.submit(await shop.invoice())
    await shop.worker.drain()
    async with shop.app.tenant("acme") as hold:
        assert await hold.processes.repair.stuck(older=timedelta(hours=1)) == []
        holdfast_clock.advance(7200)
        (found,) = await hold.processes.repair.stuck(older=timedelta(hours=1))
    assert found.instance_id == instance
    assert "no worker takes its email" in found.why
    async with sending(shop.app, smtp_url=NOWHERE, mail_from="a@example.org") as able:
        await able.drain()
    async with shop.app.tenant("acme") as hold:
        assert await hold.processes.repair.stuck(older=timedelta(hours=1)) == [], "it is tried again"


# --------------------------------------------------------------------------------------------------- channels of yours


async def test_a_notification_goes_through_a_channel_of_the_applications_own(shop: Shop) -> None:
    sent: list[Outgoing] = []

    @shop.app.effect("slack")
    async def post(effect: Outgoing) -> dict[str, Any]:
        sent.append(effect)
        return {"ts": "1"}

    async with shop.app.tenant("acme") as hold:
        await hold.users.create("ben", email="ben@example.org", roles=["approver"])
    to = [{"kind": "role", "role": "approver"}]
    await shop.publish(publishing("slack", wait=True, to=to))
    document = await shop.invoice()
    await shop.submit(document)
    await shop.worker.drain()
    assert await shop.app.effects_worker().drain() == 1
    await shop.worker.drain()
    (effect,) = sent
    assert (effect.kind, effect.payload["subject"]) == ("slack", "Invoice 7")
    assert effect.people == (Recipient("ben", "ben@example.org"),)
    async with shop.app.tenant("acme") as hold:
        (info,) = (await hold.effects.list(kind="slack")).items
        assert (info.status, info.response) == ("completed", {"ts": "1", "attempt": 1})
        assert (await hold.documents.get(document.id)).doc_status == "submitted"


async def test_whoever_does_not_know_a_channel_writes_the_effect_all_the_same(shop: Shop) -> None:
    """The server without the application's code takes the step; the worker that has it sends."""

    @shop.app.effect("slack")
    async def post(effect: Outgoing) -> None: ...

    await shop.publish(publishing("slack"))
    document = await shop.invoice()
    assert shop.app.settings.dsn is not None
    async with (
        Holdfast(dsn=shop.app.settings.dsn.get_secret_value(), clock=shop.app.clock) as other,
        other.tenant("acme", actor="ana") as hold,
    ):
        assert (await hold.documents.transition(document.id, "submit")).doc_status == "submitted"
    assert [(info.kind, info.status) for info in await look(shop.app)] == [("slack", "pending")]
    async with sending(shop.app) as unable:
        assert await unable.drain() == 0
    assert await shop.app.effects_worker().drain() == 1


async def test_an_unknown_channel_does_not_compile_and_says_how_to_register_it(shop: Shop) -> None:
    with pytest.raises(CompileError) as caught:
        await shop.publish(publishing("slakc"))
    (problem,) = caught.value.details["problems"]
    assert problem["path"].endswith(".config.channel")
    assert "there is no channel 'slakc'" in problem["message"]
    assert "@app.effect" in problem["message"]

    @shop.app.effect("slack")
    async def post(effect: Outgoing) -> None: ...

    with pytest.raises(CompileError, match="email, in_app, slack, sms"):
        await shop.publish(publishing("slakc"))
    schema = {each["type"]: each for each in shop.app.assembly.nodes.types.palette()}["notification"]["schema"]
    assert schema["properties"]["channel"]["enum"] == ["email", "in_app", "slack", "sms"]


@pytest.mark.parametrize("name", ["run", "approval", "custom", "webhook_", "Slack", "", "a b", "x" * 64, "ä", "a\0", 7])
def test_a_channel_whose_name_means_something_else_is_refused(name: Any) -> None:
    app = Holdfast(dsn="postgresql://nobody@127.0.0.1:1/none")
    if name == "webhook_":
        app.effect(name)(lambda effect: None)
        assert name in app.senders
        return
    with pytest.raises(InvalidInput) as caught:
        app.effect(name)
    assert caught.value.details["field"] == "kind"


async def test_the_action_notify_takes_the_same_channels(office: Holdfast) -> None:
    sent: list[Outgoing] = []

    @office.effect("slack")
    async def post(effect: Outgoing) -> None:
        sent.append(effect)

    await notify(office, "slack", body="there")
    with pytest.raises(InvalidInput, match="slack") as caught:
        await notify(office, "slakc")
    assert "@app.effect" in str(caught.value)
    await office.effects_worker().drain()
    assert [(each.name, each.address) for each in sent[0].people] == [("ana", "ana@example.org")]
    async with office.tenant("acme") as hold:
        offered = await hold.actions.suggestions("effects.channels")
        assert [each.value for each in offered] == ["email", "in_app", "slack"]
        with pytest.raises(InvalidInput):
            await hold.effects.list(kind="no such\0kind")
        assert (await hold.effects.list(kind="nobody_sends_this")).items == []


async def test_a_sender_of_ones_own_takes_the_place_of_ours(office: Holdfast) -> None:
    @office.effect("email")
    async def post(effect: Outgoing) -> None:
        raise Undelivered("not_today", "no", again=False)

    await notify(office)
    await office.effects_worker().drain()
    assert [(info.status, info.error) for info in await look(office)] == [("dead_letter", "not_today: no")]


def test_the_documented_spans_of_attempts_are_those_of_the_schedule() -> None:
    page = (Path(__file__).parents[2] / "docs" / "effects.md").read_text(encoding="utf-8")
    rows = [line.strip(" |").split(" | ") for line in page.splitlines() if re.match(r" *\| (attempts|for) \|", line)]
    attempts, spans = rows
    for number, told in zip(attempts[1:], spans[1:], strict=True):
        seconds = sum(min(SCHEDULE.cap, SCHEDULE.base * 2**n) for n in range(int(number) - 1))
        value, unit = told.split()
        assert float(value) == round(seconds / {"s": 1, "min": 60, "h": 3600}[unit], 1 if unit == "h" else 0)
