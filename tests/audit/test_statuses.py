"""No status without its event: the application's role has no other way to write one than functions that write both."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from holdfast import Holdfast

STATUSES = (
    ("entities", "doc_status"),
    ("workflow_instances", "status"),
    ("workflow_instances", "doc_status"),
    ("workflow_instances", "paused_at"),
    ("approval_requests", "status"),
    ("approval_requests", "outcome"),
    ("workflow_side_effects_outbox", "status"),
    ("workflow_events_outbox", "status"),
)


@pytest.mark.parametrize(("table", "column"), STATUSES)
async def test_the_application_cannot_write_a_status_by_itself(
    app: Holdfast, superuser: psycopg.Connection[Any], table: str, column: str
) -> None:
    row = superuser.execute(
        "SELECT has_column_privilege('holdfast_app', %s, %s, 'UPDATE') AS may", [f"holdfast.{table}", column]
    ).fetchone()
    assert row is not None
    assert row["may"] is False


async def test_the_application_cannot_write_into_the_engine_inbox_by_itself(
    app: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    row = superuser.execute(
        "SELECT has_table_privilege('holdfast_app', 'holdfast.workflow_events_outbox', 'INSERT') AS may"
    ).fetchone()
    assert row is not None
    assert row["may"] is False
