"""Nothing is stranded: what waits for an operator is listed and goes on when mended; nothing blinds the list."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from harness.waiting import until
from holdfast import Holdfast, Run
from holdfast.actions import Call
from holdfast.doctor import examine
from holdfast.kernel.actor import BUILT_IN_ROLES
from holdfast.testing import FakeClock
from people.conftest import office
from people.office import FINANCE, Office
from processes.shop import Shop, passing, ways
from processes.test_operating import compiled_by_another

__all__ = ["office"]

HOUR = timedelta(hours=1)


async def stuck(app: Holdfast) -> list[str]:
    async with app.tenant("acme", actor="ana") as hold:
        return [each.why for each in await hold.processes.repair.stuck()]


def attempts(superuser: psycopg.Connection[Any]) -> list[tuple[Any, ...]]:
    rows = superuser.execute(
        "SELECT event_type, status, attempts FROM holdfast.workflow_events_outbox WHERE status <> 'completed'"
    ).fetchall()
    return [tuple(row.values()) for row in rows]


async def test_a_decision_under_a_stale_compiler_goes_on_when_it_is_recompiled(
    office: Office, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock
) -> None:
    await office.publish(FINANCE)
    document, instance, request = await office.asked()
    compiled_by_another(superuser)
    office.app.assembly.library.forget()
    await office.decide("ben", request)
    for _ in range(8):
        holdfast_clock.advance(timedelta(seconds=40))
        await office.shop.worker.drain()
    assert attempts(superuser) == [("advance", "pending", 0)]
    holdfast_clock.advance(HOUR)
    (why,) = await stuck(office.app)
    assert "WORKFLOW_COMPILER_STALE" in why
    await office.shop.worker.drain()
    async with office.acting("ana") as hold:
        await hold.definitions.recompile("invoice")
    # At once: nobody waits for the next look at what waited.
    assert await office.status(document) == "active"
    assert await office.shop.matches_its_steps(instance)
    assert await stuck(office.app) == []


async def test_a_tampered_definition_is_waited_for_without_using_up_attempts(
    office: Office, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock
) -> None:
    await office.publish(FINANCE)
    document, _, request = await office.asked()
    (row,) = superuser.execute(
        "SELECT compiled_hash FROM holdfast.workflow_definitions WHERE definition_kind = 'effective' "
        "AND status = 'published' AND entity_type = 'invoice'"
    ).fetchall()
    tamper = "UPDATE holdfast.workflow_definitions SET compiled_hash = %s WHERE compiled_hash = %s"
    superuser.execute("SET session_replication_role = replica")
    superuser.execute(tamper, ["ab" * 32, row["compiled_hash"]])
    office.app.assembly.library.forget()
    await office.decide("ben", request)
    for _ in range(8):
        await office.shop.worker.drain()
        holdfast_clock.advance(timedelta(seconds=40))
    assert attempts(superuser) == [("advance", "pending", 0)]
    superuser.execute(tamper, [row["compiled_hash"], "ab" * 32])
    assert await office.status(document) == "active"


async def test_what_a_worker_cannot_open_waits_for_one_that_has_the_key(
    shop: Shop, holdfast_dsn: str, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock
) -> None:
    await shop.publish(passing(("x", "run", {"run_type": "billing.charge.v1"}), edges=ways("in -> x", "x -> pass")))
    instance = await shop.submit(await shop.invoice())
    keys = shop.app.settings.keys
    async with Holdfast(dsn=holdfast_dsn, clock=holdfast_clock, keys=keys, encrypt_payloads=True) as closed:

        @closed.handler("billing.charge.v1")
        async def charge(run: Run, payload: dict[str, Any]) -> dict[str, Any]:
            return {"charged": True}

        runner = closed.worker()
        running = asyncio.create_task(runner.run())
        await until(lambda: attempts(superuser) == [("run_finished", "pending", 0)])
        runner.stop()
        await running
    async with Holdfast(dsn=holdfast_dsn, clock=holdfast_clock) as keyless:
        worker = keyless.engine_worker()
        for _ in range(8):
            holdfast_clock.advance(timedelta(seconds=40))
            await worker.drain()
    assert attempts(superuser) == [("run_finished", "pending", 0)]
    holdfast_clock.advance(HOUR)
    (why,) = await stuck(shop.app)
    assert "HOLDFAST_KEYS" in why
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"


async def test_a_projection_that_cannot_be_read_blinds_nobody_and_is_rebuilt(
    office: Office, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock
) -> None:
    await office.publish(FINANCE)
    document, instance, request = await office.asked()
    other, _, _ = await office.asked(number="8")
    superuser.execute("SET session_replication_role = replica")
    superuser.execute("UPDATE holdfast.workflow_instances SET state = '{}' WHERE id = %s", [instance])
    superuser.execute("SET session_replication_role = origin")
    holdfast_clock.advance(HOUR)
    (why,) = await stuck(office.app)
    assert "WORKFLOW_PROJECTION_BEHIND" in why or "position" in why
    await office.decide("ben", request)
    await office.shop.worker.drain()
    holdfast_clock.advance(timedelta(minutes=1))
    assert await office.status(document) == "active"
    assert await office.shop.matches_its_steps(instance)
    assert await office.status(other) == "submitted"


CORRUPT = {
    "state is a list": "state = '[]'",
    "state is null": "state = 'null'",
    "tokens are null": "active_tokens = 'null'",
    "a token that is none": "active_tokens = '[1]'",
    "no tokens": "active_tokens = '[]'",
    "a token at no node": """active_tokens = jsonb_set(active_tokens, '{0,node}', '"nowhere"')""",
    "a wrong kind of seq": """state = jsonb_set(state, '{seq}', '"x"')""",
    "an older seq": """state = jsonb_set(state, '{seq}', '1')""",
}


@pytest.mark.parametrize("how", CORRUPT)
async def test_whatever_befalls_a_projection_nothing_that_stands_is_lost(
    office: Office, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock, how: str
) -> None:
    await office.publish(FINANCE)
    document, instance, request = await office.asked()
    other, _, _ = await office.asked(number="8")
    superuser.execute("SET session_replication_role = replica")
    superuser.execute(f"UPDATE holdfast.workflow_instances SET {CORRUPT[how]} WHERE id = %s", [instance])
    superuser.execute("SET session_replication_role = origin")
    holdfast_clock.advance(HOUR)
    assert all(str(other.id) not in why for why in await stuck(office.app))
    async with office.acting("ana") as hold:
        assert (await hold.processes.get(instance)).status == "running"
        assert (await hold.processes.repair.check_projection(instance)).differed != ()
    await office.decide("ben", request)
    for _ in range(3):
        await office.shop.worker.drain()
        holdfast_clock.advance(timedelta(minutes=1))
    assert await office.status(document) == "active"
    assert await office.shop.matches_its_steps(instance)
    assert await office.status(other) == "submitted"


async def test_an_edit_stands_when_its_process_cannot_hear_of_it(
    shop: Shop, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock
) -> None:
    document = await shop.invoice()
    superuser.execute("SET session_replication_role = replica")
    superuser.execute("UPDATE holdfast.workflow_instances SET state = '{}'")
    superuser.execute("SET session_replication_role = origin")
    async with shop.app.tenant("acme", actor="ana") as hold:
        edited = await hold.documents.update(document.id, {"vendor": "other"})
        instance = (await hold.processes.of_document(document.id)).id
    assert edited.entity_version == 2
    await shop.worker.drain()
    holdfast_clock.advance(timedelta(minutes=1))
    await shop.worker.drain()
    assert (await shop.position(instance)).started
    assert await shop.matches_its_steps(instance)


async def test_a_step_whose_request_is_closed_is_stuck(
    office: Office, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock
) -> None:
    await office.publish(FINANCE)
    _, _, _ = await office.asked()
    holdfast_clock.advance(HOUR)
    assert await stuck(office.app) == []
    superuser.execute("SET session_replication_role = replica")
    superuser.execute(
        "UPDATE holdfast.approval_requests SET status = 'cancelled', closed_at = now(), reason = 'by hand'"
    )
    (why,) = await stuck(office.app)
    assert "a decision" in why


async def test_a_request_that_nobody_can_answer_any_more_is_stuck(office: Office, holdfast_clock: FakeClock) -> None:
    await office.publish(FINANCE)
    _, _, request = await office.asked()
    holdfast_clock.advance(HOUR)
    async with office.acting("ana") as hold:
        for name in ("ben", "cat", "dan"):
            await hold.users.revoke(name, "finance_manager")
    (why,) = await stuck(office.app)
    assert request.title in why
    async with office.acting("ana") as hold:
        (found,) = await hold.processes.repair.stuck()
    assert [(each.code, each.params) for each in found.reasons] == [("unanswerable", {"title": request.title})]
    async with office.acting("ana") as hold:
        await hold.users.grant("eve", "finance_manager")
    assert await stuck(office.app) == []


@pytest.mark.parametrize("required", ["all", 2])
async def test_a_request_whose_remaining_people_left_is_stuck(
    office: Office, holdfast_clock: FakeClock, required: str | int
) -> None:
    """Who has decided already does not answer for those who are gone."""
    await office.publish({**FINANCE, "required": required})
    _, _, request = await office.asked()
    await office.decide("ben", request)
    holdfast_clock.advance(HOUR)
    assert await stuck(office.app) == []
    async with office.acting("ana") as hold:
        for name in ("cat", "dan"):
            await hold.users.deactivate(name)
    (why,) = await stuck(office.app)
    assert request.title in why
    async with office.acting("ana") as hold:
        await hold.users.grant("eve", "finance_manager")
    assert await stuck(office.app) == []


async def test_who_is_asked_and_may_not_decide_does_not_count(office: Office, holdfast_clock: FakeClock) -> None:
    async with office.acting("ana") as hold:
        await hold.roles.define("auditor", ["processes:approve"])
        await hold.users.create("fay", roles=["auditor"])
    await office.publish({"approvers": [{"kind": "role", "role": "auditor"}]})
    _, _, request = await office.asked()
    holdfast_clock.advance(HOUR)
    assert await stuck(office.app) == []
    async with office.acting("ana") as hold:
        await hold.roles.define("auditor", [])
    (why,) = await stuck(office.app)
    assert request.title in why


async def test_a_gate_that_asks_anyone_is_stuck_where_nobody_but_its_maker_may_decide(
    shop: Shop, holdfast_clock: FakeClock
) -> None:
    await shop.submit(await shop.invoice())
    holdfast_clock.advance(HOUR)
    (why,) = await stuck(shop.app)
    assert "nobody who is asked can answer" in why
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.users.create("ben", roles=["approver"])
    assert await stuck(shop.app) == []


def test_the_database_knows_which_built_in_roles_may_decide() -> None:
    """`can_answer` names them."""
    assert {name for name, may in BUILT_IN_ROLES.items() if "processes:approve" in may} == {"approver", "admin"}


async def test_what_no_worker_knows_is_told_everywhere_with_since_when(shop: Shop, holdfast_clock: FakeClock) -> None:
    await shop.publish(
        passing(("post", "action", {"action": "invoice.pots"}), edges=ways("in -> post", "post -> pass"))
    )
    begun = holdfast_clock.now()
    instance = await shop.submit(await shop.invoice())
    holdfast_clock.advance(HOUR)
    await shop.worker.drain()
    (why,) = await stuck(shop.app)
    assert "knows action:invoice.pots" in why
    assert f"{begun:%Y-%m-%d %H:%M}" in why
    async with shop.app.tenant("acme", actor="ana") as hold:
        (unknown,) = (await hold.processes.repair.health()).unknown
    assert (unknown.needs, unknown.steps, unknown.since) == ("action:invoice.pots", 1, begun)
    findings = [each async for each in examine(shop.app.settings, holdfast_clock) if each.check == "code of processes"]
    assert [(each.verdict, "no worker knows action:invoice.pots" in each.detail) for each in findings] == [
        ("warning", True)
    ]

    async def pots(call: Call, given: Any) -> None: ...

    shop.action("invoice.pots")(pots)
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert (await hold.processes.repair.health()).unknown == ()
