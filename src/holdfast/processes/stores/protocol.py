"""What a store of processes can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from holdfast.processes.model import Happened, Instance, InstancePage

__all__ = ["StoredEvent", "WorkflowStore"]


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """Something that happened to an instance. There is no way to change or remove one."""

    event: str
    actor: str
    data: Mapping[str, Any]
    at: datetime
    step_id: str | None = None


class WorkflowStore(Protocol):
    """The processes of one tenant."""

    async def create(
        self,
        workflow_id: str,
        *,
        payload: Any = None,
        context: Mapping[str, Any] | None = None,
        subject_id: str = "",
        partition_id: str = "",
        instance_id: UUID | None = None,
    ) -> Instance:
        """Start an instance. With an id of your own, creating it twice is creating it once."""
        ...

    async def get(self, instance_id: UUID) -> Instance:
        """One instance; `NotFound` when it is another tenant's."""
        ...

    async def advance(
        self,
        instance_id: UUID,
        event: str,
        input: Any = None,  # noqa: A002 - the word of the interface
        *,
        expected_version: int | None = None,
    ) -> Happened:
        """Let something happen; `VersionConflict` when the instance is not at that version any more."""
        ...

    async def append_event(self, instance_id: UUID, event: str, data: Mapping[str, Any] | None = None) -> None:
        """Add a remark of your own to what happened to an instance."""
        ...

    async def events(self, instance_id: UUID) -> Sequence[StoredEvent]:
        """Everything that happened to an instance, the oldest first."""
        ...

    async def find_active(
        self,
        *,
        workflow_id: str | None = None,
        status: str | None = None,
        subject_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> InstancePage:
        """Instances under way, newest first."""
        ...

    async def find_expired(self, *, limit: int = 100) -> Sequence[Instance]:
        """Instances with a timer or a timeout that is due, the longest due first."""
        ...

    async def expire(self) -> int:
        """Let everything that is due happen; says how many instances that was."""
        ...
