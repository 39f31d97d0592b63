"""Jobs for sessions of images: one for each that has something to execute, none for those that have not.

A Job that gave up fails its session with the reason. So does one whose pod cannot start, after a while: Kubernetes
would try for ever. When it is the image that cannot be had, the definition is marked, so that no more sessions are
started of it.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from psycopg.rows import dict_row

from holdfast.errors import Conflict, NotFound, OperationalError
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Tenant
from holdfast.sessions.api import Sessions
from holdfast.sessions.definitions import Definitions
from holdfast.sessions.kubernetes.cluster import Cluster
from holdfast.sessions.kubernetes.jobs import (
    LABEL,
    Placement,
    Stuck,
    failure_of,
    is_over,
    job_for,
    job_name,
    owner_of,
    stuck_pod,
)

__all__ = ["Placing", "Tenants"]

_SQL = queries("sessions")
_log = logging.getLogger(__name__)
Jobs = dict[str, dict[str, Any]]


class _Hold(Protocol):
    @property
    def sessions(self) -> Sessions: ...

    @property
    def tenant(self) -> Tenant: ...


class Tenants(Protocol):
    """How to enter a tenant."""

    def __call__(self, slug: str) -> AbstractAsyncContextManager[_Hold]: ...


class Placing:
    """The Jobs of one namespace."""

    def __init__(
        self,
        database: Database,
        definitions: Definitions,
        tenant: Tenants,
        cluster: Cluster,
        *,
        secret: str | None,
        patience: float,
    ) -> None:
        self._database = database
        self._definitions = definitions
        self._tenant = tenant
        self._cluster = cluster
        self._secret = secret
        self._patience = patience
        self._stuck: dict[str, float] = {}
        self._idle: set[str] = set()

    async def place(self) -> list[OperationalError]:
        """One look; what the cluster refused, one error for each session."""
        # Jobs first: one that is listed was made for a run, so its session shows that run afterwards, or is past it.
        jobs: Jobs = {job["metadata"]["name"]: job for job in await self._cluster.jobs(LABEL)}
        placements = {job_name(one): one for one in await self._placements()}
        refused = [error for name, one in placements.items() if (error := await self._look(name, one, jobs.get(name)))]
        await self._look_at_pods({name: one for name, one in placements.items() if name in jobs})
        await self._clear({name: job for name, job in jobs.items() if name not in placements and not is_over(job)})
        return refused

    async def _look(self, name: str, placement: Placement, job: dict[str, Any] | None) -> OperationalError | None:
        if job is not None:
            if reason := failure_of(job):
                await self._fail(placement, f"its job failed: {reason}")
            return None
        try:
            if await self._cluster.create_job(
                job_for(placement, namespace=self._cluster.namespace, secret=self._secret)
            ):
                _log.info("started %s for the session %s", name, placement.name)
        except OperationalError as error:
            if error.details.get("api_status") in (None, 401):
                raise
            if error.details["api_status"] in (400, 422):
                # Asking again would not help.
                await self._fail(placement, f"its job was refused: {error.message}")
            return error
        return None

    async def _look_at_pods(self, placements: dict[str, Placement]) -> None:
        """Fail the sessions whose pods have been unable to start for too long."""
        if not placements:
            self._stuck.clear()
            return
        found = [one for pod in await self._cluster.pods(LABEL) if (one := stuck_pod(pod)) and one.job in placements]
        now = asyncio.get_running_loop().time()
        self._stuck = {one.pod: self._stuck.get(one.pod, now) for one in found}
        for one in found:
            if now - self._stuck[one.pod] >= self._patience:
                await self._give_up(placements[one.job], one)

    async def _give_up(self, placement: Placement, stuck: Stuck) -> None:
        await self._fail(placement, f"its job does not start: {stuck.reason}")
        if not stuck.image:
            return
        try:
            known = await self._definitions.get(placement.workflow)
            if (known.container_image, known.phase) == (placement.image, "Active"):
                await self._definitions.mark_broken(placement.workflow, " ".join(stuck.reason.split())[:500])
        except NotFound:
            return

    async def _clear(self, jobs: Jobs) -> None:
        """Delete Jobs that go on although their sessions are past them. The second look at one is soon enough: by then
        a container that noticed it itself has ended.
        """
        for name, job in jobs.items():
            if name in self._idle and await self._is_ours(job):
                await self._cluster.delete_job(name)
                _log.info("deleted %s, whose session does not need it any more", name)
        self._idle = set(jobs)

    async def _is_ours(self, job: dict[str, Any]) -> bool:
        """Whether a Job belongs to a tenant of this database: another installation may use the same namespace."""
        owner = owner_of(job)
        if owner is None:
            return False
        slug, tenant = owner
        try:
            async with self._tenant(slug) as hold:
                return str(hold.tenant.id) == tenant
        except NotFound:
            return False

    async def _placements(self) -> list[Placement]:
        async with self._database.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            await cursor.execute(_SQL["to_place"])
            return [Placement(**row) for row in await cursor.fetchall() if row["run"] is not None]

    async def _fail(self, placement: Placement, reason: str) -> None:
        try:
            async with self._tenant(placement.project) as hold:
                # Its name may belong to another one by now.
                if (await hold.sessions.get(placement.name)).id == placement.session:
                    await hold.sessions.cancel(placement.name, reason=" ".join(reason.split())[:500])
        except (Conflict, NotFound):
            # It ended by itself meanwhile.
            return
