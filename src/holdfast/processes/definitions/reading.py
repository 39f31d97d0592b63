"""Reading the definitions of one tenant: contracts, drafts, workflows, what differs and what they compile to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from holdfast.documents.usage import Usable, Use, uses_of
from holdfast.envelope import (
    CURRENT_COMPILER_VERSION,
    CompiledWorkflow,
    Skeleton,
    WorkflowDiff,
    compile_effective,
    diff_from_skeleton,
    diff_workflows,
)
from holdfast.errors import InvalidInput
from holdfast.kernel.cursor import check_limit, decode_id_cursor, encode_cursor
from holdfast.kernel.json import parse_json
from holdfast.kernel.page import Page
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.definitions.canvas import Canvas
from holdfast.processes.definitions.figures import (
    MOST_COUNTED,
    EdgeFigures,
    NodeFigures,
    WorkflowFigures,
    WorkflowOverview,
)
from holdfast.processes.definitions.library import Library
from holdfast.processes.definitions.model import ContractInfo, Definition, DefinitionKind, definition_from_row
from holdfast.processes.definitions.shelf import Patches, Shelf, definition_of

__all__ = ["DefinitionReading"]

_SQL = queries("definitions")


class DefinitionReading:
    """What may be read of the definitions of one tenant, with `processes:read`."""

    def __init__(self, tx: TenantTx, library: Library) -> None:
        self._tx = tx
        self._library = library
        self._shelf = Shelf(tx, library)

    async def contract(self, entity_type: str, version: int | None = None) -> ContractInfo:
        """A contract of the tenant; the newest one without a version."""
        self._tx.require("processes:read")
        return _contract_info(await self._shelf.envelope(entity_type, version))

    async def skeleton(self, entity_type: str, version: int | None = None) -> Skeleton:
        """What a contract, or an automation, generates; of the newest version without one."""
        self._tx.require("processes:read")
        return await self._shelf.skeleton(entity_type, version)

    async def contracts(self, entity_type: str | None = None) -> list[ContractInfo]:
        """The contracts of the tenant, every version, the newest of each type first."""
        self._tx.require("processes:read")
        rows = await self._tx.rows(_SQL["envelopes"], entity_type=entity_type)
        return [_contract_info(row) for row in rows]

    async def stale(self) -> list[str]:
        """The document types of which another compiler made the published workflow, or one that instances follow."""
        self._tx.require("processes:read")
        rows = await self._tx.rows(_SQL["stale"], compiler_version=CURRENT_COMPILER_VERSION)
        return [row["entity_type"] for row in rows]

    async def get(self, definition_id: UUID) -> Definition:
        """One definition, with its patches."""
        self._tx.require("processes:read")
        return await self._shelf.read(definition_id)

    async def find(self, entity_type: str, version: int | None = None) -> Definition:
        """An effective workflow by version; without one, that which new instances follow."""
        self._tx.require("processes:read")
        if version is not None:
            return await self._shelf.version(entity_type, version)
        return await self._shelf.read((await self._library.effective(self._tx, entity_type)).definition_id)

    async def diff(self, before: UUID, after: UUID) -> WorkflowDiff:
        """What turns one effective workflow into another."""
        self._tx.require("processes:read")
        return diff_workflows(await self.compiled(before), await self.compiled(after))

    async def customisation(self, definition_id: UUID) -> WorkflowDiff:
        """What an organisation changed: an effective workflow, or a draft, beside its skeleton alone."""
        self._tx.require("processes:read")
        definition = await self._shelf.read(definition_id)
        skeleton = await self._shelf.skeleton(definition.entity_type, definition.base_version)
        return diff_from_skeleton(await self.compiled(definition_id), skeleton, types=self._library.types())

    async def changes(self, definition_id: UUID) -> WorkflowDiff:
        """What publishing a draft would change: the workflow in force beside the draft."""
        self._tx.require("processes:read")
        definition = await self._shelf.read(definition_id)
        published = await self._tx.row(_SQL["published"], entity_type=definition.entity_type)
        if published is None:
            return await self.customisation(definition_id)
        return diff_workflows(await self.compiled(published["id"]), await self.compiled(definition_id))

    async def canvas(self, definition_id: UUID) -> Canvas:
        """Hints for a canvas that shows a definition, whether or not it compiles."""
        self._tx.require("processes:read")
        found = await self._shelf.patches_of(definition_id)
        skeleton = await self._shelf.skeleton(found.entity_type, found.base_version)
        return await self._shelf.draw(skeleton, found.patches or {})

    async def canvas_of(self, entity_type: str, patches: Patches, *, base_version: int | None = None) -> Canvas:
        """The same for patches that are not stored anywhere."""
        self._tx.require("processes:read")
        skeleton = await self._shelf.skeleton(entity_type, base_version)
        return await self._shelf.draw(skeleton, patches)

    async def uses(self, kind: Usable, name: str) -> list[Use]:
        """The steps that name a chain, a rule, a secret, an action, a role …: what would break without it."""
        self._tx.require("processes:read")
        return await uses_of(self._tx, kind, name)

    async def playable(
        self,
        *,
        definition_id: UUID | None = None,
        entity_type: str | None = None,
        patches: Patches | None = None,
        base_version: int | None = None,
    ) -> tuple[CompiledWorkflow, Skeleton]:
        """The workflow to play with: of a definition, of patches, or else the one in force. It must compile."""
        self._tx.require("processes:read")
        if definition_id is not None:
            found = await self._shelf.read(definition_id)
            version = found.version if found.definition_kind == "envelope" else found.base_version
            return await self.compiled(definition_id), await self._shelf.skeleton(found.entity_type, version)
        if entity_type is None:
            raise InvalidInput("nothing is named to play with", hint="give definition_id or entity_type")
        if patches is not None:
            skeleton = await self._shelf.skeleton(entity_type, base_version)
            return await self._shelf.compile(skeleton, patches), skeleton
        loaded = await self._library.effective(self._tx, entity_type)
        return loaded.workflow, loaded.skeleton

    async def compiled(self, definition_id: UUID) -> CompiledWorkflow:
        """The workflow of a definition: as it runs when it is effective, as it would be when it is a draft."""
        self._tx.require("processes:read")
        found = await self._shelf.read(definition_id)
        if found.definition_kind == "effective":
            return (await self._library.load(self._tx, found.id, found.version)).workflow
        if found.definition_kind == "org_patch":
            skeleton = await self._shelf.skeleton(found.entity_type, found.base_version)
            return await self._shelf.compile(skeleton, definition_of(found))
        skeleton = await self._shelf.skeleton(found.entity_type, found.version)
        return compile_effective(skeleton, {}, types=self._library.types())

    async def overview(self, *, automation: bool | None = None) -> list[WorkflowOverview]:
        """Every document type and automation with what is in force, what is drafted, and what is to be done."""
        self._tx.require("processes:read")
        rows = await self._tx.rows(_SQL["overview"], automation=automation, compiler_version=CURRENT_COMPILER_VERSION)
        return [WorkflowOverview(**row) for row in rows]

    async def figures(self, entity_type: str, *, days: int = 30, most: int = 1000) -> WorkflowFigures:
        """How the latest processes of a type went through its nodes: how often, how long, and where they stand."""
        self._tx.require("processes:read")
        if not 1 <= days <= 366 or not 1 <= most <= MOST_COUNTED:
            raise InvalidInput(
                f"days is {days} and most {most}", hint=f"give 1 to 366 days and 1 to {MOST_COUNTED} processes"
            )
        counted = await self._tx.row(_SQL["counted_instances"], entity_type=entity_type, days=days, most=most)
        assert counted is not None
        ids = counted["ids"]
        nodes = await self._tx.rows(_SQL["node_figures"], ids=ids)
        edges = await self._tx.rows(_SQL["edge_figures"], ids=ids)
        return WorkflowFigures(
            entity_type,
            len(ids),
            counted["since"],
            tuple(NodeFigures(**row) for row in nodes),
            tuple(EdgeFigures(**row) for row in edges),
        )

    async def list(
        self,
        *,
        entity_type: str | None = None,
        kind: DefinitionKind | None = None,
        status: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Definition]:
        """Definitions, newest first, without their patches."""
        self._tx.require("processes:read")
        check_limit(limit)
        query = {"list": "definitions", "entity_type": entity_type, "kind": kind, "status": status}
        before = decode_id_cursor(query, cursor)
        rows = await self._tx.rows(
            _SQL["definitions"],
            entity_type=entity_type,
            definition_kind=kind,
            status=status,
            before=before,
            limit=limit + 1,
        )
        items = [definition_from_row(row) for row in rows[:limit]]
        return Page(items, encode_cursor(query, [str(items[-1].id)]) if len(rows) > limit else None)


def _contract_info(row: Mapping[str, Any]) -> ContractInfo:
    return ContractInfo(**{**row, "contract": parse_json(row["contract"])})
