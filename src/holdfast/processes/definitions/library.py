"""The library: compiled workflows as the engine runs them, verified when they are read and kept for a while.

A workflow is handed out only when it is what was published: the hash is recomputed, the stored hash and the skeleton
it was compiled from must agree with it, and the compiler must be this one (WF-07). Published rows never change, so a
cached workflow stays right; it is read again after a few minutes all the same, to notice a database that was tampered
with.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from holdfast.documents.contracts import Contracts
from holdfast.envelope import (
    CURRENT_COMPILER_VERSION,
    STANDARD,
    CompiledWorkflow,
    Contract,
    Machine,
    NodeTypes,
    Skeleton,
    automation_skeleton,
    generate_skeleton,
    verify,
)
from holdfast.errors import CompileError, CompilerStale, DefinitionTampered, NotFound
from holdfast.kernel.json import parse_json
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.definitions.surroundings import ApplicationCode

__all__ = ["Library", "Loaded", "read_skeleton"]

_SQL = queries("definitions")
_KEPT_SECONDS: Final = 300.0
_KEPT: Final = 500


@dataclass(frozen=True, slots=True)
class Loaded:
    """A compiled workflow that may be run, and the machine that runs it."""

    definition_id: UUID
    version: int
    entity_type: str
    automation: bool
    contract_version: int
    compiled_hash: str
    workflow: CompiledWorkflow
    machine: Machine
    skeleton: Skeleton


class Library:
    """Compiled workflows of every tenant, by definition and version; one for each application."""

    def __init__(
        self,
        contracts: Contracts,
        types: Callable[[], NodeTypes] = lambda: STANDARD,
        *,
        code: ApplicationCode | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.contracts = contracts
        self.types = types
        self.code = code
        self._clock = clock
        self._kept: OrderedDict[tuple[UUID, UUID, int], tuple[float, Loaded]] = OrderedDict()

    async def load(
        self, tx: TenantTx, definition_id: UUID, version: int, *, compiled_hash: str | None = None
    ) -> Loaded:
        """The workflow an instance is pinned to. With `compiled_hash`, it must be that very one."""
        key = (tx.tenant.id, definition_id, version)
        kept = self._kept.get(key)
        if kept is not None and self._clock() - kept[0] < _KEPT_SECONDS:
            found = kept[1]
        else:
            found = await self._read(tx, definition_id, version)
            self._kept[key] = (self._clock(), found)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        if compiled_hash is not None and compiled_hash != found.compiled_hash:
            raise DefinitionTampered(
                f"the instance was started with another version {version} of {found.entity_type}",
                hint="the database was changed by hand; compare with a backup",
                expected=compiled_hash,
                found=found.compiled_hash,
            )
        return found

    async def effective(self, tx: TenantTx, entity_type: str) -> Loaded:
        """The workflow that a new instance follows."""
        row = await tx.row(_SQL["published"], entity_type=entity_type)
        if row is None or row["source_definition_id"] is None:
            # Nothing of the organisation's own: the newest skeleton is in force, once it is installed.
            if self.contracts.declared(entity_type) is not None:
                await self.contracts.current(tx, entity_type)
                row = await tx.row(_SQL["published"], entity_type=entity_type)
            if row is None:
                raise NotFound(
                    f"no workflow is published for {entity_type!r}",
                    hint="register a contract, or publish a definition",
                    entity_type=entity_type,
                )
        return await self.load(tx, row["id"], row["version"])

    def forget(self) -> None:
        """Read everything anew."""
        self._kept.clear()

    async def _read(self, tx: TenantTx, definition_id: UUID, version: int) -> Loaded:
        row = await tx.row(_SQL["compiled"], id=definition_id)
        if row is None or row["version"] != version:
            raise NotFound(
                f"there is no compiled definition {definition_id} of version {version}",
                hint="only what is published and compiled can be run",
                definition=str(definition_id),
            )
        if row["compiler_version"] != CURRENT_COMPILER_VERSION:
            raise CompilerStale(
                f"version {version} of {row['entity_type']} was compiled by compiler {row['compiler_version']}, "
                f"this is {CURRENT_COMPILER_VERSION}",
                hint=f"an administrator runs `holdfast definitions recompile {row['entity_type']}`",
                entity_type=row["entity_type"],
            )
        envelope = await tx.row(_SQL["envelope"], entity_type=row["entity_type"], version=row["envelope_version"])
        if envelope is None:
            raise DefinitionTampered(
                f"the skeleton under version {version} of {row['entity_type']} is missing",
                hint="restore it from a backup",
            )
        skeleton = read_skeleton(envelope)
        workflow = self._verified(row, skeleton)
        return Loaded(
            definition_id,
            version,
            row["entity_type"],
            row["automation"],
            row["envelope_version"],
            workflow.hash,
            workflow,
            Machine(workflow, skeleton.scope()),
            skeleton,
        )

    def _verified(self, row: Mapping[str, Any], skeleton: Skeleton) -> CompiledWorkflow:
        what = f"version {row['version']} of {row['entity_type']}"
        try:
            workflow = CompiledWorkflow.from_json(row["compiled"])
        except CompileError as error:
            raise DefinitionTampered(
                f"{what} cannot be read: {error.message}", hint="restore it from a backup"
            ) from None
        checked = verify(workflow, skeleton, types=self.types())
        if not checked.genuine or row["compiled_hash"] != checked.computed_hash:
            raise DefinitionTampered(
                f"{what} is not what was published",
                hint="nothing is run from it; restore it from a backup, or publish it again",
                expected=row["compiled_hash"],
                found=checked.computed_hash,
                differences=list(checked.differences),
            )
        if not checked.current:
            raise CompilerStale(
                f"{what} was compiled by compiler {workflow.compiler_version}, this is {CURRENT_COMPILER_VERSION}",
                hint=f"an administrator runs `holdfast definitions recompile {row['entity_type']}`",
                entity_type=row["entity_type"],
            )
        return workflow


def read_skeleton(envelope: Mapping[str, Any]) -> Skeleton:
    """The skeleton of an envelope row, generated again from its source."""
    if not envelope["automation"]:
        return generate_skeleton(Contract.from_json(envelope["contract"]))
    schemas = parse_json(envelope["contract"])
    return automation_skeleton(envelope["entity_type"], version=envelope["version"], **schemas)
