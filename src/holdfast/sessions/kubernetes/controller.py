"""Keeps custom resources and the registry the same, and starts a Job for each session of an image.

It looks at what is there and does what is missing, again and again; nothing that matters is lost when it is restarted.
Two of them do no harm: definitions are registered idempotently, and a Job's name belongs to one session and one run.
What the cluster refuses for one resource or one session keeps no other from being looked after.
"""

from __future__ import annotations

import asyncio
import logging

from holdfast.errors import HoldfastError
from holdfast.postgres.database import Database
from holdfast.sessions.definitions import Definitions
from holdfast.sessions.kubernetes.cluster import Cluster
from holdfast.sessions.kubernetes.placing import Placing, Tenants
from holdfast.sessions.kubernetes.resources import Resources

__all__ = ["Controller"]

_log = logging.getLogger(__name__)


class Controller:
    """One namespace of one cluster. `patience` is how many seconds a pod may fail to start before its session fails."""

    def __init__(
        self,
        database: Database,
        definitions: Definitions,
        tenant: Tenants,
        cluster: Cluster,
        *,
        secret: str | None = None,
        patience: float = 300.0,
    ) -> None:
        self._resources = Resources(definitions, cluster)
        self._placing = Placing(database, definitions, tenant, cluster, secret=secret, patience=patience)

    async def run(self, interval: float, stopping: asyncio.Event) -> None:
        """Work until told to stop; a cluster or a database that does not answer is waited for."""
        while not stopping.is_set():
            try:
                await self.once()
            except HoldfastError as error:
                _log.warning("the cluster could not be looked after: %s", _told(error))
            try:
                async with asyncio.timeout(interval):
                    await stopping.wait()
            except TimeoutError:
                continue

    async def once(self) -> None:
        """One look. What was refused for some is raised after the others were looked after."""
        refused = [*await self._resources.sync(), *await self._placing.place()]
        for error in refused[1:]:
            _log.warning("the cluster could not be looked after: %s", _told(error))
        if refused:
            raise refused[0]


def _told(error: HoldfastError) -> str:
    return " ".join(str(error).split())
