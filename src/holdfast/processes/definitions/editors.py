"""Who edits a draft just now: one window at a time, known to the others, who may take over.

A lease keeps two people from working past each other; the revision keeps them from overwriting each other. An editor
renews its lease while it is open. Whoever comes second is told who is there, reads, and may take over; the first is
told with their next renewal, or their next save. A program that changes a draft without a lease needs none, while
nobody else has one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from holdfast.audit import record
from holdfast.errors import DraftInUse
from holdfast.kernel.names import check_text
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.definitions.shelf import Shelf

__all__ = ["LEASE", "DraftEditor", "DraftEditors"]

_SQL = queries("definitions")
LEASE: Final = timedelta(seconds=60)
"""How long an editor has a draft without renewing its lease."""


@dataclass(frozen=True, slots=True)
class DraftEditor:
    """Somebody who edits a draft: who, in which window, since and until when. `yours`: it is the one who asks."""

    editor: str
    client: str
    since: datetime
    lease_until: datetime
    yours: bool


class DraftEditors:
    """The editors of drafts, `hold.definitions.editors`."""

    def __init__(self, tx: TenantTx, shelf: Shelf) -> None:
        self._tx = tx
        self._shelf = shelf

    async def current(self, definition_id: UUID, *, client: str | None = None) -> DraftEditor | None:
        """Who edits a draft; None: nobody."""
        self._tx.require("processes:read")
        await self._shelf.patches_of(definition_id)
        row = await self._tx.row(_SQL["draft_editor"], id=definition_id)
        return None if row is None else self._read(row, client)

    async def edit(self, definition_id: UUID, client: str, *, take_over: bool = False) -> DraftEditor:
        """Begin to edit, or go on: call it again within the minute. `client` is any name for a window or program.

        Raises `DraftInUse` while somebody else does, or the same person in another window, unless they take over.
        """
        self._tx.require("processes:design")
        check_text("client", client, maximum=100)
        draft = await self._shelf.draft(definition_id)
        before = await self._tx.row(_SQL["draft_editor"], id=draft.id)
        row = await self._tx.row(
            _SQL["edit_draft"],
            id=draft.id,
            editor=str(self._tx.actor),
            client=client,
            lease=LEASE,
            take_over=take_over,
        )
        if row is None:
            raise in_use(before or {"editor": "somebody"})
        if before is not None and (before["editor"], before["client"]) != (row["editor"], row["client"]):
            facts = {"entity_type": draft.entity_type, "version": draft.version, "from": before["editor"]}
            await record(self._tx, "definition", draft.id, "definition.draft_taken_over", facts)
        return self._read(row, client)

    async def leave(self, definition_id: UUID, client: str) -> None:
        """Stop editing, so that others need not wait."""
        self._tx.require("processes:design")
        await self._tx.run(_SQL["leave_draft"], id=definition_id, editor=str(self._tx.actor), client=client)

    async def require(self, definition_id: UUID, client: str | None) -> None:
        """Raise `DraftInUse` when somebody else edits a draft, or somebody in another window."""
        row = await self._tx.row(_SQL["lock_draft_editor"], id=definition_id)
        if row is not None and not self._read(row, client).yours:
            raise in_use(row)

    def _read(self, row: Any, client: str | None) -> DraftEditor:
        yours = row["editor"] == str(self._tx.actor) and row["client"] == client
        return DraftEditor(row["editor"], row["client"], row["since"], row["lease_until"], yours)


def in_use(row: Any) -> DraftInUse:
    """What somebody is told who comes second."""
    since = row.get("since")
    return DraftInUse(
        f"{row['editor']} edits this draft",
        hint="read it, or take over: what they have saved stays",
        editor=row["editor"],
        **({"since": since.isoformat()} if since is not None else {}),
    )
