"""Sessions beside LangGraph's own Postgres saver: the same graph of ten nodes, eight sessions at a time.

    python -m bench.sessions --n 100 --rounds 3

Everybody executes the same compiled graph with `durability="sync"` on the same Postgres with full durability, in
interleaved rounds, each in a fresh database. holdfast does more for it: sessions come from its queue, every checkpoint
is fenced and written together with a message, and the state machine, the events and the output are stored. The saver is
measured as its documentation sets it up, with one connection, and with a pool of eight; the in-memory saver shows what
LangGraph itself costs. Prints one table and writes `bench/results/sessions.jsonl`.
"""

from __future__ import annotations

import asyncio
import operator
import platform
import random
import string
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Annotated, Any, TypedDict

import psycopg
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, StateGraph
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from bench._harness.options import Parser
from bench._harness.results import Column, Figures, table
from bench._harness.server import Server, started
from holdfast import Holdfast

NODES = 10
CHECKPOINTS = NODES + 2  # the input, and the step that LangGraph puts before the first node
AT_ONCE = 8
COLUMNS = [
    Column("probe_commits_per_s", "probe/s"),
    Column("sessions_per_s", "sessions/s", 1),
    Column("checkpoints_per_s", "checkpoints/s"),
    Column("commits_per_session", "commits/session", 1),
    Column("wal_bytes_per_session", "WAL B/session"),
    Column("bytes_per_session", "B/session"),
    Column("pruned_bytes_per_session", "B pruned"),
    Column("pruned_to_live", "pruned ÷ live", 2),
]


class State(TypedDict):
    """A counter, a growing log, and a document that every node rewrites."""

    n: int
    log: Annotated[list[str], operator.add]
    document: dict[str, str]


def build() -> StateGraph[Any]:
    """Ten nodes, one after the other, that cost nothing themselves."""
    graph = StateGraph(State)
    before = START
    for place in range(NODES):

        async def node(state: State, place: int = place) -> dict[str, Any]:
            document = state["document"] | {f"field {place}": text(200)}
            return {"n": state["n"] + 1, "log": [f"node {place} wrote {len(document)} fields"], "document": document}

        graph.add_node(f"node-{place}", node)
        graph.add_edge(before, f"node-{place}")
        before = f"node-{place}"
    graph.add_edge(before, END)
    return graph


def text(length: int) -> str:
    return "".join(random.choices(string.ascii_letters, k=length))


def given() -> State:
    return {"n": 0, "log": [], "document": {f"field {place}": text(200) for place in range(20)}}


Drive = Callable[[int], Awaitable[float]]


@asynccontextmanager
async def holdfast(dsn: str) -> AsyncIterator[Drive]:
    """Sessions from the queue, executed by one worker."""
    app = Holdfast(dsn=dsn, migrate="always", pool_max=16)
    app.graph("bench", build)
    async with app:
        await app.tenants.create("bench")

        async def drive(count: int) -> float:
            async with app.tenant("bench") as hold:
                for _ in range(count):
                    await hold.sessions.start("bench", given())
            worker = app.worker(concurrency=AT_ONCE)
            began = time.perf_counter()
            working = asyncio.create_task(worker.run())
            while await _unfinished(app):  # noqa: ASYNC110 - another part of the process ends them
                await asyncio.sleep(0.03)
            seconds = time.perf_counter() - began
            worker.stop()
            await working
            return seconds

        yield drive


async def _unfinished(app: Holdfast) -> bool:
    async with app.database.connection() as connection:
        row = await (await connection.execute("SELECT holdfast.count_active_sessions('bench') AS left_over")).fetchone()
    return row is not None and row[0] > 0


def _driven(graph: Any) -> Drive:
    async def drive(count: int) -> float:
        numbers = iter([(number, given()) for number in range(count)])

        async def one_after_the_other() -> None:
            for number, state in numbers:
                thread = f"{id(numbers)}-{number}"
                await graph.ainvoke(state, {"configurable": {"thread_id": thread}}, durability="sync")

        began = time.perf_counter()
        await asyncio.gather(*(one_after_the_other() for _ in range(AT_ONCE)))
        return time.perf_counter() - began

    return drive


@asynccontextmanager
async def stock(dsn: str) -> AsyncIterator[Drive]:
    """As the saver's documentation sets it up."""
    async with AsyncPostgresSaver.from_conn_string(dsn) as saver:
        await saver.setup()
        yield _driven(build().compile(checkpointer=saver))


@asynccontextmanager
async def pooled(dsn: str) -> AsyncIterator[Drive]:
    """The same with a connection for each session that runs at a time."""
    arguments = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    pool: AsyncConnectionPool[psycopg.AsyncConnection[DictRow]] = AsyncConnectionPool(
        dsn, min_size=AT_ONCE, max_size=AT_ONCE, kwargs=arguments, open=False
    )
    async with pool:
        saver = AsyncPostgresSaver(pool)
        await saver.setup()
        yield _driven(build().compile(checkpointer=saver))


@asynccontextmanager
async def in_memory(_: str) -> AsyncIterator[Drive]:
    """No database at all: the limit that LangGraph itself sets."""
    yield _driven(build().compile(checkpointer=InMemorySaver()))


SUBJECTS = {
    "holdfast": holdfast,
    "AsyncPostgresSaver": stock,
    "AsyncPostgresSaver, pool of 8": pooled,
    "InMemorySaver": in_memory,
}
KNOWN_PEERS = tuple(SUBJECTS)

STORED = """
    SELECT (SELECT coalesce(sum(pg_column_size(c.*)), 0) FROM {schema}.checkpoints c)
         + (SELECT coalesce(sum(pg_column_size(b.*)), 0) FROM {schema}.checkpoint_blobs b)
         + (SELECT coalesce(sum(pg_column_size(w.*)), 0) FROM {schema}.checkpoint_writes w)
"""


async def measure(server: Server, subject: str, count: int) -> dict[str, float]:
    """One subject in a fresh database."""
    name = "bench_sessions"
    dsn = server.create(name)
    async with SUBJECTS[subject](dsn) as drive:
        await drive(AT_ONCE * 2)
        server.settle(name)
        commits, wal = server.commits(name), server.wal_bytes()
        seconds = await drive(count)
        wal = server.wal_bytes() - wal
    server.left_alone(name)
    found = {"sessions_per_s": count / seconds, "checkpoints_per_s": count * CHECKPOINTS / seconds}
    if subject != "InMemorySaver":
        found["commits_per_session"] = (server.commits(name) - commits) / count
        found["wal_bytes_per_session"] = wal / count
        found |= _stored(dsn, "holdfast_langgraph" if subject == "holdfast" else "public", count + AT_ONCE * 2)
    server.drop(name)
    return found


def _stored(dsn: str, schema: str, sessions: int) -> dict[str, float]:
    live = len(JsonPlusSerializer().dumps_typed(given() | {f"field {place}": text(200) for place in range(10)})[1])
    with psycopg.connect(dsn, autocommit=True) as connection:

        def stored() -> float:
            row = connection.execute(STORED.format(schema=schema)).fetchone()
            assert row is not None
            return float(row[0]) / sessions

        found = {"bytes_per_session": stored()}
        if schema == "holdfast_langgraph":
            connection.execute(
                "SELECT holdfast.keep_latest_checkpoint(holdfast.thread_of(project_name, session_name), NULL) "
                "FROM holdfast.workflow_sessions"
            )
            found["pruned_bytes_per_session"] = stored()
            found["pruned_to_live"] = found["pruned_bytes_per_session"] / live
    return found


def main() -> None:
    """Measure, print one table, write one line a figure."""
    parser = Parser(
        "bench.sessions",
        "Sessions beside LangGraph's saver.",
        peers="comma-separated subjects; default all; none for none",
        n="sessions a round, default 150",
        rounds="rounds, default 3",
    )
    parser.add_argument("--postgres", default="", help="major version: 15 (Debian's) or 18 (embedded)")
    options = parser.parse_args()
    count, rounds = parser.number("N", options.n, 150), parser.number("ROUNDS", options.rounds, 3)
    major = parser.postgres(options.postgres)
    wanted = parser.peers(options.peers, KNOWN_PEERS)
    subjects = [name for name in SUBJECTS if not wanted or name == "holdfast" or name in wanted]
    figures = Figures("sessions")
    with started(major) as server:
        for turn in range(1, rounds + 1):
            for subject in subjects:
                figures.add(subject, "probe_commits_per_s", server.durable_commits_per_s(), turn)
                for metric, value in asyncio.run(measure(server, subject, count)).items():
                    figures.add(subject, metric, value, turn)
                rate = figures.values[subject, "checkpoints_per_s"][-1]
                print(f"round {turn} {subject}: {rate:,.0f} checkpoints/s", file=sys.stderr, flush=True)
        postgres = server.version
    print()
    print(table(figures, subjects, COLUMNS, base="holdfast"))
    print(
        f"\nMedian of {rounds} rounds ±half the spread, and the ratio to holdfast. {count} sessions of {NODES} nodes,"
    )
    print(f"{AT_ONCE} at a time, {CHECKPOINTS} checkpoints each.")
    libraries = ", ".join(f"{name} {version(name)}" for name in ("langgraph", "langgraph-checkpoint-postgres"))
    print(f"{datetime.now(UTC):%Y-%m-%d}, Postgres {postgres}, Python {platform.python_version()}; {libraries}.")


if __name__ == "__main__":
    main()
