"""holdfast: documents with a contract, approvals bound to their version, one engine worker.

Run as `ours.py DSN N`: prints one JSON object of figures.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any
from uuid import UUID

from holdfast import Holdfast
from holdfast.documents import Document
from holdfast.envelope import Contract
from holdfast.processes.nodes import ActionCall

CONTRACT = Contract(
    entity_type="invoice",
    document={"type": "object", "properties": {"total": {"type": "integer"}, "vendor": {"type": "string"}}},
)
PATCHES: dict[str, Any] = {
    "slot:submitted_to_approved": {
        "nodes": [
            {"id": "large", "type": "condition", "config": {"expression": "entity.total > 10000"}},
            {"id": "split", "type": "parallel_split"},
            {"id": "finance", "type": "approval", "config": {"approvers": [{"kind": "user", "user": "ben"}]}},
            {"id": "budget", "type": "approval", "config": {"approvers": [{"kind": "user", "user": "eva"}]}},
            {"id": "join", "type": "parallel_join"},
            {"id": "post", "type": "action", "config": {"action": "invoice.post"}},
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


async def post(call: ActionCall) -> dict[str, bool]:
    """What the process does when everybody has approved."""
    return {"posted": True}


async def prepare(app: Holdfast) -> None:
    app.contracts.add(CONTRACT)
    app.assembly.actions.add("invoice.post", post)
    await app.tenants.create("acme")
    async with app.tenant("acme") as hold:
        await hold.users.create("ana", roles=["admin"])
        for name in ("ben", "eva"):
            await hold.users.create(name, roles=["approver"])
        await hold.definitions.register(CONTRACT)
        draft = await hold.definitions.create_draft("invoice", PATCHES)
        await hold.definitions.publish(draft.id)
        draft = await hold.definitions.create_automation("straight", STRAIGHT)
        await hold.definitions.publish(draft.id)


async def count(app: Holdfast, query: str) -> int:
    async with app.tenant("acme") as hold:
        row = await (await hold.connection.execute(query.encode())).fetchone()
        assert row is not None
        return int(row[0])


async def invoices(app: Holdfast, n: int) -> list[Document]:
    async with app.tenant("acme", actor="ana") as hold:
        return [await hold.documents.create("invoice", {"total": 12500, "vendor": "v"}) for _ in range(n)]


async def steps(app: Holdfast, n: int) -> float:
    """Steps in a row: automations of 24 steps, each started by a posted event, by one worker."""
    worker = app.engine_worker()
    async with app.tenant("acme", actor="ana") as hold:
        await hold.triggers.create("go", "straight", "on_event", event_key="go")
        for _ in range(n):
            await hold.processes.tell("go")
    before = await count(app, "SELECT count(*) FROM holdfast.workflow_step_executions")
    began = time.perf_counter()
    await worker.drain()
    passed = time.perf_counter() - began
    return (await count(app, "SELECT count(*) FROM holdfast.workflow_step_executions") - before) / passed


async def submits(app: Holdfast, made: list[Document]) -> list[float]:
    """A person submits: one advance, eight steps. Milliseconds each, one after the other."""
    times = []
    for each in made:
        async with app.tenant("acme", actor="ana") as hold:
            instance = await hold.processes.of_document(each.id)
            began = time.perf_counter()
            await hold.processes.advance(instance.id, "submit", expected_version=instance.version)
            times.append((time.perf_counter() - began) * 1000)
    return times


async def approvals(app: Holdfast, n: int) -> dict[str, float]:
    """Two people decide on every invoice; then one worker brings every decision to its end.

    Their calls check who they are, whether they are asked and what about, and keep the decision; the engine's part is
    what other engines do when they load, run and save.
    """
    async with app.tenant("acme") as hold:
        cursor = await hold.connection.execute(
            "SELECT r.id, substr(a.principal, 6) FROM holdfast.approval_requests r "
            "JOIN holdfast.approval_assignees a ON a.tenant = r.tenant AND a.request_id = r.id"
        )
        waiting: list[tuple[UUID, str]] = list(await cursor.fetchall())
    asked = len(waiting)
    assert asked == 2 * n

    async def decide() -> None:
        while waiting:
            request, who = waiting.pop()
            async with app.tenant("acme", actor=who) as hold:
                await hold.approvals.decide(request, "approved")

    began = time.perf_counter()
    await asyncio.gather(*(decide() for _ in range(CLIENTS)))
    decided = time.perf_counter()
    await app.engine_worker().drain()
    ended = time.perf_counter()
    assert await count(app, "SELECT count(*) FROM holdfast.workflow_instances WHERE status <> 'completed'") == 0
    return {"decisions_per_s": asked / (decided - began), "approvals_per_s": asked / (ended - decided)}


async def main(dsn: str, n: int) -> None:
    async with Holdfast(dsn=dsn, migrate="always", pool_max=CLIENTS + 4) as app:
        await prepare(app)
        figures = {"steps_per_s": await steps(app, n)}
        made = await invoices(app, n)
        await app.engine_worker().drain()
        times = sorted(await submits(app, made))
        figures["advance_p95_ms"] = times[int(len(times) * 0.95)]
        figures |= await approvals(app, n)
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
