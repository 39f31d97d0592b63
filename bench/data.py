"""Keys and links beside hand-written psycopg and LangGraph's PostgresStore: one operation at a time, one commit each.

    python -m bench.data --peers langgraph --n 10000,5000000 --rounds 3

Every subject has its own database on one Postgres with full durability, filled to `--n` keys in one namespace; a second
number fills holdfast once more, to see that nothing depends on it. They take turns, ten calls each; a
round's figure is its median call. What each does:

| subject | what one operation is |
|---|---|
| `holdfast` | `app.data(tenant)`: one statement that is a transaction, with audit row and change record |
| `holdfast-hold` | the same inside `async with app.tenant(…)`: one operation in a transaction of its own |
| `by-hand` | psycopg: BEGIN and the tenant, the statement, an audit row, COMMIT; tables behind row-level security too |
| `langgraph` | `AsyncPostgresStore`: no tenant, no audit; `aput` does not compare, and it cannot increment or link |

Prints one table (microseconds) and writes `bench/results/data.jsonl`, one line a figure.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import random
import signal
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, LiteralString
from uuid import UUID

import psycopg
from psycopg import AsyncConnection, sql
from psycopg.types.json import Jsonb

from bench._harness.options import Parser
from bench._harness.results import Column, Figures, table
from bench._harness.server import Server, database_name, started
from holdfast import Holdfast

COLUMNS = [Column(name, name, 0) for name in ("get_us", "set_cas_us", "increment_us", "lookup_us", "list_us")]
KNOWN_PEERS = ("langgraph",)
TENANT, SPACE = "bench", "bench"
VALUE = {"at": "2026-06-04T00:00:00Z", "seen": 12}
WARM_UP = 30
TURN = 10
Operation = Callable[[int], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Subject:
    """One row of the table: the operations it offers, by metric, and how many keys it was filled with."""

    name: str
    operations: dict[str, Operation]
    keys: int


def key(number: int) -> str:
    return f"key-{number:09}"


def main() -> None:
    """Measure, print one table, write one line a figure."""
    options = _options()
    # A server must not outlive us: an ordinary exit runs every `finally`.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    figures = Figures("data")
    began = time.monotonic()
    with started(options.postgres) as server:
        names = asyncio.run(_measure(server, options, figures))
        postgres = server.version
    print()
    print(table(figures, names, COLUMNS, base="by-hand"))
    print(f"\nMicroseconds of the median call: {options.rounds} rounds, ±half their spread, and the ratio to by-hand.")
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"Postgres {postgres}, Python {platform.python_version()}; {time.monotonic() - began:.0f} s."
    )
    print(figures.path.relative_to(Path(__file__).parents[1]))


async def _measure(server: Server, options: argparse.Namespace, figures: Figures) -> list[str]:
    async with AsyncExitStack() as stack:
        subjects: list[Subject] = []
        for place, size in enumerate(options.sizes):
            _tell(f"filling {size:,} keys")
            subjects += await stack.enter_async_context(_holdfast(server, size, f"-{size}" if place else ""))
            if place == 0:
                subjects.append(await stack.enter_async_context(_by_hand(server, size)))
                if "langgraph" in options.peers:
                    try:
                        subjects.append(await stack.enter_async_context(_langgraph(server, size)))
                    except ImportError as error:
                        figures.trouble("langgraph", "", str(error))
        for turn in range(1, options.rounds + 1):
            for metric in (column.metric for column in COLUMNS):
                for name, figure in (await _timed(subjects, metric, options.calls)).items():
                    figures.add(name, metric, figure, turn)
            _tell(f"round {turn}")
        return [subject.name for subject in subjects]


async def _timed(subjects: list[Subject], metric: str, calls: int) -> dict[str, float]:
    """The median call of each subject. They take turns after a few calls: what disturbs one disturbs all of them."""
    chosen = random.Random(7)
    able = [subject for subject in subjects if metric in subject.operations]
    took: dict[str, list[float]] = {subject.name: [] for subject in able}
    while any(len(calls_of) < WARM_UP + calls for calls_of in took.values()):
        for subject in able:
            operation = subject.operations[metric]
            for _ in range(TURN):
                number = chosen.randrange(1, subject.keys)
                start = time.perf_counter()
                await operation(number)
                took[subject.name].append(time.perf_counter() - start)
    return {name: statistics.median(calls_of[WARM_UP:]) * 1e6 for name, calls_of in took.items()}


# ------------------------------------------------------------------------------------------------------- holdfast


@asynccontextmanager
async def _holdfast(server: Server, size: int, suffix: str) -> AsyncIterator[list[Subject]]:
    database = database_name(f"holdfast{suffix}", "data")
    dsn = server.create(database)
    async with Holdfast(dsn=dsn, migrate="always") as app:
        await app.tenants.create(TENANT)
        async with app.tenant(TENANT) as hold:
            tenant = hold.tenant.id
        _fill(dsn, _FILL_HOLDFAST, tenant, size)
        server.settle(database)
        keys, links = app.data(TENANT), app.links(TENANT)

        whole: dict[str, Operation] = {
            "get_us": lambda number: keys.get(SPACE, key(number)),
            "set_cas_us": _remembering(
                lambda number, revision: keys.set(SPACE, key(number), VALUE, if_revision=revision)
            ),
            "increment_us": lambda number: keys.increment("counters", f"c{number % 100}"),
            "lookup_us": lambda number: links.lookup(SPACE, ("task", str(number))),
            "list_us": lambda number: keys.list(SPACE, prefix=key(number)[:-2], limit=50),
        }

        def held(call: Callable[[Any, int], Awaitable[Any]]) -> Operation:
            async def operation(number: int) -> Any:
                async with app.tenant(TENANT) as hold:
                    return await call(hold, number)

            return operation

        async def hold_set(number: int, revision: int | None) -> Any:
            async with app.tenant(TENANT) as hold:
                return await hold.data.set(SPACE, key(number), VALUE, if_revision=revision)

        inside = {
            "get_us": held(lambda hold, number: hold.data.get(SPACE, key(number))),
            "set_cas_us": _remembering(hold_set, first=101),
            "increment_us": held(lambda hold, number: hold.data.increment("counters", f"c{number % 100}")),
            "lookup_us": held(lambda hold, number: hold.links.lookup(SPACE, ("task", str(number)))),
            "list_us": held(lambda hold, number: hold.data.list(SPACE, prefix=key(number)[:-2], limit=50)),
        }
        subjects = [Subject(f"holdfast{suffix}", whole, size)]
        if not suffix:
            subjects.append(Subject("holdfast-hold", inside, size))
        yield subjects


def _remembering(put: Callable[[int, int | None], Awaitable[Any]], first: int = 1) -> Operation:
    """Compare-and-set as a program does it that wrote the key before: with the revision it got then."""
    known: dict[int, int] = {}

    async def operation(number: int) -> None:
        number = number % 50 + first  # nobody else writes these
        known[number] = (await put(number, known.get(number))).revision

    return operation


_FILL_HOLDFAST: list[LiteralString] = [
    """INSERT INTO holdfast.workflow_data_store (tenant, store_id, namespace, key, value, value_type, revision, size)
       SELECT %(tenant)s, gen_random_uuid(), 'bench', 'key-' || lpad(n::text, 9, '0'),
              jsonb_build_object('at', '2026-06-04T00:00:00Z', 'seen', n), 'json', nextval('holdfast.data_revision'), 50
       FROM generate_series(1, %(size)s) n""",
    """INSERT INTO holdfast.workflow_entity_links (tenant, link_id, namespace, left_type, left_id, right_type, right_id)
       SELECT %(tenant)s, gen_random_uuid(), 'bench', 'task', n::text, 'ticket', n::text
       FROM generate_series(1, %(size)s / 5) n""",
]

# -------------------------------------------------------------------------------------------------------- by hand

_BY_HAND: LiteralString = """
CREATE ROLE hand;
CREATE TABLE store (tenant uuid NOT NULL, namespace text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL,
  value jsonb NOT NULL, revision bigint NOT NULL DEFAULT 1, expires_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, namespace, key));
CREATE TABLE links (tenant uuid NOT NULL, namespace text COLLATE "C" NOT NULL, left_type text NOT NULL,
  left_id text NOT NULL, right_type text NOT NULL, right_id text NOT NULL, relation text NOT NULL DEFAULT 'related',
  attributes jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant, namespace, left_type, left_id, right_type, right_id, relation));
CREATE TABLE audit (tenant uuid NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY, at timestamptz NOT NULL DEFAULT now(),
  actor text NOT NULL, what text NOT NULL, data jsonb NOT NULL, PRIMARY KEY (tenant, id));
ALTER TABLE store ENABLE ROW LEVEL SECURITY; ALTER TABLE links ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON store TO hand USING (tenant = current_setting('hand.tenant')::uuid);
CREATE POLICY own ON links TO hand USING (tenant = current_setting('hand.tenant')::uuid);
CREATE POLICY own ON audit TO hand USING (tenant = current_setting('hand.tenant')::uuid);
GRANT ALL ON store, links, audit TO hand;
"""
_FILL_BY_HAND: list[LiteralString] = [
    """INSERT INTO store (tenant, namespace, key, value) SELECT %(tenant)s, 'bench', 'key-' || lpad(n::text, 9, '0'),
       jsonb_build_object('at', '2026-06-04T00:00:00Z', 'seen', n) FROM generate_series(1, %(size)s) n""",
    """INSERT INTO links (tenant, namespace, left_type, left_id, right_type, right_id)
       SELECT %(tenant)s, 'bench', 'task', n::text, 'ticket', n::text FROM generate_series(1, %(size)s / 5) n""",
]
_GET: LiteralString = """SELECT value, revision, expires_at FROM store WHERE tenant = %s AND namespace = %s AND key = %s
  AND (expires_at IS NULL OR expires_at > now())"""
_SET: LiteralString = """INSERT INTO store AS s (tenant, namespace, key, value)
  VALUES (%(tenant)s, %(space)s, %(key)s, %(value)s) ON CONFLICT (tenant, namespace, key)
  DO UPDATE SET value = excluded.value, revision = s.revision + 1, updated_at = now()
  WHERE %(revision)s::bigint IS NULL OR s.revision = %(revision)s RETURNING revision"""
_INCREMENT: LiteralString = """INSERT INTO store AS s (tenant, namespace, key, value) VALUES (%s, 'counters', %s, '1')
  ON CONFLICT (tenant, namespace, key) DO UPDATE
  SET value = to_jsonb(s.value::numeric + 1), revision = s.revision + 1, updated_at = now() RETURNING value, revision"""
_LIST: LiteralString = """SELECT key, value, revision, expires_at FROM store WHERE tenant = %s AND namespace = %s
  AND key >= %s AND key < %s AND (expires_at IS NULL OR expires_at > now()) ORDER BY key LIMIT 51"""
_LOOKUP: LiteralString = """SELECT right_type, right_id, relation, attributes FROM links WHERE tenant = %s
  AND namespace = %s AND left_type = %s AND left_id = %s ORDER BY right_type, right_id, relation LIMIT 51"""
_AUDIT: LiteralString = "INSERT INTO audit (tenant, actor, what, data) VALUES (%s, %s, %s, %s)"


@asynccontextmanager
async def _by_hand(server: Server, size: int) -> AsyncIterator[Subject]:
    database = database_name("by-hand", "data")
    dsn = server.create(database)
    tenant = UUID(int=7)
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute(_BY_HAND)
    _fill(dsn, _FILL_BY_HAND, tenant, size)
    server.settle(database)
    begin = sql.SQL("BEGIN; SET LOCAL ROLE hand; SET LOCAL hand.tenant = {}").format(str(tenant))
    async with await AsyncConnection.connect(dsn, autocommit=True) as connection:

        async def transaction(query: LiteralString, values: Any, what: str | None = None, **facts: Any) -> list[Any]:
            await connection.execute(begin)
            rows = await (await connection.execute(query, values)).fetchall()
            if what is not None:
                await connection.execute(_AUDIT, (tenant, "user:ana", what, Jsonb(facts)))
            await connection.execute("COMMIT")
            return rows

        async def put(number: int, revision: int | None) -> Any:
            name = key(number)
            values = {"tenant": tenant, "space": SPACE, "key": name, "value": Jsonb(VALUE), "revision": revision}
            rows = await transaction(_SET, values, "set", namespace=SPACE, key=name)
            return _Revision(rows[0][0])

        def counted(number: int) -> Awaitable[Any]:
            name = f"c{number % 100}"
            return transaction(_INCREMENT, (tenant, name), "increment", namespace="counters", key=name)

        def listed(number: int) -> Awaitable[Any]:
            prefix = key(number)[:-2]
            return transaction(_LIST, (tenant, SPACE, prefix, prefix[:-1] + chr(ord(prefix[-1]) + 1)))

        yield Subject(
            "by-hand",
            {
                "get_us": lambda number: transaction(_GET, (tenant, SPACE, key(number))),
                "set_cas_us": _remembering(put),
                "increment_us": counted,
                "lookup_us": lambda number: transaction(_LOOKUP, (tenant, SPACE, "task", str(number))),
                "list_us": listed,
            },
            size,
        )


@dataclass(frozen=True, slots=True)
class _Revision:
    revision: int


# ------------------------------------------------------------------------------------------------------ langgraph


@asynccontextmanager
async def _langgraph(server: Server, size: int) -> AsyncIterator[Subject]:
    from langgraph.store.postgres.aio import AsyncPostgresStore

    database = database_name("langgraph", "data")
    dsn = server.create(database)
    async with AsyncPostgresStore.from_conn_string(dsn) as store:
        await store.setup()
        statement: LiteralString = (
            "INSERT INTO store (prefix, key, value) SELECT 'bench', 'key-' || lpad(n::text, 9, '0'), "
            "jsonb_build_object('at', '2026-06-04T00:00:00Z', 'seen', n) FROM generate_series(1, %(size)s) n"
        )
        _fill(dsn, [statement], UUID(int=7), size)
        server.settle(database)
        yield Subject(
            f"langgraph {version('langgraph-checkpoint-postgres')}",
            {
                "get_us": lambda number: store.aget((SPACE,), key(number)),
                "set_cas_us": lambda number: store.aput((SPACE,), key(number % 50 + 1), VALUE),
                "list_us": lambda number: store.asearch((SPACE,), limit=50),
            },
            size,
        )


def _fill(dsn: str, statements: list[LiteralString], tenant: UUID, size: int) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("SET synchronous_commit = off")
        for statement in statements:
            connection.execute(statement, {"tenant": tenant, "size": size})


def _options() -> argparse.Namespace:
    parser = Parser(
        "bench.data",
        "Keys and links beside others.",
        peers="langgraph (the default), or none",
        n="keys in the namespace, default 10000; 10000,5000000 shows it is flat",
        rounds="rounds, default 5",
    )
    parser.add_argument("--calls", default="", help="calls of each operation in a round, default 400")
    parser.add_argument("--postgres", default="", help="major version: 15 (Debian's) or 18 (embedded)")
    options = parser.parse_args()
    options.peers = parser.peers(options.peers, KNOWN_PEERS) or list(KNOWN_PEERS)
    options.sizes = parser.numbers("N", options.n, [10_000], least=1000)
    options.rounds = parser.number("ROUNDS", options.rounds, 5)
    options.calls = parser.number("--calls", options.calls, 400)
    options.postgres = parser.postgres(options.postgres)
    return options


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
