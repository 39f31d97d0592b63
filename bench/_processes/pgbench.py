"""The limit: the statements that a step or an approval cannot do without, run by Postgres's own pgbench.

A step, on one connection: take the instance's lock, write a receipt and the step, move the instance; one transaction.
No definition, no document, no decision, no audit: an engine that comes near is good.

An approval, on as many connections as people decide at once elsewhere: one transaction locks the instance, reads the
question, writes the decision, an audit line and what the engine is told, and closes the question; another takes that
up, writes a receipt, ends the step, begins the next, moves the instance and writes an audit line. Nobody is checked:
no constraint, no trigger, no policy, no Python.

Run as `pgbench.py DSN N`: prints one JSON object of figures.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile

import psycopg

TABLES = """
CREATE TABLE bare_instance (
  id bigint PRIMARY KEY, version int NOT NULL DEFAULT 1, tokens jsonb NOT NULL, node text NOT NULL);
CREATE TABLE bare_receipt (instance bigint, key text, PRIMARY KEY (instance, key));
CREATE TABLE bare_step (
  id uuid NOT NULL DEFAULT gen_random_uuid(), created_at timestamptz NOT NULL DEFAULT now(), instance bigint NOT NULL,
  node text NOT NULL, token text NOT NULL, status text NOT NULL, input jsonb, output jsonb,
  PRIMARY KEY (created_at, id));
CREATE INDEX bare_step_instance ON bare_step (instance, created_at);
CREATE TABLE bare_request (
  id bigint PRIMARY KEY, instance bigint NOT NULL, step uuid NOT NULL, status text NOT NULL DEFAULT 'open',
  version int NOT NULL DEFAULT 1, hash text NOT NULL DEFAULT repeat('a', 64), asked text NOT NULL DEFAULT 'user:ben');
CREATE TABLE bare_decision (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(), request bigint NOT NULL, decision text NOT NULL,
  decided_by text NOT NULL, version int NOT NULL, hash text NOT NULL, decided_at timestamptz NOT NULL DEFAULT now());
CREATE INDEX bare_decision_request ON bare_decision (request);
CREATE TABLE bare_event (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(), instance bigint NOT NULL, kind text NOT NULL, data jsonb NOT NULL,
  status text NOT NULL DEFAULT 'pending', created_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE bare_audit (
  seq bigserial PRIMARY KEY, instance bigint NOT NULL, kind text NOT NULL, actor text NOT NULL, data jsonb NOT NULL,
  at timestamptz NOT NULL DEFAULT now());
INSERT INTO bare_instance SELECT n, 1, '[{"id": "main", "node": "a", "state": "ready"}]', 'a'
FROM generate_series(1, 1000) n;
INSERT INTO bare_step (instance, node, token, status, input)
SELECT n, 'finance', 'main', 'waiting', '{}' FROM generate_series(1, 1000) n;
INSERT INTO bare_request (id, instance, step) SELECT instance, instance, id FROM bare_step;
"""
STEP = """
\\set i random(1, 1000)
BEGIN;
SELECT pg_advisory_xact_lock(:i::bigint), tokens FROM bare_instance WHERE id = :i;
INSERT INTO bare_receipt VALUES (:i, encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex'))
  ON CONFLICT DO NOTHING;
INSERT INTO bare_step (instance, node, token, status, input, output)
  VALUES (:i, 's1', 'main', 'completed', '{}', '{"set": {"n": 1}, "chosen_edge_ids": ["e1"]}');
UPDATE bare_instance SET version = version + 1, node = 'b', tokens = '[{"id": "main", "node": "b", "state": "ready"}]'
  WHERE id = :i;
COMMIT;
"""
APPROVAL = """
\\set i random(1, 1000)
BEGIN;
SELECT pg_advisory_xact_lock(:i::bigint), status, version, hash, asked FROM bare_request WHERE id = :i;
INSERT INTO bare_decision (request, decision, decided_by, version, hash)
  VALUES (:i, 'approved', 'ben', 1, repeat('a', 64));
UPDATE bare_request SET status = 'approved' WHERE id = :i;
INSERT INTO bare_audit (instance, kind, actor, data)
  VALUES (:i, 'approval.decided', 'ben', '{"decision": "approved"}');
INSERT INTO bare_event (instance, kind, data)
  VALUES (:i, 'advance', '{"outcome": "approved"}') RETURNING id AS event \\gset
COMMIT;
BEGIN;
UPDATE bare_event SET status = 'processing' WHERE id = :event::uuid;
SELECT pg_advisory_xact_lock(:i::bigint), tokens FROM bare_instance WHERE id = :i;
INSERT INTO bare_receipt VALUES (:i, encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex'))
  ON CONFLICT DO NOTHING;
UPDATE bare_step SET status = 'completed', output = '{"outcome": "approved"}'
  WHERE id = (SELECT step FROM bare_request WHERE id = :i) AND instance = :i;
INSERT INTO bare_step (instance, node, token, status, input) VALUES (:i, 'join', 'main', 'completed', '{}');
UPDATE bare_instance SET version = version + 1, node = 'b', tokens = '[{"id": "main", "node": "b", "state": "ready"}]'
  WHERE id = :i;
INSERT INTO bare_audit (instance, kind, actor, data) VALUES (:i, 'instance.advanced', 'system', '{"step": "finance"}');
UPDATE bare_event SET status = 'completed' WHERE id = :event::uuid;
COMMIT;
"""
CLIENTS = 4


def main(dsn: str, n: int) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(TABLES)
        connection.execute("VACUUM ANALYZE")
    seconds = 5 if n >= 200 else 2
    figures = {
        "steps_per_s": transactions(dsn, STEP, 1, seconds),
        "approvals_per_s": transactions(dsn, APPROVAL, CLIENTS, seconds),
    }
    sys.stdout.write(json.dumps(figures) + "\n")


def transactions(dsn: str, script: str, clients: int, seconds: int) -> float:
    """How often a second a script is gone through."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        line = [os.environ["BENCH_PGBENCH"], "-n", "-M", "prepared", "-c", str(clients), "-T", str(seconds)]
        done = subprocess.run([*line, "-f", file.name, dsn], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.stderr.strip())
    found = re.search(r"tps = ([0-9.]+)", done.stdout)
    assert found is not None, done.stdout
    return float(found[1])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
