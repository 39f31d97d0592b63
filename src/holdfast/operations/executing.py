"""Executes operations: the handler of the runs that `Operations.start` enqueues.

Each batch is two short transactions: who asked, as they are now; and the batch itself, as them, together with its
progress. Between batches somebody may cancel, rights may be taken away, and a worker may die: the next one goes on
where the last batch ended.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from holdfast.errors import ActorNotFound, Forbidden, InvalidInput, LeaseLost
from holdfast.operations.api import OPERATION
from holdfast.operations.model import Operation, OperationKinds, Progress
from holdfast.runs import Fail, Run

__all__ = ["OPERATION", "Execution"]

_FINAL: Final = (ActorNotFound, Forbidden, InvalidInput)
"""What is the same however often it is tried."""


@dataclass(frozen=True, slots=True)
class Order:
    """The payload of such a run."""

    operation: UUID


class Execution:
    """Executes operations of the kinds that this application knows."""

    def __init__(self, kinds: OperationKinds) -> None:
        self._kinds = kinds

    async def execute(self, run: Run, order: Order) -> None:
        """Do one operation, batch after batch."""
        operation_id = order.operation
        try:
            while await self._batch(run, operation_id):
                pass
        except _FINAL as error:
            await self._give_up(run, operation_id, f"{error.code}: {error.message}")
            raise Fail(error.message) from error
        except LeaseLost:
            raise
        except Exception as error:
            if run.attempt >= run.max_attempts:
                await self._give_up(run, operation_id, f"{type(error).__name__}: {error}")
            raise

    async def _batch(self, run: Run, operation_id: UUID) -> bool:
        """Do one batch; whether there is more to do."""
        async with run.hold() as hold:
            row = await hold.operations.lock(operation_id)
            if row["run_id"] != run.id:
                raise Fail(f"the operation {operation_id} is executed by the run {row['run_id']}")
            if row["finished_at"] is not None:
                return False
            who = await hold.operations.acting(row)
        async with run.hold(actor=who) as hold:
            row = await hold.operations.lock(operation_id)
            if row["finished_at"] is not None:
                return False
            position = row.pop("position")
            operation = Operation(**{name: value for name, value in row.items() if name != "party"})
            progress = await self._kinds.find(operation.kind).batch(hold, operation, position)
            await hold.operations.advance(row, progress)
        return progress.position is not None

    async def _give_up(self, run: Run, operation_id: UUID, error: str) -> None:
        async with run.hold() as hold:
            row = await hold.operations.lock(operation_id)
            if row["run_id"] == run.id and row["finished_at"] is None:
                await hold.operations.advance(row, Progress(), error=error[:1000])
