"""Saves what sessions come to, for all sessions of a process, many at a time and always fenced.

A save holds checkpoints, their channels' values, writes that are pending on them and messages, of one session. While
one statement is under way the next saves collect; they go together, in one round trip and one commit. Each names the
run and the epoch under which its session is executed: one that lost its session gets `LeaseLost`, and nothing of it is
written. A connection that breaks is made anew and the batch is sent again: written twice is the same as written once.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict
from uuid import UUID

import psycopg

from holdfast.errors import CanonicalError, DatabaseUnreachable, InvalidInput, LeaseLost
from holdfast.kernel.clock import Clock
from holdfast.kernel.json import dump
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries

__all__ = ["Blob", "Fence", "Save", "SavedCheckpoint", "SavedMessage", "Store", "Write"]

_SQL = queries("sessions")
_log = logging.getLogger(__name__)
_MOST = 200
_LARGE = 4096
_MOST_BYTES = 64 << 20
_LARGEST = 900 << 20
_REFUSED = (
    psycopg.DataError,
    psycopg.IntegrityError,
    psycopg.InternalError,
    psycopg.NotSupportedError,
    psycopg.errors.ProgramLimitExceeded,
    psycopg.errors.StatementTooComplex,
    TypeError,
    ValueError,
    CanonicalError,
)


class Fence(NamedTuple):
    """Who executes which session: what every save is checked against."""

    tenant: UUID
    session: UUID
    run: UUID
    epoch: int


class SavedCheckpoint(TypedDict):
    """A row of LangGraph's table `checkpoints`, without its thread."""

    space: str
    id: str
    parent: str | None
    body: Mapping[str, Any]
    meta: Mapping[str, Any]


class Blob(NamedTuple):
    """A row of `checkpoint_blobs`, without its thread."""

    space: str
    channel: str
    version: str
    type: str
    blob: bytes


class Write(NamedTuple):
    """A row of `checkpoint_writes`, without its thread."""

    space: str
    checkpoint: str
    task: str
    path: str
    place: int
    channel: str
    type: str
    blob: bytes
    replaces: bool


class SavedMessage(TypedDict):
    """A message; its id makes sending it twice harmless."""

    id: UUID
    type: str
    content: dict[str, Any]


@dataclass(slots=True)
class Save:
    """Something to save of one session."""

    fence: Fence
    checkpoints: list[SavedCheckpoint] = field(default_factory=list)
    blobs: list[Blob] = field(default_factory=list)
    writes: list[Write] = field(default_factory=list)
    messages: list[SavedMessage] = field(default_factory=list)
    input: UUID | None = None

    @property
    def size(self) -> int:
        """How many bytes its values have."""
        return sum(len(one.blob) for one in self.blobs) + sum(len(one.blob) for one in self.writes)


class _Waiting(NamedTuple):
    save: Save
    done: asyncio.Future[bool]


class Store:
    """The one writer of a process."""

    def __init__(self, database: Database, clock: Clock, *, patience: float = 20.0, pause: float = 0.001) -> None:
        self._database = database
        self._clock = clock
        self._patience = patience
        # A task's writes are followed at once by the checkpoint of its step, unless other tasks of it still run.
        self._pause = pause
        self._waiting: list[_Waiting] = []
        self._flushing: asyncio.Task[None] | None = None
        self.commits = 0

    async def save(self, save: Save) -> bool:
        """Save it, or raise `LeaseLost`. True when an input came for the session that is to be taken up at once."""
        return await self.submit(save)

    def submit(self, save: Save) -> asyncio.Future[bool]:
        """Save it in its turn, without waiting: what is submitted first is first."""
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(save, done))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush(), name="holdfast-sessions-store")
        return done

    async def _flush(self) -> None:
        try:
            while self._waiting:
                if not any(one.save.checkpoints for one in self._waiting):
                    await asyncio.sleep(self._pause)
                batch = self._next()
                try:
                    await self._write(batch)
                except Exception as error:
                    for one in batch:
                        if not one.done.done():
                            one.done.set_exception(error)
                except BaseException:
                    for one in batch:
                        one.done.cancel()
                    raise
        finally:
            self._flushing = None

    def _next(self) -> list[_Waiting]:
        """What goes next: not more than Postgres takes, and not so much that small saves wait long for large ones."""
        count = size = 0
        for one in self._waiting[:_MOST]:
            size += one.save.size
            if count and size > _MOST_BYTES:
                break
            count += 1
        batch, self._waiting = self._waiting[:count], self._waiting[count:]
        return batch

    async def _write(self, batch: list[_Waiting]) -> None:
        if len(batch) == 1 and (size := batch[0].save.size) > _LARGEST:
            raise InvalidInput(
                f"a step of the session wrote {size} bytes, the limit is {_LARGEST}",
                hint="store large data elsewhere and keep a reference in the state",
            )
        try:
            await self._send(batch)
        except _REFUSED as error:
            if len(batch) == 1:
                why = (isinstance(error, psycopg.Error) and error.diag.message_primary) or error
                raise InvalidInput(
                    f"Postgres cannot store the state of a session: {why}",
                    hint="keep NUL characters and the like out of it",
                ) from error
            # One by one, only the save that Postgres refuses is affected.
            for one in batch:
                try:
                    await self._write([one])
                except Exception as alone:
                    one.done.set_exception(alone)

    async def _send(self, batch: list[_Waiting]) -> None:
        values, places = _packed([one.save for one in batch])
        deadline = time.monotonic() + self._patience
        pause, again = 0.05, False
        while True:
            try:
                async with self._database.express() as connection:
                    cursor = await connection.execute(_SQL["save"], values | {"again": again, "now": self._clock.now()})
                    verdicts = dict(await cursor.fetchall())
                    break
            except DatabaseUnreachable as error:
                if time.monotonic() + pause > deadline:
                    raise
                self._database.outage.began(error)
                await asyncio.sleep(pause)
                pause, again = min(pause * 2, 1.0), True
        self.commits += 1
        for one, place in zip(batch, places, strict=True):
            if one.done.done():
                continue
            if verdicts.get(place) == "refused":
                one.done.set_exception(
                    LeaseLost(
                        f"the session {one.save.fence.session} is no longer executed by run {one.save.fence.run}",
                        hint="stop: somebody else has it, or nobody wants it",
                    )
                )
            else:
                one.done.set_result(verdicts.get(place) == "interrupted")


class _Bytes:
    """Values one after the other, each named by where it begins and how long it is; large ones are sent once."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self._next = 1
        self._large: dict[bytes, dict[str, int]] = {}

    def add(self, part: bytes) -> dict[str, int]:
        # What a task wrote is mostly what its channel then holds, and both are saved together.
        if len(part) >= _LARGE:
            return self._large.get(part) or self._large.setdefault(part, self._append(part))
        return self._append(part)

    def _append(self, part: bytes) -> dict[str, int]:
        self.parts.append(part)
        first, self._next = self._next, self._next + len(part)
        return {"first": first, "size": len(part)}


def _packed(saves: list[Save]) -> tuple[dict[str, Any], list[int]]:
    """The arguments of the statement, and the place of each save in it. Saves of one session share a place."""
    known: dict[Fence, dict[str, Any]] = {}
    places: list[int] = []
    order: dict[Fence, int] = {}
    pieces = _Bytes()
    for save in saves:
        one = known.get(save.fence)
        if one is None:
            one = known[save.fence] = {
                **save.fence._asdict(),
                "input": None,
                "checkpoints": {},
                "blobs": [],
                "writes": [],
                "marks": {},
                "messages": [],
            }
            order[save.fence] = len(known)
        places.append(order[save.fence])
        one["input"] = save.input or one["input"]
        one["messages"] += save.messages
        one["blobs"] += [{**blob._asdict(), "blob": None, **pieces.add(blob.blob)} for blob in save.blobs]
        # One statement cannot write a row twice: of several with one key, the last counts.
        one["checkpoints"] |= {(row["space"], row["id"]): row for row in save.checkpoints}
        for write in save.writes:
            row = {**write._asdict(), "blob": None, **pieces.add(write.blob)}
            if write.replaces:
                one["marks"][write.space, write.checkpoint, write.task, write.place] = row
            else:
                one["writes"].append(row)
    for one in known.values():
        one["checkpoints"] = list(one["checkpoints"].values())
        one["marks"] = list(one["marks"].values())
    return {"saves": dump(list(known.values())), "bytes": b"".join(pieces.parts)}, places
