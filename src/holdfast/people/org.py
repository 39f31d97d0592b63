"""The organisation chart: who is whose manager. What the strategy `manager` asks."""

from __future__ import annotations

from dataclasses import dataclass

from psycopg import errors as pg

from holdfast.access.roles import is_administrator
from holdfast.audit import record
from holdfast.errors import Forbidden, InvalidInput, NotFound
from holdfast.kernel.cursor import check_limit, decode_cursor, encode_cursor
from holdfast.kernel.names import check_name
from holdfast.kernel.page import Page
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["ChartedPerson", "OrgChart"]

_SQL = queries("people")


@dataclass(frozen=True, slots=True)
class ChartedPerson:
    """Somebody's place in the organisation."""

    name: str
    display_name: str
    manager: str | None
    reports: int
    roles: list[str]
    active: bool


class OrgChart:
    """The organisation chart of one tenant, `hold.org`."""

    def __init__(self, tx: TenantTx) -> None:
        self._tx = tx

    async def set_manager(self, name: str, manager: str | None) -> None:
        """Say who somebody's manager is; None: nobody. One's own, or oneself, only as an administrator."""
        self._tx.require("users:write")
        check_name("name", name)
        if self._tx.actor.name in (name, manager) and not is_administrator(self._tx.actor):
            raise Forbidden(
                f"{self._tx.actor} cannot say who manages {name}",
                hint="ask an administrator: managers decide on what their people ask for",
                permission="users:write",
            )
        if manager is None:
            await self._tx.run(_SQL["remove_manager"], name=name)
        else:
            check_name("manager", manager)
            if name == manager or name in await self._above(manager):
                raise InvalidInput(
                    f"{manager} reports to {name}, so {name} cannot report to {manager}",
                    hint="a chart has no circles",
                    field="manager",
                )
            try:
                await self._tx.run(_SQL["set_manager"], name=name, manager=manager, actor=str(self._tx.actor))
            except pg.ForeignKeyViolation:
                raise NotFound(f"there is no user {name!r} or {manager!r}", hint="`holdfast users list`") from None
        await record(self._tx, "access", self._tx.tenant.id, "manager.set", {"name": name, "manager": manager})

    async def chart(self, *, limit: int = 200, cursor: str | None = None) -> Page[ChartedPerson]:
        """Everybody, by name, with their manager and how many report to them."""
        self._tx.require("users:read")
        check_limit(limit, maximum=1000)
        query = {"list": "org_chart"}
        after = decode_cursor(query, cursor, (str,))[0] if cursor is not None else None
        rows = await self._tx.rows(_SQL["org_chart"], after=after, limit=limit + 1)
        items = [ChartedPerson(**row) for row in rows[:limit]]
        return Page(items, encode_cursor(query, [items[-1].name]) if len(rows) > limit else None)

    async def managers(self, name: str) -> list[str]:
        """The managers above somebody, nearest first."""
        self._tx.require("users:read")
        return await self._above(name)

    async def _above(self, name: str) -> list[str]:
        return [row["manager"] for row in await self._tx.rows(_SQL["managers_above"], name=name)]
