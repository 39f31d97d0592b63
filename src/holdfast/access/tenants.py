"""Tenants of the installation: created and listed across tenants, changed from within."""

from __future__ import annotations

from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from holdfast.access.model import TenantInfo
from holdfast.access.users import FOUR_EYES, FOUR_EYES_ON_PUBLISHING
from holdfast.audit import record
from holdfast.errors import AlreadyExists, Forbidden, InvalidInput
from holdfast.kernel.actor import SYSTEM, Actor
from holdfast.kernel.clock import Clock
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import canonical_json, dump
from holdfast.kernel.names import check_slug, check_text
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["Tenants", "is_tenant", "read_tenant", "update_tenant"]

_SQL = queries("tenant")
_OWN = queries("access")
_SETTINGS_LIMIT = 64 * 1024


class Tenants:
    """All tenants of the installation, `app.tenants`: for trusted code, not for users of one tenant."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def create(self, slug: str, *, name: str | None = None, actor: Actor = SYSTEM) -> TenantInfo:
        """Add a tenant with the built-in roles and no users yet."""
        check_slug("slug", slug)
        values = {
            "tenant": uuid7(),
            "slug": slug,
            "name": check_text("name", name if name is not None else slug),
            "actor": str(actor),
            "now": self._clock.now(),
        }
        async with self._database.connection() as connection:
            row = await (await connection.execute(_SQL["create_tenant"], values)).fetchone()
        if row is None or not row[0]:
            raise AlreadyExists(f"there is already a tenant {slug!r}", hint="choose another slug", field="slug")
        return next(info for info in await self.list() if info.slug == slug)

    async def list(self) -> list[TenantInfo]:
        """Every tenant by slug."""
        async with self._database.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            await cursor.execute(_SQL["list_tenants"])
            return [TenantInfo(**row) for row in await cursor.fetchall()]


async def read_tenant(tx: TenantTx) -> TenantInfo:
    """The transaction's own tenant, as it is now."""
    tx.require("tenant:read")
    row = await tx.row(_OWN["read_tenant"])
    assert row is not None
    row.pop("updated_at")
    return TenantInfo(**row)


async def is_tenant(tx: TenantTx) -> bool:
    """Whether there is such a tenant: a transaction can be begun for any id."""
    return await tx.row(_OWN["read_tenant"]) is not None


async def update_tenant(tx: TenantTx, *, name: str | None = None, settings: dict[str, Any] | None = None) -> TenantInfo:
    """Change the tenant's name or settings; None leaves them as they are."""
    tx.require("tenant:write")
    before = await read_tenant(tx)
    new_name = before.name if name is None else check_text("name", name)
    new_settings = before.settings if settings is None else settings
    if not isinstance(new_settings, dict):
        raise InvalidInput("settings is not an object", hint="give a JSON object", field="settings")
    if len(canonical_json(new_settings)) > _SETTINGS_LIMIT:
        raise InvalidInput("settings is larger than 64 KiB", hint="keep large values elsewhere", field="settings")
    for name_of in (FOUR_EYES, FOUR_EYES_ON_PUBLISHING):
        _check_four_eyes(tx, name_of, before.settings, new_settings)
    await tx.run(_OWN["update_tenant"], name=new_name, settings=Jsonb(new_settings, dumps=dump))
    data = {"name": new_name, "settings": new_settings}
    await record(tx, "access", tx.tenant.id, "tenant.updated", data)
    return await read_tenant(tx)


def _check_four_eyes(tx: TenantTx, setting: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    if setting in after and not isinstance(after[setting], bool):
        raise InvalidInput(f"{setting} is {after[setting]!r}", hint="use true or false", field="settings")
    if before.get(setting) is True and after.get(setting) is not True and tx.actor.kind != "system":
        # Whoever could switch it off alone could do alone what takes two.
        raise Forbidden(
            f"{setting} is not switched off from within the tenant",
            hint=f"keep {setting} true, or let the operator of the database do it",
            permission="tenant:write",
        )
