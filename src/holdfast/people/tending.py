"""Tending: reminding people of what waits for them, and asking others too when it takes too long.

Also when nobody who was asked is left to answer: then there is nothing to wait for.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from uuid import UUID

from psycopg.rows import dict_row

from holdfast.audit import record
from holdfast.effects.in_app import notify
from holdfast.kernel.actor import Actor
from holdfast.kernel.clock import Clock
from holdfast.people.resolvers import look_up, resolve
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, Tenant, TenantTx

__all__ = ["Tending"]

_SQL = queries("people")
_log = logging.getLogger(__name__)
_TENDER = Actor.system("reminders")
_BATCH = 100


class Tending:
    """Looks after open requests of every tenant; a chore of the effects worker."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def round(self) -> int:
        """Remind and escalate where it is time; how many requests that were."""
        async with self._database.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            await cursor.execute(_SQL["requests_to_tend"], {"now": self._clock.now(), "limit": _BATCH})
            due = await cursor.fetchall()
        for row in due:
            tenant = Tenant(row["tenant"], slug="", name="")
            async with self._database.transaction(tenant, _TENDER, self._clock) as tx:
                await self._tend(tx, row["id"])
        return len(due)

    async def _tend(self, tx: TenantTx, request_id: UUID) -> None:
        await tx.run(_SQL["lock_request"], id=request_id)
        request = await tx.row(_SQL["tended_request"], id=request_id)
        if request is None:
            return  # Decided, or tended by another worker, since it was found.
        escalated = bool(request["escalates"])
        if escalated:
            await self._escalate(tx, request)
        elif request["reminds"]:
            await self._remind(tx, request)
        await tx.run(_SQL["tended"], id=request_id, escalated=escalated)

    async def _remind(self, tx: TenantTx, request: Row) -> None:
        names = await self._people(tx, request, request["principals"])
        await notify(
            tx,
            names,
            key=f"remind:{request['id']}:{request['now'].isoformat()}",
            subject=f"Still waiting for you: {request['title']}",
            instance_id=request["instance_id"],
            request_id=request["id"],
        )
        about = {"request": str(request["id"]), "reminded": names}
        await record(tx, "instance", request["instance_id"], "approval.reminded", about, step_id=request["node_id"])

    async def _escalate(self, tx: TenantTx, request: Row) -> None:
        given = request["escalate_to"] or []
        own: list[str] = request["makers"] if request["four_eyes"] else []
        found, problems = await resolve(given, await look_up(tx, given, except_for=own), except_for=own)
        added = [each for each in found if each.name not in {f"user:{name}" for name in own}]
        for each in added:
            await tx.run(
                _SQL["add_assignee"],
                id=request["id"],
                principal=each.name,
                via="escalation",
                due_at=request["due_at"],
                actor=str(tx.actor),
            )
        names = await self._people(tx, request, [each.name for each in added])
        await notify(
            tx,
            names,
            key=f"escalate:{request['id']}",
            subject=f"Escalated to you: {request['title']}",
            instance_id=request["instance_id"],
            request_id=request["id"],
        )
        if problems:
            _log.warning("request %s could not be escalated to everybody: %s", request["id"], "; ".join(problems))
        about = {
            "request": str(request["id"]),
            "to": [each.name for each in added],
            "notified": names,
            "problems": problems,
            **({"reason": "nobody who was asked is left"} if request["early"] else {}),
        }
        await record(tx, "instance", request["instance_id"], "approval.escalated", about, step_id=request["node_id"])

    async def _people(self, tx: TenantTx, request: Row, principals: Sequence[str]) -> list[str]:
        """The people behind principals, a role's holders among them, who may still decide on the request."""
        roles = [each.removeprefix("role:") for each in principals if each.startswith("role:")]
        names = {each.removeprefix("user:") for each in principals if each.startswith("user:")}
        if roles:
            names |= {row["name"] for row in await tx.rows(_SQL["holders"], roles=roles)}
        names -= set(request["decided"])
        if request["four_eyes"]:
            names -= set(request["makers"])
        return sorted(names)
