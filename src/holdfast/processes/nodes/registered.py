"""The application's registry of actions, as processes call it: one verb, whoever says it.

A call is part of the step's transaction and is made as the step's `run_as` says, with that actor's permissions. Its
idempotency key is the step's own, so a step that is done again finds the answer that was recorded instead of writing
twice. What an action refuses is the outcome `error` of the step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast.actions import ActionRegistry
from holdfast.actions import Actions as RegistryCalls
from holdfast.kernel.json import plain
from holdfast.processes.nodes.action import ActionCall

__all__ = ["RegisteredActions"]


class RegisteredActions:
    """An `ActionPort` over `app.actions`."""

    def __init__(self, registry: ActionRegistry) -> None:
        self._registry = registry

    def __contains__(self, name: object) -> bool:
        return name in self._registry

    def __iter__(self) -> Iterator[str]:
        return (action.name for action in self._registry)

    async def call(self, call: ActionCall) -> Any:
        """Call the action in the step's transaction; its output is the step's result."""
        return await RegistryCalls(self._registry, call.tx).call(
            call.name,
            plain(call.input),
            key=call.key,
            instance_id=call.instance.id,
            step=str(call.step_id),
        )
