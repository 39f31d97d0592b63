"""Use case B: a sales order. Stock, credit and warehouse at once; the first that settles the matter wins."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import holdfast as hf
from holdfast import Document
from holdfast.envelope import Contract, OrgWorkflowDefinition
from holdfast.testing import Databases, drain

ORDER = Contract.from_yaml("""
entity_type: sales_order
document:
  type: object
  required: [number, grand_total, customer]
  properties:
    number: {type: string}
    grand_total: {type: string, format: decimal}
    customer:
      type: object
      required: [credit_available]
      properties: {credit_available: {type: string, format: decimal}}
""")
SLOTS = OrgWorkflowDefinition.from_yaml("""
base_ref: {entity_type: sales_order, envelope_version: 1}
slots:
  slot:submitted_to_approved:
    exit_edge_mode: join
    nodes:
      - {id: fan_out, type: parallel_split}
      - {id: reserve, type: wait_event, name: Stock reserved, config: {event_key: "reserved:{entity.number}"}}
      - id: credit
        type: script
        name: Credit check
        config: {assign: {credit_ok: entity.customer.credit_available >= entity.grand_total}}
      - {id: covered, type: condition, config: {expression: context.credit_ok == true}}
      - {id: backorder, type: wait_event, config: {event_key: "backorder:{entity.number}"}}
      - id: notify
        type: notification
        name: Notify warehouse
        config: {to: [{kind: role, role: warehouse}], subject: "Order {entity.number}"}
      - {id: picked, type: wait_event, config: {event_key: "picked:{entity.number}"}}
      - {id: first, type: parallel_join, config: {mode: any}}
      - {id: verdict, type: condition, config: {expression: context.credit_ok == true}}
      - {id: payment, type: wait_event, name: Payment required, config: {event_key: "payment:{entity.number}"}}
      - {id: release, type: action, run_as: system, config: {action: process.approve}}
    edges:
      - {source: in, target: fan_out}
      - {id: path_1, source: fan_out, target: reserve, priority: 1}
      - {id: path_2, source: fan_out, target: credit, priority: 3}
      - {id: path_3, source: fan_out, target: notify, priority: 2}
      - {source: reserve, target: first}
      - {source: credit, target: covered}
      - {source: covered, target: backorder, outcome: "true"}
      - {source: covered, target: first, outcome: "false"}
      - {source: backorder, target: first}
      - {source: notify, target: picked}
      - {source: picked, target: first}
      - {source: first, target: verdict}
      - {source: verdict, target: release, outcome: "true"}
      - {source: verdict, target: payment, outcome: "false"}
      - {source: payment, target: release}
      - {source: release, target: out}
""")


async def play(app: hf.Holdfast) -> None:
    """One order with credit, one without."""
    app.contracts.add(ORDER)
    await app.tenants.create("acme")
    async with app.tenant("acme") as hold:
        await hold.roles.define("warehouse", ["processes:read"])
        await hold.users.create("sam", roles=["author"])
        await hold.users.create("wim", roles=["warehouse"])
        await hold.definitions.register(ORDER)
        slots = SLOTS.model_dump(mode="json")["slots"]
        await hold.definitions.publish((await hold.definitions.create_draft("sales_order", slots)).id)

    order = await place(app, "SO-1", credit="5000.00")
    assert await waiting(app, order) == ["backorder", "picked", "reserve"]
    await tell(app, "reserved:SO-1")
    assert await waiting(app, order) == [], "the stock came first: the others were cancelled"
    async with app.tenant("acme") as hold:
        process = await hold.processes.of_document(order.id)
        steps = (await hold.processes.steps(process.id)).items
        assert (process.status, process.doc_status) == ("completed", "active")
    cancelled = sorted(step.node_id.split(":")[-1] for step in steps if step.status == "cancelled")
    assert cancelled == ["backorder", "picked"]
    print(f"SO-1 is {process.doc_status}; cancelled: {', '.join(cancelled)}")

    order = await place(app, "SO-2", credit="10.00")
    assert await waiting(app, order) == ["payment"], "no credit: nothing else matters any more"
    await tell(app, "payment:SO-2")
    assert await waiting(app, order) == []
    async with app.tenant("acme", actor="wim") as hold:
        told = [message.subject for message in (await hold.notifications.list()).items]
    assert sorted(told) == ["Order SO-1", "Order SO-2"]
    print(f"the warehouse was told of {', '.join(sorted(told))}")


async def place(app: hf.Holdfast, number: str, *, credit: str) -> Document:
    """A new order, submitted."""
    async with app.tenant("acme", actor="sam") as hold:
        data = {"number": number, "grand_total": "1200.00", "customer": {"credit_available": credit}}
        made = await hold.documents.create("sales_order", data)
        await hold.documents.transition(made.id, "submit")
    await drain(app)
    return made


async def tell(app: hf.Holdfast, key: str) -> None:
    """Another system reports something."""
    async with app.tenant("acme") as hold:
        await hold.processes.tell(key)
    await drain(app)


async def waiting(app: hf.Holdfast, order: Document) -> list[str]:
    """The steps that are open."""
    async with app.tenant("acme") as hold:
        process = await hold.processes.of_document(order.id)
        steps = (await hold.processes.steps(process.id)).items
    return sorted(step.node_id.split(":")[-1] for step in steps if step.status in ("pending", "running"))


async def main() -> None:
    """Play on a database of its own, because time is moved there; afterwards it is gone."""
    with Databases() as databases, databases.clone() as name:
        async with hf.Holdfast(dsn=databases.dsn(name), clock=hf.FakeClock(datetime.now(UTC))) as app:
            await play(app)


if __name__ == "__main__":
    asyncio.run(main())
