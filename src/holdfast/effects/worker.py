"""The effects worker: claims effects, sends them, and tells whoever waits what became of them.

    claim (attempt counted, epoch bumped) ──▶ send, outside of any transaction ──▶ settle + confirm, in one

A send that takes long keeps its lease by the heart's thread; a worker that dies loses it, and another one tries again:
receivers see the same idempotency key. Settling names (id, epoch), so a worker that lost its lease writes nothing. An
effect is claimed by a worker that has a sender of its kind; others leave it where it is. One that did not arrive is
tried again with growing pauses; after its last attempt, or when another one cannot help, it is a dead letter, and the
step that waits for it ends with the outcome `error`.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final, Literal, Protocol
from uuid import UUID

import psycopg
from opentelemetry.trace import SpanKind
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from holdfast.audit import record
from holdfast.effects.model import UNTIL_MENDED, Closing, Delivery, Outgoing, Sender, Undelivered
from holdfast.effects.payloads import opened_payload
from holdfast.effects.recipients import transaction_of
from holdfast.errors import DatabaseUnreachable, HoldfastError, InvalidInput, KeyMissing
from holdfast.kernel.clock import Clock
from holdfast.kernel.counts import EFFECTS
from holdfast.kernel.json import dump, parse_json
from holdfast.kernel.sealing import IN_CLEAR, Sealing
from holdfast.kernel.traces import span_of
from holdfast.leases import Backoff, Lease, LeasedTable, QueueMarks, RowTasks, Service, pause_until
from holdfast.postgres.database import Database
from holdfast.postgres.listening import Channel
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["SCHEDULE", "Confirm", "EffectsWorker"]

_SQL = queries("effects")
_log = logging.getLogger(__name__)
SCHEDULE: Final = Backoff(base=2.0, cap=3600.0)
"""The pauses between attempts, from 2 s up to an hour; how long they last in all follows from how many there are."""

Chore = Callable[[], Awaitable[object]]


class Confirm(Protocol):
    """Tells the engine what became of an awaited effect: its outcome, the evidence, and the error if there was one."""

    async def __call__(
        self,
        tx: TenantTx,
        effect: Outgoing,
        outcome: Literal["completed", "error"],
        evidence: Mapping[str, Any],
        error: Mapping[str, Any] | None,
    ) -> None: ...


class EffectsWorker(Service[Outgoing]):
    """Sends the effects of every tenant."""

    table = LeasedTable("effects", Channel("holdfast_effects"), _SQL["heartbeat_effects"])

    def __init__(
        self,
        database: Database,
        senders: Mapping[str, Sender],
        clock: Clock,
        confirm: Confirm,
        *,
        concurrency: int = 20,
        lease: timedelta = timedelta(seconds=60),
        poll_interval: float = 1.0,
        shutdown_timeout: float = 20.0,
        backoff: Backoff | None = None,
        chores: Sequence[Chore] = (),
        name: str | None = None,
        sealing: Sealing = IN_CLEAR,
    ) -> None:
        if concurrency < 1:
            raise InvalidInput(f"concurrency is {concurrency}", hint="use 1 or more", field="concurrency")
        super().__init__(database, clock, self._lease_of, name=name, shutdown_timeout=shutdown_timeout)
        self._senders = senders
        self._sealing = sealing
        # What it cannot send is none of its business: not claimed, and no attempt of it used up.
        self._kinds = sorted(senders)
        self._confirm = confirm
        self._concurrency = concurrency
        # One tenant whose receivers hang must not take every slot.
        self._quota = max(1, -(-concurrency // 2))
        self._lease = lease
        self._poll_interval = poll_interval
        self._backoff = backoff or SCHEDULE
        self._chores = chores
        self._tasks: RowTasks[Outgoing] = RowTasks(self._ended)
        self._marks = QueueMarks("due", "created_at", "id")
        self.sent = 0

    async def run(self) -> None:
        """Work until `stop` is called."""
        _log.info("sending %s", ", ".join(self._kinds))
        if "email" not in self._kinds:
            _log.info("mail is left to other workers: HOLDFAST_SMTP_URL and HOLDFAST_MAIL_FROM are not both set here")
        await super().run()

    async def aclose(self) -> None:
        """Close what the senders hold open; `run` does so at its end."""
        for sender in self._senders.values():
            if isinstance(sender, Closing):
                await sender.aclose()

    async def drain(self) -> int:
        """Send everything that is due now, and end; how many attempts were made. For tests and scripts."""
        await self._tend()
        for chore in self._chores:
            await chore()
        attempts = 0
        while claimed := await self._claim(thorough=True):
            attempts += len(claimed)
            self._begin(claimed)
            await self._tasks.finish(math.inf)
        return attempts

    # --------------------------------------------------------------------------------------------------------- its life

    def _loops(self) -> Iterable[Coroutine[Any, Any, None]]:
        return []

    def _hands(self) -> Iterable[Coroutine[Any, Any, None]]:
        return [self._persist("looking for effects", self._rounds)]

    async def _finish(self) -> None:
        await self._tasks.finish(self._shutdown_timeout)

    async def _break_off(self) -> None:
        await self._tasks.break_off()

    async def _close(self) -> None:
        await self.aclose()

    # --------------------------------------------------------------------------------------------------------- claiming

    async def _rounds(self) -> None:
        while not self._stopping.is_set():
            await self._round()

    async def _round(self) -> None:
        self._news.clear()
        await self._database.check_schema()
        due_in = await self._tend()
        for chore in self._chores:
            await chore()
        while not self._stopping.is_set() and (claimed := await self._claim()):
            self._begin(claimed)
        # With every slot taken, somebody who finishes wakes us.
        full = len(self._tasks) >= self._concurrency
        await self._rest(pause_until(None if full else due_in, self._poll_interval), self._news)

    async def _tend(self) -> float | None:
        row = (await self._ask("tend_effects", kinds=self._kinds))[0]
        if row["taken_back"]:
            _log.warning("%d effects were taken back from workers that are gone", row["taken_back"])
        return None if row["due_in"] is None else float(row["due_in"])

    async def _claim(self, *, thorough: bool = False) -> list[Outgoing]:
        """Take what is due, behind what was taken before; thorough, and when there is nothing, from the head."""
        slots = self._concurrency - len(self._tasks)
        if slots <= 0:
            return []
        busy = Counter(effect.tenant for effect in self._tasks)
        full = [tenant for tenant, count in busy.items() if count >= self._quota]
        marks = self._marks.start(time.monotonic())
        rows = await self._claimed(slots, full, marks)
        if not rows and marks is not None and (thorough or not self._marks.slow):
            rows = await self._claimed(slots, full, None)
        claimed = [_outgoing(row) for row in rows]
        self._in_hand.update(dict.fromkeys(claimed, time.monotonic()))
        return claimed

    async def _claimed(
        self, slots: int, full: Sequence[UUID], marks: Sequence[Mapping[str, Any]] | None
    ) -> list[dict[str, Any]]:
        began = time.monotonic()
        rows = await self._ask(
            "claim_effects",
            worker=self.name,
            kinds=self._kinds,
            slots=slots,
            quota=self._quota,
            full=full,
            lease=self._lease,
            marks=None if marks is None else dump(marks),
        )
        self._marks.note(at_head=marks is None, began=began, ended=time.monotonic(), rows=rows)
        return rows

    def _begin(self, claimed: Iterable[Outgoing]) -> None:
        for effect in claimed:
            self._tasks.begin(effect, self._handle(effect))

    async def _ask(self, name: str, **values: Any) -> list[dict[str, Any]]:
        async with self._database.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            await cursor.execute(_SQL[name], values | {"now": self._clock.now()})
            return await cursor.fetchall()

    # ---------------------------------------------------------------------------------------------------------- sending

    def _ended(self, effect: Outgoing, _: asyncio.Task[None]) -> None:
        self._in_hand.pop(effect, None)
        self._news.set()

    async def _handle(self, effect: Outgoing) -> None:
        try:
            outcome = await self._attempt(effect)
            await self._settle(effect, outcome)
            self.sent += 1
        except asyncio.CancelledError:
            if effect not in self._in_hand or not self._stopping.is_set():
                return
            # We stop before an answer came. The attempt does not count; the receiver knows the key if it comes again.
            await self._settle(effect, None)
        except DatabaseUnreachable as error:
            # Its lease expires, and it is tried again.
            self._database.outage.began(error)
        except (HoldfastError, psycopg.Error):
            _log.exception("what became of effect %s could not be stored", effect.id)

    async def _attempt(self, effect: Outgoing) -> Delivery | Undelivered:
        if effect.attempt > effect.max_attempts:
            return Undelivered("lease_expired", "every worker that tried was gone before it answered", again=False)
        about: dict[str, str | int] = {"holdfast.effect.id": str(effect.id), "holdfast.effect.attempt": effect.attempt}
        about |= {"holdfast.tenant": str(effect.tenant), "holdfast.node": effect.node_id}
        try:
            opened = opened_payload(self._sealing, effect.tenant, effect.payload)
            with span_of(f"send {effect.kind}", effect.trace_id, kind=SpanKind.CLIENT, attributes=about):
                return await self._senders[effect.kind].send(replace(effect, payload=opened))
        except Undelivered as problem:
            return problem
        except KeyMissing as error:
            _log.error("effect %s waits for its key: %s", effect.id, error)
            return Undelivered("key_missing", error.message, again=True, after=UNTIL_MENDED, counts=False)
        except (HoldfastError, psycopg.OperationalError) as error:
            return Undelivered("not_sent", " ".join(str(error).split()), again=True)
        except Exception as error:
            _log.exception("the sender of %s failed", effect.kind)
            return Undelivered("sender_failed", f"{type(error).__name__}: {error}", again=True)

    async def _settle(self, effect: Outgoing, outcome: Delivery | Undelivered | None) -> None:
        """Write what became of it; and in the same transaction tell the engine, if the step waits."""
        pause, back, error = timedelta(0), 0, None
        evidence: Mapping[str, Any] = effect.earlier or {}
        if outcome is None:
            status, back = "pending", 1
        elif isinstance(outcome, Delivery):
            status, evidence = "completed", outcome.evidence
        elif not outcome.counts:
            status, back, error = "failed", 1, f"{outcome.code}: {outcome.message}"[:2000]
            pause = outcome.after or timedelta(0)
        else:
            again = self._backoff.after_failure(effect.attempt, effect.max_attempts, final=not outcome.again)
            status = "dead_letter" if again is None else "failed"
            evidence = outcome.evidence or evidence
            error = f"{outcome.code}: {outcome.message}"[:2000]
            pause = max(again or timedelta(0), outcome.after or timedelta(0))
        evidence = {**_storable(evidence), "attempt": effect.attempt}
        async with transaction_of(self._database, effect.tenant, self._clock) as tx:
            row = await tx.row(
                _SQL["settle_effect"],
                id=effect.id,
                created_at=effect.created_at,
                epoch=effect.epoch,
                status=status,
                evidence=Jsonb(evidence),
                error=error,
                pause=pause,
                back=back,
            )
            if row is None or not row["held"]:
                _log.warning("effect %s was no longer ours when it was sent; its outcome was not taken", effect.id)
                return
            EFFECTS.add(effect.kind, status)
            if status in ("completed", "dead_letter"):
                await self._tell(tx, effect, status, evidence, outcome)

    async def _tell(
        self,
        tx: TenantTx,
        effect: Outgoing,
        status: str,
        evidence: Mapping[str, Any],
        outcome: Delivery | Undelivered | None,
    ) -> None:
        problem = outcome if isinstance(outcome, Undelivered) else None
        event = "effect.delivered" if problem is None else "effect.dead_letter"
        about = {"effect": str(effect.id), "kind": effect.kind, "attempt": effect.attempt, "key": effect.key}
        if (secret := effect.payload.get("secret")) is not None:
            about["secret"] = secret
        if problem is not None:
            about |= {"code": problem.code, "message": problem.message[:2000]}
            _log.error("effect %s (%s) is a dead letter: %s", effect.id, effect.kind, problem.code)
        await record(tx, "instance", effect.instance_id, event, about, step_id=effect.node_id, trace_id=effect.trace_id)
        if effect.awaited:
            error = None if problem is None else {"code": problem.code, "message": problem.message}
            await self._confirm(tx, effect, "completed" if problem is None else "error", evidence, error)

    # ----------------------------------------------------------------------------------------------------------- leases

    def _lease_of(self, effect: Outgoing) -> Lease:
        return Lease(str(effect.tenant), str(effect.id), effect.epoch, self._lease, effect.kind)

    def _lost(self, lease: Lease, status: str | None) -> None:
        effect = self._in_hand.find(lease)
        if effect is not None:
            why = "was withdrawn" if status == "cancelled" else "is no longer ours"
            _log.warning("effect %s (%s) %s; sending it is stopped", lease.id, lease.what, why)
            del self._in_hand[effect]
            self._tasks.cancel(effect)


def _outgoing(row: Mapping[str, Any]) -> Outgoing:
    return Outgoing(
        tenant=row["tenant"],
        id=row["id"],
        created_at=row["created_at"],
        epoch=row["lease_epoch"],
        kind=row["effect_type"],
        payload=parse_json(row["payload"]),
        key=row["event_idempotency_key"],
        attempt=row["attempts"],
        max_attempts=row["max_attempts"],
        instance_id=row["instance_id"],
        step_key=row["step_key"],
        node_id=row["node_id"],
        token_id=row["token_id"],
        awaited=row["awaited"],
        trace_id=row["trace_id"],
        earlier=row["response_json"],
        now=row["now"],
    )


def _storable(value: Any) -> Any:
    """Evidence as jsonb can hold it: no NUL characters, whatever a receiver answered."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd")
    if isinstance(value, Mapping):
        return {str(_storable(name)): _storable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(each) for each in value]
    return value if value is None or isinstance(value, bool | int | float) else str(value)
