"""What a store of processes can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Protocol
from unicodedata import normalize
from uuid import UUID

from holdfast.errors import InvalidInput
from holdfast.kernel.json import check_json
from holdfast.kernel.names import check_text
from holdfast.kernel.page import Page
from holdfast.processes.model import Happened, Instance

__all__ = ["StoredEvent", "WorkflowStore", "check_remark"]

_OWN = ("instance.", "approval.", "task.", "document.", "effect.", "session.", "run.", "data.", "audit.")


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
        """Add a remark of your own to what happened to an instance: a name, and an object of values.

        Names that begin like those of holdfast's own events (`instance.`, `approval.` …) are refused: nobody can tell
        of what did not happen.
        """
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
    ) -> Page[Instance]:
        """Instances under way, newest first."""
        ...

    async def find_expired(self, *, limit: int = 100) -> Sequence[Instance]:
        """Instances with a timer or a timeout that is due, the longest due first."""
        ...

    async def expire(self) -> int:
        """Let everything that is due happen; says how many instances that was."""
        ...


def check_remark(event: str, data: Any) -> None:
    """Raise `InvalidInput` for what no store appends to the events of an instance."""
    check_text("event", event, maximum=128)
    # Nor like one at first sight: whoever reads the trail sees letters, not code points.
    if normalize("NFKC", event).strip().casefold().startswith(_OWN):
        raise InvalidInput(
            f"the event {event!r} is called like one of holdfast's own", hint="choose another name", field="event"
        )
    if data is not None and not isinstance(data, Mapping):
        raise InvalidInput(f"data is a {type(data).__name__}", hint="give an object of values", field="data")
    check_json("data", data)
    if _holds_a_date(data):
        # It would come back as a text: a remark is kept as it was given, or not at all.
        raise InvalidInput("data holds a date", hint="give it as text, as isoformat() writes it", field="data")


def _holds_a_date(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(_holds_a_date(each) for each in value.values())
    if isinstance(value, list | tuple):
        return any(_holds_a_date(each) for each in value)
    return isinstance(value, date)
