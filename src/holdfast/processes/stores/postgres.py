"""The store for production: `hold.processes`, one transaction for each call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any
from uuid import UUID

from holdfast.audit import Trail, record
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.engine import Engine
from holdfast.processes.model import Happened, Instance, InstancePage
from holdfast.processes.processes import Processes
from holdfast.processes.stores.protocol import StoredEvent
from holdfast.processes.worker import EngineWorker

__all__ = ["PostgresWorkflowStore"]

Opens = Callable[[], AbstractAsyncContextManager[TenantTx]]


class PostgresWorkflowStore:
    """Processes of one tenant in Postgres. `opens` gives a transaction of that tenant, `worker` does what is due."""

    def __init__(self, opens: Opens, engine: Engine, worker: EngineWorker) -> None:
        self._opens = opens
        self._engine = engine
        self._worker = worker

    @asynccontextmanager
    async def _processes(self) -> AsyncIterator[tuple[TenantTx, Processes]]:
        async with self._opens() as tx:
            yield tx, Processes(tx, self._engine)

    async def create(
        self,
        workflow_id: str,
        *,
        payload: Any = None,
        context: Mapping[str, Any] | None = None,
        subject_id: str = "",
        partition_id: str = "",
        instance_id: UUID | None = None,
    ) -> Instance:
        async with self._processes() as (_, processes):
            return await processes.start(
                workflow_id,
                payload=payload,
                context=context,
                subject_id=subject_id,
                partition_id=partition_id,
                instance_id=instance_id,
            )

    async def get(self, instance_id: UUID) -> Instance:
        async with self._processes() as (_, processes):
            return await processes.get(instance_id)

    async def advance(
        self,
        instance_id: UUID,
        event: str,
        input: Any = None,  # noqa: A002 - the word of the interface
        *,
        expected_version: int | None = None,
    ) -> Happened:
        async with self._processes() as (_, processes):
            return await processes.advance(instance_id, event, input, expected_version=expected_version)

    async def append_event(self, instance_id: UUID, event: str, data: Mapping[str, Any] | None = None) -> None:
        async with self._processes() as (tx, processes):
            await processes.get(instance_id)
            await record(tx, "instance", instance_id, event, data)

    async def events(self, instance_id: UUID) -> Sequence[StoredEvent]:
        found: list[StoredEvent] = []
        async with self._processes() as (tx, processes):
            await processes.get(instance_id)
            cursor = None
            while True:
                page = await Trail(tx).list(object_id=instance_id, object_kind="instance", limit=200, cursor=cursor)
                found += [
                    StoredEvent(each.event_type, each.actor, each.data, each.created_at, each.step_id)
                    for each in page.items
                ]
                cursor = page.next_cursor
                if cursor is None:
                    return found[::-1]

    async def find_active(
        self,
        *,
        workflow_id: str | None = None,
        status: str | None = None,
        subject_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> InstancePage:
        async with self._processes() as (_, processes):
            return await processes.find_active(
                workflow_id=workflow_id, status=status, subject_id=subject_id, limit=limit, cursor=cursor
            )

    async def find_expired(self, *, limit: int = 100) -> Sequence[Instance]:
        async with self._processes() as (_, processes):
            return await processes.find_expired(limit=limit)

    async def expire(self) -> int:
        due = len(await self.find_expired(limit=1000))
        await self._worker.drain()
        return due
