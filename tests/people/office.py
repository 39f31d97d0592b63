"""What tests of people share: an office full of them, and an invoice that somebody must approve."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from holdfast.app import Hold, Holdfast
from holdfast.documents import Document
from holdfast.people import Decided, Request
from processes.shop import Shop, nodes, ways

PEOPLE = ("ben", "cat", "dan", "eve")
SLOT = "slot:submitted_to_approved"


@dataclass
class Office:
    """A shop with people: ana asks, ben, cat and dan are finance managers, eve is a stranger who may approve."""

    shop: Shop

    @property
    def app(self) -> Holdfast:
        return self.shop.app

    @asynccontextmanager
    async def acting(self, name: str) -> AsyncIterator[Hold]:
        async with self.app.tenant("acme", actor=name) as hold:
            yield hold

    async def publish(
        self, config: Mapping[str, Any], *, kind: str = "approval", outcomes: tuple[str, ...] = ()
    ) -> None:
        """One step between submitting and the gate."""
        named = outcomes or ("approved", "rejected")
        edges = ways("in -> ask", *(f"ask -{outcome}-> out" for outcome in named))
        await self.shop.publish(
            {SLOT: {"nodes": nodes(("ask", kind, config)), "edges": edges, "exit_edge_mode": "join"}}
        )

    async def asked(self, **data: Any) -> tuple[Document, UUID, Request]:
        """A submitted invoice, its instance, and the request that is open."""
        document = await self.shop.invoice(**data)
        instance = await self.shop.submit(document)
        await self.shop.worker.drain()
        return document, instance, await self.open_request(instance)

    async def requests(self, instance: UUID) -> list[Request]:
        async with self.app.tenant("acme") as hold:
            return (await hold.approvals.list(instance_id=instance)).items

    async def open_request(self, instance: UUID) -> Request:
        (found,) = [request for request in await self.requests(instance) if request.status == "open"]
        return found

    async def decide(self, name: str, request: Request | UUID, decision: Any = "approved", **more: Any) -> Decided:
        request_id = request if isinstance(request, UUID) else request.id
        async with self.acting(name) as hold:
            return await hold.approvals.decide(request_id, decision, **more)

    async def status(self, document: Document) -> str:
        await self.shop.worker.drain()
        async with self.app.tenant("acme") as hold:
            return (await hold.documents.get(document.id)).doc_status


FINANCE = {"approvers": [{"kind": "role", "role": "finance_manager"}]}
