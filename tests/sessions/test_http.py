"""Sessions over HTTP, and messages that survive a restart of the server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
import uvicorn

from harness.waiting import until
from holdfast import Holdfast
from holdfast.http import build
from sessions.conftest import ended, reply, settled, working


@asynccontextmanager
async def serving(app: Holdfast, port: int) -> AsyncIterator[None]:
    """A real server, for as long as the block lasts; streams that are open then are cut."""
    config = uvicorn.Config(build(app), host="127.0.0.1", port=port, log_config=None, timeout_graceful_shutdown=0)
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    try:
        await until(lambda: server.started)
        yield
    finally:
        server.should_exit = True
        await task


@pytest.fixture
async def client(live: Holdfast) -> AsyncIterator[httpx.AsyncClient]:
    async with live.tenant("acme") as hold:
        await hold.users.create("ana", roles=["admin"])
        secret = (await hold.tokens.create("ana", "test")).secret
    headers = {"Authorization": f"Bearer {secret}"}
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    base = f"http://127.0.0.1:{port}/v1/acme"
    async with httpx.AsyncClient(base_url=base, headers=headers, timeout=30) as client:
        yield client


def port_of(client: httpx.AsyncClient) -> int:
    assert client.base_url.port is not None
    return client.base_url.port


async def test_a_session_from_start_to_end(live: Holdfast, client: httpx.AsyncClient, holdfast_dsn: str) -> None:
    async with Holdfast(dsn=holdfast_dsn) as served, serving(served, port_of(client)), working(live):
        found = (await client.get("/session-definitions", params={"tag": "people"})).json()
        assert [one["name"] for one in found] == ["asking"]
        assert (await client.get("/session-definitions/asking")).json()["input_schema"]["required"] == ["n"]
        refused = await client.post("/sessions", json={"workflow": "asking", "input": {"n": "x"}})
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid_session_input")
        assert refused.json()["errors"][0]["field"] == "n"
        missing = await client.post("/sessions", json={"workflow": "nothing", "input": {}})
        assert missing.status_code == 404
        made = await client.post("/sessions", json={"workflow": "asking", "name": "s", "input": {"n": 1}})
        assert (made.status_code, made.json()["status"]) == (201, "pending")
        again = await client.post("/sessions", json={"workflow": "asking", "name": "s", "input": {"n": 1}})
        assert (again.status_code, again.json()["code"]) == (409, "already_exists")
        await settled(live, "s", "waiting_for_input")
        (prompt,) = (await client.get("/sessions/s/prompts")).json()
        unnamed = await client.post("/sessions/s/answers", json={"answer": "yes"})
        assert (unnamed.status_code, "prompt_id" in unnamed.text) == (422, True)
        for asked, types in (("workflow_waiting_for_input", 1), ("user", 0)):
            told = (await client.get("/sessions/s/messages", params={"type": asked})).json()
            assert [one["message_type"] for one in told] == [asked] * types
        assert (await client.get("/sessions/s/messages?type=odd")).status_code == 422
        wrong = await client.post("/sessions/s/answers", json={"answer": "maybe", "prompt_id": prompt["prompt_id"]})
        assert (wrong.status_code, wrong.json()["code"]) == (400, "invalid_session_input")
        unknown = await client.post("/sessions/s/answers", json={"answer": "yes", "prompt_id": "x"})
        assert unknown.status_code == 404
        answers = await asyncio.gather(
            *(
                client.post("/sessions/s/answers", json={"answer": "yes", "prompt_id": prompt["prompt_id"]})
                for _ in range(2)
            )
        )
        assert sorted(one.status_code for one in answers) == [200, 409]
        await ended(live, "s")
        one = (await client.get("/sessions/s")).json()
        assert one["output_data"]["log"] == ["first", "asked:yes", "last"]
        assert [one["session_name"] for one in (await client.get("/sessions")).json()["items"]] == ["s"]
        for part, names in (('{"n": 1}', ["s"]), ('{"n": 2}', []), ("{}", ["s"])):
            listed = await client.get("/sessions", params={"input": part})
            assert [one["session_name"] for one in listed.json()["items"]] == names
        for odd in ("[1]", "null", "x", "[" * 5000, json.dumps({"n": "x" * 5000})):
            refused = await client.get("/sessions", params={"input": odd})
            assert (refused.status_code, refused.json()["field"]) == (422, "input")
        checkpoints = (await client.get("/sessions/s/checkpoints")).json()
        state = (await client.get("/sessions/s/state", params={"checkpoint": checkpoints[-2]["checkpoint_id"]})).json()
        assert state["values"]["n"] == 1
        assert (await client.get("/sessions/s/storage")).json()["checkpoint_count"] == 5
        forked = await client.post(
            "/sessions/s/fork", json={"checkpoint": checkpoints[2]["checkpoint_id"], "name": "f"}
        )
        assert forked.status_code == 201
        await settled(live, "f", "waiting_for_input")
        edited = await client.patch("/sessions/f/state", json={"values": {"n": 9}, "as_node": "first"})
        assert edited.status_code == 200
        cancelled = await client.post("/sessions/f/cancel", json={"reason": "enough"})
        assert cancelled.json()["error_message"] == "cancelled by user:ana: enough"
        assert (await client.post("/sessions/f/cancel", json={})).status_code == 409
        assert (await client.post("/sessions/s/inputs", json={"input": {"n": 1}})).status_code == 409
        assert (await client.post("/sessions/s/prune")).json() == {"checkpoints": 4}
        assert (await client.delete("/sessions/s")).status_code == 204
        assert (await client.get("/sessions/s")).status_code == 404
        other = client.base_url.copy_with(path="/v1/globex/sessions")
        assert (await client.get(other)).status_code == 404


async def events(
    client: httpx.AsyncClient, last: str | None, enough: asyncio.Event | None = None
) -> AsyncIterator[tuple[str, str, Any]]:
    """Server-sent events as (id, event, data), until the stream ends or breaks."""
    headers = {} if last is None else {"Last-Event-ID": last}
    async with client.stream("GET", "/sessions/s/events", headers=headers) as response:
        if response.status_code == 204:
            return
        assert response.headers["content-type"].startswith("text/event-stream")
        current: dict[str, str] = {}
        async for line in response.aiter_lines():
            if line:
                name, _, value = line.partition(": ")
                current[name] = value
            elif "event" in current:
                yield current.get("id", ""), current["event"], json.loads(current["data"])
                current = {}


async def test_a_reader_gets_every_message_once_across_restarts_of_the_server(
    live: Holdfast, client: httpx.AsyncClient, holdfast_dsn: str
) -> None:
    got: list[int] = []
    enough = asyncio.Event()
    over = asyncio.Event()

    async def read() -> bool:
        """Read on from where we are; whether that was all."""
        with contextlib.suppress(httpx.HTTPError):
            async for number, event, data in events(client, str(got[-1]) if got else None):
                if event == "end":
                    assert data["status"] == "completed"
                    over.set()
                    break
                assert data["sequence_number"] == int(number)
                got.append(int(number))
                if len(got) >= 2:
                    enough.set()
        return over.is_set()

    async with live.tenant("acme") as hold:
        await hold.sessions.start("asking", {"n": 0}, name="s")
    reader = asyncio.create_task(until(read, 120))
    async with working(live):
        async with Holdfast(dsn=holdfast_dsn) as served, serving(served, port_of(client)):
            await settled(live, "s", "waiting_for_input")
            async with asyncio.timeout(20):
                await enough.wait()
        async with live.tenant("acme") as hold:
            await reply(hold, "s", "yes")
        done = await ended(live, "s")
        async with Holdfast(dsn=holdfast_dsn) as served, serving(served, port_of(client)):
            async with asyncio.timeout(20):
                await over.wait()
            await reader
            assert [event async for event in events(client, str(done.last_sequence))] == []
            for odd in (b"x", "²".encode("latin-1"), b"-1", b"1" * 10):
                odd_headers = {b"Last-Event-ID": odd}
                assert (await client.get("/sessions/s/events", headers=odd_headers)).status_code == 422
    assert got == list(range(1, done.last_sequence + 1))


async def test_a_reader_of_a_session_that_is_deleted_is_told_so_and_need_not_come_back(
    live: Holdfast, client: httpx.AsyncClient, holdfast_dsn: str
) -> None:
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("asking", {"n": 0}, name="s")
        await settled(live, "s", "waiting_for_input")
    async with Holdfast(dsn=holdfast_dsn) as served, serving(served, port_of(client)):
        stream = events(client, None)
        async with asyncio.timeout(20):
            assert (await anext(stream))[0] == "1"
            async with live.tenant("acme") as hold:
                await hold.sessions.delete("s")
                await hold.sessions.start("asking", {"n": 0}, name="s")
            rest = [(event, data) async for _, event, data in stream]
    assert [event for event, _ in rest][-1:] == ["end"]
    assert rest[-1][1]["status"] == "deleted"
