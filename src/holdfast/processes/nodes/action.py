"""`action`: calls an action of the application in the process's own transaction (WF-09): one verb, whoever says it.

A call is made as the step's `run_as` says, with that actor's permissions. Its idempotency key is the step's own unless
the node gives one, so a step that is done again finds the answer that was recorded instead of writing twice. What an
action returns is the step's result; a holdfast error it raises gives the step the outcome `error`; any other exception
undoes the whole advance, which is then tried again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from holdfast.actions import ActionRegistry, Actions
from holdfast.kernel.json import check_json, plain
from holdfast.postgres.queries import queries
from holdfast.steps import Answer, Ask, NotHere, Reply

__all__ = ["ActionHandler"]

_SQL = queries("processes")


class ActionHandler:
    """Answers `action` effects."""

    kinds: tuple[str, ...] = ("action",)

    def __init__(self, registry: ActionRegistry) -> None:
        self._registry = registry

    async def perform(self, asks: Sequence[Ask]) -> Sequence[Reply]:
        known = [ask for ask in asks if ask.effect.payload["action"] in self._registry]
        results = {ask.effect.step: await self._call(ask) for ask in known}
        versions = await _versions(known)
        return [
            Answer(result=results[ask.effect.step], entity_version=_changed(ask, versions))
            if ask.effect.step in results
            else NotHere(f"action:{ask.effect.payload['action']}")
            for ask in asks
        ]

    async def _call(self, ask: Ask) -> Any:
        payload = ask.effect.payload
        result = await Actions(self._registry, ask.tx).take_step(
            payload["action"],
            plain(payload["input"]),
            key=payload["key"] or ask.effect.step,
            instance_id=ask.instance.id,
            document_id=ask.instance.document_id,
            step=str(ask.step_id),
        )
        check_json("the action's result", result)
        return result


async def _versions(asks: Sequence[Ask]) -> dict[UUID, int]:
    """What the documents have become: an action may have written them, which is no drift."""
    ids = [ask.instance.document_id for ask in asks if ask.instance.document_id is not None]
    if not ids:
        return {}
    rows = await asks[0].tx.rows(_SQL["document_versions"], ids=ids)
    return {row["id"]: row["entity_version"] for row in rows}


def _changed(ask: Ask, versions: Mapping[UUID, int]) -> int | None:
    if ask.instance.document_id is None:
        return None
    now = versions.get(ask.instance.document_id)
    return now if now is not None and now > ask.document.entity_version else None
