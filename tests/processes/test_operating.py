"""What operators do: cancel, give up, find what is stuck, migrate, look after the outbox."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from holdfast.doctor import examine
from holdfast.errors import CompilerStale, Conflict, Forbidden, InvalidInput
from holdfast.kernel.cursor import encode_cursor
from holdfast.kernel.ids import uuid7
from holdfast.processes.nodes import Ask, Waiting
from holdfast.testing import FakeClock
from processes.shop import Shop, nodes, passing, ways

ASK = passing(("q", "ask", {}), edges=ways("in -> q", "q -> pass"))


async def test_cancelled_instance_takes_no_answer(shop: Shop) -> None:
    await shop.publish(ASK)
    instance = await shop.submit(await shop.invoice())
    async with shop.app.tenant("acme", actor="ana") as hold:
        ended = await hold.processes.cancel(instance, reason="entered twice")
    assert (ended.status, ended.reason) == ("cancelled", "entered twice")
    assert ended.context["cancel_reason"] == "entered twice"
    assert (await shop.answer(shop.asked[0])).result == "ignored"
    with pytest.raises(Conflict, match="cancelled"):
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.processes.cancel(instance, reason="again")
    assert await shop.matches_its_steps(instance)


async def test_given_up_instance_is_failed_for_good(shop: Shop) -> None:
    await shop.publish(ASK)
    instance = await shop.submit(await shop.invoice())
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.pause(instance, reason="looking at it")
        ended = await hold.processes.force_fail(instance, reason="beyond repair")
    assert (ended.status, ended.reason) == ("failed", "beyond repair")
    assert await shop.matches_its_steps(instance)


async def test_operating_needs_its_permission(shop: Shop) -> None:
    await shop.publish(ASK)
    instance = await shop.submit(await shop.invoice())
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.users.create("ben", roles=["author"])
    for act in ("cancel", "pause", "force_fail"):
        with pytest.raises(Forbidden):
            async with shop.app.tenant("acme", actor="ben") as hold:
                await getattr(hold.processes, act)(instance, reason="because")


async def test_stuck_instance_is_found_and_helped(shop: Shop, holdfast_clock: FakeClock) -> None:
    waiting: list[Ask] = []

    @shop.app.node("elsewhere")
    async def elsewhere(ask: Ask) -> Waiting:
        waiting.append(ask)
        return Waiting()

    await shop.publish(passing(("x", "elsewhere", {}), edges=ways("in -> x", "x -> pass")))
    instance = await shop.submit(await shop.invoice())
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert await hold.processes.repair.stuck() == []
    holdfast_clock.advance(timedelta(minutes=16))
    async with shop.app.tenant("acme", actor="ana") as hold:
        [found] = await hold.processes.repair.stuck()
        assert found.instance_id == instance
        (reason,) = found.reasons
        assert (reason.code, reason.text, reason.params["wait"]) == ("waits", found.why, "work")
        await hold.processes.repair.enqueue_again(instance)
        assert await hold.processes.repair.stuck() == []
        assert (await hold.processes.repair.rebuild_projection(instance)).differed == ()
    assert await shop.worker.drain() == 1
    await shop.answer(waiting[0])
    assert (await shop.instance(instance)).status == "completed"


async def test_that_somebody_rebuilt_a_sound_process_is_on_its_trail(shop: Shop) -> None:
    instance = await shop.submit(await shop.invoice())
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.repair.rebuild_projection(instance)
        page = await hold.audit.list(object_kind="instance", object_id=instance)
    rebuilt = [(event.actor, event.data["differed"]) for event in page.items if event.event_type == "instance.rebuilt"]
    assert rebuilt == [("user:ana", [])]


async def test_who_waits_for_a_person_is_not_stuck(shop: Shop, holdfast_clock: FakeClock) -> None:
    await shop.invoice()
    holdfast_clock.advance(timedelta(days=30))
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert await hold.processes.repair.stuck() == []


async def test_who_waits_for_a_run_is_stuck_only_without_the_run(
    shop: Shop, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock
) -> None:
    await shop.publish(passing(("x", "run", {"run_type": "billing.charge.v1"}), edges=ways("in -> x", "x -> pass")))
    instance = await shop.submit(await shop.invoice())
    holdfast_clock.advance(timedelta(days=30))
    announce(superuser, holdfast_clock, "billing.charge.v1")
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert await hold.processes.repair.stuck() == []
    # A run that is gone will never tell.
    superuser.execute("DELETE FROM holdfast.workflow_run_live")
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert [found.instance_id for found in await hold.processes.repair.stuck()] == [instance]


def announce(superuser: psycopg.Connection[Any], clock: FakeClock, *types: str) -> None:
    """A worker that handles types of runs says that it is there."""
    superuser.execute(
        "SELECT holdfast.announce_worker(gen_random_uuid(), 'w', %s, %s, '{}', %s)",
        [list(types), [1] * len(types), clock.now()],
    )


async def test_a_run_that_no_worker_handles_is_told_everywhere_with_since_when(
    shop: Shop, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock
) -> None:
    await shop.publish(passing(("x", "run", {"run_type": "billing.charge.v1"}), edges=ways("in -> x", "x -> pass")))
    begun = holdfast_clock.now()
    instance = await shop.submit(await shop.invoice())
    holdfast_clock.advance(timedelta(hours=1))
    announce(superuser, holdfast_clock, "billing.refund.v1")
    async with shop.app.tenant("acme", actor="ana") as hold:
        [found] = await hold.processes.repair.stuck()
        [unknown] = (await hold.processes.repair.health()).unknown
    assert found.instance_id == instance
    assert "no worker that is running knows run:billing.charge.v1" in found.why
    assert (unknown.needs, unknown.steps, unknown.since) == ("run:billing.charge.v1", 1, begun)
    told = [each async for each in examine(shop.app.settings, holdfast_clock) if each.check == "code of processes"]
    assert [(each.verdict, "run:billing.charge.v1" in each.detail) for each in told] == [("warning", True)]
    announce(superuser, holdfast_clock, "billing.charge.v1")
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert await hold.processes.repair.stuck() == []
        assert (await hold.processes.repair.health()).unknown == ()
    async with shop.app.tenant("globex", actor="ana") as hold:
        assert (await hold.processes.repair.health()).unknown == ()


async def test_a_branch_that_stands_still_is_found_beside_one_whose_run_is_alive(
    shop: Shop, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock
) -> None:
    @shop.app.node("elsewhere")
    async def elsewhere(ask: Ask) -> Waiting:
        return Waiting()

    await shop.publish(
        passing(
            ("split", "parallel_split", {}),
            ("x", "run", {"run_type": "billing.charge.v1"}),
            ("y", "elsewhere", {}),
            ("join", "parallel_join", {}),
            edges=ways("in -> split", "split -> x", "split -> y", "x -> join", "y -> join", "join -> pass"),
        )
    )
    instance = await shop.submit(await shop.invoice())
    holdfast_clock.advance(timedelta(days=1))
    announce(superuser, holdfast_clock, "billing.charge.v1")
    async with shop.app.tenant("acme", actor="ana") as hold:
        [found] = await hold.processes.repair.stuck()
    assert found.instance_id == instance
    assert found.why == "Y waits for elsewhere"


async def test_looking_again_lets_a_kept_event_arrive(shop: Shop, superuser: psycopg.Connection[Any]) -> None:
    await shop.publish(passing(("e", "wait_event", {"event_key": "go"}), edges=ways("in -> e", "e -> pass")))
    instance = await shop.submit(await shop.invoice())
    # Somebody holds the instance, so that it is left to a worker.
    with superuser.transaction():
        superuser.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [str(instance)])
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.processes.tell("go")
    # What had been posted for it is lost, as after a restore from an old backup of one table.
    superuser.execute("DELETE FROM holdfast.workflow_events_outbox")
    superuser.execute("UPDATE holdfast.workflow_inbound_events SET matched_at = NULL")
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "running"
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.repair.enqueue_again(instance)
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"


async def test_receipts_of_old_instances_are_pruned(shop: Shop, holdfast_clock: FakeClock) -> None:
    await shop.publish(ASK)
    instance = await shop.submit(await shop.invoice())
    running = await shop.submit(await shop.invoice())
    await shop.answer(shop.asked[0])

    async def receipts(of: UUID) -> int:
        async with shop.app.tenant("acme") as hold:
            cursor = await hold.connection.execute(
                "SELECT count(*) FROM holdfast.workflow_step_receipts WHERE instance_id = %s", [of]
            )
            row = await cursor.fetchone()
            assert row is not None
            return int(row[0])

    await shop.app.tidy()
    assert await receipts(instance) > 0
    holdfast_clock.advance(timedelta(days=91))
    await shop.app.tidy()
    assert await receipts(instance) == 0
    assert await receipts(running) > 0


async def test_instance_follows_a_newer_definition_when_its_history_fits(shop: Shop) -> None:
    before = passing(("e", "wait_event", {"event_key": "go"}), edges=ways("in -> e", "e -> pass"))
    await shop.publish(before)
    instance = await shop.submit(await shop.invoice())
    after = passing(
        ("e", "wait_event", {"event_key": "go"}),
        ("post", "action", {"action": "invoice.post"}),
        edges=ways("in -> e", "e -> post", "post -> pass"),
    )
    await shop.publish(after)
    async with shop.app.tenant("acme", actor="ana") as hold:
        target = await shop.app.assembly.library.effective(hold.documents._tx, "invoice")
        plan = await hold.processes.repair.migrate(instance, target.definition_id, target.version)
        assert plan.possible
        assert not plan.migrated
        assert (await hold.processes.get(instance)).definition_version != target.version
        done = await hold.processes.repair.migrate(instance, target.definition_id, target.version, dry_run=False)
        assert done.migrated
        await hold.processes.tell("go")
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"
    assert len(shop.posted) == 1
    assert await shop.matches_its_steps(instance)


async def test_migration_is_refused_with_reasons(shop: Shop) -> None:
    await shop.publish(passing(("e", "wait_event", {"event_key": "go"}), edges=ways("in -> e", "e -> pass")))
    instance = await shop.submit(await shop.invoice())
    await shop.publish(passing(("f", "wait_event", {"event_key": "go"}), edges=ways("in -> f", "f -> pass")))
    async with shop.app.tenant("acme", actor="ana") as hold:
        target = await shop.app.assembly.library.effective(hold.documents._tx, "invoice")
        plan = await hold.processes.repair.migrate(instance, target.definition_id, target.version)
        assert not plan.possible
        assert any("where main stands, is not there" in reason for reason in plan.reasons)
        with pytest.raises(Conflict, match="cannot follow"):
            await hold.processes.repair.migrate(instance, target.definition_id, target.version, dry_run=False)
    assert (await shop.instance(instance)).definition_version != target.version


async def test_health_counts_what_waits(shop: Shop) -> None:
    await shop.publish(ASK)
    instance = await shop.submit(await shop.invoice())
    await shop.answer(shop.asked[0], now=False)
    async with shop.app.tenant("acme", actor="ana") as hold:
        health = await hold.processes.repair.health()
    assert (health.pending, health.dead_letters) == (1, 0)
    assert health.handled == 2
    await shop.worker.drain()
    async with shop.app.tenant("acme", actor="ana") as hold:
        health = await hold.processes.repair.health()
    assert (health.pending, health.handled) == (0, 3)
    assert (await shop.instance(instance)).status == "completed"


async def test_pages_of_active_instances(shop: Shop) -> None:
    for number in range(5):
        await shop.invoice(number=str(number))
    done = await shop.submit(await shop.invoice())
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.cancel(done, reason="over")
        first = await hold.processes.find_active(workflow_id="invoice", limit=3)
        assert first.next_cursor is not None
        rest = await hold.processes.find_active(workflow_id="invoice", limit=3, cursor=first.next_cursor)
        assert len(first.items) == 3
        assert len(rest.items) == 2
        assert rest.next_cursor is None
        ids = [each.id for each in (*first.items, *rest.items)]
        assert ids == sorted(ids, reverse=True)
        assert done not in ids
        one = first.items[0]
        assert (await hold.processes.find_active(subject_id=one.subject_id)).items == [one]
        assert (await hold.processes.list(status="cancelled")).items[0].id == done
        assert (await hold.processes.find_active(workflow_id="nothing")).items == []


async def test_what_is_stuck_is_found_behind_those_who_wait_for_people(shop: Shop, holdfast_clock: FakeClock) -> None:
    @shop.app.node("nowhere")
    async def nowhere(ask: Ask) -> Waiting:
        return Waiting()

    await shop.publish(passing(("x", "nowhere", {}), edges=ways("in -> x", "x -> pass")))
    for _ in range(3):
        await shop.invoice()  # rests in draft
    instance = await shop.submit(await shop.invoice())
    holdfast_clock.advance(timedelta(minutes=16))
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert [each.instance_id for each in await hold.processes.repair.stuck(limit=1)] == [instance]


async def test_every_damaged_part_of_a_projection_is_rebuilt(
    shop: Shop, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock
) -> None:
    await shop.publish(passing(("w", "wait_timer", {"duration": "24h"}), edges=ways("in -> w", "w -> pass")))
    instance = await shop.submit(await shop.invoice())
    before = await shop.instance(instance)
    for damage, part in {
        "edit_window = 'editable'": "edit_window",
        "doc_status = 'draft'": "doc_status",
        "timeout_at = NULL": "timeout_at",
        "context_json = '{\"x\": 1}'": "context",
        "reason = 'none'": "reason",
        "current_nodes = '{}'": "current_nodes",
        "active_tokens = '[]'": "tokens",
    }.items():
        superuser.execute(
            f"UPDATE holdfast.workflow_instances SET {damage} WHERE id = %s",
            [instance],
        )
        assert not await shop.matches_its_steps(instance), damage
        async with shop.app.tenant("acme", actor="ana") as hold:
            assert part in (await hold.processes.repair.rebuild_projection(instance)).differed
        found = await shop.instance(instance)
        assert replace(found, version=before.version, updated_at=before.updated_at) == before, damage
    # What claims to be over stays over: that is said, and nothing is written.
    superuser.execute(
        "UPDATE holdfast.workflow_instances SET status = 'completed', completed_at = now() WHERE id = %s", [instance]
    )
    with pytest.raises(Conflict, match="completed"):
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.processes.repair.rebuild_projection(instance)


async def test_starting_twice_is_starting_once_also_at_the_same_time(shop: Shop) -> None:
    await shop.automation("wait", {"nodes": nodes(("w", "wait_event", {"event_key": "never"}))})
    wanted = uuid7()

    async def start() -> UUID:
        async with shop.app.tenant("acme", actor="ana") as hold:
            return (await hold.processes.start("wait", instance_id=wanted)).id

    assert await asyncio.gather(*(start() for _ in range(4))) == [wanted] * 4


async def test_a_document_has_one_process_at_a_time(shop: Shop) -> None:
    document = await shop.invoice()

    async def start() -> None:
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.processes.start("invoice", document_id=document.id)

    with pytest.raises(Conflict, match="under way"):
        await start()
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.cancel((await hold.processes.of_document(document.id)).id, reason="anew")
    begun = await asyncio.gather(*(start() for _ in range(4)), return_exceptions=True)
    assert sorted(type(each).__name__ for each in begun) == ["Conflict", "Conflict", "Conflict", "NoneType"]


@pytest.mark.parametrize(("field", "limit"), [("subject_id", 512), ("partition_id", 256)])
async def test_names_of_a_process_have_limits(shop: Shop, field: str, limit: int) -> None:
    await shop.automation("wait", {"nodes": nodes(("w", "wait_event", {"event_key": "never"}))})
    for text in ("x" * (limit + 1), "a\0b"):
        async with shop.app.tenant("acme", actor="ana") as hold:
            with pytest.raises(InvalidInput, match=field):
                await hold.processes.start("wait", **{field: text})  # type: ignore[arg-type]


async def test_a_long_list_comes_to_its_end_and_an_endless_loop_does_not(
    shop: Shop, superuser: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.processes.engine._MAX_ROUNDS", 5)
    post = ("post", "action", {"action": "invoice.post"})
    body = {"nodes": nodes(post)}
    each = ("each", "for_each", {"items": "entity.lines", "body": body})
    await shop.publish(passing(each, edges=ways("in -> each", "each -> pass")))
    instance = await shop.submit(await shop.invoice(lines=[{"sku": str(number)} for number in range(12)]))
    assert (await shop.instance(instance)).status == "completed"
    assert len(shop.posted) == 12
    back = {"source": "again", "target": "post", "outcome": "true", "returns": True}
    again = ("again", "condition", {"expression": "entity.number == '7'"})
    await shop.publish(passing(post, again, edges=[*ways("in -> post", "post -> again", "again -false-> pass"), back]))
    made = await shop.invoice()
    posted = len(shop.posted)
    await shop.submit(made)
    row = superuser.execute("SELECT error FROM holdfast.workflow_events_outbox WHERE status = 'failed'").fetchone()
    assert row is not None
    assert "come to rest" in row["error"]
    assert len(shop.posted) > posted


def compiled_by_another(superuser: psycopg.Connection[Any], *, changed: bool = False) -> None:
    """As if every workflow had been compiled by a compiler of before; `changed`, to something slightly else."""
    superuser.execute("SET session_replication_role = replica")
    superuser.execute(
        "UPDATE holdfast.workflow_definitions SET compiler_version = '0.9.0', compiled_json = "
        """jsonb_set(compiled_json, '{compiler_version}', '"0.9.0"') WHERE definition_kind = 'effective'"""
    )
    if changed:
        superuser.execute(
            "UPDATE holdfast.workflow_definitions SET compiled_hash = repeat('ab', 32) WHERE compiled_hash IS NOT NULL"
        )
        superuser.execute("UPDATE holdfast.workflow_instances SET compiled_hash = repeat('ab', 32)")
    superuser.execute("SET session_replication_role = origin")


async def test_wf07_instances_go_on_once_what_they_follow_is_recompiled(
    shop: Shop, superuser: psycopg.Connection[Any]
) -> None:
    await shop.publish(ASK)
    older = await shop.submit(await shop.invoice())
    await shop.publish(passing(("q", "ask", {}), ("r", "ask", {}), edges=ways("in -> q", "q -> r", "r -> pass")))
    newer = await shop.submit(await shop.invoice())
    compiled_by_another(superuser)
    shop.app.assembly.library.forget()
    with pytest.raises(CompilerStale):
        await shop.answer(shop.asked[0])
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert await hold.definitions.stale() == ["invoice"]
        fresh = await hold.definitions.recompile("invoice")
        assert await hold.definitions.stale() == []
        assert await hold.definitions.recompile("invoice") == fresh
        assert (await hold.definitions.find("invoice")).id == fresh.id
    for ask in [*shop.asked]:
        await shop.answer(ask)
    assert [ask.node.id.split(":")[-1] for ask in shop.asked] == ["q", "q", "r"]
    await shop.answer(shop.asked[2])
    await shop.worker.drain()
    for instance in (older, newer):
        assert (await shop.instance(instance)).doc_status == "active"
        assert await shop.matches_its_steps(instance)
    assert (await shop.instance(newer)).definition_id == fresh.id
    assert (await shop.instance(older)).definition_id != fresh.id
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert (await hold.audit.verify()).breaks == ()


async def test_an_instance_of_a_workflow_that_compiles_to_another_now_is_migrated(
    shop: Shop, superuser: psycopg.Connection[Any]
) -> None:
    await shop.publish(ASK)
    instance = await shop.submit(await shop.invoice())
    compiled_by_another(superuser, changed=True)
    shop.app.assembly.library.forget()
    async with shop.app.tenant("acme", actor="ana") as hold:
        fresh = await hold.definitions.recompile("invoice")
        assert (await hold.processes.get(instance)).definition_id != fresh.id
        plan = await hold.processes.repair.migrate(instance, fresh.id, fresh.version)
        assert plan.possible, plan.reasons
        await hold.processes.repair.migrate(instance, fresh.id, fresh.version, dry_run=False)
    assert (await shop.answer(shop.asked[0])).result == "advanced"


async def test_what_cannot_be_run_any_more_is_stuck_and_hides_nothing_else(
    shop: Shop, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock
) -> None:
    await shop.publish(ASK)
    instance = await shop.submit(await shop.invoice())
    holdfast_clock.advance(timedelta(hours=1))
    compiled_by_another(superuser)
    shop.app.assembly.library.forget()
    async with shop.app.tenant("acme", actor="ana") as hold:
        (found,) = await hold.processes.repair.stuck()
    assert found.instance_id == instance
    assert "WORKFLOW_COMPILER_STALE" in found.why


async def test_a_timer_whose_moment_nobody_was_told_of_is_stuck(
    shop: Shop, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock
) -> None:
    await shop.publish(passing(("nap", "wait_timer", {"duration": "1h"}), edges=ways("in -> nap", "nap -> pass")))
    instance = await shop.submit(await shop.invoice())
    holdfast_clock.advance(timedelta(hours=2))
    await shop.worker.tend()
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert await hold.processes.repair.stuck() == []
    for became in (
        "'processing', leased_by = 'gone', lease_until = now()",
        "'dead_letter', leased_by = NULL, lease_until = NULL",
    ):
        superuser.execute(f"UPDATE holdfast.workflow_events_outbox SET status = {became} WHERE event_type = 'on_timer'")
    async with shop.app.tenant("acme", actor="ana") as hold:
        (found,) = await hold.processes.repair.stuck()
    assert found.instance_id == instance


async def test_a_cursor_that_names_nothing_is_refused(shop: Shop) -> None:
    filters = {"what": "list_instances", "workflow": None, "status": None, "subject": None, "partition": None}
    more = ("doc_status", "node", "started_before", "updated_before", "fields")
    forged = encode_cursor({**dict.fromkeys(more), **filters, "entity": None}, ["not an id"])
    requests = encode_cursor({"instance": None, "entity": None}, ["not an id"])
    documents = encode_cursor({"list": "documents", "entity_type": "invoice", "doc_status": None}, ["not an id"])
    async with shop.app.tenant("acme", actor="ana") as hold:
        for looking in (
            hold.processes.list(cursor=forged),
            hold.approvals.list(cursor=requests),
            hold.documents.list("invoice", cursor=documents),
        ):
            with pytest.raises(InvalidInput, match="damaged"):
                await looking


async def test_an_id_that_belongs_to_another_instance_is_a_conflict(shop: Shop) -> None:
    wait = {"nodes": nodes(("w", "wait_event", {"event_key": "k"})), "edges": ways("in -> w", "w -> out")}
    await shop.automation("one", wait)
    await shop.automation("two", wait)
    await shop.publish(passing(("q", "ask", {}), edges=ways("in -> q", "q -> pass")))
    wanted = uuid4()
    async with shop.app.tenant("acme", actor="ana") as hold:
        first = await hold.processes.start("one", instance_id=wanted)
        assert (await hold.processes.start("one", instance_id=wanted)).id == first.id
        with pytest.raises(Conflict, match="belongs to an instance of 'one'"):
            await hold.processes.start("two", instance_id=wanted)
    document = await shop.invoice()
    other = await shop.invoice()
    async with shop.app.tenant("acme", actor="ana") as hold:
        known = await hold.processes.of_document(document.id)
        again = await hold.processes.start("invoice", document_id=document.id, instance_id=known.id)
        assert again.id == known.id
        with pytest.raises(Conflict, match=f"of the document {document.id}"):
            await hold.processes.start("invoice", document_id=other.id, instance_id=known.id)


async def test_newest_first_is_by_when_it_was_started_whatever_the_id(shop: Shop, holdfast_clock: FakeClock) -> None:
    await shop.automation(
        "one", {"nodes": nodes(("w", "wait_event", {"event_key": "k"})), "edges": ways("in -> w", "w -> out")}
    )
    given = [UUID(int=3), UUID(int=2**127), None, UUID(int=1), UUID(int=2**126), None]
    started = []
    async with shop.app.tenant("acme", actor="ana") as hold:
        for wanted in given:
            holdfast_clock.advance(timedelta(seconds=1))
            started.append((await hold.processes.start("one", instance_id=wanted)).id)
    async with shop.app.tenant("acme", actor="ana") as hold:
        for find in (hold.processes.find_active, hold.processes.list):
            seen: list[UUID] = []
            cursor = None
            while True:
                page = await find(workflow_id="one", limit=2, cursor=cursor)
                seen += [each.id for each in page.items]
                cursor = page.next_cursor
                if cursor is None:
                    break
            assert seen == started[::-1]
            assert [each.id for each in (await find(limit=3)).items] == started[:-4:-1]


async def test_a_paused_instance_has_no_time(
    shop: Shop, holdfast_clock: FakeClock, superuser: psycopg.Connection[Any]
) -> None:
    await shop.automation(
        "late",
        {
            "nodes": nodes(("w", "wait_event", {"event_key": "k", "timeout": "1h"})),
            "edges": ways("in -> w", "w -completed-> out", "w -timeout-> out"),
            "exit_edge_mode": "join",
        },
    )
    async with shop.app.tenant("acme", actor="ana") as hold:
        instance = (await hold.processes.start("late")).id
        await hold.processes.pause(instance, reason="wait for the auditor")
    holdfast_clock.advance(timedelta(hours=2))
    for _ in range(3):
        async with shop.app.tenant("acme", actor="ana") as hold:
            assert await hold.processes.find_expired() == []
        assert await shop.worker.drain() == 0  # Nothing is posted for it, so nothing is claimed and given back.
        holdfast_clock.advance(timedelta(hours=2))
    assert (await shop.instance(instance)).status == "paused"
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.resume(instance)
        (expired,) = await hold.processes.find_expired()
        assert expired.id == instance
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"
    sent = superuser.execute("SELECT count(*) AS n FROM holdfast.workflow_events_outbox WHERE event_type = 'on_timer'")
    assert sent.fetchone() == {"n": 1}


async def test_an_event_that_only_another_compiler_can_let_happen_waits_for_it(
    shop: Shop, superuser: psycopg.Connection[Any], holdfast_clock: FakeClock
) -> None:
    await shop.publish(ASK)
    instance = await shop.submit(await shop.invoice())
    compiled_by_another(superuser)
    shop.app.assembly.library.forget()
    await shop.answer(shop.asked[0], now=False)
    for _ in range(10):
        await shop.worker.drain()
        holdfast_clock.advance(timedelta(minutes=10))
    left = superuser.execute(
        "SELECT status, attempts, error FROM holdfast.workflow_events_outbox WHERE event_type = 'advance'"
    ).fetchone()
    assert left is not None
    assert (left["status"], left["attempts"]) == ("pending", 0)
    assert "WORKFLOW_COMPILER_STALE" in left["error"]
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.definitions.recompile("invoice")
    await shop.worker.drain()
    assert (await shop.instance(instance)).doc_status == "active"
