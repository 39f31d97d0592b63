"""Lists of what is large end early, and say so: a page of two hundred documents of 8 MB each would be no answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from holdfast import Contract, Holdfast, Page
from holdfast.kernel import page
from holdfast.kernel.page import PAGE_CHARACTERS, read_in_windows

NOTE = Contract(entity_type="note", document={"type": "object", "properties": {"text": {"type": "string"}}})
COUNT = 30
LARGE = 1_500_000


@pytest.fixture
async def filled(app: Holdfast) -> Holdfast:
    """As many documents as make 45 MB, and one with as many versions."""
    app.contracts.add(NOTE)
    async with app.tenant("acme") as hold:
        await hold.definitions.register(NOTE)
        await hold.users.create("cleo", roles=["approver"])
    async with app.tenant("acme", actor="cleo") as hold:
        made = [await hold.documents.create("note", {"text": "x" * LARGE}) for _ in range(COUNT)]
    for number in range(COUNT - 1):
        async with app.tenant("acme", actor="cleo") as hold:
            text = f"{number}" + "y" * LARGE
            await hold.documents.update(made[0].id, {"text": text}, expected_version=number + 1)
    return app


async def read_all(listed: Callable[[str | None], Awaitable[Page[Any]]]) -> tuple[list[Any], int]:
    """Everything, page by page; and how much the largest page held."""
    found: list[Any] = []
    cursor, largest = None, 0
    while True:
        page = await listed(cursor)
        largest = max(largest, sum(len(each.data["text"]) for each in page.items))
        found += page.items
        cursor = page.next_cursor
        if cursor is None:
            return found, largest


@pytest.mark.parametrize("who", ["ana", "cleo"])
async def test_a_page_of_large_documents_ends_early(filled: Holdfast, who: str) -> None:
    async with filled.tenant("acme", actor=who) as hold:

        async def documents(cursor: str | None) -> Page[Any]:
            return await hold.documents.list("note", limit=200, cursor=cursor)

        async def in_status(cursor: str | None) -> Page[Any]:
            return await hold.documents.list("note", doc_status="draft", limit=200, cursor=cursor)

        (newest, *_) = (await hold.documents.list("note", limit=1)).items
        for listed in (documents, in_status):
            found, largest = await read_all(listed)
            assert len({each.id for each in found}) == len(found) == COUNT
            assert found[0].id == newest.id
            assert largest < PAGE_CHARACTERS + 2 * LARGE


async def test_a_page_of_large_versions_ends_early(filled: Holdfast) -> None:
    async with filled.tenant("acme", actor="ana") as hold:
        oldest = (await read_all(lambda cursor: hold.documents.list("note", limit=200, cursor=cursor)))[0][-1]
        found, largest = await read_all(lambda cursor: hold.documents.versions(oldest.id, limit=200, cursor=cursor))
    assert [each.version for each in found] == [*range(COUNT, 0, -1)]
    assert largest < PAGE_CHARACTERS + 2 * LARGE


async def test_pages_of_runs_and_effects_end_early(app: Holdfast) -> None:
    large = {"text": "x" * 900_000}
    async with app.tenant("acme") as hold:
        for _ in range(COUNT):
            await hold.runs.enqueue("work.x.v1", large)
            await hold.actions.call("http.request", {"url": "https://erp.example/", "body": large})
            await hold.outbox.publish("thing.happened", large)
    async with app.tenant("acme") as hold:
        pages: list[tuple[Callable[..., Awaitable[Page[Any]]], Callable[[Any], str]]] = [
            (hold.runs.list, lambda each: each.payload["text"]),
            (hold.effects.list, lambda each: each.payload["body"]["text"]),
            (hold.outbox.list, lambda each: each.data["text"]),
        ]
        for listed, content in pages:
            found: list[Any] = []
            cursor = None
            while True:
                some = await listed(limit=200, cursor=cursor)
                assert sum(len(content(each)) for each in some.items) < PAGE_CHARACTERS + 2 * LARGE
                found += some.items
                cursor = some.next_cursor
                if cursor is None:
                    break
            assert len({each.id for each in found}) == len(found) == COUNT


@pytest.mark.parametrize(("sizes", "asked"), [([10] * 50, 41), ([9] * 8, 41), ([10] * 3, 3), ([10] * 100, 60), ([], 5)])
async def test_what_is_small_is_read_in_two_windows(sizes: list[int], asked: int) -> None:
    windows: list[int] = []
    rows = [{"place": place, "text": "x" * size} for place, size in enumerate(sizes)]

    async def read(last: dict[str, Any] | None, most: int) -> list[dict[str, Any]]:
        windows.append(most)
        begin = 0 if last is None else last["place"] + 1
        return rows[begin : begin + most]

    found, more = await read_in_windows(read, asked, "text")
    assert found == rows[:asked]
    assert more is (len(rows) >= asked)
    assert len(windows) <= 2


async def test_one_that_is_longer_than_a_page_is_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "PAGE_CHARACTERS", 100)
    rows = [{"place": place, "text": "x" * 1000, "more": None} for place in range(20)]

    async def read(last: dict[str, Any] | None, most: int) -> list[dict[str, Any]]:
        begin = 0 if last is None else last["place"] + 1
        return rows[begin : begin + most]

    found, more = await read_in_windows(read, 20, "text", "more")
    assert (len(found), more) == (page._FIRST, True)
