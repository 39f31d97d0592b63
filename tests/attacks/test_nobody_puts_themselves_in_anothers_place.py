"""Who decides is said by the process and by others: who operates, or keeps the org chart, does not mean themselves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from holdfast import Contract, Forbidden, Holdfast
from holdfast.people import Request

INVOICE = Contract(
    entity_type="invoice",
    document={"type": "object", "properties": {"number": {"type": "string"}}},
)


def asking(approvers: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "slot:submitted_to_approved": {
            "nodes": [{"id": "ask", "type": "approval", "config": {"approvers": approvers}}],
            "edges": [
                {"source": "in", "target": "ask"},
                {"source": "ask", "target": "out", "outcome": "approved"},
                {"source": "ask", "target": "out", "outcome": "rejected"},
            ],
            "exit_edge_mode": "join",
        }
    }


@pytest.fixture
async def acme(app: Holdfast) -> Holdfast:
    """ana administers; otto operates and approves; cleo writes; ben is the one who decides; mia administers people."""
    app.contracts.add(INVOICE)
    async with app.tenant("acme") as hold:
        await hold.definitions.register(INVOICE)
        await hold.roles.define("people", ["users:read", "users:write"])
        await hold.users.create("cleo", roles=["author"])
        await hold.users.create("ben", roles=["approver"])
        await hold.users.create("otto", roles=["operator", "approver"])
        await hold.users.create("mia", roles=["people", "approver"])
    return app


async def asked(app: Holdfast, approvers: list[dict[str, Any]]) -> Request:
    async with app.tenant("acme", actor="ana") as hold:
        await hold.definitions.publish((await hold.definitions.create_draft("invoice", asking(approvers))).id)
    async with app.tenant("acme", actor="cleo") as hold:
        document = await hold.documents.create("invoice", {"number": "7"})
        await hold.documents.transition(document.id, "submit")
    await app.engine_worker().drain()
    async with app.tenant("acme") as hold:
        (request,) = [each for each in (await hold.approvals.list()).items if each.status == "open"]
    return request


@pytest.mark.parametrize("who", ["otto", "ana"])
@pytest.mark.parametrize("way", ["reassign", "escalate", "delegate"])
async def test_an_operator_is_not_asked_because_they_say_so(acme: Holdfast, who: str, way: str) -> None:
    """Administrators have the rights of both, and decide on what they are asked about, like everybody."""
    request = await asked(acme, [{"kind": "user", "user": "ben"}])
    with pytest.raises(Forbidden, match=r"themselves in another's place|cannot take over"):
        async with acme.tenant("acme", actor=who) as hold:
            match way:
                case "reassign":
                    await hold.approvals.reassign(request.id, who, of="ben", reason="I do it")
                case "escalate":
                    await hold.approvals.escalate(request.id, who, reason="I do it")
                case _:
                    later = datetime.now(UTC) + timedelta(days=1)
                    await hold.delegations.create(who, delegator="ben", ends_at=later)
    with pytest.raises(Forbidden, match="not asked"):
        async with acme.tenant("acme", actor=who) as hold:
            await hold.approvals.decide(request.id, "approved")
    # Somebody else may be asked; and who is asked hands it to an operator.
    async with acme.tenant("acme", actor=who) as hold:
        await hold.approvals.escalate(request.id, "mia", reason="late")
    async with acme.tenant("acme", actor="ben") as hold:
        await hold.approvals.reassign(request.id, who, reason="you know it best")
    async with acme.tenant("acme", actor=who) as hold:
        await hold.approvals.decide(request.id, "approved")


@pytest.mark.parametrize("via", ["escalation", "from user:ben"])
async def test_nor_by_a_statement(acme: Holdfast, via: str) -> None:
    request = await asked(acme, [{"kind": "user", "user": "ben"}])
    with pytest.raises(Forbidden, match="themselves in another's place"):
        async with acme.tenant("acme", actor="otto") as hold:
            await hold.connection.execute(
                "INSERT INTO holdfast.approval_assignees (tenant, request_id, principal, via, added_by) "
                "SELECT tenant, id, 'user:otto', %s, 'user:otto' FROM holdfast.approval_requests WHERE id = %s",
                [via, request.id],
            )


async def test_nobody_but_an_administrator_makes_themselves_a_manager_or_chooses_their_own(acme: Holdfast) -> None:
    for name, manager in (("cleo", "mia"), ("mia", "ben"), ("mia", None)):
        with pytest.raises(Forbidden, match="cannot say who manages"):
            async with acme.tenant("acme", actor="mia") as hold:
                await hold.org.set_manager(name, manager)
    async with acme.tenant("acme", actor="ana") as hold:
        await hold.org.set_manager("ana", "ben")
    async with acme.tenant("acme", actor="mia") as hold:
        await hold.org.set_manager("cleo", "ben")
    request = await asked(acme, [{"kind": "manager"}])
    with pytest.raises(Forbidden):
        async with acme.tenant("acme", actor="mia") as hold:
            await hold.approvals.decide(request.id, "approved")
    async with acme.tenant("acme", actor="ben") as hold:
        await hold.approvals.decide(request.id, "approved")
