"""Both stores pass the suite that is given to users."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from holdfast import Holdfast
from holdfast.envelope import automation_skeleton, compile_effective
from holdfast.envelope.tokens import Machine
from holdfast.errors import Conflict
from holdfast.kernel.actor import SYSTEM
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.stores import MemoryWorkflowStore, PostgresWorkflowStore
from holdfast.testing import FakeClock
from holdfast.testing.stores import ORDER_APPROVAL, ORDER_PATCH, WorkflowStoreSuite


class TestMemory(WorkflowStoreSuite):
    @pytest.fixture
    def clock(self, holdfast_clock: FakeClock) -> FakeClock:
        return holdfast_clock

    @pytest.fixture
    def store(self, clock: FakeClock) -> MemoryWorkflowStore:
        skeleton = automation_skeleton(ORDER_APPROVAL)
        machine = Machine(compile_effective(skeleton, {"slot:main": ORDER_PATCH}), skeleton.scope())
        return MemoryWorkflowStore({ORDER_APPROVAL: machine}, clock)

    @pytest.fixture
    def other_store(self, clock: FakeClock) -> MemoryWorkflowStore:
        return MemoryWorkflowStore({}, clock)


class TestPostgres(WorkflowStoreSuite):
    @pytest.fixture
    def clock(self, holdfast_clock: FakeClock) -> FakeClock:
        return holdfast_clock

    @pytest.fixture
    async def store(self, app: Holdfast) -> PostgresWorkflowStore:
        async with app.tenant("acme", actor="ana") as hold:
            draft = await hold.definitions.create_automation(ORDER_APPROVAL, ORDER_PATCH)
            await hold.definitions.publish(draft.id)
        return _store(app, "acme")

    @pytest.fixture
    def other_store(self, app: Holdfast) -> PostgresWorkflowStore:
        return _store(app, "globex")


def _store(app: Holdfast, slug: str) -> PostgresWorkflowStore:
    @asynccontextmanager
    async def opens() -> AsyncIterator[TenantTx]:
        tenant = await app.database.tenant(slug)
        async with app.database.transaction(tenant, SYSTEM, app.clock) as tx:
            yield tx

    return PostgresWorkflowStore(opens, app.assembly.engine, app.engine_worker())


async def test_an_action_that_refuses_is_an_outcome_in_memory_too(holdfast_clock: FakeClock) -> None:
    def refuse(_: Mapping[str, Any]) -> None:
        raise Conflict("not today", hint="tomorrow")

    skeleton = automation_skeleton("posting")
    patch = {
        "nodes": [{"id": "post", "type": "action", "config": {"action": "post"}}],
        "edges": [{"source": "in", "target": "post"}, {"source": "post", "target": "out"}],
    }
    machine = Machine(compile_effective(skeleton, {"slot:main": patch}), skeleton.scope())
    store = MemoryWorkflowStore({"posting": machine}, holdfast_clock, actions={"post": refuse})
    made = await store.create("posting")
    assert made.status == "paused"
    (token,) = made.active_tokens
    assert token["step"]["error"] == {"code": "conflict", "message": "not today", "hint": "tomorrow"}
