"""One connection of a process hears for everybody in it, and what it might have missed is looked for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import pytest

from harness.waiting import until
from holdfast import Holdfast
from holdfast.postgres.connect import reach
from holdfast.postgres.listening import Bell, Channel

_LISTENERS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
_LOCKED = (
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND (classid, objid, objsubid) = (0, 77, 1) AND granted"
)
FIRST, SECOND = Channel("test_first"), Channel("test_second")


class Ear:
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[str | None] = []
        self._news = asyncio.Event()

    def __call__(self, payload: str | None) -> None:
        self.heard.append(payload)
        self._news.set()

    async def has(self, *payloads: str | None) -> None:
        async with asyncio.timeout(10):
            while self.heard != list(payloads):
                self._news.clear()
                await self._news.wait()


async def test_everybody_hears_what_is_said_on_their_channel(app: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    ears = [Ear(), Ear(), Ear()]
    listening = app.database.listening
    with listening.on(FIRST, ears[0]):
        await ears[0].has(None)
        with listening.on(SECOND, ears[1]), listening.on(FIRST, ears[2]):
            # Who comes second to a channel that is open already is told to look as well.
            await ears[1].has(None)
            await ears[2].has(None)
            superuser.execute("NOTIFY test_first, 'a'")
            superuser.execute("NOTIFY test_second, 'b'")
            await ears[1].has(None, "b")
            await ears[2].has(None, "a")
            assert len(superuser.execute(_LISTENERS).fetchall()) == 1
        superuser.execute("NOTIFY test_second, 'nobody listens'")
        superuser.execute("NOTIFY test_first, 'c'")
        await ears[0].has(None, "a", "c")
    assert [ears[1].heard, ears[2].heard] == [[None, "b"], [None, "a"]]
    await until(lambda: not superuser.execute(_LISTENERS).fetchall())


async def test_whoever_listens_after_everybody_had_left_hears_too(
    app: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    for word in ("first", "second", "third"):
        ear = Ear()
        with app.database.listening.on(FIRST, ear):
            await ear.has(None)
            superuser.execute(f"NOTIFY test_first, '{word}'")
            await ear.has(None, word)


async def test_a_connection_that_breaks_while_it_is_let_go_takes_nothing_from_the_next(
    app: Holdfast, superuser: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    followed = asyncio.Event()

    @asynccontextmanager
    async def breaking(conninfo: str) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
        try:
            async with reach(conninfo) as connection:
                yield connection
        except asyncio.CancelledError:
            # As psycopg does: what fails while it is cancelled raises the failure.
            await followed.wait()
            raise psycopg.OperationalError("the connection is lost") from None

    monkeypatch.setattr("holdfast.postgres.listening.reach", breaking)
    ears = [Ear(), Ear()]
    with app.database.listening.on(FIRST, ears[0]):
        await ears[0].has(None)
    with app.database.listening.on(FIRST, ears[1]):
        await ears[1].has(None)
        followed.set()
        await until(lambda: len(superuser.execute(_LISTENERS).fetchall()) == 1)
        superuser.execute("NOTIFY test_first, 'a'")
        await ears[1].has(None, "a")
    assert ears[0].heard == [None]


async def test_a_connection_that_is_lost_is_made_again_and_everybody_told_to_look(
    app: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    ear, other = Ear(), Ear()
    with app.database.listening.on(FIRST, ear), app.database.listening.on(SECOND, other):
        await ear.has(None)
        await other.has(None)
        superuser.execute(f"SELECT pg_terminate_backend(pid) FROM ({_LISTENERS}) listeners")
        await ear.has(None, None)
        await other.has(None, None)
        superuser.execute("NOTIFY test_first, 'again'")
        await ear.has(None, None, "again")


async def test_what_a_channel_does_besides_lasts_as_long_as_somebody_listens(
    app: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    locking = Channel("test_locking", "SELECT pg_advisory_lock_shared(77)", "SELECT pg_advisory_unlock_shared(77)")
    ear, other = Ear(), Ear()
    with app.database.listening.on(FIRST, other):
        for _ in range(2):
            with app.database.listening.on(locking, ear):
                await ear.has(None)
                assert superuser.execute(_LOCKED).fetchone() == {"count": 1}
            await until(lambda: superuser.execute(_LOCKED).fetchone() == {"count": 0})
            ear.heard.clear()


async def test_a_bell_rings_for_the_name_alone(app: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    bell = Bell(app.database.listening, FIRST)
    async with bell.heard("a") as a, bell.heard("b") as b, bell.heard("a") as again, asyncio.timeout(10):
        await asyncio.gather(a.wait(), b.wait(), again.wait())
        for event in (a, b, again):
            event.clear()
        superuser.execute("NOTIFY test_first, 'a'")
        await asyncio.gather(a.wait(), again.wait())
        assert not b.is_set()
