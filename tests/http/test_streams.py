"""Streams: whatever ends them closes what they are made of."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastapi import FastAPI

from holdfast.errors import DatabaseUnreachable
from holdfast.http.streams import Stream


class Source:
    """Gives lines for ever; knows whether it was closed."""

    closed = False

    async def lines(self) -> AsyncIterator[str]:
        try:
            while True:
                yield "line\n"
        finally:
            self.closed = True


@pytest.fixture
def scope() -> dict[str, Any]:
    server = FastAPI()
    server.state.stopping = asyncio.Event()
    return {"type": "http", "app": server, "asgi": {"spec_version": "2.3"}}


async def never(*_: Any) -> Any:
    await asyncio.Event().wait()


@pytest.mark.every_loop
async def test_a_reader_that_takes_nothing_counts_as_gone(scope: dict[str, Any]) -> None:
    source = Source()
    stream = Stream(source.lines())
    stream.stalled_seconds = 0.05
    sent = []

    async def stuck(message: Any) -> None:
        sent.append(message["type"])
        if len(sent) == 3:
            await never()

    await stream(scope, never, stuck)
    assert source.closed
    assert len(sent) == 3


@pytest.mark.every_loop
async def test_a_reader_that_leaves_while_it_is_waited_for_ends_the_stream_at_once(scope: dict[str, Any]) -> None:
    source, left = Source(), asyncio.Event()

    async def leaving() -> dict[str, str]:
        await left.wait()
        return {"type": "http.disconnect"}

    async def stuck(message: Any) -> None:
        if message["type"] == "http.response.body":
            left.set()
            await never()

    await asyncio.wait_for(Stream(source.lines())(scope, leaving, stuck), 5)
    assert source.closed


async def test_a_server_that_stops_ends_its_streams(scope: dict[str, Any]) -> None:
    source = Source()

    async def stopped(message: Any) -> None:
        if message["type"] == "http.response.body":
            scope["app"].state.stopping.set()
            await asyncio.sleep(0)

    await asyncio.wait_for(Stream(source.lines())(scope, never, stopped), 5)
    assert source.closed


async def test_a_database_that_goes_away_ends_the_stream_and_is_no_unexpected_error(scope: dict[str, Any]) -> None:
    sent: list[Any] = []

    async def lines() -> AsyncIterator[str]:
        yield "line\n"
        raise DatabaseUnreachable("no connection", hint="wait")

    async def send(message: Any) -> None:
        sent.append(message)

    await Stream(lines())(scope, never, send)
    # Not for the whole of it: the last chunk is missing.
    assert [(each["type"], each.get("more_body")) for each in sent] == [
        ("http.response.start", None),
        ("http.response.body", True),
    ]
