"""The limit: the statements any leased queue needs, run by Postgres's own pgbench with four connections.

One run at a time by default: claim, commit, complete, commit. Fast: the same in batches of 100. Nothing is retried,
scheduled, fenced or announced, so a queue that comes near is good.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg

from bench._harness.protocol import Adapter, Handled, Job, Payload, Producer, Ready, Schema, serve

CLIENTS = 4
BATCH = 100

TABLE = """
CREATE TABLE bare_run (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  status smallint NOT NULL DEFAULT 0,
  attempt integer NOT NULL DEFAULT 0,
  run_at timestamptz NOT NULL DEFAULT now(),
  leased_until timestamptz,
  finished_at timestamptz,
  payload jsonb NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX bare_run_pending ON bare_run (run_at, id) WHERE status = 0;
CREATE INDEX bare_run_leased ON bare_run (leased_until) WHERE status = 1;
"""

CLAIM = """
UPDATE bare_run SET status = 1, attempt = attempt + 1, leased_until = now() + interval '1 minute'
WHERE id = ANY (ARRAY(
  SELECT id FROM bare_run WHERE status = 0 AND run_at <= now() ORDER BY run_at, id LIMIT {limit} FOR UPDATE SKIP LOCKED
)) RETURNING id
"""
COMPLETE = "UPDATE bare_run SET status = 2, finished_at = now(), leased_until = NULL WHERE id = {ids} AND status = 1"

# pgbench reads a statement up to the end of its line when it ends in \gset.
ONE_BY_ONE = (
    f"WITH claimed AS ({CLAIM.format(limit=1)}) SELECT coalesce(max(id), 0) AS id FROM claimed \\gset\n"
    f"{COMPLETE.format(ids=':id')};\n"
)
IN_BATCHES = (
    f"WITH claimed AS ({CLAIM.format(limit=BATCH)}) "
    "SELECT coalesce(array_agg(id)::text, '{}') AS ids FROM claimed \\gset\n"
    f"{COMPLETE.format(ids='ANY (:ids::bigint[])')};\n"
)


def setup(job: Job) -> Schema:
    with psycopg.connect(job.dsn, autocommit=True) as connection:
        connection.execute(TABLE)
        row = connection.execute("SHOW server_version").fetchone()
    return Schema(
        unfinished="SELECT count(*) FROM bare_run WHERE status < 2",
        succeeded="SELECT count(*) FROM bare_run WHERE status = 2",
        version="" if row is None else str(row[0]).split()[0],
    )


@asynccontextmanager
async def producer(job: Job) -> AsyncIterator[Producer]:
    with psycopg.connect(job.dsn, autocommit=True) as connection:

        async def enqueue(payload: Payload) -> None:
            connection.execute(
                "INSERT INTO bare_run (payload) VALUES (jsonb_build_object('i', %s::int))", (payload["i"],)
            )

        async def enqueue_many(payloads: list[Payload]) -> None:
            with connection.cursor().copy("COPY bare_run (payload) FROM STDIN") as copy:
                copy.write("".join(f'{{"i": {payload["i"]}}}\n' for payload in payloads))

        yield Producer(enqueue, enqueue_many)


def work(job: Job, ready: Ready, handled: Handled) -> None:
    turns = -(-job.n // ((BATCH if job.fast else 1) * CLIENTS))
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(IN_BATCHES if job.fast else ONE_BY_ONE)
        script.flush()
        command = [program(), "--no-vacuum", "-M", "prepared", "-c", str(CLIENTS), "-t", str(turns), "-f", script.name]
        ready()
        subprocess.run([*command, job.dsn], check=True, stdin=subprocess.DEVNULL)
    # pgbench counts for the handler that is not there.
    for _ in range(job.n):
        handled()
    threading.Event().wait()


def program() -> str:
    return os.environ.get("BENCH_PGBENCH") or shutil.which("pgbench") or "pgbench"


if __name__ == "__main__":
    serve(Adapter(setup, producer, work))
