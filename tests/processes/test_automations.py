"""Automations end to end: mirrored tasks, dedup, counters and cursors, with the data store's actions alone."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from holdfast import Holdfast
from holdfast.actions import Call
from holdfast.errors import InvalidInput, NotFound
from holdfast.testing import drain
from processes.shop import Shop, nodes, ways

EXAMPLES = Path(__file__).parents[2] / "examples" / "automations"


def load(name: str) -> Any:
    """An example as a module; pydantic looks up what its annotations name in `sys.modules`."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[f"example_{name}"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MIRROR = load("task_mirror")


async def test_mirrored_tasks_follow_each_other(holdfast_app: Holdfast) -> None:
    await MIRROR.play(holdfast_app)


@pytest.fixture
async def office(app: Holdfast) -> Holdfast:
    MIRROR.register(app)
    await MIRROR.install(app, "acme")
    async with app.tenant("acme") as hold:
        await hold.users.create("pia", roles=["author"])
    return app


async def states(app: Holdfast, project: str) -> list[str]:
    async with app.tenant("acme") as hold:
        found = (await hold.documents.list("project_task")).items
    return sorted(one.data["state"] for one in found if one.data["project"] == project)


async def test_one_task_is_mirrored_in_several_and_a_counterpart_that_is_gone_is_told(office: Holdfast) -> None:
    first = await MIRROR.call(office, "projects.create_task", {"project": "A", "title": "paint"})
    extra = await MIRROR.call(office, "projects.create_task", {"project": "D", "title": "paint"})
    links = office.links("acme")
    await links.upsert(MIRROR.LINKS, ("project_task", first["id"]), ("project_task", extra["id"]), relation="mirrors")
    await MIRROR.call(office, "projects.update_task", {"task": first["id"], "state": "done"})
    assert (await states(office, "B"), await states(office, "D")) == (["done"], ["done"])
    # A link to what is no task: the step fails and says so, for an operator to see.
    nobody = "00000000-0000-0000-0000-000000000001"
    await links.upsert(MIRROR.LINKS, ("project_task", first["id"]), ("project_task", nobody), relation="mirrors")
    await MIRROR.call(office, "projects.update_task", {"task": first["id"], "state": "open"})
    async with office.tenant("acme") as hold:
        (failed,) = [
            one for one in (await hold.processes.list(workflow_id="task_mirror")).items if one.status == "paused"
        ]
        steps = (await hold.processes.steps(failed.id)).items
    assert "not_found" in {step.error["code"] for step in steps if step.error and step.node_id.endswith("update")}


async def test_event_delivered_twice_makes_one_counterpart(office: Holdfast, superuser: Any) -> None:
    await MIRROR.call(office, "projects.create_task", {"project": "A", "title": "paint"})
    superuser.execute("ALTER TABLE holdfast.workflow_events_outbox DISABLE TRIGGER USER")
    superuser.execute("UPDATE holdfast.workflow_events_outbox SET status = 'pending', completed_at = NULL")
    await drain(office)
    assert await states(office, "B") == ["open"]


async def test_many_changes_on_both_sides_come_to_rest(office: Holdfast) -> None:
    first = await MIRROR.call(office, "projects.create_task", {"project": "A", "title": "paint"})
    async with office.tenant("acme") as hold:
        (match,) = (await hold.links.lookup(MIRROR.LINKS, ("project_task", first["id"]))).matches
    for number, task in enumerate([first["id"], match.id] * 3):
        async with office.tenant("acme", actor="pia") as hold:
            await hold.actions.call("projects.update_task", {"task": task, "state": f"s{number}"})
    await drain(office)
    assert await states(office, "A") == await states(office, "B")
    assert await drain(office) == 0


async def test_condition_of_an_event_trigger_decides_whether_anything_starts(shop: Shop) -> None:
    patch = {"nodes": nodes(("note", "script", {"assign": {"a": "1"}})), "edges": ways("in -> note", "note -> out")}
    await shop.automation("note", patch)
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.triggers.create("big", "note", "on_event", event_key="sale", condition="payload.payload.total > 5")
        for total in (3, 7, "unknown"):
            await hold.processes.tell("sale", {"total": total})
    await shop.worker.drain()
    async with shop.app.tenant("acme") as hold:
        assert len((await hold.processes.list(workflow_id="note")).items) == 1


async def test_dedup_a_reminder_is_sent_once(shop: Shop) -> None:
    """The create-only write is refused the second time, and the refusal is the way to skip."""
    flag = {
        "namespace": "invoice-dunning-sent",
        "key": {"$expr": "payload.payload.invoice"},
        "value": True,
        "if_revision": 0,
    }
    remind = {"users": ["ana"], "subject": "an invoice is overdue"}
    await shop.automation(
        "dunning",
        {
            "nodes": nodes(
                ("flag", "action", {"action": "store.set", "payload": flag}),
                ("remind", "action", {"action": "notify", "payload": remind}),
            ),
            "edges": ways("in -> flag", "flag -completed-> remind", "flag -error-> out", "remind -> out"),
            "exit_edge_mode": "join",
        },
    )
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.triggers.create("overdue", "dunning", "on_event", event_key="INVOICE_OVERDUE")
        for invoice in ("i-1", "i-1", "i-2", "i-1"):
            await hold.processes.tell("INVOICE_OVERDUE", {"invoice": invoice})
    await drain(shop.app)
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert len((await hold.notifications.list()).items) == 2
        done = (await hold.processes.list(workflow_id="dunning")).items
    assert [one.status for one in done] == ["completed"] * 4


async def test_counter_counts_every_start_exactly(shop: Shop) -> None:
    count = {"namespace": "tenant-onboarding", "key": "welcome-emails", "by": 1}
    await shop.automation(
        "welcome",
        {
            "nodes": nodes(("count", "action", {"action": "store.increment", "payload": count, "save_as": "sum"})),
            "edges": ways("in -> count", "count -> out"),
        },
    )
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.triggers.create("user", "welcome", "on_event", event_key="USER_CREATED")
        for number in range(10):
            await hold.processes.tell("USER_CREATED", {"user": number})
    await asyncio.gather(*(shop.app.engine_worker(batch=3).drain() for _ in range(2)))
    entry = await shop.app.data("acme").get("tenant-onboarding", "welcome-emails")
    assert entry is not None
    assert entry.value == 10
    async with shop.app.tenant("acme") as hold:
        done = (await hold.processes.list(workflow_id="welcome")).items
    assert sorted(one.context["sum"]["value"] for one in done) == list(range(1, 11))


async def test_what_a_step_writes_names_its_instance(shop: Shop) -> None:
    """Through the actions of the data store, and through an action of the application's own."""

    @shop.app.action("shop.note", permission="data:write")
    async def note(call: Call, given: dict[str, Any]) -> dict[str, Any]:
        await call.hold.data.set("notes", "own", given)
        await call.hold.links.upsert("notes", ("a", "1"), ("b", "2"))
        return {}

    counted = {"namespace": "notes", "key": "counted"}
    await shop.automation(
        "noting",
        {
            "nodes": nodes(
                ("count", "action", {"action": "store.increment", "payload": counted}),
                ("note", "action", {"action": "shop.note", "payload": {}}),
            ),
            "edges": ways("in -> count", "count -> note", "note -> out"),
        },
    )
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.triggers.create("noted", "noting", "on_event", event_key="NOTED")
        await hold.processes.tell("NOTED", {})
    await drain(shop.app)
    async with shop.app.tenant("acme") as hold:
        (instance,) = (await hold.processes.list(workflow_id="noting")).items
        entries = (await hold.data.list("notes")).items
        (link,) = (await hold.links.list("notes")).items
    assert instance.status == "completed"
    assert [entry.created_by_run_id for entry in entries] == [instance.id] * 2
    assert link.created_by_run_id == instance.id


async def test_cursor_is_handed_from_one_run_to_the_next(shop: Shop) -> None:
    place = {"namespace": "sync-cursor", "key": "erp"}
    keep = place | {"value": {"$expr": "payload.payload.until"}}
    await shop.automation(
        "sync",
        {
            "nodes": nodes(
                ("get", "action", {"action": "store.get", "payload": place, "save_as": "since"}),
                ("set", "action", {"action": "store.set", "payload": keep}),
            ),
            "edges": ways("in -> get", "get -> set", "set -> out"),
        },
    )
    seen = []
    for until in ("2026-06-04T00:00:00Z", "2026-06-05T00:00:00Z", "2026-06-06T00:00:00Z"):
        async with shop.app.tenant("acme", actor="ana") as hold:
            begun = await hold.processes.start("sync", payload={"payload": {"until": until}})
        await shop.worker.drain()
        seen.append((await shop.instance(begun.id)).context["since"]["value"])
    assert seen == [None, "2026-06-04T00:00:00Z", "2026-06-05T00:00:00Z"]


async def test_a_trigger_whose_automation_is_out_of_use_keeps_nothing_from_the_others(shop: Shop) -> None:
    greet = {"nodes": nodes(("hello", "action", {"action": "invoice.post"})), "edges": ways("in -> hello")}
    for name in ("away", "here"):
        await shop.automation(name, greet)
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.triggers.create(f"starts-{name}", name, "on_create", entity_type="invoice")
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.definitions.archive("away")
    made = await shop.invoice()
    async with shop.app.tenant("acme") as hold:
        assert (await hold.processes.of_document(made.id)).status == "running"
        assert [each.status for each in (await hold.processes.list(workflow_id="here")).items] == ["completed"]
        cursor = await hold.connection.execute(
            "SELECT status, error FROM holdfast.workflow_events_outbox WHERE event_type = 'on_create'"
        )
        ((status, note),) = await cursor.fetchall()
    assert status == "completed"
    assert "starts-away starts nothing" in note


@pytest.mark.parametrize(
    ("workflow", "given", "field"),
    [
        ("invoice", {"trigger_type": "manual"}, "document type"),
        ("here", {"trigger_type": "on_event", "event_key": "x" * 501}, "event_key"),
        ("here", {"trigger_type": "on_event", "event_key": "a\0b"}, "event_key"),
        (
            "here",
            {"trigger_type": "on_lifecycle_transition", "entity_type": "invoice", "config": {"to": "aktiv"}},
            "aktiv",
        ),
        ("here", {"trigger_type": "on_create", "entity_type": "invoice", "condition": "entity.vendr == 'a'"}, "vendr"),
        ("here", {"trigger_type": "on_create", "entity_type": "invoice", "condition": "org.slug == 'a'"}, "org"),
        ("here", {"trigger_type": "on_event", "event_key": "e", "condition": "entity.vendor == 'a'"}, "entity"),
    ],
)
async def test_a_trigger_that_could_never_start_anything_is_refused(
    shop: Shop, workflow: str, given: dict[str, Any], field: str
) -> None:
    await shop.automation(
        "here", {"nodes": nodes(("hello", "action", {"action": "invoice.post"})), "edges": ways("in -> hello")}
    )
    async with shop.app.tenant("acme", actor="ana") as hold:
        with pytest.raises(InvalidInput, match=field):
            await hold.triggers.create("t", workflow, **given)


async def test_a_trigger_of_a_document_type_that_is_not_there_is_refused(shop: Shop) -> None:
    async with shop.app.tenant("acme", actor="ana") as hold:
        with pytest.raises(NotFound, match="no document type 'invoize'"):
            await hold.triggers.create("t", "here", "on_create", entity_type="invoize")


async def test_a_triggers_condition_reads_the_document_as_its_contract_says(shop: Shop) -> None:
    """A field that the contract does not require is null where it is absent, as in every step."""
    hello = {"action": "invoice.post", "payload": {"number": {"$expr": "entity.number"}}}
    await shop.automation(
        "here",
        {
            "nodes": nodes(("hello", "action", hello)),
            "edges": ways("in -> hello"),
        },
    )
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.triggers.create("t", "here", "on_create", entity_type="invoice", condition="entity.vendor == null")
        await hold.documents.create("invoice", {"number": "1", "grand_total": "1.00"})
        await hold.documents.create("invoice", {"number": "2", "grand_total": "1.00", "vendor": "acme"})
    await shop.worker.drain()
    assert [each.given["number"] for each in shop.posted] == ["1"]
