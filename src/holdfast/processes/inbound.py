"""Events from outside that were kept, because nobody waited for them when they were told (`telling`)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from holdfast.kernel.json import decode
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["KeptEvent", "kept_events"]

_SQL = queries("processes")
_PAGE = 50


@dataclass(frozen=True, slots=True)
class KeptEvent:
    """An event that came before anybody waited for it."""

    id: UUID
    key: str
    payload: Any

    async def taken(self, tx: TenantTx, instance_id: UUID) -> None:
        """Nobody else gets it."""
        await tx.run(_SQL["take_event"], id=self.id, instance_id=instance_id)


async def kept_events(tx: TenantTx, key: str) -> AsyncIterator[KeptEvent]:
    """The events kept for a key, the oldest first: whoever does not accept one may accept the next."""
    after: dict[str, Any] = {"after_at": None, "after_id": None}
    while True:
        rows = await tx.rows(_SQL["kept_events"], key=key, limit=_PAGE, **after)
        for row in rows:
            yield KeptEvent(row["id"], key, decode(row["payload"]))
        if len(rows) < _PAGE:
            return
        after = {"after_at": rows[-1]["received_at"], "after_id": rows[-1]["id"]}
