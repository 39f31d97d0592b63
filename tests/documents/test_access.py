"""Who may read and change documents: by type, one by one, by state and by field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import psycopg
import pytest

from holdfast import Forbidden, Holdfast, InvalidInput, NotFound
from holdfast.documents import Contracts, Document, access
from holdfast.errors import InvalidDocument
from holdfast.kernel.json import canonical_hash

from .conftest import Desk, OpenDesk, contract, invoice

READABLE = "entity.category in actor.roles"


@pytest.fixture(autouse=True)
async def people(app: Holdfast) -> None:
    """vera reads, carl writes and has the roles `finance` and `toys`, paul may only write."""
    async with app.tenant("acme") as hold:
        await hold.roles.define("finance", [])
        await hold.roles.define("toys", [])
        await hold.roles.define("writer", ["documents:write"])
        await hold.users.create("vera", roles=["viewer"])
        await hold.users.create("carl", roles=["author", "finance", "toys"])
        await hold.users.create("olga", roles=["author"])
        await hold.users.create("paul", roles=["writer"])


async def create(desk: OpenDesk, actor: str = "ana", **data: Any) -> Document:
    async with desk(actor=actor) as at:
        return await at.documents.create("invoice", invoice(**data))


async def all_pages(at: Desk, limit: int, **filters: Any) -> tuple[list[UUID], list[int]]:
    """The ids of a whole list, and how many each page held."""
    found: list[UUID] = []
    sizes: list[int] = []
    cursor: str | None = None
    while True:
        page = await at.documents.list("invoice", limit=limit, cursor=cursor, **filters)
        found += [each.id for each in page.items]
        sizes.append(len(page.items))
        cursor = page.next_cursor
        if cursor is None:
            return found, sizes


# ----------------------------------------------------------------------------------------------------------- reading


async def test_the_vendor_names_the_roles_that_read_a_type(desk: OpenDesk, contracts: Contracts) -> None:
    contracts.add(contract(), allowed={"read": ["finance"]})
    made = await create(desk)
    async with desk(actor="carl") as at:
        assert (await at.documents.get(made.id)).id == made.id
        assert [each.id for each in (await at.documents.list("invoice")).items] == [made.id]
    async with desk(actor="vera") as at:
        assert (await at.documents.list("invoice")).items == []
        with pytest.raises(NotFound):
            await at.documents.get(made.id)


async def test_whoever_may_only_write_reads_what_they_made_and_nothing_else(desk: OpenDesk) -> None:
    theirs, made = await create(desk), await create(desk, "paul")
    await create(desk)
    async with desk(actor="paul") as at:
        assert await all_pages(at, 1) == ([made.id], [1])
        assert (await at.documents.update(made.id, {"grand_total": 1})).entity_version == 2
        for attempt in (at.documents.get, at.documents.delete, at.documents.versions):
            with pytest.raises(NotFound):
                await attempt(theirs.id)


async def test_whoever_edited_a_document_goes_on_reading_it(app: Holdfast, desk: OpenDesk) -> None:
    made = [await create(desk, number=str(n)) for n in range(5)]
    async with desk(actor="olga") as at:
        for each in (made[1], made[3], made[1]):
            await at.documents.update(each.id, {"grand_total": each.entity_version, "number": f"{at.tx.now}"})
    async with app.tenant("acme") as hold:
        await hold.users.grant("olga", "writer")
        await hold.users.revoke("olga", "author")
    async with desk(actor="olga") as at:
        for limit in (1, 2, 3):
            assert (await all_pages(at, limit))[0] == [made[3].id, made[1].id]
        assert len((await at.documents.versions(made[1].id)).items) == 2


async def test_nobody_reads_without_any_permission_for_it(app: Holdfast, desk: OpenDesk) -> None:
    async with app.tenant("acme") as hold:
        await hold.roles.define("watcher", ["processes:read", "runs:read"])
        await hold.users.create("pia", roles=["watcher"])
    made = await create(desk)
    async with desk(actor="pia") as at:
        for attempt in (at.documents.get(made.id), at.documents.list("invoice"), at.documents.versions(made.id)):
            with pytest.raises(Forbidden, match="read documents"):
                await attempt


async def test_lists_by_condition_are_whole_in_order_and_without_repeats(desk: OpenDesk, contracts: Contracts) -> None:
    contracts.add(contract(), readable=READABLE)
    made = [await create(desk, category="toys" if n % 3 == 0 else "tools", number=str(n)) for n in range(30)]
    own = await create(desk, "carl", category="tools")
    expected = [own.id, *(each.id for n, each in reversed([*enumerate(made)]) if n % 3 == 0)]
    for limit in (1, 3, 10, 11, 12, 50):
        async with desk(actor="carl") as at:
            found, sizes = await all_pages(at, limit)
        assert found == expected
        assert all(size == limit for size in sizes[:-1]), "with nothing bounding it, only the last page is short"
    async with desk(actor="vera") as at:
        assert await all_pages(at, 7) == ([], [0])
    async with desk(actor="carl") as at:
        assert await all_pages(at, 7, doc_status="submitted") == ([], [0])


async def test_a_page_reads_a_bounded_number_and_says_where_to_go_on(
    desk: OpenDesk, contracts: Contracts, monkeypatch: pytest.MonkeyPatch
) -> None:
    contracts.add(contract(), readable=READABLE)
    monkeypatch.setattr(access, "_WINDOW", 5)
    monkeypatch.setattr(access, "_READ_AT_MOST", 10)
    first = await create(desk, category="toys")
    for n in range(24):
        await create(desk, category="tools", number=str(n))
    last = await create(desk, category="toys")
    async with desk(actor="carl") as at:
        found, sizes = await all_pages(at, 2)
        assert (found, sizes) == ([last.id, first.id], [1, 0, 1])


async def test_a_condition_that_cannot_be_decided_lets_nobody_read(desk: OpenDesk, contracts: Contracts) -> None:
    contracts.add(contract(), readable=READABLE)
    made = await create(desk)  # It has no category.
    async with desk(actor="carl") as at:
        with pytest.raises(NotFound):
            await at.documents.get(made.id)
        assert (await at.documents.list("invoice")).items == []


async def test_what_is_asked_for_is_checked_against_the_contract_when_it_is_said(
    app: Holdfast, contracts: Contracts
) -> None:
    app.contracts.add(contract())
    wrong: Sequence[tuple[dict[str, Any], str]] = [
        ({"readable": "entity.categry == 'toys'"}, "categry"),
        ({"readable": "entity.category"}, "readable"),
        ({"readable": "now > entity.due"}, "now"),
        ({"masked": {"totl": ["finance"]}}, "totl"),
        ({"masked": ["grand_total"]}, "masked"),
        ({"update": {"submited": ["finance"]}}, "submited"),
        ({"read": {"draft": ["finance"]}}, "read"),
        ({"read": "finance"}, "read"),
        ({"involved": "no"}, "involved"),
        ({"raed": ["finance"]}, "raed"),
    ]
    for policy, named in wrong:
        rights = {name: given for name, given in policy.items() if name not in ("readable", "masked", "involved")}
        rest = {name: given for name, given in policy.items() if name not in rights}
        with pytest.raises(InvalidInput, match=named):
            contracts.add(contract(), allowed=rights, **rest)  # type: ignore[arg-type]  # what is wrong is the point
        with pytest.raises(InvalidInput, match=named):
            async with app.tenant("acme", actor="ana") as hold:
                await hold.configure(settings={"document_roles": {"invoice": policy}})
    for wide in ("invoice", {"invoice": ["finance"]}):
        with pytest.raises(InvalidInput, match="document_roles"):
            async with app.tenant("acme", actor="ana") as hold:
                await hold.configure(settings={"document_roles": wide})
    with pytest.raises(InvalidInput, match="no document type 'nothing'"):
        async with app.tenant("acme", actor="ana") as hold:
            await hold.configure(settings={"document_roles": {"nothing": {"masked": {"a": ["finance"]}}}})


# ----------------------------------------------------------------------------------------------------------- changing


async def test_roles_that_edit_depend_on_the_state_of_the_document(desk: OpenDesk, contracts: Contracts) -> None:
    states = [{"name": "draft", "edit_window": "editable"}, {"name": "submitted", "edit_window": "editable"}]
    moves = [{"name": "submit", "from": "draft", "to": "submitted"}]
    contracts.add(
        contract(entity_type="memo", states=states, transitions=moves),
        allowed={"update": {"submitted": ["finance"]}, "delete": {"*": ["finance"], "draft": ["author"]}},
    )
    async with desk(actor="olga") as at:
        made = await at.documents.create("memo", invoice())
        other = await at.documents.create("memo", invoice())
        await at.documents.update(made.id, {"grand_total": 1})
        await at.documents.delete(other.id)
        await at.documents.transition(made.id, "submit")
        for attempt in (at.documents.update(made.id, {"grand_total": 2}), at.documents.delete(made.id)):
            with pytest.raises(Forbidden, match="that are submitted"):
                await attempt
    async with desk(actor="carl") as at:
        assert (await at.documents.update(made.id, {"grand_total": 3})).data["grand_total"] == 3
        await at.documents.delete(made.id)


async def test_a_masked_field_is_neither_seen_nor_written_and_survives_a_replacement(
    desk: OpenDesk, contracts: Contracts
) -> None:
    contracts.add(contract(), masked={"vendor": ["finance"], "due": ["finance"]})
    made = await create(desk, "carl", vendor="acme", due="2026-01-01")
    assert made.masked == []
    async with desk(actor="olga") as at:
        seen = await at.documents.get(made.id)
        assert (dict(seen.data), seen.masked) == (invoice(), ["due", "vendor"])
        assert seen.content_hash == made.content_hash
        for attempt in (
            at.documents.update(made.id, {"vendor": "x"}),
            at.documents.update(made.id, remove=["due"]),
            at.documents.replace(made.id, invoice(vendor="x")),
            at.documents.amend(made.id, {"vendor": "x"}),
            at.documents.create("invoice", invoice(vendor="x")),
        ):
            with pytest.raises(Forbidden, match="masked") as caught:
                await attempt
            assert caught.value.details["field"] in ("vendor", "due")
        after = await at.documents.replace(made.id, invoice(grand_total=1))
        assert (dict(after.data), after.entity_version) == (invoice(grand_total=1), 2)
        assert await at.documents.compare(made.id, 1, 2) == {"grand_total": (12500, 1)}
    async with desk(actor="carl") as at:
        whole = await at.documents.get(made.id)
        assert dict(whole.data) == invoice(grand_total=1, vendor="acme", due="2026-01-01")
        assert whole.content_hash == after.content_hash == canonical_hash(dict(whole.data))
        await at.documents.update(made.id, {"vendor": "other"})
    async with desk(actor="olga") as at:
        assert await at.documents.compare(made.id, 2, 3) == {"vendor": (None, None)}
        (page,) = (await at.documents.list("invoice")).items
        assert "vendor" not in page.data
        assert all("vendor" not in each.data for each in (await at.documents.versions(made.id)).items)


async def test_a_schema_does_not_quote_what_is_masked(desk: OpenDesk, contracts: Contracts) -> None:
    schema = contract().document | {"not": {"properties": {"grand_total": {"const": 13}}}}
    contracts.add(contract(version=2, document=schema), masked={"vendor": ["finance"]})
    made = await create(desk, "carl", vendor="the secret")
    async with desk(actor="carl") as at:
        with pytest.raises(InvalidDocument, match="the secret"):
            await at.documents.update(made.id, {"grand_total": 13})
    async with desk(actor="olga") as at:
        with pytest.raises(InvalidDocument) as caught:
            await at.documents.update(made.id, {"grand_total": 13})
        assert "the secret" not in str(caught.value) + str(caught.value.details)
        with pytest.raises(InvalidDocument, match="grand_total: 'x' is not of type"):
            await at.documents.update(made.id, {"grand_total": "x"})


# ----------------------------------------------------------------------------------------------------------- database


async def test_who_may_read_for_having_made_it_follows_from_what_was_made_and_cannot_be_written(
    desk: OpenDesk, intruder: psycopg.AsyncConnection[dict[str, Any]]
) -> None:
    made = await create(desk, "olga")
    async with desk(actor="carl") as at:
        await at.documents.update(made.id, {"grand_total": 1})
        tenant = at.tx.tenant.id
    await intruder.execute("SELECT set_config('holdfast.tenant', %s, false)", [str(tenant)])
    cursor = await intruder.execute("SELECT principal, version FROM holdfast.entity_readers ORDER BY principal")
    assert [tuple(row.values()) for row in await cursor.fetchall()] == [("user:carl", 0), ("user:olga", 0)]
    for statement in (
        "INSERT INTO holdfast.entity_readers SELECT * FROM holdfast.entity_readers",
        "UPDATE holdfast.entity_readers SET principal = 'user:paul'",
        "DELETE FROM holdfast.entity_readers",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await intruder.execute(statement)
