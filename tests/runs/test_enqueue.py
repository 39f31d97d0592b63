"""Enqueueing: once per key, in your transaction, and nothing half-written."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, cast
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import errors as pg
from pydantic import BaseModel

from holdfast import Conflict, FakeClock, Forbidden, Hold, Holdfast, InvalidInput, NotFound
from holdfast.runs import NewRun, Retry

TYPE = "test.work.v1"
TRACE = f"00-{1:032x}-{2:016x}-01"


class Invoice(BaseModel):
    number: str
    total: Decimal


@dataclasses.dataclass
class Order:
    id: UUID
    at: datetime


async def count(app: Holdfast, tenant: str = "acme") -> int:
    async with app.tenant(tenant) as hold:
        row = await (await hold.connection.execute("SELECT count(*) FROM holdfast.workflow_run")).fetchone()
    assert row is not None
    return int(row[0])


async def test_a_run_is_stored_as_given(app: Holdfast) -> None:
    at = datetime(2030, 1, 1, tzinfo=UTC)
    async with app.tenant("acme", actor="ana") as hold:
        made = await hold.runs.enqueue(
            TYPE, {"a": [1, None, "é"]}, key="k", priority=7, run_at=at, max_attempts=9, trace_parent=TRACE
        )
        run = await hold.runs.get(made.id)
    assert made.created
    assert (run.type, run.status, run.payload) == (TYPE, "pending", {"a": [1, None, "é"]})
    assert (run.priority, run.run_at, run.max_attempts, run.idempotency_key) == (7, at, 9, "k")
    assert (run.attempt, run.created_by, run.trace_parent) == (0, "user:ana", TRACE)


async def test_models_and_dataclasses_are_payloads_too(app: Holdfast) -> None:
    number = uuid4()
    async with app.tenant("acme") as hold:
        invoice = await hold.runs.enqueue(TYPE, Invoice(number="1", total=Decimal("12.50")))
        order = await hold.runs.enqueue(TYPE, Order(number, datetime(2026, 1, 1, tzinfo=UTC)))
        assert (await hold.runs.get(invoice.id)).payload == {"number": "1", "total": Decimal("12.50")}
        assert (await hold.runs.get(order.id)).payload == {"id": str(number), "at": "2026-01-01T00:00:00+00:00"}


async def test_an_undone_transaction_enqueued_nothing(app: Holdfast) -> None:
    with pytest.raises(RuntimeError):
        async with app.tenant("acme") as hold:
            await hold.runs.enqueue(TYPE, key="k")
            raise RuntimeError
    assert await count(app) == 0
    async with app.tenant("acme") as hold:
        assert (await hold.runs.enqueue(TYPE, key="k")).created


async def test_the_same_key_and_payload_give_the_same_run(app: Holdfast) -> None:
    first = await app.enqueue("acme", TYPE, {"a": 1, "b": 2}, key="k")
    again = await app.enqueue("acme", TYPE, {"b": 2, "a": 1}, key="k")
    assert (again.id, again.created) == (first.id, False)
    assert (await app.enqueue("globex", TYPE, {"other": 1}, key="k")).created
    assert await count(app) == 1


@pytest.mark.parametrize(("type_", "payload"), [(TYPE, {"a": 2}), ("test.other.v1", {"a": 1})])
async def test_the_same_key_with_other_content_is_a_conflict(app: Holdfast, type_: str, payload: Any) -> None:
    await app.enqueue("acme", TYPE, {"a": 1}, key="k")
    with pytest.raises(Conflict, match="'k' belongs to a run with other content"):
        await app.enqueue("acme", type_, payload, key="k")
    with pytest.raises(Conflict):
        await app.enqueue_many("acme", [NewRun(TYPE), NewRun(type_, payload, key="k")])
    assert await count(app) == 1


async def test_a_hundred_at_once_with_one_key_make_one_run(app: Holdfast) -> None:
    made = await asyncio.gather(*(app.enqueue("acme", TYPE, {"a": 1}, key="k") for _ in range(100)))
    assert sum(one.created for one in made) == 1
    assert len({one.id for one in made}) == 1


async def test_many_at_once_with_crossing_keys_do_not_deadlock(app: Holdfast) -> None:
    keys = [f"key-{number}" for number in range(20)]
    batches = [[NewRun(TYPE, {"k": key}, key=key) for key in (keys if n % 2 else reversed(keys))] for n in range(10)]
    done = await asyncio.gather(*(app.enqueue_many("acme", batch) for batch in batches))
    assert sum(one.created for batch in done for one in batch) == 20


async def test_a_key_twice_in_one_batch_is_one_run(app: Holdfast) -> None:
    one, other, third = await app.enqueue_many(
        "acme", [NewRun(TYPE, {"a": 1}, key="k"), NewRun(TYPE, {"a": 1}, key="k"), NewRun(TYPE)]
    )
    assert (one.id == other.id, one.created, other.created, third.created) == (True, True, False, True)
    assert await count(app) == 2


async def test_deleting_frees_the_key_and_hides_the_run(app: Holdfast) -> None:
    first = await app.enqueue("acme", TYPE, key="k")
    async with app.tenant("acme", actor="ana") as hold:
        gone = await hold.runs.delete(first.id, reason="a mistake")
        assert gone.delete_reason == "a mistake"
        assert (await hold.runs.list()).items == []
        assert [run.id for run in (await hold.runs.list(deleted=True)).items] == [first.id]
    assert (await app.enqueue("acme", TYPE, key="k")).created


async def test_ten_thousand_at_once(app: Holdfast) -> None:
    made = await app.enqueue_many("acme", [NewRun(TYPE, {"n": n}) for n in range(10_000)])
    assert len({one.id for one in made}) == 10_000
    assert await count(app) == 10_000


async def test_runs_are_taken_from_a_generator_while_others_are_written(
    app: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    written_before: list[int] = []

    def runs() -> Iterator[NewRun]:
        for number in range(6000):
            if number in (1999, 5999):
                row = superuser.execute("SELECT pg_relation_size('holdfast.workflow_run_live') AS bytes").fetchone()
                written_before.append(row["bytes"] if row else -1)
            yield NewRun(TYPE, {"n": number})

    made = await app.enqueue_many("acme", runs())
    assert written_before[0] == 0 < written_before[1]
    async with app.tenant("acme") as hold:
        for number in (0, 249, 250, 1999, 2000, 5999):
            assert (await hold.runs.get(made[number].id)).payload == {"n": number}
    assert await count(app) == 6000


@pytest.mark.parametrize("number", [0, 300, 2500])
async def test_a_generator_that_fails_leaves_nothing(app: Holdfast, number: int) -> None:
    def runs(wrong: NewRun | None) -> Iterator[NewRun]:
        yield from [NewRun(TYPE)] * number
        if wrong is None:
            raise LookupError("the file ends here")
        yield wrong
        yield from [NewRun(TYPE)] * 2000

    with pytest.raises(LookupError, match="the file ends here"):
        await app.enqueue_many("acme", runs(None))
    with pytest.raises(InvalidInput, match="priority"):
        await app.enqueue_many("acme", runs(NewRun(TYPE, priority=5000)))
    with pytest.raises(InvalidInput, match="runs holds 'nothing'"):
        await app.enqueue_many("acme", runs(cast("NewRun", "nothing")))
    assert await count(app) == 0
    assert len(await app.enqueue_many("acme", [NewRun(TYPE)] * 3)) == 3


async def test_the_handlers_policy_gives_the_attempts(app: Holdfast) -> None:
    app.handler("test.stubborn.v1", retry=Retry(max_attempts=7))(lambda run: None)
    async with app.tenant("acme") as hold:
        assert (await hold.runs.get((await hold.runs.enqueue("test.stubborn.v1")).id)).max_attempts == 7
        assert (await hold.runs.get((await hold.runs.enqueue("test.stubborn.v1", max_attempts=2)).id)).max_attempts == 2
        assert (await hold.runs.get((await hold.runs.enqueue(TYPE)).id)).max_attempts == 3


async def test_delay_and_run_at(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        later = await hold.runs.get((await hold.runs.enqueue(TYPE, delay=timedelta(hours=1))).id)
        past = await hold.runs.get((await hold.runs.enqueue(TYPE, run_at=datetime(2000, 1, 1, tzinfo=UTC))).id)
        assert later.run_at - later.created_at == timedelta(hours=1)
        assert past.run_at == datetime(2000, 1, 1, tzinfo=UTC)
        with pytest.raises(InvalidInput, match="both run_at and delay"):
            await hold.runs.enqueue(TYPE, delay=1, run_at=datetime(2030, 1, 1, tzinfo=UTC))


class Cyclic(list[Any]):
    pass


cyclic = Cyclic()
cyclic.append(cyclic)


@pytest.mark.parametrize(
    ("arguments", "field", "said"),
    [
        ({"payload": {"x": object()}}, "payload", "a object is not JSON"),
        ({"payload": {"x": float("nan")}}, "payload", "NaN"),
        ({"payload": {"x": float("inf")}}, "payload", "NaN"),
        ({"payload": {"x": "nul\x00"}}, "payload", "NUL"),
        ({"payload": {"nul\x00": 1}}, "payload", "NUL"),
        ({"payload": {"x": "\ud800"}}, "payload", "surrogate"),
        ({"payload": {"x": "y" * 2_000_000}}, "payload", "the limit is 1048576"),
        ({"payload": cyclic}, "payload", "Circular|nested"),
        ({"payload": {(1, 2): 3}}, "payload", "keys must be"),
        ({"type": ""}, "type", "dotted names"),
        ({"type": "a b"}, "type", "dotted names"),
        ({"type": "x" * 257}, "type", "dotted names"),
        ({"type": "a..b"}, "type", "dotted names"),
        ({"priority": 1001}, "priority", "-1000 to 1000"),
        ({"priority": "high"}, "priority", "-1000 to 1000"),
        ({"max_attempts": 0}, "max_attempts", "1 to 1000"),
        ({"max_attempts": -1}, "max_attempts", "1 to 1000"),
        ({"key": ""}, "key", "1 to 512"),
        ({"key": "k" * 513}, "key", "1 to 512"),
        ({"key": "nul\x00"}, "key", "1 to 512"),
        ({"run_at": datetime(2030, 1, 1)}, "run_at", "time zone"),  # noqa: DTZ001 - that is the point
        ({"run_at": datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-5)))}, "run_at", "1 to 9999"),
        ({"run_at": datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5)))}, "run_at", "1 to 9999"),
        ({"priority": True}, "priority", "-1000 to 1000"),
        ({"priority": False}, "priority", "-1000 to 1000"),
        ({"key": "half \ud800"}, "key", "1 to 512"),
        ({"concurrency_key": "half \ud800"}, "concurrency_key", "1 to 256"),
        ({"trace_parent": "00-aa-bb-01"}, "trace_parent", "traceparent"),
        ({"trace_parent": f"00-{'0' * 32}-{'b' * 16}-01"}, "trace_parent", "not all zeros"),
        ({"trace_parent": f"00-{'a' * 32}-{'0' * 16}-01"}, "trace_parent", "not all zeros"),
        ({"trace_parent": f"ff-{'a' * 32}-{'b' * 16}-01"}, "trace_parent", "traceparent"),
        ({"delay": -1}, "delay", "0 to 3660"),
        ({"delay": "soon"}, "delay", "seconds"),
    ],
)
async def test_bad_input_names_the_field_and_writes_nothing(
    app: Holdfast, arguments: dict[str, Any], field: str, said: str
) -> None:
    with pytest.raises(InvalidInput, match=said) as caught:
        async with app.tenant("acme") as hold:
            await hold.runs.enqueue(**({"type": TYPE} | arguments))
    assert caught.value.details["field"] == field
    assert await count(app) == 0


@pytest.mark.parametrize("wrong", ["test.work.v1", ("test.work.v1", {}), None])
async def test_what_is_no_run_is_refused_and_nothing_written(app: Holdfast, wrong: Any) -> None:
    with pytest.raises(InvalidInput, match="runs holds") as refused:
        await app.enqueue_many("acme", [NewRun("test.work.v1"), wrong])
    assert refused.value.details["field"] == "runs"
    async with app.tenant("acme") as hold:
        with pytest.raises(InvalidInput, match="runs holds"):
            await hold.runs.enqueue_many([wrong])
        assert (await hold.runs.list()).items == []


async def test_text_that_only_looks_like_nul_is_fine(app: Holdfast) -> None:
    made = await app.enqueue("acme", TYPE, {"x": "\\u0000", "y": "\\\\u0000"})
    async with app.tenant("acme") as hold:
        assert (await hold.runs.get(made.id)).payload == {"x": "\\u0000", "y": "\\\\u0000"}


async def test_negative_priority_is_allowed_and_means_later(app: Holdfast) -> None:
    made = await app.enqueue("acme", TYPE, priority=-5)
    async with app.tenant("acme") as hold:
        assert (await hold.runs.get(made.id)).priority == -5


async def test_permissions(app: Holdfast) -> None:
    made = await app.enqueue("acme", TYPE)
    async with app.tenant("acme") as hold:
        await hold.users.create("vic", roles=["viewer"])
    attempts: dict[str, Callable[[Hold], Awaitable[Any]]] = {
        "enqueue": lambda hold: hold.runs.enqueue(TYPE),
        "cancel": lambda hold: hold.runs.cancel(made.id),
        "delete": lambda hold: hold.runs.delete(made.id, reason="x"),
        "retry": lambda hold: hold.runs.retry(made.id),
        "pause": lambda hold: hold.runs.pause("test."),
    }
    for attempt in attempts.values():
        with pytest.raises(Forbidden):
            async with app.tenant("acme", actor="vic") as hold:
                await attempt(hold)
    async with app.tenant("acme", actor="vic") as hold:
        assert (await hold.runs.get(made.id)).status == "pending"


async def test_runs_of_another_tenant_are_not_found(app: Holdfast) -> None:
    made = await app.enqueue("globex", TYPE)
    async with app.tenant("acme") as hold:
        for attempt in (
            hold.runs.get(made.id),
            hold.runs.cancel(made.id),
            hold.runs.delete(made.id, reason="x"),
            hold.runs.retry(made.id),
        ):
            with pytest.raises(NotFound):
                await attempt
        assert (await hold.runs.list()).items == []
        assert await hold.runs.stats() == []


ATTACKS = (
    "UPDATE holdfast.workflow_run_live SET status = 'succeeded'",
    "UPDATE holdfast.workflow_run_live SET payload = '{}'",
    "DELETE FROM holdfast.workflow_run_live",
    """INSERT INTO holdfast.workflow_run_live (tenant, id, type, payload, run_at, created_by)
       SELECT tenant, gen_random_uuid(), 'x', '{}', now(), 'x' FROM holdfast.tenants""",
    "DELETE FROM holdfast.workflow_run_key",
    "DELETE FROM holdfast.workflow_lane",
    "SELECT * FROM holdfast.ready_lanes('{}', '{}')",
    "SELECT * FROM holdfast.claim_runs('w', '{}', '{}', '{}', '{}', false, 'all', now())",
    "SELECT * FROM holdfast.claim_lane('w', gen_random_uuid(), 'x', 1, '30 s', false, now())",
    "SELECT * FROM holdfast.tend_runs('all', 'nothing', now())",
    "SELECT * FROM holdfast.drop_finished_runs(now(), now())",
    "UPDATE holdfast.workflow_run_done SET status = 'failed'",
    "DELETE FROM holdfast.workflow_run_done",
)


@pytest.mark.parametrize("statement", ATTACKS)
async def test_the_application_role_may_not(app: Holdfast, statement: str) -> None:
    await app.enqueue("acme", TYPE)
    with pytest.raises(pg.InsufficientPrivilege):
        async with app.tenant("acme") as hold:
            await hold.connection.execute("SET SESSION AUTHORIZATION holdfast_app")
            await hold.connection.execute(statement)


OVER = ("succeeded", "failed", "cancelled")


@pytest.mark.parametrize("before", ["pending", "leased"])
@pytest.mark.parametrize("after", OVER)
async def test_a_live_run_cannot_be_declared_over_in_its_place(
    app: Holdfast, superuser: psycopg.Connection[Any], before: str, after: str
) -> None:
    """Even a superuser's UPDATE: ending a run is moving it to the table of finished ones."""
    made = await app.enqueue("acme", TYPE)
    change = "UPDATE holdfast.workflow_run_live SET (status, lease_until, leased_by) = ({}) WHERE id = %s"
    if before == "leased":
        superuser.execute(change.format("'leased', now() + interval '1 minute', 'w'"), [made.id])
    with pytest.raises(pg.CheckViolation, match="workflow_run_finished"):
        superuser.execute(change.format(f"'{after}', NULL, NULL"), [made.id])


@pytest.mark.parametrize("after", [*OVER, "pending", "leased"])
async def test_what_is_over_stays_as_it_ended(app: Holdfast, superuser: psycopg.Connection[Any], after: str) -> None:
    made = await app.enqueue("acme", TYPE)
    async with app.tenant("acme") as hold:
        await hold.runs.cancel(made.id)
    change = f"UPDATE holdfast.workflow_run_done SET status = '{after}' WHERE id = %s"
    if after == "cancelled":
        superuser.execute(change, [made.id])
        return
    with pytest.raises(psycopg.Error) as caught:
        superuser.execute(change, [made.id])
    assert caught.value.sqlstate in ("HF001", "23514")


async def test_more_than_one_statement_can_carry_is_enqueued_in_portions(
    app: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.runs.enqueue._PORTION_SIZE", 1000)
    runs = [NewRun(TYPE, {"text": str(number % 20) * 300}, key=f"k{number % 20}") for number in range(30)]
    async with app.tenant("acme") as hold:
        made = await hold.runs.enqueue_many([*runs, NewRun(TYPE, "x" * 5000)])
    again = await app.enqueue_many("acme", runs)
    assert [one.created for one in made] == [True] * 20 + [False] * 10 + [True]
    assert [one.id for one in again] == [one.id for one in made[:30]]
    assert not any(one.created for one in again)
    with pytest.raises(InvalidInput, match="priority"):
        await app.enqueue_many("acme", [*(NewRun(TYPE, "y" * 900) for _ in range(5)), NewRun(TYPE, priority=5000)])
    assert await count(app) == 21


async def test_retention_takes_what_was_deleted_before_it_was_finished(
    app: Holdfast, holdfast_clock: FakeClock
) -> None:
    made = [await app.enqueue("acme", TYPE) for _ in range(2)]
    async with app.tenant("acme") as hold:
        await hold.runs.delete(made[0].id, reason="a mistake")
    holdfast_clock.advance(timedelta(days=89))
    await app.tidy()
    assert await count(app) == 2
    holdfast_clock.advance(timedelta(days=2))
    await app.tidy()
    async with app.tenant("acme") as hold:
        (left,) = (await hold.runs.list(deleted=True)).items
    assert left.id == made[1].id


@pytest.mark.parametrize("prefix", ["nul\x00", "half \ud800"])
async def test_a_prefix_that_postgres_cannot_be_asked_for_is_refused(app: Holdfast, prefix: str) -> None:
    async with app.tenant("acme") as hold:
        with pytest.raises(InvalidInput, match="prefix"):
            await hold.runs.list(prefix=prefix)
        with pytest.raises(InvalidInput, match="prefix"):
            await hold.runs.resume(prefix)


async def test_what_is_refused_is_told_where_it_is_asked_and_nothing_is_lost_in_silence(app: Holdfast) -> None:
    with pytest.raises(Conflict, match="undone"):
        async with app.tenant("acme") as hold:
            first = await hold.runs.enqueue(TYPE, {"n": 1}, key="k")
            with pytest.raises(Conflict, match="other content"):
                await hold.runs.enqueue(TYPE, {"n": 2}, key="k")
    async with app.tenant("acme") as hold:
        with pytest.raises(NotFound):
            await hold.runs.get(first.id)
        assert (await hold.runs.enqueue(TYPE, {"n": 1}, key="k")).created
        with pytest.raises(Conflict, match="other content"):
            async with hold.connection.transaction():
                await hold.runs.enqueue(TYPE, {"n": 2}, key="k")
        second = await hold.runs.enqueue(TYPE, {"n": 3})
    async with app.tenant("acme") as hold:
        assert (await hold.runs.get(second.id)).payload == {"n": 3}


async def test_in_a_transaction_of_ones_own_too(app: Holdfast, holdfast_dsn: str) -> None:
    async with await psycopg.AsyncConnection.connect(holdfast_dsn) as connection, connection.transaction():
        with pytest.raises(Conflict, match="undone"):
            async with app.tenant("acme", connection=connection) as hold:
                await hold.runs.enqueue(TYPE, {"n": 1}, key="k")
                with pytest.raises(Conflict, match="other content"):
                    await hold.runs.enqueue(TYPE, {"n": 2}, key="k")
                with pytest.raises(Conflict, match="undone"):
                    await hold.runs.enqueue(TYPE)
        async with app.tenant("acme", connection=connection) as hold:
            assert (await hold.runs.enqueue(TYPE, {"n": 3}, key="k")).created
