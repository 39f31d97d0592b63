"""Fixtures of tests of processes."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import Holdfast
from holdfast.actions import Call
from holdfast.envelope.parts import NodeConfig
from holdfast.processes.nodes import Ask, Waiting
from processes.shop import INVOICE, Posted, Shop


class AskConfig(NodeConfig):
    """Waits until a test answers."""

    def outcomes(self) -> tuple[str, ...]:
        return ("completed", "refused", "error")

    def must_handle(self) -> tuple[str, ...]:
        return ("completed",)

    def waits(self) -> bool:
        return True


@pytest.fixture
async def shop(app: Holdfast) -> Shop:
    """`acme` with the document type `invoice`, the action `invoice.post` and the node type `ask`."""
    app.contracts.add(INVOICE)
    made = Shop(app, app.engine_worker())

    @made.action("invoice.post")
    async def post(call: Call, given: Any) -> dict[str, Any]:
        made.posted.append(Posted(call, given))
        return {"posted": True}

    @app.node("ask", config=AskConfig)
    async def ask(given: Ask) -> Waiting:
        made.asked.append(given)
        return Waiting()

    async with app.tenant("acme", actor="ana") as hold:
        await hold.definitions.register(INVOICE)
    return made
