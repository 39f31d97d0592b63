"""Both stores pass the suite that is given to users."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import pytest

from holdfast import Holdfast
from holdfast.actions import Call
from holdfast.envelope import automation_skeleton, compile_effective
from holdfast.envelope.tokens import Machine
from holdfast.errors import Conflict, Forbidden
from holdfast.processes.stores import MemoryWorkflowStore, PostgresWorkflowStore, WorkflowStore
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
        return PostgresWorkflowStore.of(app, "acme")

    @pytest.fixture
    def other_store(self, app: Holdfast) -> PostgresWorkflowStore:
        return PostgresWorkflowStore.of(app, "globex")


def posting_machine(action: str) -> Machine:
    skeleton = automation_skeleton("posting")
    return Machine(compile_effective(skeleton, {"slot:main": posting_patch(action)}), skeleton.scope())


def posting_patch(action: str) -> dict[str, Any]:
    """Acts, waits, and acts again."""
    return {
        "nodes": [
            {"id": "post", "type": "action", "config": {"action": action, "save_as": "first"}},
            {"id": "wait", "type": "wait_event", "config": {"event_key": "go"}},
            {"id": "again", "type": "action", "config": {"action": action, "save_as": "second"}},
        ],
        "edges": [
            {"source": "in", "target": "post"},
            {"source": "post", "target": "wait"},
            {"source": "wait", "target": "again"},
            {"source": "again", "target": "out"},
        ],
    }


async def told_by(store: WorkflowStore) -> list[Any]:
    """Everything one can see of an instance that acts on its way, but ids and times."""
    made = await store.create("posting", payload={"a": 1}, context={"b": 2}, subject_id="s")
    seen: list[Any] = []
    for _ in range(2):
        await store.expire()  # A worker comes by; in memory it is always there.
        found = asdict(await store.get(made.id))
        for name in ("id", "definition_id", "compiled_hash", "definition_version"):
            del found[name]
        tokens = [{name: token[name] for name in ("id", "node", "state")} for token in found.pop("active_tokens")]
        seen += [found, tokens]
        seen += [
            (each.event, each.actor, each.step_id, [step["node"] for step in each.data["steps"]], each.data["seq"])
            for each in await store.events(made.id)
        ]
        try:
            done = await store.advance(made.id, "go", {"c": 3})
            seen.append(done.result)
        except Conflict as refused:
            seen.append((refused.message, refused.hint))
    return seen


@pytest.mark.parametrize("action", ["posting.post", "posting.unheard_of"])
async def test_a_process_that_acts_looks_the_same_in_both_stores(
    app: Holdfast, holdfast_clock: FakeClock, action: str
) -> None:
    @app.action("posting.post", permission="documents:read")
    async def post(call: Call, given: Any) -> dict[str, int]:
        return {"n": 1}

    async with app.tenant("acme", actor="ana") as hold:
        draft = await hold.definitions.create_automation("posting", posting_patch(action))
        await hold.definitions.publish(draft.id)
    memory = MemoryWorkflowStore(
        {"posting": posting_machine(action)}, holdfast_clock, actions={"posting.post": lambda _: {"n": 1}}, actor="ana"
    )
    assert await told_by(memory) == await told_by(PostgresWorkflowStore.of(app, "acme", actor="ana"))


async def test_a_store_acts_as_the_user_it_is_made_for(app: Holdfast) -> None:
    async with app.tenant("acme", actor="ana") as hold:
        await hold.users.create("vic", roles=["viewer"])
        draft = await hold.definitions.create_automation(ORDER_APPROVAL, ORDER_PATCH)
        await hold.definitions.publish(draft.id)
    made = await PostgresWorkflowStore.of(app, "acme", actor="ana").create(ORDER_APPROVAL)
    assert made.created_by == "user:ana"
    seen = PostgresWorkflowStore.of(app, "acme", actor="vic")
    assert (await seen.get(made.id)).id == made.id
    for act in (seen.create(ORDER_APPROVAL), seen.advance(made.id, "decide"), seen.append_event(made.id, "remark")):
        with pytest.raises(Forbidden):
            await act


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
