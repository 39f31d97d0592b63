"""Calling actions, `hold.actions`: checked input, the caller's permission, the caller's transaction, one line of audit.

With an idempotency key an action is done once: the same call again answers with what the first one did, a call with
other input is refused, and so is one of somebody else: a key belongs to who used it first. The answer is recorded in
the transaction of the action, so neither stands without the other. A call that fails leaves nothing behind, and the
transaction it was made in can go on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
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

__all__ = ["Actions", "CallResult", "StepCall", "drop_receipts", "take_steps"]

_SQL = queries("actions")


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a call answered; `repeated` says that it was recorded by an earlier call with the same key."""

    output: Any
    call_id: UUID
    repeated: bool


@dataclass(frozen=True, slots=True)
class StepCall:
    """An action to be called as a step of a process, as whom `tx` acts."""

    tx: TenantTx
    action: str
    given: Any
    key: str
    instance_id: UUID
    document_id: UUID | None
    step: str


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A call that may be made: its action, what is given to it and, where it has effects, its receipt."""

    actions: Actions
    action: Action
    call: Call
    wanted: Any
    receipt: Mapping[str, Any] | None


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
        given = {} if input is None else input
        action, call, wanted = await self._prepared(name, given, key, run_id, instance_id, document_id, step)
        if not action.side_effect:
            output = await self.perform(action, call, wanted)
            return CallResult(output, call.id, repeated=False)
        async with self._tx.connection.transaction():  # a savepoint: undone when it fails
            return await self._answered(action, call, given, wanted)

    async def prepare_step(self, step: StepCall) -> _Prepared:
        """Check a step of a process before anything is done for it."""
        given = {} if step.given is None else step.given
        action, call, wanted = await self._prepared(
            step.action, given, step.key, None, step.instance_id, step.document_id, step.step
        )
        receipt = self._receipt(step.key, action.name, given, call.id) if action.side_effect else None
        return _Prepared(self, action, call, wanted, receipt)

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
            return CallResult(await self.perform(action, call, wanted), call.id, repeated=False)
        earlier = await self._earlier(call.key, action.name, given, call.id)
        if earlier is not None:
            return earlier
        output = plain(action.output.plain(await action.function(call, wanted)))
        await self._tx.run(_SQL["close_calls"], given=dump([self.closing(call, output)]))
        return CallResult(output, call.id, repeated=False)

    def closing(self, call: Call, output: Any) -> dict[str, Any]:
        """The end of a call, as `close_calls` takes it."""
        return {
            "key": call.key,
            "output": self._kept(output),
            "object_id": _told_of(call),
            "actor": str(self._tx.actor),
            "step_id": call.step,
            "data": _facts(call),
        }

    async def perform(self, action: Action, call: Call, wanted: Any) -> Any:
        output = plain(action.output.plain(await action.function(call, wanted)))
        await record(self._tx, "action", _told_of(call), "action.called", _facts(call), step_id=call.step)
        return output

    def _kept(self, output: Any) -> str:
        """An answer as its receipt keeps it."""
        return self._registry.sealing.seal(self._tx.tenant.id, canonical_json(output).decode())

    def _receipt(self, key: str, name: str, given: Any, call_id: UUID) -> dict[str, Any]:
        """The receipt of a call that is about to be made, as `open_receipts` takes it."""
        mark = hashlib.sha256(canonical_json(plain([name, given]))).hexdigest()
        # Steps of processes share theirs, whoever started the instance: a node's own key says what is to be done once.
        actor = str(self._tx.actor) if self._tx.instance is None else "process"
        return {"key": key, "action": name, "fingerprint": f"\\x{mark}", "call_id": call_id, "actor": actor}

    async def _earlier(self, key: str, name: str, given: Any, call_id: UUID) -> CallResult | None:
        """Write the receipt, or find the one there is. Waits for a call with the same key that is under way."""
        receipt = self._receipt(key, name, given, call_id)
        if await self._tx.rows(_SQL["open_receipts"], given=dump([receipt])):
            return None
        return await self.recorded(receipt)

    async def recorded(self, receipt: Mapping[str, Any]) -> CallResult:
        """What an earlier call with the key of this receipt answered, if it was the same call."""
        key, name = receipt["key"], receipt["action"]
        row = await self._tx.row(_SQL["read_receipt"], key=key)
        assert row is not None, "receipts are dropped when they are old, not while they are being read"
        if row["actor"] != receipt["actor"]:
            # Not done again under their name: two who use one key may well mean one thing.
            raise _mismatch(key, "somebody else made")
        if f"\\x{bytes(row['fingerprint']).hex()}" != receipt["fingerprint"]:
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


async def take_steps(registry: ActionRegistry, steps: Sequence[StepCall]) -> list[Any]:
    """Call actions as steps of processes, one after the other, in one transaction; what each put out.

    Receipts are written together before the first call, answers together after the last. Whoever lets the steps be
    taken undoes everything when one of them fails.
    """
    if not steps:
        return []
    tx = steps[0].tx
    prepared = [await Actions(registry, step.tx).prepare_step(step) for step in steps]
    receipts = [each.receipt for each in prepared if each.receipt is not None]
    new: set[str] = set()
    if receipts:
        new = {row["key"] for row in await tx.rows(_SQL["open_receipts"], given=dump(receipts))}
    outputs: list[Any] = []
    closing: list[Mapping[str, Any]] = []
    for each in prepared:
        if each.receipt is None:
            outputs.append(await each.actions.perform(each.action, each.call, each.wanted))
        elif each.receipt["key"] in new:
            # Of two with one key, the first is made, and the other finds its answer.
            new.remove(each.receipt["key"])
            outputs.append(plain(each.action.output.plain(await each.action.function(each.call, each.wanted))))
            closing.append(each.actions.closing(each.call, outputs[-1]))
        else:
            await _close(tx, closing)
            closing = []
            outputs.append((await each.actions.recorded(each.receipt)).output)
    await _close(tx, closing)
    return outputs


async def _close(tx: TenantTx, closing: Sequence[Mapping[str, Any]]) -> None:
    if closing:
        await tx.run(_SQL["close_calls"], given=dump(closing))


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
