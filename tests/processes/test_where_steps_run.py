"""Where a step runs: at once in the transaction of whoever caused it, or by a worker; and what stands in any case."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from holdfast.actions import Call
from holdfast.processes.nodes import Ask
from people.conftest import office
from people.office import FINANCE, SLOT, Office
from processes.conftest import AskConfig
from processes.shop import Shop, nodes, passing, ways

__all__ = ["office"]


def inbox(superuser: psycopg.Connection[Any]) -> list[tuple[str, str]]:
    """(event type, status) of what waits for a worker."""
    rows = superuser.execute(
        "SELECT event_type, status FROM holdfast.workflow_events_outbox WHERE status <> 'completed' ORDER BY created_at"
    ).fetchall()
    return [(row["event_type"], row["status"]) for row in rows]


def refuse_steps(superuser: psycopg.Connection[Any]) -> None:
    """From now on nothing can be written of any step."""
    superuser.execute(
        "CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'no steps today'; END $$"
    )
    superuser.execute(
        "CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON holdfast.workflow_step_executions "
        "FOR EACH ROW EXECUTE FUNCTION public.refuse()"
    )


def allow_steps(superuser: psycopg.Connection[Any]) -> None:
    superuser.execute("DROP TRIGGER refuse ON holdfast.workflow_step_executions")


async def publish_two_approvals(office: Office) -> None:
    """One after the other: whoever decides first lets the second be asked."""
    edges = ways(
        "in -> one", "one -approved-> two", "one -rejected-> out", "two -approved-> out", "two -rejected-> out"
    )
    await office.shop.publish(
        {
            SLOT: {
                "nodes": nodes(("one", "approval", FINANCE), ("two", "approval", FINANCE)),
                "edges": edges,
                "exit_edge_mode": "join",
            }
        }
    )


async def doc_status(office: Office, document_id: Any) -> str:
    async with office.app.tenant("acme") as hold:
        return (await hold.documents.get(document_id)).doc_status


# ------------------------------------------------------------------------------------------------------------ decisions


async def test_a_decision_is_visible_in_the_process_when_its_call_returns(
    office: Office, superuser: psycopg.Connection[Any]
) -> None:
    await office.publish(FINANCE)
    document, instance, request = await office.asked()
    await office.decide("ben", request)
    assert await doc_status(office, document.id) == "active"
    assert (await office.shop.instance(instance)).status == "completed"
    assert await office.shop.matches_its_steps(instance)
    assert inbox(superuser) == []


async def test_a_gate_that_asks_itself_uses_up_the_decision_when_the_call_returns(office: Office) -> None:
    document, instance, request = await office.asked()
    await office.decide("eve", request)
    assert await doc_status(office, document.id) == "active"
    async with office.app.tenant("acme") as hold:
        (decision,) = (await hold.approvals.get(request.id)).decisions
    assert decision.applied
    assert await office.shop.matches_its_steps(instance)


async def test_whoever_is_asked_next_is_asked_when_the_call_returns(
    office: Office, superuser: psycopg.Connection[Any]
) -> None:
    await publish_two_approvals(office)
    _, instance, request = await office.asked()
    await office.decide("ben", request)
    assert (await office.open_request(instance)).node_id.endswith(":two")
    assert inbox(superuser) == []
    await office.decide("cat", await office.open_request(instance))
    assert (await office.shop.instance(instance)).status == "completed"
    assert await office.shop.matches_its_steps(instance)


async def test_a_task_is_visible_in_the_process_when_its_call_returns(office: Office) -> None:
    form = {"type": "object", "properties": {"cost_centre": {"type": "string"}}}
    await office.publish(
        {"assignees": [{"kind": "user", "user": "ben"}], "form": form, "title": "Cost centre"},
        kind="task",
        outcomes=("completed",),
    )
    _, instance, request = await office.asked()
    async with office.acting("ben") as hold:
        await hold.approvals.complete(request.id, {"cost_centre": "7"})
    assert ("ask", "completed", "completed") in await office.shop.trail(instance)
    assert await office.shop.matches_its_steps(instance)


@pytest.mark.parametrize("following", ["only written", "somebody asked"])
async def test_a_decision_stands_when_what_follows_from_it_fails(
    office: Office, superuser: psycopg.Connection[Any], following: str
) -> None:
    if following == "only written":
        await office.publish(FINANCE)
    else:
        await publish_two_approvals(office)
    _, instance, request = await office.asked()
    refuse_steps(superuser)
    decided = await office.decide("ben", request)
    assert decided.status == "approved"
    async with office.app.tenant("acme") as hold:
        kept = await hold.approvals.get(request.id)
    assert (kept.request.status, [each.decided_by for each in kept.decisions]) == ("approved", ["ben"])
    assert inbox(superuser) == [("advance", "pending")]
    allow_steps(superuser)
    await office.shop.worker.drain()
    trail = await office.shop.trail(instance)
    assert [status for node, status, _ in trail if node in ("ask", "one")] == ["completed"]
    assert await office.shop.matches_its_steps(instance)
    assert inbox(superuser) == []


async def test_a_decision_stands_when_nobody_can_run_the_definition(
    office: Office, superuser: psycopg.Connection[Any]
) -> None:
    await office.publish(FINANCE)
    document, _, request = await office.asked()
    superuser.execute("SET session_replication_role = replica")
    superuser.execute(
        "UPDATE holdfast.workflow_definitions SET compiler_version = '0.0.1' WHERE definition_kind = 'effective'"
    )
    office.app.assembly.library.forget()
    assert (await office.decide("ben", request)).status == "approved"
    assert inbox(superuser) == [("advance", "pending")]
    assert await doc_status(office, document.id) == "submitted"


async def test_a_decision_stands_when_the_projection_cannot_be_read(
    office: Office, superuser: psycopg.Connection[Any]
) -> None:
    await office.publish(FINANCE)
    _, _, request = await office.asked()
    superuser.execute("SET session_replication_role = replica")
    superuser.execute("UPDATE holdfast.workflow_instances SET state = '{}'")
    assert (await office.decide("ben", request)).status == "approved"
    assert inbox(superuser) == [("advance", "pending")]


async def test_a_decision_on_a_paused_instance_waits_until_it_is_resumed(
    office: Office, superuser: psycopg.Connection[Any]
) -> None:
    await office.publish(FINANCE)
    document, instance, request = await office.asked()
    async with office.acting("ana") as hold:
        await hold.processes.pause(instance, reason="stock-taking")
    await office.decide("ben", request)
    assert inbox(superuser) == [("advance", "pending")]
    async with office.acting("ana") as hold:
        await hold.processes.resume(instance)
    assert await office.status(document) == "active"


# ------------------------------------------------------------------------------------------------------------ user code


async def test_no_code_of_the_application_runs_in_a_request(shop: Shop, superuser: psycopg.Connection[Any]) -> None:
    called: list[str] = []

    async def vouch(call: Call, given: Any) -> None:
        called.append("action")

    def large(ask: Ask) -> bool:
        called.append("rule")
        return True

    shop.action("vendor.vouch")(vouch)
    shop.app.rule("large")(large)

    @shop.app.node("sanctions_check", config=AskConfig)
    async def check(ask: Ask) -> dict[str, Any]:
        called.append("node")
        return {}

    steps: tuple[tuple[str, str, dict[str, Any], str], ...] = (
        ("vouch", "action", {"action": "vendor.vouch"}, "action:vendor.vouch"),
        ("large", "rule", {"rule": "large"}, "rule:large"),
        ("clean", "sanctions_check", {}, "custom:sanctions_check"),
    )
    for name, kind, config, needs in steps:
        outcome = "matched" if kind == "rule" else "completed"
        also = ways(f"{name} -not_matched-> pass") if kind == "rule" else []
        await shop.publish(
            passing((name, kind, config), edges=[*ways(f"in -> {name}", f"{name} -{outcome}-> pass"), *also])
        )
        document = await shop.invoice()
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.documents.transition(document.id, "submit")
            instance = await hold.processes.of_document(document.id)
        assert called == []
        row = superuser.execute(
            "SELECT needs FROM holdfast.workflow_events_outbox WHERE event_type = 'take_step' AND status = 'pending'"
        ).fetchone()
        assert row is not None
        assert row["needs"] == needs
        await shop.worker.drain()
        assert len(called) == 1
        called.clear()
        assert (await shop.instance(instance.id)).status == "completed"


async def test_a_built_in_action_runs_in_a_worker_like_any_other(shop: Shop) -> None:
    key = {"namespace": "seen", "key": "7", "value": {"seen": True}}
    await shop.publish(
        passing(("keep", "action", {"action": "store.set", "payload": key}), edges=ways("in -> keep", "keep -> pass"))
    )
    document = await shop.invoice()
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.documents.transition(document.id, "submit")
        instance = (await hold.processes.of_document(document.id)).id
    assert (await shop.trail(instance))[-1] == ("keep", "running", None)
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"


async def test_an_action_that_raises_is_no_error_of_the_request(shop: Shop) -> None:
    async def broken(call: Call, given: Any) -> None:
        raise RuntimeError("not today")

    shop.action("invoice.break")(broken)
    await shop.publish(
        passing(("break", "action", {"action": "invoice.break"}), edges=ways("in -> break", "break -> pass"))
    )
    document = await shop.invoice()
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert (await hold.documents.transition(document.id, "submit")).doc_status == "submitted"


async def test_a_stored_rule_and_a_policy_are_decided_at_once(shop: Shop, superuser: psycopg.Connection[Any]) -> None:
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.rules.put("large", "invoice", timing="after", effect="note", condition='entity.number == "7"')
    await shop.publish(
        passing(
            ("large", "rule", {"rule": "large"}),
            ("may", "policy_gate", {"permission": "documents:read"}),
            edges=ways("in -> large", "large -matched-> may", "large -not_matched-> pass", "may -> pass"),
        )
    )
    document = await shop.invoice()
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.documents.transition(document.id, "submit")
        assert (await hold.processes.of_document(document.id)).status == "completed"
    assert inbox(superuser) == []


async def test_a_loop_over_items_is_gone_through_by_a_worker(shop: Shop) -> None:
    body = {
        "nodes": nodes(("mark", "script", {"assign": {"sku": "item.sku"}})),
        "edges": ways("in -> mark", "mark -> out"),
    }
    await shop.publish(
        passing(("each", "for_each", {"items": "entity.lines", "body": body}), edges=ways("in -> each", "each -> pass"))
    )
    document = await shop.invoice(lines=[{"sku": "a"}, {"sku": "b"}])
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.documents.transition(document.id, "submit")
        instance = (await hold.processes.of_document(document.id)).id
    assert "each" not in [node for node, _, _ in await shop.trail(instance)]
    assert await shop.matches_its_steps(instance)
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"
    assert await shop.matches_its_steps(instance)


async def test_a_request_takes_a_bounded_number_of_steps_and_a_worker_the_others(
    shop: Shop, superuser: psycopg.Connection[Any]
) -> None:
    count = 150
    names = [f"s{number}" for number in range(count)]
    steps = [(name, "script", {"assign": {"n": str(place)}}) for place, name in enumerate(names)]
    edges = ways("in -> s0", *(f"s{n} -> s{n + 1}" for n in range(count - 1)), f"s{count - 1} -> pass")
    await shop.publish(passing(*steps, edges=edges))
    document = await shop.invoice()
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.documents.transition(document.id, "submit")
        instance = (await hold.processes.of_document(document.id)).id
        taken = await hold.processes.steps(instance, limit=1000)
    assert len(taken.items) <= 110
    assert (await shop.instance(instance)).status == "running"
    assert await shop.matches_its_steps(instance)
    assert inbox(superuser) == [("look_again", "pending")]
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"
    assert await shop.matches_its_steps(instance)


WAITING = ("paid", "wait_event", {"event_key": "paid:{entity.number}", "accepts": "payload.amount > 5"})


async def waiting(shop: Shop, number: str = "7") -> Any:
    """The process of an invoice that waits for `paid:‹number›`, and then once more."""
    instance = await shop.submit(await shop.invoice(number=number))
    assert (await shop.trail(instance))[-1][:2] == ("paid", "pending")
    return instance


async def publish_waiting(shop: Shop) -> None:
    again = ("again", "wait_event", {"event_key": "paid:{entity.number}"})
    await shop.publish(passing(WAITING, again, edges=ways("in -> paid", "paid -> again", "again -> pass")))


async def tell(shop: Shop, key: str, amount: int) -> None:
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.tell(key, {"amount": amount})


async def test_an_event_lets_the_process_go_on_before_the_call_returns(
    shop: Shop, superuser: psycopg.Connection[Any]
) -> None:
    await publish_waiting(shop)
    instance = await waiting(shop)
    await tell(shop, "paid:7", 10)
    assert (await shop.trail(instance))[-1][:2] == ("again", "pending"), "told once, it is heard once"
    assert inbox(superuser) == []
    await tell(shop, "paid:7", 1)
    assert (await shop.instance(instance)).status == "completed"
    assert inbox(superuser) == []


async def test_an_event_that_is_not_accepted_at_once_is_kept(shop: Shop, superuser: psycopg.Connection[Any]) -> None:
    await publish_waiting(shop)
    instance = await waiting(shop)
    await tell(shop, "paid:7", 1)
    assert (await shop.trail(instance))[-1][:2] == ("paid", "pending")
    assert inbox(superuser) == []
    await tell(shop, "paid:7", 10)
    assert (await shop.instance(instance)).status == "completed", "the next step takes the one that was kept"


async def test_an_event_stands_when_what_follows_cannot_be_written(
    shop: Shop, superuser: psycopg.Connection[Any]
) -> None:
    await publish_waiting(shop)
    instance = await waiting(shop)
    refuse_steps(superuser)
    await tell(shop, "paid:7", 10)
    assert inbox(superuser) == [("on_event", "pending")]
    allow_steps(superuser)
    await shop.worker.drain()
    assert (await shop.trail(instance))[-1][:2] == ("again", "pending")


async def test_an_event_does_not_wait_for_whoever_holds_the_instance(
    shop: Shop, superuser: psycopg.Connection[Any]
) -> None:
    await publish_waiting(shop)
    instance = await waiting(shop)
    with superuser.transaction():
        superuser.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [str(instance)])
        await tell(shop, "paid:7", 10)
    assert inbox(superuser) == [("on_event", "pending")]
    await shop.worker.drain()
    assert (await shop.trail(instance))[-1][:2] == ("again", "pending")


async def test_an_event_that_many_wait_for_goes_on_at_once_for_some_and_by_a_worker_for_the_others(
    shop: Shop, superuser: psycopg.Connection[Any]
) -> None:
    await publish_waiting(shop)
    instances = [await waiting(shop, "same") for _ in range(23)]
    await tell(shop, "paid:same", 10)
    assert len(inbox(superuser)) == 3
    await shop.worker.drain()
    assert {(await shop.trail(each))[-1][:2] for each in instances} == {("again", "pending")}
