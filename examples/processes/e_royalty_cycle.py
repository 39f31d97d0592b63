"""Use case E: a franchise's monthly royalty statement, with an audit when something is odd, sent to the portal."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta

import holdfast as hf
from holdfast import Call, Delivery, Outgoing
from holdfast.testing import Databases, drain

SLOT = {
    "nodes": [
        {"id": "month", "type": "wait_timer", "name": "First of the month", "config": {"cron": "0 6 1 * *"}},
        {
            "id": "statement",
            "type": "action",
            "run_as": "system",
            "config": {"action": "royalty.generate", "save_as": "statement"},
        },
        {"id": "odd", "type": "condition", "config": {"expression": "context.statement.anomalies > 0"}},
        {
            "id": "audit",
            "type": "approval",
            "name": "Audit",
            "config": {"approvers": [{"kind": "role", "role": "franchise_ops"}]},
        },
        {
            "id": "portal",
            "type": "webhook_out",
            "config": {
                "url": "https://portal.example/{payload.franchisee}",
                "body": {"pdf": {"$expr": "context.statement.link"}},
                "save_as": "receipt",
            },
        },
    ],
    "edges": [
        {"source": "in", "target": "month"},
        {"source": "month", "target": "statement"},
        {"source": "statement", "target": "odd"},
        {"source": "odd", "target": "audit", "outcome": "true"},
        {"source": "odd", "target": "portal", "outcome": "false"},
        {"source": "audit", "target": "portal", "outcome": "approved"},
        {"source": "audit", "target": "statement", "outcome": "rejected", "returns": True},
        {"source": "portal", "target": "out"},
    ],
}


class Portal:
    """Stands in for the franchisee's portal; drop it, and real requests are made."""

    def __init__(self) -> None:
        self.received: list[tuple[str, str]] = []

    async def send(self, effect: Outgoing) -> Delivery:
        self.received.append((effect.payload["url"], json.dumps(effect.payload["body"])))
        return Delivery({"status": 202})


async def play(app: hf.Holdfast) -> None:
    """A month in which something is odd; the audit objects once."""
    clock = app.clock
    assert isinstance(clock, hf.FakeClock)
    portal, found = Portal(), [3, 1]
    app.senders["webhook"] = portal

    @app.action("royalty.generate", permission="documents:write")
    async def generate(call: Call, given: dict[str, object]) -> dict[str, object]:
        anomalies = found.pop(0)
        return {"anomalies": anomalies, "link": f"pdf/{anomalies}"}

    await app.tenants.create("acme")
    async with app.tenant("acme") as hold:
        await hold.roles.define("franchise_ops", [])
        await hold.users.create("fay", roles=["approver", "franchise_ops"])
        draft = await hold.definitions.create_automation("royalty", SLOT)
        await hold.definitions.publish(draft.id)
        started = await hold.processes.start("royalty", payload={"franchisee": "f-7"})
    await drain(app)
    assert not portal.received
    clock.advance(timedelta(days=32))
    await drain(app)
    for decision, reason in (("rejected", "a till is missing"), ("approved", None)):
        async with app.tenant("acme", actor="fay") as hold:
            (item,) = (await hold.inbox.list()).items
            print(f"fay: {decision} {item.title!r}")
            await hold.approvals.decide(item.id, decision, reason=reason)  # type: ignore[arg-type]  # one of the four
        await drain(app)
    assert portal.received == [("https://portal.example/f-7", '{"pdf": "pdf/1"}')]
    async with app.tenant("acme") as hold:
        process = await hold.processes.get(started.id)
        assert (process.status, process.context["receipt"]["status"]) == ("completed", 202)
        because = [reason.because for reason in await hold.processes.reasons(process.id)]
    print(f"why: {'; '.join(text for text in because if 'anomalies' in text)}")


async def main() -> None:
    """Play on a database of its own, because time is moved there; afterwards it is gone."""
    with Databases() as databases, databases.clone() as name:
        async with hf.Holdfast(dsn=databases.dsn(name), clock=hf.FakeClock(datetime.now(UTC))) as app:
            await play(app)


if __name__ == "__main__":
    asyncio.run(main())
