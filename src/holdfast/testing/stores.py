"""The suite that every store of processes passes. Run it over one of your own:

class TestMyStore(WorkflowStoreSuite):
    @pytest.fixture
    async def store(self, clock): ...          # holding the workflow ORDER_APPROVAL
    @pytest.fixture
    async def other_store(self, clock): ...    # the same store as another tenant sees it
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest

from holdfast.errors import Conflict, InvalidInput, NotFound, VersionConflict
from holdfast.kernel.clock import FakeClock
from holdfast.processes.stores import WorkflowStore

__all__ = ["ORDER_APPROVAL", "ORDER_PATCH", "WorkflowStoreSuite"]

ORDER_APPROVAL = "order_approval"
"""The name of the automation the suite starts: an order that is approved or rejected within 72 hours."""

ORDER_PATCH: dict[str, Any] = {
    "nodes": [
        {
            "id": "decided",
            "type": "wait_event",
            "config": {"event_key": "decide", "save_as": "decision", "timeout": "72h"},
        },
        {"id": "late", "type": "script", "config": {"assign": {"escalated": "true"}}},
    ],
    "edges": [
        {"source": "in", "target": "decided"},
        {"source": "decided", "target": "out", "outcome": "completed"},
        {"source": "decided", "target": "late", "outcome": "timeout"},
        {"source": "late", "target": "out"},
    ],
    "exit_edge_mode": "join",
}


class WorkflowStoreSuite:
    """What a store promises."""

    async def test_instance_is_kept_as_it_was_started(self, store: WorkflowStore) -> None:
        made = await store.create(ORDER_APPROVAL, payload={"total": 12}, context={"a": 1}, subject_id="order-7")
        found = await store.get(made.id)
        assert found == made
        assert (found.status, found.version, found.subject_id) == ("running", 1, "order-7")
        assert found.context == {"a": 1}
        assert found.timeout_at is not None

    async def test_what_was_given_is_kept_as_it_was_then(self, store: WorkflowStore) -> None:
        given: dict[str, Any] = {"lines": [1, Decimal("12.50")], "pair": (1, 2)}
        made = await store.create(ORDER_APPROVAL, context=given)
        given["lines"].append("later")
        found = await store.get(made.id)
        assert found.context == {"lines": [1, Decimal("12.50")], "pair": [1, 2]}
        decision = {"by": ["ana"]}
        await store.advance(made.id, "decide", decision)
        decision["by"].append("eve")
        assert (await store.get(made.id)).context["decision"] == {"by": ["ana"]}

    async def test_what_cannot_be_kept_is_refused(self, store: WorkflowStore) -> None:
        made = await store.create(ORDER_APPROVAL)
        for value in ({"a": float("nan")}, {"a": object()}, {"a": "\0"}):
            with pytest.raises(InvalidInput):
                await store.create(ORDER_APPROVAL, payload=value)
            with pytest.raises(InvalidInput):
                await store.advance(made.id, "decide", value)
        with pytest.raises(InvalidInput):
            await store.create(ORDER_APPROVAL, subject_id="x" * 513)
        with pytest.raises(InvalidInput):
            await store.create(ORDER_APPROVAL, context=["not", "an", "object"])  # type: ignore[arg-type] # that is it
        for limit in (0, 1001):
            with pytest.raises(InvalidInput):
                await store.find_expired(limit=limit)
        for limit in (0, 201):
            with pytest.raises(InvalidInput):
                await store.find_active(limit=limit)
        with pytest.raises(InvalidInput):
            await store.find_active(cursor="not one of ours")
        with pytest.raises(InvalidInput):
            await store.find_active(status="completed")
        assert [each.id for each in (await store.find_active()).items] == [made.id]

    async def test_creating_twice_with_one_id_is_creating_once(self, store: WorkflowStore) -> None:
        wanted = uuid4()
        first = await store.create(ORDER_APPROVAL, instance_id=wanted)
        assert await store.create(ORDER_APPROVAL, instance_id=wanted) == first

    async def test_an_id_of_another_workflow_is_a_conflict(self, store: WorkflowStore) -> None:
        wanted = uuid4()
        made = await store.create(ORDER_APPROVAL, instance_id=wanted)
        with pytest.raises(Conflict):
            await store.create("nothing_like_it", instance_id=wanted)
        with pytest.raises(InvalidInput):
            await store.create(ORDER_APPROVAL, instance_id=wanted, payload={"a": object()})
        assert await store.get(wanted) == made

    async def test_changing_what_was_given_out_changes_nothing(self, store: WorkflowStore) -> None:
        made = await store.create(ORDER_APPROVAL, context={"lines": [1]})
        await store.append_event(made.id, "remark", {"words": ["one"]})
        found = await store.get(made.id)
        found.context["lines"].append(2)
        (await store.find_active()).items[0].context["lines"].append(3)
        (await store.events(made.id))[-1].data["words"].append("two")
        assert (await store.get(made.id)).context == {"lines": [1]}
        assert (await store.events(made.id))[-1].data == {"words": ["one"]}

    async def test_unknown_workflow_is_not_found(self, store: WorkflowStore) -> None:
        with pytest.raises(NotFound):
            await store.create("nothing_like_it")

    async def test_advance_moves_it_and_counts(self, store: WorkflowStore) -> None:
        made = await store.create(ORDER_APPROVAL)
        done = await store.advance(made.id, "decide", {"ok": True}, expected_version=made.version)
        assert (done.result, done.version, done.status) == ("advanced", made.version + 1, "completed")
        found = await store.get(made.id)
        assert found.context["decision"] == {"ok": True}
        assert found.completed_at is not None
        assert found.timeout_at is None

    async def test_stale_version_writes_nothing(self, store: WorkflowStore) -> None:
        made = await store.create(ORDER_APPROVAL)
        before = await store.events(made.id)
        with pytest.raises(VersionConflict):
            await store.advance(made.id, "decide", expected_version=made.version + 1)
        assert await store.get(made.id) == made
        assert await store.events(made.id) == before

    async def test_of_many_with_one_version_one_wins(self, store: WorkflowStore) -> None:
        made = await store.create(ORDER_APPROVAL)
        tries = [store.advance(made.id, "decide", {"n": n}, expected_version=made.version) for n in range(8)]
        results = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(not isinstance(each, BaseException) for each in results) == 1
        assert all(isinstance(each, Conflict) for each in results if isinstance(each, BaseException))
        assert (await store.get(made.id)).version == made.version + 1

    async def test_what_cannot_happen_is_a_conflict(self, store: WorkflowStore) -> None:
        made = await store.create(ORDER_APPROVAL)
        with pytest.raises(Conflict):
            await store.advance(made.id, "fly")
        assert await store.get(made.id) == made

    async def test_events_are_appended_in_order(self, store: WorkflowStore) -> None:
        made = await store.create(ORDER_APPROVAL)
        await store.append_event(made.id, "remark", {"text": "looked at it"})
        await store.advance(made.id, "decide")
        told = [each.event for each in await store.events(made.id)]
        assert told == ["instance.started", "remark", "instance.completed"]

    async def test_an_appended_event_is_kept_as_it_was_given(self, store: WorkflowStore, clock: FakeClock) -> None:
        made = await store.create(ORDER_APPROVAL)
        clock.advance(timedelta(minutes=1))
        given: dict[str, Any] = {"amount": Decimal("12.50"), "pair": (1, 2), "large": 10**30}
        await store.append_event(made.id, "looked_at", given)
        given["amount"] = 0
        await store.append_event(made.id, "n" * 128)
        started, looked, bare = await store.events(made.id)
        assert (looked.event, looked.step_id) == ("looked_at", None)
        assert looked.data == {"amount": Decimal("12.50"), "pair": [1, 2], "large": 10**30}
        assert isinstance(looked.data["amount"], Decimal)
        assert (bare.event, bare.data) == ("n" * 128, {})
        assert looked.actor == started.actor == made.created_by
        assert looked.at - started.at == timedelta(minutes=1)
        assert await store.get(made.id) == made  # A remark moves nothing.
        await store.advance(made.id, "decide")
        await store.append_event(made.id, "filed")
        assert [each.event for each in await store.events(made.id)][-2:] == ["instance.completed", "filed"]

    async def test_what_is_no_event_is_not_appended(self, store: WorkflowStore, clock: FakeClock) -> None:
        made = await store.create(ORDER_APPROVAL)
        before = await store.events(made.id)
        own = (
            "instance.completed",
            "approval.decided",
            "Instance.completed",
            " instance.completed",
            "\uff49nstance.completed",
        )
        for name in ("", "n" * 129, "a\0b", *own):
            with pytest.raises(InvalidInput):
                await store.append_event(made.id, name)
        odd: list[Any] = [
            {"a": float("nan")},
            {"a": Decimal("NaN")},
            {"a": clock.now()},
            {"a": object()},
            {"a": "\0"},
            [1],
            "text",
        ]
        for data in odd:
            with pytest.raises(InvalidInput):
                await store.append_event(made.id, "remark", data)
        with pytest.raises(NotFound):
            await store.append_event(uuid4(), "remark")
        assert await store.events(made.id) == before

    async def test_events_tell_what_happened_and_where(self, store: WorkflowStore) -> None:
        made = await store.create(ORDER_APPROVAL)
        await store.advance(made.id, "decide", {"ok": True})
        started, completed = await store.events(made.id)
        assert (started.data["happening"], completed.data["happening"]) == ("started", "event_arrived")
        assert (completed.data["status"], completed.data["count"]) == ("completed", len(completed.data["steps"]))
        assert completed.step_id == completed.data["steps"][0]["node"]
        assert completed.data["seq"] > started.data["seq"]

    async def test_another_tenant_finds_nothing(self, store: WorkflowStore, other_store: WorkflowStore) -> None:
        made = await store.create(ORDER_APPROVAL)
        for act in (other_store.get, other_store.events):
            with pytest.raises(NotFound):
                await act(made.id)
        with pytest.raises(NotFound):
            await other_store.advance(made.id, "decide")
        with pytest.raises(NotFound):
            await other_store.append_event(made.id, "remark")
        assert (await other_store.find_active()).items == []

    async def test_active_ones_are_found_page_by_page(self, store: WorkflowStore) -> None:
        made = [await store.create(ORDER_APPROVAL, subject_id=f"order-{number}") for number in range(5)]
        await store.advance(made[2].id, "decide")
        seen: list[UUID] = []
        cursor = None
        while True:
            page = await store.find_active(workflow_id=ORDER_APPROVAL, limit=2, cursor=cursor)
            assert len(page.items) <= 2
            seen += [each.id for each in page.items]
            cursor = page.next_cursor
            if cursor is None:
                break
        assert seen == [each.id for each in reversed(made) if each is not made[2]]
        assert [each.id for each in (await store.find_active(subject_id="order-3")).items] == [made[3].id]
        assert (await store.find_active(workflow_id="other")).items == []
        assert len((await store.find_active(status="running")).items) == 4

    async def test_newest_first_is_by_when_it_was_started(self, store: WorkflowStore, clock: FakeClock) -> None:
        made = []
        for wanted in (UUID(int=2**127), UUID(int=1), None, UUID(int=2**126)):
            clock.advance(timedelta(seconds=1))
            made.append((await store.create(ORDER_APPROVAL, instance_id=wanted)).id)
        page = await store.find_active(limit=3)
        rest = await store.find_active(limit=3, cursor=page.next_cursor)
        assert [each.id for each in (*page.items, *rest.items)] == made[::-1]
        assert rest.next_cursor is None

    async def test_expired_ones_are_found_and_let_go_on(self, store: WorkflowStore, clock: FakeClock) -> None:
        first = await store.create(ORDER_APPROVAL)
        clock.advance(timedelta(hours=1))
        second = await store.create(ORDER_APPROVAL)
        assert await store.find_expired() == []
        clock.advance(timedelta(hours=71))
        assert [each.id for each in await store.find_expired()] == [first.id]
        assert await store.expire() == 1
        ended = await store.get(first.id)
        assert (ended.status, ended.context["escalated"]) == ("completed", True)
        assert (await store.get(second.id)).status == "running"
        assert await store.find_expired() == []
