"""Actions of the layers below: `runs.enqueue`."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel

from holdfast.actions.model import Call
from holdfast.actions.registry import ActionRegistry
from holdfast.actions.shapes import shown
from holdfast.kernel.given import Given
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["register_runs"]

_SQL = queries("actions")


class Enqueue(Given):
    """A run to enqueue."""

    type: Annotated[
        str, shown("Type", "such as billing.invoice_charge.v1", widget="combobox", suggestions="runs.types")
    ]
    payload: Annotated[Any, shown("Payload", "what the handler is given", widget="json", default_factory=dict)]
    key: Annotated[str | None, shown("Key", "a run with this key is made once", widget="expression", advanced=True)] = (
        None
    )
    priority: Annotated[int, shown("Priority", "higher goes first", advanced=True, ge=-1000, le=1000)] = 0
    run_at: Annotated[datetime | None, shown("Not before", widget="expression", advanced=True)] = None
    delay_seconds: Annotated[float | None, shown("Delay in seconds", advanced=True, ge=0)] = None
    max_attempts: Annotated[int | None, shown("Attempts", advanced=True, ge=1, le=1000)] = None


class Enqueued(BaseModel):
    """The run that was enqueued; `created` is false when the key was known."""

    run_id: UUID
    created: bool


async def enqueue(call: Call, wanted: Enqueue) -> dict[str, Any]:
    """Enqueue a run: it exists if, and only if, this transaction commits."""
    made = await call.hold.runs.enqueue(
        wanted.type,
        _numbers(wanted.payload),
        key=wanted.key,
        priority=wanted.priority,
        run_at=wanted.run_at,
        delay=wanted.delay_seconds,
        max_attempts=wanted.max_attempts,
    )
    return {"run_id": made.id, "created": made.created}


def register_runs(registry: ActionRegistry) -> None:
    """Register the actions of runs."""
    registry.add(
        "runs.enqueue",
        enqueue,
        input=Enqueue,
        output=Enqueued,
        permission="runs:write",
        label="Enqueue a run",
        group="Runs",
    )

    async def types(tx: TenantTx, namespace: str | None, prefix: str) -> list[str]:
        return [row["type"] for row in await tx.rows(_SQL["types"], prefix=prefix)]

    registry.suggests("runs.types", in_use=types, permission="runs:read")


def _numbers(value: Any) -> Any:
    """Payloads are ordinary JSON: a decimal is a number there, too."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {name: _numbers(inner) for name, inner in value.items()}
    return [_numbers(inner) for inner in value] if isinstance(value, list) else value
