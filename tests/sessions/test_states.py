"""The state diagram: every legal transition goes, every other is refused, by our methods and by SQL of one's own."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import AsyncConnection
from psycopg import errors as pg

from holdfast import Conflict, Holdfast, NotFound
from holdfast.sessions.model import STATUSES
from sessions.conftest import ended, fetch, reply, settled, working

Row = dict[str, Any]

LEGAL = {
    ("pending", "running"),
    ("pending", "failed"),
    ("running", "waiting_for_input"),
    ("running", "completed"),
    ("running", "failed"),
    ("waiting_for_input", "running"),
    ("waiting_for_input", "failed"),
}
WAYS = {
    "pending": [],
    "running": ["running"],
    "waiting_for_input": ["running", "waiting_for_input"],
    "completed": ["running", "completed"],
    "failed": ["failed"],
}


def put(superuser: psycopg.Connection[Row], status: str) -> UUID:
    """A session in a status, without anybody executing it."""
    row = superuser.execute("SELECT tenant FROM holdfast.tenants WHERE slug = 'acme'").fetchone()
    assert row is not None
    made = uuid4()
    superuser.execute(
        "INSERT INTO holdfast.workflow_sessions (tenant, id, project_name, session_name, workflow_name, "
        "definition_revision, input_data, created_by) VALUES (%s, %s, 'x', %s, 'chain', 1, '{}', 'x')",
        [row["tenant"], made, made.hex],
    )
    ask(superuser, made)
    for step in WAYS[status]:
        superuser.execute("UPDATE holdfast.workflow_sessions SET status = %s WHERE id = %s", [step, made])
    return made


def ask(superuser: psycopg.Connection[Row], session: UUID) -> None:
    """An open prompt: without one, nobody can wait."""
    superuser.execute(
        "INSERT INTO holdfast.session_prompts (tenant, workflow_session_id, prompt_id, content) "
        "SELECT tenant, id, 'p', '{\"prompt\": \"?\"}' FROM holdfast.workflow_sessions WHERE id = %s",
        [session],
    )


def test_transitions_by_sql(app: Holdfast, superuser: psycopg.Connection[Row]) -> None:
    for old in STATUSES:
        for new in STATUSES:
            check(superuser, old, new)


def check(superuser: psycopg.Connection[Row], old: str, new: str) -> None:
    made = put(superuser, old)
    statement = "UPDATE holdfast.workflow_sessions SET status = %s WHERE id = %s"
    if old == new:
        superuser.execute(statement, [new, made])
    elif (old, new) in LEGAL:
        superuser.execute(statement, [new, made])
        row = superuser.execute("SELECT * FROM holdfast.workflow_sessions WHERE id = %s", [made]).fetchone()
        assert row is not None
        assert (row["completed_at"] is not None) == (new in ("completed", "failed"))
        assert (row["error_message"] is not None) == (new == "failed")
        assert row["started_at"] is not None or new == "failed"
    else:
        with pytest.raises(psycopg.Error, match=f"cannot go from {old} to {new}") as caught:
            superuser.execute(statement, [new, made])
        assert caught.value.sqlstate == "HF001"


def test_what_is_finished_stays(app: Holdfast, superuser: psycopg.Connection[Row]) -> None:
    made = put(superuser, "completed")
    for change in ("completed_at = now() + interval '1 day'", "session_name = 'other'", "workflow_name = 'other'"):
        with pytest.raises(psycopg.Error, match="is completed"):
            superuser.execute(f"UPDATE holdfast.workflow_sessions SET {change} WHERE id = %s", [made])


def test_a_session_begins_as_pending_in_its_own_project(app: Holdfast, superuser: psycopg.Connection[Row]) -> None:
    made = put(superuser, "pending")
    row = superuser.execute("SELECT project_name FROM holdfast.workflow_sessions WHERE id = %s", [made]).fetchone()
    assert row == {"project_name": "acme"}
    with pytest.raises(psycopg.Error, match="begins as pending"):
        superuser.execute(
            "INSERT INTO holdfast.workflow_sessions (tenant, id, project_name, session_name, workflow_name, "
            "definition_revision, input_data, created_by, status, started_at) "
            "SELECT tenant, gen_random_uuid(), 'x', 'x', 'chain', 1, '{}', 'x', 'running', now() FROM holdfast.tenants"
        )


def test_an_output_of_101_mb_is_refused_by_the_database(app: Holdfast, superuser: psycopg.Connection[Row]) -> None:
    made = put(superuser, "running")
    with pytest.raises(pg.CheckViolation, match="output_data_size_check"):
        superuser.execute(
            "UPDATE holdfast.workflow_sessions SET output_data = to_jsonb(repeat('x', 101 << 20)) WHERE id = %s",
            [made],
        )


def test_messages_are_of_known_types_and_numbered_once(app: Holdfast, superuser: psycopg.Connection[Row]) -> None:
    made = put(superuser, "running")
    insert = (
        "INSERT INTO holdfast.session_messages (tenant, workflow_session_id, message_type, content, sequence_number) "
        'SELECT tenant, id, %s, \'{"message": "x"}\', 1 FROM holdfast.workflow_sessions WHERE id = %s'
    )
    with pytest.raises(pg.CheckViolation):
        superuser.execute(insert, ["gossip", made])
    superuser.execute(insert, ["agent", made])
    with pytest.raises(pg.UniqueViolation):
        superuser.execute(insert, ["agent", made])


FORBIDDEN = [
    "INSERT INTO holdfast.workflow_sessions (tenant, id) VALUES (gen_random_uuid(), gen_random_uuid())",
    "UPDATE holdfast.workflow_sessions SET status = 'completed'",
    "DELETE FROM holdfast.workflow_sessions",
    "DELETE FROM holdfast.session_messages",
    "UPDATE holdfast.session_messages SET content = '{}'",
    "UPDATE holdfast.session_prompts SET status = 'open'",
    "DELETE FROM holdfast.session_inputs",
    "DELETE FROM holdfast.workflow_definition_registry",
    "UPDATE holdfast.workflow_definition_registry SET phase = 'Error'",
    "DELETE FROM holdfast_langgraph.checkpoints",
    "INSERT INTO holdfast_langgraph.checkpoints (thread_id, checkpoint_id, checkpoint) VALUES ('x', 'x', '{}')",
    "SELECT holdfast.begin_session(gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, now())",
    "SELECT holdfast.save_sessions('[]', '', false, now())",
    "SELECT holdfast.drop_thread('x')",
    "SELECT holdfast.delete_definition('x')",
    "SELECT holdfast.fail_session(gen_random_uuid(), gen_random_uuid(), 'x', 'error', now())",
]


async def test_the_application_role_may_not(app: Holdfast, intruder: AsyncConnection[Row]) -> None:
    for statement in FORBIDDEN:
        with pytest.raises(pg.InsufficientPrivilege):
            await intruder.execute(statement)


async def test_transitions_by_our_methods(live: Holdfast) -> None:
    async with live.tenant("acme") as hold:
        made = await hold.sessions.start("asking", {"n": 0}, name="s")
        assert made.status == "pending"
    async with working(live):
        await settled(live, "s", "waiting_for_input")
        async with live.tenant("acme") as hold:
            assert (await reply(hold, "s", "yes")).status == "running"
        done = await ended(live, "s")
        assert done.status == "completed"
    async with live.tenant("acme") as hold:
        for attempt in (
            hold.sessions.cancel("s"),
            reply(hold, "s", "yes"),
            hold.sessions.send("s", {"n": 1}),
            hold.sessions.edit("s", {"n": 1}),
        ):
            with pytest.raises(Conflict) as caught:
                await attempt
            assert caught.value.status == 409
    assert (await fetch(live, "s")).status == "completed"


async def test_events_tell_what_became_of_it(live: Holdfast) -> None:
    async with live.tenant("acme") as hold:
        made = await hold.sessions.start("asking", {"n": 0}, name="s")
    async with working(live):
        await settled(live, "s", "waiting_for_input")
        async with live.tenant("acme") as hold:
            await reply(hold, "s", "no")
        await ended(live, "s")
    async with live.tenant("acme") as hold:
        told = [event.event_type for event in (await hold.audit.list(object_id=made.id)).items][::-1]
    assert told == [
        "session.created",
        "session.running",
        "session.waiting_for_input",
        "session.running",
        "session.answered",
        "session.completed",
    ]


async def test_a_deleted_session_takes_everything_with_it_and_its_name_starts_clean(
    live: Holdfast, superuser: psycopg.Connection[Row]
) -> None:
    async def once() -> None:
        async with live.tenant("acme") as hold:
            await hold.sessions.start("asking", {"n": 0}, name="s")
        await settled(live, "s", "waiting_for_input")

    left = """
        SELECT (SELECT count(*) FROM holdfast.workflow_sessions) + (SELECT count(*) FROM holdfast.session_messages)
             + (SELECT count(*) FROM holdfast.session_prompts) + (SELECT count(*) FROM holdfast_langgraph.checkpoints)
             + (SELECT count(*) FROM holdfast_langgraph.checkpoint_blobs)
             + (SELECT count(*) FROM holdfast_langgraph.checkpoint_writes) AS rows
    """
    async with working(live):
        await once()
        async with live.tenant("acme") as hold:
            await hold.sessions.delete("s")
            with pytest.raises(NotFound):
                await hold.sessions.get("s")
        assert superuser.execute(left).fetchone() == {"rows": 0}
        await once()
        async with live.tenant("acme") as hold:
            assert [one.sequence_number for one in await hold.sessions.messages("s")] == [1, 2, 3]
            (prompt,) = await hold.sessions.prompts("s")
            assert prompt.content["counted"] == 1
