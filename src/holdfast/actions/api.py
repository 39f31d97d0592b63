"""Calling actions, `hold.actions`: checked input, the caller's permission, the caller's transaction, one line of audit.

With an idempotency key an action is done once: the same call again answers with what the first one did, a call with
other input is refused, and so is one of somebody else: a key belongs to who used it first. The answer is recorded in
the transaction of the action, so neither stands without the other. A call that fails leaves nothing behind, and the
transaction it was made in can go on.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from holdfast.actions.model import Action, Call, Suggestion
from holdfast.actions.registry import ActionRegistry
from holdfast.audit import record
from holdfast.errors import IdempotencyMismatch, InvalidInput
from holdfast.kernel.clock import Clock
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import canonical_json, parse_json, plain
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["Actions", "CallResult", "drop_receipts"]

_SQL = queries("actions")


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a call answered; `repeated` says that it was recorded by an earlier call with the same key."""

    output: Any
    call_id: UUID
    repeated: bool


class Actions:
    """The actions as one transaction can call them."""

    def __init__(self, registry: ActionRegistry, tx: TenantTx) -> None:
        self._registry = registry
        self._tx = tx

    async def call(
        self,
        name: str,
        input: Any = None,  # noqa: A002 - it is the input
        *,
        key: str | None = None,
        run_id: UUID | None = None,
        instance_id: UUID | None = None,
        document_id: UUID | None = None,
        step: str | None = None,
    ) -> Any:
        """Call an action in this transaction; its output as plain JSON values, with exact numbers."""
        answer = await self.answer(
            name, input, key=key, run_id=run_id, instance_id=instance_id, document_id=document_id, step=step
        )
        return answer.output

    async def answer(
        self,
        name: str,
        input: Any = None,  # noqa: A002 - it is the input
        *,
        key: str | None = None,
        run_id: UUID | None = None,
        instance_id: UUID | None = None,
        document_id: UUID | None = None,
        step: str | None = None,
    ) -> CallResult:
        """Like `call`, and says whether the answer is that of an earlier call."""
        self._tx.require("actions:call")
        action = self._registry.find(name)
        self._tx.require(action.permission)
        _check_key(key)
        given = {} if input is None else input
        wanted = await action.input.taken("input", given)
        run_id, instance_id = run_id or self._tx.by_run, instance_id or self._tx.instance
        call = Call(uuid7(), name, self._tx, key, run_id, instance_id, document_id, step, self._registry.opener)
        if not action.side_effect:
            output = await self._perform(action, call, wanted)
            return CallResult(output, call.id, repeated=False)
        return await self._once(key, name, given, call.id, lambda: self._perform(action, call, wanted))

    async def once(self, key: str | None, name: str, given: Any, work: Callable[[], Awaitable[Any]]) -> CallResult:
        """Do something that is no action once for a key, as an action is; without a key, do it.

        `work` gives JSON values. `name` and `given` say what it is: the same key with others is refused.
        """
        _check_key(key)
        return await self._once(key, name, given, uuid7(), work)

    async def _once(
        self, key: str | None, name: str, given: Any, call_id: UUID, work: Callable[[], Awaitable[Any]]
    ) -> CallResult:
        async with _undone_when_failed(self._tx):
            if key is not None:
                earlier = await self._earlier(key, name, given, call_id)
                if earlier is not None:
                    return earlier
            output = plain(await work())
            if key is not None:
                text = self._registry.sealing.seal(self._tx.tenant.id, canonical_json(output).decode())
                await self._tx.run(_SQL["close_receipt"], key=key, output=text)
        return CallResult(output, call_id, repeated=False)

    async def suggestions(self, source: str, *, namespace: str | None = None, prefix: str = "") -> list[Suggestion]:
        """Values that a field with this source of suggestions offers."""
        return await self._registry.suggestions(self._tx, source, namespace=namespace, prefix=prefix)

    async def _perform(self, action: Action, call: Call, wanted: Any) -> Any:
        output = plain(action.output.plain(await action.function(call, wanted)))
        facts = {"action": action.name, "call_id": call.id, "key": call.key}
        facts |= {"run_id": call.run_id, "instance_id": call.instance_id}
        await record(
            self._tx,
            "action",
            call.instance_id or call.run_id or call.id,
            "action.called",
            {name: str(value) for name, value in facts.items() if value is not None},
            step_id=call.step,
        )
        return output

    async def _earlier(self, key: str, name: str, given: Any, call_id: UUID) -> CallResult | None:
        """Write the receipt, or find the one there is. Waits for a call with the same key that is under way."""
        mark = hashlib.sha256(canonical_json(plain([name, given]))).digest()
        # Steps of processes share theirs, whoever started the instance: a node's own key says what is to be done once.
        actor = str(self._tx.actor) if self._tx.instance is None else "process"
        values = {"key": key, "action": name, "fingerprint": mark, "call_id": call_id, "actor": actor}
        if await self._tx.run(_SQL["open_receipt"], **values):
            return None
        row = await self._tx.row(_SQL["read_receipt"], key=key)
        assert row is not None, "receipts are dropped when they are old, not while they are being read"
        if row["actor"] != actor:
            # Not done again under their name: two who use one key may well mean one thing.
            raise _mismatch(key, "somebody else made")
        if bytes(row["fingerprint"]) != mark:
            other = f"the action {row['action']!r}" if row["action"] != name else "other input"
            raise _mismatch(key, f"was made with {other}")
        if row["output"] is None:
            raise InvalidInput(
                f"the call with the key {key!r} is being made by this very transaction",
                hint="an action must not call another with its own key",
                field="key",
            )
        output = parse_json(self._registry.sealing.open(self._tx.tenant.id, row["output"]))
        return CallResult(output, row["call_id"], repeated=True)


async def drop_receipts(database: Database, clock: Clock) -> int:
    """Retention: forget answers that nobody will ask for again; how many."""
    values = {"now": clock.now(), "days": database.settings.receipt_retention}
    async with database.connection() as connection:
        row = await (await connection.execute(_SQL["drop_receipts"], values)).fetchone()
        return 0 if row is None else int(row[0])


@asynccontextmanager
async def _undone_when_failed(tx: TenantTx) -> AsyncIterator[None]:
    async with tx.connection.transaction():  # a savepoint
        yield


def _mismatch(key: str, how: str) -> IdempotencyMismatch:
    return IdempotencyMismatch(
        f"the idempotency key {key!r} belongs to a call that {how}",
        hint="use another key, or repeat the call as it was",
        key=key,
    )


def _check_key(key: Any) -> None:
    if key is not None and (not isinstance(key, str) or not 1 <= len(key) <= 512 or "\0" in key):
        raise InvalidInput(f"key is {key!r}", hint="use a text of 1 to 512 characters", field="key")
