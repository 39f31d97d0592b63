"""Operations: many things at once, each with its outcome; nothing twice, and with nobody else's rights."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import psycopg
import pytest

from harness.waiting import until
from holdfast import Holdfast
from holdfast.errors import Conflict, Forbidden, InvalidInput, NotFound
from holdfast.operations import Item, Operation, OperationKind, Progress
from operate.crew import TYPE, ended, failed_runs, working


def add_kind(app: Holdfast, batch: Any, name: str = "test.work") -> None:
    app.operation_kinds.add(OperationKind(name, "runs:operate", batch))


async def start(app: Holdfast, kind: str = "test.work", actor: str = "ana", **given: Any) -> UUID:
    async with app.tenant("acme", actor=actor) as hold:
        return (await hold.operations.start(kind, given, total=3)).id


async def counting(hold: Any, operation: Operation, position: Any) -> Progress:
    """Three batches of one item; each writes a key, so that one done twice would be seen."""
    n = 0 if position is None else position["n"]
    await hold.data.increment("batches", str(n))
    return Progress([Item(str(n), "succeeded")], {"n": n + 1} if n < 2 else None, result={"last": n})


async def test_an_operation_is_done_batch_by_batch_and_tells_what_became_of_each_item(app: Holdfast) -> None:
    add_kind(app, counting)
    operation_id = await start(app)
    async with working(app):
        done = await ended(app, operation_id)
    assert (done.status, done.succeeded, done.total, done.result) == ("completed", 3, 3, {"last": 2})
    async with app.tenant("acme") as hold:
        page = await hold.operations.items(operation_id, limit=2)
        rest = await hold.operations.items(operation_id, limit=2, cursor=page.next_cursor)
    assert [(each.seq, each.item, each.outcome) for each in [*page.items, *rest.items]] == [
        (1, "0", "succeeded"),
        (2, "1", "succeeded"),
        (3, "2", "succeeded"),
    ]


async def test_a_batch_that_breaks_off_is_done_again_and_none_of_the_others(app: Holdfast) -> None:
    broken = 0

    async def breaking(hold: Any, operation: Operation, position: Any) -> Progress:
        nonlocal broken
        done = await counting(hold, operation, position)
        if position == {"n": 1} and broken < 2:
            broken += 1
            raise RuntimeError("the machine is on fire")
        return done

    add_kind(app, breaking)
    operation_id = await start(app)
    async with working(app):
        done = await ended(app, operation_id)
    assert (done.status, done.succeeded, broken) == ("completed", 3, 2)
    async with app.tenant("acme") as hold:
        entries = [await hold.data.get("batches", str(n)) for n in range(3)]
    assert [entry and entry.value for entry in entries] == [1, 1, 1]


async def test_a_cancelled_operation_ends_after_its_batch_and_keeps_what_it_did(app: Holdfast) -> None:
    began, go_on = asyncio.Event(), asyncio.Event()

    async def slow(hold: Any, operation: Operation, position: Any) -> Progress:
        if position is not None:
            began.set()
            await go_on.wait()
        return Progress([Item("one", "succeeded")], {"more": True})

    add_kind(app, slow)
    operation_id = await start(app)
    async with working(app):
        await began.wait()

        async def cancel() -> None:
            async with app.tenant("acme", actor="ana") as hold:
                await hold.operations.cancel(operation_id)

        cancelling = asyncio.create_task(cancel())
        go_on.set()
        await cancelling
        done = await ended(app, operation_id)
    assert (done.status, done.cancelled_by) == ("cancelled", "user:ana")
    assert done.succeeded >= 1
    async with app.tenant("acme") as hold:
        with pytest.raises(Conflict):
            await hold.operations.cancel(operation_id)


async def test_rights_that_are_taken_away_end_an_operation(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("olga", roles=["operator"])

    async def retrying(hold: Any, operation: Operation, position: Any) -> Progress:
        hold.require("runs:operate")
        return Progress([], {"more": True})

    add_kind(app, retrying)
    operation_id = await start(app, actor="olga")
    async with working(app):
        await until(lambda: began(app, operation_id))
        async with app.tenant("acme") as hold:
            await hold.users.revoke("olga", "operator")
        done = await ended(app, operation_id)
    assert done.status == "failed"
    assert done.error is not None
    assert "forbidden" in done.error


async def began(app: Holdfast, operation_id: UUID) -> bool:
    async with app.tenant("acme") as hold:
        return (await hold.operations.get(operation_id)).status == "running"


async def test_only_those_who_may_do_it_start_and_see_it(app: Holdfast) -> None:
    add_kind(app, counting)
    async with app.tenant("acme") as hold:
        await hold.users.create("vera", roles=["viewer"])
    operation_id = await start(app)
    with pytest.raises(Forbidden):
        await start(app, actor="vera")
    async with app.tenant("acme", actor="vera") as hold:
        assert (await hold.operations.list()).items == []
        with pytest.raises(NotFound):
            await hold.operations.get(operation_id)
    async with app.tenant("globex") as hold:
        with pytest.raises(NotFound):
            await hold.operations.get(operation_id)


async def test_another_run_cannot_execute_an_operation(app: Holdfast) -> None:
    add_kind(app, counting)
    operation_id = await start(app)
    async with app.tenant("acme") as hold:
        made = await hold.operations.get(operation_id)
        await hold.runs.cancel(made.run_id)
        thief = await hold.runs.enqueue("holdfast.operation.v1", {"operation": str(operation_id)})
    async with working(app):
        await until(lambda: is_over(app, thief.id))
    async with app.tenant("acme") as hold:
        found = await hold.operations.get(operation_id)
    assert (found.status, found.succeeded) == ("failed", 0)
    assert found.error is not None
    assert "its run ended" in found.error


async def is_over(app: Holdfast, run_id: UUID) -> bool:
    async with app.tenant("acme") as hold:
        return (await hold.runs.get(run_id)).finished_at is not None


async def test_the_database_keeps_what_is_finished(app: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    add_kind(app, counting)
    operation_id = await start(app)
    async with working(app):
        await ended(app, operation_id)
    with pytest.raises(psycopg.Error, match="is completed"):
        superuser.execute("UPDATE holdfast.workflow_operation SET status = 'running', finished_at = NULL")


async def test_failed_runs_are_retried_over_a_filter_with_an_outcome_for_each(app: Holdfast) -> None:
    ids = await failed_runs(app, 250)
    async with app.tenant("acme", actor="ana") as hold:
        counted = await hold.operate.count("runs.retry", {"type": TYPE, "error": "NO SUCH CARD"})
        none = await hold.operate.count("runs.retry", {"type": TYPE, "payload": {"n": -1}})
        one = await hold.operate.count("runs.retry", {"payload": {"n": 7}})
        made = await hold.operate.start("runs.retry", {"type": TYPE})
    assert (counted.count, counted.capped, none.count, one.count) == (250, False, 0, 1)
    async with working(app):
        done = await ended(app, made.id)
    assert (done.status, done.total, done.succeeded, done.skipped, done.failed) == ("completed", 250, 250, 0, 0)
    async with app.tenant("acme") as hold:
        items = []
        cursor = None
        while True:
            page = await hold.operations.items(made.id, limit=200, cursor=cursor)
            items += page.items
            if (cursor := page.next_cursor) is None:
                break
    assert sorted(each.item for each in items) == sorted(map(str, ids))
    assert all(each.detail and each.detail.startswith("run ") for each in items)


async def test_what_cannot_be_done_to_one_is_told_and_keeps_no_other_from_it(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        waiting = [(await hold.runs.enqueue("later.work.v1", delay=3600)).id for _ in range(3)]
        made = await hold.operate.start("runs.retry", {"prefix": "later.", "status": "pending"})
    async with working(app):
        done = await ended(app, made.id)
    assert (done.status, done.succeeded, done.skipped) == ("completed", 0, 3)
    async with app.tenant("acme") as hold:
        (first, *_) = (await hold.operations.items(made.id, outcome="skipped")).items
        assert (first.item in map(str, waiting), first.code) == (True, "conflict")
        made = await hold.operate.start("runs.cancel", {"prefix": "later."}, reason="not needed")
    async with working(app):
        done = await ended(app, made.id)
    assert (done.succeeded, done.skipped) == (3, 0)
    async with app.tenant("acme") as hold:
        assert {(await hold.runs.get(each)).status for each in waiting} == {"cancelled"}


@pytest.mark.parametrize(
    ("kind", "given", "reason", "field"),
    [
        ("runs.explode", {}, None, "kind"),
        ("runs.retry", {}, None, "filter"),
        ("runs.retry", {"colour": "red"}, None, "filter.colour"),
        ("runs.retry", {"status": "odd"}, None, "filter.status"),
        ("runs.retry", {"since": "2026-01-01T00:00:00"}, None, "filter.since"),
        ("runs.cancel", {"prefix": "x."}, None, "reason"),
        ("outbox.skip", {}, None, "reason"),
    ],
)
async def test_a_wrong_filter_is_refused_by_name(
    app: Holdfast, kind: str, given: dict[str, Any], reason: str | None, field: str
) -> None:
    async with app.tenant("acme") as hold:
        with pytest.raises(InvalidInput) as refused:
            await hold.operate.start(kind, given, reason=reason)
    assert refused.value.details["field"] == field


async def test_a_failure_that_was_run_again_counts_no_longer_and_is_not_run_again_twice(app: Holdfast) -> None:
    first, *others = await failed_runs(app, 3)
    async with app.tenant("acme") as hold:
        again = await hold.runs.retry(first)
        assert (await hold.runs.get(first)).retried_as == again.id
        assert (await hold.operate.count("runs.retry", {"type": TYPE, "status": "failed"})).count == len(others)
        states = {each.queue: each.dead for each in (await hold.operate.health()).queues}
        (incident,) = await hold.operate.incidents(queue="runs")
        assert (states["runs"], incident.count) == (len(others), len(others))
        for run in others:
            await hold.runs.retry(run)
        assert (await hold.operate.count("runs.retry", {"type": TYPE})).count == 0
        assert await hold.operate.incidents(queue="runs") == []
        # By its name it is run again as often as somebody likes.
        assert (await hold.operate.count("runs.retry", {"ids": [str(first)]})).count == 1
        assert (await hold.runs.get(first)).status == "failed"
