"""What the trail tells, as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from holdfast.kernel.audit import Break

__all__ = ["AuditEvent", "Tidied", "Verdict"]


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """Something that happened to an object; `seq` counts the events of objects whose trail is a hash chain.

    For example:

        async with app.tenant("acme", actor="ana") as hold:
            trail = await hold.audit.list(object_kind="document", object_id=document.id)
            last: AuditEvent = trail.items[0]
    """

    id: int
    object_kind: str
    object_id: UUID
    event_type: str
    actor: str
    step_id: str | None
    data: dict[str, Any]
    trace_id: str | None
    created_at: datetime
    seq: int | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verification found: how much it checked, and the first broken link of each broken chain."""

    chains: int
    events: int
    breaks: tuple[Break, ...]
    dropped: int = 0
    """How many events retention dropped, for which tombstones stand."""

    @property
    def ok(self) -> bool:
        return not self.breaks


@dataclass(frozen=True, slots=True)
class Tidied:
    """What one round did."""

    partitions_made: int
    partitions_dropped: tuple[str, ...]
