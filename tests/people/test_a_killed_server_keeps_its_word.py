"""The server is killed while it enqueues, stores and decides: whatever it has answered is there afterwards.

And what it did not get to answer was done once or not at all: who sends it again with its key gets it done once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

import httpx
import pytest

from harness.served import Served, serving
from harness.waiting import until
from holdfast import Holdfast
from people.office import FINANCE, Office

WRITERS = 4


@dataclass
class Load:
    """What was sent, and what of it was answered."""

    tokens: dict[str, str]
    requests: list[UUID]
    """Approvals that are open."""
    sent: dict[str, int] = field(default_factory=dict)
    runs: dict[str, str] = field(default_factory=dict)
    """By their key, the ids that were answered."""
    stored: dict[str, int] = field(default_factory=dict)
    """By its name, the last value of a key of which was said that it is stored."""
    decided: list[UUID] = field(default_factory=list)

    def number(self, kind: str) -> int:
        self.sent[kind] = self.sent.get(kind, 0) + 1
        return self.sent[kind]

    def is_at(self, runs: int, decided: int) -> bool:
        """Whether so many were answered."""
        return len(self.runs) >= runs and len(self.decided) >= decided and bool(self.stored)

    async def send(self, server: Served) -> None:
        """Write by all three roads until the server is gone."""
        limits = httpx.Limits(max_connections=3 * WRITERS)
        url = f"http://127.0.0.1:{server.port}/v1/acme"
        async with httpx.AsyncClient(base_url=url, limits=limits, timeout=30, verify=False) as client:
            roads = (self._enqueue, self._store, self._decide)
            await asyncio.gather(*(self._over_and_over(client, road, n) for road in roads for n in range(WRITERS)))

    async def _over_and_over(
        self, client: httpx.AsyncClient, road: Callable[[httpx.AsyncClient, int], Awaitable[bool]], writer: int
    ) -> None:
        try:
            while await road(client, writer):
                pass
        except httpx.TransportError:
            return  # it is gone

    async def _enqueue(self, client: httpx.AsyncClient, writer: int) -> bool:
        key = f"run-{self.number('run')}"
        self.runs[key] = await self.enqueued(client, key)
        return True

    async def enqueued(self, client: httpx.AsyncClient, key: str) -> str:
        answer = await client.post(
            "/runs", headers=self._as("ana") | {"Idempotency-Key": key}, json={"type": "work.kept.v1", "payload": key}
        )
        assert answer.status_code in (200, 201), answer.text
        return str(answer.json()["id"])

    async def _store(self, client: httpx.AsyncClient, writer: int) -> bool:
        name, value = f"k{writer}", self.number(f"k{writer}")
        answer = await client.put(
            "/data/entry", params={"namespace": "kept", "key": name}, headers=self._as("ana"), json={"value": value}
        )
        assert answer.is_success, answer.text
        self.stored[name] = value
        return True

    async def _decide(self, client: httpx.AsyncClient, writer: int) -> bool:
        if not self.requests:
            return False
        request = self.requests.pop()
        answer = await client.post(
            f"/approvals/{request}/decisions",
            headers=self._as("ben"),
            json={"decision": "approved", "entity_version": 1},
        )
        assert answer.is_success, answer.text
        self.decided.append(request)
        return True

    def _as(self, name: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[name]}"}


async def killed_under_load(office: Office, dsn: str, *, kills: int, documents: int) -> Load:
    """Load, and a server that is killed so many times; each time after more of every kind was answered."""
    await office.publish(FINANCE)
    requests = [(await office.asked(number=str(number)))[2].id for number in range(kills * documents)]
    async with office.app.tenant("acme") as hold:
        tokens = {name: (await hold.tokens.create(name, "test")).secret for name in ("ana", "ben")}
    load = Load(tokens, [])
    for turn in range(kills):
        load.requests = requests[turn * documents : (turn + 1) * documents]
        wanted = (len(load.runs) + 5, len(load.decided) + 1)
        with serving(dsn, tokens) as server:
            writing = asyncio.create_task(load.send(server))
            # In the middle of it: some of each were answered, and there is more to decide.
            await until(partial(load.is_at, *wanted), 60)
            server.process.kill()
            await writing
    return load


async def check(app: Holdfast, dsn: str, load: Load) -> None:
    """All that was answered is there; what was not is done once when it is sent again."""
    assert load.decided
    async with app.tenant("acme") as hold:
        for key, run in load.runs.items():
            assert (await hold.runs.get(UUID(run))).payload == key
        for name, value in load.stored.items():
            entry = await hold.data.get("kept", name)
            assert entry is not None
            # The one after it may have been stored too, before anybody could be told.
            assert value <= entry.value <= load.sent[name]
        for request in load.decided:
            assert (await hold.approvals.get(request)).request.status == "approved"
    with serving(dsn, load.tokens) as server:
        url = f"http://127.0.0.1:{server.port}/v1/acme"
        async with httpx.AsyncClient(base_url=url, timeout=30, verify=False) as client:
            again = {key: await load.enqueued(client, key) for key in (f"run-{n + 1}" for n in range(load.sent["run"]))}
    assert again == again | load.runs
    async with app.tenant("acme") as hold:
        stats = await hold.connection.execute(
            "SELECT count(*), count(DISTINCT idempotency_key) FROM holdfast.workflow_run WHERE type = 'work.kept.v1'"
        )
        assert await stats.fetchone() == (load.sent["run"], load.sent["run"])


async def test_what_a_killed_server_has_answered_is_there(office: Office, holdfast_dsn: str) -> None:
    await check(office.app, holdfast_dsn, await killed_under_load(office, holdfast_dsn, kills=1, documents=8))


@pytest.mark.soak
@pytest.mark.timeout(1200)
async def test_what_a_server_has_answered_that_is_killed_again_and_again_is_there(
    office: Office, holdfast_dsn: str
) -> None:
    await check(office.app, holdfast_dsn, await killed_under_load(office, holdfast_dsn, kills=15, documents=12))
