"""`policy_gate`: the process goes on only if whoever acts has a permission."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.steps import Answer, Ask, Reply

__all__ = ["PolicyHandler"]


class PolicyHandler:
    """Answers `policy` effects: `completed`, or `denied` with who lacked what."""

    kinds: tuple[str, ...] = ("policy",)

    async def perform(self, asks: Sequence[Ask]) -> Sequence[Reply]:
        return [_check(ask) for ask in asks]


def _check(ask: Ask) -> Reply:
    permission = ask.effect.payload["permission"]
    actor = ask.tx.actor
    evidence = {"permission": permission, "actor": str(actor), "roles": sorted(actor.roles)}
    if actor.may(permission):
        return Answer(result=evidence)
    return Answer("denied", result=evidence, reason=f"{actor} lacks {permission}")
