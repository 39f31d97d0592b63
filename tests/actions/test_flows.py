"""The flows that the data store is for: mirroring records, dedup, counters, cursors."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from holdfast import Hold, Holdfast
from holdfast.errors import RevisionMismatch

MIRROR = "project-task-mirror"


def task(number: str) -> dict[str, str]:
    return {"type": "project_task", "id": number}


async def link(hold: Hold, here: str, there: str, **more: Any) -> Any:
    given = {"namespace": MIRROR, "from": task(here), "to": task(there), "relation": "mirrors", **more}
    return await hold.actions.call("links.upsert", given)


async def matches(hold: Hold, of: str, direction: str = "forward") -> list[str]:
    given = {"namespace": MIRROR, "from": task(of), "direction": direction, "relation": "mirrors"}
    return [match["id"] for match in (await hold.actions.call("links.lookup", given))["matches"]]


async def test_one_run_leaves_a_link_that_a_later_one_finds(app: Holdfast) -> None:
    """The cross-project mirror: set up by one run, used by others, in both directions, with fan-out."""
    tasks = {"b1": "new", "b2": "new", "a1": "new"}
    async with app.tenant("acme", actor="ana") as hold:
        assert (await link(hold, "a1", "b1", attributes={"fieldMap": {"title": "title"}}))["created"]
        assert (await link(hold, "a1", "b2"))["created"]
        assert not (await link(hold, "a1", "b1"))["created"]
    async with app.tenant("acme", actor="ana") as hold:
        for mirrored in await matches(hold, "a1"):
            tasks[mirrored] = "done"
        assert tasks == {"b1": "done", "b2": "done", "a1": "new"}
        assert await matches(hold, "b2", "reverse") == ["a1"]
        assert await matches(hold, "nobody") == []
        # Two workflows connect one pair in two ways.
        await hold.actions.call(
            "links.upsert", {"namespace": MIRROR, "from": task("a1"), "to": task("b1"), "relation": "blocks"}
        )
        assert await matches(hold, "a1") == ["b1", "b2"]
        given = {"namespace": MIRROR, "from": task("a1"), "to": task("b1")}
        assert (await hold.actions.call("links.delete", given))["deleted_count"] == 2
        assert await matches(hold, "a1") == ["b2"]
    async with app.tenant("globex", actor="ana") as hold:
        assert await matches(hold, "a1") == []
        assert await hold.actions.call("links.list_namespaces") == {"namespaces": [], "next_cursor": None}


async def test_dedup_a_reminder_is_sent_once(app: Holdfast) -> None:
    sent = []

    async def remind(invoice: str) -> None:
        async with app.tenant("acme") as hold:
            flag = {"namespace": "invoice-dunning-sent", "key": invoice, "value": True, "if_revision": 0}
            try:
                await hold.actions.call("store.set", flag)
            except RevisionMismatch as already:
                assert already.code == "revision_mismatch"  # noqa: PT017 - most of them
                return
        sent.append(invoice)

    await asyncio.gather(*(remind("inv-1") for _ in range(10)), remind("inv-2"))
    assert sorted(sent) == ["inv-1", "inv-2"]


async def test_counter(app: Holdfast) -> None:
    given = {"namespace": "tenant-onboarding", "key": "welcome-emails", "by": 1}

    async def count() -> int:
        async with app.tenant("acme") as hold:
            return int((await hold.actions.call("store.increment", given))["value"])

    assert sorted(await asyncio.gather(*(count() for _ in range(12)))) == list(range(1, 13))


async def test_cursor(app: Holdfast) -> None:
    place = {"namespace": "sync-cursor", "key": "erp"}
    seen: list[str | None] = []
    for last in ("2026-06-04T00:00:00Z", "2026-06-05T00:00:00Z"):
        async with app.tenant("acme") as hold:
            known = await hold.actions.call("store.get", place)
            seen.append(known["value"])
            await hold.actions.call("store.set", place | {"value": last, "if_revision": known["revision"] or 0})
    assert seen == [None, "2026-06-04T00:00:00Z"]


async def test_a_value_set_earlier_in_a_run_is_there_later_in_it(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        payload = {"event": "PROJECT_TASK_UPDATED", "task": {"id": "a1", "tags": ["x"], "hours": 1.5}}
        await hold.actions.call("store.set", {"namespace": "last", "key": "payload", "value": payload})
        assert (await hold.actions.call("store.get", {"namespace": "last", "key": "payload"}))["value"] == payload
        listed = await hold.actions.call("store.list", {"namespace": "last", "prefix": "pay"})
        assert [item["key"] for item in listed["items"]] == ["payload"]
        assert (await hold.actions.call("store.list_namespaces"))["namespaces"] == [
            {"namespace": "last", "key_count": 1}
        ]
        assert await hold.actions.call("store.delete", {"namespace": "last", "key": "payload"}) == {"deleted": True}


async def test_what_is_stored_outlives_the_run_that_stored_it(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        made = await hold.runs.enqueue("test.work.v1")
        await hold.actions.call("store.set", {"namespace": "n", "key": "k", "value": 1}, run_id=made.id)
        await hold.runs.delete(made.id, reason="old")
    async with app.tenant("acme") as hold:
        entry = await hold.data.get("n", "k")
        assert entry is not None
        assert entry.created_by_run_id == made.id


@pytest.mark.parametrize("name", ["store.set", "links.upsert"])
async def test_a_failed_transaction_stores_nothing(app: Holdfast, name: str) -> None:
    given = {
        "store.set": {"namespace": "n", "key": "k", "value": 1},
        "links.upsert": {"namespace": "n", "from": task("1"), "to": task("2")},
    }[name]
    with pytest.raises(ZeroDivisionError):
        async with app.tenant("acme") as hold:
            await hold.actions.call(name, given, key="once")
            raise ZeroDivisionError
    async with app.tenant("acme") as hold:
        assert (await hold.data.list_namespaces()).namespaces == []
        assert (await hold.links.list_namespaces()).namespaces == []
        assert (await hold.actions.call(name, given, key="once"))["created"]
