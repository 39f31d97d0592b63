"""Use case D: a proof of delivery within 72 hours, or the logistics manager is told and decides."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import holdfast as hf
from holdfast import Document
from holdfast.envelope import Contract, OrgWorkflowDefinition
from holdfast.testing import Databases, drain

DELIVERY = Contract.from_yaml("""
entity_type: delivery
document: {type: object, required: [shipment_id], properties: {shipment_id: {type: string}}}
""")
SLOTS = OrgWorkflowDefinition.from_yaml("""
base_ref: {entity_type: delivery, envelope_version: 1}
slots:
  slot:submitted_to_approved:
    exit_edge_mode: join
    nodes:
      - id: pod
        type: wait_event
        name: Proof of delivery
        config: {event_key: "delivery:pod:{entity.shipment_id}", save_as: pod, timeout: 72h}
      - {id: confirm, type: action, run_as: system, config: {action: process.approve}}
      - id: alarm
        type: notification
        config:
          to: [{kind: role, role: logistics_manager}]
          subject: "Shipment {entity.shipment_id} unconfirmed after 72h"
      - {id: escalation, type: approval, config: {approvers: [{kind: role, role: logistics_manager}]}}
    edges:
      - {source: in, target: pod}
      - {source: pod, target: confirm}
      - {source: pod, target: alarm, outcome: timeout}
      - {source: confirm, target: out}
      - {source: alarm, target: escalation}
      - {source: escalation, target: out, outcome: approved}
      - {source: escalation, target: out, outcome: rejected}
""")


async def play(app: hf.Holdfast) -> None:
    """One delivery that is confirmed (before anybody waits for it), one that is not."""
    clock = app.clock
    assert isinstance(clock, hf.FakeClock)
    app.contracts.add(DELIVERY)
    await app.tenants.create("acme")
    async with app.tenant("acme") as hold:
        await hold.roles.define("logistics_manager", [])
        await hold.users.create("dora", roles=["author"])
        await hold.users.create("leo", roles=["approver", "logistics_manager"])
        await hold.definitions.register(DELIVERY)
        slots = SLOTS.model_dump(mode="json")["slots"]
        await hold.definitions.publish((await hold.definitions.create_draft("delivery", slots)).id)

    async with app.tenant("acme") as hold:
        await hold.processes.tell("delivery:pod:S-1", {"signed": "kim"})
    early = await hand_in(app, "S-1")
    async with app.tenant("acme") as hold:
        process = await hold.processes.of_document(early.id)
        assert (process.doc_status, process.context["pod"]) == ("active", {"signed": "kim"})
    print("S-1: the proof came before anybody waited for it, and was kept")

    late = await hand_in(app, "S-2")
    clock.advance(timedelta(hours=71))
    await drain(app)
    async with app.tenant("acme", actor="leo") as hold:
        assert not (await hold.notifications.list()).items
    clock.advance(timedelta(hours=2))
    await drain(app)
    async with app.tenant("acme", actor="leo") as hold:
        (message,) = (await hold.notifications.list(unread=True)).items
        (item,) = (await hold.inbox.list()).items
        print(f"leo is told: {message.subject}")
        await hold.approvals.decide(item.id, "approved", reason="called the customer")
    await drain(app)
    async with app.tenant("acme") as hold:
        assert (await hold.documents.get(late.id)).doc_status == "active"


async def hand_in(app: hf.Holdfast, shipment: str) -> Document:
    """A delivery that is on its way."""
    async with app.tenant("acme", actor="dora") as hold:
        made = await hold.documents.create("delivery", {"shipment_id": shipment})
        await hold.documents.transition(made.id, "submit")
    await drain(app)
    return made


async def main() -> None:
    """Play on a database of its own, because time is moved there; afterwards it is gone."""
    with Databases() as databases, databases.clone() as name:
        async with hf.Holdfast(dsn=databases.dsn(name), clock=hf.FakeClock(datetime.now(UTC))) as app:
            await play(app)


if __name__ == "__main__":
    asyncio.run(main())
