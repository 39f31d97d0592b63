"""Sessions and what belongs to them, as everybody sees them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from holdfast.kernel.sealing import Sealing
from holdfast.postgres.tenant import Row

__all__ = [
    "DISCARD",
    "ERROR_TEXT",
    "EXECUTE",
    "EXPIRE",
    "RETAIN",
    "STATUSES",
    "ChannelChange",
    "Checkpoint",
    "Comparison",
    "DefinitionVersion",
    "Message",
    "MessageType",
    "Prompt",
    "SessionDefinition",
    "SessionInfo",
    "Source",
    "State",
    "Status",
    "Storage",
    "message_of",
    "thread_of",
]

Status = Literal["pending", "running", "completed", "failed", "waiting_for_input"]
STATUSES: tuple[Status, ...] = ("pending", "running", "completed", "failed", "waiting_for_input")

Source = Literal["code", "registry", "kubernetes"]

MessageType = Literal["system", "agent", "user", "error", "workflow_progress", "workflow_waiting_for_input"]

ERROR_TEXT = "error_text"
"""Under which name the whole text of an error is sealed; `error` holds its type then."""

EXECUTE = "session.execute.v1"
"""The type of the runs that execute sessions begins so; the name of the definition follows, after a dot."""

DISCARD = "session.discard.v1"
"""The type of the runs that delete outputs elsewhere, which no session names any more."""

EXPIRE = "session.expire.v1"
"""The type of the runs that end sessions whose time, or whose prompts' time, is over."""

RETAIN = "session.retain.v1"
"""The type of the runs that forget old checkpoints."""


def thread_of(project: str, session: str) -> str:
    """LangGraph's name for the thread of a session; Postgres builds the same."""
    return f"project-{project}:session-{session}"


@dataclass(frozen=True, slots=True)
class SessionDefinition:
    """A graph that sessions can be started of."""

    name: str
    revision: int
    display_name: str
    description: str
    container_image: str | None
    input_schema: dict[str, Any]
    version: str | None
    tags: list[str]
    concurrent_input: Literal["reject", "enqueue", "interrupt"]
    timeout_seconds: float | None
    source: Source
    phase: Literal["Active", "Deprecated", "Error"]
    phase_reason: str | None
    registered_at: datetime
    last_updated: datetime
    active_sessions: int


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A way from one node of a graph to another; a conditional one is taken when the graph decides so."""

    source: str
    target: str
    conditional: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """How a graph looks: its nodes in order, `__start__` and `__end__` among them, and the ways between them."""

    nodes: list[str]
    edges: list[GraphEdge]


@dataclass(frozen=True, slots=True)
class DefinitionVersion:
    """What a definition said in one of its revisions."""

    name: str
    revision: int
    spec: dict[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """One execution of a graph. Lists leave out input and output.

    For example:

        session: SessionInfo = await hold.sessions.get("ticket-7")
        print(session.status)
    """

    id: UUID
    project_name: str
    session_name: str
    workflow_name: str
    definition_revision: int
    status: Status
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    created_by: str
    error_message: str | None
    timeout_at: datetime | None
    run_id: UUID | None
    last_sequence: int
    forked_from: UUID | None
    forked_checkpoint: str | None
    output_reference: str | None = None
    """Where an output of 100 MB or more is; `output_data` is None then, and `hold.sessions.output` reads it."""

    output_hash: str | None = None
    output_size: int | None = None
    input_data: Any = None
    output_data: Any = None

    @property
    def finished(self) -> bool:
        """Whether nothing will change any more."""
        return self.status in ("completed", "failed")


@dataclass(frozen=True, slots=True)
class Message:
    """Something that happened in a session.

    For example:

        async for message in app.follow_session("acme", "ticket-7"):
            print(message.message_type, message.content)
    """

    id: UUID
    message_type: MessageType
    content: dict[str, Any]
    sequence_number: int
    timestamp: datetime


def message_of(row: Row, sealing: Sealing, tenant: UUID) -> Message:
    """A message of its row, with what is sealed in it opened."""
    content = sealing.open_parts(tenant, row["content"])
    if "response" in content:
        content = content | {"response": sealing.opened(tenant, content["response"])}
    if ERROR_TEXT in content and "$sealed" in row["content"]:
        content = {name: value for name, value in content.items() if name != ERROR_TEXT} | {
            "error": content[ERROR_TEXT]
        }
    return Message(**row | {"content": content})


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question that a graph asked; answered once, or not at all."""

    prompt_id: str
    status: Literal["open", "answered", "expired", "withdrawn"]
    content: dict[str, Any]
    response_schema: dict[str, Any] | None
    opened_at: datetime
    expires_at: datetime | None
    answer: Any
    answered_by: str | None
    closed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A state that was saved, in a list of them."""

    checkpoint_id: str
    parent_checkpoint_id: str | None
    created_at: datetime
    source: str | None
    step: int | None
    channels: list[str]


@dataclass(frozen=True, slots=True)
class State:
    """What a graph's channels held at a checkpoint, as JSON values."""

    checkpoint_id: str
    parent_checkpoint_id: str | None
    created_at: datetime
    metadata: dict[str, Any]
    values: dict[str, Any]
    pending: list[str] = field(default_factory=list)
    """Channels that finished tasks of the next step have written already."""

    next: list[str] = field(default_factory=list)
    """The nodes that come after it, as far as the checkpoint says so."""


@dataclass(frozen=True, slots=True)
class ChannelChange:
    """A channel whose value differs between two checkpoints; it may be missing in one of them."""

    channel: str
    change: Literal["added", "changed", "removed"]
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two checkpoints of a session."""

    checkpoint_id: str
    against: str | None
    """The earlier one; None when there is none."""
    changes: list[ChannelChange]


@dataclass(frozen=True, slots=True)
class Storage:
    """How many bytes a session takes, by what they are for."""

    checkpoints: int
    channels: int
    writes: int
    messages: int
    checkpoint_count: int

    @property
    def total(self) -> int:
        return self.checkpoints + self.channels + self.writes + self.messages
