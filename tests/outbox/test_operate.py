"""The outbox from outside: HTTP routes, commands, and the dispatcher beside the worker."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx
import pytest

from harness.commands import Commands, Done
from holdfast import Holdfast
from holdfast.http import build
from holdfast.outbox import OutboxEvent, Undeliverable
from outbox.conftest import TYPE, Basket, dispatching, in_status, publish, published


class Refusing(Basket):
    async def before(self, event: OutboxEvent) -> None:
        raise Undeliverable("no")


@pytest.fixture
async def client(live: Holdfast) -> AsyncIterator[httpx.AsyncClient]:
    async with live.tenant("acme") as hold:
        await hold.users.create("ana", roles=["admin"])
        await hold.users.create("vera", roles=["viewer"])
        secret = (await hold.tokens.create("ana", "test")).secret
    transport = httpx.ASGITransport(build(live), raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(transport=transport, base_url="http://test/v1/acme", headers=headers) as client:
        yield client


async def dead_ones(app: Holdfast) -> list[UUID]:
    ids = await publish(app, 1, aggregate=("invoice", "1"))
    ids += await publish(app, 2, aggregate=("invoice", "2"), type="other.v1")
    async with dispatching(app, sinks=[Refusing()]):
        await in_status(app, "dead", *ids)
    return ids


async def test_over_http(live: Holdfast, client: httpx.AsyncClient) -> None:
    first, second = await dead_ones(live)
    (after,) = await publish(live, 3, aggregate=("invoice", "1"))
    listed = (await client.get("/outbox", params={"status": "dead"})).json()
    assert [item["id"] for item in listed["items"]] == [str(second), str(first)]
    assert [
        item["data"] for item in (await client.get("/outbox", params={"aggregate": "invoice/1"})).json()["items"]
    ] == [
        3,
        1,
    ]
    told = (await client.get(f"/outbox/{first}")).json()
    assert (told["status"], told["last_error"], told["blocked"]) == ("dead", "basket: no", True)
    stats = (await client.get("/outbox/stats")).json()
    assert (stats["waiting"], stats["dead"], stats["blocked"]) == (1, 2, 2)
    assert (await client.post("/outbox/replay", json={"type": "other.v1"})).json() == {"events": [str(second)]}
    assert (await client.post(f"/outbox/{first}/skip", json={"reason": "sent by hand"})).json()["status"] == "dead"
    async with dispatching(live, sinks=[Basket()]):
        await published(live, second, after)
        assert (await client.post(f"/outbox/{first}/replay")).json()["status"] in ("pending", "processing")
        await published(live, first)
    assert (await client.post("/outbox/replay", json={})).json() == {"events": []}


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "?status=lost", None, 422, "invalid_input"),
        ("GET", "?aggregate=invoice", None, 422, "invalid_input"),
        ("GET", f"/{UUID(int=1)}", None, 404, "not_found"),
        ("GET", "/nonsense", None, 422, "invalid_input"),
        ("POST", f"/{UUID(int=1)}/replay", None, 404, "not_found"),
        ("POST", f"/{UUID(int=1)}/skip", {"reason": "x"}, 404, "not_found"),
        ("POST", f"/{UUID(int=1)}/skip", {}, 422, "invalid_input"),
        ("POST", "/replay", {"tpye": "x"}, 422, "invalid_input"),
        ("POST", "/replay", {"type": "a b"}, 422, "invalid_input"),
    ],
)
async def test_problems_say_what_is_wrong(
    client: httpx.AsyncClient, method: str, path: str, body: Any, status: int, code: str
) -> None:
    answer = await client.request(method, f"/outbox{path}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


async def test_permissions_hold_over_http(live: Holdfast, client: httpx.AsyncClient) -> None:
    first, _ = await dead_ones(live)
    async with live.tenant("acme") as hold:
        secret = (await hold.tokens.create("vera", "test")).secret
    client.headers["Authorization"] = f"Bearer {secret}"
    assert (await client.get(f"/outbox/{first}")).status_code == 200
    for path, body in (("/replay", {}), (f"/{first}/replay", None), (f"/{first}/skip", {"reason": "x"})):
        answer = await client.post(f"/outbox{path}", json=body)
        assert (answer.status_code, answer.json()["permission"]) == (403, "outbox:operate")


def _environment(dsn: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
    return clean | {"COLUMNS": "250", "HOLDFAST_DSN": dsn, "HOLDFAST_WORKER_POLL_INTERVAL": "0.05"}


async def test_commands(live: Holdfast, holdfast_dsn: str, commands: Commands) -> None:
    def holdfast(dsn: str, *arguments: str) -> Done:
        return commands.run(*arguments, HOLDFAST_DSN=dsn)

    first, second = await dead_ones(live)
    listed = json.loads(holdfast(holdfast_dsn, "outbox", "list", "-t", "acme", "--status", "dead", "--json").stdout)
    assert [item["id"] for item in listed] == [str(second), str(first)]
    assert "outbox.dead" in holdfast(holdfast_dsn, "outbox", "show", "-t", "acme", str(first)).stdout
    assert "0 to send, 2 dead, which block 2" in holdfast(holdfast_dsn, "outbox", "stats", "-t", "acme").stdout
    assert "1 replayed" in holdfast(holdfast_dsn, "outbox", "replay", "-t", "acme", "--type", "other.v1").stdout
    assert holdfast(holdfast_dsn, "outbox", "skip", "-t", "acme", str(first), "--reason", "x").returncode == 0
    assert "pending" in holdfast(holdfast_dsn, "outbox", "replay", "-t", "acme", str(first)).stdout
    wrong = holdfast(holdfast_dsn, "outbox", "replay", "-t", "acme")
    assert (wrong.returncode, "say what to replay" in wrong.stderr) == (1, True)
    nowhere = holdfast(holdfast_dsn, "outbox", "dispatch")
    assert (nowhere.returncode, "HOLDFAST_OUTBOX_SINKS" in nowhere.stderr) == (1, True)


@pytest.mark.parametrize("command", [("outbox", "dispatch"), ("worker",)])
async def test_a_process_sends_to_standard_output_until_it_is_told_to_stop(
    live: Holdfast, holdfast_dsn: str, command: tuple[str, ...]
) -> None:
    ids = await publish(live, 1, 2, 3, aggregate=("invoice", "1"))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "holdfast", *command),
        env=_environment(holdfast_dsn) | {"HOLDFAST_OUTBOX_SINKS": "stdout"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        await published(live, *ids)
    finally:
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(30):
            told, log = await process.communicate()
    assert process.returncode == 0, log
    lines = [json.loads(line) for line in told.splitlines()]
    assert [(line["id"], line["data"], line["type"]) for line in lines] == [
        (str(one), number, TYPE) for one, number in zip(ids, (1, 2, 3), strict=True)
    ]
    if command[0] == "outbox":
        assert b"3 sent, 0 failed attempts, 0 dead" in log


async def test_sending_ends_quietly_when_nobody_reads_any_more(live: Holdfast, holdfast_dsn: str) -> None:
    ids = [*await publish(live, 1, 2, aggregate=("invoice", "1")), *await publish(live, 3, aggregate=("invoice", "2"))]
    reader, writer = os.pipe()
    os.close(reader)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "holdfast", "outbox", "dispatch"),
        env=_environment(holdfast_dsn) | {"HOLDFAST_OUTBOX_SINKS": "stdout"},
        stdout=writer,
        stderr=asyncio.subprocess.PIPE,
    )
    os.close(writer)
    try:
        async with asyncio.timeout(30):
            _, log = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
    assert process.returncode == 1
    assert log.decode().splitlines()[1:] == ["• 0 sent, 0 failed attempts, 0 dead"]
    async with live.tenant("acme") as hold:
        events = [await hold.outbox.get(one) for one in ids]
    assert {(event.status, event.attempts, event.last_error) for event in events} == {("pending", 0, None)}


def test_settings_show_no_secret(commands: Commands) -> None:
    shown = commands.run(
        "settings",
        HOLDFAST_OUTBOX_SINKS="https://bot:hunter2@erp.example/hook?key=hunter3",
        HOLDFAST_OUTBOX_SECRET="whsec_hunter4",
    )
    assert "HOLDFAST_OUTBOX_SINKS" in shown.stdout
    assert "hunter" not in shown.stdout + shown.stderr
