"""A pooled connection whose transaction begins with its first statement, in the same round trip.

Entering a tenant's transaction only notes what begins it. The first statement takes it along: BEGIN, the role, the
tenant and the statement go to the server together, and their answers come back together. Nothing can be done on the
connection before the transaction has begun, whoever does it: whatever psycopg does goes through `wait`, which begins
it. A transaction in which nothing was done costs nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from functools import cached_property
from itertools import count
from typing import Any, LiteralString

import psycopg
from psycopg import AsyncConnection, abc, generators
from psycopg import errors as pg
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus, Format, PipelineStatus
from psycopg.pq.abc import PGresult

from holdfast.postgres.failures import in_our_words
from holdfast.postgres.queries import positional

__all__ = ["DeferredConnection"]

_FINE = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)
_MOST_NAMED = 300
_numbers = count()

Row = dict[str, Any]
_Key = tuple[bytes, tuple[int, ...]]
"""A statement and the types of its parameters."""


class DeferredConnection(AsyncConnection[Any]):
    """In autocommit mode: transactions are begun and ended here."""

    named_after: int | None = None
    """With which use a statement gets a name on the server; none gets one behind a transaction pooler."""
    _opening: tuple[bytes, ...] = ()

    def keep_names(self) -> None:
        """Let only `answer` give names here. psycopg, once it has given one, has all of them forgotten with every
        savepoint that is undone, and in the middle of a transaction what is forgotten cannot be asked for again."""
        self.named_after, self.prepare_threshold = self.prepare_threshold, None

    def defer(self, opening: tuple[bytes, ...]) -> None:
        """Begin a transaction with these commands, once there is something to do in it."""
        self._opening = opening

    @property
    def is_fresh(self) -> bool:
        """Whether a transaction is deferred in which nothing has been done."""
        return bool(self._opening)

    async def begin(self) -> None:
        """Begin the transaction that is deferred, if it has not begun."""
        if self._opening:
            async with self.lock:
                await self._begin()

    async def finish(self, command: bytes) -> None:
        """COMMIT or ROLLBACK, unless nothing was done."""
        if self._opening:
            self._opening = ()
            return
        async with self.lock:
            await super().wait(self._command(command))

    async def wait(self, gen: Any, *arguments: Any, **options: Any) -> Any:
        """Where everything that psycopg does passes through; first of all the transaction begins."""
        try:
            if self._opening:
                await self._begin()
            return await super().wait(gen, *arguments, **options)
        except psycopg.Error as error:
            # Savepoints and cursors too: what is wrong with Postgres, or between transactions, is told in our words.
            said = in_our_words(error, values=False)
            if said is None:
                raise
            raise said from error

    @property
    def takes_statements(self) -> bool:
        """Whether `answer` can be used: not while the caller collects statements in a pipeline of their own."""
        return self.pgconn.pipeline_status == PipelineStatus.OFF

    async def answer(self, query: LiteralString, values: Mapping[str, Any]) -> tuple[list[Row], int]:
        """A statement's rows, and how many it touched; the first of a transaction goes together with what begins it.

        A cursor would give the same. It takes about as long to make one as to talk to the server.
        """
        text, names = positional(query)
        async with self.lock:
            adapt = self._adapt
            parameters = adapt.dump_sequence([values[name] for name in names], [PyFormat.AUTO] * len(names))
            opening, self._opening = self._opening, ()
            sending = _Sending(self)
            try:
                result = await super().wait(sending.exchange(opening, text, parameters, adapt))
            except (pg.InvalidSqlStatementName, pg.FeatureNotSupported):
                # The server has forgotten a statement of this name, or its columns are others now.
                if not sending.by_name:
                    raise
                self.statements = _Statements()
                if not opening:
                    raise
                # Nothing was done yet, so it can be done again.
                await super().wait(self._command(b"ROLLBACK"))
                result = await super().wait(_Sending(self).exchange(opening, text, parameters, adapt))
        adapt.set_pgresult(result)
        columns = [(result.fname(place) or b"").decode() for place in range(result.nfields)]
        rows = adapt.load_rows(0, result.ntuples, lambda row: dict(zip(columns, row, strict=True)))
        return rows, result.command_tuples or 0

    @cached_property
    def _adapt(self) -> abc.Transformer:
        """Converts values both ways. One for all statements: it remembers how."""
        adapt: abc.Transformer = Transformer(self)
        return adapt

    async def _begin(self) -> None:
        opening, self._opening = self._opening, ()
        await super().wait(self._command(b"; ".join(opening)))

    def _command(self, command: bytes) -> Generator[Any, Any, None]:
        """Commands without parameters and rows. A cursor would take longer to make them than Postgres to do them."""
        self.pgconn.send_query(command)
        for result in (yield from generators.execute(self.pgconn)):
            if result.status not in _FINE:
                raise error_from_result(result, encoding="utf-8")

    @cached_property
    def statements(self) -> _Statements:
        """What the server knows by name on this connection."""
        return _Statements()


class _Statements:
    """As psycopg does: a statement gets a name with its fifth use, unless there is a transaction pooler in between."""

    def __init__(self) -> None:
        self.names: dict[_Key, bytes] = {}
        self._uses: Counter[_Key] = Counter()

    def new_name(self, key: _Key, threshold: int | None) -> bytes | None:
        """A name for a statement that has none, if it is used often enough."""
        if threshold is None or len(self.names) >= _MOST_NAMED:
            return None
        if len(self._uses) > 10 * _MOST_NAMED:
            self._uses.clear()
        self._uses[key] += 1
        return b"deferred_%d" % next(_numbers) if self._uses[key] >= threshold else None


class _Sending:
    """A statement, and the opening of its transaction before the first, sent and answered as one."""

    def __init__(self, connection: DeferredConnection) -> None:
        self._statements = connection.statements
        self._threshold = connection.named_after
        self._pgconn = connection.pgconn
        self._sent: list[tuple[_Key, bytes] | None] = []
        """For each result that is to come: the name it gives to which statement, if that is what it is about."""
        self.by_name = False

    def exchange(
        self, opening: tuple[bytes, ...], text: bytes, parameters: Sequence[Any], adapt: abc.Transformer
    ) -> Generator[Any, Any, PGresult]:
        """Returns the statement's result. Of several that fail, the first is raised: the others only follow from it."""
        pgconn = self._pgconn
        pgconn.enter_pipeline_mode()
        for command in opening:
            self._send(command, None, (), None)
        self._send(text, parameters, adapt.types or (), adapt.formats)
        pgconn.pipeline_sync()
        results: list[PGresult] = []
        yield from generators.send(pgconn)
        while not results or results[-1].status != ExecStatus.PIPELINE_SYNC:
            if (result := (yield from generators.fetch(pgconn))) is not None:
                results.append(result)
        pgconn.exit_pipeline_mode()
        # A name stays, even if what came after it failed.
        for sent, result in zip(self._sent, results, strict=False):
            if sent is not None and result.status in _FINE:
                self._statements.names.update([sent])
        failed = next((result for result in results[:-1] if result.status not in _FINE), None)
        if failed is not None:
            raise error_from_result(failed, encoding="utf-8")
        return results[-2]

    def _send(
        self, text: bytes, parameters: Sequence[Any] | None, types: tuple[int, ...], formats: Sequence[Format] | None
    ) -> None:
        pgconn, key = self._pgconn, (text, types)
        name = self._statements.names.get(key)
        if name is not None:
            self.by_name = True
        elif (name := self._statements.new_name(key, self._threshold)) is not None:
            pgconn.send_prepare(name, text, types)
            self._sent.append((key, name))
        if name is None:
            pgconn.send_query_params(text, parameters, types, formats)
        else:
            pgconn.send_query_prepared(name, parameters, formats)
        self._sent.append(None)
