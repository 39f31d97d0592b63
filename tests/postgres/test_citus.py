"""With the extension citus, migrations end by distributing the tenant tables. A stand-in records what is asked of it.

The real extension is not to be had from PyPI or Debian; this shows which statements we send and in which order, and
what happens when Citus refuses them, as 13.2 does.
"""

from __future__ import annotations

from typing import Any

import psycopg

from holdfast.doctor import GLOBAL_TABLES
from holdfast.postgres.migrate import migrate

STAND_IN = """
SET allow_system_table_mods = on;
INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
  VALUES (999999, 'citus', 10, 'public'::regnamespace, false, '12.1');
RESET allow_system_table_mods;
CREATE TABLE public.pg_dist_partition (logicalrelid regclass, kind text, beside text, place serial);
CREATE FUNCTION public.create_reference_table(t regclass) RETURNS void LANGUAGE sql AS
  $$ INSERT INTO public.pg_dist_partition (logicalrelid, kind) VALUES (t, 'reference') $$;
CREATE FUNCTION public.create_distributed_table(t regclass, col text, colocate_with text) RETURNS void LANGUAGE sql AS
  $$ INSERT INTO public.pg_dist_partition (logicalrelid, kind, beside) VALUES (t, col, colocate_with) $$;
"""


async def test_tenant_tables_are_distributed_once_and_side_by_side(
    holdfast_dsn: str, superuser: psycopg.Connection[Any]
) -> None:
    superuser.execute(STAND_IN)
    told: list[str] = []
    await migrate(holdfast_dsn, on_progress=told.append)
    asked = superuser.execute(
        "SELECT logicalrelid::text AS name, kind, beside FROM public.pg_dist_partition ORDER BY place"
    ).fetchall()
    assert asked[0] == {"name": "holdfast.tenants", "kind": "reference", "beside": None}
    tables = superuser.execute(
        "SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'holdfast'::regnamespace "
        "AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'tenants' ORDER BY relname"
    ).fetchall()
    wanted = [row["name"] for row in tables if row["name"].removeprefix("holdfast.") not in GLOBAL_TABLES]
    first = wanted[0]
    assert [(row["name"], row["kind"], row["beside"]) for row in asked[1:]] == [
        (name, "tenant", "default" if name == first else first) for name in wanted
    ]
    assert len(told) == len(asked)
    await migrate(holdfast_dsn, on_progress=told.append)
    assert len(told) == len(asked)


async def test_what_citus_refuses_stays_where_it_is_and_that_is_said(
    holdfast_dsn: str, superuser: psycopg.Connection[Any]
) -> None:
    superuser.execute(STAND_IN)
    superuser.execute(
        "CREATE OR REPLACE FUNCTION public.create_distributed_table(t regclass, col text, colocate_with text) "
        "RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE 'not this one'; END $$"
    )
    told: list[str] = []
    assert await migrate(holdfast_dsn, on_progress=told.append) == []
    assert told[-1] == "Citus does not distribute the tables (not this one); all of them stay on the coordinator"
    assert superuser.execute("SELECT * FROM public.pg_dist_partition").fetchall() == []
    await migrate(holdfast_dsn)


async def test_plain_postgres_is_asked_for_nothing(holdfast_dsn: str) -> None:
    told: list[str] = []
    await migrate(holdfast_dsn, on_progress=told.append)
    assert told == []
