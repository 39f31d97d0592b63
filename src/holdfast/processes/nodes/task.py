"""`task`: asks a person to fill in a form."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.people.asking import ask_people
from holdfast.people.resolvers.registry import ResolverRegistry
from holdfast.steps import Ask, Reply

__all__ = ["TaskHandler"]


class TaskHandler:
    """Answers `task` effects: the step waits until somebody has filled in the form."""

    kinds: tuple[str, ...] = ("task",)

    def __init__(self, resolvers: ResolverRegistry) -> None:
        self._resolvers = resolvers

    async def perform(self, asks: Sequence[Ask]) -> Sequence[Reply]:
        """Write the requests."""
        return await ask_people(asks, self._resolvers)
