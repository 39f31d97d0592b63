"""Do claims of the engine inbox, of effects and of the outbox stay as quick as they were, whatever lies around them?

    python -m bench.queues --n 1000000 --rounds 2

For each of the three, a worker's claims are timed, in rows claimed a second; what it claimed is settled between two
claims, while the clock stands. `few`: ten thousand rows wait and nothing else is there. `settled`: as many, beside n
settled ones. `pending`: the first of n that wait. `read`: the same while somebody's transaction stays open that is
older than all of it, so that Postgres can clean up nothing of what was claimed meanwhile. Each claims ten thousand rows
before the clock counts, and then ten thousand. Prints one table and writes `bench/results/queues.jsonl`.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any, LiteralString

import psycopg
from psycopg.rows import dict_row

from bench._harness.options import Parser
from bench._harness.results import Column, Figures, table
from bench._harness.server import Server, default_version, started
from holdfast import Holdfast
from holdfast.kernel.json import dump
from holdfast.leases import QueueMarks

KNOWN_PEERS: tuple[str, ...] = ()  # this measures holdfast against itself
FEW = 10_000
STATES = ("few", "settled", "pending", "read")
NOBODY = "00000000-0000-0000-0000-000000000000"

Claim = Callable[[Holdfast], Callable[[], Awaitable[int]]]

_WHEN: LiteralString = "now() - interval '1 hour' + n * interval '1 us'"
_KEY: LiteralString = "encode(sha256(convert_to(n::text, 'UTF8')), 'hex')"
FILL: dict[str, LiteralString] = {
    "inbox": "INSERT INTO holdfast.workflow_events_outbox (tenant, created_at, id, instance_id, entity_version, "
    "event_type, event_idempotency_key, actor, status, completed_at, next_retry_at) "
    f"SELECT t.tenant, {_WHEN}, gen_random_uuid(), gen_random_uuid(), 1, 'advance', {_KEY}, "
    '\'{"kind": "system", "name": "x"}\', %(status)s, '
    f"CASE WHEN %(status)s = 'completed' THEN now() END, {_WHEN} "
    "FROM holdfast.tenants t, generate_series(1, %(n)s) n",
    "effects": "INSERT INTO holdfast.workflow_side_effects_outbox (tenant, created_at, id, instance_id, "
    "step_execution_id, step_key, node_id, token_id, effect_type, event_idempotency_key, created_by, status, "
    "completed_at, next_retry_at) "
    f"SELECT t.tenant, {_WHEN}, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), {_KEY}, 'n', 'main', "
    f"'webhook', {_KEY}, 'x', %(status)s, CASE WHEN %(status)s = 'completed' THEN now() END, {_WHEN} "
    "FROM holdfast.tenants t, generate_series(1, %(n)s) n",
    "outbox": "INSERT INTO holdfast.outbox_lane (tenant, aggregate_type, aggregate_id, due_at) "
    f"SELECT t.tenant, 'order', n::text, {_WHEN} "
    "FROM holdfast.tenants t, generate_series(1, %(n)s) n WHERE %(status)s = 'pending'",
}
SETTLE: dict[str, LiteralString] = {
    "inbox": "UPDATE holdfast.workflow_events_outbox SET status = 'completed', completed_at = now(), "
    "lease_until = NULL, leased_by = NULL WHERE status = 'processing'",
    "effects": "UPDATE holdfast.workflow_side_effects_outbox SET status = 'completed', completed_at = now(), "
    "lease_until = NULL, leased_by = NULL WHERE status = 'processing'",
    "outbox": "DELETE FROM holdfast.outbox_lane WHERE lease_until IS NOT NULL",
}
OTHERS: dict[str, LiteralString] = {
    "effects": "INSERT INTO holdfast.workflow_effect_lane (tenant) SELECT tenant FROM holdfast.tenants "
    "ON CONFLICT DO NOTHING",
    "outbox": "INSERT INTO holdfast.outbox_event_live (tenant, id, seq, event_type, aggregate_type, aggregate_id, "
    "payload, created_by) SELECT tenant, gen_random_uuid(), n, 'order.placed', 'order', n::text, '{}', 'x' "
    "FROM holdfast.tenants, generate_series(1, %(n)s) n",
}
PUBLISHED: LiteralString = (
    "INSERT INTO holdfast.outbox_event_done (tenant, id, seq, event_type, aggregate_type, aggregate_id, payload, "
    "attempts, delivered, created_by, created_at, published_at) SELECT tenant, gen_random_uuid(), n, 'order.placed', "
    "'order', n::text, '{}', 1, '{}', 'x', now(), now() FROM holdfast.tenants, generate_series(1, %(n)s) n"
)


def inbox(app: Holdfast) -> Callable[[], Awaitable[int]]:
    worker = app.engine_worker()

    async def claim() -> int:
        return len(await worker.claim(thorough=False))

    return claim


def effects(app: Holdfast) -> Callable[[], Awaitable[int]]:
    worker = app.effects_worker(concurrency=200)

    async def claim() -> int:
        return len(await worker._claim())  # noqa: SLF001 - the claim alone, without sending

    return claim


def outbox(app: Holdfast) -> Callable[[], Awaitable[int]]:
    marks = QueueMarks("due", "aggregate_type", "aggregate_id")

    async def claim() -> int:
        began = time.monotonic()
        start = marks.start(began)
        async with app.database.express() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            await cursor.execute(
                "SELECT *, '' AS lane FROM holdfast.claim_outbox('bench', 100, 10, '1 minute', %s, now(), %s::jsonb)",
                [NOBODY, None if start is None else dump(start)],
            )
            rows = await cursor.fetchall()
        marks.note(at_head=start is None, began=began, ended=time.monotonic(), rows=rows)
        return len(rows)

    return claim


QUEUES: dict[str, Claim] = {"inbox": inbox, "effects": effects, "outbox": outbox}


def main() -> None:
    """Measure, print one table, write one line a figure."""
    parser = Parser("bench.queues", "Claims beside many rows.", n="rows, default 1000000", rounds="rounds, default 2")
    found = parser.parse_args()
    n, rounds = parser.number("N", found.n, 1_000_000), parser.number("ROUNDS", found.rounds, 2)
    parser.peers(found.peers, KNOWN_PEERS)
    figures = Figures("queues")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    with started(default_version()) as server:
        asyncio.run(_install(server))
        for turn in range(1, rounds + 1):
            for queue in QUEUES:
                for state in STATES:
                    rate = asyncio.run(_measure(server, queue, state, n))
                    figures.add(state, f"{queue}_per_s", rate, turn)
                    print(f"round {turn} {state}: {queue}_per_s {rate:,.0f}", file=sys.stderr, flush=True)
    columns = [Column(f"{queue}_per_s", f"{queue}: claims/s") for queue in QUEUES]
    print(table(figures, list(STATES), columns, base="few"))
    print(f"\n{FEW:,} claims counted, after as many; settled, pending: {n:,} rows; read: an older transaction is open.")


async def _install(server: Server) -> None:
    async with Holdfast(dsn=server.create("template_queues"), migrate="always") as app:
        await app.tenants.create("acme")


async def _measure(server: Server, queue: str, state: str, n: int) -> float:
    server.left_alone("template_queues")
    dsn = server.create("queues_now", "template_queues")
    waiting = n if state in ("pending", "read") else 2 * FEW
    with psycopg.connect(dsn, autocommit=True) as connection:
        # Rows alone: the guards have tests of their own.
        connection.execute("SET session_replication_role = replica")
        if state == "settled":
            done = PUBLISHED if queue == "outbox" else FILL[queue]
            connection.execute(done, {"n": n, "status": "completed"})
        if queue in OTHERS:
            connection.execute(OTHERS[queue], {"n": waiting})
        connection.execute(FILL[queue], {"n": waiting, "status": "pending"})
        server.settle("queues_now")
        with psycopg.connect(dsn) as reader:
            if state == "read":
                reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
                reader.execute("SELECT count(*) FROM holdfast.tenants")
            async with Holdfast(dsn=dsn) as app:
                claim = QUEUES[queue](app)
                await _claims(claim, connection, SETTLE[queue])
                return await _claims(claim, connection, SETTLE[queue])


async def _claims(claim: Callable[[], Awaitable[int]], connection: psycopg.Connection[Any], settle: Any) -> float:
    claimed, passed = 0, 0.0
    while claimed < FEW:
        began = time.perf_counter()
        number = await claim()
        passed += time.perf_counter() - began
        assert number, "there is nothing left to claim"
        claimed += number
        connection.execute(settle)
    return claimed / passed


if __name__ == "__main__":
    main()
