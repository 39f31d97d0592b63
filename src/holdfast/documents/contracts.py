"""Contracts of document types: registered by the vendor's code, kept in each tenant, never changed afterwards.

`app.contracts.add(contract)` says that a type exists. The first time a tenant uses it, its skeleton is stored there,
and the bare skeleton is compiled and published, so that every document type has a workflow. A contract with a higher
version takes over for new documents unless the organisation has published patches of its own: those decide, by being
rebased, when they move on. Documents keep following the version they were made with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from holdfast.audit import record
from holdfast.documents.model import Right
from holdfast.documents.policy import Policy, declared_policy
from holdfast.documents.ports import DocumentStore
from holdfast.envelope import CompiledWorkflow, Contract, Skeleton, compile_effective, generate_skeleton
from holdfast.errors import InvalidInput, NotFound
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import canonical_json
from holdfast.kernel.names import did_you_mean
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["Contracts", "DocumentType", "Published", "lock_definitions", "publish_effective", "store_envelope"]

_SQL = queries("definitions")
_REMEMBERED: Final = 1000


@dataclass(frozen=True, slots=True)
class DocumentType:
    """A document type as the vendor's code declares it."""

    contract: Contract
    store: DocumentStore | None = None
    policy: Policy = field(default_factory=Policy)
    """What the vendor asks of those who read or change such documents."""


@dataclass(frozen=True, slots=True)
class Published:
    """A workflow that has just been published."""

    definition_id: UUID
    version: int
    compiled: CompiledWorkflow


class Contracts:
    """The document types of an application, `app.contracts`."""

    def __init__(self) -> None:
        self._types: dict[str, DocumentType] = {}
        # Stored contracts never change, so what was read once stays true; unless this very transaction stored it, which
        # may still be undone: what a connection installed is not remembered from that connection.
        self._stored: dict[tuple[UUID, str, int], Contract] = {}
        self._installed: set[tuple[int, UUID, str, int]] = set()
        self._compared: set[tuple[UUID, str, int]] = set()

    def add(
        self,
        contract: Contract,
        *,
        store: DocumentStore | None = None,
        allowed: Mapping[Right, Iterable[str] | Mapping[str, Iterable[str]]] | None = None,
        readable: str | None = None,
        masked: Mapping[str, Iterable[str]] | None = None,
        involved: bool = True,
    ) -> Contract:
        """Declare a document type. `store` keeps its content in a table of your own.

        `allowed` names, for reading and for some of the operations, the roles that may; for an operation on a document
        there is, also by the state it is in. `readable` is a condition over `entity` and `actor` for each document.
        `masked` names fields that only some roles see. Whoever made a document or is asked about it may read it in
        spite of `allowed` and `readable`, unless `involved` is false.
        """
        known = self._types.get(contract.entity_type)
        if known is not None:
            contract.check_succession(known.contract)
        asked: dict[str, Any] = {name: roles for name, roles in (allowed or {}).items()}  # noqa: C416 - its keys are text
        asked |= {"readable": readable, "masked": masked, "involved": involved}
        policy = declared_policy(asked, contract, field="allowed")
        self._types[contract.entity_type] = DocumentType(contract, store, policy)
        return contract

    def declared(self, entity_type: str) -> DocumentType | None:
        """The type as declared in this process; None when only the database knows it."""
        return self._types.get(entity_type)

    def __iter__(self) -> Iterator[DocumentType]:
        return iter(self._types.values())

    async def current(self, tx: TenantTx, entity_type: str) -> Contract:
        """The contract that a new document follows; installs the declared one where the tenant does not have it yet."""
        row = await tx.row(_SQL["current_contract"], entity_type=entity_type)
        assert row is not None
        declared = self._types.get(entity_type)
        if declared is not None and (row["newest"] or 0) < declared.contract.version:
            await self.install(tx, declared.contract)
            row = await tx.row(_SQL["current_contract"], entity_type=entity_type)
            assert row is not None
        elif declared is not None:
            await self._compare(tx, declared.contract, row["newest"])
        version = row["followed"] or row["newest"]
        if version is None:
            raise NotFound(
                f"there is no document type {entity_type!r}",
                hint=did_you_mean(entity_type, self._types) or "register its contract first",
                entity_type=entity_type,
            )
        return await self.at(tx, entity_type, version)

    async def at(self, tx: TenantTx, entity_type: str, version: int | None = None) -> Contract:
        """The contract of one version; without one, the newest that the tenant has."""
        if version is not None:
            known = self._stored.get((tx.tenant.id, entity_type, version))
            if known is not None:
                return known
        row = await tx.row(_SQL["envelope"], entity_type=entity_type, version=version)
        if row is None or row["automation"]:
            which = f"version {version} of " if version is not None else ""
            raise NotFound(f"there is no {which}the document type {entity_type!r}", entity_type=entity_type)
        contract = Contract.from_json(row["contract"])
        if (id(tx.connection), tx.tenant.id, entity_type, contract.version) not in self._installed:
            if len(self._stored) >= _REMEMBERED:
                self._stored.clear()
            self._stored[tx.tenant.id, entity_type, contract.version] = contract
        return contract

    async def of_document(self, tx: TenantTx, entity_type: str, document_id: UUID) -> Contract:
        """The contract that a document follows."""
        row = await tx.row(queries("documents")["contract_of_document"], id=document_id, entity_type=entity_type)
        if row is None:
            raise NotFound(f"there is no {entity_type} {document_id}", document=str(document_id))
        return await self.at(tx, entity_type, row["contract_version"])

    async def install(self, tx: TenantTx, contract: Contract) -> bool:
        """Store a contract's skeleton in the tenant, and publish it bare where no patches stand."""
        await lock_definitions(tx, contract.entity_type)
        row = await tx.row(_SQL["envelope"], entity_type=contract.entity_type, version=None)
        if row is not None:
            if row["automation"]:
                raise InvalidInput(
                    f"{contract.entity_type!r} is the name of an automation",
                    hint="give the document type another name",
                    field="entity_type",
                )
            stored = Contract.from_json(row["contract"])
            if stored.version > contract.version:
                return False  # A newer release was here; this one is on its way out.
            contract.check_succession(stored)
            if stored.version == contract.version:
                return False
        self._installed.add((id(tx.connection), tx.tenant.id, contract.entity_type, contract.version))
        skeleton = generate_skeleton(contract)
        envelope_id = await store_envelope(tx, skeleton, contract.to_json(), contract.title)
        await record(
            tx,
            "definition",
            envelope_id,
            "contract.registered",
            {"entity_type": contract.entity_type, "version": contract.version, "fingerprint": contract.fingerprint},
        )
        published = await tx.row(_SQL["published"], entity_type=contract.entity_type)
        if published is None or published["source_definition_id"] is None:
            await publish_effective(tx, skeleton, compile_effective(skeleton, {}), note="the skeleton alone")
        return True

    async def _compare(self, tx: TenantTx, declared: Contract, newest: int) -> None:
        """Changed without a higher version, a contract would mean something else here than in the database."""
        key = (tx.tenant.id, declared.entity_type, declared.version)
        if newest == declared.version and key not in self._compared:
            declared.check_succession(await self.at(tx, declared.entity_type, newest))
            if (id(tx.connection), *key) not in self._installed:
                self._compared.add(key)


async def lock_definitions(tx: TenantTx, entity_type: str) -> None:
    """Until the transaction ends, nobody else installs or publishes anything for this type."""
    await tx.run(_SQL["lock_definitions"], entity_type=entity_type)


async def store_envelope(
    tx: TenantTx, skeleton: Skeleton, source: bytes, title: str | None, *, automation: bool = False
) -> UUID:
    """Write the row of a skeleton; the caller holds the lock."""
    envelope_id = uuid7()
    parts = skeleton.model_dump()
    await tx.run(
        _SQL["insert_envelope"],
        id=envelope_id,
        entity_type=skeleton.entity_type,
        version=skeleton.version,
        name=title or skeleton.entity_type,
        automation=automation,
        contract=source.decode(),
        nodes=_json(parts["nodes"]),
        edges=_json(parts["edges"]),
        slots=_json(parts["slots"]),
        actor=str(tx.actor),
    )
    return envelope_id


async def publish_effective(
    tx: TenantTx,
    skeleton: Skeleton,
    compiled: CompiledWorkflow,
    *,
    source: UUID | None = None,
    name: str | None = None,
    note: str = "",
    automation: bool = False,
) -> Published:
    """Freeze a compiled workflow as the one that new instances follow; the caller holds the lock."""
    definition_id = uuid7()
    entity_type = skeleton.entity_type
    await tx.run(_SQL["archive_published"], entity_type=entity_type, keep=source)
    row = await tx.row(_SQL["next_version"], entity_type=entity_type, definition_kind="effective")
    assert row is not None
    content = compiled.content()
    await tx.run(
        _SQL["insert_effective"],
        id=definition_id,
        entity_type=entity_type,
        version=row["version"],
        name=name or entity_type,
        note=note,
        automation=automation,
        base_ref=_json({"entity_type": entity_type, "envelope_version": skeleton.version}),
        nodes=_json([content["nodes_by_id"][key] for key in sorted(content["nodes_by_id"])]),
        edges=_json([content["edges_by_id"][key] for key in sorted(content["edges_by_id"])]),
        compiled=compiled.to_json().decode(),
        compiled_hash=compiled.hash,
        compiler_version=compiled.compiler_version,
        source=source,
        actor=str(tx.actor),
    )
    await record(
        tx,
        "definition",
        definition_id,
        "definition.published",
        {
            "entity_type": entity_type,
            "version": row["version"],
            "envelope_version": skeleton.version,
            "compiled_hash": compiled.hash,
            "source": str(source) if source else None,
        },
    )
    return Published(definition_id, row["version"], compiled)


def _json(value: Any) -> str:
    return canonical_json(value).decode()
