"""What goes on by itself has the rights that its starter had then and still has, and no others."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from holdfast import Actor, Call, Contract, FakeClock, Forbidden, Holdfast

INVOICE = Contract(entity_type="invoice", document={"type": "object", "properties": {"total": {"type": "string"}}})


def automation(first: tuple[str, dict[str, Any]], then: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Waits, then calls an action."""
    return {
        "nodes": [
            {"id": "wait", "type": first[0], "config": first[1]},
            {"id": "act", "type": "action", "config": then, **more},
        ],
        "edges": [
            {"source": "in", "target": "wait"},
            {"source": "wait", "target": "act"},
            {"source": "act", "target": "out"},
        ],
    }


TIMER = ("wait_timer", {"duration": "1h"})
EVENT = ("wait_event", {"event_key": "go"})
NOTE = {"action": "attack.note", "payload": {}}


@pytest.fixture
async def acted(app: Holdfast) -> list[Actor]:
    """Who called `attack.note`, which writes a key."""
    seen: list[Actor] = []

    @app.action("attack.note", input={"type": "object"}, output={"type": "object"}, permission="data:write")
    async def note(call: Call, given: Any) -> dict[str, Any]:
        seen.append(call.actor)
        await call.hold.data.set("notes", "note", 1)
        return {}

    async with app.tenant("acme") as hold:
        await hold.users.create("cleo", roles=["author", "designer"])
    return seen


async def publish(app: Holdfast, name: str, patch: dict[str, Any], who: str = "ana") -> None:
    async with app.tenant("acme", actor=who) as hold:
        draft = await hold.definitions.create_automation(name, patch)
        await hold.definitions.publish(draft.id)


async def start(app: Holdfast, name: str, actor: Actor | str, payload: Any = None) -> UUID:
    async with app.tenant("acme", actor=actor) as hold:
        return (await hold.processes.start(name, payload=payload)).id


async def an_hour_later(app: Holdfast, clock: FakeClock) -> None:
    worker = app.engine_worker()
    await worker.drain()
    clock.advance(timedelta(hours=2))
    await worker.drain()


async def failed_with(app: Holdfast, instance: UUID) -> str | None:
    """The code with which its action failed."""
    async with app.tenant("acme") as hold:
        steps = (await hold.processes.steps(instance)).items
    return next((step.error["code"] for step in steps if step.error), None)


async def scoped(app: Holdfast, user: str, *scopes: str) -> Actor:
    async with app.tenant("acme") as hold:
        secret = (await hold.tokens.create(user, "scoped", scopes=scopes)).secret
    return (await app.authenticate(secret))[1]


async def test_after_a_timer_an_author_still_may_not_update_what_only_controllers_may(
    app: Holdfast, acted: list[Actor], holdfast_clock: FakeClock
) -> None:
    app.contracts.add(INVOICE)
    async with app.tenant("acme") as hold:
        await hold.configure(settings={"document_roles": {"invoice": {"update": ["controller"]}}})
        await hold.definitions.register(INVOICE)
        document = await hold.documents.create("invoice", {"total": "1"})
    update = {
        "action": "documents.update",
        "payload": {"id": str(document.id), "changes": {"total": "999"}},
    }
    await publish(app, "raise", automation(TIMER, update), "cleo")
    instance = await start(app, "raise", "cleo")
    await an_hour_later(app, holdfast_clock)
    async with app.tenant("acme") as hold:
        assert (await hold.documents.get(document.id)).data == {"total": "1"}
    assert await failed_with(app, instance) == "forbidden"


@pytest.mark.parametrize("wait", [TIMER, EVENT], ids=["timer", "event"])
async def test_a_token_for_processes_writes_no_data_after_a_wait(
    app: Holdfast, acted: list[Actor], holdfast_clock: FakeClock, wait: Any
) -> None:
    await publish(app, "note", automation(wait, NOTE))
    narrow = await scoped(app, "ana", "processes:read", "processes:start", "actions:call")
    instance = await start(app, "note", narrow)
    if wait is EVENT:
        await app.engine_worker().drain()
        async with app.tenant("acme", actor=narrow) as hold:
            await hold.processes.tell("go")
    await an_hour_later(app, holdfast_clock)
    assert acted == []
    assert await failed_with(app, instance) == "forbidden"


@pytest.mark.parametrize("wait", [TIMER, EVENT], ids=["timer", "event"])
async def test_whoever_has_the_right_then_and_now_still_does_it_as_themselves(
    app: Holdfast, acted: list[Actor], holdfast_clock: FakeClock, wait: Any
) -> None:
    await publish(app, "note", automation(wait, NOTE))
    token = await scoped(app, "cleo", "processes:start", "actions:call", "data:write")
    instance = await start(app, "note", token)
    if wait is EVENT:
        await app.engine_worker().drain()
        async with app.tenant("acme", actor=token) as hold:
            await hold.processes.tell("go")
    await an_hour_later(app, holdfast_clock)
    (actor,) = acted
    assert (str(actor), actor.permissions) == ("user:cleo", token.permissions)
    assert actor.token == token.token
    assert actor.since == token.since
    assert token.token is not None
    async with app.tenant("acme") as hold:
        lines = (await hold.audit.list()).items
    hers = [line for line in lines if line.actor == "user:cleo"]
    assert {line.object_kind for line in hers} >= {"instance", "action"}
    assert {line.data["party"]["token"]["id"] for line in hers} == {str(token.token.id)}
    assert instance in {line.object_id for line in hers}


async def test_a_right_that_was_taken_away_meanwhile_is_gone(
    app: Holdfast, acted: list[Actor], holdfast_clock: FakeClock
) -> None:
    await publish(app, "note", automation(TIMER, NOTE))
    instance = await start(app, "note", "cleo")
    async with app.tenant("acme") as hold:
        await hold.users.revoke("cleo", "author")
        await hold.users.grant("cleo", "approver")
    await an_hour_later(app, holdfast_clock)
    assert acted == []
    assert await failed_with(app, instance) == "forbidden"


async def test_a_right_that_was_given_later_does_not_count(
    app: Holdfast, acted: list[Actor], holdfast_clock: FakeClock
) -> None:
    await publish(app, "note", automation(TIMER, NOTE))
    async with app.tenant("acme") as hold:
        await hold.users.create("ben", roles=["approver"])
    instance = await start(app, "note", "ben")
    async with app.tenant("acme") as hold:
        await hold.users.grant("ben", "admin")
    await an_hour_later(app, holdfast_clock)
    assert acted == []
    assert await failed_with(app, instance) == "forbidden"


async def test_what_a_clock_starts_has_the_rights_of_who_set_it(
    app: Holdfast, acted: list[Actor], holdfast_clock: FakeClock
) -> None:
    patch = {
        "nodes": [{"id": "act", "type": "action", "config": NOTE}],
        "edges": [{"source": "in", "target": "act"}, {"source": "act", "target": "out"}],
    }
    await publish(app, "nightly", patch)
    narrow = await scoped(app, "ana", "processes:read", "processes:publish", "actions:call")
    async with app.tenant("acme", actor=narrow) as hold:
        await hold.triggers.create("every-hour", "nightly", "on_timer", cron="0 * * * *")
    await an_hour_later(app, holdfast_clock)
    assert acted == []
    async with app.tenant("acme") as hold:
        (instance,) = (await hold.processes.list()).items
    assert await failed_with(app, instance.id) == "forbidden"


async def test_who_changes_when_somebody_elses_trigger_fires_has_their_own_rights(
    app: Holdfast, acted: list[Actor], holdfast_clock: FakeClock
) -> None:
    """An administrator lets an automation start once a month; a designer would rather have it start now, as them."""
    patch = {
        "nodes": [{"id": "act", "type": "action", "config": NOTE}],
        "edges": [{"source": "in", "target": "act"}, {"source": "act", "target": "out"}],
    }
    await publish(app, "monthly", patch)
    async with app.tenant("acme") as hold:
        await hold.users.create("dora", roles=["designer"])
    async with app.tenant("acme", actor="ana") as hold:
        await hold.triggers.create("once-a-month", "monthly", "on_timer", cron="0 0 1 * *")
    async with app.tenant("acme", actor="dora") as hold:
        await hold.triggers.change("once-a-month", cron="0 * * * *")
    await an_hour_later(app, holdfast_clock)
    assert acted == []
    async with app.tenant("acme") as hold:
        (instance,) = (await hold.processes.list()).items
    assert await failed_with(app, instance.id) == "forbidden"


async def test_a_persons_account_is_no_service_account(
    app: Holdfast, acted: list[Actor], holdfast_clock: FakeClock
) -> None:
    await publish(app, "borrow", automation(TIMER, NOTE, run_as="service_account"), "cleo")
    async with app.tenant("acme") as hold:
        await hold.configure(settings={"service_account": "ana"})
    instance = await start(app, "borrow", "cleo")
    await an_hour_later(app, holdfast_clock)
    assert acted == []
    assert await failed_with(app, instance) == "invalid_input"


async def test_to_publish_steps_that_run_as_the_system_is_a_right_of_its_own(
    app: Holdfast, acted: list[Actor], holdfast_clock: FakeClock
) -> None:
    patch = automation(TIMER, NOTE, run_as="system")
    with pytest.raises(Forbidden, match="processes:run_as_system"):
        await publish(app, "all_mighty", patch, "cleo")
    await publish(app, "all_mighty", patch, "ana")
    await start(app, "all_mighty", "cleo")
    await an_hour_later(app, holdfast_clock)
    assert [str(actor) for actor in acted] == ["system:process"]
