"""What the database itself refuses: every trigger, every right that was not given, every check, attacked with raw SQL.

The attacker has the application's role and the tenant's transaction, which is all that a bug in our own code, or SQL of
a user's own, could have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, LiteralString
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import AsyncConnection, sql
from psycopg import errors as pg

from holdfast import Conflict, Holdfast

HASH = "ab" * 32
OTHER = "cd" * 32


@dataclass
class Attacker:
    """The application role in the transaction of the tenant `acme`, with something to attack in it."""

    app: Holdfast
    envelope: UUID
    draft: UUID
    patch: UUID
    effective: UUID
    entity: UUID
    version: UUID
    instance: UUID
    step: UUID
    event: UUID
    effect: UUID

    async def run(self, statement: str, **values: Any) -> int:
        """Execute one statement in a transaction of its own."""
        known = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "app"}
        async with self.app.tenant("acme") as hold:
            cursor = await hold.connection.execute(sql.SQL(statement), {**known, "tenant": hold.tenant.id, **values})
            return cursor.rowcount


SETUP = (
    """INSERT INTO holdfast.workflow_definitions (tenant, id, entity_type, definition_kind, name, status, is_default,
       contract_json, nodes_json, edges_json, slots_json, created_by, published_at)
       VALUES (%(tenant)s, %(envelope)s, 'bill', 'envelope', 'bill', 'published', true, '{}', '[]', '[]', '[]', 'x',
               now())""",
    """INSERT INTO holdfast.workflow_definitions (tenant, id, entity_type, definition_kind, name, base_ref,
       body_patches_json, created_by) VALUES (%(tenant)s, %(draft)s, 'bill', 'org_patch', 'bill', '{}', '{}', 'x')""",
    """INSERT INTO holdfast.workflow_definitions (tenant, id, entity_type, definition_kind, version, name, status,
       base_ref, body_patches_json, created_by, published_at)
       VALUES (%(tenant)s, %(patch)s, 'bill', 'org_patch', 2, 'bill', 'published', '{}', '{}', 'x', now())""",
    """INSERT INTO holdfast.workflow_definitions (tenant, id, entity_type, definition_kind, name, status, base_ref,
       nodes_json, edges_json, compiled_json, compiled_hash, compiler_version, created_by, published_at)
       VALUES (%(tenant)s, %(effective)s, 'bill', 'effective', 'bill', 'published', '{}', '[]', '[]', '{}', %(hash)s,
               '1', 'x', now())""",
    """WITH made AS (INSERT INTO holdfast.entities (tenant, id, entity_type, doc_status, contract_version, data,
         content_hash, version_id, created_by, updated_by)
         VALUES (%(tenant)s, %(entity)s, 'bill', 'draft', 1, '{}', %(hash)s, %(version)s, 'x', 'x'))
       INSERT INTO holdfast.entity_versions (tenant, id, entity_id, version, contract_version, doc_status, data,
         content_hash, created_by) VALUES (%(tenant)s, %(version)s, %(entity)s, 1, 1, 'draft', '{}', %(hash)s, 'x')""",
    """INSERT INTO holdfast.workflow_instances (tenant, id, definition_id, definition_version, compiled_hash,
       entity_type, entity_id, created_by)
       VALUES (%(tenant)s, %(instance)s, %(effective)s, 1, %(hash)s, 'bill', %(entity)s, 'x')""",
    """INSERT INTO holdfast.workflow_step_executions (tenant, created_at, id, instance_id, node_id, node_type, token_id,
       entity_version, status, idempotency_key, opened_seq, waited, snapshot_version_id)
       VALUES (%(tenant)s, now(), %(step)s, %(instance)s, 'n', 'approval', 'main', 1, 'pending', %(hash)s, 0, 'pending',
               %(version)s)""",
    """INSERT INTO holdfast.workflow_events_outbox (tenant, id, instance_id, entity_version, event_type,
       event_idempotency_key, actor)
       VALUES (%(tenant)s, %(event)s, %(instance)s, 1, 'advance', %(hash)s, '{"kind": "user", "name": "x"}')""",
    """INSERT INTO holdfast.workflow_side_effects_outbox (tenant, id, instance_id, step_execution_id, step_key, node_id,
       token_id, effect_type, event_idempotency_key, created_by)
       VALUES (%(tenant)s, %(effect)s, %(instance)s, %(step)s, %(hash)s, 'n', 'main', 'webhook', %(hash)s, 'x')""",
    """INSERT INTO holdfast.workflow_step_receipts (tenant, instance_id, idempotency_key, step_execution_id)
       VALUES (%(tenant)s, %(instance)s, %(hash)s, %(step)s)""",
    """INSERT INTO holdfast.workflow_outbox_receipts (tenant, instance_id, source_table, event_idempotency_key)
       VALUES (%(tenant)s, %(instance)s, 'events', %(hash)s)""",
    """INSERT INTO holdfast.workflow_rules (tenant, id, name, entity_type, timing, operations, effect, created_by)
       VALUES (%(tenant)s, gen_random_uuid(), 'r', 'bill', 'before', '{update}', 'reject', 'x')""",
    """INSERT INTO holdfast.workflow_executions (tenant, id, rule_id, rule_name, entity_id, entity_version, operation,
       matched, actor)
       VALUES (%(tenant)s, gen_random_uuid(), gen_random_uuid(), 'r', %(entity)s, 1, 'update', true, 'x')""",
)


# Beyond what the application may: triggers and constraints are there for whoever has more rights.
MORE_RIGHTS: tuple[LiteralString, ...] = (
    "GRANT INSERT ON holdfast.workflow_events_outbox TO holdfast_app",
    "GRANT UPDATE (doc_status) ON holdfast.entities TO holdfast_app",
    """GRANT INSERT ON holdfast.workflow_instances, holdfast.workflow_step_executions, holdfast.workflow_step_receipts,
       holdfast.workflow_outbox_receipts, holdfast.workflow_side_effects_outbox TO holdfast_app""",
    """GRANT UPDATE (status, outcome, join_key, settled_seq, started_at, completed_at, duration_ms, output_json, error,
       settled_by, approval_request_id, applied, resume_at, waiting_for_event_key)
       ON holdfast.workflow_step_executions TO holdfast_app""",
    """GRANT UPDATE (version, definition_id, definition_version, compiled_hash)
       ON holdfast.workflow_instances TO holdfast_app""",
    """GRANT UPDATE (status, paused_at, paused_by, pause_reason, completed_at, reason, doc_status, state, timeout_at,
       edit_window, current_nodes, active_tokens, context_json, entity_version, timer_sent_for, last_step_execution_id)
       ON holdfast.workflow_instances TO holdfast_app""",
)


@pytest.fixture
async def attacker(app: Holdfast, superuser: psycopg.Connection[Any]) -> Attacker:
    for statement in MORE_RIGHTS:
        superuser.execute(statement)
    names = [name for name in Attacker.__dataclass_fields__ if name != "app"]
    made = Attacker(app, **{name: uuid4() for name in names})
    async with app.tenant("acme") as hold:
        known = {name: getattr(made, name) for name in names}
        for statement in SETUP:
            await hold.connection.execute(sql.SQL(statement), {**known, "tenant": hold.tenant.id, "hash": HASH})
    return made


# -------------------------------------------------------------------------------------------------------- triggers


async def test_wf04_published_definitions_are_immutable(attacker: Attacker) -> None:
    for change in [
        "name = 'other'",
        "note = 'other'",
        "base_ref = '{\"x\": 1}'",
        "body_patches_json = '{\"x\": 1}'",
        "revision = 9",
        "published_at = now() + interval '1 day'",
        "published_by = 'somebody'",
        "status = 'draft', published_at = NULL",
    ]:
        with pytest.raises(Conflict, match=r"published and cannot be changed|cannot go from published"):
            await attacker.run(f"UPDATE holdfast.workflow_definitions SET {change} WHERE id = %(patch)s")


async def test_wf04_content_of_a_workflow_cannot_even_be_named_in_an_update(attacker: Attacker) -> None:
    for column in [
        "nodes_json",
        "edges_json",
        "slots_json",
        "compiled_json",
        "compiled_hash",
        "compiler_version",
        "contract_json",
        "version",
        "definition_kind",
        "entity_type",
    ]:
        with pytest.raises(pg.InsufficientPrivilege):
            await attacker.run(f"UPDATE holdfast.workflow_definitions SET {column} = {column} WHERE id = %(effective)s")


async def test_wf04_the_trigger_holds_against_the_owner_too(
    attacker: Attacker, superuser: psycopg.Connection[Any]
) -> None:
    for column in ["nodes_json", "edges_json", "compiled_json", "compiled_hash"]:
        value = f"'{OTHER}'" if column == "compiled_hash" else "'[1]'"
        with pytest.raises(pg.DatabaseError, match="published and cannot be changed"):
            superuser.execute(
                sql.SQL(f"UPDATE holdfast.workflow_definitions SET {column} = {value} WHERE id = %s"),
                [attacker.effective],
            )


async def test_an_archived_definition_is_as_immutable_and_does_not_come_back(attacker: Attacker) -> None:
    archive = "UPDATE holdfast.workflow_definitions SET status = 'archived' WHERE id = %(patch)s"
    assert await attacker.run(archive) == 1
    for change in ("name = 'other'", "status = 'published'", "body_patches_json = '{\"x\": 1}'"):
        with pytest.raises(Conflict):
            await attacker.run(f"UPDATE holdfast.workflow_definitions SET {change} WHERE id = %(patch)s")


async def test_a_published_definition_cannot_be_deleted(attacker: Attacker) -> None:
    for kind in ["patch", "effective"]:
        with pytest.raises(Conflict, match="published and stays"):
            await attacker.run(f"DELETE FROM holdfast.workflow_definitions WHERE id = %({kind})s")


async def test_a_draft_can_be_changed_and_deleted_but_not_archived(attacker: Attacker) -> None:
    assert await attacker.run("UPDATE holdfast.workflow_definitions SET name = 'new' WHERE id = %(draft)s") == 1
    with pytest.raises(Conflict, match="edited and published"):
        await attacker.run(
            "UPDATE holdfast.workflow_definitions SET status = 'archived', published_at = now() WHERE id = %(draft)s"
        )
    assert await attacker.run("DELETE FROM holdfast.workflow_definitions WHERE id = %(draft)s") == 1


async def test_the_skeleton_cannot_be_touched_at_all(attacker: Attacker) -> None:
    for statement in [
        "UPDATE holdfast.workflow_definitions SET name = 'x' WHERE id = %(envelope)s",
        "UPDATE holdfast.workflow_definitions SET status = 'archived' WHERE id = %(envelope)s",
        "UPDATE holdfast.workflow_definitions SET updated_at = now() WHERE id = %(envelope)s",
        "DELETE FROM holdfast.workflow_definitions WHERE id = %(envelope)s",
    ]:
        with pytest.raises(Conflict, match="skeleton of bill"):
            await attacker.run(statement)


MUTABLE = (
    "status = 'running'",
    "outcome = 'x'",
    "started_at = now()",
    "duration_ms = 1",
    "output_json = '{}'",
    "error = '{}'",
    "approval_request_id = gen_random_uuid()",
    "applied = true",
    "resume_at = now()",
    "waiting_for_event_key = 'k'",
    "settled_by = 'x'",
    "join_key = 'j'",
    "settled_seq = 3",
)
IDENTITY = (
    "id",
    "tenant",
    "created_at",
    "instance_id",
    "node_id",
    "node_type",
    "token_id",
    "entity_version",
    "run_as",
    "idempotency_key",
    "origin",
    "opened_seq",
    "waited",
    "input_json",
    "opened_output",
    "actor_user_id",
    "acted_as",
    "snapshot_version_id",
    "trace_id",
)


async def test_status_and_evidence_of_a_step_may_be_updated(attacker: Attacker) -> None:
    for change in MUTABLE:
        assert await attacker.run(f"UPDATE holdfast.workflow_step_executions SET {change} WHERE id = %(step)s") == 1


async def test_what_a_step_is_may_not_be_updated(attacker: Attacker) -> None:
    for column in IDENTITY:
        with pytest.raises(pg.InsufficientPrivilege):
            await attacker.run(f"UPDATE holdfast.workflow_step_executions SET {column} = {column} WHERE id = %(step)s")


NEW_VALUES = {
    "created_at": "created_at + interval '1 second'",
    "entity_version": "2",
    "run_as": "'system'",
    "origin": "'start'",
    "opened_seq": "5",
    "waited": "'running'",
    "input_json": "'{}'",
    "opened_output": "'{}'",
    "idempotency_key": f"'{OTHER}'",
    "snapshot_version_id": "NULL",
    "id": "gen_random_uuid()",
    "tenant": "gen_random_uuid()",
    "instance_id": "gen_random_uuid()",
}


async def test_the_trigger_restricts_step_updates_for_everybody(
    attacker: Attacker, superuser: psycopg.Connection[Any]
) -> None:
    for column in IDENTITY:
        value = NEW_VALUES.get(column, "'other'")
        with pytest.raises(pg.DatabaseError, match="never change"):
            superuser.execute(
                sql.SQL(f"UPDATE holdfast.workflow_step_executions SET {column} = {value} WHERE id = %s"),
                [attacker.step],
            )


async def test_what_a_settled_step_gave_stays_and_an_applied_decision_stays_applied(attacker: Attacker) -> None:
    settle = (
        "UPDATE holdfast.workflow_step_executions SET status = 'completed', outcome = 'approved', settled_seq = 4, "
        "completed_at = now() WHERE id = %(step)s"
    )
    assert await attacker.run(settle) == 1
    for change in (
        "outcome = 'rejected'",
        "settled_seq = 5",
        "settled_by = 'mallory'",
        "completed_at = now() + interval '1 day'",
    ):
        with pytest.raises(Conflict, match="never change"):
            await attacker.run(f"UPDATE holdfast.workflow_step_executions SET {change} WHERE id = %(step)s")
    assert await attacker.run("UPDATE holdfast.workflow_step_executions SET applied = true WHERE id = %(step)s") == 1
    for value in ("false", "NULL"):
        with pytest.raises(Conflict, match="never change"):
            await attacker.run(f"UPDATE holdfast.workflow_step_executions SET applied = {value} WHERE id = %(step)s")


# What each table allows; every other pair is a regression.
STEP = {
    "pending": {"running", "completed", "failed", "skipped", "cancelled"},
    "running": {"completed", "failed", "skipped", "cancelled"},
    "completed": set(),
    "failed": set(),
    "skipped": set(),
    "cancelled": set(),
}
INSTANCE = {
    "running": {"paused", "completed", "failed", "cancelled"},
    "paused": {"running", "completed", "failed", "cancelled"},
    "completed": set(),
    "failed": set(),
    "cancelled": set(),
}
EVENT = {
    "pending": {"processing", "completed"},
    "processing": {"completed", "failed", "pending", "dead_letter"},
    "failed": {"processing", "pending", "dead_letter"},
    "completed": set(),
    "dead_letter": set(),
}
EFFECT = {
    "pending": {"processing", "cancelled"},
    "processing": {"completed", "failed", "pending", "dead_letter", "cancelled"},
    "failed": {"processing", "pending", "dead_letter", "cancelled"},
    "completed": set(),
    "dead_letter": set(),
    "cancelled": set(),
}
TABLES = {
    "workflow_instances": ("instance", INSTANCE),
    "workflow_step_executions": ("step", STEP),
    "workflow_events_outbox": ("event", EVENT),
    "workflow_side_effects_outbox": ("effect", EFFECT),
}


def _status(table: str, status: str) -> str:
    """The columns that a status brings with it."""
    if table == "workflow_instances":
        over = status in ("completed", "failed", "cancelled")
        return f"status = '{status}', completed_at = {'now()' if over else 'NULL'}"
    if table == "workflow_step_executions":
        return f"status = '{status}', completed_at = {'NULL' if status in ('pending', 'running') else 'now()'}"
    lease = "now(), leased_by = 'w'" if status == "processing" else "NULL, leased_by = NULL"
    return f"status = '{status}', lease_until = {lease}, completed_at = {'now()' if status == 'completed' else 'NULL'}"


def put(superuser: psycopg.Connection[Any], table: str, row: UUID, status: str) -> None:
    change = sql.SQL("UPDATE {} SET ").format(sql.Identifier("holdfast", table)) + sql.SQL(_status(table, status))
    superuser.execute(change + sql.SQL(" WHERE id = %s"), [row])


async def test_statuses_never_go_back(attacker: Attacker, superuser: psycopg.Connection[Any]) -> None:
    """Every pair of statuses, as the owner of the database, on rows put into place with the trigger switched off."""
    for table, (what, legal) in TABLES.items():
        row = getattr(attacker, what)
        for before, after in [(old, new) for old in legal for new in legal if new != old]:
            superuser.execute("SET session_replication_role = replica")
            put(superuser, table, row, before)
            superuser.execute("SET session_replication_role = origin")
            if after in legal[before]:
                put(superuser, table, row, after)
            else:
                with pytest.raises(pg.DatabaseError, match="the status cannot go"):
                    put(superuser, table, row, after)


async def test_a_dead_letter_comes_back_only_when_an_administrator_says_so(
    attacker: Attacker, superuser: psycopg.Connection[Any]
) -> None:
    for table in ("workflow_events_outbox", "workflow_side_effects_outbox"):
        row = getattr(attacker, TABLES[table][0])
        for status in ("processing", "failed", "dead_letter"):
            put(superuser, table, row, status)
        superuser.execute("RESET holdfast.admin_override")
        with pytest.raises(pg.DatabaseError, match="the status cannot go from dead_letter"):
            put(superuser, table, row, "pending")
        superuser.execute("SET holdfast.admin_override = 'on'")
        put(superuser, table, row, "pending")


async def test_the_version_of_an_instance_never_falls(attacker: Attacker) -> None:
    for change in ["version = 0", "entity_version = 0"]:
        assert (
            await attacker.run(
                "UPDATE holdfast.workflow_instances SET version = 5, entity_version = 5 WHERE id = %(instance)s"
            )
            == 1
        )
        with pytest.raises((Conflict, pg.CheckViolation)):
            await attacker.run(f"UPDATE holdfast.workflow_instances SET {change} WHERE id = %(instance)s")
        with pytest.raises(Conflict, match="only grows"):
            await attacker.run("UPDATE holdfast.workflow_instances SET version = 4 WHERE id = %(instance)s")


async def test_what_an_instance_is_about_never_changes(attacker: Attacker, superuser: psycopg.Connection[Any]) -> None:
    for column in ["entity_id", "entity_type", "subject_id", "created_by", "started_at", "id"]:
        with pytest.raises(pg.InsufficientPrivilege):
            await attacker.run(f"UPDATE holdfast.workflow_instances SET {column} = {column} WHERE id = %(instance)s")
        value = {"entity_id": "NULL", "started_at": "now() + interval '1 day'", "id": "gen_random_uuid()"}.get(
            column, "'other'"
        )
        with pytest.raises(pg.DatabaseError, match="never changes"):
            superuser.execute(
                sql.SQL(f"UPDATE holdfast.workflow_instances SET {column} = {value} WHERE id = %s"), [attacker.instance]
            )


async def test_content_and_version_of_a_document_change_together(attacker: Attacker) -> None:
    for change, says in [
        ("data = '{\"x\": 1}'", "without a new version"),
        (f"content_hash = '{OTHER}'", "without a new version"),
        ("version_id = gen_random_uuid()", "without a new version"),
        ("entity_version = 2", "cannot go from version"),
        (f"entity_version = 3, content_hash = '{OTHER}', version_id = gen_random_uuid()", "cannot go from version"),
        (f"entity_version = 2, content_hash = '{OTHER}'", "cannot go from version"),
    ]:
        with pytest.raises(Conflict, match=says):
            await attacker.run(f"UPDATE holdfast.entities SET {change} WHERE id = %(entity)s")


async def test_a_version_needs_its_snapshot(attacker: Attacker) -> None:
    with pytest.raises(pg.ForeignKeyViolation):
        await attacker.run(
            f"UPDATE holdfast.entities SET entity_version = 2, content_hash = '{OTHER}', data = '{{}}', "
            "version_id = gen_random_uuid() WHERE id = %(entity)s"
        )


async def test_a_deleted_document_stays_as_it_was(attacker: Attacker) -> None:
    await attacker.run("UPDATE holdfast.entities SET deleted_at = now() WHERE id = %(entity)s")
    for change in ("doc_status = 'active'", "deleted_at = NULL"):
        with pytest.raises(Conflict, match="is deleted"):
            await attacker.run(f"UPDATE holdfast.entities SET {change} WHERE id = %(entity)s")


AMEND = """WITH made AS (INSERT INTO holdfast.entities (tenant, id, entity_type, doc_status, contract_version, data,
             content_hash, version_id, amended_from_id, created_by, updated_by)
             VALUES (%(tenant)s, %(new)s, 'bill', 'amended', 1, '{}', %(hash)s, %(snap)s, %(entity)s, 'x', 'x'))
           INSERT INTO holdfast.entity_versions (tenant, id, entity_id, version, contract_version, doc_status, data,
             content_hash, created_by) VALUES (%(tenant)s, %(snap)s, %(new)s, 1, 1, 'amended', '{}', %(hash)s, 'x')"""


async def test_a_document_is_replaced_once_and_then_frozen(attacker: Attacker) -> None:
    await attacker.run(AMEND, new=uuid4(), snap=uuid4(), hash=HASH)
    with pytest.raises(Conflict, match="replaced by an amended one"):
        await attacker.run("UPDATE holdfast.entities SET doc_status = 'active' WHERE id = %(entity)s")
    with pytest.raises(pg.UniqueViolation):
        await attacker.run(AMEND, new=uuid4(), snap=uuid4(), hash=HASH)


# ---------------------------------------------------------------------------------------- rights that were not given


FORBIDDEN = (
    *(
        f"{verb} holdfast.{table}"
        for table in (
            "entities",
            "entity_versions",
            "workflow_executions",
            "workflow_events_outbox",
            "workflow_instances",
            "workflow_step_executions",
            "workflow_step_receipts",
            "workflow_outbox_receipts",
            "workflow_side_effects_outbox",
        )
        for verb in ("DELETE FROM", "TRUNCATE")
    ),
    "TRUNCATE holdfast.workflow_definitions CASCADE",
    "TRUNCATE holdfast.workflow_rules",
    "UPDATE holdfast.entity_versions SET data = '{}'",
    "UPDATE holdfast.entity_versions SET content_hash = content_hash",
    "UPDATE holdfast.workflow_executions SET matched = false",
    "UPDATE holdfast.workflow_step_receipts SET step_execution_id = gen_random_uuid()",
    "UPDATE holdfast.workflow_outbox_receipts SET source_table = 'side_effects'",
    "UPDATE holdfast.workflow_events_outbox SET status = 'completed'",
    "UPDATE holdfast.workflow_events_outbox SET payload_json = '{}'",
    "UPDATE holdfast.workflow_side_effects_outbox SET status = 'completed'",
    "UPDATE holdfast.workflow_side_effects_outbox SET payload_json = '{}'",
    "UPDATE holdfast.entities SET id = gen_random_uuid()",
    "UPDATE holdfast.entities SET entity_type = 'other'",
    "UPDATE holdfast.entities SET amended_from_id = NULL",
    "UPDATE holdfast.entities SET created_by = 'x'",
    "UPDATE holdfast.workflow_definitions SET is_default = false",
    "UPDATE holdfast.workflow_rules SET name = 'x'",
    "SELECT holdfast.prune_receipts(now() + interval '1 year', 100)",
    "ALTER TABLE holdfast.workflow_step_executions DISABLE TRIGGER ALL",
    "SET session_replication_role = replica",
)


async def test_the_application_role_may_not(attacker: Attacker, holdfast_dsn: str) -> None:
    for statement in FORBIDDEN:
        async with attacker.app.tenant("acme") as hold:
            tenant = hold.tenant.id
        async with await AsyncConnection.connect(holdfast_dsn, autocommit=True) as connection:
            await connection.execute("SET SESSION AUTHORIZATION holdfast_app")
            await connection.execute(sql.SQL("SET holdfast.tenant = {}").format(str(tenant)))
            with pytest.raises(pg.InsufficientPrivilege):
                await connection.execute(sql.SQL(statement))


async def test_receipts_of_what_is_over_are_pruned_by_workers(
    attacker: Attacker, superuser: psycopg.Connection[Any]
) -> None:
    prune = "SELECT holdfast.prune_receipts(now() + interval '1 day', 100) AS pruned"
    assert superuser.execute(prune).fetchone() == {"pruned": 0}
    await attacker.run(
        "UPDATE holdfast.workflow_instances SET status = 'completed', completed_at = now() WHERE id = %(instance)s"
    )
    assert superuser.execute("SELECT holdfast.prune_receipts(now() - interval '1 day', 100) AS pruned").fetchone() == {
        "pruned": 0
    }
    assert superuser.execute(prune).fetchone() == {"pruned": 2}


# ---------------------------------------------------------------------------------------------------------- checks


DEFINITION = (
    "INSERT INTO holdfast.workflow_definitions (tenant, id, entity_type, name, created_by, version, definition_kind, "
    "status, published_at, {columns}) VALUES (%(tenant)s, gen_random_uuid(), 'bill', 'n', 'x', 9, {values})"
)


async def test_each_kind_of_definition_has_its_own_columns(attacker: Attacker) -> None:
    for columns, values in [
        # An envelope is the vendor's: published, default, whole, and without patches or a compile.
        ("contract_json, nodes_json, edges_json, slots_json", "'envelope', 'published', now(), '{}', '[]', '[]', '[]'"),
        ("is_default, contract_json, nodes_json, edges_json", "'envelope', 'published', now(), true, '{}', '[]', '[]'"),
        ("is_default, contract_json, nodes_json, slots_json", "'envelope', 'published', now(), true, '{}', '[]', '[]'"),
        ("is_default, contract_json, edges_json, slots_json", "'envelope', 'published', now(), true, '{}', '[]', '[]'"),
        ("is_default, nodes_json, edges_json, slots_json", "'envelope', 'published', now(), true, '[]', '[]', '[]'"),
        (
            "is_default, contract_json, nodes_json, edges_json, slots_json, body_patches_json",
            "'envelope', 'published', now(), true, '{}', '[]', '[]', '[]', '{}'",
        ),
        (
            "is_default, contract_json, nodes_json, edges_json, slots_json",
            "'envelope', 'draft', NULL, true, '{}', '[]', '[]', '[]'",
        ),
        # Patches have a base and no graph of their own.
        ("body_patches_json", "'org_patch', 'draft', NULL, '{}'"),
        ("base_ref", "'org_patch', 'draft', NULL, '{}'"),
        ("base_ref, body_patches_json, nodes_json", "'org_patch', 'draft', NULL, '{}', '{}', '[]'"),
        ("base_ref, body_patches_json, edges_json", "'org_patch', 'draft', NULL, '{}', '{}', '[]'"),
        ("base_ref, body_patches_json, is_default", "'org_patch', 'draft', NULL, '{}', '{}', true"),
        ("base_ref, body_patches_json, compiled_json", "'org_patch', 'draft', NULL, '{}', '{}', '{}'"),
        # What is effective is compiled (WF-07).
        (
            "base_ref, nodes_json, edges_json, compiled_hash, compiler_version",
            f"'effective', 'archived', now(), '{{}}', '[]', '[]', '{HASH}', '1'",
        ),
        (
            "base_ref, nodes_json, edges_json, compiled_json, compiler_version",
            "'effective', 'archived', now(), '{}', '[]', '[]', '{}', '1'",
        ),
        (
            "base_ref, nodes_json, edges_json, compiled_json, compiled_hash",
            f"'effective', 'archived', now(), '{{}}', '[]', '[]', '{{}}', '{HASH}'",
        ),
        (
            "base_ref, edges_json, compiled_json, compiled_hash, compiler_version",
            f"'effective', 'archived', now(), '{{}}', '[]', '{{}}', '{HASH}', '1'",
        ),
        (
            "base_ref, nodes_json, edges_json, compiled_json, compiled_hash, compiler_version",
            f"'effective', 'draft', NULL, '{{}}', '[]', '[]', '{{}}', '{HASH}', '1'",
        ),
        (
            "base_ref, nodes_json, edges_json, compiled_json, compiled_hash, compiler_version",
            "'effective', 'archived', now(), '{}', '[]', '[]', '{}', 'short', '1'",
        ),
        # No other kinds, no other statuses, no publishing without a time.
        ("base_ref, body_patches_json", "'other', 'draft', NULL, '{}', '{}'"),
        ("base_ref, body_patches_json", "'org_patch', 'other', now(), '{}', '{}'"),
        ("base_ref, body_patches_json", "'org_patch', 'published', NULL, '{}', '{}'"),
        ("base_ref, body_patches_json", "'org_patch', 'draft', now(), '{}', '{}'"),
    ]:
        with pytest.raises(pg.CheckViolation):
            await attacker.run(DEFINITION.format(columns=columns, values=values))


async def test_only_one_workflow_of_a_type_is_in_force_and_versions_are_not_reused(attacker: Attacker) -> None:
    columns = "base_ref, nodes_json, edges_json, compiled_json, compiled_hash, compiler_version"
    values = f"'effective', 'published', now(), '{{}}', '[]', '[]', '{{}}', '{HASH}', '1'"
    with pytest.raises(pg.UniqueViolation, match="workflow_definitions_current"):
        await attacker.run(DEFINITION.format(columns=columns, values=values))
    with pytest.raises(pg.UniqueViolation):
        await attacker.run(
            DEFINITION.replace("'x', 9", "'x', 1").format(
                columns="base_ref, body_patches_json", values="'org_patch', 'draft', NULL, '{}', '{}'"
            )
        )


INSERTS = {
    "entities": (
        "entity_type, doc_status, contract_version, data, content_hash, version_id, created_by, updated_by",
        {
            "entity_type": "'bill'",
            "doc_status": "'draft'",
            "contract_version": "1",
            "data": "'{}'",
            "content_hash": f"'{HASH}'",
            "version_id": "gen_random_uuid()",
            "created_by": "'x'",
            "updated_by": "'x'",
        },
    ),
    "entity_versions": (
        "entity_id, version, contract_version, doc_status, data, content_hash, created_by",
        {
            "entity_id": "%(entity)s",
            "version": "2",
            "contract_version": "1",
            "doc_status": "'draft'",
            "data": "'{}'",
            "content_hash": f"'{HASH}'",
            "created_by": "'x'",
        },
    ),
    "workflow_rules": (
        "name, entity_type, timing, operations, effect, created_by",
        {
            "name": "'other'",
            "entity_type": "'bill'",
            "timing": "'before'",
            "operations": "'{update}'",
            "effect": "'reject'",
            "created_by": "'x'",
        },
    ),
    "workflow_events_outbox": (
        "instance_id, entity_version, event_type, event_idempotency_key, actor",
        {
            "instance_id": "%(instance)s",
            "entity_version": "1",
            "event_type": "'advance'",
            "event_idempotency_key": f"'{HASH}'",
            "actor": '\'{"kind": "user", "name": "x"}\'',
        },
    ),
    "workflow_instances": (
        "definition_id, definition_version, compiled_hash, entity_type, created_by",
        {
            "definition_id": "%(effective)s",
            "definition_version": "1",
            "compiled_hash": f"'{HASH}'",
            "entity_type": "'bill'",
            "created_by": "'x'",
        },
    ),
    "workflow_step_executions": (
        "instance_id, node_id, node_type, token_id, entity_version, idempotency_key, opened_seq",
        {
            "instance_id": "%(instance)s",
            "node_id": "'n'",
            "node_type": "'t'",
            "token_id": "'main'",
            "entity_version": "1",
            "idempotency_key": f"'{HASH}'",
            "opened_seq": "1",
        },
    ),
    "workflow_side_effects_outbox": (
        "instance_id, step_execution_id, step_key, node_id, token_id, effect_type, event_idempotency_key, created_by",
        {
            "instance_id": "%(instance)s",
            "step_execution_id": "%(step)s",
            "step_key": f"'{HASH}'",
            "node_id": "'n'",
            "token_id": "'main'",
            "effect_type": "'webhook'",
            "event_idempotency_key": f"'{HASH}'",
            "created_by": "'x'",
        },
    ),
    "workflow_inbound_events": (
        "event_key, dedup_key, actor, expires_at",
        {"event_key": "'k'", "dedup_key": "'d'", "actor": "'x'", "expires_at": "now() + interval '1 day'"},
    ),
    "workflow_triggers": (
        "name, workflow_id, trigger_type, entity_type, created_by",
        {
            "name": "'t'",
            "workflow_id": "'bill'",
            "trigger_type": "'on_create'",
            "entity_type": "'bill'",
            "created_by": "'x'",
        },
    ),
}


def insert(table: str, **changes: str) -> str:
    values = {**INSERTS[table][1], **changes}
    names = ", ".join(values)
    return (
        f"INSERT INTO holdfast.{table} (tenant, id, {names}) "
        f"VALUES (%(tenant)s, gen_random_uuid(), {', '.join(values.values())})"
    )


async def test_a_row_that_makes_no_sense_is_refused(attacker: Attacker) -> None:
    for table, changes in [
        ("entities", {"entity_type": "'Bill'"}),
        ("entities", {"doc_status": "''"}),
        ("entities", {"contract_version": "0"}),
        ("entities", {"entity_version": "0"}),
        ("entities", {"data": "'[]'"}),
        ("entities", {"content_hash": "'short'"}),
        ("entities", {"created_by": "''"}),
        ("entity_versions", {"version": "0"}),
        ("entity_versions", {"data": "'[]'"}),
        ("entity_versions", {"content_hash": "'XY'"}),
        ("workflow_rules", {"timing": "'during'"}),
        ("workflow_rules", {"operations": "'{}'"}),
        ("workflow_rules", {"operations": "'{destroy}'"}),
        ("workflow_rules", {"effect": "'emit'"}),
        ("workflow_rules", {"timing": "'after'"}),
        ("workflow_rules", {"timing": "'after'", "effect": "'set'"}),
        ("workflow_rules", {"condition": "repeat('x', 501)"}),
        ("workflow_rules", {"config": "'[]'"}),
        ("workflow_rules", {"priority": "1001"}),
        ("workflow_rules", {"name": "'a b'"}),
        ("workflow_events_outbox", {"status": "'other'"}),
        ("workflow_events_outbox", {"attempts": "-1"}),
        ("workflow_events_outbox", {"max_attempts": "0"}),
        ("workflow_events_outbox", {"event_idempotency_key": "'short'"}),
        ("workflow_events_outbox", {"actor": "'{}'"}),
        ("workflow_events_outbox", {"status": "'completed'"}),
        ("workflow_events_outbox", {"status": "'processing'"}),
        ("workflow_events_outbox", {"lease_until": "now()"}),
        ("workflow_events_outbox", {"trace_id": "repeat('x', 257)"}),
        ("workflow_instances", {"status": "'other'"}),
        ("workflow_instances", {"status": "'completed'"}),
        ("workflow_instances", {"completed_at": "now()"}),
        ("workflow_instances", {"edit_window": "'open'"}),
        ("workflow_instances", {"compiled_hash": "'short'"}),
        ("workflow_instances", {"active_tokens": "'{}'"}),
        ("workflow_instances", {"context_json": "'[]'"}),
        ("workflow_instances", {"state": "'[]'"}),
        ("workflow_instances", {"paused_at": "now()"}),
        ("workflow_instances", {"version": "0"}),
        ("workflow_step_executions", {"status": "'other'"}),
        ("workflow_step_executions", {"status": "'completed'"}),
        ("workflow_step_executions", {"completed_at": "now()"}),
        ("workflow_step_executions", {"run_as": "'root'"}),
        ("workflow_step_executions", {"origin": "'nowhere'"}),
        ("workflow_step_executions", {"waited": "'completed'"}),
        ("workflow_step_executions", {"idempotency_key": "'short'"}),
        ("workflow_step_executions", {"opened_seq": "-1"}),
        ("workflow_step_executions", {"settled_seq": "0"}),
        ("workflow_side_effects_outbox", {"effect_type": "'A Pigeon'"}),
        ("workflow_side_effects_outbox", {"status": "'other'"}),
        ("workflow_side_effects_outbox", {"status": "'completed'"}),
        ("workflow_side_effects_outbox", {"max_attempts": "51"}),
        ("workflow_side_effects_outbox", {"leased_by": "'w'"}),
        ("workflow_side_effects_outbox", {"event_idempotency_key": "'short'"}),
        ("workflow_inbound_events", {"expires_at": "now() - interval '1 day'"}),
        ("workflow_inbound_events", {"event_key": "''"}),
        ("workflow_inbound_events", {"instance_id": "gen_random_uuid()"}),
        ("workflow_triggers", {"trigger_type": "'on_monday'"}),
        ("workflow_triggers", {"trigger_type": "'on_event'"}),
        ("workflow_triggers", {"trigger_type": "'on_timer'"}),
        ("workflow_triggers", {"entity_type": "NULL"}),
        ("workflow_triggers", {"cron": "'* * * * *'"}),
        ("workflow_triggers", {"condition": "repeat('x', 501)"}),
    ]:
        with pytest.raises(pg.CheckViolation):
            await attacker.run(insert(table, **changes))


async def test_the_rows_these_attacks_begin_from_are_accepted(attacker: Attacker) -> None:
    for table in [table for table in INSERTS if table not in ("entities", "entity_versions")]:
        assert await attacker.run(insert(table)) == 1


async def test_wf02_a_second_receipt_of_a_step_finds_the_first(attacker: Attacker) -> None:
    again = (
        "INSERT INTO holdfast.workflow_step_receipts (tenant, instance_id, idempotency_key, step_execution_id) "
        f"VALUES (%(tenant)s, %(instance)s, '{HASH}', gen_random_uuid()) "
    )
    with pytest.raises(pg.UniqueViolation):
        await attacker.run(again)
    assert await attacker.run(again + "ON CONFLICT DO NOTHING") == 0


async def test_wf11_receipts_of_events_and_of_effects_do_not_collide(attacker: Attacker) -> None:
    receipt = (
        "INSERT INTO holdfast.workflow_outbox_receipts (tenant, instance_id, source_table, event_idempotency_key) "
        "VALUES (%(tenant)s, %(instance)s, {source}, '" + HASH + "') ON CONFLICT DO NOTHING"
    )
    assert await attacker.run(receipt.format(source="'events'")) == 0
    assert await attacker.run(receipt.format(source="'side_effects'")) == 1
    with pytest.raises(pg.CheckViolation):
        await attacker.run(receipt.format(source="'others'"))


async def test_a_document_has_one_active_process_and_as_many_past_ones_as_it_had(attacker: Attacker) -> None:
    second = insert("workflow_instances", entity_id="%(entity)s")
    with pytest.raises(pg.UniqueViolation, match="workflow_instances_active"):
        await attacker.run(second)
    await attacker.run(
        "UPDATE holdfast.workflow_instances SET status = 'cancelled', completed_at = now() WHERE id = %(instance)s"
    )
    assert await attacker.run(second) == 1


async def test_an_event_delivered_twice_is_one_event(attacker: Attacker) -> None:
    assert await attacker.run(insert("workflow_inbound_events")) == 1
    with pytest.raises(pg.UniqueViolation):
        await attacker.run(insert("workflow_inbound_events"))


async def test_a_step_pins_a_snapshot_that_exists(attacker: Attacker) -> None:
    with pytest.raises(pg.ForeignKeyViolation):
        await attacker.run(insert("workflow_step_executions", snapshot_version_id="gen_random_uuid()"))


async def test_high_volume_tables_are_cut_by_month_and_triggers_reach_every_month(
    attacker: Attacker, superuser: psycopg.Connection[Any]
) -> None:
    superuser.execute("SELECT holdfast.create_partitions(now(), 3)")
    for table in ("workflow_step_executions", "workflow_events_outbox", "workflow_side_effects_outbox"):
        months = superuser.execute(
            "SELECT c.relname AS name, (SELECT count(*) FROM pg_trigger t WHERE t.tgrelid = c.oid "
            "AND t.tgname IN ('sound', 'restrict_status_regression')) AS guards FROM pg_inherits i "
            "JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = ('holdfast.' || %s)::regclass ORDER BY 1",
            [table],
        ).fetchall()
        assert len(months) >= 5
        assert {month["guards"] for month in months} == {1}
        key = superuser.execute(
            "SELECT pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE conrelid = ('holdfast.' || %s)::regclass "
            "AND contype = 'p'",
            [table],
        ).fetchone()
        assert key == {"key": "PRIMARY KEY (tenant, created_at, id)"}
