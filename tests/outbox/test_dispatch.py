"""Dispatching: in order, at least once, fenced; what fails is tried again, and in the end a dead letter."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from harness.waiting import forever, outlived, until
from holdfast import AlreadyExists, Conflict, FakeClock, Holdfast, InvalidInput, NotFound
from holdfast.errors import SettingsError
from holdfast.kernel.json import dump
from holdfast.outbox import NewEvent, OutboxEvent, TryLater, Undeliverable
from outbox.conftest import QUICK, TYPE, Basket, dispatching, fetch, in_status, publish, published


class Moody(Basket):
    """Refuses as told: `refuse` maps what an event carries to how often it is refused, or to what is raised."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.refuse: dict[Any, int | Exception] = {}

    async def before(self, event: OutboxEvent) -> None:
        mood = self.refuse.get(event.data)
        if isinstance(mood, Exception):
            raise mood
        if mood:
            self.refuse[event.data] = mood - 1
            raise ConnectionError("not in the mood")


async def test_an_event_goes_out_as_a_cloudevent(live: Holdfast) -> None:
    basket = Basket()
    (made,) = await publish(live, {"total": 1}, aggregate=("invoice", "42"))
    async with dispatching(live, sinks=[basket]) as dispatcher:
        (stored,) = await published(live, made)
        assert dispatcher.published == 1
    (event,) = basket.events
    assert (event.id, event.type, event.source) == (str(made), TYPE, "/holdfast/acme")
    assert (event.subject, event.tenant, event.attempt) == ("invoice/42", "acme", 1)
    assert (event.time, event.data) == (stored.created_at, {"total": 1})
    assert (stored.attempts, stored.published_at is not None, stored.next_attempt_at) == (1, True, None)
    assert basket.closed


async def test_events_of_an_aggregate_wait_for_the_one_that_fails_and_others_do_not(live: Holdfast) -> None:
    basket = Moody()
    basket.refuse = {"a1": 3}
    ids = await publish(live, "a1", "a2", "a3", aggregate=("invoice", "a"))
    ids += await publish(live, "b1", "b2", aggregate=("invoice", "b"))
    async with dispatching(live, sinks=[basket]):
        events = await published(live, *ids)
    assert [event.data for event in basket.events if event.aggregate[1] == "a"] == ["a1", "a2", "a3"]
    assert [event.data for event in basket.events if event.aggregate[1] == "b"] == ["b1", "b2"]
    assert basket.data.index("b2") < basket.data.index("a1")
    assert [event.attempts for event in events] == [4, 1, 1, 1, 1]
    assert events[0].last_error == "basket: not in the mood"
    assert [event.attempt for event in basket.offered if event.data == "a1"] == [1, 2, 3, 4]


async def test_a_failure_in_the_middle_keeps_what_was_sent_before_it(live: Holdfast) -> None:
    basket = Moody()
    basket.refuse = {3: 1}
    ids = await publish(live, 1, 2, 3, 4, 5, aggregate=("invoice", "a"))
    async with dispatching(live, sinks=[basket]):
        events = await published(live, *ids)
    assert [event.data for event in basket.offered] == [1, 2, 3, 3, 4, 5]
    assert [event.attempts for event in events] == [1, 1, 2, 1, 1]


async def test_used_up_attempts_make_a_dead_letter_that_holds_its_aggregate_until_it_is_replayed(
    holdfast_dsn: str,
) -> None:
    async with Holdfast(dsn=holdfast_dsn, **QUICK, outbox_max_attempts=3) as app:
        await app.tenants.create("acme")
        basket = Moody()
        basket.refuse = {"poison": 3}
        poison, after = await publish(app, "poison", "after", aggregate=("invoice", "1"))
        (other,) = await publish(app, "other", aggregate=("invoice", "2"))
        async with dispatching(app, sinks=[basket]) as dispatcher:
            await published(app, other)
            (dead,) = await in_status(app, "dead", poison)
            assert (dead.attempts, dead.last_error, dead.blocked) == (3, "basket: not in the mood", True)
            assert (dispatcher.failed, dispatcher.dead) == (3, 1)
            waiting = await fetch(app, after)
            assert (waiting.status, waiting.blocked, waiting.next_attempt_at) == ("pending", True, None)
            async with app.tenant("acme") as hold:
                stats = await hold.outbox.stats()
                assert (stats.waiting, stats.dead, stats.blocked) == (1, 1, 1)
                assert [event.event_type for event in (await hold.audit.list(object_id=poison)).items] == [
                    "outbox.dead"
                ]
                assert (await hold.outbox.replay(poison)).status in ("pending", "processing")
            await published(app, poison, after)
        assert basket.data == ["other", "poison", "after"]
        async with app.tenant("acme") as hold:
            told = (await hold.audit.list(object_id=poison, object_kind="outbox")).items
            assert [event.event_type for event in told] == ["outbox.replayed", "outbox.dead"]
            assert told[1].data == {
                "type": TYPE,
                "aggregate": "invoice/1",
                "attempts": 3,
                "error": "basket: not in the mood",
            }
            assert (await hold.outbox.stats()).blocked == 0


async def test_a_dead_event_can_be_skipped_and_still_be_replayed_later(live: Holdfast) -> None:
    basket = Moody()
    basket.refuse = {"poison": Undeliverable("gone")}
    poison, after = await publish(live, "poison", "after", aggregate=("invoice", "1"))
    async with dispatching(live, sinks=[basket]):
        (dead,) = await in_status(live, "dead", poison)
        assert dead.last_error == "basket: gone"
        async with live.tenant("acme") as hold:
            with pytest.raises(Conflict, match="holds nothing back"):
                await hold.outbox.skip(after, reason="no")
            assert (await hold.outbox.skip(poison, reason="the customer left")).status == "dead"
        await published(live, after)
        async with live.tenant("acme") as hold:
            with pytest.raises(Conflict):
                await hold.outbox.skip(poison, reason="again")
        basket.refuse.clear()
        async with live.tenant("acme") as hold:
            await hold.outbox.replay(poison)
        await published(live, poison)
    assert basket.data == ["after", "poison"]


async def test_skipping_dead_letters_can_be_the_rule(holdfast_dsn: str) -> None:
    async with Holdfast(dsn=holdfast_dsn, **QUICK, outbox_dead_letters="skip") as app:
        await app.tenants.create("acme")
        basket = Moody()
        basket.refuse = {"poison": Undeliverable("gone")}
        poison, after = await publish(app, "poison", "after", aggregate=("invoice", "1"))
        async with dispatching(app, sinks=[basket]):
            await published(app, after)
            assert not (await fetch(app, poison)).blocked
        async with app.tenant("acme") as hold:
            assert (await hold.outbox.stats()).blocked == 0


async def test_dead_letters_are_replayed_together_or_by_type(live: Holdfast) -> None:
    basket = Moody()
    basket.refuse = dict.fromkeys(range(4), Undeliverable("no"))
    ids = [*await publish(live, 0, 1, type="a.v1"), *await publish(live, 2, 3, type="b.v1")]
    async with dispatching(live, sinks=[basket]):
        await in_status(live, "dead", *ids)
        basket.refuse.clear()
        async with live.tenant("globex") as hold:
            assert await hold.outbox.replay_dead() == []
        async with live.tenant("acme") as hold:
            assert await hold.outbox.replay_dead(type="b.v1") == ids[2:]
            assert await hold.outbox.replay_dead(type="c.v1") == []
            with pytest.raises(InvalidInput):
                await hold.outbox.replay_dead(type="no such type")
        await published(live, *ids[2:])
        assert (await fetch(live, ids[0])).status == "dead"
        async with live.tenant("acme") as hold:
            assert await hold.outbox.replay_dead() == ids[:2]
        await published(live, *ids)


async def test_a_published_event_can_be_sent_again_with_the_same_id(live: Holdfast) -> None:
    basket = Basket()
    (made,) = await publish(live, "x", aggregate=("invoice", "1"))
    async with dispatching(live, sinks=[basket]):
        await published(live, made)
        async with live.tenant("acme") as hold:
            await hold.outbox.replay(made)
        await until(lambda: _true(len(basket.events) == 2))
        await published(live, made)
    assert {event.id for event in basket.events} == {str(made)}
    with pytest.raises(NotFound):
        async with live.tenant("acme") as hold:
            await hold.outbox.replay(UUID(int=7))


async def test_replaying_what_waits_sends_it_at_once(holdfast_dsn: str) -> None:
    patient = QUICK | {"outbox_backoff_base": 3600, "outbox_backoff_cap": 3600}
    async with Holdfast(dsn=holdfast_dsn, **patient) as app:
        await app.tenants.create("acme")
        basket = Moody()
        basket.refuse = {"x": 1}
        (made,) = await publish(app, "x")
        async with dispatching(app, sinks=[basket]):
            await until(lambda: _true(basket.offered))
            await until(lambda: _attempted(app, made))
            waiting = await fetch(app, made)
            assert waiting.next_attempt_at is not None
            assert waiting.next_attempt_at - waiting.created_at > timedelta(minutes=59)
            async with app.tenant("acme") as hold:
                await hold.outbox.replay(made)
            await published(app, made)


async def test_a_sink_says_when_to_come_back(live: Holdfast) -> None:
    basket = Moody()
    basket.refuse = {"x": TryLater("busy", after=timedelta(hours=2))}
    (made,) = await publish(live, "x")
    async with dispatching(live, sinks=[basket]):
        await until(lambda: _attempted(live, made))
    event = await fetch(live, made)
    assert event.next_attempt_at is not None
    assert timedelta(hours=1.9) < event.next_attempt_at - event.created_at < timedelta(hours=2.1)
    assert event.last_error == "basket: busy"


async def test_backoff_doubles_and_the_clock_decides(app: Holdfast, holdfast_clock: FakeClock) -> None:
    basket = Moody()
    basket.refuse = {"x": 4}
    (made,) = await publish(app, "x")
    pauses = []
    async with dispatching(app, sinks=[basket]):
        for attempt in range(1, 5):
            await until(lambda count=attempt: _attempted(app, made, count))  # type: ignore[misc]
            event = await fetch(app, made)
            assert event.next_attempt_at is not None
            pauses.append((event.next_attempt_at - holdfast_clock.now()).total_seconds())
            holdfast_clock.advance(pauses[-1])
            async with app.tenant("acme") as hold:
                await hold.connection.execute("SELECT pg_notify('holdfast_outbox', '')")
        await published(app, made)
    for pause, least in zip(pauses, (1, 2, 4, 8), strict=True):
        assert least <= pause <= least * 1.5


async def test_every_sink_gets_it_once_even_if_another_fails(live: Holdfast) -> None:
    good, bad, picky = Basket("good"), Moody(name="bad"), Basket("picky", types=("other.",))
    bad.refuse = {"x": 2}
    (made,) = await publish(live, "x")
    async with dispatching(live, sinks=[good, bad, picky]):
        (event,) = await published(live, made)
    assert (good.data, bad.data, picky.data) == (["x"], ["x"], [])
    assert event.attempts == 3


async def test_a_dead_letter_is_replayed_to_those_who_did_not_take_it(live: Holdfast) -> None:
    good, bad = Basket("good"), Moody(name="bad")
    bad.refuse = {"x": Undeliverable("no")}
    (made,) = await publish(live, "x")
    async with dispatching(live, sinks=[good, bad]):
        await in_status(live, "dead", made)
        bad.refuse.clear()
        async with live.tenant("acme") as hold:
            await hold.outbox.replay(made)
        await published(live, made)
    assert (good.data, bad.data) == (["x"], ["x"])


async def test_a_sink_that_does_not_answer_is_given_up_on(live: Holdfast) -> None:
    class Silent(Basket):
        timeout = 0.05

        async def before(self, event: OutboxEvent) -> None:
            if event.attempt == 1:
                await forever()

    basket = Silent()
    (made,) = await publish(live, "x")
    async with dispatching(live, sinks=[basket]):
        (event,) = await published(live, made)
    assert event.last_error == "basket: no answer within 0.05 s"


async def test_functions_and_classes_can_be_sinks(live: Holdfast) -> None:
    seen: list[tuple[str, Any]] = []

    @live.sink("plain")
    def plain(event: OutboxEvent) -> None:
        seen.append(("plain", event.data))

    @live.sink("later", types=["billing."])
    async def later(event: OutboxEvent) -> None:
        seen.append(("later", event.data))

    @live.sink("built")
    class Built:
        def send(self, event: OutboxEvent) -> None:
            seen.append(("built", event.data))

        def close(self) -> None:
            seen.append(("closed", None))

    with pytest.raises(AlreadyExists):
        live.sink("plain")(plain)
    with pytest.raises(InvalidInput, match=r"send\(event\)"):
        live.sink("useless")(type("Useless", (), {}))
    ids = [*await publish(live, 1), *await publish(live, 2, type="other.v1")]
    async with dispatching(live):
        await published(live, *ids)
    assert sorted(seen[:-1]) == [("built", 1), ("built", 2), ("later", 1), ("plain", 1), ("plain", 2)]
    assert seen[-1] == ("closed", None)


async def test_without_sinks_there_is_no_dispatcher(live: Holdfast) -> None:
    assert not live.has_sinks
    with pytest.raises(SettingsError, match="no sink is configured"):
        live.dispatcher()


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_two_dispatchers_keep_every_aggregates_order_whatever_fails(live: Holdfast, seed: int) -> None:
    """Forty aggregates, sinks that fail at random and take random time, publishers at work all along."""
    chance = random.Random(seed)
    received: dict[str, list[int]] = defaultdict(list)
    offered: list[OutboxEvent] = []

    class Flaky(Basket):
        async def before(self, event: OutboxEvent) -> None:
            offered.append(event)
            for _ in range(chance.choice([0, 0, 20])):
                await asyncio.sleep(0)
            fate = chance.random()
            if fate < 0.05:
                raise ConnectionError("lost on the way there")
            received[event.aggregate[1]].append(event.data)
            if fate > 0.97:
                # It arrived, but we never heard: the same event comes again.
                raise ConnectionError("lost on the way back")

    counts = [0] * 40

    async def publisher() -> None:
        for _ in range(40):
            async with live.tenant("acme") as hold:
                batch = []
                for number in chance.sample(range(40), 5):
                    batch.append(NewEvent(TYPE, counts[number], aggregate=("thing", str(number))))
                    counts[number] += 1
                await hold.outbox.publish_many(batch)

    flaky = Flaky()
    async with dispatching(live, sinks=[flaky], concurrency=7), dispatching(live, sinks=[flaky], concurrency=7):
        await publisher()
        await until(lambda: _drained(live), timeout=60)
    assert len(offered) > 200
    for number, count in enumerate(counts):
        got = received[str(number)]
        # Repeated, perhaps, but each first arrival comes after that of the one before it.
        assert list(dict.fromkeys(got)) == list(range(count)), number
        assert got == sorted(got), number


async def test_whoever_lost_the_lease_records_nothing(live: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    """A zombie: its lane was taken over while it was sending. What it says about it afterwards counts for nothing."""
    reached, go_on = asyncio.Event(), asyncio.Event()

    class Frozen(Basket):
        timeout = 60.0

        async def before(self, event: OutboxEvent) -> None:
            reached.set()
            await go_on.wait()
            raise Undeliverable("the zombie's verdict")

    basket = Basket()
    ids = await publish(live, "x", "y", aggregate=("invoice", "1"))
    async with dispatching(live, sinks=[Frozen()], name="zombie") as zombie:
        await reached.wait()
        superuser.execute(
            "UPDATE holdfast.outbox_lane SET lease_epoch = nextval('holdfast.outbox_lease_epoch'), leased_by = 'heir', "
            "lease_until = now() + interval '1 hour'"
        )
        go_on.set()
    assert zombie.dead == zombie.published == 0
    for event in [await fetch(live, one) for one in ids]:
        assert (event.status, event.leased_by, event.last_error) == ("processing", "heir", None)
    superuser.execute("UPDATE holdfast.outbox_lane SET lease_until = now()")
    async with dispatching(live, sinks=[basket]):
        await published(live, *ids)
    assert basket.data == ["x", "y"]


async def test_an_epoch_is_never_given_twice(live: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    """A lane goes with its last event and comes back with the next: an old holder must not fit the new one."""
    claim = "SELECT * FROM holdfast.claim_outbox('w', 10, 10, '30 s', %s, now())"
    nobody = UUID(int=0)
    settle = (
        "SELECT * FROM holdfast.settle_outbox('w', %s, '{invoice}', '{1}', %s, '{0}', '{}', '{}', '{}', '{}', '{}', "
        "'{1}', %s, '{1}', true, now())"
    )
    epochs = []
    for _ in range(2):
        (made,) = await publish(live, "x", aggregate=("invoice", "1"))
        (row,) = superuser.execute(claim, [nobody]).fetchall()
        epochs.append(row["lease_epoch"])
        if len(epochs) == 2:
            lost = superuser.execute(settle, [[row["tenant"]], [epochs[0]], [made]]).fetchall()
            assert lost == [{"settle_outbox": 1}]
            assert (await fetch(live, made)).status == "processing"
        assert superuser.execute(settle, [[row["tenant"]], [epochs[-1]], [made]]).fetchall() == []
        assert (await fetch(live, made)).status == "published"
    assert epochs[0] != epochs[1]


async def lease_until(superuser: psycopg.Connection[Any], besides: str = "") -> datetime | None:
    """When the lease is over that ends first, besides that of one aggregate."""
    first = "SELECT min(lease_until) AS at FROM holdfast.outbox_lane WHERE aggregate_id <> %s"
    row = superuser.execute(first, [besides]).fetchone()
    return None if row is None else row["at"]


async def test_a_slow_sink_keeps_its_lease(live: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    go_on = asyncio.Event()

    class Slow(Basket):
        async def before(self, event: OutboxEvent) -> None:
            await go_on.wait()

    slow, other = Slow(), Basket()
    (made,) = await publish(live, "x")
    async with dispatching(live, sinks=[slow]):
        await until(lambda: _true(slow.offered))
        async with dispatching(live, sinks=[other]):
            await outlived(lambda: lease_until(superuser), QUICK["outbox_lease"])
            go_on.set()
            (event,) = await published(live, made)
    assert (len(slow.events), other.events, event.attempts) == (1, [], 1)


async def test_stopping_finishes_what_is_being_sent_and_leaves_the_rest(live: Holdfast) -> None:
    reached, go_on = asyncio.Event(), asyncio.Event()

    class Careful(Basket):
        async def before(self, event: OutboxEvent) -> None:
            reached.set()
            await go_on.wait()

    basket = Careful()
    ids = await publish(live, 1, 2, 3, aggregate=("invoice", "1"))
    async with dispatching(live, sinks=[basket]) as dispatcher:
        await reached.wait()
        dispatcher.stop()
        go_on.set()
    assert basket.data == [1]
    assert [(await fetch(live, one)).status for one in ids] == ["published", "pending", "pending"]
    assert [(await fetch(live, one)).attempts for one in ids] == [1, 0, 0]


async def test_stopping_hands_back_what_does_not_end(holdfast_dsn: str) -> None:
    async with Holdfast(dsn=holdfast_dsn, **(QUICK | {"worker_shutdown_timeout": 0.1, "outbox_timeout": 60})) as app:
        await app.tenants.create("acme")
        reached = asyncio.Event()

        class Endless(Basket):
            async def before(self, event: OutboxEvent) -> None:
                reached.set()
                await forever()

        (made,) = await publish(app, 1)
        async with dispatching(app, sinks=[Endless()]):
            await reached.wait()
        event = await fetch(app, made)
        assert (event.status, event.attempts, event.leased_by) == ("pending", 0, None)
        async with dispatching(app, sinks=[Basket()]):
            assert (await published(app, made))[0].attempts == 1


async def test_a_busy_tenant_does_not_starve_another(live: Holdfast) -> None:
    async with live.tenant("acme") as hold:
        await hold.outbox.publish_many([NewEvent(TYPE, "acme") for _ in range(500)])
    async with live.tenant("globex") as hold:
        await hold.outbox.publish_many([NewEvent(TYPE, "globex") for _ in range(5)])
    basket = Basket()
    async with dispatching(live, sinks=[basket], concurrency=8):
        await until(lambda: _true(len(basket.events) == 505))
    assert max(place for place, event in enumerate(basket.events) if event.tenant == "globex") < 60


CLAIM = (
    "SELECT DISTINCT tenant::text, aggregate_type, aggregate_id, due "
    "FROM holdfast.claim_outbox('w', %s, 10, '30 s', %s, now(), %s::jsonb)"
)


def claimed(superuser: psycopg.Connection[Any], slots: int, *marks: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The lanes of one claim that begins behind these marks."""
    return superuser.execute(CLAIM, [slots, UUID(int=0), dump(marks) if marks else None]).fetchall()


async def test_lanes_that_became_due_together_are_each_claimed_once_behind_the_one_before(
    live: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    async with live.tenant("acme") as hold:
        for number in range(7):
            await hold.outbox.publish(TYPE, number, aggregate=("invoice", str(number)))
    first = claimed(superuser, 3)
    assert len({lane["due"] for lane in first}) == 1
    rest = claimed(superuser, 7, max(first, key=lambda lane: lane["aggregate_id"]))
    assert sorted(lane["aggregate_id"] for lane in first + rest) == [str(number) for number in range(7)]


async def test_behind_marks_only_tenants_that_have_one_are_looked_at_and_take_turns(
    live: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    for tenant in ("acme", "globex"):
        await publish(live, 1, 2, 3, tenant=tenant)
    lanes = claimed(superuser, 2)
    assert len({lane["tenant"] for lane in lanes}) == 2
    assert [lane["tenant"] for lane in claimed(superuser, 1, *lanes)] == [min(lane["tenant"] for lane in lanes)]
    (alone,) = [lane for lane in lanes if lane["tenant"] == max(lane["tenant"] for lane in lanes)]
    assert {lane["tenant"] for lane in claimed(superuser, 9, alone)} == {alone["tenant"]}


async def test_an_event_whose_transaction_took_its_time_is_found_before_the_mark(
    live: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However long it takes here to pass by the head, it is not left until later because of that.
    monkeypatch.setattr("holdfast.leases.queue_marks._SLOW_SECONDS", 3600.0)
    basket = Basket()
    async with dispatching(live, sinks=[basket]) as dispatcher:
        await published(live, *await publish(live, "before"))
        async with live.tenant("acme") as late:
            made = await late.outbox.publish(TYPE, "late")
            await published(live, *await publish(live, "quick", "quicker"))
            # From here on nobody looks at the head because it is time to, only because nothing lies behind the marks.
            dispatcher._marks._rest_until = float("inf")
        await published(live, made)
        # A tenant of which nothing was ever claimed has no mark.
        await published(live, *await publish(live, "new", tenant="globex"), tenant="globex")
    assert basket.data == ["before", "quick", "quicker", "late", "new"]


async def test_an_event_that_kills_dispatchers_ends_as_a_dead_letter_and_takes_nobody_with_it(
    live: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    """Whoever gets as far as the poison dies without recording anything. What is tried again is tried alone, so in the
    end the poison is given up on, and no event that only stood beside it."""
    ids = await publish(live, 1, 2, "poison", 4, aggregate=("invoice", "1"))
    sent: list[str] = []
    for hours in range(1, 21):
        later = f"now() + interval '{hours} hours'"
        batch = superuser.execute(
            f"SELECT * FROM holdfast.claim_outbox('victim', 10, 10, '1 s', %s, {later})", [UUID(int=0)]
        ).fetchall()
        if batch and '"poison"' not in [row["payload"] for row in batch]:
            sent += [row["payload"] for row in batch]
            superuser.execute(
                "SELECT * FROM holdfast.settle_outbox('victim', %s, '{invoice}', '{1}', %s, '{0}', '{}', '{}', '{}', "
                f"'{{}}', '{{}}', %s, %s, %s, true, {later})",
                [
                    [batch[0]["tenant"]],
                    [batch[0]["lease_epoch"]],
                    [1] * len(batch),
                    [row["id"] for row in batch],
                    [row["attempts"] for row in batch],
                ],
            )
        superuser.execute(f"SELECT holdfast.tend_outbox(3, false, {later} + interval '30 minutes')")
    assert sent == ["1", "2", "4"]
    events = [await fetch(live, one) for one in ids]
    assert [event.status for event in events] == ["published", "published", "dead", "published"]
    assert (events[2].last_error, events[2].attempts) == ("lease_expired", 3)
    async with live.tenant("acme") as hold:
        assert [one.event_type for one in (await hold.audit.list(object_id=ids[2])).items] == ["outbox.dead"]


async def test_published_events_are_dropped_by_the_month(holdfast_dsn: str) -> None:
    clock = FakeClock(datetime.now(UTC))
    async with Holdfast(dsn=holdfast_dsn, clock=clock, **(QUICK | {"outbox_retention": 40})) as app:
        await app.tenants.create("acme")
        await app.tidy()
        basket = Moody()
        basket.refuse = {"dead": Undeliverable("no")}
        old, dead = await publish(app, "old", "dead")
        async with dispatching(app, sinks=[basket]):
            await published(app, old)
            await in_status(app, "dead", dead)
        clock.advance(timedelta(days=30))
        await app.tidy()
        assert (await fetch(app, old)).data == "old"
        clock.advance(timedelta(days=60))
        assert any(name.startswith("outbox_event_done_") for name in (await app.tidy()).partitions_dropped)
        with pytest.raises(NotFound):
            await fetch(app, old)
        # What was never delivered is never dropped.
        assert (await fetch(app, dead)).status == "dead"


async def _true(value: object) -> bool:
    return bool(value)


async def _attempted(app: Holdfast, event_id: UUID, count: int = 1) -> bool:
    event = await fetch(app, event_id)
    return event.status != "processing" and event.attempts >= count


async def _drained(app: Holdfast) -> bool:
    async with app.tenant("acme") as hold:
        return (await hold.outbox.stats()).waiting == 0


@pytest.mark.parametrize("oddity", [asyncio.CancelledError, SystemExit])
async def test_a_sink_that_fails_oddly_has_failed(holdfast_dsn: str, oddity: type[BaseException]) -> None:
    class Odd(Basket):
        async def before(self, event: OutboxEvent) -> None:
            if event.data == "odd":
                raise oddity

    async with Holdfast(dsn=holdfast_dsn, **QUICK, outbox_max_attempts=2) as app:
        await app.tenants.create("acme")
        basket = Odd()
        (odd,) = await publish(app, "odd", aggregate=("invoice", "1"))
        (fine,) = await publish(app, "fine", aggregate=("invoice", "2"))
        async with dispatching(app, sinks=[basket]):
            (dead,) = await in_status(app, "dead", odd)
            await published(app, fine)
    assert (dead.attempts, dead.last_error) == (2, f"basket: {oddity.__name__}: ")


async def test_a_long_transaction_that_replays_an_event_keeps_no_other_from_being_recorded(
    live: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    go_on = asyncio.Event()

    class Slow(Basket):
        async def before(self, event: OutboxEvent) -> None:
            await go_on.wait()

    basket = Slow()
    ids = [(await publish(live, number, aggregate=("invoice", str(number))))[0] for number in range(5)]

    async def all_offered() -> bool:
        return len(basket.offered) == 5

    other = Basket("other")
    async with dispatching(live, sinks=[basket]):
        await until(all_offered)
        async with dispatching(live, sinks=[other]):
            async with live.tenant("acme") as hold:
                await hold.outbox.replay(ids[0])
                # Longer than the leases, which are kept meanwhile.
                await outlived(lambda: lease_until(superuser, besides="0"), QUICK["outbox_lease"])
                go_on.set()
                await published(live, *ids[1:])
            await published(live, ids[0])
    assert [data for data in other.data if data] == [], "nobody else had to send them"
