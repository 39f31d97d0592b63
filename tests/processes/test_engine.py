"""The engine lets things happen in order, once, and writes down why."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.actions import Call
from holdfast.errors import Conflict, NotFound, VersionConflict
from processes.shop import Shop, nodes, passing, ways


async def test_document_gets_its_process(shop: Shop) -> None:
    made = await shop.invoice()
    async with shop.app.tenant("acme") as hold:
        instance = await hold.processes.of_document(made.id)
    assert instance.status == "running"
    assert instance.doc_status == "draft"
    assert instance.edit_window == "editable"
    assert instance.current_nodes == ("sys:state:draft",)
    assert instance.created_by == "user:ana"


async def test_steps_in_a_row_share_a_transaction(shop: Shop) -> None:
    await shop.publish(
        passing(
            ("big", "condition", {"expression": "entity.vendor != 'x'"}),
            ("post", "action", {"action": "invoice.post", "payload": {"n": {"$expr": "entity.number"}}}),
            edges=ways("in -> big", "big -true-> post", "big -false-> pass", "post -> pass"),
        )
    )
    made = await shop.invoice()
    instance = await shop.submit(made)
    assert [each.given for each in shop.posted] == [{"n": "7"}]
    assert [step[0] for step in await shop.trail(instance)] == [
        *("start", "draft", "submit", "submitted", "in", "big", "post", "pass", "out", "approve", "active", "end"),
    ]
    found = await shop.instance(instance)
    assert found.status == "completed"
    assert found.doc_status == "active"
    # Submitting was one advance, up to the action, and what the worker did was another.
    assert found.version == 3
    async with shop.app.tenant("acme") as hold:
        assert (await hold.documents.get(made.id)).doc_status == "active"
    assert await shop.matches_its_steps(instance)


async def test_why_each_edge_was_taken_is_kept(shop: Shop) -> None:
    await shop.publish(
        passing(
            ("big", "condition", {"expression": "entity.grand_total > 10000"}),
            edges=ways("in -> big", "big -true-> pass", "big -false-> pass"),
        )
    )
    instance = await shop.submit(await shop.invoice())
    step = next(each for each in await shop.steps(instance) if each.node_type == "condition")
    assert step.output["chosen_edge_ids"]
    trace = step.output["expressions"][0]
    assert trace["expression"] == "entity.grand_total > 10000"
    assert trace["result"] is True
    async with shop.app.tenant("acme") as hold:
        why = [reason.because for reason in await hold.processes.reasons(instance) if reason.node.endswith(":big")]
    assert why == ["entity.grand_total > 10000 is true because 12500.00 > 10000"]


async def test_advance_with_a_stale_version_writes_nothing(shop: Shop) -> None:
    made = await shop.invoice()
    async with shop.app.tenant("acme", actor="ana") as hold:
        instance = await hold.processes.of_document(made.id)
    before = await shop.trail(instance.id)
    with pytest.raises(VersionConflict):
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.processes.advance(instance.id, "submit", expected_version=instance.version + 1)
    assert await shop.trail(instance.id) == before
    assert (await shop.instance(instance.id)).version == instance.version
    async with shop.app.tenant("acme", actor="ana") as hold:
        done = await hold.processes.advance(instance.id, "submit", expected_version=instance.version)
    assert done.version == instance.version + 1


async def test_what_cannot_happen_now_is_a_conflict(shop: Shop) -> None:
    made = await shop.invoice()
    async with shop.app.tenant("acme", actor="ana") as hold:
        instance = await hold.processes.of_document(made.id)
        with pytest.raises(Conflict, match="submit"):
            await hold.processes.advance(instance.id, "fly")


async def test_instance_of_another_tenant_is_not_found(shop: Shop) -> None:
    made = await shop.invoice()
    async with shop.app.tenant("acme") as hold:
        instance = await hold.processes.of_document(made.id)
    async with shop.app.tenant("globex", actor="ana") as hold:
        with pytest.raises(NotFound):
            await hold.processes.get(instance.id)
        with pytest.raises(NotFound):
            await hold.processes.advance(instance.id, "submit")


async def test_failed_action_pauses_and_can_be_tried_again(shop: Shop) -> None:
    broken = True

    @shop.action("invoice.check")
    async def check(call: Call, given: Any) -> None:
        if broken:
            raise Conflict("the books are closed")

    await shop.publish(
        passing(("check", "action", {"action": "invoice.check"}), edges=ways("in -> check", "check -> pass"))
    )
    instance = await shop.submit(await shop.invoice())
    found = await shop.instance(instance)
    assert found.status == "paused"
    step = (await shop.steps(instance))[-1]
    assert (step.status, step.outcome) == ("failed", "error")
    assert step.error is not None
    assert step.error["message"] == "the books are closed"
    broken = False
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.retry_step(instance)
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"
    assert await shop.matches_its_steps(instance)


async def test_action_that_fails_leaves_nothing_behind(shop: Shop) -> None:
    @shop.action("invoice.scribble")
    async def scribble(call: Call, given: Any) -> None:
        await call.tx.connection.execute(
            "INSERT INTO holdfast.roles (tenant, role, permissions) VALUES (%s, 'scribbled', '{}')", [call.tx.tenant.id]
        )
        raise Conflict("no")

    await shop.publish(
        passing(
            ("scribble", "action", {"action": "invoice.scribble"}), edges=ways("in -> scribble", "scribble -> pass")
        )
    )
    instance = await shop.submit(await shop.invoice())
    assert (await shop.instance(instance)).status == "paused"
    async with shop.app.tenant("acme") as hold:
        assert "scribbled" not in [role.name for role in await hold.roles.list()]


async def test_error_edge_takes_a_failed_action(shop: Shop) -> None:
    @shop.action("invoice.check")
    async def check(call: Call, given: Any) -> None:
        raise Conflict("the books are closed")

    await shop.publish(
        passing(
            ("check", "action", {"action": "invoice.check"}),
            edges=ways("in -> check", "check -completed-> pass", "check -error-> pass"),
        )
    )
    instance = await shop.submit(await shop.invoice())
    assert (await shop.instance(instance)).status == "completed"


async def test_run_as_is_told_apart_in_the_evidence(shop: Shop) -> None:
    seen: list[str] = []

    @shop.action("who.am_i")
    async def who(call: Call, given: Any) -> None:
        seen.append(str(call.tx.actor))

    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.users.create("robot", kind="service", roles=["author"])
        await hold.configure(settings={"service_account": "robot"})
    shop.app.database.forget_tenant("acme")
    given = passing(
        ("a", "action", {"action": "who.am_i"}),
        ("b", "action", {"action": "who.am_i"}),
        ("c", "action", {"action": "who.am_i"}),
        edges=ways("in -> a", "a -> b", "b -> c", "c -> pass"),
    )
    for number, run_as in enumerate(("actor", "system", "service_account")):
        given["slot:submitted_to_approved"]["nodes"][number]["run_as"] = run_as
    await shop.publish(given)
    instance = await shop.submit(await shop.invoice())
    assert seen == ["user:ana", "system:process", "service:robot"]
    steps = [step for step in await shop.steps(instance) if step.node_type == "action"][:3]
    assert [step.acted_as for step in steps] == seen


async def test_action_that_changes_the_document_is_no_drift(shop: Shop) -> None:
    @shop.action("invoice.mark")
    async def mark(call: Call, given: Any) -> None:
        from holdfast.documents import Documents

        documents = Documents(call.tx, shop.app.assembly.cabinet())
        assert call.document_id is not None
        await documents.update(call.document_id, {"posted": True})

    await shop.publish(
        passing(
            ("mark", "action", {"action": "invoice.mark"}),
            ("seen", "condition", {"expression": "entity.posted == true"}),
            ("seen_not", "action", {"action": "invoice.post"}),
            edges=ways("in -> mark", "mark -> seen", "seen -true-> pass", "seen -false-> seen_not", "seen_not -> pass"),
        )
    )
    made = await shop.invoice(posted=False)
    instance = await shop.submit(made)
    found = await shop.instance(instance)
    assert found.status == "completed"
    assert found.entity_version == 2
    assert shop.posted == []
    assert await shop.matches_its_steps(instance)


async def test_document_without_worker_is_submitted_all_the_same(shop: Shop) -> None:
    async with shop.app.tenant("acme", actor="ana") as hold:
        made = await hold.documents.create("invoice", {"number": "8"})
        await hold.documents.transition(made.id, "submit")
        instance = await hold.processes.of_document(made.id)
    assert instance.doc_status == "submitted"
    await shop.worker.drain()
    async with shop.app.tenant("acme") as hold:
        page = await hold.processes.list(document_id=made.id)
    assert len(page.items) == 1


async def test_unknown_node_type_fails_visibly(shop: Shop) -> None:
    await shop.publish(passing(("q", "ask", {}), edges=ways("in -> q", "q -> pass")))
    instance = await shop.submit(await shop.invoice())
    assert (await shop.instance(instance)).current_nodes == ("usr:slot:submitted_to_approved:q",)
    other = nodes(("q", "nonsense", {}))
    with pytest.raises(Exception, match="nonsense"):
        await shop.publish({"slot:submitted_to_approved": {"nodes": other, "edges": ways("in -> q", "q -> out")}})


async def test_a_step_that_nobody_can_act_for_fails_visibly_and_can_be_tried_again(shop: Shop) -> None:
    patches = passing(
        ("nap", "wait_event", {"event_key": "go"}),
        ("post", "action", {"action": "invoice.post"}),
        edges=ways("in -> nap", "nap -> post", "post -> pass"),
    )
    patches["slot:submitted_to_approved"]["nodes"][1]["run_as"] = "service_account"
    await shop.publish(patches)
    document = await shop.invoice()
    instance = await shop.submit(document)
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.tell("go")
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "paused"
    (step,) = [step for step in await shop.steps(instance) if step.status == "failed"]
    assert step.error is not None
    assert "service_account" in step.error["hint"]
    for name, because in (("nobody", "does not exist"), ("robot", None)):
        async with shop.app.tenant("acme") as hold:
            await hold.configure(settings={"service_account": name})
            if because is None:
                await hold.users.create(name, kind="service", roles=["author"])
        async with shop.app.tenant("acme", actor="ana") as hold:
            await hold.processes.retry_step(instance)
        await shop.app.engine_worker().drain()  # A new one: it reads a tenant's settings every half a minute.
        last = (await shop.steps(instance))[-1]
        assert because is None or because in (last.error or {})["message"]
    await shop.worker.drain()
    assert (await shop.instance(instance)).doc_status == "active"
    assert [str(each.call.actor) for each in shop.posted] == ["service:robot"]
    assert await shop.matches_its_steps(instance)


async def test_an_event_for_one_of_two_that_wait_for_it_reaches_that_one_alone(shop: Shop) -> None:
    await shop.publish(
        passing(
            ("s", "parallel_split", {}),
            ("a", "wait_event", {"event_key": "k"}),
            ("b", "wait_event", {"event_key": "k"}),
            ("j", "parallel_join", {}),
            edges=ways("in -> s", "s -> a", "s -> b", "a -> j", "b -> j", "j -> pass"),
        )
    )
    instance = await shop.submit(await shop.invoice())
    async with shop.app.tenant("acme", actor="ana") as hold:
        first, second = [each for each in await hold.processes.waits(instance) if each.kind == "event"]
        await hold.processes.advance(instance, "k", at=second.node)
        (left,) = [each for each in await hold.processes.waits(instance) if each.kind == "event"]
        assert left.node == first.node
        await hold.processes.advance(instance, "k", at=left.token)
        assert (await hold.processes.get(instance)).doc_status == "active"
    assert await shop.matches_its_steps(instance)
