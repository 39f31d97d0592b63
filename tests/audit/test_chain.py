"""The audit chain: every event in its place, and no change to it goes unnoticed."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import psycopg
import pytest

from holdfast import Forbidden, Holdfast, InvalidInput
from holdfast.audit import record

Row = dict[str, Any]


async def chain(app: Holdfast, slug: str = "acme") -> UUID:
    """A user with a chain of five events; its id."""
    async with app.tenant(slug, actor="ana") as hold:
        await hold.users.create("ben", roles=["viewer", "author"])
        await hold.users.revoke("ben", "viewer")
        return (await hold.users.update("ben", display_name="Ben")).user_id


async def broken(app: Holdfast, slug: str = "acme") -> list[str]:
    async with app.tenant(slug) as hold:
        return [str(link) for link in (await hold.audit.verify()).breaks]


async def test_an_untouched_trail_verifies(app: Holdfast) -> None:
    await chain(app)
    async with app.tenant("acme") as hold:
        verdict = await hold.audit.verify()
    assert verdict.ok
    assert verdict.chains == 3  # the tenant, ana, ben
    assert verdict.events == 1 + 2 + 5


@pytest.mark.parametrize(
    "change",
    [
        'SET data = \'{"role": "admin"}\'',
        "SET actor = 'user:nobody'",
        "SET event_type = 'user.nothing'",
        "SET step_id = 'x'",
        "SET trace_id = 'x'",
        "SET created_at = created_at - interval '1 second'",
        "SET hash = sha256('x')",
        "SET prev_hash = sha256('x')",
        "SET seq = 30",
        "SET object_id = gen_random_uuid()",
    ],
)
async def test_a_row_changed_by_a_superuser_is_found(
    app: Holdfast, superuser: psycopg.Connection[Row], change: str
) -> None:
    ben = await chain(app)
    superuser.execute(f"UPDATE holdfast.workflow_event_chained {change} WHERE object_id = %s AND seq = 3", [ben])
    found = await broken(app)
    assert found
    assert any(f"access {ben}, event" in line for line in found)
    assert await broken(app, "globex") == []


async def test_the_first_broken_link_is_named(app: Holdfast, superuser: psycopg.Connection[Row]) -> None:
    ben = await chain(app)
    superuser.execute("UPDATE holdfast.workflow_event_chained SET actor = 'x' WHERE object_id = %s AND seq >= 2", [ben])
    assert await broken(app) == [f"access {ben}, event 2: its content does not match its hash: it was changed"]


@pytest.mark.parametrize(
    ("which", "said"),
    [
        ("seq = 1", "the events before it are missing"),
        ("seq = 3", "events are missing or repeated"),
        ("seq = 5", "the chain ends at 4, its head says 5"),
        ("seq > 0", "all 5 events of the chain are missing"),
    ],
)
async def test_removed_events_are_found(
    app: Holdfast, superuser: psycopg.Connection[Row], which: str, said: str
) -> None:
    ben = await chain(app)
    superuser.execute(f"DELETE FROM holdfast.workflow_event_chained WHERE object_id = %s AND {which}", [ben])
    found = await broken(app)
    assert len(found) == 1
    assert said in found[0]


async def test_a_chain_rewritten_with_good_hashes_is_found_by_its_head(
    app: Holdfast, superuser: psycopg.Connection[Row]
) -> None:
    ben = await chain(app)
    superuser.execute("DELETE FROM holdfast.workflow_event_chained WHERE object_id = %s AND seq = 5", [ben])
    superuser.execute("UPDATE holdfast.audit_head SET seq = 4 WHERE object_id = %s", [ben])
    assert len(await broken(app)) == 1


async def test_the_database_decides_place_and_hash(app: Holdfast, superuser: psycopg.Connection[Row]) -> None:
    """What anybody claims about them is overwritten; the application may not even claim it."""
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
    row = superuser.execute(
        "INSERT INTO holdfast.workflow_event_chained (tenant, object_kind, object_id, event_type, actor, seq, "
        "prev_hash, hash) VALUES (%s, 'access', %s, 'forged', 'user:ana', 99, 'a', 'b') "
        "RETURNING seq, hash <> 'b' AS own",
        [tenant, tenant],
    ).fetchone()
    assert row == {"seq": 2, "own": True}
    assert await broken(app) == []


async def test_concurrent_writers_of_one_chain_take_turns(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        tenant = hold.tenant

    async def write() -> None:
        async with app.database.transaction(tenant, hold.actor, app.clock) as tx:
            for _ in range(5):
                await record(tx, "document", tenant.id, "touched")

    await asyncio.gather(*(write() for _ in range(8)))
    async with app.tenant("acme") as hold:
        events = (await hold.audit.list(object_kind="document", limit=200)).items
        assert sorted(event.seq or 0 for event in events) == list(range(1, 41))
        assert (await hold.audit.verify()).ok


async def test_undone_work_leaves_no_gap(app: Holdfast) -> None:
    for attempt in range(3):
        with pytest.raises(RuntimeError):
            async with app.tenant("acme") as hold:
                await hold.users.update("ana", display_name=f"Ana {attempt}")
                raise RuntimeError
    async with app.tenant("acme") as hold:
        await hold.users.update("ana", display_name="Ana")
        assert (await hold.audit.verify()).ok


async def test_strange_content_survives_hashing(app: Holdfast) -> None:
    odd = {"quotes": "\"'\\", "unicode": "é☃𝒳\u2028", "nested": [1, None, {"": True}], "big": 10**30}
    async with app.tenant("acme") as hold:
        tx = hold._tx
        await record(tx, "document", hold.tenant.id, "odd.é", odd, step_id="1:2", trace_id="")
        assert (await hold.audit.verify()).ok


async def test_kinds_without_a_chain_have_no_number(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await record(hold._tx, "run", hold.tenant.id, "run.created")
        event = (await hold.audit.list(object_kind="run")).items[0]
    assert event.seq is None


async def test_reading_needs_the_permission(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("vic", roles=["viewer"])
    for attempt in ("list", "verify"):
        with pytest.raises(Forbidden, match="audit:read"):
            async with app.tenant("acme", actor="vic") as hold:
                await getattr(hold.audit, attempt)()


async def test_pages_neither_skip_nor_repeat(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        for number in range(25):
            await hold.users.create(f"user-{number:02}")
    seen: list[int] = []
    cursor: str | None = None
    while True:
        async with app.tenant("acme") as hold:
            page = await hold.audit.list(limit=4, cursor=cursor)
            await hold.users.create(f"later-{len(seen):03}")  # what comes in between must not shift the pages
        seen += [event.id for event in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 25 + 3
    assert seen == sorted(seen, reverse=True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"limit": 0}, "from 1 to 200"),
        ({"limit": 201}, "from 1 to 200"),
        ({"object_kind": "spaceship"}, "use one of"),
        ({"cursor": "???"}, "not one of ours"),
        ({"cursor": "bm8"}, "not one of ours"),
    ],
)
async def test_bad_questions_get_a_clear_answer(app: Holdfast, arguments: dict[str, Any], said: str) -> None:
    async with app.tenant("acme") as hold:
        with pytest.raises(InvalidInput, match=said):
            await hold.audit.list(**arguments)


async def test_a_cursor_of_another_query_is_refused(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        cursor = (await hold.audit.list(limit=1)).next_cursor
        assert cursor is not None
        with pytest.raises(InvalidInput, match="belongs to another query"):
            await hold.audit.list(limit=1, object_kind="access", cursor=cursor)
