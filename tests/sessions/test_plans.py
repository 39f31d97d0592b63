"""What is done for every checkpoint and every reader touches few pages, however much there is already."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from holdfast import Holdfast
from holdfast.postgres.queries import queries

Row = dict[str, Any]
SESSIONS = 3_000
MESSAGES = 20_000
FEW_PAGES = 150


@pytest.fixture
async def crowded(app: Holdfast, superuser: psycopg.Connection[Row]) -> UUID:
    """A tenant with many sessions, one of which has many messages and checkpoints."""
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
    superuser.execute(
        "INSERT INTO holdfast.workflow_sessions (tenant, id, project_name, session_name, workflow_name, "
        "definition_revision, input_data, created_by, run_id) SELECT %s, gen_random_uuid(), '', 's' || n, "
        "'w' || n %% 50, 1, '{}', 'x', gen_random_uuid() FROM generate_series(1, %s) n",
        [tenant, SESSIONS],
    )
    superuser.execute(
        "UPDATE holdfast.workflow_sessions SET status = 'running', run_epoch = 1, last_sequence = %s", [MESSAGES]
    )
    superuser.execute(
        "INSERT INTO holdfast.workflow_run_live (tenant, id, type, status, payload, run_at, lease_epoch, lease_until, "
        "leased_by, created_by) SELECT tenant, run_id, 'session.execute.v1.w', 'leased', '{}', now(), 1, now(), 'x', "
        "'x' FROM holdfast.workflow_sessions"
    )
    superuser.execute(
        "INSERT INTO holdfast.session_messages (tenant, workflow_session_id, message_type, content, sequence_number) "
        "SELECT tenant, id, 'agent', jsonb_build_object('message', ''), n "
        "FROM holdfast.workflow_sessions, generate_series(1, %s) n "
        "WHERE session_name = 's7'",
        [MESSAGES],
    )
    superuser.execute(
        "INSERT INTO holdfast_langgraph.checkpoints (thread_id, checkpoint_id, checkpoint) "
        "SELECT 'project-acme:session-s' || n % 100, n::text, '{\"channel_versions\": {}}' "
        "FROM generate_series(1, 20000) n"
    )
    superuser.execute("VACUUM ANALYZE")
    return tenant


def pages(superuser: psycopg.Connection[Row], statement: Any, values: Any) -> int:
    row = superuser.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", values).fetchone()
    assert row is not None
    plan = row["QUERY PLAN"][0]["Plan"]
    return int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"])


def document(one: Row, number: int) -> str:
    body = {"ts": "2026-01-01T00:00:00Z", "channel_versions": {"a": str(number)}}
    return json.dumps(
        [
            {
                "tenant": str(one["tenant"]),
                "session": str(one["id"]),
                "run": str(one["run_id"]),
                "epoch": 1,
                "input": None,
                "checkpoints": [{"space": "", "id": f"x{number}", "parent": None, "body": body, "meta": {}}],
                "blobs": [
                    {"space": "", "channel": "a", "version": str(number), "type": "msgpack", "first": 1, "size": 1}
                ],
                "writes": [],
                "marks": [],
                "messages": [{"id": str(uuid4()), "type": "agent", "content": {"message": "x"}}],
            }
        ]
    )


async def test_a_save_touches_few_pages(crowded: UUID, superuser: psycopg.Connection[Row]) -> None:
    one = superuser.execute("SELECT * FROM holdfast.workflow_sessions WHERE session_name = 's7'").fetchone()
    assert one is not None
    statement = "SELECT * FROM holdfast.save_sessions(%s, '\\x00', false, now())"
    counted = [pages(superuser, statement, [document(one, number)]) for number in range(9)]
    # The first call also reads the catalogue; later ones are past the point at which Postgres would change the plan.
    assert max(counted[2:]) < FEW_PAGES
    saved = superuser.execute(
        "SELECT last_sequence FROM holdfast.workflow_sessions WHERE session_name = 's7'"
    ).fetchone()
    assert saved == {"last_sequence": MESSAGES + 9}


async def test_reading_touches_few_pages(crowded: UUID, superuser: psycopg.Connection[Row]) -> None:
    sql = queries("sessions")
    one = superuser.execute("SELECT id FROM holdfast.workflow_sessions WHERE session_name = 's7'").fetchone()
    assert one is not None
    own: Row = {"tenant": crowded, "session": one["id"], "name": "s7", "now": None}
    reads: dict[str, Row] = {
        "messages": {"after": MESSAGES - 20, "type": None, "limit": 500},
        "find": {},
        "list": {"before": None, "status": None, "workflow": None, "limit": 50},
        "prompts": {"open_only": True},
        "checkpoints": {"project": "acme", "before": None, "limit": 20},
        "load_checkpoints": {
            "thread": "project-acme:session-s7",
            "space": "",
            "checkpoint": None,
            "before": None,
            "filter": None,
            "limit": 1,
        },
    }
    for name, values in reads.items():
        # The connection has prepared nothing: the first time is the worst.
        assert min(pages(superuser, sql[name], own | values) for _ in range(3)) < FEW_PAGES, name
