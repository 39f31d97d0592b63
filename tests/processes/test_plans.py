"""What the engine does again and again reads the rows it needs and nothing else, however many there are."""

from __future__ import annotations

from typing import Any, LiteralString
from uuid import UUID

import psycopg
import pytest

from holdfast.postgres.queries import queries
from processes.shop import Shop, passing, ways

MANY = 20_000
FEW_PAGES = 300  # the tables fill some thousands
_SQL = queries("processes")


@pytest.fixture
async def crowded(shop: Shop, superuser: psycopg.Connection[Any]) -> UUID:
    """A tenant with many instances, steps and events beside the one in question, known to the planner."""
    await shop.publish(passing(("q", "ask", {}), edges=ways("in -> q", "q -> pass")))
    instance = await shop.submit(await shop.invoice())
    superuser.execute(
        "INSERT INTO holdfast.workflow_instances (tenant, id, definition_id, definition_version, compiled_hash, "
        "entity_type, subject_id, status, current_nodes, state, created_by, timeout_at) "
        "SELECT i.tenant, gen_random_uuid(), i.definition_id, i.definition_version, i.compiled_hash, i.entity_type, "
        "'s' || n, 'running', i.current_nodes, i.state, 'x', now() + interval '1 day' "
        "FROM holdfast.workflow_instances i, generate_series(1, %s) n WHERE i.id = %s",
        [MANY, instance],
    )
    superuser.execute(
        "INSERT INTO holdfast.workflow_step_executions (tenant, created_at, id, instance_id, node_id, node_type, "
        "token_id, entity_version, status, idempotency_key, opened_seq, waited, waiting_for_event_key) "
        "SELECT i.tenant, now() - n * interval '1 ms', gen_random_uuid(), i.id, 'n', 'wait_event', 'main', 1, "
        "'pending', encode(sha256(convert_to(i.id::text, 'UTF8')), 'hex'), 1, 'pending', 'key:' || n "
        "FROM (SELECT *, row_number() OVER () AS n FROM holdfast.workflow_instances) i WHERE i.id <> %s",
        [instance],
    )
    superuser.execute(
        "INSERT INTO holdfast.workflow_events_outbox (tenant, id, instance_id, entity_version, event_type, "
        "event_idempotency_key, actor, status, completed_at) "
        "SELECT i.tenant, gen_random_uuid(), i.id, 1, 'advance', "
        "encode(sha256(convert_to(i.id::text, 'UTF8')), 'hex'), "
        '\'{"kind": "system", "name": "x"}\', CASE WHEN n < 200 THEN \'pending\' ELSE \'completed\' END, now() '
        "FROM (SELECT *, row_number() OVER () AS n FROM holdfast.workflow_instances) i"
    )
    # Left for a worker that nobody starts.
    superuser.execute(
        "INSERT INTO holdfast.workflow_events_outbox (tenant, id, instance_id, entity_version, event_type, "
        "event_idempotency_key, actor, next_retry_at, needs) "
        "SELECT i.tenant, gen_random_uuid(), i.id, 1, 'take_step', "
        "encode(sha256(convert_to('left' || i.id::text, 'UTF8')), 'hex'), "
        '\'{"kind": "system", "name": "x"}\', now() - interval \'1 hour\', \'action:unheard_of\' '
        "FROM holdfast.workflow_instances i LIMIT 5000"
    )
    for table in ("workflow_instances", "workflow_step_executions", "workflow_events_outbox"):
        superuser.execute(f"VACUUM ANALYZE holdfast.{table}")
    row = superuser.execute("SELECT tenant FROM holdfast.workflow_instances WHERE id = %s", [instance]).fetchone()
    assert row is not None
    superuser.execute("SELECT set_config('holdfast.tenant', %s, false)", [str(row["tenant"])])
    return instance


def pages(superuser: psycopg.Connection[Any], statement: str, values: Any = None) -> int:
    """How many pages a statement touches once its plan is made."""
    found = []
    for _ in range(3):
        superuser.execute("BEGIN")
        row = superuser.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", values).fetchone()
        superuser.execute("ROLLBACK")
        assert row is not None
        plan = row["QUERY PLAN"][0]["Plan"]
        found.append(int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"]))
    return min(found)


async def test_an_advance_never_scans(crowded: UUID, superuser: psycopg.Connection[Any]) -> None:
    assert pages(superuser, "SELECT * FROM holdfast.open_instances(ARRAY[%s]::uuid[], true)", [crowded]) < FEW_PAGES
    some = superuser.execute(
        "SELECT id, created_at, instance_id FROM holdfast.workflow_step_executions WHERE node_id = 'n' LIMIT 5"
    ).fetchall()
    settled = [
        {"id": str(each["id"]), "opened_at": str(each["created_at"]), "status": "completed", "outcome": "completed"}
        | {"completed_at": str(each["created_at"]), "output": {}, "settled_seq": 2, "settled_by": "x"}
        for each in some
    ]
    moved = [
        {"id": str(each["instance_id"]), "read_version": 1, "status": "running", "state": {}, "active_tokens": []}
        | {"current_nodes": [], "context_json": {}, "entity_version": 1, "edit_window": "editable"}
        for each in some
    ]
    write = "SELECT holdfast.write_advance(NULL, %s, NULL, NULL, %s, NULL, NULL, NULL, NULL, now())"
    values = [psycopg.types.json.Jsonb(settled), psycopg.types.json.Jsonb(moved)]
    assert pages(superuser, write, values) < FEW_PAGES


async def test_claiming_and_tending_never_scan(crowded: UUID, superuser: psycopg.Connection[Any]) -> None:
    claim = "SELECT * FROM holdfast.claim_events('w', 5, '1 minute', now(), ARRAY['action:a', 'action:b'])"
    assert pages(superuser, claim) < FEW_PAGES
    assert pages(superuser, "SELECT holdfast.tend_events(now())") < FEW_PAGES


HOT: list[tuple[LiteralString, dict[str, Any]]] = [
    ("instance_version", {}),
    ("waiting_for", {"key": "key:77"}),
    ("find_active", {"workflow_id": "invoice", "limit": 20}),
    ("find_active", {"limit": 20}),
    ("find_active", {"subject_id": "s77", "limit": 20}),
    ("find_expired", {"limit": 20}),
    (
        "list_instances",
        {"limit": 20, **dict.fromkeys(("doc_status", "node", "started_before", "updated_before", "fields"))},
    ),
    ("list_steps", {"after": -1, "limit": 100}),
    ("history", {}),
    ("dead_letters", {"limit": 20, "event_type": None, "instance_id": None, "before": None, "before_at": None}),
]


async def test_looking_never_scans(crowded: UUID, superuser: psycopg.Connection[Any]) -> None:
    row = superuser.execute("SELECT current_setting('holdfast.tenant')::uuid AS tenant").fetchone()
    assert row is not None
    open_ended = dict.fromkeys(
        ("status", "workflow_id", "subject_id", "partition_id", "document_id", "before_at", "before", "now")
    )
    touched = {
        (name, *values.values()): pages(
            superuser, _SQL[name], {**open_ended, "tenant": row["tenant"], "id": crowded, **values}
        )
        for name, values in HOT
    }
    assert {name: count for name, count in touched.items() if count >= FEW_PAGES} == {}


async def test_a_plan_made_for_an_empty_table_is_made_anew_when_it_has_grown(
    shop: Shop, superuser: psycopg.Connection[Any]
) -> None:
    await shop.publish(passing(("q", "ask", {}), edges=ways("in -> q", "q -> pass")))
    instance = await shop.submit(await shop.invoice())
    row = superuser.execute("SELECT tenant FROM holdfast.workflow_instances WHERE id = %s", [instance]).fetchone()
    assert row is not None
    superuser.execute("SELECT set_config('holdfast.tenant', %s, false)", [str(row["tenant"])])
    leaves = superuser.execute(
        "SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid "
        "WHERE i.inhparent = 'holdfast.workflow_step_executions'::regclass"
    ).fetchall()
    for leaf in leaves:  # nobody else comes by meanwhile
        superuser.execute(f"ALTER TABLE {leaf['name']} SET (autovacuum_enabled = off)")
    settle = "SELECT holdfast.write_advance(NULL, %s, NULL, NULL, NULL, NULL, NULL, NULL, NULL, now())"
    (open_step,) = superuser.execute(
        "SELECT id, created_at FROM holdfast.workflow_step_executions WHERE settled_seq IS NULL AND node_type = 'ask'"
    ).fetchall()
    given: dict[str, Any] = {
        "id": str(open_step["id"]),
        "opened_at": str(open_step["created_at"]),
        "status": "completed",
    }
    given |= {"outcome": "completed", "completed_at": str(open_step["created_at"]), "settled_seq": 99, "output": {}}
    values = [psycopg.types.json.Jsonb([given])]
    pages(superuser, settle, values)  # its plan is made, and kept
    superuser.execute(
        "INSERT INTO holdfast.workflow_step_executions (tenant, created_at, id, instance_id, node_id, node_type, "
        "token_id, entity_version, status, idempotency_key, opened_seq, waited) "
        "SELECT %s, now() - n * interval '1 us', gen_random_uuid(), gen_random_uuid(), 'n', 'ask', 'main', 1, "
        "'pending', encode(sha256(n::text::bytea), 'hex'), 1, 'pending' FROM generate_series(1, %s) n",
        [row["tenant"], MANY],
    )
    await shop.worker.look_at_growth()
    assert pages(superuser, settle, values) < FEW_PAGES
