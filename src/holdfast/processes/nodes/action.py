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

from holdfast.actions import ActionRegistry, StepCall, take_steps
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
        results = dict(zip((ask.effect.step for ask in known), await self._call(known), strict=True))
        versions = await _versions(known)
        return [
            Answer(result=results[ask.effect.step], entity_version=_changed(ask, versions))
            if ask.effect.step in results
            else NotHere(f"action:{ask.effect.payload['action']}")
            for ask in asks
        ]

    async def _call(self, asks: Sequence[Ask]) -> list[Any]:
        results = await take_steps(self._registry, [_step(ask) for ask in asks])
        for result in results:
            check_json("the action's result", result)
        return results


def _step(ask: Ask) -> StepCall:
    payload = ask.effect.payload
    return StepCall(
        ask.tx,
        payload["action"],
        plain(payload["input"]),
        payload["key"] or ask.effect.step,
        ask.instance.id,
        ask.instance.document_id,
        str(ask.step_id),
    )


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
