"""`approval`: asks people to decide on the document as it stands; also what a gate asks that finds no decision."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.people.asking import ask_people
from holdfast.people.resolvers.registry import ResolverRegistry
from holdfast.steps import Ask, Reply

__all__ = ["ApprovalHandler"]


class ApprovalHandler:
    """Answers `approval` effects: the step waits until its request is decided."""

    kinds: tuple[str, ...] = ("approval",)

    def __init__(self, resolvers: ResolverRegistry) -> None:
        self._resolvers = resolvers

    async def perform(self, asks: Sequence[Ask]) -> Sequence[Reply]:
        """Write the requests."""
        return await ask_people(asks, self._resolvers)
