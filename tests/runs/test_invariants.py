"""What the database itself holds true of every run, whoever writes it: a superuser's statement is refused like ours."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from psycopg import errors as pg

from holdfast import Holdfast

TYPE = "test.work.v1"

Columns = dict[str, str]

RUN = {"tenant": "tenant", "id": "gen_random_uuid()", "type": f"'{TYPE}'", "payload": "'{}'", "run_at": "now()"}
LEASE = {"lease_until": "now()", "leased_by": "'w'"}
LEASED = {"status": "'leased'"} | LEASE
KEY = {"concurrency_key": "'k'", "concurrency_limit": "1"}
BLOCKED = {"blocked": "true", "ready": "false"} | KEY
WAITING = {"ready": "false", "waiting_for": "'paid'"}

UNSOUND: list[tuple[str, Columns]] = [
    ("status", {"status": "'lost'"}),
    ("status", {"status": "''"}),
    ("lease", {"lease_until": "now()"}),
    ("lease", {"leased_by": "'w'"}),
    ("lease", {"status": "'leased'"}),
    ("lease", LEASED | {"leased_by": "NULL"}),
    ("lease", LEASED | {"lease_until": "NULL"}),
    # What is over belongs into the other table.
    ("finished", {"status": "'cancelled'"}),
    ("finished", {"status": "'succeeded'"}),
    ("finished", {"status": "'failed'"}),
    ("waiting", {"blocked": "true", "ready": "false"}),
    ("waiting", BLOCKED | {"ready": "true"}),
    ("waiting", WAITING | {"ready": "true"}),
    ("waiting", LEASED | BLOCKED),
    ("waiting", LEASED | WAITING),
    ("attempt", {"attempt": "-1"}),
    ("max_attempts", {"max_attempts": "0"}),
    ("max_attempts", {"max_attempts": "1001"}),
    ("priority", {"priority": "-1001"}),
    ("priority", {"priority": "1001"}),
    ("type", {"type": "''"}),
    ("type", {"type": "repeat('x', 257)"}),
    ("idempotency_key", {"idempotency_key": "''"}),
    ("idempotency_key", {"idempotency_key": "repeat('x', 513)"}),
    ("limit", {"concurrency_key": "'k'"}),
    ("limit", {"concurrency_limit": "1"}),
    ("concurrency_key", KEY | {"concurrency_key": "''"}),
    ("concurrency_key", KEY | {"concurrency_key": "repeat('x', 257)"}),
    ("concurrency_limit", KEY | {"concurrency_limit": "0"}),
    ("concurrency_limit", KEY | {"concurrency_limit": "10001"}),
]
SOUND: list[Columns] = [
    LEASED,
    LEASED | KEY,
    BLOCKED,
    WAITING,
    WAITING | BLOCKED,
    {"priority": "-1000", "max_attempts": "1000", "type": "repeat('x', 256)", "idempotency_key": "repeat('x', 512)"},
    {"priority": "1000", "concurrency_key": "repeat('x', 256)", "concurrency_limit": "10000"},
]


async def test_a_run_cannot_become_unsound(app: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    made = await app.enqueue("acme", TYPE)
    for rule, columns in UNSOUND:
        assert refused(superuser, update(columns)) == f"workflow_run_{rule}", columns
    async with app.tenant("acme") as hold:
        assert (await hold.runs.get(made.id)).status == "pending"


async def test_an_unsound_run_cannot_be_made(app: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    for rule, columns in UNSOUND:
        assert refused(superuser, insert(columns)) == f"workflow_run_{rule}", columns
    async with app.tenant("acme") as hold:
        assert (await hold.runs.list()).items == []


@pytest.mark.parametrize("made", [True, False])
async def test_what_is_sound_is_taken(app: Holdfast, superuser: psycopg.Connection[Any], made: bool) -> None:
    for columns in SOUND:
        if made:
            superuser.execute(insert(columns))
        else:
            with superuser.transaction(force_rollback=True):
                superuser.execute(insert({}))
                superuser.execute(update(columns))


def refused(superuser: psycopg.Connection[Any], statement: str) -> str | None:
    with pytest.raises(pg.CheckViolation) as caught:
        superuser.execute(statement)
    return caught.value.diag.constraint_name


def update(columns: Columns) -> str:
    return f"UPDATE holdfast.workflow_run_live SET {', '.join(f'{name} = {value}' for name, value in columns.items())}"


def insert(columns: Columns) -> str:
    row = RUN | {"created_by": "'x'"} | columns
    return (
        f"INSERT INTO holdfast.workflow_run_live ({', '.join(row)}) "
        f"SELECT {', '.join(row.values())} FROM holdfast.tenants WHERE slug = 'acme'"
    )


async def test_a_run_that_changes_says_when(app: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    """Live or finished; unless whoever changes it says when."""
    await app.enqueue("acme", TYPE)
    made = await app.enqueue("acme", TYPE)
    async with app.tenant("acme") as hold:
        await hold.runs.cancel(made.id)
    for table in ("live", "done"):
        superuser.execute(f"UPDATE holdfast.workflow_run_{table} SET updated_at = '2020-01-01Z'")
        superuser.execute(f"UPDATE holdfast.workflow_run_{table} SET delete_reason = 'test'")
    touched = "SELECT done, updated_at = now() AS now FROM holdfast.workflow_run ORDER BY done"
    with superuser.transaction():
        for table in ("live", "done"):
            superuser.execute(f"UPDATE holdfast.workflow_run_{table} SET delete_reason = 'again'")
        assert superuser.execute(touched).fetchall() == [{"done": False, "now": True}, {"done": True, "now": True}]
