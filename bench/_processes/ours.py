"""holdfast: documents with a contract, approvals bound to their version, one engine worker.

Run as `ours.py DSN N`: prints one JSON object of figures.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, LiteralString
from uuid import UUID

import psycopg

from holdfast import Holdfast
from holdfast.actions import Call
from holdfast.envelope import Contract
from holdfast.kernel.loops import run

CONTRACT = Contract(
    entity_type="invoice",
    document={"type": "object", "properties": {"total": {"type": "integer"}, "vendor": {"type": "string"}}},
)
LONG = Contract(entity_type="order", document=CONTRACT.document)
PATCHES: dict[str, Any] = {
    "slot:submitted_to_approved": {
        "nodes": [
            {"id": "large", "type": "condition", "config": {"expression": "entity.total > 10000"}},
            {"id": "split", "type": "parallel_split"},
            {"id": "finance", "type": "approval", "config": {"approvers": [{"kind": "user", "user": "ben"}]}},
            {"id": "budget", "type": "approval", "config": {"approvers": [{"kind": "user", "user": "eva"}]}},
            {"id": "join", "type": "parallel_join"},
            {"id": "post", "type": "action", "run_as": "system", "config": {"action": "invoice.post"}},
        ],
        "edges": [
            {"source": "in", "target": "large"},
            {"source": "large", "target": "split", "outcome": "true"},
            {"source": "large", "target": "out", "outcome": "false"},
            {"source": "split", "target": "finance"},
            {"source": "split", "target": "budget"},
            {"source": "finance", "target": "join", "outcome": "approved"},
            {"source": "finance", "target": "join", "outcome": "rejected"},
            {"source": "budget", "target": "join", "outcome": "approved"},
            {"source": "budget", "target": "join", "outcome": "rejected"},
            {"source": "join", "target": "post"},
            {"source": "post", "target": "out"},
        ],
        "exit_edge_mode": "join",
    }
}
STAGES = 12
"""Of the second shape: sixty nodes, twelve of them approvals, one after the other, by two people in turn."""


def long_slot() -> dict[str, Any]:
    """Twelve times: note something, look at the total, ask, note, look again."""
    nodes: list[dict[str, Any]] = []
    edges: list[dict[str, Any]] = [{"source": "in", "target": "before1"}]
    for n in range(1, STAGES + 1):
        person = ("ben", "eva")[n % 2]
        following = f"before{n + 1}" if n < STAGES else "out"
        nodes += [
            {"id": f"before{n}", "type": "script", "config": {"assign": {"stage": str(n)}}},
            {"id": f"large{n}", "type": "condition", "config": {"expression": f"entity.total > {n}"}},
            {"id": f"ask{n}", "type": "approval", "config": {"approvers": [{"kind": "user", "user": person}]}},
            {"id": f"after{n}", "type": "script", "config": {"assign": {"passed": str(n)}}},
            {"id": f"more{n}", "type": "condition", "config": {"expression": "entity.total > 10000"}},
        ]
        edges += [
            {"source": f"before{n}", "target": f"large{n}"},
            {"source": f"large{n}", "target": f"ask{n}", "outcome": "true"},
            {"source": f"large{n}", "target": "out", "outcome": "false"},
            {"source": f"ask{n}", "target": f"after{n}", "outcome": "approved"},
            {"source": f"ask{n}", "target": "out", "outcome": "rejected"},
            {"source": f"after{n}", "target": f"more{n}"},
            {"source": f"more{n}", "target": following, "outcome": "true"},
            {"source": f"more{n}", "target": "out", "outcome": "false"},
        ]
    return {"nodes": nodes, "edges": edges, "exit_edge_mode": "join"}


# Nothing to ask of anybody: every step is taken in one transaction.
STRAIGHT: dict[str, Any] = {
    "nodes": [{"id": f"s{n}", "type": "script", "config": {"assign": {"n": str(n)}}} for n in range(20)],
    "edges": [
        {"source": "in", "target": "s0"},
        *({"source": f"s{n}", "target": f"s{n + 1}"} for n in range(19)),
        {"source": "s19", "target": "out"},
    ],
}
CLIENTS = 4
BULK = 100
WARM = 40
ALIVE: LiteralString = "SELECT count(*) FROM holdfast.workflow_instances WHERE id = ANY (%s) AND status = 'running'"
OPEN: LiteralString = "SELECT id FROM holdfast.approval_requests WHERE instance_id = %s AND status = 'open'"
COMPLETED: LiteralString = (
    "SELECT count(*) FROM holdfast.workflow_instances WHERE id = ANY (%s) AND status = 'completed'"
)


async def post(call: Call, given: Any) -> dict[str, bool]:
    """What the process does when everybody has approved."""
    return {"posted": True}


def equip(app: Holdfast) -> Holdfast:
    """Give an application the document type and its action."""
    app.contracts.add(CONTRACT)
    app.contracts.add(LONG)
    app.action("invoice.post", permission="documents:write")(post)
    return app


async def prepare(app: Holdfast) -> None:
    equip(app)
    await app.tenants.create("acme")
    async with app.tenant("acme") as hold:
        await hold.users.create("ana", roles=["admin"])
        for name in ("ben", "eva"):
            await hold.users.create(name, roles=["approver"])
        await hold.definitions.register(CONTRACT)
        draft = await hold.definitions.create_draft("invoice", PATCHES)
        await hold.definitions.publish(draft.id)
        await hold.definitions.register(LONG)
        draft = await hold.definitions.create_draft("order", {"slot:submitted_to_approved": long_slot()})
        await hold.definitions.publish(draft.id)
        draft = await hold.definitions.create_automation("straight", STRAIGHT)
        await hold.definitions.publish(draft.id)
        await hold.triggers.create("go", "straight", "on_event", event_key="go")


async def count(app: Holdfast, query: LiteralString, instances: list[UUID] | None = None) -> int:
    async with app.tenant("acme") as hold:
        row = await (await hold.connection.execute(query, None if instances is None else [instances])).fetchone()
        assert row is not None
        return int(row[0])


async def invoices(app: Holdfast, n: int, kind: str = "invoice") -> list[tuple[UUID, int]]:
    """Invoices whose processes have begun: the process of each, and the version a person has seen of it."""
    async with app.tenant("acme", actor="ana") as hold:
        made = [await hold.documents.create(kind, {"total": 12500, "vendor": "v"}) for _ in range(n)]
    await app.engine_worker().drain()
    async with app.tenant("acme", actor="ana") as hold:
        found = [await hold.processes.of_document(each.id) for each in made]
    return [(each.id, each.version) for each in found]


async def steps(app: Holdfast, n: int) -> float:
    """Steps in a row: automations of 22 steps, each started by a posted event, by one worker."""
    async with app.tenant("acme", actor="ana") as hold:
        for _ in range(n):
            await hold.processes.tell("go")
    before = await count(app, "SELECT count(*) FROM holdfast.workflow_step_executions")
    began = time.perf_counter()
    await app.engine_worker().drain()
    passed = time.perf_counter() - began
    return (await count(app, "SELECT count(*) FROM holdfast.workflow_step_executions") - before) / passed


async def submits(app: Holdfast, made: list[tuple[UUID, int]], clients: int = CLIENTS) -> list[float]:
    """People submit, several at once: one advance of eight steps each, from BEGIN to COMMIT. Milliseconds."""
    waiting, times = list(made), []

    async def submit() -> None:
        while waiting:
            instance, version = waiting.pop()
            began = time.perf_counter()
            async with app.tenant("acme", actor="ana") as hold:
                await hold.processes.advance(instance, "submit", expected_version=version)
            times.append((time.perf_counter() - began) * 1000)

    await asyncio.gather(*(submit() for _ in range(clients)))
    return times


async def asked(app: Holdfast, instances: list[UUID]) -> list[tuple[UUID, str]]:
    """What waits for people: the request, and who is asked; in one shuffled order."""
    async with app.tenant("acme") as hold:
        cursor = await hold.connection.execute(
            "SELECT r.id, substr(a.principal, 6) FROM holdfast.approval_requests r "
            "JOIN holdfast.approval_assignees a ON a.tenant = r.tenant AND a.request_id = r.id "
            "WHERE r.instance_id = ANY (%s) AND a.is_open",
            [instances],
        )
        waiting: list[tuple[UUID, str]] = sorted(await cursor.fetchall())
    random.Random(1).shuffle(waiting)
    return waiting


@asynccontextmanager
async def to_the_end(app: Holdfast, instances: list[UUID]) -> AsyncIterator[None]:
    """One worker brings processes to their end beside the block, which ends when the last of them is completed."""
    worker = app.engine_worker()
    working = asyncio.create_task(worker.run())
    yield
    while await count(app, ALIVE, instances):  # noqa: ASYNC110 - the worker does the work
        await asyncio.sleep(0.005)
    worker.stop()
    await working
    assert await count(app, COMPLETED, instances) == len(instances)


async def approvals(app: Holdfast, made: list[tuple[UUID, int]], each: int = 2) -> float:
    """People decide on every invoice, several calls at once, while one worker brings processes to their end.

    Counted from the first call until the last process is completed. Every call checks who decides, whether they are
    asked and whether the document still is what they were asked about, keeps the decision, and commits.
    """
    instances = [instance for instance, _ in made]
    waiting = await asked(app, instances)
    number = len(waiting)
    assert number == each * len(made)

    async def decide() -> None:
        while waiting:
            request, who = waiting.pop()
            async with app.tenant("acme", actor=who) as hold:
                await hold.approvals.decide(request, "approved")

    began = time.perf_counter()
    async with to_the_end(app, instances):
        await asyncio.gather(*(decide() for _ in range(CLIENTS)))
    return number / (time.perf_counter() - began)


async def bulk(app: Holdfast, made: list[tuple[UUID, int]], each: int = 2) -> float:
    """The same, when everybody goes through their inbox, oldest first, and approves a hundred requests in a call."""
    instances = [instance for instance, _ in made]
    waiting = sorted(await asked(app, instances))
    number = len(waiting)
    assert number == each * len(made)
    calls: list[tuple[str, list[UUID]]] = []
    for who in sorted({who for _, who in waiting}):
        own = [request for request, name in waiting if name == who]
        calls += [(who, own[start : start + BULK]) for start in range(0, len(own), BULK)]
    calls.reverse()

    async def decide() -> None:
        while calls:
            who, requests = calls.pop()
            async with app.tenant("acme", actor=who) as hold:
                found = await hold.approvals.decide_many(requests, "approved")
            assert all(item.refused is None for item in found), found

    began = time.perf_counter()
    async with to_the_end(app, instances):
        await asyncio.gather(*(decide() for _ in range(CLIENTS)))
    return number / (time.perf_counter() - began)


async def long_approvals(app: Holdfast, made: list[tuple[UUID, int]]) -> float:
    """Orders of sixty nodes: several people at once bring one after the other through its twelve approvals."""
    waiting = [instance for instance, _ in made]

    async def decide() -> None:
        while waiting:
            instance = waiting.pop()
            for n in range(1, STAGES + 1):
                async with app.tenant("acme", actor=("ben", "eva")[n % 2]) as hold:
                    cursor = await hold.connection.execute(OPEN, [instance])
                    (request,) = await cursor.fetchone() or (None,)
                    assert request is not None
                    await hold.approvals.decide(request, "approved")

    began = time.perf_counter()
    await asyncio.gather(*(decide() for _ in range(CLIENTS)))
    passed = time.perf_counter() - began
    assert await count(app, COMPLETED, [instance for instance, _ in made]) == len(made)
    return STAGES * len(made) / passed


async def main(dsn: str, n: int) -> None:
    async with Holdfast(dsn=dsn, migrate="always", pool_max=CLIENTS + 4) as app:
        await prepare(app)
        # Everybody warms up: connections are open, plans are made, tables have statistics.
        await steps(app, WARM)
        made = await invoices(app, WARM)
        await submits(app, made)
        await approvals(app, made)
        made = await invoices(app, WARM)
        await submits(app, made)
        await bulk(app, made)
        made = await invoices(app, 4, "order")
        await submits(app, made)
        await long_approvals(app, made)
        settle(dsn)
        figures = {"steps_per_s": await steps(app, n)}
        made = await invoices(app, n)
        settle(dsn)
        times = sorted(await submits(app, made))
        figures["advance_p95_ms"] = times[int(len(times) * 0.95)]
        figures["approvals_per_s"] = await approvals(app, made)
        # Plans stay as they are from here on: a hundred decisions take less time than planning them anew.
        made = await invoices(app, n)
        await submits(app, made)
        figures["bulk_approvals_per_s"] = await bulk(app, made)
        made = await invoices(app, max(4, n // 10), "order")
        await submits(app, made)
        figures["long_approvals_per_s"] = await long_approvals(app, made)
    sys.stdout.write(json.dumps(figures) + "\n")


def settle(dsn: str) -> None:
    """Statistics as after a quiet night."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")


if __name__ == "__main__":
    run(main(sys.argv[1], int(sys.argv[2])))
