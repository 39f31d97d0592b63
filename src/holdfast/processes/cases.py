"""A case: one instance being advanced in a transaction, with everything the advance needs to know.

Opening a case takes the instance's lock and reads it, its document and its definition. A case then collects what the
core decides; `writing` puts it into the tables.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from holdfast.envelope.compiled import CompiledWorkflow
from holdfast.envelope.skeleton import Skeleton
from holdfast.envelope.tokens import Advance, Effect, Facts, Machine, Position, StepRecord
from holdfast.errors import InvalidInput, NotFound, ProjectionBehind
from holdfast.kernel.actor import Actor
from holdfast.kernel.json import decode
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx
from holdfast.processes.actors import Actors, is_process
from holdfast.processes.rejections import UNTOLD
from holdfast.processes.rows import Written, position_of
from holdfast.steps import DocumentRef, InstanceRef

__all__ = [
    "Case",
    "DefinitionSource",
    "Loaded",
    "Opened",
    "actor_facts",
    "case_of",
    "document_of",
    "facts_of",
    "no_such_instance",
    "open_cases",
    "read_subjects",
]

_SQL = queries("processes")


class Loaded(Protocol):
    """A definition that may be executed: compiled, verified, by the current compiler (WF-07)."""

    @property
    def definition_id(self) -> UUID: ...
    @property
    def version(self) -> int: ...
    @property
    def entity_type(self) -> str: ...
    @property
    def compiled_hash(self) -> str: ...
    @property
    def automation(self) -> bool: ...
    @property
    def workflow(self) -> CompiledWorkflow: ...
    @property
    def machine(self) -> Machine: ...
    @property
    def skeleton(self) -> Skeleton: ...


class DefinitionSource(Protocol):
    """Where compiled definitions come from."""

    async def load(
        self, tx: TenantTx, definition_id: UUID, version: int, *, compiled_hash: str | None = None
    ) -> Loaded: ...
    async def effective(self, tx: TenantTx, entity_type: str) -> Loaded: ...


@dataclass(slots=True)
class Case:
    """One instance under way in one transaction."""

    instance: InstanceRef
    loaded: Loaded
    position: Position
    document: DocumentRef
    entity: Mapping[str, Any]
    facts: Facts
    actor: Actor
    read_version: int | None
    """The version that was read; None for an instance that begins here."""
    starter: Actor | None = None
    """Who started it, with the rights they had then and still have; known where the process itself acts."""
    paused: bool = False
    ruled: bool = False
    """Whether rules of the organisation look at transitions of its document; known where somebody chooses one."""
    trace_id: str | None = None
    subject_id: str = ""
    partition_id: str = ""
    amended_from: UUID | None = None
    written: Written = field(default_factory=lambda: Written(Position("")))
    records: list[StepRecord] = field(default_factory=list)
    """What the core has decided and nobody has written yet."""
    effects: deque[Effect] = field(default_factory=deque)
    saved_records: list[StepRecord] = field(default_factory=list)
    """Everything written in this transaction."""
    kind: str = ""
    """What happened to it, for the audit trail."""
    changed: bool = False
    """Whether the projection is behind the position."""
    posted: list[Row] = field(default_factory=list)
    """What is left to workers, and nobody has written yet."""
    offered: set[str] = field(default_factory=set)
    """Tokens that came to a bound, for which a worker has been told to go on."""
    rejection: Any = UNTOLD
    """What the instance tells of decisions against its document from now on."""

    @property
    def acting(self) -> Actor:
        """As whom a step acts that runs as `actor`: who caused it or, where nobody did, who started the instance."""
        return self.starter if self.starter is not None and is_process(self.actor) else self.actor

    def take(self, done: Advance) -> None:
        """Keep what an advance led to."""
        if done.steps:
            self.position = done.position
            self.records.extend(done.steps)
            self.effects.extend(done.effects)
            self.changed = True

    def know(self, document: DocumentRef, entity: Mapping[str, Any]) -> None:
        """The document has become another while the process was working on it."""
        self.document = document
        self.entity = entity
        self.facts = replace(self.facts, entity=entity, entity_version=document.entity_version)


@dataclass(frozen=True, slots=True)
class Opened:
    """Cases by instance, the instances that do not exist, and the time."""

    cases: Mapping[UUID, Case]
    missing: frozenset[UUID]
    at: datetime


async def open_cases(
    tx: TenantTx,
    ids: Sequence[UUID],
    definitions: DefinitionSource,
    *,
    patience: bool = True,
    choosing: bool = False,
) -> Opened:
    """Lock instances and read them. Without patience, those that somebody else holds are left out.

    `choosing` is for a person who asks for a transition: a case then knows whether rules look at it.
    """
    statement = _SQL["open_instance_to_choose" if choosing else "open_instances"]
    rows = await tx.rows(statement, ids=list(ids), patience=patience)
    at = rows[0]["at"]
    cases: dict[UUID, Case] = {}
    missing: set[UUID] = set()
    for row in rows:
        if row["id"] is None:
            continue
        if row["status"] is None:
            missing.add(row["id"])
        else:
            cases[row["id"]] = await case_of(tx, row, definitions)
    if is_process(tx.actor):
        await _know_starters(tx, cases, {row["id"]: decode(row["party"]) for row in rows if row["id"] in cases})
    await read_subjects(tx, cases)
    return Opened(cases, frozenset(missing), at)


async def _know_starters(tx: TenantTx, cases: Mapping[UUID, Case], parties: Mapping[UUID, Any]) -> None:
    actors = Actors(tx)
    await actors.load(party for party in parties.values() if party is not None)
    for instance_id, party in parties.items():
        if party is not None:
            cases[instance_id].starter = actors.acting(party)


async def case_of(tx: TenantTx, row: Mapping[str, Any], definitions: DefinitionSource) -> Case:
    """The case of a row of `open_instances`, whose lock is held."""
    loaded = await definitions.load(
        tx, row["definition_id"], row["definition_version"], compiled_hash=row["compiled_hash"]
    )
    try:
        position = position_of(row["state"], row["active_tokens"], loaded.workflow)
    except InvalidInput as error:
        raise ProjectionBehind(
            f"where the instance {row['id']} stands cannot be read: {error.message}",
            hint="`repair.rebuild_projection` makes it anew from its steps; so does a worker with an event of it",
            instance=str(row["id"]),
        ) from None
    instance = InstanceRef(
        id=row["id"],
        entity_type=row["entity_type"],
        document_id=row["entity_id"],
        definition_id=row["definition_id"],
        definition_version=row["definition_version"],
        compiled_hash=row["compiled_hash"],
        created_by=row["created_by"],
    )
    document = DocumentRef(
        entity_type=row["entity_type"],
        document_id=row["entity_id"],
        entity_version=row["document_version"] or position.entity_version,
        content_hash=row["content_hash"],
        version_id=row["version_id"],
        doc_status=row["doc_status"],
        created_by=row["document_by"],
    )
    entity = decode(row["document"]) or {}
    return Case(
        instance=instance,
        loaded=loaded,
        position=position,
        document=document,
        entity=entity,
        facts=facts_of(tx, row["at"], tx.actor, entity, document.entity_version),
        actor=tx.actor,
        read_version=row["version"],
        paused=row["paused"],
        ruled=row.get("ruled", False),
        trace_id=row["trace_id"],
        written=Written(position),
        offered={token.id for token in position.tokens.values() if token.state == "ready"},
    )


def facts_of(tx: TenantTx, at: datetime, actor: Actor, entity: Mapping[str, Any], entity_version: int) -> Facts:
    """The facts of a moment in this transaction."""
    org = {"id": str(tx.tenant.id), "slug": tx.tenant.slug, "name": tx.tenant.name, **tx.tenant.settings}
    return Facts(at, entity, entity_version, actor_facts(actor), org)


def actor_facts(actor: Actor) -> dict[str, Any]:
    """An actor as expressions see it."""
    return {
        "user_id": actor.name,
        "name": actor.name,
        "roles": sorted(actor.roles),
        "permissions": sorted(actor.permissions) if actor.kind != "system" else [],
    }


def _subject(case: Case) -> UUID | None:
    """The document an automation was started for, if it was for one."""
    if case.instance.document_id is not None:
        return None
    payload = case.position.payload
    named = payload.get("entity_id") if isinstance(payload, Mapping) else None
    try:
        return UUID(named) if isinstance(named, str) else None
    except ValueError:
        return None


async def read_subjects(tx: TenantTx, cases: Mapping[UUID, Case]) -> None:
    """Let automations that were started for a document know it."""
    subjects = {case.instance.id: subject for case in cases.values() if (subject := _subject(case)) is not None}
    if not subjects:
        return
    rows = await tx.rows(_SQL["find_documents"], ids=list(subjects.values()))
    found = {row["id"]: row for row in rows}
    for instance, named in subjects.items():
        if named in found:
            case = cases[instance]
            # An automation is about what happened, not about a version: its document may change as it likes.
            document = replace(document_of(found[named]), entity_version=case.position.entity_version)
            case.know(document, decode(found[named]["data"]) or {})


def document_of(row: Mapping[str, Any]) -> DocumentRef:
    """A document from its row."""
    return DocumentRef(
        entity_type=row["entity_type"],
        document_id=row["id"],
        entity_version=row["entity_version"],
        content_hash=row["content_hash"],
        version_id=row["version_id"],
        doc_status=row["doc_status"],
        created_by=row["created_by"],
    )


def no_such_instance(instance_id: UUID) -> NotFound:
    """The one answer for an instance that is not there, or is another tenant's."""
    return NotFound(f"there is no process instance {instance_id}", instance=str(instance_id))
