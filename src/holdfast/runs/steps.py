"""Durable steps: a result is stored once and replayed after a crash.

`await run.step("charge", charge_card, invoice)` calls the function the first time and stores what it returned; a later
attempt of the run gets the stored result and does not call it again. Storing is fenced: a worker that lost the run gets
`LeaseLost`, and nothing is written. Steps of many runs that finish at about the same time are stored by one statement
and one commit: while one is under way, the next collect.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Protocol

from holdfast.errors import InvalidInput, LeaseLost

__all__ = ["Journal", "StepStore", "Stored", "Suspended"]


class Stored(NamedTuple):
    """What an earlier attempt stored, and how many seconds ago."""

    result: str | None
    age: float


class Suspended(BaseException):
    """Leaves the handler: the run sleeps, its worker does not. Not an Exception, so that handlers do not catch it."""

    def __init__(self, delay: timedelta) -> None:
        super().__init__(f"sleeps for {delay}")
        self.delay = delay


class _Held(Protocol):
    tenant_text: str
    id_text: str
    epoch: int


class _Waiting(NamedTuple):
    run: _Held
    name: str
    result: str | None
    stored: asyncio.Future[bool]


class StepStore:
    """Stores and recalls steps for all runs of one worker, many at a time."""

    def __init__(
        self,
        record: Callable[[dict[str, Any]], Awaitable[list[tuple[Any, ...]]]],
        recall: Callable[[dict[str, Any]], Awaitable[list[tuple[Any, ...]]]],
        now: Callable[[], datetime | None],
        encode: Callable[[Any], str],
    ) -> None:
        self._record = record
        self._recall = recall
        self._now = now
        self.encode = encode
        self._waiting: list[_Waiting] = []
        self._flushing: asyncio.Task[None] | None = None

    async def store(self, run: _Held, name: str, result: str | None) -> None:
        """Store one result, or raise `LeaseLost`."""
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(run, name, result, stored))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush())
        if not await stored:
            raise LeaseLost(
                f"run {run.id_text} is no longer held", hint="stop: somebody else has it, or nobody wants it"
            )

    async def recall(self, run: _Held) -> dict[str, Stored]:
        """What earlier attempts of the run stored."""
        values = {"tenant": run.tenant_text, "id": run.id_text, "epoch": run.epoch, "now": self._now()}
        return {name: Stored(result, age) for name, result, age in await self._recall(values)}

    async def _flush(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                await self._write(batch)
            except BaseException as error:
                for one in batch:
                    if not one.stored.done():
                        one.stored.set_exception(error if isinstance(error, Exception) else asyncio.CancelledError())
                if not isinstance(error, Exception):
                    raise
        self._flushing = None

    async def _write(self, batch: list[_Waiting]) -> None:
        values = {
            "tenants": "{" + ",".join(one.run.tenant_text for one in batch) + "}",
            "ids": "{" + ",".join(one.run.id_text for one in batch) + "}",
            "epochs": "{" + ",".join(str(one.run.epoch) for one in batch) + "}",
            "names": [one.name for one in batch],
            "results": [one.result for one in batch],
            "now": self._now(),
        }
        done = {(row[0], row[1]) for row in await self._record(values)}
        for one in batch:
            if not one.stored.done():
                one.stored.set_result((one.run.id_text, one.name) in done)


class Journal:
    """The steps of one attempt: what was stored before, and which names were used already."""

    __slots__ = ("_known", "_run", "_store", "_used")

    def __init__(self, run: _Held, store: StepStore) -> None:
        self._run = run
        self._store = store
        # The first claim of a run has nothing to recall; later ones look once, when they come to their first step.
        self._known: dict[str, Stored] | None = {} if run.epoch == 1 else None
        self._used: Counter[str] = Counter()

    async def step(self, name: str, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call the function once in the life of the run; its stored result ever after."""
        key = self._key(name)
        known = await self._recalled()
        if key in known:
            stored = known[key].result
            return None if stored is None else json.loads(stored)
        result = function(*args, **kwargs)
        if inspect.isawaitable(result):
            result = await result
        await self._store.store(self._run, key, None if result is None else self._store.encode(result))
        return result

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

    def _key(self, name: str) -> str:
        if not isinstance(name, str) or not 1 <= len(name) <= 200 or "\0" in name:
            raise InvalidInput(f"the step is named {name!r}", hint="use a text of 1 to 200 characters", field="name")
        self._used[name] += 1
        # The same name again, as in a loop, is another step; the order of calls tells them apart.
        return name if self._used[name] == 1 else f"{name}#{self._used[name]}"

    async def _recalled(self) -> dict[str, Stored]:
        if self._known is None:
            self._known = await self._store.recall(self._run)
        return self._known
