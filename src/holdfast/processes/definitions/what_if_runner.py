"""The handler of what-ifs' runs: batch after batch, each noted with how far it is, until all are replayed.

A run that is interrupted goes on behind the last batch that it noted. What a batch found is written in a transaction
that is only there as long as the run is held; one that was cancelled meanwhile writes nothing more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from holdfast.access import load_actor
from holdfast.documents import Access
from holdfast.errors import HoldfastError
from holdfast.kernel.actor import Actor
from holdfast.kernel.json import dump, parse_json
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.definitions.library import Library
from holdfast.processes.definitions.replays import DocumentReplay, Replaying, narrowing
from holdfast.processes.definitions.shelf import Shelf
from holdfast.processes.definitions.what_ifs import require_whole_reading
from holdfast.runs.model import Run
from holdfast.runs.signals import Snooze

__all__ = ["WhatIfRunner"]

_SQL = queries("definitions")
_BATCH = 200


class WhatIfRunner:
    """Replays documents for what-ifs."""

    def __init__(self, library: Library) -> None:
        self._library = library

    async def execute(self, run: Run, payload: dict[str, Any]) -> dict[str, Any]:
        """The handler of `definition.what_if.v1`."""
        what_if = UUID(payload["what_if"])
        try:
            return await self._replayed(run, what_if)
        except HoldfastError as error:
            if error.status not in (403, 404, 422):
                raise
            # What is wrong with the draft or with who asked does not mend itself.
            async with run.hold() as hold:
                tx: TenantTx = hold.definitions.what_ifs.transaction
                await tx.run(_SQL["end_what_if"], id=what_if, status="failed", error=error.message[:2000])
            return {"what_if": str(what_if), "status": "failed"}

    async def _replayed(self, run: Run, what_if: UUID) -> dict[str, Any]:
        async with run.hold() as hold:
            tx: TenantTx = hold.definitions.what_ifs.transaction
            asked = await tx.row(_SQL["begin_what_if"], id=what_if)
            if asked is None:
                return {"what_if": str(what_if), "status": "over"}
            await self._check_right(tx, asked)
            replaying = await Replaying.of(tx, self._library, Shelf(tx, self._library), asked)
            narrowed = parse_json(asked["narrowed"])
            if asked["total"] is None:
                counted = await tx.row(
                    _SQL["what_if_total"], entity_type=asked["entity_type"], most=asked["most"], **narrowing(narrowed)
                )
                assert counted is not None
                await tx.run(_SQL["count_what_if"], id=what_if, total=counted["total"])
        left, last = asked["most"] - asked["replayed"], asked["last_document"]
        while left > 0:
            if run.stopping:
                raise Snooze(0, "the worker stops")
            async with run.hold() as hold:
                tx = hold.definitions.what_ifs.transaction
                batch = await replaying.batch(tx, narrowed, before=last, limit=min(_BATCH, left))
            last = batch.last
            if last is None:
                break
            found = await asyncio.to_thread(batch.replay)
            left -= len(found)
            async with run.hold() as hold:
                if not await _note(hold.definitions.what_ifs.transaction, what_if, found, last):
                    return {"what_if": str(what_if), "status": "cancelled"}
        async with run.hold() as hold:
            await hold.definitions.what_ifs.transaction.run(
                _SQL["end_what_if"], id=what_if, status="completed", error=None
            )
        return {"what_if": str(what_if), "status": "completed"}

    async def _check_right(self, tx: TenantTx, asked: Mapping[str, Any]) -> None:
        """Who asked must still be allowed to."""
        then = Actor.from_json(parse_json(asked["party"]))
        actor = then if then.kind == "system" else (await load_actor(tx, then.name)).limited_to_then(then)
        actor.require("processes:design")
        as_them = TenantTx(tx.connection, tx.tenant, actor, tx.clock)
        require_whole_reading(Access(as_them, self._library.contracts), as_them, asked["entity_type"])


async def _note(tx: TenantTx, what_if: UUID, found: Sequence[DocumentReplay], last: UUID) -> bool:
    """Write down what a batch came to; whether it is still wanted."""
    changed = [each for each in found if each.changed]
    groups: dict[str, dict[str, Any]] = {}
    rows = []
    for each in changed:
        key, shared = each.group()
        group = groups.setdefault(key, {"id": key, "parting": shared, "documents": 0})
        group["documents"] += 1
        rows.append({"group_id": key, "document_id": str(each.document_id), "because": each.why()})
    wanted = await tx.run(
        _SQL["note_replays"],
        id=what_if,
        replayed=len(found),
        changed=len(changed),
        unplayable=sum(1 for each in found if each.error is not None),
        last_document=last,
    )
    if wanted and rows:
        await tx.run(_SQL["note_groups"], id=what_if, groups=dump(list(groups.values())))
        await tx.run(_SQL["note_documents"], id=what_if, documents=dump(rows))
    return bool(wanted)
