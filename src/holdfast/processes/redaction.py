"""What people see of processes: to those who do not see all of a document, nothing that was made from its content.

A process keeps values beside its document: variables, inputs and outputs of steps, why an edge was taken, what people
wrote. `processes:read` shows where an instance stands, who did what and when; the values need the right to read the
document as it stands, with nothing masked (`documents.access`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from holdfast.documents import Access
from holdfast.envelope.tokens import Reason, Wait
from holdfast.processes.model import Instance, Step

__all__ = ["Redaction"]

_TOKEN = ("id", "node", "state")


class Redaction:
    """Takes values out of what the actor of one transaction may not see."""

    def __init__(self, access: Access) -> None:
        self._access = access

    async def instances(self, found: Sequence[Instance]) -> list[Instance]:
        """Instances, those without their values whose document the actor does not see."""
        wanted = {each.document_id: each.entity_type for each in found if each.document_id is not None}
        seen = await self._access.seeing(wanted)
        await self._access.note_read(seen, "process")
        return [each if self._sees(each, seen) else _bare(each) for each in found]

    async def instance(self, found: Instance) -> Instance:
        """The same for one."""
        return (await self.instances([found]))[0]

    async def steps(self, instance_id: UUID, found: Sequence[Step]) -> list[Step]:
        """The steps of an instance."""
        return list(found) if await self._open(instance_id) else [_bare_step(each) for each in found]

    async def waits(self, instance_id: UUID, found: Sequence[Wait]) -> Sequence[Wait]:
        """What the tokens of an instance wait for: keys of events and messages of errors are made from content."""
        if await self._open(instance_id):
            return found
        return [
            replace(each, text="something", event_key=None, params={}) if each.kind in ("event", "operator") else each
            for each in found
        ]

    async def reasons(self, instance_id: UUID, found: Sequence[Reason]) -> Sequence[Reason]:
        """Why edges were taken: a reason quotes the values it was found with."""
        if await self._open(instance_id):
            return found
        return [replace(each, because="", params={}) for each in found]

    def _sees(self, instance: Instance, seen: set[UUID]) -> bool:
        if instance.document_id is None:
            return self._access.sees_automation(instance.created_by)
        return instance.document_id in seen

    async def _open(self, instance_id: UUID) -> bool:
        return instance_id in await self._access.instances_seen([instance_id], "process")


def _bare(instance: Instance) -> Instance:
    tokens = tuple({name: token[name] for name in _TOKEN if name in token} for token in instance.active_tokens)
    rejection: Any = instance.rejection and {**instance.rejection, "reason": None}
    return replace(instance, reason=None, context={}, active_tokens=tokens, rejection=rejection, redacted=True)


def _bare_step(step: Step) -> Step:
    error = None if step.error is None else {"code": step.error.get("code")}
    return replace(step, input={}, output={}, error=error, waiting_for_event_key=None, redacted=True)
