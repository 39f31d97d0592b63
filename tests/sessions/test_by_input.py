"""Sessions are found by what they were started with: through an index, and only one's own."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import AsyncConnection
from psycopg import errors as pg

from holdfast import Holdfast, InvalidInput
from holdfast.postgres.queries import queries
from sessions.conftest import chain
from sessions.test_plans import pages

Row = dict[str, Any]
MANY = 8_000
RARE = 300
"""Of so many sessions, one each has been started for a customer; those of the other tenant too."""


@pytest.fixture
async def talking(live: Holdfast) -> Holdfast:
    """Sessions of two tenants, started with all kinds of inputs."""
    live.graph("any", lambda: chain(1))
    live.graph("other", lambda: chain(1))
    await live.publish_graphs()
    inputs: dict[str, Any] = {
        "plain": {"customer": "acme", "amount": 10},
        "nested": {"customer": {"name": "acme", "tags": ["a", "b"]}},
        "lists": {"items": [{"sku": "x", "n": 1}, {"sku": "y", "n": 2}]},
        "exact": {"amount": 10.50, "note": 'quotes " and \\ and ☃'},
    }
    for tenant in ("acme", "globex"):
        async with live.tenant(tenant) as hold:
            for name, value in inputs.items():
                await hold.sessions.start("any", value, name=name)
            await hold.sessions.start("other", inputs["plain"], name="plain-too")
    return live


async def names(app: Holdfast, input: Any, tenant: str = "acme", **filters: Any) -> list[str]:  # noqa: A002
    async with app.tenant(tenant) as hold:
        page = await hold.sessions.list(input=input, **filters)
    return [one.session_name for one in page.items]


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ({}, ["plain-too", "exact", "lists", "nested", "plain"]),
        ({"customer": "acme"}, ["plain-too", "plain"]),
        ({"customer": "acme", "amount": 10.0}, ["plain-too", "plain"]),
        ({"customer": "acme", "amount": 11}, []),
        ({"customer": {"name": "acme"}}, ["nested"]),
        ({"customer": {"tags": ["b"]}}, ["nested"]),
        ({"items": [{"n": 2}]}, ["lists"]),
        ({"items": [{"sku": "x", "n": 2}]}, []),
        ({"amount": 10.5}, ["exact"]),
        ({"note": 'quotes " and \\ and ☃'}, ["exact"]),
        ({"note": None}, []),
    ],
)
async def test_what_an_input_contains_finds_it(talking: Holdfast, part: dict[str, Any], found: list[str]) -> None:
    assert await names(talking, part) == found


async def test_the_other_filters_and_pages_go_together_with_it(talking: Holdfast) -> None:
    part = {"customer": "acme"}
    assert await names(talking, part, workflow="other") == ["plain-too"]
    async with talking.tenant("acme") as hold:
        await hold.sessions.cancel("plain")
    assert await names(talking, part, status="failed") == ["plain"]
    assert await names(talking, part, status="pending") == ["plain-too"]
    async with talking.tenant("acme") as hold:
        first = await hold.sessions.list(input=part, limit=1)
        second = await hold.sessions.list(input=part, limit=1, cursor=first.next_cursor)
        with pytest.raises(InvalidInput, match="another query"):
            await hold.sessions.list(input={"customer": "x"}, limit=1, cursor=first.next_cursor)
        with pytest.raises(InvalidInput, match="another query"):
            await hold.sessions.list(limit=1, cursor=first.next_cursor)
    assert [one.session_name for one in first.items + second.items] == ["plain-too", "plain"]
    assert second.next_cursor is None
    assert first.items[0].input_data is None


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        ([], "not a JSON object"),
        ("acme", "not a JSON object"),
        (7, "not a JSON object"),
        ({"note": "x" * 4096}, "4107 bytes, the limit is 4096"),
        ({"note": "☃" * 1400}, "bytes, the limit is 4096"),
        ({"note": "a\0b"}, "NUL"),
        ({"note": "\ud800"}, "surrogate"),
        ({"amount": float("nan")}, "NaN"),
        ({"amount": object()}, "object"),
    ],
)
async def test_what_cannot_be_looked_for_is_refused_by_name(talking: Holdfast, part: Any, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason) as caught:
        await names(talking, part)
    assert caught.value.details["field"] == "input"


async def test_nobody_finds_the_sessions_of_another_tenant(talking: Holdfast, intruder: AsyncConnection[Row]) -> None:
    """Not by the method, and not by calling its function with whatever one likes."""
    call = "SELECT id FROM holdfast.sessions_with_input('{}', NULL, NULL, NULL, 1000)"
    with pytest.raises(pg.InsufficientPrivilege, match="no tenant"):
        await intruder.execute(call)
    own: dict[str, set[UUID]] = {}
    for tenant in ("acme", "globex"):
        async with talking.tenant(tenant) as hold:
            own[tenant] = {one.id for one in (await hold.sessions.list()).items}
            found = await (await hold.connection.execute(call)).fetchall()
            assert {row[0] for row in found} == own[tenant]
            assert {one.id for one in (await hold.sessions.list(input={})).items} == own[tenant]
            for odd in ("'[]'", "'null'", "NULL"):
                with pytest.raises(pg.InvalidParameterValue):
                    async with hold.connection.transaction():
                        await hold.connection.execute(call.replace("'{}'", odd))
    assert len(own["acme"]) == 5
    assert not own["acme"] & own["globex"]


@pytest.fixture
async def crowded(app: Holdfast, superuser: psycopg.Connection[Row]) -> UUID:
    """Two tenants with many sessions each; `acme` is the one that asks."""
    for tenant in ("globex", "acme"):
        async with app.tenant(tenant) as hold:
            own = hold.tenant.id
        superuser.execute(
            "INSERT INTO holdfast.workflow_sessions (tenant, id, project_name, session_name, workflow_name, "
            "definition_revision, input_data, created_by) "
            "SELECT %s, holdfast.time_ordered_id(now() + n * interval '1 ms'), '', 's' || n, 'w' || n %% 5, 1, "
            "jsonb_build_object('customer', 'c' || n / %s, 'filler', 'xxx', 'long', repeat('x', 200), 'n', n), 'x' "
            "FROM generate_series(1, %s) n",
            [own, RARE, MANY],
        )
    superuser.execute("VACUUM ANALYZE holdfast.workflow_sessions")
    return own


def scans(superuser: psycopg.Connection[Row], index: str) -> int:
    superuser.execute("SELECT pg_stat_force_next_flush()")
    row = superuser.execute("SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = %s", [index]).fetchone()
    assert row is not None
    return int(row["idx_scan"])


async def test_the_index_into_inputs_is_used(crowded: UUID, superuser: psycopg.Connection[Row]) -> None:
    sql = queries("sessions")["list_by_input"]
    index = "workflow_sessions_input_data_gin_idx"
    page: Row = {"before": None, "status": None, "workflow": None, "limit": 51}
    superuser.execute("SELECT set_config('holdfast.tenant', %s, false)", [str(crowded)])
    # Under the policy, which is what would keep the index from being used.
    superuser.execute("SET ROLE holdfast_app")
    # Many times over: the plan must not be changed for one that suits every value, and none.
    for number in range(8):
        for part, found in ((f'{{"n": {number + 7}}}', 1), ('{"customer": "nobody"}', 0), ('{"customer": "c2"}', 51)):
            own = page | {"tenant": crowded, "input": part}
            before = scans(superuser, index)
            assert len(superuser.execute(sql, own).fetchall()) == found
            assert scans(superuser, index) == before + 1, part
            # Reading all rows of the tenant takes several times as many.
            assert pages(superuser, sql, own) < 300, part
    # What many inputs contain is found among the newest, without gathering all of it first.
    own = page | {"tenant": crowded, "input": '{"filler": "xxx"}'}
    before = scans(superuser, index)
    assert len(superuser.execute(sql, own).fetchall()) == 51
    assert scans(superuser, index) == before
    assert pages(superuser, sql, own) < 300


async def test_pages_go_from_the_newest_over_to_the_index_without_a_gap(
    app: Holdfast, crowded: UUID, superuser: psycopg.Connection[Row]
) -> None:
    """Customers have three hundred sessions in a row; the newest five hundred are looked through one by one."""
    last = MANY // RARE
    for customer, many in ((last, MANY % RARE + 1), (last - 1, RARE), (last - 2, RARE), (0, RARE - 1)):
        found: list[str] = []
        cursor = None
        for _ in range(20):
            async with app.tenant("acme") as hold:
                page = await hold.sessions.list(input={"customer": f"c{customer}"}, limit=70, cursor=cursor)
            found += [one.session_name for one in page.items]
            if (cursor := page.next_cursor) is None:
                break
        first = max(customer * RARE, 1)
        assert found == [f"s{number}" for number in range(first + many - 1, first - 1, -1)]


def test_the_indexes_are_those_that_were_specified_with_the_tenant_in_front(
    superuser: psycopg.Connection[Row],
) -> None:
    rows = superuser.execute(
        "SELECT indexname AS name, regexp_replace(indexdef, '.* USING ', '') AS made FROM pg_indexes "
        "WHERE schemaname = 'holdfast' AND tablename IN ('workflow_sessions', 'session_messages')"
    ).fetchall()
    active = "WHERE (status = ANY (ARRAY['pending'::text, 'running'::text, 'waiting_for_input'::text]))"
    assert {row["name"]: row["made"] for row in rows} == {
        "workflow_sessions_pkey": "btree (tenant, id)",
        "workflow_sessions_project_session_key": "btree (tenant, session_name)",
        "workflow_sessions_project_session_idx": "btree (tenant, session_name)",
        "workflow_sessions_workflow_name_idx": "btree (tenant, workflow_name, id DESC)",
        "workflow_sessions_input_data_gin_idx": "gin (input_data)",
        "workflow_sessions_active_idx": f"btree (tenant, status, id DESC) {active}",
        "workflow_sessions_active_workflow_idx": f"btree (tenant, workflow_name, status) {active}",
        "workflow_sessions_created_at_idx": "btree (tenant, created_at DESC, id DESC)",
        "workflow_sessions_completed_at_idx": "btree (tenant, completed_at) WHERE (completed_at IS NOT NULL)",
        "session_messages_pkey": "btree (tenant, id)",
        "session_messages_session_sequence_key": "btree (tenant, workflow_session_id, sequence_number)",
        "session_messages_session_id_idx": "btree (tenant, workflow_session_id, sequence_number)",
        "session_messages_timestamp_idx": 'btree (tenant, workflow_session_id, "timestamp")',
        "session_messages_type_idx": "btree (tenant, workflow_session_id, message_type)",
    }


async def test_active_sessions_of_a_status_are_not_searched_for_among_all(
    crowded: UUID, superuser: psycopg.Connection[Row]
) -> None:
    superuser.execute("UPDATE holdfast.workflow_sessions SET status = 'failed' WHERE session_name <> 's7'")
    superuser.execute("VACUUM ANALYZE holdfast.workflow_sessions")
    sql = queries("sessions")["list"]
    own: Row = {"tenant": crowded, "before": None, "status": "pending", "workflow": None, "limit": 51}
    for _ in range(8):
        assert [row["session_name"] for row in superuser.execute(sql, own).fetchall()] == ["s7"]
        assert pages(superuser, sql, own) < 50
