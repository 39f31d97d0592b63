"""Use case A: invoices in a fast lane and an exception lane.

Small invoices of trusted vendors pass by themselves. Large ones need the finance manager and the budget owner, at the
same time. All others go through the organisation's chain. What is edited meanwhile must be approved anew.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import holdfast as hf
from holdfast import Call, Document
from holdfast.envelope.templates import load_template
from holdfast.testing import Databases, drain

TEMPLATE = load_template("invoice_approval")


async def play(app: hf.Holdfast) -> None:
    """Four invoices, each with its own fate."""
    posted: list[str] = []

    @app.action("invoice.post", permission="documents:write")
    async def post(call: Call, invoice: dict[str, Any]) -> dict[str, str]:
        posted.append(invoice["number"])
        return {"entry": f"GL-{len(posted)}"}

    app.contracts.add(TEMPLATE.contract)
    await app.tenants.create("acme")
    async with app.tenant("acme") as hold:
        await hold.configure(settings={"trusted_vendors": ["initech"]})
        for role in ("finance_manager", "accountant"):
            await hold.roles.define(role, [])
        await hold.users.create("carla", roles=["author"])
        for name, role in (("finn", "finance_manager"), ("bruno", "approver"), ("abel", "accountant")):
            await hold.users.create(name, roles=sorted({"approver", role}))
        await hold.chains.define(
            "accounts_payable",
            [{"name": "Accounting", "approvers": [{"kind": "role", "role": "accountant"}], "due_after": "2d"}],
        )
        await hold.definitions.register(TEMPLATE.contract)
        slots = TEMPLATE.definition.model_dump(mode="json")["slots"]
        await hold.definitions.publish((await hold.definitions.create_draft("invoice", slots)).id)

    small = await submit(app, "I-1", "499.99", "initech")
    assert await status(app, small) == "active", "trusted and small: nobody is asked"

    medium = await submit(app, "I-2", "499.99", "somebody new")
    await decide(app, "abel", "approved")
    assert await status(app, medium) == "active"

    large = await submit(app, "I-3", "12500.00", "initech")
    await decide(app, "finn", "approved")
    assert await status(app, large) == "submitted", "both are needed"
    await decide(app, "bruno", "rejected", reason="not on my budget")
    assert await status(app, large) == "draft", "back to its author, with the reason"

    edited = await submit(app, "I-4", "12500.00", "initech")
    await decide(app, "finn", "approved")
    async with app.tenant("acme", actor="carla") as hold:
        amended = await hold.documents.update(edited.id, {"grand_total": "99000.00"})
    assert await status(app, edited) == "amended"
    async with app.tenant("acme", actor="carla") as hold:
        await hold.documents.transition(amended.id, "submit")
    await drain(app)
    await decide(app, "finn", "approved")
    await decide(app, "bruno", "approved")
    assert await status(app, amended) == "active", "what was approved is what is there: 99 000, not 12 500"
    assert posted == ["I-1", "I-2", "I-4"]
    print(f"posted: {', '.join(posted)}")


async def submit(app: hf.Holdfast, number: str, total: str, vendor: str) -> Document:
    """A new invoice, handed in by carla."""
    async with app.tenant("acme", actor="carla") as hold:
        made = await hold.documents.create(
            "invoice", {"number": number, "grand_total": total, "vendor_id": vendor, "budget_owner": "bruno"}
        )
        await hold.documents.transition(made.id, "submit")
    await drain(app)
    return made


async def decide(app: hf.Holdfast, name: str, decision: Any, reason: str | None = None) -> None:
    """Somebody decides on what waits for them."""
    async with app.tenant("acme", actor=name) as hold:
        (item,) = (await hold.inbox.list()).items
        print(f"{name}: {decision} {item.title!r}")
        await hold.approvals.decide(item.id, decision, reason=reason, entity_version=item.entity_version)
    await drain(app)


async def status(app: hf.Holdfast, document: Document) -> str:
    """The state the document is in."""
    async with app.tenant("acme") as hold:
        return (await hold.documents.get(document.id)).doc_status


async def main() -> None:
    """Play on a database of its own, because time is moved there; afterwards it is gone."""
    with Databases() as databases, databases.clone() as name:
        async with hf.Holdfast(dsn=databases.dsn(name), clock=hf.FakeClock(datetime.now(UTC))) as app:
            await play(app)


if __name__ == "__main__":
    asyncio.run(main())
