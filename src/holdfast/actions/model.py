"""An action: a verb with a name, typed input and output, the permission it needs, and whether it changes anything."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from uuid import UUID

from holdfast.kernel.actor import Actor
from holdfast.kernel.schemas import SchemaProblem
from holdfast.postgres.tenant import TenantTx

__all__ = ["Action", "Call", "Shape", "Suggestion"]


@dataclass(frozen=True)
class Call:
    """One call of an action: in which transaction, by whom, on whose behalf, under which key.

    Whatever an action does through `tx` or `hold` is part of that transaction. `run_id`, or `instance_id` and `step`,
    name the run or the step of a process that calls; `document_id` is the document of that process.

    For example:

        @app.action("billing.remind", input=Reminder, output=Sent, permission="documents:write")
        async def remind(call: Call, reminder: Reminder) -> Sent:
            await call.hold.runs.enqueue("billing.mail.v1", {"invoice": reminder.invoice})
            return Sent(by=call.actor.name)
    """

    id: UUID
    action: str
    tx: TenantTx
    key: str | None = None
    run_id: UUID | None = None
    instance_id: UUID | None = None
    document_id: UUID | None = None
    step: str | None = None
    opener: Callable[[TenantTx], Any] | None = field(default=None, repr=False, compare=False)

    @property
    def actor(self) -> Actor:
        return self.tx.actor

    @cached_property
    def hold(self) -> Any:
        """The `Hold` of the transaction: `call.hold.data`, `call.hold.runs` and the others."""
        if self.opener is None:
            raise RuntimeError("this call has no application around it; use call.tx")
        return self.opener(self.tx)


class Shape:
    """The type of an input or an output: how to check it, and its JSON Schema for forms, tools and documentation."""

    schema: dict[str, Any]

    def read(self, field_name: str, value: Any) -> Any:
        """Check what a caller gave, and convert it to what the action takes; raises `InvalidInput`."""
        raise TypeError(f"{type(self).__name__} cannot read {field_name}")

    def problems(self, value: Any) -> Sequence[SchemaProblem]:
        """Everything that `read` would refuse of a value, with its place; for whoever checks before anybody calls."""
        raise TypeError(f"{type(self).__name__} cannot check a {type(value).__name__}")

    async def taken(self, field_name: str, value: Any) -> Any:
        """The same, beside the event loop when it takes long."""
        return self.read(field_name, value)

    def plain(self, value: Any) -> Any:
        """What an action gave, as plain JSON values with exact numbers."""
        raise TypeError(f"{type(self).__name__} cannot write a {type(value).__name__}")


Function = Callable[[Call, Any], Awaitable[Any]]


@dataclass(frozen=True)
class Action:
    """A registered verb."""

    name: str
    function: Function
    input: Shape
    output: Shape
    permission: str
    side_effect: bool
    label: str
    description: str
    group: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A value that a field suggests; any other is welcome too."""

    value: str
    curated: bool
    in_use: bool
    label: str | None = None
    """What people call it, when that is something else."""
