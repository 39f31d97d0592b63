"""What-if: past documents replayed through a draft, as a run, so that no request waits for it.

`start` writes down what is asked, the draft as it is at that moment included, and enqueues the run that does it
(`what_if_runner`). Documents that would go another way are in groups: by where the ways part and where they lead. It
reads every document of a type, so it takes the right to read all of them, with nothing masked, from the one who starts
it, and from the one who looks at what came of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from holdfast.documents import Access
from holdfast.errors import Conflict, Forbidden, InvalidInput, NotFound
from holdfast.kernel.cursor import check_limit, decode_id_cursor, encode_cursor
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import canonical_json, dump, parse_json
from holdfast.kernel.page import Page
from holdfast.people.headlines import read_headlines
from holdfast.people.model import HeadlineField
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.definitions.library import Library
from holdfast.processes.definitions.replays import DocumentReplay, Replaying, narrowing
from holdfast.processes.definitions.shelf import Patches, Shelf, definition_of, patches_text, shaped
from holdfast.runs import Runs

__all__ = [
    "MOST_DOCUMENTS",
    "WHAT_IF",
    "ReplayedDocument",
    "WhatIfGroup",
    "WhatIfInfo",
    "WhatIfs",
    "require_whole_reading",
]

_SQL = queries("definitions")
WHAT_IF: Final = "definition.what_if.v1"
"""The type of the runs that do it."""
MOST_DOCUMENTS: Final = 100_000
_UNFINISHED: Final = 3
_KEPT: Final = 20
_MOST_GROUPS: Final = 500

WhatIfStatus = Literal["pending", "running", "completed", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class WhatIfInfo:
    """A what-if: what was asked, and how far it is. `replayed` of `total`; of those, `changed` went another way."""

    id: UUID
    entity_type: str
    definition_id: UUID | None
    revision: int | None
    base_version: int
    before_id: UUID
    """The workflow that was in force, for documents that never had a process."""
    narrowed: Mapping[str, Any]
    assume: Mapping[str, str]
    most: int
    status: WhatIfStatus
    run_id: UUID | None
    total: int | None
    replayed: int
    changed: int
    unplayable: int
    error: str | None
    created_at: datetime
    created_by: str
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class WhatIfGroup:
    """Documents whose ways part at one node and lead to the same places; `parting` says where, with an example."""

    id: str
    documents: int
    parting: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReplayedDocument:
    """A document of a group, and why it would go another way."""

    document_id: UUID
    doc_status: str | None
    created_at: datetime
    created_by: str
    because: Mapping[str, Any]
    headline: tuple[HeadlineField, ...] = ()


class WhatIfs:
    """The what-ifs of one tenant, `hold.definitions.what_ifs`."""

    def __init__(self, tx: TenantTx, shelf: Shelf, library: Library, runs: Callable[[], Runs] | None) -> None:
        self._tx = tx
        self._shelf = shelf
        self._library = library
        self._runs = runs

    @property
    def transaction(self) -> TenantTx:
        """For the run that does it."""
        return self._tx

    async def start(
        self,
        *,
        definition_id: UUID | None = None,
        entity_type: str | None = None,
        patches: Patches | None = None,
        base_version: int | None = None,
        narrowed: Mapping[str, Any] | None = None,
        assume: Mapping[str, str] | None = None,
        most: int = 1000,
    ) -> WhatIfInfo:
        """Ask what a draft, or patches that are not stored, would have made of past documents, from the newest on.

        `narrowed` may name `doc_status`, `created_after`, `created_before` and `fields` (that documents contain).
        `assume` gives outcomes of steps that documents never came to, by node id or node type.
        """
        self._tx.require("processes:design")
        kind, version, given, revision = await self._asked(definition_id, entity_type, patches, base_version)
        self._require_reading(kind)
        if not 1 <= most <= MOST_DOCUMENTS:
            raise InvalidInput(f"most is {most}", hint=f"give 1 to {MOST_DOCUMENTS}", field="most")
        narrowing(narrowed or {})
        await self._check_room(kind)
        before = await self._library.effective(self._tx, kind)
        made = uuid7()
        assert self._runs is not None
        run = await self._runs().enqueue(WHAT_IF, {"what_if": str(made)}, key=f"what_if:{made}")
        await self._tx.run(
            _SQL["insert_what_if"],
            id=made,
            entity_type=kind,
            definition_id=definition_id,
            revision=revision,
            base_version=version,
            patches=given,
            before_id=before.definition_id,
            narrowed=dump(dict(narrowed or {})),
            assume=canonical_json(dict(assume or {})).decode(),
            most=most,
            run_id=run.id,
            actor=str(self._tx.actor),
            party=dump(self._tx.actor.to_json()),
        )
        return await self.get(made)

    async def get(self, what_if_id: UUID) -> WhatIfInfo:
        """How far it is."""
        self._tx.require("processes:read")
        row = await self._tx.row(_SQL["what_if"], id=what_if_id)
        if row is None:
            raise NotFound(f"there is no what-if {what_if_id}", what_if=str(what_if_id))
        return _read(row)

    async def groups(self, what_if_id: UUID) -> list[WhatIfGroup]:
        """Where ways part, the largest group first."""
        self._require_reading((await self.get(what_if_id)).entity_type)
        rows = await self._tx.rows(_SQL["what_if_groups"], id=what_if_id, most=_MOST_GROUPS)
        return [WhatIfGroup(row["id"], row["documents"], parse_json(row["parting"])) for row in rows]

    async def documents(
        self, what_if_id: UUID, group_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[ReplayedDocument]:
        """The documents of a group, newest first."""
        self._require_reading((await self.get(what_if_id)).entity_type)
        check_limit(limit)
        query = {"list": "what_if_documents", "what_if": str(what_if_id), "group": group_id}
        rows = await self._tx.rows(
            _SQL["what_if_documents"],
            id=what_if_id,
            group_id=group_id,
            before=decode_id_cursor(query, cursor),
            limit=limit + 1,
        )
        shown = rows[:limit]
        # Nothing is hidden from who may look: see `_require_reading`.
        headlines = await read_headlines(self._tx, {row["version_id"]: frozenset() for row in shown})
        items = [_replayed(row, headlines.get(row["version_id"], [])) for row in shown]
        return Page(items, encode_cursor(query, [str(items[-1].document_id)]) if len(rows) > limit else None)

    async def document(self, what_if_id: UUID, document_id: UUID) -> DocumentReplay:
        """One document's two ways, worked out anew with the draft as it was."""
        found = await self.get(what_if_id)
        self._require_reading(found.entity_type)
        asked = await self._tx.row(_SQL["what_if_asked"], id=what_if_id)
        assert asked is not None
        replaying = await Replaying.of(self._tx, self._library, self._shelf, asked)
        batch = await replaying.batch(self._tx, {}, before=None, limit=1, only=document_id)
        if not batch.documents:
            raise NotFound(f"there is no document {document_id}", document=str(document_id))
        return batch.replay()[0]

    async def cancel(self, what_if_id: UUID) -> WhatIfInfo:
        """Stop it; what it has found so far stays."""
        self._tx.require("processes:design")
        known = await self.get(what_if_id)
        if not await self._tx.run(_SQL["end_what_if"], id=known.id, status="cancelled", error=None):
            raise Conflict(f"the what-if is {known.status}", hint="only one that is under way can be cancelled")
        return await self.get(what_if_id)

    async def delete(self, what_if_id: UUID) -> None:
        """Forget what it found. One that is under way stops."""
        self._tx.require("processes:design")
        if not await self._tx.run(_SQL["delete_what_if"], id=what_if_id):
            raise NotFound(f"there is no what-if {what_if_id}", what_if=str(what_if_id))

    async def list(self, entity_type: str, *, limit: int = 50, cursor: str | None = None) -> Page[WhatIfInfo]:
        """Those of a type, newest first."""
        self._tx.require("processes:read")
        check_limit(limit)
        query = {"list": "what_ifs", "entity_type": entity_type}
        rows = await self._tx.rows(
            _SQL["what_ifs"], entity_type=entity_type, before=decode_id_cursor(query, cursor), limit=limit + 1
        )
        items = [_read(row) for row in rows[:limit]]
        return Page(items, encode_cursor(query, [str(items[-1].id)]) if len(rows) > limit else None)

    async def _asked(
        self, definition_id: UUID | None, entity_type: str | None, patches: Patches | None, base_version: int | None
    ) -> tuple[str, int, str, int | None]:
        """The type, the version of its skeleton, the patches as they are stored, and the draft's revision."""
        if definition_id is not None:
            found = await self._shelf.patches_of(definition_id)
            version = found.base_version or 1
            return found.entity_type, version, patches_text(definition_of(found)), found.revision
        if entity_type is None or patches is None:
            raise InvalidInput("nothing is named to replay", hint="give definition_id, or entity_type and patches")
        envelope = await self._shelf.envelope(entity_type, base_version)
        version = envelope["version"]
        return entity_type, version, patches_text(shaped(entity_type, version, patches)), None

    async def _check_room(self, entity_type: str) -> None:
        row = await self._tx.row(_SQL["unfinished_what_ifs"])
        assert row is not None
        if row["unfinished"] >= _UNFINISHED:
            raise Conflict(f"{row['unfinished']} what-ifs are under way", hint="wait for one of them, or cancel it")
        await self._tx.run(_SQL["prune_what_ifs"], entity_type=entity_type, kept=_KEPT - 1)

    def _require_reading(self, entity_type: str) -> None:
        require_whole_reading(Access(self._tx, self._library.contracts), self._tx, entity_type)


def require_whole_reading(access: Access, tx: TenantTx, entity_type: str) -> None:
    """Raise `Forbidden` unless the actor reads every document of a type, with nothing masked."""
    if access.grade(entity_type) != "all" or access.hidden(entity_type):
        raise Forbidden(
            f"{tx.actor} may not replay {entity_type} documents",
            hint="that takes the right to read all of them, with nothing masked",
            permission="documents:read",
        )


def _read(row: Mapping[str, Any]) -> WhatIfInfo:
    return WhatIfInfo(**{**row, "narrowed": parse_json(row["narrowed"]), "assume": parse_json(row["assume"])})


def _replayed(row: Mapping[str, Any], headline: Sequence[HeadlineField]) -> ReplayedDocument:
    plain = {name: row[name] for name in ("document_id", "doc_status", "created_at", "created_by")}
    return ReplayedDocument(**plain, because=parse_json(row["because"]), headline=tuple(headline))
