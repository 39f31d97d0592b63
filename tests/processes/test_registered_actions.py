"""Steps call what is registered with the application: in their transaction, once, with the permissions of `run_as`."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import psycopg
import pytest

from holdfast import Holdfast
from holdfast.actions import Actions, Call
from holdfast.testing import FakeClock
from processes.shop import Shop, nodes, passing, ways

COUNT = {"action": "store.increment", "payload": {"namespace": "seen", "key": {"$expr": "entity.number"}}}


async def counted(app: Holdfast, key: str = "7") -> Any:
    entry = await app.data("acme").get("seen", key)
    return entry and entry.value


async def test_step_calls_a_registered_action_and_keeps_its_output(shop: Shop) -> None:
    lookup = {
        "namespace": "mirror",
        "from": {"type": "invoice", "id": {"$expr": "entity.number"}},
        "direction": "reverse",
    }
    remember = {"namespace": "totals", "key": "{entity.number}", "value": {"$expr": "entity.grand_total"}}
    await shop.publish(
        passing(
            ("set", "action", {"action": "store.set", "payload": remember, "save_as": "stored"}),
            ("look", "action", {"action": "links.lookup", "payload": lookup, "save_as": "found"}),
            ("go", "action", {"action": "runs.enqueue", "payload": {"type": "books.post.v1"}, "save_as": "run"}),
            edges=ways("in -> set", "set -> look", "look -> go", "go -> pass"),
        )
    )
    await shop.app.links("acme").upsert("mirror", ("ticket", "t-1"), ("invoice", "7"))
    instance = await shop.submit(await shop.invoice())
    found = await shop.instance(instance)
    assert found.status == "completed"
    assert found.context["stored"]["created"] is True
    assert [match["id"] for match in found.context["found"]["matches"]] == ["t-1"]
    entry = await shop.app.data("acme").get("totals", "{entity.number}")
    assert entry is not None
    assert entry.value == "12500.00"
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert str((await hold.runs.list()).items[0].id) == found.context["run"]["run_id"]
        (step, *_) = [one for one in await shop.steps(instance) if one.node_id.endswith(":set")]
        (event, *_) = [
            one
            for one in (await hold.audit.list(object_kind="action", object_id=instance)).items
            if one.data["action"] == "store.set"
        ]
    assert (event.actor, event.step_id) == ("user:ana", str(step.id))
    assert await shop.matches_its_steps(instance)


async def test_numbers_go_in_and_come_out_exact(shop: Shop) -> None:
    add = {"namespace": "seen", "key": "sum", "by": Decimal("0.1"), "initial": Decimal("0.2")}
    await shop.publish(
        passing(
            ("add", "action", {"action": "store.increment", "payload": add, "save_as": "sum"}),
            edges=ways("in -> add", "add -> pass"),
        )
    )
    instance = await shop.submit(await shop.invoice())
    assert (await shop.instance(instance)).context["sum"]["value"] == Decimal("0.3")


async def test_step_that_is_done_again_does_not_write_again(
    shop: Shop, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock
) -> None:
    """The advance fails after the write, is tried again, and its event is delivered once more."""
    attempts: list[str | None] = []

    @shop.action("invoice.stumble")
    async def stumble(call: Call, given: Any) -> None:
        attempts.append(call.key)
        if len(attempts) == 1:
            raise RuntimeError("the machine trips")

    await shop.automation(
        "count",
        {
            "nodes": nodes(("add", "action", COUNT), ("stumble", "action", {"action": "invoice.stumble"})),
            "edges": ways("in -> add", "add -> stumble", "stumble -> out"),
        },
    )
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.triggers.create("news", "count", "on_create", entity_type="invoice")
    await shop.invoice()
    assert await counted(shop.app) is None
    holdfast_clock.advance(timedelta(minutes=10))
    await shop.worker.drain()
    assert await counted(shop.app) == 1
    superuser.execute("ALTER TABLE holdfast.workflow_events_outbox DISABLE TRIGGER USER")
    superuser.execute("UPDATE holdfast.workflow_events_outbox SET status = 'pending', completed_at = NULL")
    assert await shop.worker.drain() > 0
    assert await counted(shop.app) == 1
    assert len(attempts) == 2
    assert attempts[0] == attempts[1]


async def test_same_step_gets_the_recorded_answer(shop: Shop) -> None:
    calls: list[Call] = []

    @shop.action("invoice.look")
    async def look(call: Call, given: Any) -> int:
        calls.append(call)
        return len(calls)

    await shop.publish(
        passing(
            ("look", "action", {"action": "invoice.look", "save_as": "looked"}),
            edges=ways("in -> look", "look -> pass"),
        )
    )
    document = await shop.invoice()
    instance = await shop.submit(document)
    (seen,) = calls
    assert (seen.instance_id, seen.document_id) == (instance, document.id)
    async with shop.app.tenant("acme", actor="ana") as hold:
        again = Actions(shop.app.actions, replace(hold.documents._tx, instance=instance))
        answer = await again.answer("invoice.look", {}, key=seen.key)
    assert (answer.output, answer.repeated, len(calls)) == (1, True, 1)
    assert (await shop.instance(instance)).context["looked"] == 1


@pytest.mark.parametrize(
    ("run_as", "outcome"), [("actor", "error"), ("system", "completed"), ("service_account", "error")]
)
async def test_action_needs_the_permissions_of_whom_the_step_acts_as(shop: Shop, run_as: str, outcome: str) -> None:
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.users.create("ben", roles=["approver", "viewer"])
        await hold.users.create("robot", kind="service", roles=["viewer"])
        await hold.configure(settings={"service_account": "robot"})
    given = passing(("add", "action", COUNT), edges=ways("in -> add", "add -completed-> pass", "add -error-> pass"))
    given["slot:submitted_to_approved"]["nodes"][0]["run_as"] = run_as
    await shop.publish(given)
    made = await shop.invoice()
    async with shop.app.tenant("acme", actor="ben") as hold:
        await hold.documents.transition(made.id, "submit")
        instance = (await hold.processes.of_document(made.id)).id
    await shop.worker.drain()
    (step,) = [one for one in await shop.steps(instance) if one.node_id.endswith(":add")]
    assert step.outcome == outcome
    assert await counted(shop.app) == (1 if outcome == "completed" else None)
    if outcome == "error":
        assert step.error is not None
        assert step.error["code"] == "forbidden"


async def test_what_an_action_refuses_is_the_outcome_error_and_leaves_nothing(shop: Shop) -> None:
    @shop.app.action("books.close", permission="data:write")
    async def close(call: Call, given: dict[str, Any]) -> dict[str, Any]:
        await call.hold.data.set("books", "closed", True)
        await call.hold.data.set("books", "closed", True, if_revision=0)
        return {}

    await shop.publish(
        passing(
            ("close", "action", {"action": "books.close"}),
            edges=ways("in -> close", "close -completed-> pass", "close -error-> pass"),
        )
    )
    instance = await shop.submit(await shop.invoice())
    (step,) = [one for one in await shop.steps(instance) if one.node_id.endswith(":close")]
    assert step.outcome == "error"
    assert step.error is not None
    assert step.error["code"] == "revision_mismatch"
    assert (await shop.instance(instance)).status == "completed"
    assert await shop.app.data("acme").get("books", "closed") is None


async def test_unknown_action_waits_and_says_which_there_is(shop: Shop, holdfast_clock: FakeClock) -> None:
    await shop.publish(passing(("x", "action", {"action": "invoice.postt"}), edges=ways("in -> x", "x -> pass")))
    instance = await shop.submit(await shop.invoice())
    (step,) = [one for one in await shop.steps(instance) if one.node_id.endswith(":x")]
    assert (step.status, step.error) == ("running", None)
    holdfast_clock.advance(timedelta(hours=1))
    async with shop.app.tenant("acme", actor="ana") as hold:
        (stuck,) = await hold.processes.repair.stuck()
    assert "action:invoice.postt (did you mean 'action:invoice.post'?)" in stuck.why
