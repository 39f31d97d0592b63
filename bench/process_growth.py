"""Do processes stay as quick as they were? An advance in empty tables beside one among a million instances.

    python -m bench.process_growth --n 1000000 --rounds 10

Two databases with the same definitions: one holds a few invoices, the other n instances with ten steps each (and their
documents, receipts, requests, decisions and outbox events), one in twenty of them still waiting for people. In turns
people submit invoices here and there, one after the other, and decide on them; `advance_p95_ms` is what a submit takes
from BEGIN to COMMIT, `approvals_per_s` what one worker brings to its end. The bar is 1.3 times the empty tables' p95.

Prints one table and writes `bench/results/process_growth.jsonl`. A million instances take about 27 GB and an hour to
make; `--n 100000` shows the same in a tenth of it.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any

import psycopg

from bench._harness.options import Parser
from bench._harness.results import Column, Figures, table
from bench._harness.server import Server, started
from bench._processes.ours import approvals, equip, invoices, prepare, submits
from holdfast import Holdfast
from holdfast.kernel.loops import run

KNOWN_PEERS: tuple[str, ...] = ()  # this measures holdfast against itself
EACH_ROUND = 20
CHUNK = 20_000
STEPS = 10
COLUMNS = [Column("advance_p95_ms", "advance p95 ms", 1), Column("approvals_per_s", "approvals/s")]

# Rows are copies of those that a real invoice left. `k` counts instances, `j` the rows of one instance in a table; what
# must differ is replaced. Ids of older things sort before those made now, as they would. Keys are hashes, as they are.
INSTANCE, DOCUMENT, VERSION, REQUEST = (
    f"('00000000-0000-7000-800{digit}-' || lpad(to_hex(k{more}), 12, '0'))"
    for digit, more in ((0, ""), (1, ""), (2, ""), (3, " * 16 + j"))
)
KEY = "encode(sha256(convert_to(k || ':' || {}, 'UTF8')), 'hex')"
WHEN = "(date_trunc('month', now()) + (now() - date_trunc('month', now())) * (k::float8 / %(n)s))"
OF_DOCUMENT = f"'entity_id', {DOCUMENT}, 'entity_version', 1"
OF_INSTANCE = f"'instance_id', {INSTANCE}"
OWN_STEP = KEY.format("(r.doc ->> 'idempotency_key')")
STEP_OF = KEY.format("(r.doc ->> 'step_key')")
TABLES = {
    "entities": ("id = %(entity)s", f"'id', {DOCUMENT}, 'version_id', {VERSION}"),
    "entity_versions": ("entity_id = %(entity)s AND version = 1", f"'id', {VERSION}, 'entity_id', {DOCUMENT}"),
    "workflow_instances": (
        "id = %(instance)s",
        f"'id', {INSTANCE}, {OF_DOCUMENT}, 'subject_id', {DOCUMENT}, 'started_at', {WHEN}, 'updated_at', {WHEN}",
    ),
    "workflow_step_executions": (
        f"instance_id = %(instance)s ORDER BY settled_seq NULLS FIRST LIMIT {STEPS}",
        f"'id', left({OWN_STEP}, 32)::uuid, {OF_INSTANCE}, 'idempotency_key', {OWN_STEP}, 'created_at', {WHEN}",
    ),
    "workflow_step_receipts": (
        f"instance_id = %(instance)s LIMIT {STEPS}",
        f"{OF_INSTANCE}, 'idempotency_key', {OWN_STEP}, 'created_at', {WHEN}",
    ),
    "workflow_events_outbox": (
        "instance_id = %(instance)s",
        f"'id', gen_random_uuid(), {OF_INSTANCE}, {OF_DOCUMENT}, 'created_at', {WHEN}",
    ),
    "workflow_outbox_receipts": ("instance_id = %(instance)s", f"{OF_INSTANCE}"),
    "approval_requests": (
        "instance_id = %(instance)s",
        f"'id', {REQUEST}, {OF_INSTANCE}, {OF_DOCUMENT}, 'step_key', {STEP_OF}, 'created_at', {WHEN}",
    ),
    "approval_assignees": (
        "request_id IN (SELECT id FROM holdfast.approval_requests WHERE instance_id = %(instance)s)",
        f"'request_id', {REQUEST}",
    ),
    "approval_decisions": (
        "instance_id = %(instance)s",
        f"'id', gen_random_uuid(), 'request_id', {REQUEST}, {OF_INSTANCE}, {OF_DOCUMENT}, 'step_key', {STEP_OF}",
    ),
    "workflow_event": (
        "object_id = %(instance)s",
        f"'id', nextval('holdfast.workflow_event_id'), 'object_id', {INSTANCE}, 'created_at', {WHEN}",
    ),
    "audit_head": ("object_id = %(instance)s", f"'object_id', {INSTANCE}"),
}


def main() -> None:
    """Fill, measure, print one table, write one line a figure."""
    parser = Parser(
        "bench.process_growth",
        "An advance among millions.",
        n="instances, default 1000000",
        rounds="rounds of 20 invoices, default 10",
    )
    parser.add_argument("--postgres", default="", help="major version: 15 (Debian's) or 18 (embedded)")
    found = parser.parse_args()
    usual = 100_000 if os.environ.get("BENCH_ALL") else 1_000_000  # an hour is too long beside all the others
    n, rounds = parser.number("N", found.n, usual), parser.number("ROUNDS", found.rounds, 10)
    postgres = parser.postgres(found.postgres)
    parser.peers(found.peers, KNOWN_PEERS)
    figures = Figures("process_growth")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    with started(postgres) as server:
        began = time.monotonic()
        run(_furnish(server.create("growth_empty")))
        server.left_alone("growth_empty")
        full = server.create("growth_full", "growth_empty")
        _fill(full, n)
        server.settle("growth_empty")
        print(f"filled in {(time.monotonic() - began) / 60:.1f} minutes", file=sys.stderr, flush=True)
        run(_measure(server, rounds, figures))
        sizes = _sizes(full)
    print(table(figures, ["empty", "full"], COLUMNS, base="empty"))
    print(f"\nfull: {sizes}. {rounds} rounds of {EACH_ROUND} invoices in each.")


async def _furnish(dsn: str) -> None:
    """Definitions, and invoices of every kind to copy from: done, and waiting for people."""
    async with Holdfast(dsn=dsn, migrate="always") as app:
        await prepare(app)
        made = await invoices(app, EACH_ROUND)
        await submits(app, made)
        await approvals(app, made)
        await submits(app, await invoices(app, 1))


def _fill(dsn: str, n: int) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")  # rows alone: nothing is decided here
        connection.execute("SET synchronous_commit = off")
        sources = {
            status: connection.execute(
                "SELECT id AS instance, entity_id AS entity FROM holdfast.workflow_instances "
                "WHERE entity_id IS NOT NULL AND status = %s ORDER BY id LIMIT 1",
                [status],
            ).fetchone()
            for status in ("completed", "running")
        }
        statements = [_copy(connection, name) for name in TABLES]
        for first in range(0, n, CHUNK):
            for status, source in sources.items():
                assert source is not None
                values = {"instance": source[0], "entity": source[1], "n": n, "first": first}
                values |= {"last": min(first + CHUNK, n) - 1, "waiting": status == "running"}
                for statement in statements:
                    connection.execute(statement, values)
        connection.execute("VACUUM ANALYZE")


def _copy(connection: psycopg.Connection[Any], name: str) -> bytes:
    """The statement that copies rows of a table. What is put together are the constants above and names of columns."""
    where, change = TABLES[name]
    rows = connection.execute(
        "SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 "
        "AND NOT attisdropped AND attgenerated = '' ORDER BY attnum",
        [f"holdfast.{name}"],
    ).fetchall()
    columns = [str(column) for (column,) in rows]
    return (
        "WITH r AS MATERIALIZED (SELECT to_jsonb(t) AS doc, row_number() OVER () AS j "
        f"FROM (SELECT * FROM holdfast.{name} WHERE {where}) t) "
        f"INSERT INTO holdfast.{name} ({', '.join(columns)}) SELECT {', '.join(f'c.{column}' for column in columns)} "
        "FROM generate_series(%(first)s::bigint, %(last)s::bigint) k CROSS JOIN r CROSS JOIN LATERAL "
        f"jsonb_populate_record(NULL::holdfast.{name}, r.doc || jsonb_build_object({change})) c "
        "WHERE (k %% 20 = 0) = %(waiting)s"
    ).encode()


async def _measure(server: Server, rounds: int, figures: Figures) -> None:
    times: dict[str, list[float]] = {"empty": [], "full": []}
    for turn in range(1, rounds + 1):
        for name in ("empty", "full") if turn % 2 else ("full", "empty"):
            dsn = server.dsn(f"growth_{name}")
            async with equip(Holdfast(dsn=dsn)) as app:
                first, made = await invoices(app, 5), await invoices(app, EACH_ROUND)
                await submits(app, first, clients=1)  # connections and plans are warm
                took = await submits(app, made, clients=1)
                await approvals(app, first)
                rate = await approvals(app, made)
            times[name] += took
            figures.add(name, "approvals_per_s", rate, turn)
            print(f"round {turn} {name}: submit {sorted(took)[len(took) // 2]:.1f} ms", file=sys.stderr, flush=True)
    for name, each in times.items():
        figures.add(name, "advance_p95_ms", sorted(each)[int(len(each) * 0.95)], 1)


def _sizes(dsn: str) -> str:
    with psycopg.connect(dsn, autocommit=True) as connection:
        row: Any = connection.execute(
            "SELECT (SELECT count(*) FROM holdfast.workflow_instances), "
            "(SELECT count(*) FROM holdfast.workflow_step_executions), "
            "pg_size_pretty(pg_database_size(current_database()))"
        ).fetchone()
    return f"{row[0]:,} instances, {row[1]:,} steps, {row[2]}"


if __name__ == "__main__":
    main()
