"""Evidence: what was done, decided and received changes by the engine's own functions alone, whatever SQL comes."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from psycopg import errors as pg
from psycopg import sql

from holdfast import Contract, Holdfast

INVOICE = Contract(entity_type="invoice", document={"type": "object", "properties": {"number": {"type": "string"}}})
Row = dict[str, Any]

EVIDENCE: dict[str, frozenset[str]] = {
    "workflow_step_executions": frozenset(),
    "workflow_step_receipts": frozenset(),
    "workflow_outbox_receipts": frozenset(),
    "workflow_instances": frozenset(),
    "workflow_events_outbox": frozenset(),
    "workflow_side_effects_outbox": frozenset(),
    "workflow_event_chained": frozenset(),
    "workflow_event_plain": frozenset(),
    "approval_decisions": frozenset(),
    "entity_versions": frozenset(),
    "entity_readers": frozenset(),
    # Who is at it, and when somebody looks after it.
    "approval_requests": frozenset({"claimed_by", "tend_at", "escalate_at"}),
    # Content, which the trigger guard lets change with its snapshot only.
    "entities": frozenset(
        {
            "entity_version",
            "contract_version",
            "data",
            "content_hash",
            "version_id",
            "updated_at",
            "updated_by",
            "deleted_at",
        }
    ),
    # What the call gave, written once: the trigger guard.
    "workflow_action_receipt": frozenset({"output"}),
}
"""Protected tables, each with the columns that the application may nevertheless write."""

STATUS = ("status", "doc_status", "edit_window", "outcome", "applied", "voided_at", "settled_seq", "completed_at")
"""Columns that say how far something is, wherever they are."""

OWN_GUARD = {
    # By triggers: a draft is published once, with a second person where the tenant wants one, and archived once.
    ("workflow_definitions", "status"),
    # How far a computation is, which decides nothing.
    ("workflow_what_ifs", "status"),
    ("workflow_operation", "status"),
}


@pytest.fixture
async def decided(app: Holdfast) -> Holdfast:
    """An invoice that went all the way, so that every table has rows."""
    app.contracts.add(INVOICE)
    async with app.tenant("acme") as hold:
        await hold.definitions.register(INVOICE)
        for name in ("ben", "cat"):
            await hold.users.create(name, roles=["author", "approver"])
    async with app.tenant("acme", actor="ben") as hold:
        document = await hold.documents.create("invoice", {"number": "7"})
    await app.engine_worker().drain()
    async with app.tenant("acme", actor="ben") as hold:
        await hold.documents.transition(document.id, "submit")
    async with app.tenant("acme", actor="cat") as hold:
        [item] = (await hold.inbox.list()).items
        await hold.approvals.decide(item.id, "approved")
    return app


@pytest.fixture
async def statements(decided: Holdfast, superuser: psycopg.Connection[Row]) -> list[sql.Composed]:
    """For each protected table and its partitions: every column written as it is, and every row deleted."""
    found: list[sql.Composed] = []
    for table, allowed in EVIDENCE.items():
        names = superuser.execute(
            "SELECT c.oid::regclass::text AS name FROM pg_partition_tree(('holdfast.' || %s)::regclass) t "
            "JOIN pg_class c ON c.oid = t.relid",
            [table],
        ).fetchall() or [{"name": f"holdfast.{table}"}]
        columns = superuser.execute(
            "SELECT column_name FROM information_schema.columns "
            "WHERE table_schema = 'holdfast' AND table_name = %s AND is_generated = 'NEVER'",
            [table],
        ).fetchall()
        assert columns, table
        for name in names:
            target = sql.SQL(name["name"])
            found.append(sql.SQL("DELETE FROM {}").format(target))
            found.append(sql.SQL("TRUNCATE {}").format(target))
            found += [
                sql.SQL("UPDATE {} SET {column} = {column}").format(target, column=sql.Identifier(each["column_name"]))
                for each in columns
                if each["column_name"] not in allowed
            ]
    return found


async def test_no_statement_of_the_application_changes_evidence(
    decided: Holdfast, statements: list[sql.Composed]
) -> None:
    done: list[str] = []
    async with decided.tenant("acme") as hold:
        for statement in statements:
            try:
                async with hold.connection.transaction(force_rollback=True):
                    await hold.connection.execute(statement)
            except pg.InsufficientPrivilege:
                continue
            done.append(statement.as_string(None))
    assert done == []
    assert len(statements) > 250


async def test_no_status_anywhere_is_the_applications_to_write(
    decided: Holdfast, superuser: psycopg.Connection[Row]
) -> None:
    """Also in tables that come later: whoever gives such a right says here what guards it."""
    rows = superuser.execute(
        """
        SELECT table_name, column_name FROM information_schema.columns
        WHERE table_schema = 'holdfast' AND column_name = ANY (%s)
          AND has_column_privilege('holdfast_app', format('holdfast.%%I', table_name), column_name, 'UPDATE')
        """,
        [list(STATUS)],
    ).fetchall()
    assert {(row["table_name"], row["column_name"]) for row in rows} == OWN_GUARD


@pytest.mark.parametrize("table", ["workflow_step_executions", "workflow_instances", "approval_decisions"])
async def test_evidence_is_not_forged_either(decided: Holdfast, table: str) -> None:
    with pytest.raises(pg.InsufficientPrivilege):
        async with decided.tenant("acme") as hold:
            await hold.connection.execute(
                sql.SQL("INSERT INTO {table} (tenant, id) SELECT tenant, id FROM {table}").format(
                    table=sql.Identifier("holdfast", table)
                )
            )


async def test_what_is_written_in_the_first_place_is_written_by_functions(
    decided: Holdfast, superuser: psycopg.Connection[Row]
) -> None:
    """Content and answers of actions are the application's; triggers look at each. An effect begins as one not sent."""
    rows = superuser.execute(
        "SELECT name FROM unnest(%s::text[]) n (name) "
        "WHERE has_table_privilege('holdfast_app', 'holdfast.' || name, 'INSERT')",
        [list(EVIDENCE)],
    ).fetchall()
    assert {row["name"] for row in rows} == {"entities", "entity_versions", "workflow_action_receipt"}
    forged = """
        INSERT INTO holdfast.workflow_outbox_receipts (tenant, instance_id, source_table, event_idempotency_key)
        SELECT tenant, id, 'side_effects', repeat('a', 64) FROM holdfast.workflow_instances"""
    sent = """
        INSERT INTO holdfast.workflow_side_effects_outbox (tenant, id, status, response_json)
        SELECT tenant, id, 'completed', '{"status": 200}' FROM holdfast.workflow_instances"""
    for statement in (forged, sent):
        with pytest.raises(pg.InsufficientPrivilege):
            async with decided.tenant("acme") as hold:
                await hold.connection.execute(statement)


@pytest.mark.parametrize("change", ["output_json = '{}'", "error = '{}'", "outcome = 'x'", "settled_by = 'x'"])
async def test_a_settled_step_keeps_what_it_gave_whoever_comes(
    decided: Holdfast, superuser: psycopg.Connection[Row], change: str
) -> None:
    """Also from those who own the tables: the trigger says no."""
    with pytest.raises(psycopg.Error, match="never change"):
        superuser.execute(f"UPDATE holdfast.workflow_step_executions SET {change} WHERE status = 'completed'")
