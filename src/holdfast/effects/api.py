"""Effects: written in the transaction of the step that asks for them, sent later by a worker (WF-10).

A receipt is written before the effect, so that an effect whose key is known is never written again (WF-11).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from holdfast.documents import Access, Contracts
from holdfast.effects.model import STATUSES, EffectInfo, check_kind
from holdfast.effects.payloads import opened_payload, stored_payload
from holdfast.envelope.tokens import Effect
from holdfast.errors import Conflict, InvalidInput, NotFound
from holdfast.kernel.cursor import check_limit, decode_cursor, encode_cursor
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import canonical_json
from holdfast.kernel.names import check_text
from holdfast.kernel.page import Page, read_in_windows
from holdfast.kernel.sealing import IN_CLEAR, Sealing
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx

__all__ = ["Effects", "NewEffect", "enqueue", "withdraw"]

_SQL = queries("effects")
_ATTEMPTS = 16
"""As `HOLDFAST_EFFECTS_MAX_ATTEMPTS` is unless it is set: they last for five hours."""


@dataclass(frozen=True, slots=True)
class NewEffect:
    """An effect of one step of one instance, to be sent."""

    instance_id: UUID
    step_id: UUID
    effect: Effect
    trace_id: str | None = None


async def enqueue(
    tx: TenantTx, effects: Sequence[NewEffect], *, max_attempts: int = _ATTEMPTS, sealing: Sealing = IN_CLEAR
) -> int:
    """Write effects in the running transaction; how many were new. `max_attempts` is for those that do not say."""
    effects = list({(new.instance_id, new.effect.key): new for new in effects}.values())
    if not effects:
        return 0
    each = [new.effect for new in effects]
    row = await tx.row(
        _SQL["enqueue_effects"],
        ids=[uuid7() for _ in effects],
        instances=[new.instance_id for new in effects],
        steps=[new.step_id for new in effects],
        step_keys=[effect.step for effect in each],
        nodes=[effect.node for effect in each],
        tokens=[effect.token for effect in each],
        kinds=[effect.kind for effect in each],
        payloads=[stored_payload(sealing, tx.tenant.id, canonical_json(effect.payload).decode()) for effect in each],
        keys=[effect.key for effect in each],
        awaited=[effect.awaited for effect in each],
        max_attempts=[int(effect.payload.get("max_attempts") or max_attempts) for effect in each],
        traces=[new.trace_id for new in effects],
        actor=str(tx.actor),
    )
    assert row is not None
    written: int = row["written"]
    if written:
        await tx.run(_SQL["tell_effects"])
    return written


async def withdraw(tx: TenantTx, instance_id: UUID, step_keys: Sequence[str], why: str) -> int:
    """Take back what was enqueued for steps and has not arrived yet; how many."""
    keys, actor = list(step_keys), str(tx.actor)
    row = await tx.row(_SQL["withdraw_effects"], instance_id=instance_id, step_keys=keys, why=why[:1000], actor=actor)
    return int(row["gone"]) if row else 0


class Effects:
    """The effects of one tenant, `hold.effects`."""

    def __init__(self, tx: TenantTx, contracts: Contracts | None = None, sealing: Sealing = IN_CLEAR) -> None:
        self._tx = tx
        self._sealing = sealing
        self._access = Access(tx, contracts or Contracts())

    async def list(
        self,
        *,
        status: str | None = None,
        kind: str | None = None,
        instance_id: UUID | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[EffectInfo]:
        """Effects, newest first; of one status, one kind or one instance."""
        self._tx.require("effects:read")
        check_limit(limit)
        _one_of("status", status, STATUSES)
        if kind is not None:
            check_kind(kind)
        query = {"status": status, "kind": kind, "instance": str(instance_id) if instance_id else None}
        before_at, before_id = None, None
        if cursor is not None:
            before_at, before_id = decode_cursor(query, cursor, (datetime, UUID))

        async def window(last: Row | None, most: int) -> list[Row]:
            return await self._tx.rows(
                _SQL["list_effects" if instance_id is None else "instance_effects"],
                status=status,
                kind=kind,
                instance_id=instance_id,
                before_at=before_at if last is None else last["created_at"],
                before_id=before_id if last is None else last["id"],
                limit=most,
            )

        rows, more = await read_in_windows(window, limit + 1, "payload", "response")
        items = await self._shown([self._info(row) for row in rows[:limit]])
        position: list[str | int] = [items[-1].created_at.isoformat(), str(items[-1].id)] if items else []
        return Page([*items], encode_cursor(query, position) if more else None)

    async def get(self, effect_id: UUID) -> EffectInfo:
        """One effect, with the evidence of its last attempt."""
        self._tx.require("effects:read")
        row = await self._tx.row(_SQL["get_effect"], id=effect_id)
        if row is None:
            raise NotFound(f"there is no effect {effect_id}", hint="`holdfast effects list` shows them")
        return (await self._shown([self._info(row)]))[0]

    def _info(self, row: Row) -> EffectInfo:
        return EffectInfo(**row | {"payload": opened_payload(self._sealing, self._tx.tenant.id, row["payload"])})

    async def _shown(self, found: Sequence[EffectInfo]) -> Sequence[EffectInfo]:
        """Effects; what is sent was made from a document, and is shown to those who see all of it."""
        seen = await self._access.instances_seen({each.instance_id for each in found}, "effects")
        return [
            each if each.instance_id in seen else replace(each, payload={}, response=None, error=None, redacted=True)
            for each in found
        ]

    async def replay(self, effect_id: UUID) -> EffectInfo:
        """Give a dead letter as many attempts again as it had. Whoever receives it sees the same idempotency key."""
        self._tx.require("effects:operate")
        row = await self._tx.row(_SQL["replay_effect"], id=effect_id, actor=str(self._tx.actor))
        effect = await self.get(effect_id)
        if row is None or not row["done"]:
            raise Conflict(f"the effect is {effect.status}, not a dead letter", hint="only dead letters are replayed")
        await self._tx.run(_SQL["tell_effects"])
        return effect

    async def skip(self, effect_id: UUID, *, reason: str) -> EffectInfo:
        """Give up a dead letter: nobody is to be told any more. Its step heard that it did not arrive when it died."""
        self._tx.require("effects:operate")
        check_text("reason", reason, maximum=1000)
        row = await self._tx.row(_SQL["skip_effect"], id=effect_id, reason=reason, actor=str(self._tx.actor))
        effect = await self.get(effect_id)
        if row is None or not row["done"]:
            raise Conflict(f"the effect is {effect.status}, not a dead letter", hint="only dead letters are skipped")
        return effect


def _one_of(field: str, value: str | None, known: tuple[str, ...]) -> None:
    if value is not None and value not in known:
        raise InvalidInput(f"{field} is {value!r}", hint=f"use one of {', '.join(known)}", field=field)
