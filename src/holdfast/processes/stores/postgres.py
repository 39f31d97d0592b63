"""The store for production: `hold.processes`, one transaction for each call.

    store = PostgresWorkflowStore.of(app, "acme", actor="ana")

Whoever wants several calls in one transaction, or has one open already, uses `hold.processes` itself.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Any, Protocol
from uuid import UUID

from holdfast.access import load_actor
from holdfast.kernel.actor import SYSTEM, Actor
from holdfast.kernel.clock import Clock
from holdfast.kernel.json import decode, dump
from holdfast.kernel.page import Page
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.api import Processes
from holdfast.processes.assembly import Assembly
from holdfast.processes.cases import no_such_instance
from holdfast.processes.engine import Engine
from holdfast.processes.model import Happened, Instance
from holdfast.processes.stores.protocol import StoredEvent, check_remark
from holdfast.processes.worker import EngineWorker

__all__ = ["PostgresWorkflowStore"]

_SQL = queries("processes")
Opens = Callable[[], AbstractAsyncContextManager[TenantTx]]


class Application(Protocol):
    """What a store needs of `Holdfast`."""

    @property
    def database(self) -> Database: ...
    @property
    def assembly(self) -> Assembly: ...
    @property
    def clock(self) -> Clock: ...
    def engine_worker(self) -> EngineWorker: ...


class PostgresWorkflowStore:
    """Processes of one tenant in Postgres. `opens` gives a transaction of that tenant, `worker` does what is due."""

    @classmethod
    def of(cls, app: Application, tenant: str, *, actor: Actor | str = SYSTEM) -> PostgresWorkflowStore:
        """The processes of a tenant, as one of its users sees them, or as trusted code. The application is open."""

        @asynccontextmanager
        async def opens() -> AsyncIterator[TenantTx]:
            found = await app.database.tenant(tenant)
            first = SYSTEM if isinstance(actor, str) else actor
            async with app.database.transaction(found, first, app.clock) as tx:
                yield replace(tx, actor=await load_actor(tx, actor)) if isinstance(actor, str) else tx

        return cls(opens, app.assembly.engine, app.engine_worker())

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
        async with self._processes() as (tx, _):
            tx.require("processes:remark")
            check_remark(event, data)
            values = {"event": event, "actor": str(tx.actor), "data": dump(dict(data or {}))}
            if not await tx.run(_SQL["append_remark"], id=instance_id, **values):
                raise no_such_instance(instance_id)

    async def events(self, instance_id: UUID) -> Sequence[StoredEvent]:
        async with self._processes() as (tx, processes):
            tx.require("audit:read")
            await processes.get(instance_id)
            rows = await tx.rows(_SQL["events_of_instance"], id=instance_id)
        return [
            StoredEvent(row["event_type"], row["actor"], decode(row["data"]), row["created_at"], row["step_id"])
            for row in rows
        ]

    async def find_active(
        self,
        *,
        workflow_id: str | None = None,
        status: str | None = None,
        subject_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Instance]:
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
