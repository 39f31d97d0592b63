"""The shelf: rows of definitions as values, and the few ways to write them, below what people may do with them.

Nothing here asks for a permission; `Definitions` does, and calls this.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from holdfast.audit import record
from holdfast.documents.contracts import lock_definitions, publish_effective
from holdfast.effects import check_secret_use
from holdfast.envelope import (
    Analysis,
    CompiledWorkflow,
    OrgWorkflowDefinition,
    Skeleton,
    Surroundings,
    analyse,
    compile_effective,
)
from holdfast.errors import Conflict, InvalidInput, NotFound
from holdfast.kernel.aside import aside
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import canonical_json
from holdfast.kernel.names import check_text, is_storable
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.actors import check_run_as
from holdfast.processes.definitions.canvas import Canvas, draw_canvas
from holdfast.processes.definitions.library import Library, read_skeleton
from holdfast.processes.definitions.model import Definition, definition_from_row
from holdfast.processes.definitions.surroundings import read_surroundings

__all__ = ["Patches", "Shelf", "base_text", "checked_note", "definition_of", "patches_text", "shaped"]

_SQL = queries("definitions")
Patches = Mapping[str, Any]
_NOTE_LIMIT = 4000


class Shelf:
    """The definitions of one tenant, as they are stored."""

    def __init__(self, tx: TenantTx, library: Library) -> None:
        self._tx = tx
        self._library = library

    async def insert_draft(
        self,
        envelope: Mapping[str, Any],
        patches: Patches,
        *,
        name: str | None,
        note: str,
        held_back: Mapping[str, Any] | None = None,
    ) -> Definition:
        """Store a draft on a skeleton."""
        entity_type = envelope["entity_type"]
        written = shaped(entity_type, envelope["version"], patches)
        await lock_definitions(self._tx, entity_type)
        row = await self._tx.row(_SQL["next_version"], entity_type=entity_type, definition_kind="org_patch")
        assert row is not None
        definition_id = uuid7()
        await self._tx.run(
            _SQL["insert_draft"],
            id=definition_id,
            entity_type=entity_type,
            version=row["version"],
            name=check_text("name", name) if name is not None else entity_type,
            note=checked_note(note),
            automation=envelope["automation"],
            base_ref=base_text(entity_type, envelope["version"]),
            patches=patches_text(written),
            held_back=canonical_json(held_back).decode() if held_back else None,
            actor=str(self._tx.actor),
        )
        facts = {"entity_type": entity_type, "version": row["version"], "envelope_version": envelope["version"]}
        await record(self._tx, "definition", definition_id, "definition.drafted", facts)
        return await self.read(definition_id)

    async def read(self, definition_id: UUID) -> Definition:
        """One definition, with its patches."""
        row = await self._tx.row(_SQL["definition"], id=definition_id)
        if row is None:
            raise NotFound(f"there is no definition {definition_id}", definition=str(definition_id))
        return definition_from_row(row)

    async def version(self, entity_type: str, version: int) -> Definition:
        """An effective workflow by its version."""
        row = await self._tx.row(
            _SQL["definition_of_version"], entity_type=entity_type, definition_kind="effective", version=version
        )
        if row is None:
            raise NotFound(f"there is no version {version} of {entity_type!r}", entity_type=entity_type)
        return await self.read(row["id"])

    async def draft(self, definition_id: UUID) -> Definition:
        """Patches that may still be changed."""
        found = await self.patches_of(definition_id)
        if found.status != "draft":
            raise Conflict(
                f"version {found.version} of {found.entity_type} is {found.status} and cannot be changed",
                hint="create a new draft",
            )
        return found

    async def patches_of(self, definition_id: UUID) -> Definition:
        """Patches, drafted or published."""
        found = await self.read(definition_id)
        if found.definition_kind != "org_patch":
            raise NotFound(f"there are no patches {definition_id}", hint="give the id of a draft")
        return found

    async def envelope(self, entity_type: str, version: int | None) -> Mapping[str, Any]:
        """The row of a skeleton; the newest without a version. A declared contract is installed first."""
        if self._library.contracts.declared(entity_type) is not None:
            await self._library.contracts.current(self._tx, entity_type)
        row = await self._tx.row(_SQL["envelope"], entity_type=entity_type, version=version)
        if row is None:
            which = f"no version {version}" if version is not None else "no skeleton"
            raise NotFound(
                f"there is {which} of {entity_type!r}", hint="register its contract first", entity_type=entity_type
            )
        return row

    async def skeleton(self, entity_type: str, version: int | None) -> Skeleton:
        """A skeleton, generated from its row."""
        return read_skeleton(await self.envelope(entity_type, version))

    async def around(self, entity_type: str, patches: OrgWorkflowDefinition | Mapping[str, Any]) -> Surroundings | None:
        """What there is of what patches name."""
        code = self._library.code
        return None if code is None else await read_surroundings(self._tx, patches, entity_type, code)

    async def compile(
        self, skeleton: Skeleton, patches: OrgWorkflowDefinition | Patches, *, around: Surroundings | None = None
    ) -> CompiledWorkflow:
        """Compile patches; many of them beside the event loop, which others wait for."""
        types = self._library.types()
        return await aside(lambda: compile_effective(skeleton, patches, types=types, around=around), _told(patches))

    async def analyse(self, skeleton: Skeleton, patches: OrgWorkflowDefinition | Patches) -> Analysis:
        """What is wrong with patches, and what is around them, likewise."""
        around = await self.around(skeleton.entity_type, patches)
        types = self._library.types()
        return await aside(lambda: analyse(skeleton, patches, types=types, around=around), _told(patches))

    async def draw(self, skeleton: Skeleton, patches: Patches) -> Canvas:
        """Hints for a canvas, likewise."""
        types = self._library.types()
        return await aside(lambda: draw_canvas(skeleton, patches, types), patches)

    async def publish(self, source: Definition, *, note: str, again: bool = False) -> Definition:
        """Compile patches and freeze them; the caller holds the lock.

        What was published before may be published `again` although somebody it names has left since.
        """
        skeleton = await self.skeleton(source.entity_type, source.base_version)
        patches = definition_of(source)
        around = None if again else await self.around(source.entity_type, patches)
        compiled = await self.compile(skeleton, patches, around=around)
        check_run_as(self._tx.actor, compiled)
        for node in compiled.nodes_by_id.values():
            if node.type == "webhook_out" and node.config.get("secret") is not None:
                await check_secret_use(self._tx, node.config["secret"], node.config["url"])
        made = await publish_effective(
            self._tx,
            skeleton,
            compiled,
            source=source.id,
            name=source.name,
            note=note,
            automation=source.automation,
        )
        return await self.read(made.definition_id)

    async def publish_again(self, old: Definition, *, note: str) -> Definition:
        """A new effective version from what an older one was made from: patches are published again as a copy."""
        if old.source_definition_id is None:
            skeleton = await self.skeleton(old.entity_type, old.base_version)
            compiled = compile_effective(skeleton, {}, types=self._library.types())
            made = await publish_effective(self._tx, skeleton, compiled, note=note, automation=old.automation)
            return await self.read(made.definition_id)
        source = await self.read(old.source_definition_id)
        envelope = await self.envelope(source.entity_type, source.base_version)
        copy = await self.insert_draft(envelope, source.patches or {}, name=source.name, note=note)
        await self._tx.run(_SQL["publish_draft"], id=copy.id, actor=str(self._tx.actor), revision=copy.revision)
        return await self.publish(copy, note=note, again=True)


def _told(patches: OrgWorkflowDefinition | Patches) -> Any:
    """What says how large patches are."""
    if isinstance(patches, OrgWorkflowDefinition):
        return [each for patch in patches.slots.values() for each in (*patch.nodes, *patch.edges)]
    return patches


def checked_note(note: str) -> str:
    """What somebody writes beside a version; it may be empty, and have several lines."""
    if len(note) > _NOTE_LIMIT or not is_storable(note):
        raise InvalidInput(
            f"the note has {len(note)} characters" if len(note) > _NOTE_LIMIT else "the note cannot be stored",
            hint=f"use at most {_NOTE_LIMIT} characters of plain text",
            field="note",
        )
    return note


def shaped(entity_type: str, version: int, patches: Patches) -> OrgWorkflowDefinition:
    """The patches as a definition; raises `CompileError` when their shape is wrong."""
    return OrgWorkflowDefinition.read(
        {"base_ref": {"entity_type": entity_type, "envelope_version": version}, "slots": dict(patches)}
    )


def definition_of(definition: Definition) -> OrgWorkflowDefinition:
    """The patches of a definition, as the compiler takes them."""
    return shaped(definition.entity_type, definition.base_version or 1, definition.patches or {})


def patches_text(definition: OrgWorkflowDefinition) -> str:
    """Patches as they are stored."""
    slots = {name: patch.model_dump(exclude_unset=True) for name, patch in definition.slots.items()}
    return canonical_json(slots).decode()


def base_text(entity_type: str, version: int) -> str:
    """Which skeleton patches are for, as it is stored."""
    return canonical_json({"entity_type": entity_type, "envelope_version": version}).decode()
