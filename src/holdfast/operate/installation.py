"""The whole installation, `app.installation`: its tenants, workers and queues, and nothing of a tenant's content."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString

from psycopg.rows import dict_row

from holdfast.access import TenantInfo, Tenants
from holdfast.kernel.actor import SYSTEM, Actor
from holdfast.kernel.clock import Clock
from holdfast.kernel.cursor import check_limit, decode_cursor, encode_cursor
from holdfast.kernel.page import Page
from holdfast.operate.minutes import COUNT_CAP
from holdfast.operate.model import Queue
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries

__all__ = ["Installation", "InstalledTenant", "InstalledWorker", "TenantHealth", "TenantQueue"]

_SQL = queries("installation")


@dataclass(frozen=True, slots=True)
class InstalledTenant:
    """A tenant, as whoever operates the installation knows it."""

    slug: str
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class TenantQueue:
    """How much is in one queue of one tenant."""

    queue: Queue
    pending: int
    working: int
    waiting: int
    stuck: int
    dead: int
    oldest_seconds: float | None


@dataclass(frozen=True, slots=True)
class TenantHealth:
    """How the queues of one tenant stand."""

    tenant: str
    queues: list[TenantQueue]


@dataclass(frozen=True, slots=True)
class InstalledWorker:
    """A worker, and when it last said that it is there."""

    name: str
    alive: bool
    seen_at: datetime
    types: list[str]
    prefixes: list[str]


class Installation:
    """The installation. The application must be open."""

    def __init__(self, database: Database, clock: Clock, tenants: Tenants) -> None:
        self._database = database
        self._clock = clock
        self._tenants = tenants

    async def tenants(self) -> list[InstalledTenant]:
        """Every tenant by slug."""
        return [_tenant(info) for info in await self._tenants.list()]

    async def create_tenant(self, slug: str, *, name: str | None = None, actor: Actor = SYSTEM) -> InstalledTenant:
        """Add a tenant, without users yet."""
        return _tenant(await self._tenants.create(slug, name=name, actor=actor))

    async def workers(self) -> list[InstalledWorker]:
        """The workers heard of within a day."""
        return [InstalledWorker(**row) for row in await self._rows(_SQL["workers"])]

    async def health(self, *, limit: int = 50, cursor: str | None = None) -> Page[TenantHealth]:
        """How the queues of every tenant stand, tenant by tenant."""
        check_limit(limit)
        after = None if cursor is None else decode_cursor({}, cursor, (str,))[0]
        rows = await self._rows(_SQL["health"], after=after, limit=limit + 1, cap=COUNT_CAP)
        found: dict[str, list[TenantQueue]] = {}
        for row in rows:
            found.setdefault(row.pop("tenant"), []).append(TenantQueue(**row))
        items = [TenantHealth(tenant, queues) for tenant, queues in found.items()]
        shown = items[:limit]
        return Page(shown, encode_cursor({}, [shown[-1].tenant]) if len(items) > limit else None)

    async def _rows(self, query: LiteralString, **values: Any) -> list[dict[str, Any]]:
        async with self._database.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            await cursor.execute(query, values | {"now": self._clock.now()})
            return await cursor.fetchall()


def _tenant(info: TenantInfo) -> InstalledTenant:
    return InstalledTenant(info.slug, info.name, info.created_at)
