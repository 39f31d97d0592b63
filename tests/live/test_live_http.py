"""The live stream over real HTTP: many readers, one that stops, a server that restarts, a right that is lost."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from harness.served import Served, serving
from harness.waiting import until
from holdfast import Holdfast
from holdfast.audit import record
from holdfast.http import build
from holdfast.kernel.ids import uuid7
from live.readers import HttpReader, stuck_reader
from processes.shop import Shop


@pytest.fixture
async def tokens(app: Holdfast) -> dict[str, str]:
    """Secrets of `ana`, who administers, of `vic`, who looks on, and of `ned`, who may do nothing."""
    found = {}
    async with app.tenant("acme") as hold:
        await hold.users.create("vic", roles=["viewer"])
        await hold.users.create("ned")
        for name in ("ana", "vic", "ned"):
            found[name] = (await hold.tokens.create(name, "test")).secret
    return found


@pytest.fixture
async def client(app: Holdfast) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(build(app), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test/v1/acme") as client:
        yield client


@asynccontextmanager
async def readers(server: Served, count: int, token: str, topics: str = "documents") -> AsyncIterator[list[HttpReader]]:
    found = [HttpReader(server.port, token, topics).start() for _ in range(count)]
    try:
        await until(lambda: all(each.own for each in found), 60)
        yield found
    finally:
        await asyncio.gather(*(each.close() for each in found))


async def write(app: Holdfast, count: int) -> list[str]:
    """Events of documents, in transactions of ten."""
    found = []
    for start in range(0, count, 10):
        async with app.tenant("acme") as hold:
            for _ in range(min(10, count - start)):
                document = uuid7()
                await record(hold._tx, "document", document, "document.updated")
                found.append(str(document))
    return found


async def test_what_is_refused_is_refused_before_the_stream_begins(
    client: httpx.AsyncClient, tokens: dict[str, str]
) -> None:
    vic, ned = ({"Authorization": f"Bearer {tokens[name]}"} for name in ("vic", "ned"))
    answers = [
        await client.get("/live"),
        await client.get("/live", headers=ned),
        await client.get("/live?topics=inbox,documnets", headers=vic),
        await client.get("/live?topics=", headers=vic),
        await client.get("/live", headers=vic | {"Last-Event-ID": "x" * 30_000}),
    ]
    assert [each.status_code for each in answers] == [401, 403, 422, 422, 422]
    assert "documents" in answers[2].json()["hint"]


async def test_a_stream_is_one_of_server_sent_events(holdfast_dsn: str, tokens: dict[str, str], app: Holdfast) -> None:
    with serving(holdfast_dsn, tokens) as server:
        async with readers(server, 1, token=tokens["vic"], topics="documents,inbox") as (vic,):
            wanted = await write(app, 1)
            await until(lambda: vic.objects == wanted)
    assert vic.status == 200
    assert vic.told == [{"topic": "documents", "kind": "updated", "object": {"kind": "document", "id": wanted[0]}}]
    assert vic.own == ["topics", "position"]


async def test_a_revoked_token_ends_its_open_streams_within_seconds(
    holdfast_dsn: str, tokens: dict[str, str], app: Holdfast
) -> None:
    with serving(holdfast_dsn, tokens) as server:
        async with readers(server, 3, token=tokens["vic"]) as found, readers(server, 1, token=tokens["ana"]) as (ana,):
            async with app.tenant("acme", actor="ana") as hold:
                (token,) = await hold.tokens.list(user="vic")
                await hold.tokens.revoke(token.token_id)
            began = time.monotonic()
            await until(lambda: all(each.over for each in found), 8)
            assert time.monotonic() - began < 5
            wanted = await write(app, 1)
            await until(lambda: ana.objects == wanted)
            assert not ana.over
            again = HttpReader(server.port, tokens["vic"]).start()
            await until(lambda: again.over or again.status == 401)
            await again.close()
    assert again.status == 401


async def test_readers_go_on_after_a_restart_as_if_nothing_had_been(
    holdfast_dsn: str, tokens: dict[str, str], app: Holdfast
) -> None:
    with serving(holdfast_dsn, tokens) as server:
        async with readers(server, 5, token=tokens["vic"]) as found:
            wanted = await write(app, 7)
            await until(lambda: all(each.objects == wanted for each in found))
            server.process.kill()
            await until(lambda: all(each.over for each in found))
            wanted += await write(app, 25)
            with serving(holdfast_dsn, tokens) as other:
                for each in found:
                    each.port = other.port
                    each.start()
                wanted += await write(app, 5)
                await until(lambda: all(len(each.told) >= len(wanted) for each in found))
                assert all(each.objects == wanted and "resync" not in each.own for each in found)


async def many_readers(count: int, events: int, dsn: str, tokens: dict[str, str], app: Holdfast, *, most: int) -> None:
    """So many readers of one server are told the same, whoever stops reading, across a restart; in so much memory."""
    with serving(dsn, tokens) as server:
        before = server.memory()
        stuck = stuck_reader(server.port, tokens["vic"])
        async with readers(server, count, token=tokens["vic"]) as found:
            wanted = await write(app, events)
            await until(lambda: all(len(each.told) >= len(wanted) for each in found), 120)
            assert all(each.objects == wanted and "resync" not in each.own for each in found)
            used = server.memory() - before
            assert used < most, f"{count} readers took {used / 2**20:.0f} MiB"
            server.process.kill()
            await until(lambda: all(each.over for each in found), 30)
            wanted += await write(app, 20)
            with serving(dsn, tokens) as other:
                for each in found:
                    each.port = other.port
                    each.start()
                wanted += await write(app, 20)
                await until(lambda: all(len(each.told) >= len(wanted) for each in found), 120)
                assert all(each.objects == wanted and "resync" not in each.own for each in found)
        stuck.close()


async def test_fifty_readers_are_told_everything_once_and_in_order(
    holdfast_dsn: str, tokens: dict[str, str], shop: Shop
) -> None:
    await many_readers(50, 300, holdfast_dsn, tokens, shop.app, most=40 * 2**20)


@pytest.mark.soak
async def test_five_hundred_readers_are_told_everything_once_and_in_order(
    holdfast_dsn: str, tokens: dict[str, str], shop: Shop
) -> None:
    await many_readers(500, 2_000, holdfast_dsn, tokens, shop.app, most=150 * 2**20)
