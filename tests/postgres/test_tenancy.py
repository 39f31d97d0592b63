"""Nobody sees past their tenant: not through our methods, not through SQL of their own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import AsyncConnection, sql
from psycopg import errors as pg

from holdfast import ActorNotFound, Hold, Holdfast, HoldfastError, InvalidInput, NotFound, TenantNotFound
from holdfast.doctor import GLOBAL_TABLES

Row = dict[str, Any]


def tables(superuser: psycopg.Connection[Row]) -> list[Row]:
    return superuser.execute(
        """
        SELECT c.oid, c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS protected, c.relispartition,
               EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = c.oid) AS branches,
               EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant'
                       AND a.attnotnull AND a.atttypid = 'uuid'::regtype) AS has_tenant
        FROM pg_class c
        WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY c.relname
        """
    ).fetchall()


# Keys that need not lead with tenant, each for the reason given.
FREE_KEYS = {
    "tenants_slug",  # how a tenant is found before there is one; tenants is a reference table on Citus
    # GIN cannot lead with a uuid without an extension. It is no key; only sessions_with_input looks through it,
    # and that function compares the tenant of each row itself.
    "workflow_sessions_input_data_gin_idx",
}


def test_every_table_is_protected_and_leads_its_keys_with_tenant(superuser: psycopg.Connection[Row]) -> None:
    found = tables(superuser)
    assert {table["name"] for table in found} > {"tenants", "users", "workflow_event_chained", *GLOBAL_TABLES}
    for table in found:
        if table["name"] in GLOBAL_TABLES:
            continue
        assert table["protected"], f"{table['name']} lacks enabled and forced row-level security"
        assert table["has_tenant"], f"{table['name']} lacks the column tenant uuid NOT NULL"
        keys = superuser.execute(
            "SELECT i.indexrelid::regclass::text AS name, a.attname AS first FROM pg_index i "
            "JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] WHERE i.indrelid = %s",
            [table["oid"]],
        ).fetchall()
        # A partitioned table may leave its keys to its branches, which are in this list too.
        assert keys or table["branches"], f"{table['name']} has no key"
        for key in keys:
            if key["name"].removeprefix("holdfast.") not in FREE_KEYS:
                assert key["first"] == "tenant", f"{key['name']} does not lead with tenant"


def test_every_protected_table_has_exactly_the_two_policies(superuser: psycopg.Connection[Row]) -> None:
    policies = superuser.execute(
        "SELECT tablename, policyname, roles::text[] AS roles, qual, with_check FROM pg_policies "
        "WHERE schemaname = 'holdfast' ORDER BY tablename, policyname"
    ).fetchall()
    by_table: dict[str, list[Row]] = {}
    for policy in policies:
        by_table.setdefault(policy["tablename"], []).append(policy)
    assert by_table.keys() == {table["name"] for table in tables(superuser)} - set(GLOBAL_TABLES)
    for name, (crossing, isolating) in by_table.items():
        assert (crossing["policyname"], crossing["roles"]) == ("cross_tenant", ["holdfast_owner"]), name
        assert isolating["policyname"] == "tenant_isolation", name
        assert isolating["qual"] == isolating["with_check"], name
        assert "holdfast.tenant" in isolating["qual"], name


def test_the_roles_cannot_get_around_isolation(superuser: psycopg.Connection[Row]) -> None:
    roles = superuser.execute("SELECT * FROM pg_roles WHERE rolname LIKE 'holdfast%'").fetchall()
    assert {role["rolname"] for role in roles} == {"holdfast_owner", "holdfast_app", "holdfast_worker"}
    for role in roles:
        assert not role["rolsuper"]
        assert not role["rolbypassrls"]
        assert not role["rolcreaterole"]
    member = superuser.execute("SELECT pg_has_role('holdfast_worker', 'holdfast_owner', 'MEMBER') AS it").fetchone()
    assert member == {"it": False}


def test_app_has_no_rights_on_partitions(superuser: psycopg.Connection[Row]) -> None:
    # Policies of a parent do not apply to a partition that is named directly.
    for table in tables(superuser):
        if table["relispartition"]:
            row = superuser.execute(
                "SELECT has_table_privilege('holdfast_app', %s::oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE') AS it",
                [table["oid"]],
            ).fetchone()
            assert row == {"it": False}, table["name"]


async def test_without_a_tenant_no_row_is_seen_or_written(
    app: Holdfast, intruder: AsyncConnection[Row], superuser: psycopg.Connection[Row]
) -> None:
    for table in tables(superuser):
        if table["name"] in GLOBAL_TABLES or table["relispartition"]:
            continue
        name = sql.Identifier("holdfast", table["name"])
        rows = await (await intruder.execute(sql.SQL("SELECT count(*) AS n FROM {}").format(name))).fetchone()
        assert rows == {"n": 0}, table["name"]
    with pytest.raises(pg.InsufficientPrivilege):
        await intruder.execute(
            "INSERT INTO holdfast.users (tenant, user_id, name, display_name) "
            "VALUES (gen_random_uuid(), gen_random_uuid(), 'x', 'x')"
        )


async def test_a_query_without_where_sees_one_tenant(app: Holdfast, intruder: AsyncConnection[Row]) -> None:
    async with app.tenant("acme") as hold:
        acme = hold.tenant.id
        assert {row[0] for row in await _all(hold, "SELECT DISTINCT tenant FROM holdfast.users")} == {acme}
        assert {row[0] for row in await _all(hold, "SELECT DISTINCT tenant FROM holdfast.workflow_event")} == {acme}
        assert {row[0] for row in await _all(hold, "SELECT tenant FROM holdfast.tenants")} == {acme}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE holdfast.users SET display_name = 'gone'",
        "UPDATE holdfast.api_tokens SET revoked_at = now()",
        "UPDATE holdfast.tenants SET name = 'gone'",
        "DELETE FROM holdfast.user_roles WHERE role <> 'admin'",
    ],
)
async def test_a_write_without_where_touches_one_tenant(
    app: Holdfast, superuser: psycopg.Connection[Row], statement: str
) -> None:
    async with app.tenant("globex") as hold:
        await hold.tokens.create("ana", "mine")
        other = hold.tenant.id
    before = _snapshot(superuser, other)
    async with app.tenant("acme") as hold:
        await hold.connection.execute(statement)
    assert _snapshot(superuser, other) == before


async def test_rows_cannot_be_written_into_another_tenant(app: Holdfast) -> None:
    async with app.tenant("globex") as hold:
        other = hold.tenant.id
    for statement in (
        "INSERT INTO holdfast.roles (tenant, role, permissions) VALUES (%s, 'spy', '{}')",
        "INSERT INTO holdfast.users (tenant, user_id, name, display_name) VALUES (%s, gen_random_uuid(), 'spy', 'x')",
        """INSERT INTO holdfast.workflow_event_chained (tenant, object_kind, object_id, event_type, actor)
           VALUES (%s, 'access', gen_random_uuid(), 'forged', 'user:ana')""",
    ):
        with pytest.raises(pg.InsufficientPrivilege, match="row-level security"):
            async with app.tenant("acme") as hold:
                await hold.connection.execute(statement, [other])


APPEND_ONLY = (
    "UPDATE holdfast.workflow_event_chained SET actor = 'nobody'",
    "DELETE FROM holdfast.workflow_event_chained",
    "TRUNCATE holdfast.workflow_event_chained",
    "UPDATE holdfast.audit_head SET seq = 0",
    "DELETE FROM holdfast.audit_head",
    "INSERT INTO holdfast.audit_head SELECT gen_random_uuid(), 'access', gen_random_uuid(), 1, ''",
    "DELETE FROM holdfast.users",
    "DELETE FROM holdfast.api_tokens",
    "UPDATE holdfast.api_tokens SET hash = sha256('mine')",
    "UPDATE holdfast.api_tokens SET expires_at = NULL",
    "DELETE FROM holdfast.tenants",
    "UPDATE holdfast.tenants SET slug = 'stolen'",
    "DELETE FROM holdfast.schema_migrations",
    "ALTER TABLE holdfast.users DISABLE ROW LEVEL SECURITY",
    "DROP POLICY tenant_isolation ON holdfast.users",
    "SELECT holdfast.protect_tenant_table('holdfast.users')",
    "SELECT * FROM holdfast.list_tenants()",
    "SELECT holdfast.create_tenant(gen_random_uuid(), 'evil', 'evil', 'x', now())",
    "SELECT holdfast.drop_partitions('workflow_event_chained', now() + interval '10 years')",
    "DELETE FROM holdfast.workflow_data_store",
    "UPDATE holdfast.workflow_data_store SET revision = 1",
    "UPDATE holdfast.workflow_data_namespace SET max_keys = NULL",
    "DELETE FROM holdfast.workflow_data_change",
    "UPDATE holdfast.workflow_entity_links SET relation = 'x'",
    "DELETE FROM holdfast.workflow_action_receipt",
    "UPDATE holdfast.workflow_action_receipt SET fingerprint = sha256('mine')",
    "SELECT * FROM holdfast.data_get(gen_random_uuid(), 'n', 'k', now())",
    "SELECT holdfast.enter_tenant(gen_random_uuid())",
    "SELECT holdfast.data_tidy(1, false, now())",
    "SELECT holdfast.drop_receipts(now())",
    "SET ROLE holdfast_owner",
    "CREATE TABLE holdfast.mine (x int)",
    "CREATE FUNCTION holdfast.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
)


@pytest.mark.parametrize("statement", APPEND_ONLY)
async def test_the_application_role_may_not(app: Holdfast, holdfast_dsn: str, statement: str) -> None:
    # Logged in as the role itself, as the embedded server's connections are: nothing to RESET ROLE to.
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
    async with await AsyncConnection.connect(holdfast_dsn, autocommit=True) as connection:
        await connection.execute("SET SESSION AUTHORIZATION holdfast_app")
        await connection.execute(sql.SQL("SET holdfast.tenant = {}").format(str(tenant)))
        with pytest.raises(pg.InsufficientPrivilege):
            await connection.execute(statement)


async def test_every_public_method_finds_nothing_of_another_tenant(app: Holdfast) -> None:
    async with app.tenant("globex") as hold:
        await hold.users.create("gil", roles=["viewer"])
        await hold.roles.define("secret-role", ["data:read"])
        token = (await hold.tokens.create("gil", "theirs")).token.token_id
        event = (await hold.audit.list()).items[0].object_id
    attempts: dict[str, Callable[[Hold], Awaitable[Any]]] = {
        "users.get": lambda hold: hold.users.get("gil"),
        "users.update": lambda hold: hold.users.update("gil", display_name="x"),
        "users.deactivate": lambda hold: hold.users.deactivate("gil"),
        "users.reactivate": lambda hold: hold.users.reactivate("gil"),
        "users.grant": lambda hold: hold.users.grant("gil", "admin"),
        "users.grant role": lambda hold: hold.users.grant("ana", "secret-role"),
        "users.revoke": lambda hold: hold.users.revoke("gil", "viewer"),
        "roles.delete": lambda hold: hold.roles.delete("secret-role"),
        "roles.find": lambda hold: hold.roles.find("secret-role"),
        "tokens.create": lambda hold: hold.tokens.create("gil", "mine now"),
        "tokens.revoke": lambda hold: hold.tokens.revoke(token),
    }
    for name, attempt in attempts.items():
        with pytest.raises(NotFound) as caught:
            async with app.tenant("acme", actor="ana") as hold:
                await attempt(hold)
        assert caught.value.status == 404, name
    async with app.tenant("globex") as hold:
        await hold.data.set("secrets", "k", 1)
        await hold.links.upsert("secrets", ("t", "a"), ("t", "b"))
    async with app.tenant("acme", actor="ana") as hold:
        assert await hold.data.get("secrets", "k") is None
        assert (await hold.data.list("secrets")).items == []
        assert (await hold.data.changes("secrets", after=0)).items == []
        assert not await hold.data.delete("secrets", "k")
        assert (await hold.links.lookup("secrets", ("t", "a"), direction="either")).matches == []
        assert await hold.links.delete("secrets", ("t", "a")) == 0
        assert [user.name for user in (await hold.users.list()).items] == ["ana"]
        assert "secret-role" not in {role.name for role in await hold.roles.list()}
        assert await hold.tokens.list(user="gil") == []
        assert (await hold.audit.list(object_id=event)).items == []
    async with app.tenant("globex") as hold:
        assert (await hold.users.get("gil")).roles == ["viewer"]
        assert (await hold.tokens.list(user="gil"))[0].revoked_at is None


async def test_unknown_tenants_and_actors_are_named(app: Holdfast) -> None:
    with pytest.raises(TenantNotFound, match="'nowhere'"):
        async with app.tenant("nowhere"):
            pass
    with pytest.raises(ActorNotFound, match="'zoe'"):
        async with app.tenant("acme", actor="zoe"):
            pass


async def test_a_failed_block_leaves_nothing(app: Holdfast) -> None:
    with pytest.raises(HoldfastError):
        async with app.tenant("acme") as hold:
            await hold.users.create("ben")
            await hold.users.create("ben")
    async with app.tenant("acme") as hold:
        assert [user.name for user in (await hold.users.list()).items] == ["ana"]
        assert (await hold.audit.verify()).ok


async def test_joining_shares_the_callers_fate_and_gives_the_identity_back(app: Holdfast, holdfast_dsn: str) -> None:
    async with await AsyncConnection.connect(holdfast_dsn) as mine:
        await mine.execute("CREATE TABLE orders (id int)")
        await mine.commit()
        identity = "SELECT current_user, coalesce(current_setting('holdfast.tenant', true), '')"
        before = await (await mine.execute(identity)).fetchone()
        await mine.execute("INSERT INTO orders VALUES (1)")
        async with app.tenant("acme", connection=mine) as hold:
            await hold.users.create("joined")
        assert await (await mine.execute(identity)).fetchone() == before
        await mine.execute("INSERT INTO orders VALUES (2)")
        await mine.rollback()
        async with app.tenant("acme") as hold:
            assert [user.name for user in (await hold.users.list()).items] == ["ana"]
        async with app.tenant("acme", connection=mine) as hold:
            await hold.users.create("joined")
        await mine.commit()
    async with app.tenant("acme") as hold:
        assert (await hold.users.get("joined")).active


async def test_a_failed_joined_block_leaves_the_callers_transaction_usable(app: Holdfast, holdfast_dsn: str) -> None:
    async with await AsyncConnection.connect(holdfast_dsn) as mine:
        await mine.execute("CREATE TABLE orders (id int)")
        with pytest.raises(psycopg.errors.DivisionByZero):
            async with app.tenant("acme", connection=mine) as hold:
                await hold.users.create("joined")
                await hold.connection.execute("SELECT 1 / 0")
        await mine.execute("INSERT INTO orders VALUES (1)")
        await mine.commit()
        assert await (await mine.execute("SELECT count(*) FROM orders")).fetchone() == (1,)
    async with app.tenant("acme") as hold:
        assert [user.name for user in (await hold.users.list()).items] == ["ana"]


async def test_joining_needs_a_transaction(app: Holdfast, holdfast_dsn: str) -> None:
    async with await AsyncConnection.connect(holdfast_dsn, autocommit=True) as mine:
        with pytest.raises(InvalidInput, match="no open transaction"):
            async with app.tenant("acme", connection=mine):
                pass
        async with mine.transaction(), app.tenant("acme", connection=mine) as hold:
            await hold.users.create("joined")
    async with app.tenant("acme") as hold:
        assert (await hold.users.get("joined")).active


async def test_nothing_of_a_transaction_leaks_to_the_next_user_of_the_connection(holdfast_dsn: str) -> None:
    async with Holdfast(dsn=holdfast_dsn, pool_min=1, pool_max=1) as app:
        await app.tenants.create("acme")
        async with app.tenant("acme"):
            pass
        with pytest.raises(HoldfastError):
            async with app.tenant("acme") as hold:
                await hold.users.get("nobody")
        async with app.database.connection() as connection:
            row = await (
                await connection.execute("SELECT current_setting('role'), current_setting('holdfast.tenant', true)")
            ).fetchone()
            assert row == ("none", "")


async def _all(hold: Hold, query: str) -> list[tuple[Any, ...]]:
    return await (await hold.connection.execute(query)).fetchall()


def _snapshot(superuser: psycopg.Connection[Row], tenant: UUID) -> list[list[Row]]:
    return [
        superuser.execute(
            sql.SQL("SELECT * FROM {} WHERE tenant = %s ORDER BY 1, 2").format(sql.Identifier("holdfast", name)),
            [tenant],
        ).fetchall()
        for name in ("tenants", "users", "user_roles", "api_tokens")
    ]
