"""Replays: past documents with what became of them, read in batches, and played again without a database.

A document's past is its latest process, under the workflow that it followed. Its two ways are compared by the pure
`envelope.what_if`; this is the shell that reads for it and puts what it says into groups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from holdfast.documents import Access
from holdfast.documents.facts import org_facts
from holdfast.documents.model import document_from_row
from holdfast.envelope import CompiledWorkflow, PastDocument, what_if
from holdfast.envelope.expressions import Scope
from holdfast.envelope.whatif import Parting, Replay, Route
from holdfast.errors import HoldfastError, InvalidInput
from holdfast.kernel.json import canonical_json, dump, parse_json
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.actors import Actors
from holdfast.processes.cases import actor_facts
from holdfast.processes.definitions.library import Library
from holdfast.processes.definitions.shelf import Shelf, shaped
from holdfast.processes.rows import history_of

__all__ = ["Batch", "DocumentReplay", "Replaying", "narrowing"]

_SQL = queries("definitions")
_NARROWS = frozenset({"doc_status", "created_after", "created_before", "fields"})


@dataclass(frozen=True, slots=True)
class DocumentReplay:
    """One document under both workflows. `error` says why it could not be replayed; then nothing else is known."""

    document_id: UUID
    changed: bool
    before: Route | None = None
    after: Route | None = None
    parting: Parting | None = None
    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    conditions_before: tuple[str, ...] = ()
    conditions_after: tuple[str, ...] = ()
    error: str | None = None

    def group(self) -> tuple[str, dict[str, Any]]:
        """The group it belongs to, and what all of that group have in common."""
        shared: dict[str, Any]
        if self.error is not None:
            shared = {"kind": "unplayable", "error": self.error}
        elif self.parting is not None:
            shared = {
                "kind": "parting",
                "node": self.parting.node,
                "before": list(self.parting.before),
                "after": list(self.parting.after),
                "conditions_before": list(self.conditions_before),
                "conditions_after": list(self.conditions_after),
            }
        else:
            # The same steps as far as both go: one comes further, or ends otherwise.
            assert self.before is not None
            assert self.after is not None
            shared = {"kind": "ending", "before": _ending(self.before), "after": _ending(self.after)}
            shared |= {"added": list(self.added), "dropped": list(self.dropped)}
        key = sha256(canonical_json(shared)).hexdigest()[:16]
        return key, {**shared, "example": self.why()}

    def why(self) -> dict[str, Any]:
        """What is told of it in its group: the reasons, with its own values."""
        told: dict[str, Any] = {"added": list(self.added), "dropped": list(self.dropped)}
        if self.parting is not None:
            told |= {"before": list(self.parting.before_because), "after": list(self.parting.after_because)}
        return told


@dataclass(frozen=True, slots=True)
class Batch:
    """Some documents with their past, ready to be replayed on any thread."""

    draft: CompiledWorkflow
    scope: Scope
    assume: Mapping[str, str]
    documents: Sequence[tuple[UUID, CompiledWorkflow, PastDocument]]
    unreadable: Sequence[DocumentReplay] = field(default_factory=tuple)

    @property
    def last(self) -> UUID | None:
        """The oldest of them."""
        ids = [*(each[0] for each in self.documents), *(each.document_id for each in self.unreadable)]
        return min(ids, default=None)

    def replay(self) -> list[DocumentReplay]:
        """Each of them under both workflows."""
        found = list(self.unreadable)
        by_workflow: dict[str, tuple[CompiledWorkflow, list[tuple[UUID, PastDocument]]]] = {}
        for document_id, before, past in self.documents:
            by_workflow.setdefault(before.hash, (before, []))[1].append((document_id, past))
        for before, some in by_workflow.values():
            try:
                report = what_if(before, self.draft, [each for _, each in some], scope=self.scope, assume=self.assume)
                found += [
                    self._compared(each[0], before, replay) for each, replay in zip(some, report.replays, strict=True)
                ]
            except (HoldfastError, KeyError):
                found += [self._alone(document_id, before, past) for document_id, past in some]
        return found

    def _alone(self, document_id: UUID, before: CompiledWorkflow, past: PastDocument) -> DocumentReplay:
        try:
            [replay] = what_if(before, self.draft, [past], scope=self.scope, assume=self.assume).replays
        except (HoldfastError, KeyError) as error:
            return DocumentReplay(document_id, True, error=str(getattr(error, "message", error))[:300])
        return self._compared(document_id, before, replay)

    def _compared(self, document_id: UUID, before: CompiledWorkflow, replay: Replay) -> DocumentReplay:
        parting = replay.parting
        return DocumentReplay(
            document_id,
            replay.changed,
            replay.before,
            replay.after,
            parting,
            replay.added,
            replay.dropped,
            _conditions(before, parting.node, parting.before) if parting is not None else (),
            _conditions(self.draft, parting.node, parting.after) if parting is not None else (),
        )


@dataclass(frozen=True, slots=True)
class Replaying:
    """What all documents of one what-if are replayed with."""

    library: Library
    entity_type: str
    draft: CompiledWorkflow
    scope: Scope
    assume: Mapping[str, str]
    before: CompiledWorkflow
    """The workflow in force, for documents that never had a process."""

    @classmethod
    async def of(cls, tx: TenantTx, library: Library, shelf: Shelf, asked: Mapping[str, Any]) -> Replaying:
        """Compile what was asked for. Raises `CompileError` when the draft does not."""
        skeleton = await shelf.skeleton(asked["entity_type"], asked["base_version"])
        patches = shaped(asked["entity_type"], asked["base_version"], parse_json(asked["patches"]))
        draft = await shelf.compile(skeleton, patches)
        before = await shelf.read(asked["before_id"])
        loaded = await library.load(tx, before.id, before.version)
        assume = parse_json(asked["assume"])
        return cls(library, asked["entity_type"], draft, skeleton.scope(), assume, loaded.workflow)

    async def batch(
        self,
        tx: TenantTx,
        narrowed: Mapping[str, Any],
        *,
        before: UUID | None,
        limit: int,
        only: UUID | None = None,
    ) -> Batch:
        """The next documents, older than `before`."""
        rows = await tx.rows(
            _SQL["what_if_documents_to_replay"],
            entity_type=self.entity_type,
            before=before,
            limit=limit,
            only=only,
            **narrowing(narrowed),
        )
        access = Access(tx, self.library.contracts)
        contents = {each.id: each.data for each in await access.filled([document_from_row(row) for row in rows])}
        instances = [row["instance_id"] for row in rows if row["instance_id"] is not None]
        steps: dict[UUID, list[Mapping[str, Any]]] = {}
        for step in await tx.rows(_SQL["histories"], ids=instances):
            steps.setdefault(step["instance_id"], []).append(step)
        versions: dict[UUID, dict[int, Mapping[str, Any]]] = {}
        edited = [row["id"] for row in rows if row["entity_version"] > 1]
        for version in await tx.rows(_SQL["versions_to_replay"], ids=edited) if edited else ():
            versions.setdefault(version["document_id"], {})[version["version"]] = parse_json(version["data"])
        documents: list[tuple[UUID, CompiledWorkflow, PastDocument]] = []
        unreadable: list[DocumentReplay] = []
        org, people = org_facts(tx.tenant), await self._people(tx, steps)
        for row in rows:
            try:
                past = await self._followed(tx, row)
            except HoldfastError as error:
                unreadable.append(DocumentReplay(row["id"], True, error=error.message[:300]))
                continue
            history = history_of(steps.get(row["instance_id"], ()))
            of = versions.get(row["id"], {})
            replay = PastDocument(str(row["id"]), contents[row["id"]], history, org, versions=of, people=people)
            documents.append((row["id"], past, replay))
        return Batch(self.draft, self.scope, self.assume, documents, unreadable)

    async def _people(
        self, tx: TenantTx, steps: Mapping[UUID, Sequence[Mapping[str, Any]]]
    ) -> Mapping[str, Mapping[str, Any]]:
        """Those who acted, as they are now; what expressions read of them then is in the steps."""
        named = {row[name] for rows in steps.values() for row in rows for name in ("actor_user_id", "settled_by")}
        actors, told = Actors(tx), [{"kind": "user", "name": name} for name in sorted(named - {None})]
        await actors.load(told)
        return {each["name"]: actor_facts(actors.known(each)) for each in told}

    async def _followed(self, tx: TenantTx, row: Mapping[str, Any]) -> CompiledWorkflow:
        if row["instance_id"] is None:
            return self.before
        return (await self.library.load(tx, row["definition_id"], row["definition_version"])).workflow


def narrowing(given: Mapping[str, Any]) -> dict[str, Any]:
    """Which documents, as a query takes it; refuses what it does not know."""
    unknown = set(given) - _NARROWS
    if unknown:
        hint = f"known are {', '.join(sorted(_NARROWS))}"
        raise InvalidInput(f"documents cannot be narrowed by {min(unknown)!r}", hint=hint, field="narrowed")
    found: dict[str, Any] = dict.fromkeys(_NARROWS)
    found |= {name: value for name, value in given.items() if value is not None}
    for name in ("created_after", "created_before"):
        if isinstance(found[name], str):
            try:
                found[name] = datetime.fromisoformat(found[name])
            except ValueError:
                raise InvalidInput(f"{name} is not a moment", hint="such as 2026-01-31T00:00:00Z", field=name) from None
        if found[name] is not None and found[name].tzinfo is None:
            raise InvalidInput(f"{name} has no time zone", hint="such as 2026-01-31T00:00:00Z", field=name)
    if found["fields"] is not None:
        if not isinstance(found["fields"], Mapping):
            raise InvalidInput("fields is not an object", hint='such as {"customer": "acme"}', field="fields")
        found["fields"] = dump(dict(found["fields"]))
    return found


def _conditions(workflow: CompiledWorkflow, node: str, targets: Sequence[str]) -> tuple[str, ...]:
    """The conditions of the edges that lead from a node to these targets."""
    edges = workflow.outgoing(node) if node in workflow.nodes_by_id else ()
    return tuple(edge.condition for edge in edges if edge.target in targets and edge.condition is not None)


def _ending(route: Route) -> dict[str, Any]:
    told = asdict(route)
    told.pop("steps")
    return {**told, "resting_at": list(route.resting_at)}
