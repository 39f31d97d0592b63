"""Looks the installation over and says in plain words what is wrong and what to do.

It changes nothing and does not start a server that is not running already, but for the embedded one, which it needs to
look at. Each finding stands alone: what cannot be checked because something before it failed is said to be unchecked.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal

from psycopg import AsyncConnection
from psycopg.rows import dict_row

from holdfast.errors import DatabaseFull, HoldfastError
from holdfast.kernel.clock import Clock
from holdfast.postgres.citus import DISTRIBUTED, distributed_tables, has_citus
from holdfast.postgres.connect import reach, version_of
from holdfast.postgres.database import addresses
from holdfast.postgres.embedded import EmbeddedServer
from holdfast.postgres.failures import address
from holdfast.postgres.migrate import check_schema
from holdfast.postgres.queries import queries
from holdfast.postgres.room import try_room
from holdfast.settings import Settings

__all__ = ["GLOBAL_TABLES", "Finding", "examine"]

_SQL = queries("install")
_CLOCK_TOLERANCE = 5.0

GLOBAL_TABLES: Final = (
    "schema_migrations",  # which migrations were applied: a fact about the database
    "schema_repeatables",  # likewise which functions, views and triggers
    "installation",  # which installation this is
    "retention",  # how long months are kept: partitions are shared by all tenants
    "partition_drop",  # which of them retention dropped
    "audit_anchor",  # when the heads of all chains were last sent outside
    "workflow_definition_registry",  # which graphs there are: managed by the installation's administrators
    "workflow_definition_version",
    "run_worker",  # which workers are running: they serve every tenant
    "step_month_packed",  # which months of steps are packed: partitions are shared by all tenants
    "queue_rollup",  # up to which minute finished work is counted, for all tenants together
    "installation_token",  # credentials of the installation's operator
)
"""The few tables that belong to the installation instead of a tenant, and so have no row-level security."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: how it went, and what to do when it did not go well."""

    check: str
    verdict: Literal["ok", "warning", "failed"]
    detail: str
    fix: str | None = None


async def examine(settings: Settings, clock: Clock | None = None) -> AsyncIterator[Finding]:
    """Every finding as it is made; a failed connection ends the examination."""
    now = clock.now() if clock else None
    server: EmbeddedServer | None = None
    try:
        if settings.embedded:
            server = EmbeddedServer.start(settings.data_dir, version=settings.postgres_version)
            yield Finding("embedded Postgres", "ok", f"running in {settings.data_dir}")
        where = addresses(settings, server)
        async with reach(where.admin, timeout=settings.connect_timeout) as connection:
            yield Finding("connection", "ok", address(where.admin))
            yield Finding("Postgres version", "ok", version_of(connection))
            async for finding in _installation(connection, now):
                yield finding
            if await has_citus(connection):
                yield await _citus(connection)
            yield await _clock(connection)
            yield await _disk(connection)
        async with reach(where.app, timeout=settings.connect_timeout) as connection:
            yield await _login(connection)
        yield _keys(settings)
    except HoldfastError as error:
        yield Finding(error.code.replace("_", " "), "failed", error.message, error.hint)
    finally:
        if server is not None:
            server.stop()


async def _installation(connection: AsyncConnection[Any], now: datetime | None) -> AsyncIterator[Finding]:
    missing = await _names(connection, "missing_roles")
    if missing:
        yield Finding("roles", "failed", f"missing: {', '.join(missing)}", "run `holdfast migrate`")
        return
    loose = await _rows(connection, "roles_around_isolation")
    if loose:
        names = dict.fromkeys(row["name"] for row in loose)
        fix = "; ".join(
            f"ALTER ROLE {row['name']} NOSUPERUSER NOBYPASSRLS"
            if row["name"] == row["through"]
            else f"REVOKE {row['through']} FROM {row['name']}"
            for row in loose
        )
        yield Finding("roles", "failed", f"{', '.join(names)} can get around row-level security", fix)
    else:
        yield Finding("roles", "ok", "holdfast_owner, holdfast_app, holdfast_worker")
    try:
        await check_schema(connection)
    except HoldfastError as error:
        yield Finding("migrations", "failed", error.message, error.hint)
        return
    yield Finding("migrations", "ok", "up to date")
    open_tables = await _names(connection, "unprotected_tables", global_tables=list(GLOBAL_TABLES))
    foreign = await _names(connection, "foreign_policies")
    if open_tables:
        fix = "; ".join(
            f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY; ALTER TABLE {name} FORCE ROW LEVEL SECURITY"
            for name in open_tables
        )
        yield Finding("row-level security", "failed", f"not enforced on {', '.join(open_tables)}", fix)
    elif foreign:
        fix = "; ".join(f"DROP POLICY {name}" for name in foreign)
        yield Finding("row-level security", "failed", f"weakened by {', '.join(foreign)}", fix)
    else:
        yield Finding("row-level security", "ok", "enabled and forced on every tenant table")
    if changeable := await _names(connection, "changeable_history"):
        fix = f"REVOKE UPDATE, DELETE, TRUNCATE ON {', '.join(changeable)} FROM holdfast_app, holdfast_worker"
        yield Finding("history", "failed", f"the application may change {', '.join(changeable)}", fix)
    else:
        yield Finding("history", "ok", "append-only for the application")
    async with connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(_SQL["missing_partitions"], {"now": None})
        gaps = [f"{row['parent']} {row['month']}" for row in await cursor.fetchall()]
    if gaps:
        fix = "run a worker (`holdfast worker`): its janitor makes them; until then events are kept all the same"
        yield Finding("partitions", "warning", f"not made yet: {', '.join(gaps)}", fix)
    else:
        yield Finding("partitions", "ok", "this month's and next month's are there")
    yield await _effects(connection, now)
    yield await _code(connection, now)


async def _code(connection: AsyncConnection[Any], now: datetime | None) -> Finding:
    """Whether everything that steps of processes need is known to some worker."""
    waiting = await _rows(connection, "unknown_code", now=now)
    if not waiting:
        return Finding("code of processes", "ok", "no step waits for code that no worker knows")
    told = ", ".join(f"{row['needs']} ({row['steps']} since {row['since']:%Y-%m-%d %H:%M})" for row in waiting)
    fix = "run `holdfast worker --app` with the application that registers it; check the name"
    return Finding("code of processes", "warning", f"no worker knows {told}", fix)


async def _effects(connection: AsyncConnection[Any], now: datetime | None) -> Finding:
    """Whether everything that is to be sent has somebody who takes it."""
    waiting = await _rows(connection, "waiting_effects", now=now)
    if not waiting:
        return Finding("effects", "ok", "none is left lying")
    told, fixes = [], []
    for row in waiting:
        lying = f"{row['effects']} {row['kind']} since {row['since']:%Y-%m-%d %H:%M}"
        told.append(f"no worker takes {lying}" if row["lacks"] is None else f"no {row['lacks']} for {lying}")
        fixes.append(_taker(row["kind"]) if row["lacks"] is None else _FOUND[row["lacks"]])
    return Finding("effects", "warning", "; ".join(told), "; ".join(dict.fromkeys(fixes)))


_FOUND: Final = {
    "secret": "set it: `holdfast effects list --status failed` names it, `holdfast effects set-secret` keeps it",
    "key": "give workers every key that was ever used: HOLDFAST_KEYS",
}
"""What an operator does so that effects can be sent that lack something."""


def _taker(kind: str) -> str:
    """What a worker needs that is to send effects of a kind."""
    if kind == "email":
        return "run a worker with HOLDFAST_SMTP_URL and HOLDFAST_MAIL_FROM"
    if kind in ("webhook", "in_app"):
        return "run `holdfast worker`"
    return f"run `holdfast worker --app` with the application that registers @app.effect({kind!r})"


async def _citus(connection: AsyncConnection[Any]) -> Finding:
    known = await distributed_tables(connection)
    missing = [name for name in DISTRIBUTED if name not in known]
    if missing:
        fix = "run `holdfast migrate`: it distributes them, or says what Citus refused"
        return Finding("Citus", "warning", f"not distributed: {', '.join(missing)}", fix)
    return Finding("Citus", "ok", f"{', '.join(known)} are distributed by tenant; all else is on the coordinator")


async def _disk(connection: AsyncConnection[Any]) -> Finding:
    try:
        await try_room(connection)
    except DatabaseFull as error:
        return Finding(
            "disk", "failed", error.message, "make room on the server of Postgres; until then nothing is kept"
        )
    return Finding("disk", "ok", "Postgres has room")


async def _clock(connection: AsyncConnection[Any]) -> Finding:
    row = await _row(connection, "clock_difference", here=datetime.now(UTC))
    off = abs(row["seconds"])
    if off > _CLOCK_TOLERANCE:
        return Finding(
            "clock",
            "warning",
            f"this machine and Postgres disagree by {off:.0f} s",
            "synchronise both with NTP; holdfast itself only goes by Postgres's",
        )
    return Finding("clock", "ok", f"{off * 1000:.0f} ms from Postgres's")


def _keys(settings: Settings) -> Finding:
    """Whether there are keys. Without them nothing is stored that needs one, and nothing of the trail is dropped."""
    if settings.keys is not None:
        return Finding("keys", "ok", "HOLDFAST_KEYS is set")
    if settings.embedded:
        return Finding("keys", "ok", f"in {settings.data_dir}, made when they are first needed")
    kept = f"events are not dropped when their time is over ({_spans(settings)}), because who drops them must sign"
    fix = "put what `holdfast keys new` prints into HOLDFAST_KEYS of every process"
    return Finding("keys", "warning", f"there are none: {kept}; secrets cannot be stored", fix)


def _spans(settings: Settings) -> str:
    spans = ", ".join(f"{kind} after {days} days" for kind, days in sorted(settings.audit_retention.items()))
    return spans or "none has a time set"


async def _login(connection: AsyncConnection[Any]) -> Finding:
    row = await _row(connection, "login")
    if row["rolsuper"] or row["rolbypassrls"]:
        return Finding(
            "login",
            "warning",
            f"{row['name']} could get around row-level security; transactions still run as holdfast_app",
            "connect as holdfast_worker (ALTER ROLE holdfast_worker PASSWORD …), "
            "and keep this login for HOLDFAST_ADMIN_DSN",
        )
    return Finding("login", "ok", f"{row['name']}, bound by row-level security")


async def _row(connection: AsyncConnection[Any], query: str, **values: Any) -> dict[str, Any]:
    async with connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(_SQL[query], values or None)
        row = await cursor.fetchone()
    assert row is not None
    return row


async def _names(connection: AsyncConnection[Any], query: str, **values: Any) -> list[str]:
    return [row["name"] for row in await _rows(connection, query, **values)]


async def _rows(connection: AsyncConnection[Any], query: str, **values: Any) -> list[dict[str, Any]]:
    async with connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(_SQL[query], values or None)
        return await cursor.fetchall()
