"""What is done to one document reads that document, however many there are beside it."""

from __future__ import annotations

import re
from typing import Any, LiteralString
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

from holdfast.postgres.queries import queries

from .conftest import OpenDesk, invoice

MANY = 20_000
FEW_PAGES = 60  # the documents alone fill more than a thousand
_SQL = queries("documents")


@pytest.fixture
async def document(desk: OpenDesk, superuser: psycopg.Connection[Any]) -> UUID:
    """One document among many, each with a process, known to the planner; nearly all are active."""
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
        tenant = at.tx.tenant.id
    superuser.execute("SET session_replication_role = replica")
    superuser.execute(
        "WITH made AS (INSERT INTO holdfast.entities (tenant, id, entity_type, doc_status, contract_version, data, "
        "content_hash, version_id, created_by, updated_by) SELECT e.tenant, gen_random_uuid(), e.entity_type, "
        "CASE WHEN n < 20 THEN 'submitted' ELSE 'active' END, 1, e.data, e.content_hash, gen_random_uuid(), 'x', 'x' "
        "FROM holdfast.entities e, generate_series(1, %s) n WHERE e.id = %s RETURNING *) "
        "INSERT INTO holdfast.entity_versions (tenant, id, entity_id, version, contract_version, doc_status, data, "
        "content_hash, created_by) SELECT tenant, version_id, id, 1, 1, doc_status, data, content_hash, 'x' FROM made",
        [MANY, made.id],
    )
    superuser.execute(
        "INSERT INTO holdfast.workflow_instances (tenant, id, definition_id, definition_version, compiled_hash, "
        "entity_type, entity_id, created_by) SELECT e.tenant, gen_random_uuid(), e.id, 1, e.content_hash, "
        "e.entity_type, e.id, 'x' FROM holdfast.entities e"
    )
    superuser.execute("SET session_replication_role = origin")
    for table in ("entities", "entity_versions", "workflow_instances"):
        superuser.execute(sql.SQL("VACUUM ANALYZE {}").format(sql.Identifier("holdfast", table)))
    superuser.execute("SELECT set_config('holdfast.tenant', %s, false)", [str(tenant)])
    # The plan that would be taken for ever, not the one for the first few calls.
    superuser.execute("SET plan_cache_mode = force_generic_plan")
    return made.id


def pages(superuser: psycopg.Connection[Any], query: LiteralString, **values: Any) -> int:
    """How many pages a statement touches with the plan that fits every value."""
    tenant = superuser.execute("SELECT current_setting('holdfast.tenant') AS tenant").fetchone()
    assert tenant is not None
    given = {"tenant": UUID(tenant["tenant"]), "now": None, **values}
    names = list(dict.fromkeys(re.findall(r"%\((\w+)\)s", query)))
    text = re.sub(r"%\((\w+)\)s", lambda found: f"${names.index(found[1]) + 1}", query)
    superuser.execute(sql.SQL("PREPARE probe AS {}").format(sql.SQL(text)))
    literals = sql.SQL(", ").join(sql.Literal(given[name]) for name in names)
    counted = []
    for _ in range(3):
        row = superuser.execute(
            sql.SQL("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE probe ({})").format(literals)
        ).fetchone()
        assert row is not None
        plan = row["QUERY PLAN"][0]["Plan"]
        counted.append(int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"]))
    superuser.execute("DEALLOCATE probe")
    return counted[-1]


async def test_nothing_done_to_one_document_scans(document: UUID, superuser: psycopg.Connection[Any]) -> None:
    found = {
        "hold": pages(superuser, _SQL["hold_document"], id=document),
        "get": pages(superuser, _SQL["get_document"], id=document),
        "version": pages(superuser, _SQL["get_version"], document_id=document, version=1),
        "versions": pages(superuser, _SQL["list_versions"], document_id=document, seen=None, before=None, limit=50),
        "rules": pages(superuser, _SQL["active_rules"], entity_type="invoice", operations=["update"]),
    }
    assert max(found.values()) < FEW_PAGES, found


async def test_pages_of_lists_read_what_they_show(document: UUID, superuser: psycopg.Connection[Any]) -> None:
    middle = superuser.execute("SELECT id FROM holdfast.entities ORDER BY id DESC OFFSET %s LIMIT 1", [MANY // 2])
    row = middle.fetchone()
    assert row is not None
    found = {
        "first": pages(superuser, _SQL["list_documents"], entity_type="invoice", before=None, limit=10),
        "far": pages(superuser, _SQL["list_documents"], entity_type="invoice", before=row["id"], limit=10),
        "rare status": pages(
            superuser,
            _SQL["list_documents_in_status"],
            entity_type="invoice",
            doc_status="submitted",
            before=None,
            limit=10,
        ),
    }
    assert max(found.values()) < FEW_PAGES, found


async def test_what_somebody_made_or_is_asked_about_is_found_without_reading_the_rest(
    document: UUID, superuser: psycopg.Connection[Any]
) -> None:
    """Of many documents a role is asked about all, olga made five; each page reads about what it shows."""
    superuser.execute(
        "INSERT INTO holdfast.entity_readers SELECT tenant, 'role:finance', entity_type, id, version_id, 1 "
        "FROM holdfast.entities"
    )
    superuser.execute(
        "INSERT INTO holdfast.entity_readers SELECT tenant, 'user:olga', entity_type, id, id, 0 "
        "FROM holdfast.entities ORDER BY id LIMIT 5"
    )
    superuser.execute("VACUUM ANALYZE holdfast.entity_readers")
    names = {"may_approve": True, "made": True, "asked": True}
    listed = {"entity_type": "invoice", "doc_status": None, "before": None, "limit": 10, **names}
    found = {
        "made": pages(superuser, _SQL["list_involved"], me="olga", roles=["author"], **listed),
        "asked": pages(superuser, _SQL["list_involved"], me="ben", roles=["finance"], **listed),
        "one": pages(
            superuser, _SQL["involved"], types=["invoice"], ids=[document], me="o", roles=["finance"], **names
        ),
    }
    assert max(found.values()) < 2 * FEW_PAGES, found
