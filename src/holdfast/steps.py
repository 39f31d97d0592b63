"""What a node handler is: the hands of the process. Where a token goes is decided elsewhere; a handler only does.

The core asks for something by an `Effect`; a handler answers it. It is called inside the transaction of the advance,
after the receipt and the row of its step are written (WF-14), so either everything stands or nothing does. A handler
must therefore do nothing that cannot be undone: it may write to Postgres through `ask.tx`, and whatever leaves the
database is enqueued, never sent (WF-10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol
from uuid import UUID

from holdfast.envelope.compiled import CompiledNode
from holdfast.envelope.tokens import Effect, Facts, StepRecord
from holdfast.postgres.tenant import TenantTx

__all__ = [
    "Answer",
    "Ask",
    "DocumentRef",
    "InstanceRef",
    "NodeHandler",
    "NotHere",
    "Reply",
    "StepObserver",
    "StepsWritten",
    "Waiting",
]


@dataclass(frozen=True, slots=True)
class InstanceRef:
    """The instance a step belongs to."""

    id: UUID
    entity_type: str
    document_id: UUID | None
    definition_id: UUID
    definition_version: int
    compiled_hash: str
    created_by: str


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """The document as it was when the step was opened. An automation has one without a row of its own."""

    entity_type: str
    document_id: UUID | None
    entity_version: int
    content_hash: str | None = None
    version_id: UUID | None = None
    doc_status: str | None = None
    created_by: str | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing to do for one step. `tx` acts as the node's `run_as` says.

    For example:

        async def check_stock(ask: Ask) -> Answer:
            amount = ask.facts.entity["amount"]
            return Answer("completed" if amount < 100 else "refused")
    """

    tx: TenantTx
    instance: InstanceRef
    document: DocumentRef
    node: CompiledNode
    step_id: UUID
    step: StepRecord
    effect: Effect
    facts: Facts
    trace_id: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The step ends now. `entity_version` is given when the handler changed the document.

    For example:

        @app.node("check_stock", config=CheckStock)
        async def check_stock(ask: Ask) -> Answer:
            return Answer(result={"left": 3})
    """

    outcome: str = "completed"
    result: Any = None
    error: Mapping[str, Any] | None = None
    reason: str | None = None
    entity_version: int | None = None

    @classmethod
    def failed(cls, code: str, message: str, **more: Any) -> Answer:
        """The step ended with the outcome `error`."""
        return cls("error", error={"code": code, "message": message, **more})


@dataclass(frozen=True, slots=True)
class Waiting:
    """The step stays open; somebody settles it later. `approval_request_id` is kept with the step.

    For example:

        async def sign(ask: Ask) -> Waiting:
            await ask.tx.run(...)  # tell somebody, who settles the step later
            return Waiting()
    """

    approval_request_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class NotHere:
    """This program has no code for it. The step stays open, and a worker whose code knows `needs` takes it up."""

    needs: str
    """What must be known: `action:‹name›`, `rule:‹name›`, or the kind of effect, such as `custom:‹node type›`."""

    LIMIT: ClassVar[int] = 300
    """Names are told apart by so many characters."""


Reply = Answer | Waiting | NotHere


class NodeHandler(Protocol):
    """Does what effects of some kinds ask for. All asks of a call are of one tenant and one transaction."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of effects it takes: `action`, `approval`, …; `custom:‹node type›` for a type of the user's own."""
        ...

    async def perform(self, asks: Sequence[Ask]) -> Sequence[Reply]:
        """One reply for each ask, in their order. An exception undoes the whole advance."""
        ...


@dataclass(frozen=True, slots=True)
class StepsWritten:
    """Steps of one instance that were written, in their order."""

    instance: InstanceRef
    document: DocumentRef
    records: Sequence[StepRecord]


class StepObserver(Protocol):
    """Is told of steps that were written, in the same transaction; what it raises undoes the advance."""

    def wants(self, record: StepRecord) -> bool:
        """Whether it has anything to do with this record; called for every one, so it must be quick."""
        ...

    async def steps_written(self, tx: TenantTx, written: Sequence[StepsWritten]) -> None:
        """The records it wanted, of every instance that went on in this transaction, in their order."""
        ...
