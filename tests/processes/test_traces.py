"""A trace that is given is on every step it causes, and on the lines of the trail."""

from __future__ import annotations

from holdfast import Holdfast
from processes.shop import Shop, nodes, ways

SLOT = "slot:submitted_to_approved"
ONE, TWO, THREE = ("1" * 32, "2" * 32, "3" * 32)


async def traced(shop: Shop, app: Holdfast) -> dict[str, str | None]:
    """Which trace each step of the only instance has, by the short name of its node."""
    async with app.tenant("acme") as hold:
        [instance] = (await hold.processes.list()).items
    return {each.node_id.rpartition(":")[2]: each.trace_id for each in await shop.steps(instance.id)}


async def test_a_trace_is_on_every_step_it_causes(shop: Shop, app: Holdfast) -> None:
    approvers = {"approvers": [{"kind": "user", "user": "ben"}]}
    edges = ways(
        "in -> one", "one -approved-> two", "one -rejected-> out", "two -approved-> post", "two -rejected-> out"
    )
    patch = {
        "nodes": nodes(
            ("one", "approval", approvers),
            ("two", "approval", approvers),
            ("post", "action", {"action": "invoice.post"}),
        ),
        "edges": [*edges, *ways("post -> out")],
        "exit_edge_mode": "join",
    }
    async with app.tenant("acme", actor="ana") as hold:
        await hold.users.create("ben", roles=["approver"])
    await shop.publish({SLOT: patch})
    async with app.tenant("acme", actor="ana") as hold:
        made = await hold.documents.create("invoice", {"number": "7", "grand_total": "1"}, trace_id=ONE)
    await shop.worker.drain()
    assert set((await traced(shop, app)).values()) == {ONE}
    async with app.tenant("acme", actor="ana") as hold:
        await hold.documents.transition(made.id, "submit", trace_id=TWO)
    assert (await traced(shop, app))["one"] == TWO
    async with app.tenant("acme", actor="ben") as hold:
        [item] = (await hold.inbox.list()).items
        await hold.approvals.decide(item.id, "approved", trace_id=THREE)
    assert (await traced(shop, app))["two"] == THREE
    async with app.tenant("acme", actor="ben") as hold:
        [item] = (await hold.inbox.list()).items
        await hold.approvals.decide(item.id, "approved", trace_id="4" * 32)
    await shop.worker.drain()
    found = await traced(shop, app)
    assert found["post"] == "4" * 32
    async with app.tenant("acme") as hold:
        lines = (await hold.audit.list(object_id=item.instance_id)).items
    assert {each.trace_id for each in lines if each.event_type == "approval.decided"} == {THREE, "4" * 32}


async def test_a_document_that_is_submitted_before_a_worker_came_has_the_trace_too(shop: Shop, app: Holdfast) -> None:
    async with app.tenant("acme", actor="ana") as hold:
        made = await hold.documents.create("invoice", {"number": "7", "grand_total": "1"}, trace_id=ONE)
        await hold.documents.transition(made.id, "submit", trace_id=TWO)
    assert set((await traced(shop, app)).values()) == {TWO}
