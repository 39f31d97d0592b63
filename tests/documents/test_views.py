"""Views of the list of documents: a person keeps filters under a name, and nobody else sees them."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import Forbidden, Holdfast, InvalidInput, NotFound
from holdfast.errors import QuotaExceeded

from .conftest import OpenDesk


@pytest.fixture(autouse=True)
async def people(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("vera", roles=["viewer"])
        await hold.users.create("olga", roles=["author"])
        await hold.users.create("nina", roles=[])


async def test_views_are_a_persons_own(desk: OpenDesk) -> None:
    async with desk(actor="vera") as at:
        await at.documents.save_view("open ones", {"entity_type": "invoice"})
        await at.documents.save_view(
            "open ones", {"entity_type": "invoice", "doc_status": "submitted", "text": "Fjord"}
        )
        (view,) = await at.documents.views()
        assert (view.name, view.filters["doc_status"], view.filters["text"]) == ("open ones", "submitted", "Fjord")
    async with desk(actor="olga") as at:
        assert list(await at.documents.views()) == []
        with pytest.raises(NotFound):
            await at.documents.delete_view("open ones")
    async with desk(actor="vera") as at:
        await at.documents.delete_view("open ones")
        assert list(await at.documents.views()) == []


@pytest.mark.parametrize("wrong", [{"colour": "red"}, {"text": 1}, {"text": "x" * 256}, ["text"]])
async def test_a_view_holds_only_what_the_list_can_be_narrowed_to(desk: OpenDesk, wrong: Any) -> None:
    async with desk(actor="vera") as at:
        with pytest.raises(InvalidInput):
            await at.documents.save_view("wrong", wrong)
        assert list(await at.documents.views()) == []


async def test_nobody_keeps_views_without_end_or_without_reading(desk: OpenDesk) -> None:
    async with desk(actor="vera") as at:
        for number in range(100):
            await at.documents.save_view(f"view {number}", {})
        await at.documents.save_view("view 7", {"entity_type": "invoice"})
        with pytest.raises(QuotaExceeded):
            await at.documents.save_view("one more", {})
    async with desk(actor="nina") as at:
        with pytest.raises(Forbidden):
            await at.documents.save_view("mine", {})


async def test_views_of_another_tenant_are_out_of_reach(app: Holdfast, desk: OpenDesk, intruder: Any) -> None:
    async with desk(actor="vera") as at:
        await at.documents.save_view("own", {})
    async with app.tenant("globex") as hold:
        other = hold.tenant.id
    async with intruder.transaction():
        await intruder.execute(f"SET LOCAL holdfast.tenant = '{other}'")
        assert await (await intruder.execute("SELECT * FROM holdfast.document_views")).fetchall() == []
