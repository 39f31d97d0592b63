"""The operations of one tenant, `hold.operations`: start, look, cancel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from holdfast.access import load_actor
from holdfast.audit import record
from holdfast.errors import Conflict, InvalidInput, NotFound
from holdfast.kernel.actor import Actor
from holdfast.kernel.clock import Clock
from holdfast.kernel.cursor import check_limit, decode_cursor, decode_id_cursor, encode_cursor
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import encode
from holdfast.kernel.page import Page
from holdfast.operations.model import Operation, OperationItem, OperationKinds, Progress
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx
from holdfast.runs import Runs

__all__ = ["ATTEMPTS", "OPERATION", "Operations", "drop_operations"]

OPERATION = "holdfast.operation.v1"
"""The type of the runs that execute operations."""

ATTEMPTS = 20
"""How often a worker may break off in the middle of one."""

_SQL = queries("operations")
_RESULT_LIMIT = 4 * 1024 * 1024
_OUTCOMES: Final = ("succeeded", "skipped", "failed")
_SYSTEM = Actor.system("operations")


class Operations:
    """The operations of one tenant. Whoever may do what a kind does sees those of that kind."""

    def __init__(self, tx: TenantTx, kinds: OperationKinds, runs: Callable[[TenantTx], Runs]) -> None:
        self._tx = tx
        self._kinds = kinds
        self._runs = runs

    async def start(self, kind: str, given: Mapping[str, Any], *, total: int | None = None) -> Operation:
        """Let a worker do it, as whoever starts it, with the rights they have now and will still have then."""
        self._tx.require(self._kinds.find(kind).permission)
        operation_id = uuid7()
        # Enqueued as the system: whoever may operate effects need not be allowed to enqueue runs of any type.
        made = await self._runs(replace(self._tx, actor=_SYSTEM)).enqueue(
            OPERATION, {"operation": str(operation_id)}, max_attempts=ATTEMPTS
        )
        await self._tx.run(
            _SQL["insert"],
            id=operation_id,
            kind=kind,
            input=encode("input", dict(given), limit=_RESULT_LIMIT),
            run_id=made.id,
            total=total,
            party=encode("party", self._tx.actor.to_json(), limit=_RESULT_LIMIT),
            actor=str(self._tx.actor),
        )
        told = {"operation": str(operation_id), "kind": kind, "input": dict(given), "total": total}
        await record(self._tx, "run", made.id, "operation.started", told)
        return await self.get(operation_id)

    async def get(self, operation_id: UUID) -> Operation:
        """One operation, as far as it has come."""
        row = await self._tx.row(_SQL["get"], id=operation_id)
        if row is None or row["kind"] not in self._seen():
            raise _unknown(operation_id)
        return Operation(**row)

    async def list(self, *, kind: str | None = None, limit: int = 50, cursor: str | None = None) -> Page[Operation]:
        """Operations, newest first."""
        check_limit(limit)
        kinds = self._seen()
        if kind is not None:
            self._tx.require(self._kinds.find(kind).permission)
            kinds = (kind,)
        query = {"kind": kind}
        before = decode_id_cursor(query, cursor)
        rows = await self._tx.rows(_SQL["list"], kinds=[*kinds], before=before, limit=limit + 1)
        items = [Operation(**row) for row in rows[:limit]]
        return Page(items, encode_cursor(query, [str(items[-1].id)]) if len(rows) > limit else None)

    async def items(
        self, operation_id: UUID, *, outcome: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[OperationItem]:
        """What became of each thing, in the order in which they were dealt with; of one outcome, or all."""
        check_limit(limit)
        if outcome is not None and outcome not in _OUTCOMES:
            raise InvalidInput(f"outcome is {outcome!r}", hint=f"use one of {', '.join(_OUTCOMES)}", field="outcome")
        await self.get(operation_id)
        query = {"operation": str(operation_id), "outcome": outcome}
        after = 0 if cursor is None else decode_cursor(query, cursor, (int,))[0]
        rows = await self._tx.rows(_SQL["items"], id=operation_id, outcome=outcome, after=after, limit=limit + 1)
        items = [OperationItem(**row) for row in rows[:limit]]
        return Page(items, encode_cursor(query, [items[-1].seq]) if len(rows) > limit else None)

    async def cancel(self, operation_id: UUID) -> Operation:
        """End an operation after the batch that is under way. What was done stays done."""
        found = await self.get(operation_id)
        if found.finished_at is None and await self._tx.run(_SQL["cancel"], id=operation_id, actor=str(self._tx.actor)):
            told = {"operation": str(operation_id), "kind": found.kind}
            await record(self._tx, "run", found.run_id, "operation.cancelled", told)
            return await self.get(operation_id)
        raise Conflict(f"the operation is {found.status}", hint="only one that is not finished can be cancelled")

    async def lock(self, operation_id: UUID) -> Row:
        """The row, and nobody else's until the end of the transaction; for who executes it."""
        row = await self._tx.row(_SQL["lock"], id=operation_id)
        if row is None:
            raise _unknown(operation_id)
        return row

    async def acting(self, row: Row) -> Actor:
        """Who asked for it, with the rights they had then and still have; for who executes it."""
        then = Actor.from_json(row["party"])
        return then if then.kind == "system" else (await load_actor(self._tx, then.name)).limited_to_then(then)

    async def advance(self, row: Row, progress: Progress, *, error: str | None = None) -> None:
        """Write what a batch did, and end the operation when that was the last one; for who executes it."""
        outcomes = Counter[str](each.outcome for each in progress.items)
        status = "failed" if error is not None else "completed" if progress.position is None else "running"
        await self._tx.run(
            _SQL["advance"],
            id=row["id"],
            status=status,
            position=None if progress.position is None else encode("position", progress.position, limit=_RESULT_LIMIT),
            total=progress.total,
            result=None if progress.result is None else encode("result", progress.result, limit=_RESULT_LIMIT),
            error=error,
            first=row["succeeded"] + row["skipped"] + row["failed"] + 1,
            items=[each.item for each in progress.items],
            outcomes=[each.outcome for each in progress.items],
            codes=[each.code for each in progress.items],
            details=[None if each.detail is None else each.detail[:2000] for each in progress.items],
            **{outcome: outcomes[outcome] for outcome in _OUTCOMES},
        )

    def _seen(self) -> tuple[str, ...]:
        return tuple(kind.name for kind in self._kinds if self._tx.actor.may(kind.permission))


async def drop_operations(database: Database, clock: Clock) -> int:
    """Retention: forget what ended as long ago as finished runs are kept; how many."""
    values = {"now": clock.now(), "days": database.settings.run_retention}
    async with database.connection() as connection:
        row = await (await connection.execute(_SQL["drop"], values)).fetchone()
    return int(row[0]) if row else 0


def _unknown(operation_id: UUID) -> NotFound:
    return NotFound(
        f"there is no operation {operation_id}",
        hint="`holdfast operations list` shows them",
        operation=str(operation_id),
    )
