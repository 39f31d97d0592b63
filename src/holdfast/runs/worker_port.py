"""What a worker lends to the runs it executes: storing steps, starting other runs, transactions that the run fences."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Any, LiteralString

from holdfast.errors import InvalidInput
from holdfast.kernel.actor import Actor
from holdfast.kernel.clock import Clock
from holdfast.kernel.json import encode
from holdfast.postgres.database import Database
from holdfast.runs.enqueue import NewRun, check_new, default_attempts
from holdfast.runs.model import Run
from holdfast.runs.registry import Handlers
from holdfast.runs.steps import ChildRun, StepStore

__all__ = ["HoldRun", "WorkerPort"]

HoldRun = Callable[[Run, Actor | str | None], AbstractAsyncContextManager[Any]]


class WorkerPort:
    """For all runs of one worker."""

    def __init__(self, database: Database, handlers: Handlers, clock: Clock, hold: HoldRun | None) -> None:
        self._database = database
        self._handlers = handlers
        self._hold = hold
        self._limit = database.settings.payload_limit
        self.steps = StepStore(self._ask, clock.now, self.encode, database.settings.run_events, handlers.sealing)

    def encode(self, value: Any) -> str:
        """A result as JSON text."""
        return encode("result", value, limit=self._limit)

    def child(
        self,
        type: str,  # noqa: A002 - it is the type
        payload: Any,
        priority: int,
        run_at: datetime | None,
        max_attempts: int | None,
        concurrency_key: str | None,
        concurrency_limit: int | None,
    ) -> ChildRun:
        """A run to be started, checked and encoded."""
        new = NewRun(
            type,
            priority=priority,
            run_at=run_at,
            max_attempts=max_attempts,
            concurrency_key=concurrency_key,
            concurrency_limit=concurrency_limit,
        )
        check_new(new)
        return ChildRun(
            type,
            encode("payload", {} if payload is None else payload, limit=self._limit),
            priority,
            run_at,
            max_attempts or default_attempts(type, self._handlers),
            concurrency_key,
            None if concurrency_key is None else concurrency_limit or 1,
        )

    def hold(self, run: Run, actor: Actor | str | None) -> AbstractAsyncContextManager[Any]:
        """A transaction of the run's tenant that fails when the run is lost."""
        if self._hold is None:
            raise InvalidInput("this worker opens no transactions for its runs", hint="make it with app.worker()")
        return self._hold(run, actor)

    async def _ask(self, statement: LiteralString, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        async with self._database.connection() as connection:
            return await (await connection.execute(statement, values)).fetchall()
