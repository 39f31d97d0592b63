"""Enqueueing: runs to be made, checked, as the columns of one statement."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import chain, islice
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import AsyncConnection
from psycopg.rows import dict_row

from holdfast.errors import InvalidInput
from holdfast.kernel.clock import Clock, check_instant
from holdfast.kernel.ids import uuid7, uuid7s
from holdfast.kernel.json import canonical_json, decode, encode
from holdfast.kernel.names import is_storable
from holdfast.kernel.sealing import LOOKS_SEALED
from holdfast.kernel.traces import check_trace_parent, recording
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Tenant
from holdfast.runs.model import Enqueued
from holdfast.runs.registry import Handlers, check_type
from holdfast.runs.tracing import enqueueing

__all__ = [
    "NewRun",
    "check_new",
    "check_runs",
    "default_attempts",
    "enqueue_for",
    "enqueue_one_for",
    "enqueue_values",
    "read_enqueued",
]

_SQL = queries("runs")
_PORTION = 2000
_FIRST = 250
"""Runs of one statement, and of the first one of many."""
_PORTION_SIZE = 32 * 1024 * 1024
"""Characters of the payloads of one statement: Postgres holds no JSON array of more than 256 MiB."""


class NewRun(NamedTuple):
    """A run to enqueue; without a payload it is an empty object.

    For example:

        await app.enqueue_many("acme", (NewRun("mail.send.v1", {"to": name}) for name in names))
    """

    type: str
    payload: Any = None
    key: str | None = None
    priority: int = 0
    run_at: datetime | None = None
    max_attempts: int | None = None
    trace_parent: str | None = None
    concurrency_key: str | None = None
    concurrency_limit: int | None = None

    @property
    def plain(self) -> bool:
        """Whether it has neither of the two keys."""
        return self.key is None and self.concurrency_key is None


async def enqueue_for(
    database: Database, tenant: Tenant, runs: Iterable[NewRun], handlers: Handlers, clock: Clock
) -> list[Enqueued]:
    """Enqueue without a transaction around it: for trusted code that has nothing else to write.

    Runs are taken from where they come from while Postgres writes the ones before them.
    """
    settings = database.settings
    rest = {"tenant": tenant.id, "actor": "system:system", "event_level": settings.run_events, "now": clock.now()}

    async def write(connection: AsyncConnection[Any], values: dict[str, Any]) -> list[dict[str, Any]]:
        cursor = connection.cursor(row_factory=dict_row)
        await cursor.execute(_SQL["enqueue_for"], values | rest)
        return await cursor.fetchall()

    def prepared(portion: list[NewRun]) -> Iterator[dict[str, Any]]:
        check_runs(portion)
        return enqueue_values(tenant.id, portion, handlers, payload_limit=settings.payload_limit)

    coming = iter(runs)
    first = list(islice(coming, _PORTION))
    if not first:
        return []
    pieces: Iterable[list[NewRun]] = [first]
    if len(first) == _PORTION:
        # A few of them before the rest, so that Postgres begins soon.
        pieces = chain([first[:_FIRST], first[_FIRST:]], iter(lambda: list(islice(coming, _PORTION)), []))
    portions = chain.from_iterable(map(prepared, pieces))
    values = next(portions)
    async with database.connection() as connection:
        if len(values["made"]) == len(first):
            return read_enqueued(values["made"], await write(connection, values))
        async with connection.transaction():
            return await _in_turn(chain([values], portions), lambda values: write(connection, values))


async def _in_turn(
    portions: Iterator[dict[str, Any]], write: Callable[[dict[str, Any]], Coroutine[Any, Any, list[dict[str, Any]]]]
) -> list[Enqueued]:
    """Write one portion after the other; the next one is prepared, and the last one's answer read, meanwhile."""
    made: list[Enqueued] = []
    values = next(portions)
    writing = asyncio.create_task(write(values))
    try:
        await asyncio.sleep(0)
        for following in portions:
            known = await writing
            writing = asyncio.create_task(write(following))
            await asyncio.sleep(0)  # until it is sent
            made += read_enqueued(values["made"], known)
            values = following
        return made + read_enqueued(values["made"], await writing)
    finally:
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)


async def enqueue_one_for(
    database: Database, tenant: Tenant, run: NewRun, handlers: Handlers, clock: Clock
) -> Enqueued:
    """The same for one run without keys, by the least that enqueueing can be."""
    check_new(run)
    settings = database.settings
    made = uuid7()
    values = {
        "tenant": tenant.id,
        "id": made,
        "type": run.type,
        "payload": handlers.sealing.seal_payload(tenant.id, run.type, _payload(run, settings.payload_limit)),
        "priority": run.priority,
        "run_at": run.run_at,
        "max_attempts": run.max_attempts or default_attempts(run.type, handlers),
        "trace_parent": run.trace_parent,
        "actor": "system:system",
        "event_level": settings.run_events,
        "now": clock.now(),
    }
    if recording():
        with enqueueing([run.type], run.trace_parent) as values["trace_parent"]:
            await database.quick(_SQL["enqueue_one_for"], values)
    else:
        await database.quick(_SQL["enqueue_one_for"], values)
    return Enqueued(made, True)


def enqueue_values(
    tenant: UUID, runs: list[NewRun], handlers: Handlers, *, payload_limit: int
) -> Iterator[dict[str, Any]]:
    """The columns of runs to be enqueued, checked, in portions that Postgres takes."""
    payloads = [_payload(run, payload_limit) for run in runs]
    for run in runs:
        check_new(run)
    cut = 0
    if sum(map(len, payloads)) > _PORTION_SIZE:
        size = 0
        for place, text in enumerate(payloads):
            size += len(text)
            if size > _PORTION_SIZE and place > cut:
                yield _columns(tenant, runs[cut:place], payloads[cut:place], handlers)
                cut, size = place, len(text)
    yield _columns(tenant, runs[cut:], payloads[cut:], handlers)


def _columns(tenant: UUID, runs: list[NewRun], payloads: list[str], handlers: Handlers) -> dict[str, Any]:
    """Columns. An empty one says nothing, one of a single value speaks for all.

    The payloads are one JSON array, and the ids a literal: converting each would take longer than inserting it.
    """
    made = uuid7s(len(runs))
    types = {run.type for run in runs}
    keyed = any(run.key is not None for run in runs)
    turns = any(run.concurrency_key is not None for run in runs)
    stored = payloads
    if handlers.sealing.encrypts or any(text.startswith(LOOKS_SEALED) for text in payloads):
        stored = [
            handlers.sealing.seal_payload(tenant, run.type, text) for run, text in zip(runs, payloads, strict=True)
        ]
    with enqueueing(types, None) as trace:
        traces = [run.trace_parent or trace for run in runs]
    return {
        "made": made,
        "ids": "{" + ",".join([made_id.hex for made_id in made]) + "}",
        "types": list(types) if len(types) == 1 else [run.type for run in runs],
        "payloads": "[" + ",".join(stored) + "]",
        "priorities": _column([run.priority or None for run in runs]),
        "run_ats": _column([run.run_at for run in runs]),
        "max_attempts": _attempts(runs, types, handlers),
        "keys": [run.key for run in runs] if keyed else [],
        "fingerprints": [_fingerprint(run, text) for run, text in zip(runs, payloads, strict=True)] if keyed else [],
        "trace_parents": _column(traces) if len(set(traces)) > 1 else _column(traces[:1]),
        "concurrency_keys": [run.concurrency_key for run in runs] if turns else [],
        "concurrency_limits": [_limit(run) for run in runs] if turns else [],
    }


def _payload(run: NewRun, limit: int) -> str:
    return encode("payload", {} if run.payload is None else run.payload, limit=limit)


def read_enqueued(made: list[UUID], rows: Iterable[Mapping[str, Any]]) -> list[Enqueued]:
    """What became of each; the rows tell of those whose key was known."""
    known = {row["place"]: row["run_id"] for row in rows}
    if not known:
        return [Enqueued(made_id, True) for made_id in made]
    return [
        Enqueued(known[place], False) if place in known else Enqueued(made_id, True)
        for place, made_id in enumerate(made, 1)
    ]


def check_runs(runs: list[NewRun]) -> None:
    """Refuse what is no run to enqueue."""
    for run in runs:
        if not isinstance(run, NewRun):
            raise InvalidInput(f"runs holds {run!r:.100}", hint="use NewRun(type, payload, …)", field="runs")


def check_new(run: NewRun) -> None:
    """Refuse what makes no sense, by the name of the field."""
    check_type(run.type)
    if not _is_number(run.priority, -1000, 1000):
        raise InvalidInput(f"priority is {run.priority!r}", hint="use a number from -1000 to 1000", field="priority")
    if run.max_attempts is not None and not _is_number(run.max_attempts, 1, 1000):
        raise InvalidInput(
            f"max_attempts is {run.max_attempts!r}", hint="use a number from 1 to 1000", field="max_attempts"
        )
    if run.run_at is not None:
        check_instant("run_at", run.run_at)
    if run.trace_parent is not None:
        check_trace_parent(run.trace_parent)
    if run.key is not None:
        _check_key("key", run.key, 512)
    if run.concurrency_key is not None:
        _check_key("concurrency_key", run.concurrency_key, 256)
    if run.concurrency_limit is not None:
        if run.concurrency_key is None:
            raise InvalidInput(
                "concurrency_limit is given without a concurrency_key",
                hint="give both, or set `concurrency` of the handler",
                field="concurrency_limit",
            )
        if not _is_number(run.concurrency_limit, 1, 10000):
            raise InvalidInput(
                f"concurrency_limit is {run.concurrency_limit!r}",
                hint="use a number from 1 to 10000",
                field="concurrency_limit",
            )


def default_attempts(type: str, handlers: Handlers) -> int:  # noqa: A002 - it is the type
    """How often a run of a type is tried, unless it says so itself."""
    handler = handlers.find(type)
    return handler.retry.max_attempts if handler else 3


def _attempts(runs: list[NewRun], types: set[str], handlers: Handlers) -> list[int]:
    default = {type_: default_attempts(type_, handlers) for type_ in types}
    if len(types) == 1 and all(run.max_attempts is None for run in runs):
        return list(default.values())
    return [run.max_attempts or default[run.type] for run in runs]


def _is_number(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _check_key(name: str, key: Any, maximum: int) -> None:
    if not isinstance(key, str) or not 1 <= len(key) <= maximum or not is_storable(key):
        raise InvalidInput(f"{name} is {key!r:.100}", hint=f"use a text of 1 to {maximum} characters", field=name)


def _limit(run: NewRun) -> int | None:
    return None if run.concurrency_key is None else run.concurrency_limit or 1


def _fingerprint(run: NewRun, payload: str) -> bytes | None:
    if run.key is None:
        return None
    return hashlib.sha256(run.type.encode() + b"\n" + canonical_json(decode(payload))).digest()


def _column(values: list[Any]) -> list[Any]:
    return values if any(value is not None for value in values) else []
