"""The workers an application can run: of runs, processes, effects, outbox events and schedules.

Their code is imported when one is made: a program that only enqueues never loads it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.access import acting_for
from holdfast.access.tenants import read_tenant
from holdfast.app.hold import Hold
from holdfast.app.parts import Parts
from holdfast.kernel.actor import SYSTEM, Actor
from holdfast.postgres.tenant import Tenant, TenantTx
from holdfast.runs import Run, Scheduler, Worker
from holdfast.runs.api import check_held

if TYPE_CHECKING:
    from holdfast.effects import EffectsWorker
    from holdfast.outbox import Dispatcher, Sink
    from holdfast.processes.worker import EngineWorker

__all__ = ["Working"]


class Working(Parts):
    """What makes workers. The application must be open."""

    def worker(
        self, *, prefixes: Sequence[str] = (), concurrency: int | None = None, name: str | None = None
    ) -> Worker:
        """A worker for the handlers of this application, which must be open. `await worker.run()` ends after stop()."""
        settings = self.settings
        return Worker(
            self.database,
            self.handlers,
            self.clock,
            prefixes=prefixes or settings.worker_type_prefixes,
            concurrency=settings.worker_concurrency if concurrency is None else concurrency,
            threads=settings.worker_threads,
            poll_interval=settings.worker_poll_interval,
            shutdown_timeout=settings.worker_shutdown_timeout,
            name=name,
            hold=self._hold_run,
            metrics=self.metrics.runs,
        )

    def scheduler(self) -> Scheduler:
        """A scheduler for every tenant's schedules. The application must be open. `await scheduler.run()`, as a worker.

        `holdfast worker` runs one. Any number may run: each fire becomes one run.
        """
        settings = self.settings
        return Scheduler(
            self.database,
            self.clock,
            self.runs_in,
            poll_interval=settings.worker_poll_interval,
            grace=settings.schedule_grace,
            on_fire=self.metrics.schedules.fired,
        )

    def engine_worker(
        self, *, concurrency: int = 2, batch: int = 100, lease: float = 60.0, name: str | None = None
    ) -> EngineWorker:
        """A worker that advances processes. The application must be open; `await worker.run()` ends after stop()."""
        from holdfast.processes.worker import EngineWorker

        return EngineWorker(
            self.database,
            self.assembly.engine,
            self.clock,
            library=self.assembly.library,
            concurrency=concurrency,
            batch=batch,
            lease=timedelta(seconds=lease),
            poll_interval=self.settings.worker_poll_interval,
            name=name,
        )

    def effects_worker(self, *, concurrency: int | None = None, name: str | None = None) -> EffectsWorker:
        """A worker that sends effects and reminds people. The application must be open."""
        from holdfast.effects import EffectsWorker, addressed, confirming, standard_senders
        from holdfast.people import Tending

        settings = self.settings
        return EffectsWorker(
            self.database,
            {
                **standard_senders(self.database, self.clock, lambda: self.keyring, self.handlers.sealing),
                **addressed(self.senders, self.database, self.clock),
            },
            self.clock,
            confirming(self.assembly.engine),
            concurrency=concurrency or settings.effects_concurrency,
            lease=timedelta(seconds=settings.effects_timeout * 2),
            poll_interval=settings.worker_poll_interval,
            shutdown_timeout=settings.worker_shutdown_timeout,
            chores=[Tending(self.database, self.clock).round],
            name=name,
            sealing=self.handlers.sealing,
        )

    @property
    def has_sinks(self) -> bool:
        """Whether outbox events have anywhere to go."""
        return self.settings.outbox_sinks is not None or len(self.own_sinks) > 0

    def dispatcher(
        self, *, sinks: Sequence[Sink] = (), concurrency: int | None = None, name: str | None = None
    ) -> Dispatcher:
        """A dispatcher of outbox events for the sinks given, or for those of the settings and of the application.

        The application must be open. `await dispatcher.run()` ends after stop().
        """
        from holdfast.outbox import Dispatcher, build_sinks

        wanted = list(sinks) or [*build_sinks(self.settings), *self.own_sinks.build()]
        return Dispatcher(self.database, wanted, self.clock, concurrency=concurrency, name=name)

    @asynccontextmanager
    async def _hold_run(self, run: Run, actor: Actor | str | None) -> AsyncIterator[Hold]:
        async with self.database.transaction(Tenant(run.tenant, slug="", name=""), SYSTEM, self.clock) as tx:
            party = await check_held(tx, run)
            info = await read_tenant(tx)
            tenant = Tenant(run.tenant, info.slug, info.name, info.settings)
            own = TenantTx(tx.connection, tenant, SYSTEM, tx.clock, by_run=run.id)
            yield Hold(self, await acting_for(own, actor, party))
