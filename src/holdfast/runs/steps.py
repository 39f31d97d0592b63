"""Durable steps: a result is stored once and replayed after a crash.

`await run.step("charge", charge_card, invoice)` calls the function the first time and stores what it returned; a later
attempt of the run gets the stored result and does not call it again. Storing is fenced: a worker that lost the run gets
`LeaseLost`, and nothing is written. Steps of many runs that finish at about the same time are stored by one statement
and one commit: while one is under way, the next collect.

Sleeping, waiting for an event and waiting for another run are steps too. They leave the handler by `Suspended`, which
frees the worker; when the time has come the handler runs again from its beginning and finds its steps stored.
"""

from __future__ import annotations

import asyncio
import inspect
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any, LiteralString, NamedTuple, Protocol
from uuid import UUID

import psycopg

from holdfast.errors import InvalidInput, LeaseLost, WaitTimedOut
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import decode_sent
from holdfast.kernel.names import is_storable
from holdfast.kernel.sealing import Sealing
from holdfast.postgres.queries import queries

__all__ = ["ChildRun", "Journal", "StepStore", "Stored", "Suspended", "lost", "suspension"]

_SQL = queries("runs")
_FOREVER = timedelta(days=36500)
_LOCKED_PAUSE = 0.5
_AS_STORED = (str, int, float, bool)
_TIMED_OUT = '{"timed_out":true}'


class Stored(NamedTuple):
    """What an earlier attempt stored, and how many seconds ago."""

    result: str | None
    age: float


class Suspended(BaseException):
    """Leaves the handler: the run sleeps, its worker does not. Not an Exception, so that handlers do not catch it."""

    def __init__(self, delay: timedelta, waiting_for: str | None = None) -> None:
        super().__init__(f"sleeps for {delay}" if waiting_for is None else f"waits for {waiting_for}")
        self.delay = delay
        self.waiting_for = waiting_for


def suspension(error: BaseException) -> Suspended | None:
    """The wish to be suspended that a group of errors stands for, as a task group makes it; None if anything failed."""
    if isinstance(error, Suspended):
        return error
    if not isinstance(error, BaseExceptionGroup):
        return None
    found = [suspension(one) for one in error.exceptions]
    # Whoever waits for several at once goes through all of them, one after the other.
    return None if None in found else found[0]


class _Fenced(Protocol):
    tenant_text: str
    id_text: str
    epoch: int
    trace_parent: str | None


class ChildRun(NamedTuple):
    """A run to be started by another."""

    type: str
    payload: str
    priority: int
    run_at: datetime | None
    max_attempts: int
    concurrency_key: str | None
    concurrency_limit: int | None


class _Waiting(NamedTuple):
    run: _Fenced
    name: str
    result: str | None
    stored: asyncio.Future[bool]


class StepStore:
    """Stores and recalls steps for all runs of one worker, many at a time."""

    def __init__(
        self,
        ask: Callable[[LiteralString, dict[str, Any]], Awaitable[list[tuple[Any, ...]]]],
        now: Callable[[], datetime | None],
        encode: Callable[[Any], str],
        event_level: str,
        sealing: Sealing,
    ) -> None:
        self._ask = ask
        self._now = now
        self.encode = encode
        self._event_level = event_level
        self.sealing = sealing
        self._waiting: list[_Waiting] = []
        self._flushing: asyncio.Task[None] | None = None
        self._patient: set[asyncio.Task[None]] = set()

    async def store(self, run: _Fenced, name: str, result: str | None) -> None:
        """Store one result, or raise `LeaseLost`."""
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(run, name, result, stored))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush())
        if not await stored:
            raise lost(run)

    async def recall(self, run: _Fenced) -> dict[str, Stored]:
        """What earlier attempts of the run stored."""
        rows = await self._ask(_SQL["recall_steps"], self._of(run))
        return {name: Stored(result, age) for name, result, age in rows}

    async def look_for(self, run: _Fenced, name: str, key: str) -> Stored:
        """Whether an event has happened. If so it is the result of the step; if not, `age` says since when it waits."""
        ((state, result, age),) = await self._ask(_SQL["await_event"], self._of(run) | {"step": name, "key": key})
        if state == "lost":
            raise lost(run)
        return Stored(result, age or 0.0)

    async def start(self, run: _Fenced, name: str, child: ChildRun) -> UUID:
        """Enqueue a run and note it as a step of this one, at once."""
        made = uuid7()
        payload = self.sealing.seal_payload(run.tenant_text, child.type, child.payload)
        values = (
            self._of(run)
            | child._asdict()
            | {"payload": payload, "step": name, "child": made, "event_level": self._event_level}
        )
        ((held,),) = await self._ask(_SQL["start_child"], values | {"trace_parent": run.trace_parent})
        if not held:
            raise lost(run)
        return made

    def _of(self, run: _Fenced) -> dict[str, Any]:
        return {"tenant": run.tenant_text, "id": run.id_text, "epoch": run.epoch, "now": self._now()}

    async def _flush(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                await self._write(batch)
            except (psycopg.errors.LockNotAvailable, psycopg.DataError, psycopg.IntegrityError):
                # Somebody's transaction has locked one of these runs, or Postgres refuses what one wants to store: the
                # others, which may be other tenants', have nothing to do with it.
                for one in batch:
                    alone = asyncio.create_task(self._write_alone(one))
                    self._patient.add(alone)
                    alone.add_done_callback(self._patient.discard)
            except BaseException as error:
                _refuse(batch, error)
                if not isinstance(error, Exception):
                    raise
        self._flushing = None

    async def _write_alone(self, one: _Waiting) -> None:
        while not one.stored.done():
            try:
                await self._write([one])
            except psycopg.errors.LockNotAvailable:
                await asyncio.sleep(_LOCKED_PAUSE)
            except BaseException as error:
                _refuse([one], error)
                if not isinstance(error, Exception):
                    raise

    async def _write(self, batch: list[_Waiting]) -> None:
        values = {
            "tenants": "{" + ",".join(one.run.tenant_text for one in batch) + "}",
            "ids": "{" + ",".join(one.run.id_text for one in batch) + "}",
            "epochs": "{" + ",".join(str(one.run.epoch) for one in batch) + "}",
            "names": [one.name for one in batch],
            "results": [one.result for one in batch],
            "now": self._now(),
        }
        done = {(row[0], row[1]) for row in await self._ask(_SQL["record_steps"], values)}
        for one in batch:
            if not one.stored.done():
                one.stored.set_result((one.run.id_text, one.name) in done)


def _refuse(batch: list[_Waiting], error: BaseException) -> None:
    for one in batch:
        if not one.stored.done():
            one.stored.set_exception(error if isinstance(error, Exception) else asyncio.CancelledError())


def lost(run: _Fenced) -> LeaseLost:
    """The run is no longer ours."""
    return LeaseLost(f"run {run.id_text} is no longer held", hint="stop: somebody else has it, or nobody wants it")


class Journal:
    """The steps of one attempt: what was stored before, and which names were used already."""

    __slots__ = ("_known", "_run", "_store", "_taken", "_used")

    def __init__(self, run: _Fenced, store: StepStore) -> None:
        self._run = run
        self._store = store
        # The first claim of a run has nothing to recall; later ones look once, when they come to their first step.
        self._known: dict[str, Stored] | None = {} if run.epoch == 1 else None
        self._used: Counter[str] = Counter()
        self._taken: set[str] = set()

    async def step(self, name: str, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call the function once in the life of the run; its stored result ever after."""
        key = self._key(name)
        known = await self._recalled()
        if key in known:
            stored = known[key].result
            return None if stored is None else decode_sent(self._store.sealing.open(self._run.tenant_text, stored))
        result = function(*args, **kwargs)
        if inspect.isawaitable(result):
            result = await result
        if result is None:
            await self._store.store(self._run, key, None)
            return None
        text = self._store.encode(result)
        await self._store.store(self._run, key, self._store.sealing.seal(self._run.tenant_text, text))
        # What a later attempt would get: a handler must not go well the first time only.
        return result if type(result) in _AS_STORED else decode_sent(text)

    async def sleep(self, span: timedelta) -> None:
        """Sleep without holding a worker: leaves the handler, which runs again when it is time, replaying its steps."""
        key = self._key("sleep")
        known = await self._recalled()
        if key in known:
            left = span.total_seconds() - known[key].age
        else:
            await self._store.store(self._run, key, None)
            left = span.total_seconds()
        if left > 0:
            raise Suspended(timedelta(seconds=left))

    async def wait_event(self, name: str, key: str, timeout: timedelta | None) -> Any:
        """The payload of an event, when it happens; leaves the handler until then."""
        step = self._key(name)
        # Where it is noted since when this waits; no other step may have that name.
        self._taken.add(f"{step} since")
        known = await self._recalled()
        result = known[step].result if step in known else None
        if result is None:
            found = await self._store.look_for(self._run, step, key)
            result = found.result
            if result is None:
                left = _FOREVER if timeout is None else timeout - timedelta(seconds=found.age)
                if left > timedelta(0):
                    raise Suspended(left, key)
                # Stored, so that this run goes the same way again, even when the event happens after all.
                result = _TIMED_OUT
                await self._store.store(self._run, step, result)
        answer = decode_sent(result)
        if "event" not in answer:
            raise WaitTimedOut(
                f"{key.removeprefix('event:')!r} did not happen within {timeout}",
                hint="catch WaitTimedOut to go on without it",
                key=key,
            )
        return answer["event"]

    async def start_child(self, name: str, child: ChildRun) -> UUID:
        """The id of a run that this one starts, once."""
        step = self._key(name)
        known = await self._recalled()
        if step in known:
            return UUID(decode_sent(known[step].result or "null"))
        return await self._store.start(self._run, step, child)

    def _key(self, name: str) -> str:
        if not isinstance(name, str) or not 1 <= len(name) <= 200 or not is_storable(name):
            raise InvalidInput(f"the step is named {name!r}", hint="use a text of 1 to 200 characters", field="name")
        # The same name again, as in a loop, is another step; the order of calls tells them apart.
        key = name
        while key in self._taken:
            self._used[name] += 1
            key = f"{name}#{self._used[name] + 1}"
        self._taken.add(key)
        return key

    async def _recalled(self) -> dict[str, Stored]:
        if self._known is None:
            self._known = await self._store.recall(self._run)
        return self._known
