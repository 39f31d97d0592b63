"""An inbox, a decision and a claim read what they need and nothing else, however much there is."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest

from holdfast.kernel.json import dump
from holdfast.postgres.queries import queries
from people.office import Office

MANY = 20_000
NO_FILTERS = {"entity_type": None, "requester": None, "due_before": None}
FEW_PAGES = 600  # the requests alone fill more than a thousand


@pytest.fixture
async def crowded(office: Office, superuser: psycopg.Connection[Any]) -> UUID:
    """A tenant with long inboxes: of a role with thousands of open requests, and of thousands of other people."""
    async with office.app.tenant("acme") as hold:
        tenant = hold.tenant.id
    superuser.execute("SET session_replication_role = replica")  # rows alone; the guards have tests of their own
    superuser.execute(
        "INSERT INTO holdfast.approval_requests (tenant, id, kind, instance_id, step_id, step_key, node_id, token_id, "
        "entity_type, entity_version, compiled_hash, title, requester, required, outcomes, due_at, created_at) "
        "SELECT %(tenant)s, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'approval', "
        "gen_random_uuid(), gen_random_uuid(), encode(sha256(n::text::bytea), 'hex'), 'usr:slot:x:ask', 'main', "
        "'invoice', 1, 'x', 'Invoice ' || n, CASE WHEN n %% 2 = 0 THEN 'ben' ELSE 'ana' END, 'any', "
        "'{approved,rejected}', CASE WHEN n %% 3 = 0 THEN now() - n * interval '1 min' END, now() "
        "FROM generate_series(1, %(many)s) n",
        {"tenant": tenant, "many": MANY},
    )
    superuser.execute(
        "INSERT INTO holdfast.approval_assignees (tenant, request_id, principal, due_at, added_by) "
        "SELECT r.tenant, r.id, CASE WHEN r.ctid::text ~ '[05]\\)$' THEN 'role:finance_manager' "
        "ELSE 'user:u' || (random() * 2000)::int END, r.due_at, 'x' FROM holdfast.approval_requests r",
    )
    for table in ("approval_requests", "approval_assignees", "approval_decisions"):
        superuser.execute(f"VACUUM ANALYZE holdfast.{table}")
    return tenant


def pages(superuser: psycopg.Connection[Any], statement: str, values: dict[str, Any]) -> tuple[int, int]:
    """How many pages a statement touches, and how many rows it gives."""
    row = superuser.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", values).fetchone()
    assert row is not None
    plan = row["QUERY PLAN"][0]["Plan"]
    return int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"]), int(plan["Actual Rows"])


@pytest.mark.parametrize("query", ["inbox", "inbox_overdue"])
@pytest.mark.parametrize("page", ["first", "middle"])
async def test_an_inbox_reads_a_page_and_no_more(
    crowded: UUID, superuser: psycopg.Connection[Any], query: str, page: str
) -> None:
    after = UUID(f"00000000-0000-7000-8000-{MANY // 2:012x}") if page == "middle" else None
    values: dict[str, Any] = {
        "tenant": crowded,
        "me": "ben",
        "roles": ["approver", "finance_manager"],
        "may_approve": True,
        "which": None,
        "kind": None,
        **NO_FILTERS,
        "after": after,
        "after_due": None,
        "limit": 51,
        "now": None,
    }
    if query == "inbox_overdue" and after is not None:
        found = superuser.execute("SELECT now() - interval '2 days' AS due").fetchone()
        assert found is not None
        values["after_due"] = found["due"]
    counted = [pages(superuser, queries("people")[query], values) for _ in range(3)]
    touched, rows = counted[-1]
    assert rows == 51
    assert touched < FEW_PAGES, touched


async def test_an_empty_inbox_is_found_empty_at_once(crowded: UUID, superuser: psycopg.Connection[Any]) -> None:
    values = {"tenant": crowded, "me": "eve", "roles": ["approver"], "may_approve": True, "which": None, "kind": None}
    values |= {**NO_FILTERS, "after": None, "limit": 51, "now": None}
    touched, rows = [pages(superuser, queries("people")["inbox"], values) for _ in range(2)][-1]
    assert rows == 0
    assert touched < 50, touched


async def test_counting_reads_what_it_counts_and_no_more(crowded: UUID, superuser: psycopg.Connection[Any]) -> None:
    values = {"tenant": crowded, "me": "ben", "roles": ["finance_manager"], "may_approve": True, "kind": None}
    values |= {**NO_FILTERS, "most": 20, "now": None}
    touched, _ = [pages(superuser, queries("people")["inbox_counts"], values) for _ in range(2)][-1]
    assert touched < FEW_PAGES, touched


async def test_what_is_done_is_read_by_who_did_it(crowded: UUID, superuser: psycopg.Connection[Any]) -> None:
    superuser.execute(
        "INSERT INTO holdfast.approval_decisions (tenant, id, request_id, instance_id, step_key, entity_version, "
        "compiled_hash, decision, outcome, decided_by, seat) "
        "SELECT r.tenant, r.id, r.id, r.instance_id, r.step_key, 1, 'x', 'approved', 'approved', p.name, p.name "
        "FROM holdfast.approval_requests r, LATERAL (SELECT CASE WHEN right(r.id::text, 1) = '0' THEN 'ben' ELSE 'cat' "
        "END AS name) p"
    )
    superuser.execute("VACUUM ANALYZE holdfast.approval_decisions")
    values = {"tenant": crowded, "me": "ben", "kind": None, **NO_FILTERS, "after": None, "limit": 51, "now": None}
    touched, rows = [pages(superuser, queries("people")["inbox_done"], values) for _ in range(2)][-1]
    assert rows == 51
    assert touched < 1200, touched


async def test_using_decisions_and_closing_requests_never_scan(
    crowded: UUID, superuser: psycopg.Connection[Any]
) -> None:
    superuser.execute("SET session_replication_role = replica")
    superuser.execute(
        "INSERT INTO holdfast.approval_decisions (tenant, id, request_id, instance_id, step_key, entity_version, "
        "compiled_hash, decision, outcome, decided_by, seat) "
        "SELECT tenant, gen_random_uuid(), id, instance_id, step_key, 1, 'x', 'approved', 'approved', 'ben', 'ben' "
        "FROM holdfast.approval_requests"
    )
    superuser.execute("VACUUM ANALYZE holdfast.approval_decisions")
    superuser.execute("SELECT set_config('holdfast.tenant', %s, false)", [str(crowded)])
    superuser.execute(
        "UPDATE holdfast.approval_requests SET status = 'approved', outcome = 'approved', closed_at = now()"
    )
    some = superuser.execute("SELECT step_key FROM holdfast.approval_requests ORDER BY id LIMIT 15").fetchall()
    superuser.execute(
        "UPDATE holdfast.approval_requests SET status = 'open', outcome = NULL, closed_at = NULL "
        "WHERE step_key = ANY (%s)",
        [[row["step_key"] for row in some]],
    )
    superuser.execute("VACUUM ANALYZE holdfast.approval_requests")
    superuser.execute("SET session_replication_role = origin")  # The trail is chained by a trigger.
    rows = superuser.execute(
        "SELECT step_key, instance_id FROM holdfast.approval_requests WHERE status = 'approved' LIMIT 15"
    ).fetchall()
    for first in (0, 5, 10):  # the first times the plans are made, which reads the catalogue
        closing = [
            {"step_key": row["step_key"], "status": "cancelled", "reason": "over"} for row in some[first : first + 5]
        ]
        decided = [
            {"instance_id": row["instance_id"], "key": row["step_key"], "node": "ask", "outcome": "approved"}
            | {"gate": False, "compiled_hash": "x"}
            for row in rows[first : first + 5]
        ]
        # What was decided is used by a gate, which nobody was asked at.
        decided += [{**each, "key": "f" * 64, "gate": True, "used": [each["key"]]} for each in decided]
        values = {"tenant": crowded, "now": None, "actor": "system:process"}
        values |= {"closing": dump(closing), "decided": dump(decided)}
        touched, _ = pages(superuser, queries("people")["settle_requests"], values)
    row = superuser.execute("SELECT count(*) AS n FROM holdfast.approval_decisions WHERE applied").fetchone()
    assert row is not None
    assert row["n"] == 15
    assert touched < 2 * FEW_PAGES, touched


async def test_a_claim_of_effects_never_scans(office: Office, superuser: psycopg.Connection[Any]) -> None:
    async with office.app.tenant("acme") as hold:
        tenant = hold.tenant.id
    superuser.execute("INSERT INTO holdfast.workflow_effect_lane VALUES (%s)", [tenant])
    superuser.execute(
        "INSERT INTO holdfast.workflow_side_effects_outbox (tenant, id, instance_id, step_execution_id, step_key, "
        "node_id, token_id, effect_type, event_idempotency_key, created_by, status, completed_at) "
        "SELECT %s, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'x', 'n', 'main', 'webhook', "
        "encode(sha256(n::text::bytea), 'hex'), 'x', CASE WHEN n %% 2 = 0 THEN 'pending' ELSE 'completed' END, "
        "CASE WHEN n %% 2 = 1 THEN now() END FROM generate_series(1, %s) n",
        [tenant, MANY],
    )
    superuser.execute("VACUUM ANALYZE holdfast.workflow_side_effects_outbox")
    claim = "SELECT * FROM holdfast.claim_effects('w', '{webhook,in_app}', 10, 10, '{}', '60 s', now())"
    counted = [pages(superuser, claim, {}) for _ in range(5)]
    assert all(rows == 10 for _, rows in counted)
    assert max(touched for touched, _ in counted[2:]) < FEW_PAGES
