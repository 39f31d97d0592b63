"""The live stream: what somebody may see, once and in order, or told to ask anew."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest

from harness.waiting import until
from holdfast import Holdfast
from holdfast.audit import record
from holdfast.errors import InvalidInput
from holdfast.kernel.ids import uuid7
from holdfast.live import feed
from holdfast.live.position import LivePosition
from holdfast.postgres.queries import queries
from live.readers import following
from people.office import FINANCE, Office
from processes.shop import Shop

Superuser = psycopg.Connection[dict[str, Any]]


async def happen(app: Holdfast, *types: str, kind: str = "document", tenant: str = "acme") -> list[UUID]:
    """Events of the trail, each in a transaction of its own."""
    found = []
    for each in types:
        async with app.tenant(tenant) as hold:
            found.append(uuid7())
            await record(hold._tx, kind, found[-1], each)
    return found


async def test_a_document_is_seen_from_its_creation_to_its_approval(office: Office) -> None:
    await office.publish(FINANCE)
    async with (
        following(office.app, "documents", "processes") as ana,
        following(office.app, "inbox", actor="ben") as ben,
    ):
        document, instance, request = await office.asked()
        await office.decide("ben", request)
        await office.status(document)
        await until(lambda: ("processes", "completed") in ana.told or ("documents", "transitioned") in ana.told[-2:])
        await until(lambda: len(ben.told) == 2)
    assert ("documents", "created") in ana.told
    assert {event.object["document_id"] for event in ana.all if event.topic == "processes"} == {str(document.id)}
    assert ben.told == [("inbox", "requested"), ("inbox", "decided")]
    assert ben.all[-1].object == {
        "kind": "approval",
        "id": str(request.id),
        "instance_id": str(instance),
        "document_id": str(document.id),
    }


async def test_an_event_carries_ids_and_kinds_and_nothing_of_the_content(office: Office) -> None:
    await office.publish(FINANCE)
    async with following(office.app) as ana:
        await office.asked(vendor="a secret vendor")
        await until(lambda: ("processes", "requested") in ana.told)
    assert "a secret vendor" not in "".join(event.text for event in ana.all)


async def test_who_reads_only_some_documents_of_a_type_is_not_told_which_changed(office: Office) -> None:
    await office.publish(FINANCE)
    async with office.app.tenant("acme") as hold:
        await hold.users.create("vic", roles=["viewer"])
        await hold.configure(settings={"document_roles": {"invoice": {"read": ["auditor"]}}})
    async with (
        following(office.app, "documents", actor="vic") as vic,
        following(office.app, "documents", actor="ana") as ana,
    ):
        document, _, _ = await office.asked()
        await until(lambda: ("documents", "created") in vic.told and ("documents", "created") in ana.told)
    assert str(document.id) not in "".join(event.text for event in vic.all)


async def test_only_those_who_are_asked_hear_of_it_in_their_inbox(office: Office) -> None:
    await office.publish(FINANCE)
    async with office.acting("dan") as hold:
        await hold.delegations.create(delegate="eve", ends_at=_far_away())
    async with (
        following(office.app, "inbox", actor="ana") as ana,
        following(office.app, "inbox", actor="cat") as cat,
        following(office.app, "inbox", actor="eve") as eve,
    ):
        await office.asked()
        await until(lambda: cat.told and eve.told)
        await happen(office.app, "document.updated")
    assert (ana.told, cat.told, eve.told) == ([], [("inbox", "requested")], [("inbox", "requested")])


async def test_a_message_for_somebody_is_told_to_nobody_else(office: Office) -> None:
    await office.publish(FINANCE)
    _, _, request = await office.asked()
    async with following(office.app, "inbox", actor="eve") as eve, following(office.app, "inbox", actor="cat") as cat:
        async with office.acting("ana") as hold:
            await hold.approvals.escalate(request.id, "eve", reason="it is late")
        await until(lambda: ("inbox", "received") in eve.told and ("inbox", "escalated") in cat.told)
    assert ("inbox", "received") not in cat.told


async def test_every_event_comes_once_and_in_order_however_it_is_written(app: Holdfast) -> None:
    async with following(app, "documents") as ana:
        wanted = await happen(app, *["document.updated"] * 40)
        await until(lambda: len(ana.told) >= 40)
    assert ana.objects == [str(each) for each in wanted]


async def test_a_transaction_that_commits_late_is_not_missed(app: Holdfast) -> None:
    late = uuid7()
    async with following(app, "documents") as ana:
        async with app.tenant("acme") as hold:
            await record(hold._tx, "document", late, "document.updated")
            (early,) = await happen(app, "document.created")
            await until(lambda: ana.objects == [str(early)])
        await until(lambda: ana.objects == [str(early), str(late)])
        await happen(app, "document.deleted")
        await until(lambda: len(ana.told) == 3)
    assert ana.objects[:2] == [str(early), str(late)]


async def test_the_events_of_one_object_come_in_the_order_of_its_trail(app: Holdfast) -> None:
    document = uuid7()

    async def write(kind: str) -> None:
        async with app.tenant("acme") as hold:
            for number in range(5):
                await record(hold._tx, "document", document, f"document.{kind}{number}")

    async with following(app, "documents") as ana:
        await asyncio.gather(*(write(kind) for kind in "abcd"))
        await until(lambda: len(ana.told) == 20)
    async with app.tenant("acme") as hold:
        trail = (await hold.audit.list(object_id=document)).items
    assert [f"document.{kind}" for _, kind in ana.told] == [each.event_type for each in reversed(trail)]


async def test_who_comes_back_goes_on_where_they_were(app: Holdfast) -> None:
    async with following(app, "documents") as ana:
        wanted = await happen(app, *["document.updated"] * 5)
        await until(lambda: len(ana.told) == 5)
        ids = [event.id for event in ana.all if event.topic]
    more = await happen(app, *["document.updated"] * 3)
    for seen in range(1, 6):
        async with following(app, "documents", after=ids[seen - 1]) as again:
            await happen(app, "run.failed", kind="run")
            await until(again.has_begun)
        assert again.objects == [str(each) for each in [*wanted, *more][seen:]]
        assert "resync" not in again.own


async def test_what_belongs_to_two_topics_is_resumed_between_them(app: Holdfast) -> None:
    async with following(app, "runs", "health") as ana:
        await happen(app, "run.failed", kind="run")
        await until(lambda: ("health", "failed") in ana.told)
        ids = {event.topic: event.id for event in ana.all if event.kind == "failed"}
    async with following(app, "runs", "health", after=ids["runs"]) as again:
        await until(lambda: "position" in again.own)
    assert again.told == [("health", "failed"), ("runs", "changed")]
    async with following(app, "runs", "health", after=ids["health"]) as done:
        await until(lambda: "position" in done.own)
    assert done.told == [("runs", "changed")]


@pytest.mark.parametrize("damage", ["nonsense", "other tenant", "old", "future", "other database"])
async def test_a_position_that_cannot_be_gone_on_from_is_told_as_resync(app: Holdfast, damage: str) -> None:
    async with following(app, "documents") as ana:
        position = ana.last_id
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
    read = LivePosition.read(tenant, position)
    assert read is not None
    origin, at, since, upto = read.origin, read.at, read.since, read.upto
    given = {
        "nonsense": "nonsense",
        "other tenant": LivePosition(origin, at, since, upto).write(uuid7()),
        "old": LivePosition(origin, at.replace(year=at.year - 1), since, upto).write(tenant),
        "future": LivePosition(origin, at, "999999999:999999999:", "999999999:999999999:").write(tenant),
        "other database": LivePosition(origin + 1, at, since, upto).write(tenant),
    }[damage]
    async with following(app, "documents", after=given) as again:
        await until(lambda: "resync" in again.own)
        (wanted,) = await happen(app, "document.updated")
        await until(lambda: again.objects == [str(wanted)])


async def test_more_than_can_be_followed_is_told_as_resync(app: Holdfast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "PAGE", 10)
    async with following(app, "documents") as ana:
        position = ana.last_id
        async with app.tenant("acme") as hold:
            for _ in range(11):
                await record(hold._tx, "document", uuid7(), "document.updated")
        await until(lambda: "resync" in ana.own)
        (wanted,) = await happen(app, "document.updated")
        await until(lambda: ana.objects == [str(wanted)])
    async with following(app, "documents", after=position) as again:
        await until(lambda: "resync" in again.own)


async def test_a_reader_that_lags_behind_what_is_kept_is_told_to_ask_anew(
    app: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "KEPT", 10)
    slow = app.follow_live("acme", ["documents"], actor="ana")
    assert [(await anext(slow)).kind, (await anext(slow)).kind] == ["topics", "position"]
    async with following(app, "documents") as ana:
        for _ in range(3):
            told = len(ana.told)
            await happen(app, *["document.updated"] * 10)
            await ana.has_heard(told + 10)
        assert "resync" not in ana.own
    assert (await anext(slow)).kind == "resync"
    (wanted,) = await happen(app, "document.created")
    assert (await anext(slow)).object["id"] == str(wanted)
    await slow.aclose()


async def test_a_tenant_hears_nothing_of_another(app: Holdfast) -> None:
    async with following(app, "documents") as ana:
        await happen(app, "document.created", tenant="globex")
        (own,) = await happen(app, "document.created")
        await until(lambda: ana.told)
    assert ana.objects == [str(own)]


async def test_somebody_who_may_read_only_runs_is_shown_runs(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.roles.define("runner", ["runs:read"])
        await hold.users.create("rob", roles=["runner"])
    async with following(app, actor="rob") as rob:
        assert rob.all[0].object == {"topics": ["runs", "health"]}
        await happen(app, "document.created", "document.deleted")
        await happen(app, "outbox.dead", kind="outbox")
        await happen(app, "run.failed", kind="run")
        await until(lambda: len(rob.told) == 2)
    assert rob.told == [("runs", "failed"), ("health", "failed")]


async def test_a_role_that_is_taken_away_narrows_the_stream(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.roles.define("runner", ["runs:read"])
        await hold.users.create("rob", roles=["runner", "viewer"])
    async with following(app, "documents", "runs", actor="rob") as rob:
        async with app.tenant("acme", actor="ana") as hold:
            await hold.users.revoke("rob", "viewer")
        await until(lambda: rob.own.count("topics") == 2, 5)
        assert rob.own[-1] == "resync"
        await happen(app, "document.created")
        await happen(app, "run.failed", kind="run")
        await until(lambda: rob.told)
    assert rob.told == [("runs", "failed")]


async def test_somebody_who_is_deactivated_hears_nothing_more(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("rob", roles=["viewer"])
    async with following(app, "documents", actor="rob") as rob:
        async with app.tenant("acme", actor="ana") as hold:
            await hold.users.deactivate("rob")
        await until(rob.task.done, 5)
        await happen(app, "document.created")
    assert rob.told == []


async def test_runs_that_come_and_go_are_told_of_as_a_change(app: Holdfast) -> None:
    async with following(app, "runs") as ana:
        await app.enqueue("acme", "billing.charge.v1", {})
        await until(lambda: ("runs", "changed") in ana.told)
        assert next(event for event in ana.all if event.topic).id is None


async def test_an_unknown_topic_is_refused_by_name(app: Holdfast) -> None:
    with pytest.raises(InvalidInput, match="document"):
        await anext(app.follow_live("acme", ["document"]))


async def test_many_readers_have_one_listening_connection_and_one_feed(app: Holdfast, superuser: Superuser) -> None:
    streams = [app.follow_live("acme", ["documents"], actor="ana") for _ in range(20)]
    for stream in streams:
        await anext(stream)
    assert _followers(superuser) == 1
    for stream in streams:
        await stream.aclose()
    await until(lambda: _followers(superuser) == 0)


async def test_nobody_is_notified_when_nobody_looks(app: Holdfast, superuser: Superuser) -> None:
    superuser.execute("LISTEN holdfast_live")
    await happen(app, "document.created")
    superuser.execute("NOTIFY holdfast_live, 'end'")
    heard = [notice.payload for notice in superuser.notifies(timeout=10, stop_after=1)]
    assert heard == ["end"]


async def test_to_look_reads_what_is_new_and_no_more(app: Holdfast, superuser: Superuser) -> None:
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
    superuser.execute("SET session_replication_role = replica")  # rows alone
    for table, kind, more in (("chained", "document", "seq, prev_hash, hash,"), ("plain", "session", "")):
        values = "n, '', ''," if more else ""
        superuser.execute(
            f"INSERT INTO holdfast.workflow_event_{table}"
            f" (tenant, object_kind, object_id, event_type, actor, {more} data)"
            f" SELECT %s, %s, gen_random_uuid(), 'x.y', 'z', {values} '{{}}' FROM generate_series(1, 20000) n",
            [tenant, kind],
        )
        superuser.execute(f"VACUUM ANALYZE holdfast.workflow_event_{table}")
    snapshots: list[str] = []

    def quiet() -> bool:
        """What began before the rows and is still under way would have to be looked for among them."""
        row = superuser.execute("SELECT pg_current_snapshot()::text AS now").fetchone()
        assert row is not None
        snapshots.append(row["now"])
        first, last, _ = row["now"].split(":")
        return bool(first == last)

    await until(quiet)
    await happen(app, "document.created", "document.updated")
    values_given = {"tenant": tenant, "since": snapshots[-1], "upto": snapshots[-1], "after": 0, "until": None}
    values_given |= {"limit": 2001}
    explained = superuser.execute(
        f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {queries('live')['news']}", values_given
    ).fetchone()
    assert explained is not None
    plan = explained["QUERY PLAN"][0]["Plan"]
    assert (plan["Actual Rows"], plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < 100) == (2, True)


async def test_a_broken_feed_is_raised_to_its_readers_and_the_next_one_begins_anew(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with following(shop.app, "documents") as ana:
        with monkeypatch.context() as patched:
            patched.setattr(feed, "_told", None)
            await happen(shop.app, "document.created")
            await until(ana.task.done)
    assert isinstance(ana.task.exception() if not ana.task.cancelled() else None, TypeError)
    async with following(shop.app, "documents") as again:
        await happen(shop.app, "document.created")
        await until(lambda: again.told)


def _followers(superuser: Superuser) -> int:
    """How many connections are known to follow."""
    row = superuser.execute(
        "SELECT count(*) AS n FROM pg_locks l JOIN pg_database d ON d.oid = l.database"
        " WHERE l.locktype = 'advisory' AND l.mode = 'ShareLock' AND d.datname = current_database()"
    ).fetchone()
    assert row is not None
    return int(row["n"])


def _far_away() -> datetime:
    return datetime(2099, 1, 1, tzinfo=UTC)
