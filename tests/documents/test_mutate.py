"""mutate(): everything a change writes stands together, or nothing does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import errors as pg
from psycopg.types.json import Jsonb
from pydantic import BaseModel

from harness.waiting import kept_waiting
from holdfast import Conflict, Forbidden, Holdfast, InvalidInput, NotFound
from holdfast.documents import Cabinet, Contracts, Documents, Mutation, set_status
from holdfast.errors import CanonicalError, DocumentTooLarge, EditLocked, InvalidDocument, VersionConflict
from holdfast.kernel.json import canonical_hash

from .conftest import Desk, OpenDesk, contract, invoice

Attempt = Callable[[Desk], Awaitable[Any]]


async def rows(desk: Desk, query: str, *values: Any) -> list[Any]:
    return list(await (await desk.tx.connection.execute(query, values)).fetchall())


async def outbox(desk: Desk, document_id: UUID) -> list[tuple[Any, ...]]:
    return await rows(
        desk,
        "SELECT event_type, entity_version, trace_id, status, payload_json ->> 'action_type', actor ->> 'name' "
        "FROM holdfast.workflow_events_outbox WHERE entity_id = %s ORDER BY created_at, id",
        document_id,
    )


async def test_a_created_document_has_its_version_its_audit_event_and_its_outbox_event(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice(), trace_id="a" * 32)
        found = await at.documents.get(made.id)
        assert found == made
        assert (found.doc_status, found.entity_version, found.contract_version) == ("draft", 1, 1)
        assert found.content_hash == canonical_hash(invoice())
        first = await at.documents.version(made.id, 1)
        assert (first.id, first.data, first.content_hash) == (made.version_id, invoice(), made.content_hash)
        assert await outbox(at, made.id) == [("on_create", 1, "a" * 32, "pending", None, "ana")]
        assert await rows(
            at, "SELECT event_type, actor, seq FROM holdfast.workflow_event WHERE object_id = %s", made.id
        ) == [("document.created", "user:ana", 1)]


async def test_an_update_makes_the_next_version_and_names_what_changed(app: Holdfast, desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice(vendor="x"))
    async with desk() as at:
        after = await at.documents.update(
            made.id, {"grand_total": 99, "category": "it"}, remove=["vendor"], reason="typo", trace_id="b" * 32
        )
        assert after.data == {"number": "4711", "grand_total": 99, "category": "it"}
        assert (after.entity_version, after.doc_status) == (2, "draft")
        assert await at.documents.get(made.id) == after
        second = await at.documents.version(made.id, 2)
        assert second.changed_fields == ["category", "grand_total", "vendor"]
        assert (await outbox(at, made.id))[-1] == ("on_mutation", 2, "b" * 32, "pending", "invoice.update", "ana")
        assert (await at.documents.version(made.id, 1)).data == invoice(vendor="x")
        assert await at.documents.compare(made.id, 1, 2) == {
            "category": (None, "it"),
            "grand_total": (12500, 99),
            "vendor": ("x", None),
        }
    async with app.tenant("acme") as hold:
        assert (await hold.audit.verify()).ok


async def test_nothing_is_written_when_nothing_changes(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice(grand_total=Decimal("12.50")))
        same = await at.documents.update(made.id, {"grand_total": Decimal("12.5")})
        assert same == made
        assert len(await outbox(at, made.id)) == 1
        assert len((await at.documents.versions(made.id)).items) == 1


async def test_true_and_one_are_different_contents(desk: OpenDesk, contracts: Contracts) -> None:
    contracts.add(contract(entity_type="flag", document={"type": "object", "properties": {"x": {}}}))
    async with desk() as at:
        made = await at.documents.create("flag", {"x": 1})
        assert (await at.documents.update(made.id, {"x": True})).entity_version == 2


async def test_whatever_fails_leaves_nothing(desk: OpenDesk, app: Holdfast) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
    with pytest.raises(RuntimeError):
        async with desk() as at:
            await at.documents.update(made.id, {"grand_total": 1})
            raise RuntimeError
    async with desk() as at:
        assert (await at.documents.get(made.id)).entity_version == 1
        assert len(await outbox(at, made.id)) == 1
        assert await rows(at, "SELECT count(*) FROM holdfast.entity_versions") == [(1,)]


async def test_a_stale_expected_version_is_a_conflict_and_writes_nothing(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
        await at.documents.update(made.id, {"grand_total": 2}, expected_version=1)
    with pytest.raises(VersionConflict) as caught:
        async with desk() as at:
            await at.documents.update(made.id, {"grand_total": 3}, expected_version=1)
    assert (caught.value.details["expected"], caught.value.details["found"]) == (1, 2)
    async with desk() as at:
        assert (await at.documents.get(made.id)).data["grand_total"] == 2


async def test_of_two_who_saw_the_same_version_one_wins(
    desk: OpenDesk, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())

    async def second() -> None:
        async with desk() as at:
            await at.documents.update(made.id, {"grand_total": 2}, expected_version=1)

    async with desk() as first:
        await first.documents.update(made.id, {"grand_total": 1}, expected_version=1)
        waiting = asyncio.create_task(second())
        await kept_waiting(superuser)
    with pytest.raises(VersionConflict):
        await waiting
    async with desk() as at:
        assert (await at.documents.get(made.id)).data["grand_total"] == 1


async def test_content_must_fit_the_contract_and_every_problem_is_named(desk: OpenDesk) -> None:
    with pytest.raises(InvalidDocument, match="invoice") as caught:
        async with desk() as at:
            await at.documents.create("invoice", {"grand_total": -1, "due": "tomorrow", "extra": 1})
    problems = {problem["path"]: problem["message"] for problem in caught.value.details["problems"]}
    assert set(problems) == {"", "grand_total", "due"}
    assert len(caught.value.details["problems"]) == 4


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (invoice(grand_total=1.5), CanonicalError),
        (invoice(vendor="a\x00b"), InvalidInput),
        (invoice(vendor="\ud800"), CanonicalError),
        (invoice(lines=[{"x": float("nan")}]), CanonicalError),
        ([1, 2], InvalidInput),
        ("text", InvalidInput),
        ({1: 2}, CanonicalError),
    ],
)
async def test_what_cannot_be_hashed_or_stored_is_refused(desk: OpenDesk, data: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        async with desk() as at:
            await at.documents.create("invoice", data)


async def test_a_text_that_only_looks_like_a_nul_is_kept(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice(vendor="\\u0000"))
        assert (await at.documents.get(made.id)).data["vendor"] == "\\u0000"


async def test_a_document_of_ten_megabytes_is_refused_with_the_limit(desk: OpenDesk) -> None:
    with pytest.raises(DocumentTooLarge, match="the limit is 1048576") as caught:
        async with desk() as at:
            await at.documents.create("invoice", invoice(vendor="x" * 10_000_000))
    assert caught.value.status == 413
    assert "HOLDFAST_DOCUMENT_LIMIT" in str(caught.value)


async def test_decimals_come_back_as_they_went_in(desk: OpenDesk) -> None:
    exact = Decimal("12345678901234567890.123456789")
    async with desk() as at:
        made = await at.documents.create("invoice", invoice(grand_total=exact))
        assert (await at.documents.get(made.id)).data["grand_total"] == exact
        assert canonical_hash((await at.documents.get(made.id)).data) == made.content_hash


class Order(BaseModel):
    number: str
    total: Decimal


async def test_a_model_is_a_document_too(desk: OpenDesk, contracts: Contracts) -> None:
    contracts.add(contract(entity_type="order", document=Order))
    async with desk() as at:
        made = await at.documents.create("order", Order(number="1", total=Decimal("9.90")))
        assert made.data == {"number": "1", "total": "9.90"}


async def test_unknown_types_and_documents_are_not_found(desk: OpenDesk) -> None:
    with pytest.raises(NotFound, match="did you mean 'invoice'"):
        async with desk() as at:
            await at.documents.create("invoce", {})
    attempts: tuple[Attempt, ...] = (
        lambda at: at.documents.get(uuid4()),
        lambda at: at.documents.update(uuid4(), {}),
        lambda at: at.documents.transition(uuid4(), "submit"),
        lambda at: at.documents.amend(uuid4(), {}),
        lambda at: at.documents.delete(uuid4()),
        lambda at: at.documents.versions(uuid4()),
        lambda at: at.documents.version(uuid4(), 1),
    )
    for attempt in attempts:
        with pytest.raises(NotFound):
            async with desk() as at:
                await attempt(at)


async def test_another_tenants_document_is_not_found(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
    async with desk("globex") as at:
        await at.documents.create("invoice", invoice())
    attempts: tuple[Attempt, ...] = (
        lambda at: at.documents.get(made.id),
        lambda at: at.documents.update(made.id, {"grand_total": 1}),
        lambda at: at.documents.version(made.id, 1),
        lambda at: at.documents.delete(made.id),
    )
    for attempt in attempts:
        with pytest.raises(NotFound):
            async with desk("globex") as at:
                await attempt(at)


async def test_a_mutation_without_what_it_needs_says_so(desk: OpenDesk) -> None:
    for mutation, field in (
        (Mutation("create"), "entity_type"),
        (Mutation("update"), "document_id"),
        (Mutation("transition"), "transition"),
    ):
        with pytest.raises(InvalidInput) as caught:
            async with desk() as at:
                await at.documents.mutate(mutation)
        assert caught.value.details["field"] == field


async def test_setting_and_removing_one_field_is_refused(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
    with pytest.raises(InvalidInput, match="both set and removed"):
        async with desk() as at:
            await at.documents.update(made.id, {"vendor": "x"}, remove=["vendor"])


async def test_replace_gives_a_whole_new_content(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice(vendor="x"))
        after = await at.documents.replace(made.id, {"number": "1", "grand_total": 1})
        assert after.data == {"number": "1", "grand_total": 1}


# -------------------------------------------------------------------------------------------------------- lifecycle


async def test_a_transition_changes_the_status_and_not_the_version(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
        after = await at.documents.transition(made.id, "submit", reason="ready")
        assert (after.doc_status, after.entity_version, after.content_hash) == ("submitted", 1, made.content_hash)
        kind, version, *_ = (await outbox(at, made.id))[-1]
        assert (kind, version) == ("on_lifecycle_transition", 1)
        told = await rows(
            at,
            "SELECT data FROM holdfast.workflow_event WHERE object_id = %s AND event_type = 'document.transitioned'",
            made.id,
        )
        assert told == [({"from": "draft", "to": "submitted", "reason": "ready"},)]


async def test_a_second_round_of_the_same_transition_is_a_second_event(desk: OpenDesk) -> None:
    process = uuid4()
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
        for status in ("submitted", "draft", "submitted"):
            assert await set_status(at.tx, made.id, status, instance_id=process)
        assert not await set_status(at.tx, made.id, "submitted", instance_id=process)
        kinds = [kind for kind, *_ in await outbox(at, made.id)]
    assert kinds == ["on_create", *["on_lifecycle_transition"] * 3]


async def test_an_impossible_transition_names_the_possible_ones(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
    with pytest.raises(Conflict, match="possible is submit, cancel"):
        async with desk() as at:
            await at.documents.transition(made.id, "approve")


async def test_a_locked_document_cannot_be_edited_or_deleted(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
        await at.documents.transition(made.id, "submit")
        await at.documents.transition(made.id, "approve")
    attempts: tuple[Attempt, ...] = (
        lambda at: at.documents.update(made.id, {"grand_total": 1}),
        lambda at: at.documents.replace(made.id, invoice(grand_total=1)),
        lambda at: at.documents.delete(made.id),
    )
    for attempt in attempts:
        with pytest.raises(EditLocked) as caught:
            async with desk() as at:
                await attempt(at)
        assert caught.value.code == "WORKFLOW_EDIT_LOCKED"
    async with desk() as at:
        assert (await at.documents.get(made.id)).data == invoice()


async def test_an_edit_where_only_amendments_are_allowed_makes_a_new_document(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
        await at.documents.transition(made.id, "submit")
        new = await at.documents.update(made.id, {"grand_total": 1}, reason="wrong total")
        old = await at.documents.get(made.id)
        assert (new.amended_from_id, new.doc_status, new.entity_version) == (made.id, "amended", 1)
        assert (new.amended, (await at.documents.get(new.id)).amended) == (True, False)
        assert new.data == invoice(grand_total=1)
        assert (old.doc_status, old.amended_to_id, old.data) == ("amended", new.id, invoice())
        told = await rows(
            at,
            "SELECT data FROM holdfast.workflow_event WHERE object_id = %s AND event_type = 'document.amended'",
            made.id,
        )
        about = {"amended_to": str(new.id), "changed": ["grand_total"], "reason": "wrong total"}
        assert told == [({"from": "submitted", "to": "amended", **about},)]
        assert [kind for kind, *_ in await outbox(at, new.id)] == []
        assert (await outbox(at, made.id))[-1][4] == "invoice.amend"
        assert (await at.documents.version(new.id, 1)).changed_fields == ["grand_total"]


async def test_a_replaced_document_points_to_the_one_that_replaced_it(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
        await at.documents.transition(made.id, "submit")
        new = await at.documents.amend(made.id, {"grand_total": 1})
    attempts: tuple[Attempt, ...] = (
        lambda at: at.documents.update(made.id, {"grand_total": 2}),
        lambda at: at.documents.transition(made.id, "submit"),
        lambda at: at.documents.amend(made.id, {"grand_total": 3}),
        lambda at: at.documents.delete(made.id),
    )
    for attempt in attempts:
        with pytest.raises(EditLocked, match=str(new.id)):
            async with desk() as at:
                await attempt(at)


async def test_an_active_document_is_amended_only_when_asked_to(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
        await at.documents.transition(made.id, "submit")
        await at.documents.transition(made.id, "approve")
        new = await at.documents.amend(made.id, {"grand_total": 1})
        assert new.amended_from_id == made.id


async def test_a_draft_is_edited_and_not_amended(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
    with pytest.raises(EditLocked, match="cannot be amended"):
        async with desk() as at:
            await at.documents.amend(made.id, {"grand_total": 1})


async def test_a_deleted_document_is_gone_and_its_history_stays(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
        await at.documents.delete(made.id, reason="twice")
        assert (await at.documents.list("invoice")).items == []
        assert (await at.documents.version(made.id, 1)).data == invoice()
        assert (await outbox(at, made.id))[-1][4] == "invoice.delete"
    with pytest.raises(NotFound):
        async with desk() as at:
            await at.documents.get(made.id)


async def test_another_process_may_not_write_past_the_window(desk: OpenDesk, cabinet: Cabinet) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
        await at.documents.transition(made.id, "submit")
        await at.documents.transition(made.id, "approve")
    with pytest.raises(EditLocked):
        async with desk() as at:
            step = Documents(replace(at.tx, instance=uuid4()), cabinet)
            await step.update(made.id, {"grand_total": 1})


# ---------------------------------------------------------------------------------------------------------- policy


async def test_who_may_only_look_cannot_write(app: Holdfast, desk: OpenDesk) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("vera", roles=["viewer"])
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
    async with desk(actor="vera") as at:
        assert (await at.documents.get(made.id)).id == made.id
    attempts: tuple[Attempt, ...] = (
        lambda at: at.documents.create("invoice", invoice()),
        lambda at: at.documents.update(made.id, {"grand_total": 1}),
        lambda at: at.documents.transition(made.id, "submit"),
        lambda at: at.documents.amend(made.id, {}),
        lambda at: at.documents.delete(made.id),
    )
    for attempt in attempts:
        with pytest.raises(Forbidden):
            async with desk(actor="vera") as at:
                await attempt(at)


async def test_the_vendor_may_ask_for_roles_by_operation(app: Holdfast, desk: OpenDesk, contracts: Contracts) -> None:
    async with app.tenant("acme") as hold:
        await hold.roles.define("controller", ["documents:read", "documents:write"])
        await hold.users.create("carl", roles=["controller"])
    contracts.add(contract(), allowed={"delete": ["controller"]})
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
    with pytest.raises(Forbidden, match="controller"):
        async with desk() as at:
            await at.documents.delete(made.id)
    async with desk(actor="carl") as at:
        await at.documents.delete(made.id)


async def test_a_tenant_cannot_ask_for_roles_of_an_operation_there_is_not(app: Holdfast) -> None:
    """Misspelt, it would leave the door open that somebody meant to close."""
    async with app.tenant("acme", actor="ana") as hold:
        with pytest.raises(InvalidInput, match="no operation 'delte'") as caught:
            await hold.configure(settings={"document_roles": {"invoice": {"delte": ["controller"]}}})
        assert caught.value.hint == "did you mean 'delete'?"
        assert "document_roles" not in (await hold.info()).settings
        await hold.users.create("vic", roles=["viewer"])
    async with app.tenant("acme", actor="vic") as hold:
        with pytest.raises(Forbidden):
            await hold.configure(settings={"document_roles": {"invoice": {"delte": ["controller"]}}})


@pytest.mark.parametrize("policy", [["controller"], [], "controller", {"a": 1}])
async def test_the_tenant_may_be_stricter_and_a_broken_setting_opens_nothing(
    app: Holdfast, desk: OpenDesk, superuser: psycopg.Connection[Any], policy: Any
) -> None:
    asked = {"document_roles": {"invoice": {"create": policy}}}
    if not isinstance(policy, list):
        with pytest.raises(InvalidInput, match="no list of roles"):
            async with app.tenant("acme") as hold:
                await hold.configure(settings=asked)
    superuser.execute("UPDATE holdfast.tenants SET settings = %s WHERE slug = 'acme'", [Jsonb(asked)])
    app.database.forget_tenant("acme")
    with pytest.raises(Forbidden, match="may not create"):
        async with desk() as at:
            await at.documents.create("invoice", invoice())


async def test_roles_of_a_transition_are_asked_for(desk: OpenDesk, contracts: Contracts) -> None:
    contracts.add(
        contract(
            entity_type="memo",
            document={"type": "object"},
            states=[{"name": "new", "edit_window": "editable"}, {"name": "sent", "edit_window": "locked"}],
            transitions=[{"name": "send", "from": "new", "to": "sent", "roles": ["secretary"]}],
        )
    )
    async with desk() as at:
        made = await at.documents.create("memo", {})
    with pytest.raises(Forbidden, match="secretary"):
        async with desk() as at:
            await at.documents.transition(made.id, "send")


# --------------------------------------------------------------------------------------------------------- reading


async def test_lists_are_paged_newest_first_and_filtered_by_status(desk: OpenDesk) -> None:
    async with desk() as at:
        made = [await at.documents.create("invoice", invoice(number=str(n))) for n in range(5)]
        await at.documents.transition(made[0].id, "submit")
        seen, cursor = [], None
        while True:
            page = await at.documents.list("invoice", limit=2, cursor=cursor)
            seen += [document.id for document in page.items]
            cursor = page.next_cursor
            if cursor is None:
                break
        assert seen == [document.id for document in reversed(made)]
        submitted = await at.documents.list("invoice", doc_status="submitted")
        assert [document.id for document in submitted.items] == [made[0].id]
    with pytest.raises(InvalidInput):
        async with desk() as at:
            page = await at.documents.list("invoice", limit=2)
            await at.documents.list("invoice", doc_status="draft", cursor=page.next_cursor)


async def test_versions_are_paged(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
        for total in range(4):
            await at.documents.update(made.id, {"grand_total": total})
        first = await at.documents.versions(made.id, limit=3)
        rest = await at.documents.versions(made.id, limit=3, cursor=first.next_cursor)
        assert [each.version for each in (*first.items, *rest.items)] == [5, 4, 3, 2, 1]


async def test_a_transaction_of_the_callers_own_carries_documents_too(
    app: Holdfast, holdfast_dsn: str, cabinet: Cabinet
) -> None:
    from psycopg import AsyncConnection

    async with await AsyncConnection.connect(holdfast_dsn) as mine:
        async with app.tenant("acme", connection=mine) as hold:
            made = await Documents(hold._tx, cabinet).create("invoice", invoice())
        await mine.rollback()
    async with app.tenant("acme") as hold:
        with pytest.raises(NotFound):
            await Documents(hold._tx, cabinet).get(made.id)


async def test_raw_sql_cannot_change_content_past_mutate(desk: OpenDesk) -> None:
    async with desk() as at:
        made = await at.documents.create("invoice", invoice())
    for statement in (
        "UPDATE holdfast.entities SET data = '{}' WHERE id = %s",
        "UPDATE holdfast.entities SET entity_version = 2 WHERE id = %s",
        "UPDATE holdfast.entities SET entity_version = 3, content_hash = repeat('a', 64) WHERE id = %s",
    ):
        with pytest.raises(Conflict):
            async with desk() as at:
                await at.tx.connection.execute(statement, [made.id])
    with pytest.raises(pg.ForeignKeyViolation):
        async with desk() as at:
            await at.tx.connection.execute(
                "UPDATE holdfast.entities SET entity_version = 2, content_hash = repeat('a', 64), "
                "version_id = gen_random_uuid() WHERE id = %s",
                [made.id],
            )


async def test_an_operation_that_does_not_exist_is_refused_by_name(desk: OpenDesk) -> None:
    async with desk() as at:
        with pytest.raises(InvalidInput, match="'remove'") as caught:
            await at.documents.mutate(Mutation("remove", entity_type="invoice", data=invoice()))  # type: ignore[arg-type]
    assert caught.value.details["field"] == "operation"


async def test_a_trace_that_is_too_long_and_content_nested_too_deeply_are_told_apart_from_faults(
    desk: OpenDesk,
) -> None:
    deep: Any = {}
    for _ in range(5000):
        deep = {"in": [deep]}
    async with desk() as at:
        with pytest.raises(InvalidInput) as caught:
            await at.documents.create("invoice", invoice(), trace_id="x" * 257)
        assert caught.value.details["field"] == "trace_id"
        with pytest.raises(InvalidInput, match="nested"):
            await at.documents.create("invoice", invoice(lines=[deep]))
        made = await at.documents.create("invoice", invoice(), trace_id="x" * 256)
        with pytest.raises(InvalidInput, match="nested"):
            await at.documents.update(made.id, {"lines": [deep]})
