"""The definitions of one tenant, `hold.definitions`: drafts, reviews, publishing, archiving, rolling back, comparing.

A draft holds an organisation's patches and can be changed by anybody who may design, each editor with the revision
they saw. Publishing compiles it and freezes both (WF-04): the patches, and the effective workflow that new instances
follow from then on. Running instances stay with the workflow they began with. Going back to an older version publishes
it again as a new one; nothing is ever unpublished in place.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal
from uuid import UUID

from holdfast.access.publishing import require_second_person
from holdfast.audit import record
from holdfast.documents.contracts import lock_definitions, publish_effective, store_envelope
from holdfast.envelope import (
    CURRENT_COMPILER_VERSION,
    Analysis,
    Contract,
    automation_skeleton,
    compile_effective,
    rebase,
)
from holdfast.errors import AlreadyExists, CompileError, Conflict, InvalidInput, NotFound, VersionConflict
from holdfast.kernel.json import canonical_json, parse_json
from holdfast.kernel.names import check_text
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.definitions.editors import DraftEditors
from holdfast.processes.definitions.expressions import Expressions
from holdfast.processes.definitions.library import Library, read_skeleton
from holdfast.processes.definitions.model import (
    ContractInfo,
    Definition,
    Rebased,
    Review,
)
from holdfast.processes.definitions.reading import DefinitionReading
from holdfast.processes.definitions.shelf import (
    Patches,
    base_text,
    checked_note,
    definition_of,
    patches_text,
    shaped,
)
from holdfast.processes.definitions.simulator import Simulator
from holdfast.processes.definitions.templates import case_data, contract_for, find_template, patches_of
from holdfast.processes.definitions.test_cases import TestCases, require_passing
from holdfast.processes.definitions.upgrades import Upgrade, held_back, look
from holdfast.processes.definitions.what_ifs import WhatIfs
from holdfast.runs import Runs

__all__ = ["Definitions"]

_SQL = queries("definitions")
_PROCESSES = queries("processes")
_AUTOMATION = r"[a-z][a-z0-9_]{0,63}"


class Definitions(DefinitionReading):
    """The definitions of one tenant."""

    def __init__(self, tx: TenantTx, library: Library, runs: Callable[[], Runs] | None = None) -> None:
        super().__init__(tx, library)
        self.editors = DraftEditors(tx, self._shelf)
        self.cases = TestCases(tx, self._shelf)
        self.expressions = Expressions(tx, self._shelf)
        self.simulator = Simulator(tx)
        self.what_ifs = WhatIfs(tx, self._shelf, library, runs)

    # --------------------------------------------------------------------------------------------------- contracts

    async def register(self, contract: Contract) -> ContractInfo:
        """Store a contract in this tenant; the same one again is no error, a changed one needs a higher version."""
        self._tx.require("processes:publish")
        await require_second_person(self._tx, "registered")
        await self._library.contracts.install(self._tx, contract)
        return await self.contract(contract.entity_type, contract.version)

    # ------------------------------------------------------------------------------------------------------ drafts

    async def create_draft(
        self,
        entity_type: str,
        patches: Patches,
        *,
        name: str | None = None,
        note: str = "",
        base_version: int | None = None,
    ) -> Definition:
        """Begin a draft for a document type, on the newest skeleton unless `base_version` says otherwise.

        A draft may be unfinished: only its shape is checked. `review` says what is still wrong.
        """
        self._tx.require("processes:design")
        envelope = await self._shelf.envelope(entity_type, base_version)
        return await self._shelf.insert_draft(envelope, patches, name=name, note=note)

    async def create_automation(
        self,
        name: str,
        patch: Mapping[str, Any],
        *,
        title: str | None = None,
        note: str = "",
        payload: Mapping[str, Any] | None = None,
        document: Mapping[str, Any] | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Definition:
        """Begin a draft of an automation: `sys:start → slot:main → sys:end`, with `patch` in its slot.

        `payload`, `document` and `context` are JSON Schemas of what starts it and of what its expressions may read.
        Other schemas than before make a new version of its skeleton.
        """
        self._tx.require("processes:design")
        if not re.fullmatch(_AUTOMATION, name, re.ASCII):
            raise InvalidInput(
                f"the name {name!r} is not one of an automation",
                hint="use 1 to 64 lower-case letters, digits and underscores, beginning with a letter",
                field="name",
            )
        given = {"payload": payload, "document": document, "context": context}
        schemas = {key: value for key, value in given.items() if value is not None}
        try:
            await lock_definitions(self._tx, name)
            newest = await self._tx.row(_SQL["envelope"], entity_type=name, version=None)
            if newest is not None and not newest["automation"]:
                raise AlreadyExists(f"{name!r} is a document type", hint="choose another name", field="name")
            if newest is None or canonical_json(parse_json(newest["contract"])) != canonical_json(schemas):
                version = 1 if newest is None else newest["version"] + 1
                skeleton = automation_skeleton(name, version=version, **schemas)  # type: ignore[arg-type]
                await store_envelope(self._tx, skeleton, canonical_json(schemas), title, automation=True)
        except ValueError as error:
            raise InvalidInput(f"the automation cannot be made: {error}", field="name") from None
        envelope = await self._shelf.envelope(name, None)
        return await self._shelf.insert_draft(envelope, {"slot:main": patch}, name=title, note=note)

    async def update_draft(
        self,
        definition_id: UUID,
        patches: Patches,
        *,
        revision: int,
        name: str | None = None,
        note: str | None = None,
        client: str | None = None,
    ) -> Definition:
        """Write a draft anew. `revision` is the one the editor saw; another means somebody else was faster.

        While somebody edits it (`editors`), only they write it, in the window that `client` names.
        """
        self._tx.require("processes:design")
        draft = await self._shelf.draft(definition_id)
        await self.editors.require(draft.id, client)
        written = shaped(draft.entity_type, draft.base_version or 1, patches)
        done = await self._tx.run(
            _SQL["update_draft"],
            id=draft.id,
            patches=patches_text(written),
            base_ref=base_text(draft.entity_type, draft.base_version or 1),
            name=check_text("name", name) if name is not None else draft.name,
            note=draft.note if note is None else checked_note(note),
            held_back=_text_or_none(draft.held_back),
            revision=revision,
            actor=str(self._tx.actor),
        )
        if not done:
            raise VersionConflict(
                f"the draft has revision {draft.revision}, you saw {revision}",
                hint="read it again and put your changes into it",
                expected=revision,
                found=draft.revision,
            )
        return await self.get(definition_id)

    async def delete_draft(self, definition_id: UUID, *, revision: int | None = None) -> None:
        """Throw a draft away; with `revision`, only the one that was seen."""
        self._tx.require("processes:design")
        draft = await self._shelf.draft(definition_id)
        _check_revision(draft, revision)
        if not await self._tx.run(_SQL["delete_draft"], id=draft.id, revision=draft.revision):
            raise Conflict("the draft was changed or published just now", hint="read it again")
        facts = {"entity_type": draft.entity_type, "version": draft.version}
        await record(self._tx, "definition", draft.id, "definition.draft_deleted", facts)

    async def review(self, definition_id: UUID) -> Review:
        """What publishing a draft would say: every problem at once, warnings too."""
        self._tx.require("processes:read")
        definition = await self._shelf.patches_of(definition_id)
        skeleton = await self._shelf.skeleton(definition.entity_type, definition.base_version)
        return _review(await self._shelf.analyse(skeleton, definition_of(definition)))

    async def validate(self, entity_type: str, patches: Patches, *, base_version: int | None = None) -> Review:
        """The same for patches that are not stored anywhere."""
        self._tx.require("processes:read")
        skeleton = await self._shelf.skeleton(entity_type, base_version)
        return _review(await self._shelf.analyse(skeleton, patches))

    # -------------------------------------------------------------------------------------------------- publishing

    async def propose(self, definition_id: UUID, *, revision: int | None = None) -> Definition:
        """Ask for a draft to be published, as it is: whoever changes it takes that back. It must compile."""
        self._tx.require("processes:design")
        draft = await self._shelf.draft(definition_id)
        _check_revision(draft, revision)
        skeleton = await self._shelf.skeleton(draft.entity_type, draft.base_version)
        await self._shelf.compile(skeleton, definition_of(draft))
        done = await self._tx.run(
            _SQL["propose_draft"], id=draft.id, actor=str(self._tx.actor), revision=draft.revision
        )
        if not done:
            raise Conflict("the draft was changed or published just now", hint="read it again")
        facts = {"entity_type": draft.entity_type, "version": draft.version, "revision": draft.revision}
        await record(self._tx, "definition", draft.id, "definition.proposed", facts)
        return await self._shelf.read(draft.id)

    async def publish(
        self,
        definition_id: UUID,
        *,
        revision: int | None = None,
        note: str | None = None,
        despite_cases: bool = False,
    ) -> Definition:
        """Compile a draft and freeze it. The answer is the effective workflow; the one before it is archived.

        The test cases of its type are run first; when one fails, nothing is published, unless `despite_cases`. Where
        the tenant wants four eyes on publishing, it must have been proposed, and who publishes it has not written it.
        """
        self._tx.require("processes:publish")
        draft = await self._shelf.draft(definition_id)
        _check_revision(draft, revision)
        told = draft.note if note is None else checked_note(note)
        if draft.held_back:
            raise Conflict(
                f"a rebase held back {', '.join(sorted(draft.held_back))}",
                hint="decide for each slot: theirs, yours, or something new",
                held_back=sorted(draft.held_back),
            )
        if not despite_cases and (kept := await self.cases.list(draft.entity_type)):
            skeleton = await self._shelf.skeleton(draft.entity_type, draft.base_version)
            compiled = await self._shelf.compile(skeleton, definition_of(draft))
            await require_passing(kept, compiled, skeleton.scope())
        await lock_definitions(self._tx, draft.entity_type)
        done = await self._tx.run(
            _SQL["publish_draft"], id=draft.id, actor=str(self._tx.actor), revision=draft.revision
        )
        if not done:
            raise Conflict("the draft was changed or published just now", hint="read it again")
        return await self._shelf.publish(draft, note=told)

    async def roll_back(self, entity_type: str, version: int) -> Definition:
        """Publish what version `version` of the effective workflow was made from again, as a new version."""
        self._tx.require("processes:publish")
        await require_second_person(self._tx, "rolled back to")
        await lock_definitions(self._tx, entity_type)
        old = await self._shelf.version(entity_type, version)
        return await self._shelf.publish_again(old, note=f"version {old.version} again")

    async def archive(self, entity_type: str) -> Definition | None:
        """Take the organisation's workflow out of use: new instances follow the newest skeleton alone.

        An automation that is archived cannot be started any more. Running instances go on.
        """
        self._tx.require("processes:publish")
        await require_second_person(self._tx, "archived")
        await lock_definitions(self._tx, entity_type)
        published = await self._tx.row(_SQL["published"], entity_type=entity_type)
        if published is None:
            raise NotFound(f"no workflow of {entity_type!r} is published", entity_type=entity_type)
        envelope = await self._shelf.envelope(entity_type, None)
        if envelope["automation"]:
            await self._tx.run(_SQL["archive_published"], entity_type=entity_type, keep=None)
            await self._archived(published)
            return None
        if published["source_definition_id"] is None:
            raise Conflict(
                "this is the skeleton alone; there is nothing to take out of use",
                hint="every document type keeps a workflow",
            )
        skeleton = read_skeleton(envelope)
        compiled = compile_effective(skeleton, {}, types=self._library.types())
        made = await publish_effective(self._tx, skeleton, compiled, note="the skeleton alone")
        await self._archived(published)
        return await self.get(made.definition_id)

    async def recompile(self, entity_type: str) -> Definition:
        """Compile the published workflow again with this version of the compiler, from the same patches (WF-07).

        So are older versions that instances still follow. Where the result is the same workflow, by its hash, its
        instances go on with it at once; where it is not, `repair.migrate` says whether they can.
        """
        self._tx.require("processes:operate")
        await lock_definitions(self._tx, entity_type)
        published = await self._tx.row(_SQL["published"], entity_type=entity_type)
        older = await self._tx.rows(
            _SQL["stale_and_followed"], entity_type=entity_type, compiler_version=CURRENT_COMPILER_VERSION
        )
        if published is None and not older:
            raise NotFound(f"no workflow of {entity_type!r} is published", entity_type=entity_type)
        current = await self._shelf.read((published or older[-1])["id"])
        if current.compiler_version == CURRENT_COMPILER_VERSION and not older:
            return current
        made = current
        for row in older:
            with contextlib.suppress(CompileError):
                # What this compiler refuses stays as it is, and stays in `stale()`.
                async with self._tx.connection.transaction():
                    made = await self._compile_again(await self._shelf.read(row["id"]))
        # What waited for this goes on at once.
        await self._tx.run(_PROCESSES["retry_waiting"])
        if published is not None:
            # Each publication takes the place of the one before it: the one in force comes last.
            return await self._compile_again(current)
        await self._tx.run(_SQL["archive_published"], entity_type=entity_type, keep=None)
        return await self._shelf.read(made.id)

    async def _compile_again(self, old: Definition) -> Definition:
        made = await self._shelf.publish_again(old, note=f"compiled by {CURRENT_COMPILER_VERSION}")
        facts = {
            "entity_type": old.entity_type,
            "from": str(old.id),
            "from_compiler": old.compiler_version,
            "compiler": CURRENT_COMPILER_VERSION,
        }
        await record(self._tx, "definition", made.id, "definition.recompiled", facts)
        if made.compiled_hash == old.compiled_hash:
            await self._tx.run(
                _SQL["follow_recompiled"],
                old=old.id,
                id=made.id,
                actor=str(self._tx.actor),
                about=canonical_json(
                    {"from": old.version, "to": made.version, "compiled_hash": made.compiled_hash}
                ).decode(),
            )
        return made

    async def rebase(
        self, definition_id: UUID, *, to_version: int | None = None, revision: int | None = None
    ) -> Rebased:
        """Carry patches to another version of their skeleton, by default the newest, as a new draft."""
        self._tx.require("processes:design")
        source = await self._shelf.patches_of(definition_id)
        _check_revision(source, revision)
        old = await self._shelf.skeleton(source.entity_type, source.base_version)
        envelope = await self._shelf.envelope(source.entity_type, to_version)
        written = shaped(source.entity_type, source.base_version or 1, source.patches or {})
        moved = rebase(written, old, read_skeleton(envelope), types=self._library.types())
        patches = {slot: patch.model_dump(exclude_unset=True) for slot, patch in moved.definition.slots.items()}
        draft = await self._shelf.insert_draft(
            envelope,
            patches,
            name=source.name,
            note=f"version {source.version} on skeleton {envelope['version']}",
            held_back=held_back(moved),
        )
        return Rebased(draft, moved)

    async def upgrade(self, definition_id: UUID, *, to_version: int | None = None) -> Upgrade:
        """What a rebase would come to, slot by slot: theirs, yours, conflicts. Changes nothing."""
        self._tx.require("processes:read")
        source = await self._shelf.patches_of(definition_id)
        old = await self._shelf.skeleton(source.entity_type, source.base_version)
        new = await self._shelf.skeleton(source.entity_type, to_version)
        return look(definition_of(source), old, new, self._library.types())

    async def resolve(
        self,
        definition_id: UUID,
        slot: str,
        take: Literal["theirs", "yours", "new"],
        *,
        revision: int,
        patch: Mapping[str, Any] | None = None,
        into: str | None = None,
        client: str | None = None,
    ) -> Definition:
        """Decide about a slot that a rebase held back: leave it as the vendor has it, put yours in, or a new patch.

        `into` names another slot to put it into, when the old one is gone. Whether it compiles there, `review` says.
        """
        self._tx.require("processes:design")
        draft = await self._shelf.draft(definition_id)
        waiting = dict(draft.held_back or {})
        if slot not in waiting:
            raise NotFound(f"nothing of {slot!r} is held back", hint=", ".join(sorted(waiting)) or None, slot=slot)
        if (take == "new") != (patch is not None):
            raise InvalidInput("`new` needs a patch, and only `new` has one", field="patch")
        await self.editors.require(draft.id, client)
        decided = waiting.pop(slot)
        patches = dict(draft.patches or {})
        if take != "theirs":
            patches[into or slot] = patch if patch is not None else decided["patch"]
        written = shaped(draft.entity_type, draft.base_version or 1, patches)
        done = await self._tx.run(
            _SQL["update_draft"],
            id=draft.id,
            patches=patches_text(written),
            base_ref=base_text(draft.entity_type, draft.base_version or 1),
            name=draft.name,
            note=draft.note,
            held_back=_text_or_none(waiting),
            revision=revision,
            actor=str(self._tx.actor),
        )
        if not done:
            raise VersionConflict(
                f"the draft has revision {draft.revision}, you saw {revision}",
                hint="read it again and decide anew",
                expected=revision,
                found=draft.revision,
            )
        return await self.get(definition_id)

    # --------------------------------------------------------------------------------------------------- templates

    async def instantiate(
        self, template: str, *, entity_type: str | None = None, name: str | None = None, cases: bool = True
    ) -> Definition:
        """Begin a draft from a template of the library, with its test cases.

        Where the tenant has no document type of that name, the template's contract is registered under it.
        """
        self._tx.require("processes:design")
        found = find_template(template)
        kind = entity_type or found.contract.entity_type
        try:
            envelope = await self._shelf.envelope(kind, None)
        except NotFound:
            # A type of its own is in force from then on, as the bare skeleton.
            self._tx.require("processes:publish")
            await self._library.contracts.install(self._tx, contract_for(found, kind))
            envelope = await self._shelf.envelope(kind, None)
        note = f"from the template {found.name}"
        draft = await self._shelf.insert_draft(envelope, patches_of(found), name=name or found.title, note=note)
        for each in found.cases if cases else ():
            values = case_data(found, each.name)
            await self.cases.keep(kind, values.pop("name"), description=note, **values)
        return draft

    # ------------------------------------------------------------------------------------------------------- parts

    async def _archived(self, published: Mapping[str, Any]) -> None:
        facts = {"version": published["version"], "compiled_hash": published["compiled_hash"]}
        await record(self._tx, "definition", published["id"], "definition.archived", facts)


def _text_or_none(held: Mapping[str, Any] | None) -> str | None:
    return canonical_json(held).decode() if held else None


def _check_revision(definition: Definition, revision: int | None) -> None:
    if revision is not None and revision != definition.revision:
        raise VersionConflict(
            f"the draft has revision {definition.revision}, you saw {revision}",
            hint="read it again",
            expected=revision,
            found=definition.revision,
        )


def _review(found: Analysis) -> Review:
    return Review(found.compiled is not None, found.problems, found.compiled.hash if found.compiled else None)
