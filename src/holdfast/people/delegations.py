"""Delegations: somebody decides for another, from one date until another. Never in a matter of either's own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg import errors as pg

from holdfast.audit import record
from holdfast.errors import Forbidden, InvalidInput, NotFound
from holdfast.kernel.ids import uuid7
from holdfast.kernel.names import check_name, check_text
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["Delegation", "Delegations"]

_SQL = queries("people")


@dataclass(frozen=True, slots=True)
class Delegation:
    """`delegate` decides for `delegator`, in every matter or for one document type, while it is in force."""

    id: UUID
    delegator: str
    delegate: str
    entity_type: str | None
    starts_at: datetime
    ends_at: datetime
    reason: str
    created_by: str
    revoked_at: datetime | None


class Delegations:
    """The delegations of one tenant, `hold.delegations`."""

    def __init__(self, tx: TenantTx) -> None:
        self._tx = tx

    async def create(
        self,
        delegate: str,
        *,
        ends_at: datetime,
        starts_at: datetime | None = None,
        delegator: str | None = None,
        entity_type: str | None = None,
        reason: str = "",
    ) -> Delegation:
        """Hand over to somebody. For yourself; for another, an operator may."""
        giver = self._tx.actor.name if delegator is None else check_name("delegator", delegator)
        if giver != self._tx.actor.name or self._tx.actor.kind == "system":
            self._tx.require("processes:operate")
        else:
            self._tx.require("processes:approve")
        check_name("delegate", delegate)
        if giver == delegate:
            raise InvalidInput("nobody hands over to themselves", hint="name somebody else", field="delegate")
        if delegate == self._tx.actor.name and self._tx.actor.kind == "user":
            raise Forbidden(
                f"{delegate} cannot take over what {giver} decides on",
                hint=f"{giver}, or another operator, hands it over",
                permission="processes:operate",
            )
        for field, moment in (("starts_at", starts_at), ("ends_at", ends_at)):
            if moment is not None and moment.tzinfo is None:
                raise InvalidInput(f"{field} has no time zone", hint="use a datetime with one", field=field)
        if starts_at is not None and ends_at <= starts_at:
            raise InvalidInput("it ends before it begins", hint="choose a later end", field="ends_at")
        if entity_type is not None:
            check_text("entity_type", entity_type, maximum=64)
        made = uuid7()
        try:
            await self._tx.run(
                _SQL["add_delegation"],
                id=made,
                delegator=giver,
                delegate=delegate,
                entity_type=entity_type,
                starts_at=starts_at,
                ends_at=ends_at,
                reason=check_text("reason", reason, maximum=1000) if reason else "",
                actor=str(self._tx.actor),
            )
        except pg.ForeignKeyViolation:
            raise NotFound(f"there is no user {delegate!r} or {giver!r}", hint="`holdfast users list`") from None
        except pg.CheckViolation:
            raise InvalidInput(
                "it would be over before it begins", hint="choose a later end", field="ends_at"
            ) from None
        about = {"delegation": str(made), "delegator": giver, "delegate": delegate, "ends_at": ends_at.isoformat()}
        await record(self._tx, "access", self._tx.tenant.id, "delegation.created", about)
        return await self.get(made)

    async def get(self, delegation_id: UUID) -> Delegation:
        """One delegation."""
        row = await self._tx.row(_SQL["get_delegation"], id=delegation_id)
        if row is None:
            raise NotFound(f"there is no delegation {delegation_id}")
        return Delegation(**row)

    async def list(self, *, everybody: bool = False) -> list[Delegation]:
        """Those in force and to come: from or to the actor, or, for an operator, everybody's."""
        self._tx.require("processes:operate" if everybody else "processes:read")
        name = None if everybody else self._tx.actor.name
        return [Delegation(**row) for row in await self._tx.rows(_SQL["list_delegations"], name=name)]

    async def revoke(self, delegation_id: UUID) -> None:
        """End a delegation now: one's own, or, for an operator, anybody's."""
        delegation = await self.get(delegation_id)
        if delegation.delegator != self._tx.actor.name:
            self._tx.require("processes:operate")
        if await self._tx.run(_SQL["revoke_delegation"], id=delegation_id):
            about = {"delegation": str(delegation_id), "delegator": delegation.delegator}
            await record(self._tx, "access", self._tx.tenant.id, "delegation.revoked", about)
