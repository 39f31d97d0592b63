"""Choosing a transition of a document by its process: the same roles and rules apply as for `documents.transition`.

Whoever names the instance instead of the document asks for the same thing, and must not get past what the vendor and
the organisation ask of those who do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from holdfast.documents import Cabinet, Change, Document, Mutation, Standing
from holdfast.documents.mutation import Mutator
from holdfast.documents.policy import check_policy
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.cases import Case

__all__ = ["choose_transition"]

Move = Callable[[], Awaitable[None]]


async def choose_transition(
    tx: TenantTx, cabinet: Cabinet, case: Case, name: str, move: Move, *, reason: str | None
) -> None:
    """Let `move` make the transition, once policy and rules have nothing against it. The case is locked."""
    instance = case.instance
    if not case.ruled:
        check_policy(tx, cabinet.contracts, instance.entity_type, "transition")
        await move()
        return
    asked = Mutation("transition", entity_id=instance.entity_id, transition=name, reason=reason, trace_id=case.trace_id)
    await Mutator(tx, replace(cabinet, process=_Moving(move))).apply(asked)


@dataclass(frozen=True, slots=True)
class _Moving:
    """The process of the document, already opened by whoever advances it; a transition asks nothing else of it."""

    move: Move

    async def transition(
        self, tx: TenantTx, standing: Standing | None, document: Document, name: str, *, reason: str | None
    ) -> None:
        await self.move()

    async def edited(self, tx: TenantTx, standing: Standing, change: Change) -> None:
        raise AssertionError("a transition changes no content")

    async def amended(self, tx: TenantTx, standing: Standing | None, change: Change) -> None:
        raise AssertionError("a transition amends nothing")

    async def deleted(self, tx: TenantTx, standing: Standing, document: Document, *, reason: str | None) -> None:
        raise AssertionError("a transition deletes nothing")
