"""Rules: refuse, complete or tell of a change; whatever they found is written down."""

from __future__ import annotations

from typing import Any

import pytest
from psycopg import errors as pg

from holdfast import Forbidden, Holdfast, InvalidInput, NotFound
from holdfast.errors import AlreadyExists, ExpressionError, InvalidDocument, RuleRejected

from .conftest import Desk, OpenDesk, invoice


async def events(desk: Desk, kind: str) -> list[Any]:
    cursor = await desk.tx.connection.execute(
        "SELECT payload_json ->> 'event_key', payload_json -> 'payload' FROM holdfast.workflow_events_outbox "
        "WHERE event_type = %s ORDER BY created_at",
        [kind],
    )
    return list(await cursor.fetchall())


async def test_a_rule_refuses_a_change_and_says_why(desk: OpenDesk) -> None:
    async with desk() as at:
        await at.rules.put(
            "no-big-ones",
            "invoice",
            timing="before",
            effect="reject",
            condition="entity.grand_total > 20000",
            config={"message": "too much for one invoice"},
        )
        made = await at.documents.create("invoice", invoice())
    with pytest.raises(RuleRejected, match="too much for one invoice") as caught:
        async with desk() as at:
            await at.documents.update(made.id, {"grand_total": 30000})
    assert caught.value.details["rule"] == "no-big-ones"
    assert caught.value.details["evidence"]["variables"] == {"entity.grand_total": 30000}
    with pytest.raises(RuleRejected):
        async with desk() as at:
            await at.documents.create("invoice", invoice(grand_total=20001))
    async with desk() as at:
        assert (await at.documents.get(made.id)).entity_version == 1


async def test_a_rule_sets_fields_and_the_result_must_fit_the_contract(desk: OpenDesk) -> None:
    async with desk() as at:
        await at.rules.put(
            "category", "invoice", timing="before", effect="set", config={"fields": {"category": "entity.number"}}
        )
        assert (await at.documents.create("invoice", invoice(number="A"))).data["category"] == "A"
        await at.rules.put(
            "category", "invoice", timing="before", effect="set", config={"fields": {"unknown": "entity.number"}}
        )
    with pytest.raises(InvalidDocument):
        async with desk() as at:
            await at.documents.create("invoice", invoice())


async def test_rules_are_applied_by_priority_and_see_each_others_work(desk: OpenDesk) -> None:
    async with desk() as at:
        for name, priority, text in (("second", 2, "entity.vendor"), ("first", 1, "entity.number")):
            field = "vendor" if name == "first" else "category"
            await at.rules.put(
                name, "invoice", timing="before", effect="set", config={"fields": {field: text}}, priority=priority
            )
        made = await at.documents.create("invoice", invoice(number="N"))
        assert (made.data["vendor"], made.data["category"]) == ("N", "N")


async def test_a_rule_knows_what_changed_and_what_was(desk: OpenDesk) -> None:
    async with desk() as at:
        await at.rules.put(
            "number-stays",
            "invoice",
            timing="before",
            effect="reject",
            operations=["update"],
            condition='payload.changed contains "number"',
        )
        made = await at.documents.create("invoice", invoice())
        await at.documents.update(made.id, {"grand_total": 1})
    with pytest.raises(RuleRejected):
        async with desk() as at:
            await at.documents.update(made.id, {"number": "other"})


async def test_a_rule_tells_of_a_change_that_was_made(desk: OpenDesk) -> None:
    async with desk() as at:
        await at.rules.put(
            "tell",
            "invoice",
            timing="after",
            effect="emit",
            operations=["transition"],
            condition='payload.status == "submitted"',
            config={"event_key": "submitted:{entity.number}", "payload": {"total": {"$expr": "entity.grand_total"}}},
        )
        made = await at.documents.create("invoice", invoice(number="9"))
        assert await events(at, "on_event") == []
        await at.documents.transition(made.id, "submit")
        assert await events(at, "on_event") == [("submitted:9", {"total": 12500})]


async def test_a_rule_may_refuse_a_transition_and_a_deletion(desk: OpenDesk) -> None:
    async with desk() as at:
        await at.rules.put(
            "vendor-first",
            "invoice",
            timing="before",
            effect="reject",
            operations=["transition", "delete"],
            condition='entity.vendor == null && actor.roles contains "admin"',
        )
        made = await at.documents.create("invoice", invoice(vendor=None))
    with pytest.raises(RuleRejected):
        async with desk() as at:
            await at.documents.transition(made.id, "submit")
    with pytest.raises(RuleRejected):
        async with desk() as at:
            await at.documents.delete(made.id)
    async with desk() as at:
        await at.documents.update(made.id, {"vendor": "x"})
        assert (await at.documents.transition(made.id, "submit")).doc_status == "submitted"


async def test_what_every_rule_found_is_kept(desk: OpenDesk) -> None:
    async with desk() as at:
        await at.rules.put("watch", "invoice", timing="after", effect="note", condition="entity.grand_total > 10000")
        made = await at.documents.create("invoice", invoice())
        await at.documents.update(made.id, {"grand_total": 5})
        found = await at.rules.executions(made.id)
    assert {(each.entity_version, each.operation, each.matched) for each in found} == {
        (1, "create", True),
        (2, "update", False),
    }
    assert all(each.evidence["expression"] == "entity.grand_total > 10000" for each in found)


async def test_missing_data_fails_the_change_and_is_never_taken_for_true(desk: OpenDesk) -> None:
    async with desk() as at:
        await at.rules.put("vendor", "invoice", timing="before", effect="reject", condition="entity.due > now")
    with pytest.raises(ExpressionError):
        async with desk() as at:
            await at.documents.create("invoice", invoice())


async def test_a_disabled_rule_does_nothing(desk: OpenDesk) -> None:
    async with desk() as at:
        await at.rules.put("off", "invoice", timing="before", effect="reject", enabled=False)
        assert await at.documents.create("invoice", invoice())


@pytest.mark.parametrize(
    "changes",
    [
        {"timing": "during"},
        {"effect": "emit"},
        {"timing": "after", "effect": "reject"},
        {"condition": "entity.unknown > 1"},
        {"condition": "entity.number"},
        {"condition": "entity.grand_total >"},
        {"operations": []},
        {"operations": ["explode"]},
        {"operations": "update"},
        {"config": {"mesage": "x"}},
        {"config": {"message": 3}},
        {"effect": "set", "config": {}},
        {"effect": "set", "config": {"fields": {"vendor": "entity.nothing"}}},
        {"timing": "after", "effect": "emit", "config": {}},
        {"timing": "after", "effect": "emit", "config": {"event_key": "{entity.nothing}"}},
        {"priority": 5000},
        {"name": "a b"},
    ],
)
async def test_a_rule_that_could_not_work_is_refused_when_it_is_written(
    desk: OpenDesk, changes: dict[str, Any]
) -> None:
    rule: dict[str, Any] = {"name": "r", "timing": "before", "effect": "reject", **changes}
    with pytest.raises(InvalidInput):
        async with desk() as at:
            await at.rules.put(rule.pop("name"), "invoice", **rule)


async def test_rules_are_listed_changed_and_deleted(desk: OpenDesk) -> None:
    async with desk() as at:
        await at.rules.put("r", "invoice", timing="before", effect="reject", condition="entity.grand_total > 1")
        await at.rules.put("r", "invoice", timing="after", effect="note", priority=4)
        assert [(rule.name, rule.timing, rule.priority) for rule in await at.rules.list("invoice")] == [
            ("r", "after", 4)
        ]
        await at.rules.delete("r")
        assert await at.rules.list() == []
    with pytest.raises(NotFound):
        async with desk() as at:
            await at.rules.delete("r")


async def test_a_rule_belongs_to_one_document_type(desk: OpenDesk, cabinet: Any) -> None:
    from .conftest import contract

    cabinet.contracts.add(contract(entity_type="order"))
    with pytest.raises(AlreadyExists):
        async with desk() as at:
            await at.rules.put("r", "invoice", timing="after", effect="note")
            await at.rules.put("r", "order", timing="after", effect="note")


async def test_only_designers_write_rules_and_nobody_rewrites_what_they_found(app: Holdfast, desk: OpenDesk) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("vera", roles=["viewer"])
    with pytest.raises(Forbidden):
        async with desk(actor="vera") as at:
            await at.rules.put("r", "invoice", timing="after", effect="note")
    with pytest.raises(pg.InsufficientPrivilege):
        async with desk() as at:
            await at.tx.connection.execute("UPDATE holdfast.workflow_executions SET matched = false")
