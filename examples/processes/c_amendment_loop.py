"""Use case C: after an approval nothing can be changed silently."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import holdfast as hf
from holdfast import Conflict, Contract, EditLocked
from holdfast.testing import Databases, drain

CONTRACT = Contract.from_yaml("""
entity_type: contract
document:
  type: object
  properties: {number: {type: string}, partner: {type: string}, value: {type: string, format: decimal}}
""")
SLOTS = {
    "slot:submitted_to_approved": {
        "nodes": [
            {
                "id": "legal",
                "type": "approval",
                "config": {"approvers": [{"kind": "role", "role": "legal"}], "required": 2},
            },
        ],
        "edges": [
            {"source": "legal", "target": "out", "outcome": "approved"},
            {"source": "legal", "target": "out", "outcome": "rejected"},
        ],
        "exit_edge_mode": "join",
    }
}


async def play(app: hf.Holdfast) -> None:
    """A contract that somebody edits between two signatures."""
    app.contracts.add(CONTRACT)
    await app.tenants.create("acme")
    async with app.tenant("acme") as hold:
        await hold.roles.define("legal", [])
        await hold.users.create("cora", roles=["author"])
        for name in ("lex", "lea"):
            await hold.users.create(name, roles=["approver", "legal"])
        await hold.definitions.register(CONTRACT)
        await hold.definitions.publish((await hold.definitions.create_draft("contract", SLOTS)).id)
    async with app.tenant("acme", actor="cora") as hold:
        made = await hold.documents.create("contract", {"number": "C-7", "partner": "globex", "value": "1000.00"})
        await hold.documents.transition(made.id, "submit")
    await drain(app)
    async with app.tenant("acme", actor="lex") as hold:
        (asked,) = (await hold.inbox.list()).items
        await hold.approvals.decide(asked.id, "approved")

    # One signature is there. Now the value is changed.
    async with app.tenant("acme", actor="cora") as hold:
        amended = await hold.documents.update(made.id, {"value": "9000000.00"})
    await drain(app)
    async with app.tenant("acme", actor="lea") as hold:
        try:
            await hold.approvals.decide(asked.id, "approved")
        except Conflict as problem:
            print(f"lea: {problem.message}")
        else:
            raise AssertionError("nobody can sign what is no longer there")
    async with app.tenant("acme", actor="cora") as hold:
        detail = await hold.approvals.get(asked.id)
        (decision,) = detail.decisions
        assert (decision.applied, decision.changed_fields) == (False, ["value"])
        old, new = await hold.documents.get(made.id), await hold.documents.get(amended.id)
        assert (old.doc_status, new.amended_from_id) == ("amended", made.id)
        print(f"lex's signature is void: {', '.join(decision.changed_fields or ())} was changed")
        await hold.documents.transition(amended.id, "submit")
    await drain(app)
    for name in ("lex", "lea"):
        async with app.tenant("acme", actor=name) as hold:
            (item,) = (await hold.inbox.list()).items
            seen = await hold.approvals.document(item.id)
            assert str(seen.data["value"]) == "9000000.00"
            await hold.approvals.decide(item.id, "approved", content_hash=seen.content_hash)
    await drain(app)
    async with app.tenant("acme", actor="cora") as hold:
        assert (await hold.documents.get(amended.id)).doc_status == "active"
        try:
            await hold.documents.update(amended.id, {"value": "1.00"})
        except EditLocked as problem:
            print(f"cora: {problem.message}")
        else:
            raise AssertionError("what is active is locked")
        assert (await hold.audit.verify()).ok if hold.actor.may("audit:read") else True


async def main() -> None:
    """Play on a database of its own, because time is moved there; afterwards it is gone."""
    with Databases() as databases, databases.clone() as name:
        async with hf.Holdfast(dsn=databases.dsn(name), clock=hf.FakeClock(datetime.now(UTC))) as app:
            await play(app)


if __name__ == "__main__":
    asyncio.run(main())
