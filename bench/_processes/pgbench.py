"""The limit: the statements that one step cannot do without, run by Postgres's own pgbench on one connection.

Take the instance's lock, write a receipt and the step, move the instance; one transaction. No definition, no document,
no decision, no audit: an engine that comes near is good.

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
INSERT INTO bare_instance SELECT n, 1, '[{"id": "main", "node": "a", "state": "ready"}]', 'a'
FROM generate_series(1, 1000) n;
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


def main(dsn: str, n: int) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(TABLES)
        connection.execute("VACUUM ANALYZE")
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(STEP)
        script.flush()
        seconds = "5" if n >= 200 else "2"
        line = [os.environ["BENCH_PGBENCH"], "-n", "-M", "prepared", "-c", "1", "-T", seconds, "-f", script.name, dsn]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(done.stderr.strip())
    found = re.search(r"tps = ([0-9.]+)", done.stdout)
    assert found is not None, done.stdout
    sys.stdout.write(json.dumps({"steps_per_s": float(found[1])}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
