"""A tenant with invoices: a document type, processes for it, and a worker that does what is due."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID

from harness.waiting import until
from holdfast import Holdfast
from holdfast.actions import Call
from holdfast.documents import Document
from holdfast.envelope import Contract
from holdfast.envelope.tokens import Happening, Position, Settled
from holdfast.processes.model import Happened, Instance, Step
from holdfast.processes.nodes import Ask
from holdfast.processes.rows import position_of
from holdfast.processes.worker import EngineWorker

INVOICE = Contract(
    entity_type="invoice",
    document={
        "type": "object",
        "properties": {
            "number": {"type": "string"},
            "grand_total": {"type": "string", "format": "decimal"},
            "vendor": {"type": "string"},
            "posted": {"type": "boolean"},
            "lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
        },
    },
)

Patch = Mapping[str, Any]
F = TypeVar("F", bound=Callable[[Call, Any], Awaitable[Any]])


def nodes(*given: tuple[str, str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Nodes from (id, type, config)."""
    return [{"id": name, "type": kind, "config": dict(config)} for name, kind, config in given]


def ways(*given: str) -> list[dict[str, Any]]:
    """Edges from `a -> b` or `a -outcome-> b`."""
    edges = []
    for text in given:
        source, _, rest = text.partition(" -")
        outcome, _, target = rest.partition("> ")
        edges.append({"source": source, "target": target, "outcome": outcome.rstrip("-") or None})
    return edges


@dataclass(frozen=True)
class Posted:
    """A call of `invoice.post`."""

    call: Call
    given: Any


@dataclass
class Shop:
    """A tenant with invoices, and a process for them."""

    app: Holdfast
    worker: EngineWorker
    posted: list[Posted] = field(default_factory=list)
    asked: list[Ask] = field(default_factory=list)

    def action(self, name: str) -> Callable[[F], F]:
        """Register an action of any input and output."""
        return self.app.action(name, output={}, permission="documents:read")

    async def publish(self, patches: Mapping[str, Patch], entity_type: str = "invoice") -> None:
        """Publish patches for the document type."""
        async with self.app.tenant("acme", actor="ana") as hold:
            draft = await hold.definitions.create_draft(entity_type, patches)
            await hold.definitions.publish(draft.id)

    async def automation(self, name: str, patch: Patch) -> None:
        """Publish an automation."""
        async with self.app.tenant("acme", actor="ana") as hold:
            draft = await hold.definitions.create_automation(name, patch)
            await hold.definitions.publish(draft.id)

    async def invoice(self, **data: Any) -> Document:
        """A new invoice whose process has begun."""
        async with self.app.tenant("acme", actor="ana") as hold:
            made = await hold.documents.create(
                "invoice", {"number": "7", "grand_total": "12500.00", "vendor": "acme", **data}
            )
        await self.worker.drain()
        return made

    async def submit(self, document: Document, *, work: bool = True) -> UUID:
        """Submit it, and let a worker do what only workers do; the id of its process."""
        async with self.app.tenant("acme", actor="ana") as hold:
            await hold.documents.transition(document.id, "submit")
            found = (await hold.processes.of_document(document.id)).id
        if work:
            await self.worker.drain()
        return found

    async def steps(self, instance_id: UUID) -> list[Step]:
        """Every step of an instance."""
        async with self.app.tenant("acme") as hold:
            return (await hold.processes.steps(instance_id)).items

    async def trail(self, instance_id: UUID) -> list[tuple[str, str, str | None]]:
        """(node, status, outcome) of every step."""
        steps = await self.steps(instance_id)
        return [(step.node_id.split(":")[-1], step.status, step.outcome) for step in steps]

    async def instance(self, instance_id: UUID) -> Instance:
        """An instance as it stands."""
        async with self.app.tenant("acme") as hold:
            return await hold.processes.get(instance_id)

    async def position(self, instance_id: UUID) -> Position:
        """Where it stands, from its projection."""
        async with self.app.tenant("acme") as hold:
            cursor = await hold.connection.execute(
                "SELECT state::text, active_tokens::text FROM holdfast.workflow_instances WHERE id = %s", [instance_id]
            )
            row = await cursor.fetchone()
            assert row is not None
            return position_of(*row)

    async def happen(self, instance_id: UUID, happening: Happening, *, now: bool = True) -> Happened:
        """Let something happen to it; at once, with what only workers do, or by a worker that comes later."""
        async with self.app.tenant("acme", actor="ana") as hold:
            tx = hold.documents._tx
            done = await self.app.assembly.engine.happen(tx, instance_id, happening, now=now)
        if now:
            await self.worker.drain()
        return done

    async def answer(self, ask: Ask, outcome: str = "completed", *, now: bool = True, result: Any = None) -> Happened:
        """Answer something that a step of type `ask` waits for."""
        happening = Settled(ask.effect.token, outcome, result, key=ask.effect.step)
        return await self.happen(ask.instance.id, happening, now=now)

    async def over(self, instances: Iterable[UUID], *, seconds: float = 30) -> None:
        """Wait until workers have brought instances to their end."""

        async def they_are() -> bool:
            return "running" not in [(await self.instance(each)).status for each in waiting]

        waiting = list(instances)
        await until(they_are, seconds)

    async def matches_its_steps(self, instance_id: UUID) -> bool:
        """Whether the projection is what the steps say (WF-15)."""
        async with self.app.tenant("acme") as hold:
            return (await hold.processes.repair.check_projection(instance_id)).differed == ()


def passing(*given: tuple[str, str, Mapping[str, Any]], edges: list[dict[str, Any]], **more: Any) -> dict[str, Patch]:
    """Patches for the region between submitting and approving; the last step approves in the process's name."""
    approve = ("pass", "action", {"action": "process.approve"})
    return {
        "slot:submitted_to_approved": {
            "nodes": nodes(*given, approve),
            "edges": [*edges, {"source": "pass", "target": "out"}],
            **more,
        }
    }
