"""Calling actions, `hold.actions`: checked input, the caller's permission, the caller's transaction, one line of audit.

With an idempotency key an action is done once: the same call again answers with what the first one did, a call with
other input is refused, and so is one of somebody else: a key belongs to who used it first. The answer is recorded in
the transaction of the action, so neither stands without the other. A call that fails leaves nothing behind, and the
transaction it was made in can go on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from holdfast.actions.model import Action, Call, Suggestion
from holdfast.actions.registry import ActionRegistry
from holdfast.audit import record
from holdfast.errors import IdempotencyMismatch, InvalidInput
from holdfast.kernel.clock import Clock
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import canonical_json, dump, parse_json, plain
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

    async def take_step(
        self, name: str, given: Any, *, key: str, instance_id: UUID, document_id: UUID | None, step: str
    ) -> Any:
        """Call an action as a step of a process. Whoever lets it be taken undoes what it wrote when it fails."""
        given = {} if given is None else given
        action, call, wanted = await self._prepared(name, given, key, None, instance_id, document_id, step)
        if not action.side_effect:
            return await self._perform(action, call, wanted)
        return (await self._answered(action, call, given, wanted)).output

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
        given = {} if input is None else input
        action, call, wanted = await self._prepared(name, given, key, run_id, instance_id, document_id, step)
        if not action.side_effect:
            output = await self._perform(action, call, wanted)
            return CallResult(output, call.id, repeated=False)
        async with self._tx.connection.transaction():  # a savepoint: undone when it fails
            return await self._answered(action, call, given, wanted)

    async def once(self, key: str | None, name: str, given: Any, work: Callable[[], Awaitable[Any]]) -> CallResult:
        """Do something that is no action once for a key, as an action is; without a key, do it.

        `work` gives JSON values. `name` and `given` say what it is: the same key with others is refused.
        """
        _check_key(key)
        call_id = uuid7()
        async with self._tx.connection.transaction():
            earlier = None if key is None else await self._earlier(key, name, given, call_id)
            if earlier is not None:
                return earlier
            output = plain(await work())
            if key is not None:
                await self._tx.run(_SQL["close_receipt"], key=key, output=self._kept(output))
        return CallResult(output, call_id, repeated=False)

    async def suggestions(self, source: str, *, namespace: str | None = None, prefix: str = "") -> list[Suggestion]:
        """Values that a field with this source of suggestions offers."""
        return await self._registry.suggestions(self._tx, source, namespace=namespace, prefix=prefix)

    async def _prepared(
        self,
        name: str,
        given: Any,
        key: str | None,
        run_id: UUID | None,
        instance_id: UUID | None,
        document_id: UUID | None,
        step: str | None,
    ) -> tuple[Action, Call, Any]:
        """The action that the actor may call, the call, and what is given to it."""
        self._tx.require("actions:call")
        action = self._registry.find(name)
        self._tx.require(action.permission)
        _check_key(key)
        wanted = await action.input.taken("input", given)
        run_id, instance_id = run_id or self._tx.by_run, instance_id or self._tx.instance
        call = Call(uuid7(), name, self._tx, key, run_id, instance_id, document_id, step, self._registry.opener)
        return action, call, wanted

    async def _answered(self, action: Action, call: Call, given: Any, wanted: Any) -> CallResult:
        """Do what has effects, once for its key; the answer, the receipt and the line of audit stand together."""
        if call.key is None:
            return CallResult(await self._perform(action, call, wanted), call.id, repeated=False)
        earlier = await self._earlier(call.key, action.name, given, call.id)
        if earlier is not None:
            return earlier
        output = plain(action.output.plain(await action.function(call, wanted)))
        await self._tx.run(
            _SQL["close_call"],
            key=call.key,
            output=self._kept(output),
            object_id=_told_of(call),
            actor=str(self._tx.actor),
            step_id=call.step,
            data=dump(_facts(call)),
        )
        return CallResult(output, call.id, repeated=False)

    async def _perform(self, action: Action, call: Call, wanted: Any) -> Any:
        output = plain(action.output.plain(await action.function(call, wanted)))
        await record(self._tx, "action", _told_of(call), "action.called", _facts(call), step_id=call.step)
        return output

    def _kept(self, output: Any) -> str:
        """An answer as its receipt keeps it."""
        return self._registry.sealing.seal(self._tx.tenant.id, canonical_json(output).decode())

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


def _told_of(call: Call) -> UUID:
    """In whose timeline the call is told: that of the process, of the run, or its own."""
    return call.instance_id or call.run_id or call.id


def _facts(call: Call) -> dict[str, str]:
    """What the trail tells of a call."""
    facts = {"action": call.action, "call_id": call.id, "key": call.key}
    facts |= {"run_id": call.run_id, "instance_id": call.instance_id}
    return {name: str(value) for name, value in facts.items() if value is not None}


def _mismatch(key: str, how: str) -> IdempotencyMismatch:
    return IdempotencyMismatch(
        f"the idempotency key {key!r} belongs to a call that {how}",
        hint="use another key, or repeat the call as it was",
        key=key,
    )


def _check_key(key: Any) -> None:
    if key is not None and (not isinstance(key, str) or not 1 <= len(key) <= 512 or "\0" in key):
        raise InvalidInput(f"key is {key!r}", hint="use a text of 1 to 512 characters", field="key")
