"""A document whose content lives in a table of the user's own: versioned, hashed and guarded all the same."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import psycopg
import pytest

from holdfast import Conflict, Holdfast, InvalidInput
from holdfast.documents import Cabinet, Contracts
from holdfast.errors import EditLocked
from holdfast.kernel.json import canonical_json, parse_json
from holdfast.postgres.tenant import TenantTx

from .conftest import OpenDesk, contract, invoice


class Bills:
    """Invoices in the table `bills`."""

    async def read(self, tx: TenantTx, ids: Sequence[UUID], *, lock: bool = False) -> Mapping[UUID, Mapping[str, Any]]:
        query = "SELECT id, body::text FROM bills WHERE id = ANY (%s)"
        cursor = await tx.connection.execute(query + " FOR UPDATE" if lock else query, [list(ids)])
        return {row[0]: parse_json(row[1]) for row in await cursor.fetchall()}

    async def write(self, tx: TenantTx, document_id: UUID, data: Mapping[str, Any], *, new: bool) -> None:
        query = (
            "INSERT INTO bills (body, id) VALUES (%s::jsonb, %s)"
            if new
            else "UPDATE bills SET body = %s::jsonb WHERE id = %s"
        )
        await tx.connection.execute(query, [canonical_json(data).decode(), document_id])

    async def remove(self, tx: TenantTx, document_id: UUID) -> None:
        await tx.connection.execute("DELETE FROM bills WHERE id = %s", [document_id])


@pytest.fixture
def cabinet(app: Holdfast, superuser: psycopg.Connection[Any]) -> Cabinet:
    superuser.execute("CREATE TABLE bills (id uuid PRIMARY KEY, body jsonb NOT NULL)")
    superuser.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON bills TO holdfast_app")
    contracts = Contracts()
    contracts.add(contract(), store=Bills())
    return Cabinet(contracts, limit=100_000)


def body(superuser: psycopg.Connection[Any], document_id: UUID) -> Any:
    row = superuser.execute("SELECT body FROM bills WHERE id = %s", [document_id]).fetchone()
    return row["body"] if row is not None else None


async def test_content_is_kept_in_the_users_table_and_its_history_with_us(
    desk: OpenDesk, superuser: psycopg.Connection[Any]
) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
        after = await at.documents.update(made.id, {"grand_total": 3})
    assert body(superuser, made.id) == invoice(grand_total=3)
    kept = superuser.execute("SELECT data, content_hash FROM holdfast.entities WHERE id = %s", [made.id]).fetchone()
    assert kept == {"data": None, "content_hash": after.content_hash}
    async with desk() as at:
        assert (await at.documents.get(made.id)).data == invoice(grand_total=3)
        assert (await at.documents.version(made.id, 1)).data == invoice()
        assert [each.data["grand_total"] for each in (await at.documents.list("invoice")).items] == [3]


async def test_a_failed_change_leaves_the_users_table_as_it_was(
    desk: OpenDesk, superuser: psycopg.Connection[Any]
) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
    with pytest.raises(RuntimeError):
        async with desk() as at:
            await at.documents.update(made.id, {"grand_total": 3})
            raise RuntimeError
    assert body(superuser, made.id) == invoice()


def tamper(superuser: psycopg.Connection[Any], document_id: UUID, **changes: Any) -> None:
    superuser.execute("UPDATE bills SET body = %s WHERE id = %s", [json.dumps(invoice(**changes)), document_id])


async def test_a_change_behind_our_back_is_noticed_and_can_be_adopted(
    desk: OpenDesk, superuser: psycopg.Connection[Any]
) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
    tamper(superuser, made.id, grand_total=1)
    for attempt in ("update", "transition", "delete"):
        with pytest.raises(Conflict, match="past holdfast"):
            async with desk() as at:
                if attempt == "update":
                    await at.documents.update(made.id, {"vendor": "x"})
                elif attempt == "transition":
                    await at.documents.transition(made.id, "submit")
                else:
                    await at.documents.delete(made.id)
    async with desk() as at:
        taken = await at.documents.adopt(made.id, reason="fixed by the migration script")
        assert (taken.entity_version, taken.data) == (2, invoice(grand_total=1))
        assert (await at.documents.version(made.id, 2)).changed_fields == ["grand_total"]
        await at.documents.transition(made.id, "submit")


async def test_a_locked_document_is_not_unlocked_by_adopting(
    desk: OpenDesk, superuser: psycopg.Connection[Any]
) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
        await at.documents.transition(made.id, "submit")
        await at.documents.transition(made.id, "approve")
    tamper(superuser, made.id, grand_total=1)
    with pytest.raises(EditLocked):
        async with desk() as at:
            await at.documents.adopt(made.id)


async def test_adopting_where_only_amendments_are_allowed_gives_the_old_document_back(
    desk: OpenDesk, superuser: psycopg.Connection[Any]
) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
        await at.documents.transition(made.id, "submit")
    tamper(superuser, made.id, grand_total=1)
    async with desk() as at:
        new = await at.documents.adopt(made.id)
        assert (new.amended_from_id, new.data["grand_total"]) == (made.id, 1)
    assert body(superuser, made.id) == invoice()
    assert body(superuser, new.id) == invoice(grand_total=1)


async def test_a_deleted_document_leaves_the_users_table(desk: OpenDesk, superuser: psycopg.Connection[Any]) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
        await at.documents.delete(made.id)
    assert body(superuser, made.id) is None


async def test_adopting_is_for_types_with_a_store(desk: OpenDesk) -> None:
    plain = Contracts()
    plain.add(contract())
    own = Cabinet(plain, limit=1000)
    with pytest.raises(InvalidInput, match="kept by holdfast itself"):
        async with desk(at=own) as at:
            made = await at.documents.create("invoice", invoice())
            await at.documents.adopt(made.id)
