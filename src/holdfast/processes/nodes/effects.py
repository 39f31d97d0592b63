"""`webhook_out` and `notification`: what leaves the database is enqueued, never sent, here (WF-10)."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.effects.api import NewEffect, enqueue
from holdfast.kernel.sealing import Sealing
from holdfast.steps import Ask, Reply, Waiting

__all__ = ["EffectHandler"]


class EffectHandler:
    """Answers effects that go out. A step that does not wait for its effect has ended already."""

    kinds: tuple[str, ...] = ("webhook", "in_app")
    """Which stand for all that `goes_out`: writing an effect needs nobody who can send it."""

    def __init__(self, max_attempts: int, sealing: Sealing) -> None:
        self._max_attempts = max_attempts
        self._sealing = sealing

    async def perform(self, asks: Sequence[Ask]) -> Sequence[Reply]:
        """Write them for a worker to send, all in one statement."""
        new = [NewEffect(ask.instance.id, ask.step_id, ask.effect, ask.trace_id) for ask in asks]
        await enqueue(asks[0].tx, new, max_attempts=self._max_attempts, sealing=self._sealing)
        return [Waiting() for _ in asks]
