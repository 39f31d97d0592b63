"""An order that must be approved within 72 hours, seen from a service that restarts in between.

What is known of the order is in Postgres alone: every step below could run in another process, on another machine.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import holdfast as hf
from holdfast import Conflict, Contract
from holdfast.testing import Databases, drain

ORDER = Contract.from_yaml("""
entity_type: purchase_order
document: {type: object, properties: {number: {type: string}, total: {type: integer}}}
""")
SLOTS = {
    "slot:submitted_to_approved": {
        "nodes": [
            {
                "id": "manager",
                "type": "approval",
                "config": {"approvers": [{"kind": "manager", "of": "actor.user_id"}], "timeout": "72h"},
            },
            {"id": "director", "type": "approval", "config": {"approvers": [{"kind": "role", "role": "director"}]}},
        ],
        "edges": [
            {"source": "in", "target": "manager"},
            {"source": "manager", "target": "out", "outcome": "approved"},
            {"source": "manager", "target": "out", "outcome": "rejected"},
            {"source": "manager", "target": "director", "outcome": "timeout"},
            {"source": "director", "target": "out", "outcome": "approved"},
            {"source": "director", "target": "out", "outcome": "rejected"},
        ],
        "exit_edge_mode": "join",
    }
}


async def play(app: hf.Holdfast) -> None:
    """Nobody answers in time; the director does."""
    clock = app.clock
    assert isinstance(clock, hf.FakeClock)
    app.contracts.add(ORDER)
    await app.tenants.create("acme")
    async with app.tenant("acme") as hold:
        await hold.roles.define("director", [])
        await hold.users.create("olga", roles=["author"])
        await hold.users.create("max", roles=["approver"])
        await hold.users.create("dia", roles=["approver", "director"])
        await hold.org.set_manager("olga", "max")
        await hold.definitions.register(ORDER)
        await hold.definitions.publish((await hold.definitions.create_draft("purchase_order", SLOTS)).id)
    async with app.tenant("acme", actor="olga") as hold:
        order = await hold.documents.create("purchase_order", {"number": "PO-1", "total": 4200})
        await hold.documents.transition(order.id, "submit")
        process = await hold.processes.of_document(order.id)
    await drain(app)
    async with app.tenant("acme", actor="max") as hold:
        (asked,) = (await hold.inbox.list(which="mine")).items
        assert asked.due_at == clock.now() + timedelta(hours=72)

    clock.advance(timedelta(hours=73))
    await drain(app)
    async with app.tenant("acme", actor="max") as hold:
        try:
            await hold.approvals.decide(asked.id, "approved")
        except Conflict as problem:
            print(f"max comes too late: {problem.message}")
        else:
            raise AssertionError("the time was over")
    async with app.tenant("acme", actor="dia") as hold:
        (item,) = (await hold.inbox.list()).items
        await hold.approvals.decide(item.id, "approved")
    await drain(app)
    async with app.tenant("acme") as hold:
        done = await hold.processes.get(process.id)
        assert (done.status, done.doc_status) == ("completed", "active")
        for step in (await hold.processes.steps(process.id)).items:
            print(f"{step.node_id:45} {step.outcome or step.status:10} {step.settled_by or step.actor or ''}")


async def main() -> None:
    """Play on a database of its own, because time is moved there; afterwards it is gone."""
    with Databases() as databases, databases.clone() as name:
        async with hf.Holdfast(dsn=databases.dsn(name), clock=hf.FakeClock(datetime.now(UTC))) as app:
            await play(app)


if __name__ == "__main__":
    asyncio.run(main())
