"""Publishing: in the caller's transaction, checked, in the order of commits, and in one tenant."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import AsyncConnection
from psycopg import errors as pg

from harness.waiting import until
from holdfast import Forbidden, Hold, Holdfast, InvalidInput, NotFound
from holdfast.outbox import NewEvent
from outbox.conftest import TYPE, Basket, dispatching, fetch, publish, published


@dataclass
class Invoice:
    number: str
    total: Decimal


async def test_an_event_is_stored_with_everything(app: Holdfast) -> None:
    trace = f"00-{'a' * 32}-{'b' * 16}-01"
    async with app.tenant("acme", actor="ana") as hold:
        made = await hold.outbox.publish(
            TYPE, Invoice("42", Decimal("12.50")), aggregate=("invoice", "42"), trace_parent=trace
        )
        event = await hold.outbox.get(made)
    assert (event.id, event.type, event.status) == (made, TYPE, "pending")
    assert (event.aggregate_type, event.aggregate_id, event.subject) == ("invoice", "42", "invoice/42")
    assert (event.data, event.trace_parent) == ({"number": "42", "total": Decimal("12.50")}, trace)
    assert (event.attempts, event.last_error, event.created_by) == (0, None, "user:ana")
    assert event.next_attempt_at == event.created_at
    assert not event.blocked


async def test_a_rolled_back_transaction_publishes_nothing(live: Holdfast) -> None:
    basket = Basket()
    with pytest.raises(ZeroDivisionError):
        async with live.tenant("acme") as hold:
            gone = await hold.outbox.publish(TYPE, {"n": 1}, aggregate=("invoice", "1"))
            raise ZeroDivisionError
    (kept,) = await publish(live, {"n": 2}, aggregate=("invoice", "1"))
    async with dispatching(live, sinks=[basket]):
        await published(live, kept)
    assert basket.data == [{"n": 2}]
    with pytest.raises(NotFound):
        await fetch(live, gone)


async def test_a_joined_transaction_shares_the_callers_fate(live: Holdfast, holdfast_dsn: str) -> None:
    async with await AsyncConnection.connect(holdfast_dsn) as mine:
        async with live.tenant("acme", connection=mine) as hold:
            gone = await hold.outbox.publish(TYPE)
        await mine.rollback()
        async with live.tenant("acme", connection=mine) as hold:
            kept = await hold.outbox.publish(TYPE)
        await mine.commit()
    with pytest.raises(NotFound):
        await fetch(live, gone)
    assert (await fetch(live, kept)).data == {}


async def test_the_subject_is_the_aggregate_when_there_is_no_other(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        by_subject = await hold.outbox.get(await hold.outbox.publish(TYPE, subject="orders/7"))
        alone = await hold.outbox.get(await hold.outbox.publish(TYPE))
        both = await hold.outbox.get(await hold.outbox.publish(TYPE, aggregate=("order", uuid4()), subject="seven"))
    assert (by_subject.aggregate_type, by_subject.aggregate_id) == ("subject", "orders/7")
    assert (alone.aggregate_type, alone.aggregate_id, alone.subject) == ("event", str(alone.id), None)
    assert (both.aggregate_type, both.subject) == ("order", "seven")


@pytest.mark.parametrize(
    ("arguments", "mentions"),
    [
        ({"type": "spaces are bad"}, "type"),
        ({"type": ""}, "type"),
        ({"type": "x" * 257}, "type"),
        ({"type": ".v1"}, "type"),
        ({"data": float("nan")}, "NaN"),
        ({"data": {"x": [float("inf")]}}, "NaN and infinity"),
        ({"data": {"x": "\0"}}, "NUL"),
        ({"data": "\ud800"}, "surrogate"),
        ({"data": object()}, "object"),
        ({"data": "x" * 2_000_000}, "limit is 1048576"),
        ({"aggregate": "invoice-42"}, "aggregate"),
        ({"aggregate": ("in/voice", "42")}, "aggregate"),
        ({"aggregate": ("invoice", "")}, "aggregate"),
        ({"aggregate": ("invoice", "x" * 513)}, "aggregate"),
        ({"aggregate": ("invoice", "4\n2")}, "control character"),
        ({"subject": ""}, "subject"),
        ({"subject": "a\0b"}, "control character"),
        ({"trace_parent": "yesterday"}, "traceparent"),
        ({"trace_parent": f"00-{'0' * 32}-{'b' * 16}-01"}, "not all zeros"),
    ],
)
async def test_what_is_no_event_is_refused_and_nothing_is_written(
    app: Holdfast, arguments: dict[str, Any], mentions: str
) -> None:
    given = {"type": TYPE} | arguments
    async with app.tenant("acme") as hold:
        with pytest.raises(InvalidInput, match=mentions):
            await hold.outbox.publish(**given)
        with pytest.raises(InvalidInput, match=mentions):
            await hold.outbox.publish_many([NewEvent(TYPE, {}), NewEvent(**given)])
        assert (await hold.outbox.stats()).types == []


async def test_the_database_refuses_it_too(app: Holdfast) -> None:
    for arguments in ("'no type', '{}'", "'x', '{}', 'bad type', '1'", "'x', '{}', 'invoice', ''"):
        with pytest.raises(pg.CheckViolation):
            async with app.tenant("acme") as hold:
                await hold.connection.execute(f"SELECT holdfast.publish_event({arguments})")
    with pytest.raises(pg.InvalidParameterValue, match="both its type and its id"):
        async with app.tenant("acme") as hold:
            await hold.connection.execute("SELECT holdfast.publish_event('x', '{}', 'invoice')")


async def test_sql_publishes_too(live: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    """A trigger of the user's own, in the same transaction."""
    superuser.execute(
        """
        CREATE TABLE public.orders (id int, total numeric);
        GRANT INSERT ON public.orders TO holdfast_app;
        CREATE FUNCTION public.tell() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM holdfast.publish_event('shop.ordered.v1', to_jsonb(NEW), 'order', NEW.id::text);
          RETURN NEW;
        END $$;
        CREATE TRIGGER tell AFTER INSERT ON public.orders FOR EACH ROW EXECUTE FUNCTION public.tell();
        """
    )
    basket = Basket()
    async with live.tenant("acme") as hold:
        await hold.connection.execute("INSERT INTO public.orders VALUES (7, 12345678901234567.890)")
    async with dispatching(live, sinks=[basket]):
        await until(lambda: _true(basket.events))
    (event,) = basket.events
    assert (event.type, event.aggregate, event.subject) == ("shop.ordered.v1", ("order", "7"), "order/7")
    assert '"total": 12345678901234567.890' in event.payload
    assert UUID(event.id).version == 7


async def test_ids_made_in_sql_are_in_the_order_of_time(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        ids = []
        for _ in range(20):
            row = await (await hold.connection.execute("SELECT holdfast.publish_event('x', '{}')")).fetchone()
            assert row is not None
            ids.append(row[0])
    assert {one.version for one in ids} == {7}
    assert [one.int >> 80 for one in ids] == sorted(one.int >> 80 for one in ids)


async def test_publishers_of_one_aggregate_pass_one_after_the_other(live: Holdfast) -> None:
    """Otherwise the one that began first could commit last, and its event would be sent after a later one."""
    first = asyncio.Event()
    order: list[str] = []

    async def slow() -> UUID:
        async with live.tenant("acme") as hold:
            made = await hold.outbox.publish(TYPE, "slow", aggregate=("invoice", "1"))
            first.set()
            await until(lambda: _waiting_for_a_lock(live))
            order.append("slow")
        return made

    async def quick() -> UUID:
        await first.wait()
        async with live.tenant("acme") as hold:
            made = await hold.outbox.publish(TYPE, "quick", aggregate=("invoice", "1"))
            order.append("quick")
        return made

    # Once for an aggregate that nobody knows yet, once for one that has something to send already.
    for round_ in range(2):
        first.clear()
        order.clear()
        await asyncio.gather(slow(), quick())
        assert order == ["slow", "quick"], round_
    basket = Basket()
    async with dispatching(live, sinks=[basket]):
        await until(lambda: _true(len(basket.events) == 4))
    assert basket.data == ["slow", "quick"] * 2


async def test_publishers_of_different_aggregates_do_not_wait(live: Holdfast) -> None:
    async with live.tenant("acme") as one:
        await one.outbox.publish(TYPE, aggregate=("invoice", "1"))
        async with asyncio.timeout(5), live.tenant("acme") as other:
            await other.outbox.publish(TYPE, aggregate=("invoice", "2"))
            await other.outbox.publish(TYPE)


async def test_two_who_publish_for_the_same_aggregates_do_not_deadlock(live: Holdfast) -> None:
    async def many(numbers: list[int]) -> None:
        for _ in range(10):
            async with live.tenant("acme") as hold:
                await hold.outbox.publish_many(
                    [NewEvent(TYPE, {}, aggregate=("invoice", str(number))) for number in numbers]
                )

    basket = Basket()
    async with dispatching(live, sinks=[basket]):
        await asyncio.gather(many(list(range(50))), many(list(range(50))[::-1]), many(list(range(0, 50, 3))))
        await until(lambda: _true(len(basket.events) == 1170))


async def test_an_open_publisher_does_not_hold_up_what_is_already_there(live: Holdfast) -> None:
    """A long transaction that published for an aggregate: earlier events are sent and recorded all the same."""
    before = await publish(live, 1, 2, aggregate=("invoice", "1"))
    basket = Basket()
    async with live.tenant("acme") as hold:
        late = await hold.outbox.publish(TYPE, 3, aggregate=("invoice", "1"))
        async with dispatching(live, sinks=[basket]):
            await published(live, *before)
            # Its lane is looked at again while it has nothing to send; it must not be taken away.
            await until(lambda: _lane_is_free(live))
        assert basket.data == [1, 2]
    async with dispatching(live, sinks=[basket]):
        await published(live, late)
    assert basket.data == [1, 2, 3]
    async with live.tenant("acme") as hold:
        for table in ("outbox_lane", "outbox_order"):
            row = await (await hold.connection.execute(f"SELECT count(*) FROM holdfast.{table}")).fetchone()
            assert row == (0,)


async def test_an_event_published_while_its_lane_goes_is_never_forgotten(live: Holdfast) -> None:
    """Publishing and running dry, against each other, as often as it can be done."""
    basket = Basket()
    ids: list[UUID] = []

    async def publisher(aggregate: int) -> None:
        for number in range(60):
            ids.extend(await publish(live, [aggregate, number], aggregate=("invoice", str(aggregate))))

    async with dispatching(live, sinks=[basket]), dispatching(live, sinks=[basket]):
        await asyncio.gather(*(publisher(number) for number in range(4)))
        await until(lambda: _true(len(basket.events) >= 240))
    for aggregate in range(4):
        assert [n for a, n in basket.data if a == aggregate] == list(range(60))
    assert {UUID(event.id) for event in basket.events} == set(ids)


async def test_a_publisher_that_rolls_back_leaves_the_lane_usable(live: Holdfast) -> None:
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            async with live.tenant("acme") as hold:
                await hold.outbox.publish(TYPE, aggregate=("invoice", "1"))
                raise ZeroDivisionError
    async with dispatching(live, sinks=[Basket()]):
        await published(live, *(await publish(live, 1, aggregate=("invoice", "1"))))


async def test_permissions(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("vera", roles=["viewer"])
        await hold.users.create("chloe", roles=["author"])
        await hold.users.create("otto", roles=["operator"])
        made = await hold.outbox.publish(TYPE)
    async with app.tenant("acme", actor="vera") as hold:
        assert (await hold.outbox.get(made)).id == made
        for attempt in (hold.outbox.publish(TYPE), hold.outbox.replay(made), hold.outbox.replay_dead()):
            with pytest.raises(Forbidden):
                await attempt
    async with app.tenant("acme", actor="chloe") as hold:
        await hold.outbox.publish(TYPE)
        with pytest.raises(Forbidden, match="may not replay"):
            await hold.outbox.replay(made)
    async with app.tenant("acme", actor="otto") as hold:
        await hold.outbox.publish(TYPE)
        await hold.outbox.replay(made)


async def test_nothing_of_another_tenant_is_found(app: Holdfast) -> None:
    async with app.tenant("globex") as hold:
        theirs = await hold.outbox.publish(TYPE, {"secret": 1}, aggregate=("invoice", "1"))
    async with app.tenant("acme", actor="ana") as hold:
        assert (await hold.outbox.list()).items == []
        assert (await hold.outbox.list(aggregate=("invoice", "1"))).items == []
        assert (await hold.outbox.stats()).types == []
        assert await hold.outbox.replay_dead() == []
        for attempt in (
            hold.outbox.get(theirs),
            hold.outbox.replay(theirs),
            hold.outbox.skip(theirs, reason="mine now"),
        ):
            with pytest.raises(NotFound) as caught:
                await attempt
            assert caught.value.status == 404


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE holdfast.outbox_event_live SET payload = '{}'",
        "DELETE FROM holdfast.outbox_event_live",
        "INSERT INTO holdfast.outbox_event_live (tenant, id, seq) SELECT gen_random_uuid(), gen_random_uuid(), 1",
        "UPDATE holdfast.outbox_lane SET blocked = false",
        "DELETE FROM holdfast.outbox_lane",
        "DELETE FROM holdfast.outbox_order",
        "SELECT * FROM holdfast.claim_outbox('x', 1, 1, '1 s', gen_random_uuid(), now())",
        "SELECT holdfast.tend_outbox(1, true, now())",
        "SELECT holdfast.publish_events_for('{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', 'x', now())",
        "SELECT nextval('holdfast.outbox_lease_epoch')",
    ],
)
async def test_the_application_role_may_not(app: Holdfast, holdfast_dsn: str, statement: str) -> None:
    async with await AsyncConnection.connect(holdfast_dsn, autocommit=True) as connection:
        await connection.execute("SET SESSION AUTHORIZATION holdfast_app")
        with pytest.raises(pg.InsufficientPrivilege):
            await connection.execute(statement)


async def test_publishing_needs_a_tenant(app: Holdfast, intruder: AsyncConnection[Any]) -> None:
    with pytest.raises(pg.InsufficientPrivilege, match="no tenant"):
        await intruder.execute("SELECT holdfast.publish_event('x', '{}')")


async def test_lists_are_paged_and_filtered(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        ids = await hold.outbox.publish_many(
            [NewEvent(f"shop.{'a' if n % 2 else 'b'}.v1", n, aggregate=("order", str(n % 3))) for n in range(9)]
        )
        seen: list[UUID] = []
        cursor = None
        while True:
            page = await hold.outbox.list(limit=4, cursor=cursor)
            seen += [event.id for event in page.items]
            cursor = page.next_cursor
            if cursor is None:
                break
        assert seen == ids[::-1]
        assert [event.data for event in (await hold.outbox.list(prefix="shop.a")).items] == [7, 5, 3, 1]
        assert [event.data for event in (await hold.outbox.list(aggregate=("order", "2"))).items] == [8, 5, 2]
        assert (await hold.outbox.list(status="dead")).items == []
        for wrong in ({"status": "gone"}, {"limit": 0}, {"cursor": "x"}, {"aggregate": "order"}):
            with pytest.raises(InvalidInput):
                await hold.outbox.list(**wrong)


async def _true(value: object) -> bool:
    return bool(value)


async def _waiting_for_a_lock(app: Holdfast) -> bool:
    async with app.database.connection() as connection:
        row = await (
            await connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
            )
        ).fetchone()
    return row != (0,)


async def _lane_is_free(app: Holdfast) -> bool:
    async with app.tenant("acme") as hold:
        return await _lanes(hold) == [(True,)]


async def _lanes(hold: Hold) -> list[Any]:
    return await (
        await hold.connection.execute(
            "SELECT lease_until IS NULL AND due_at > now() - interval '1 minute' FROM holdfast.outbox_lane"
        )
    ).fetchall()
