"""The handler of sessions' runs: finds the graph of a session, and executes it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, LiteralString
from uuid import UUID

from holdfast.errors import KeyMissing, LeaseLost
from holdfast.kernel.clock import Clock
from holdfast.kernel.json import dump
from holdfast.kernel.keyring import Keyring
from holdfast.kernel.sealing import Sealing
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row
from holdfast.runs.model import Run
from holdfast.runs.signals import Snooze
from holdfast.sessions.drawing import drawing_of
from holdfast.sessions.execution import Execution
from holdfast.sessions.graphs import Graph, Graphs
from holdfast.sessions.outputs import Outputs
from holdfast.sessions.serde import serializer, types_of
from holdfast.sessions.store import Fence, Store

__all__ = ["Runner"]

_SQL = queries("sessions")
_KEY_SECONDS = 5
_log = logging.getLogger(__name__)


class Runner:
    """Executes the sessions of one process."""

    def __init__(
        self,
        database: Callable[[], Database],
        clock: Clock,
        graphs: Graphs,
        keyring: Callable[[], Keyring],
        sealing: Sealing,
        *,
        outputs: Callable[[], Outputs | None] = lambda: None,
    ) -> None:
        self._open = database
        self.clock = clock
        self._graphs = graphs
        self._keyring = keyring
        self.sealing = sealing
        self._outputs = outputs
        self._stores: dict[Database, Store] = {}

    async def execute(self, run: Run, payload: dict[str, Any]) -> dict[str, Any]:
        """The handler of `session.execute.v1.‹definition›`."""
        database = self._open()
        store = self._stores.get(database) or self._stores.setdefault(database, Store(database, self.clock))
        session = UUID(payload["session"])
        fence = Fence(run.tenant, session, run.id, run.epoch)
        begun = await self.ask(_SQL["begin"], fence)
        if begun["outcome"] == "over":
            # An attempt before this one came to the end, but could not say so of its run any more.
            return {"session": str(session), "outcome": "over"}
        if begun["outcome"] != "ours":
            raise LeaseLost(f"run {run.id} is no longer held", hint="stop: somebody else has it")
        graph = self._graphs.find(begun["workflow"])
        if graph is None:
            raise Snooze(5, f"this process has no graph {begun['workflow']!r}")
        try:
            begun["input"] = self.sealing.open(run.tenant_text, begun["input"])
        except KeyMissing as error:
            # As when a checkpoint cannot be opened: the session is sound, and goes on where the key is.
            _log.warning("the session %s cannot go on here: %s", begun["name"], error)
            raise Snooze(_KEY_SECONDS, error.message) from error
        execution = Execution(self, run, fence, begun, graph, store, database)
        await self._draw(graph, begun["revision"])
        outcome = await execution.run()
        return {"session": begun["name"], "outcome": outcome}

    async def ask(self, query: LiteralString, fence: Fence, **values: Any) -> Row:
        """A statement on behalf of whoever holds a session."""
        return await self.query(query, **fence._asdict(), **values)

    async def query(self, query: LiteralString, **values: Any) -> Row:
        """The one row of a short statement."""
        async with self._open().express() as connection:
            cursor = await connection.execute(query, values | {"now": self.clock.now()})
            row = await cursor.fetchone()
            assert row is not None
            assert cursor.description is not None
            return dict(zip((column.name for column in cursor.description), row, strict=True))

    def outputs(self) -> Outputs | None:
        """Where outputs go that are too large for the database."""
        return self._outputs()

    async def _draw(self, graph: Graph, revision: int) -> None:
        """Keep how a graph looks, once for each revision that this process executes."""
        drawn: set[int] = graph.made.setdefault("drawn", set())
        if revision in drawn:
            return
        drawn.add(revision)
        drawing = drawing_of(self.compiled(graph)[0])
        if drawing is not None:
            await self.query(_SQL["draw_definition"], name=graph.name, revision=revision, drawing=dump(drawing))

    def compiled(self, graph: Graph) -> tuple[Any, Any, set[tuple[str, ...]]]:
        """The graph, ready but for its checkpointer, the serializer that knows its classes, and those classes."""
        if "compiled" not in graph.made:
            given = graph.built()
            compiled = given.compile() if hasattr(given, "compile") else given
            types = types_of(given, graph.types)
            for _, inner in compiled.get_subgraphs(recurse=True):
                types |= types_of(inner, ())
            graph.made["compiled"] = (
                compiled,
                serializer(self._keyring(), types, encrypt=self.sealing.encrypts),
                types,
            )
        found: tuple[Any, Any, set[tuple[str, ...]]] = graph.made["compiled"]
        return found
