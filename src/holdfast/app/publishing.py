"""Writes the graphs of this process into the registry of definitions, so that sessions of them can be started."""

from __future__ import annotations

from holdfast.errors import SchemaOutdated
from holdfast.kernel.clock import Clock
from holdfast.postgres.database import Database
from holdfast.sessions import Definitions, Graphs
from holdfast.sessions.setup import is_behind, set_up
from holdfast.settings import Settings

__all__ = ["publish"]


async def publish(database: Database, clock: Clock, settings: Settings, graphs: Graphs) -> None:
    """Register what is not yet; LangGraph's own tables are brought up to date first, where that is ours to do."""
    async with database.connection() as connection:
        behind = await is_behind(connection)
    if behind and (database.server is not None or settings.migrate == "always"):
        await set_up(database.where.admin, timeout=settings.connect_timeout)
    elif behind:
        raise SchemaOutdated("LangGraph's tables are older than its library", hint="run `holdfast migrate`")
    definitions = Definitions(database, clock, settings.allowed_registries)
    for name in sorted(graphs.unpublished):
        graph = graphs.find(name)
        assert graph is not None
        await definitions.register(graph.spec, source="code", replace=True)
        graphs.unpublished.discard(name)
