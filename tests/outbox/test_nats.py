"""NATS JetStream: a real server, its acknowledgement, its deduplication, and what happens without it."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from cloudevents.core.bindings.http import HTTPMessage, from_http_event

from harness.waiting import until
from holdfast import Holdfast, Settings
from holdfast.errors import SettingsError
from holdfast.outbox import build_sinks
from outbox.conftest import QUICK, TYPE, dispatching, fetch, publish, published

PROGRAM = shutil.which("nats-server", path=f"{os.environ['PATH']}:/usr/sbin")
needs_server = pytest.mark.skipif(PROGRAM is None, reason="nats-server is not installed")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def nats_server(port: int, store: str) -> AsyncIterator[None]:
    """A server with JetStream on loopback."""
    assert PROGRAM is not None
    process = await asyncio.create_subprocess_exec(
        *(PROGRAM, "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", store, "--user", "bot", "--pass", "hunter2"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await until(lambda: _listening(port))
        yield
    finally:
        process.terminate()
        await process.wait()


@pytest.fixture
async def broker() -> AsyncIterator[tuple[int, str]]:
    port, store = free_port(), tempfile.mkdtemp(prefix="holdfast-nats-")
    try:
        yield port, store
    finally:
        shutil.rmtree(store, ignore_errors=True)


async def add_stream(port: int, prefix: str = "events") -> None:
    import nats

    client = await nats.connect(f"nats://bot:hunter2@127.0.0.1:{port}")
    await client.jetstream().add_stream(name="EVENTS", subjects=[f"{prefix}.>"])
    await client.close()


async def stored(port: int, count: int) -> list[Any]:
    import nats

    client = await nats.connect(f"nats://bot:hunter2@127.0.0.1:{port}")
    try:
        jetstream = client.jetstream()
        info = await jetstream.stream_info("EVENTS")
        assert info.state.messages == count
        return [await jetstream.get_msg("EVENTS", seq) for seq in range(1, count + 1)]
    finally:
        await client.close()


@asynccontextmanager
async def opened(dsn: str, port: int, rest: str = "/events", **settings: Any) -> AsyncIterator[Holdfast]:
    sinks = f"nats://bot:hunter2@127.0.0.1:{port}{rest}"
    async with Holdfast(dsn=dsn, outbox_sinks=sinks, **(QUICK | settings)) as app:
        await app.tenants.create("acme")
        yield app


@needs_server
async def test_events_are_stored_by_a_stream_in_order_and_once(broker: tuple[int, str], holdfast_dsn: str) -> None:
    port, store = broker
    async with nats_server(port, store), opened(holdfast_dsn, port, "/events#stream=EVENTS") as app:
        await add_stream(port)
        ids = await publish(app, 1, 2, 3, aggregate=("invoice", "1"))
        async with dispatching(app) as dispatcher:
            assert dispatcher.sends_to == f"nats://127.0.0.1:{port}/events"
            await published(app, *ids)
            # Sent again, as after a crash: the stream knows the id.
            async with app.tenant("acme") as hold:
                await hold.outbox.replay(ids[0])
            await until(lambda: _true(dispatcher.published == 4))
        messages = await stored(port, 3)
    assert {message.subject for message in messages} == {f"events.acme.{TYPE}"}
    assert [message.headers["Nats-Msg-Id"] for message in messages] == [str(one) for one in ids]
    events: list[Any] = [from_http_event(HTTPMessage({"content-type": "x"}, message.data)) for message in messages]
    assert [(event.get_id(), event.get_data()) for event in events] == list(zip(map(str, ids), (1, 2, 3), strict=True))


@needs_server
async def test_a_broker_that_was_down_gets_everything(broker: tuple[int, str], holdfast_dsn: str) -> None:
    port, store = broker
    async with opened(holdfast_dsn, port) as app:
        (first,) = await publish(app, 1, aggregate=("invoice", "1"))
        async with dispatching(app):
            await until(lambda: _failed(app, first, "no connection to nats://127.0.0.1"))
            async with nats_server(port, store):
                # It is up, but nobody would keep the event: that is no acknowledgement.
                await until(lambda: _failed(app, first, "no stream takes"))
                await add_stream(port)
                await published(app, first)
            (second,) = await publish(app, 2, aggregate=("invoice", "1"))
            await until(lambda: _failed(app, second, "nats"))
            async with nats_server(port, store):
                await published(app, second)
                assert len(await stored(port, 2)) == 2
        assert "hunter2" not in str(await fetch(app, second))


async def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nats", None)
    with pytest.raises(SettingsError, match=r"holdfast\[nats\]") as caught:
        build_sinks(Settings.load({"HOLDFAST_OUTBOX_SINKS": "nats://bot:hunter2@x/events"}))
    assert "hunter2" not in str(caught.value)


async def _true(value: bool) -> bool:
    return value


async def _failed(app: Holdfast, event_id: Any, why: str) -> bool:
    return why in ((await fetch(app, event_id)).last_error or "")


async def _listening(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True
