"""Keeps custom resources and the registry the same, and starts a Job for each session of an image.

It looks at what is there and does what is missing, again and again; nothing it knows is lost when it is restarted, and
two of them do no harm: definitions are registered idempotently, and a Job's name belongs to one session and one run.
A resource that is deleted while it has active sessions stays until they have ended: a finalizer holds it.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from psycopg.rows import dict_row

from holdfast.errors import Conflict, HoldfastError, NotFound, OperationalError
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.sessions.definitions import Definitions
from holdfast.sessions.kubernetes.cluster import FINALIZER, Cluster
from holdfast.sessions.kubernetes.jobs import LABEL, Placement, failure_of, job_for, job_name
from holdfast.sessions.model import SessionDefinition
from holdfast.sessions.sessions import Sessions

__all__ = ["Controller"]

_SQL = queries("sessions")
_log = logging.getLogger(__name__)


class _Hold(Protocol):
    @property
    def sessions(self) -> Sessions: ...


class _Tenants(Protocol):
    def __call__(self, slug: str) -> AbstractAsyncContextManager[_Hold]: ...


class Controller:
    """One namespace of one cluster."""

    def __init__(
        self,
        database: Database,
        definitions: Definitions,
        tenant: _Tenants,
        cluster: Cluster,
        *,
        secret: str | None = None,
    ) -> None:
        self._database = database
        self._definitions = definitions
        self._tenant = tenant
        self._cluster = cluster
        self._secret = secret

    async def run(self, interval: float, stopping: asyncio.Event) -> None:
        """Work until told to stop; a cluster or a database that does not answer is waited for."""
        while not stopping.is_set():
            try:
                await self.once()
            except HoldfastError as error:
                _log.warning("the cluster could not be looked after: %s", " ".join(str(error).split()))
            try:
                async with asyncio.timeout(interval):
                    await stopping.wait()
            except TimeoutError:
                continue

    async def once(self) -> None:
        """One look."""
        await self.sync_definitions()
        await self.place_sessions()

    # ------------------------------------------------------------------------------------------------------ definitions

    async def sync_definitions(self) -> None:
        """Registry and `status` follow the resources."""
        resources = await self._cluster.definitions()
        for resource in resources:
            await self._sync(resource)
        named = {resource.get("spec", {}).get("name") for resource in resources}
        for definition in await self._definitions.list():
            if definition.source == "kubernetes" and definition.name not in named:
                # Its resource went without us seeing it.
                await self._remove(definition.name)

    async def _sync(self, resource: dict[str, Any]) -> None:
        name = resource["metadata"]["name"]
        finalizers = resource["metadata"].get("finalizers") or []
        spec = resource.get("spec") or {}
        if resource["metadata"].get("deletionTimestamp"):
            if await self._remove(str(spec.get("name"))):
                await self._cluster.set_finalizers(name, [one for one in finalizers if one != FINALIZER])
                return
        elif FINALIZER not in finalizers:
            await self._cluster.set_finalizers(name, [*finalizers, FINALIZER])
        status = await self._registered(resource)
        if {key: (resource.get("status") or {}).get(key) for key in status} != status:
            await self._cluster.write_status(name, status)

    async def _registered(self, resource: dict[str, Any]) -> dict[str, Any]:
        spec = resource.get("spec") or {}
        try:
            if resource["metadata"].get("deletionTimestamp"):
                return _status(await self._definitions.get(spec["name"]), "is deleted when its sessions have ended")
            await self._refuse_foreign(spec)
            return _status(await self._definitions.register(spec, source="kubernetes", replace=True))
        except OperationalError:
            raise
        except HoldfastError as error:
            return {"phase": "Error", "message": str(error), "activeSessions": 0}

    async def _refuse_foreign(self, spec: dict[str, Any]) -> None:
        try:
            known = await self._definitions.get(str(spec.get("name")))
        except NotFound:
            return
        if known.source == "code":
            raise Conflict(f"the name {known.name!r} belongs to a graph in code", hint="choose another")

    async def _remove(self, name: str) -> bool:
        """Delete a definition; while it has active sessions it is only marked."""
        try:
            await self._definitions.delete(name)
        except NotFound:
            return True
        except Conflict:
            await self._definitions.deprecate(name, "its resource was deleted")
            return False
        return True

    # ------------------------------------------------------------------------------------------------------------- jobs

    async def place_sessions(self) -> None:
        """A Job for each session that has something to execute; one that gave up fails its session."""
        jobs = {job["metadata"]["name"]: job for job in await self._cluster.jobs(LABEL)}
        for placement in await self._placements():
            job = jobs.get(job_name(placement))
            if job is None:
                body = job_for(placement, namespace=self._cluster.namespace, secret=self._secret)
                if await self._cluster.create_job(body):
                    _log.info("started %s for the session %s", job_name(placement), placement.name)
            elif reason := failure_of(job):
                await self._fail(placement, reason)

    async def _placements(self) -> list[Placement]:
        async with self._database.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            await cursor.execute(_SQL["to_place"])
            return [Placement(**row) for row in await cursor.fetchall() if row["run"] is not None]

    async def _fail(self, placement: Placement, reason: str) -> None:
        try:
            async with self._tenant(placement.project) as hold:
                await hold.sessions.cancel(placement.name, reason=f"its job failed: {' '.join(reason.split())[:500]}")
        except (Conflict, NotFound):
            # It ended by itself meanwhile.
            return


def _status(definition: SessionDefinition, message: str | None = None) -> dict[str, Any]:
    return {
        "phase": definition.phase,
        "registeredAt": _instant(definition.registered_at),
        "lastUpdated": _instant(definition.last_updated),
        "activeSessions": definition.active_sessions,
        "message": message or definition.phase_reason or "",
    }


def _instant(at: Any) -> str:
    return str(at.isoformat(timespec="seconds")).replace("+00:00", "Z")
