"""A definition against itself: whatever happened, and whatever has changed around it since, no document parts."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg

from holdfast import Contract, Holdfast
from holdfast.processes.definitions.replays import DocumentReplay
from holdfast.testing import FakeClock
from processes.shop import Shop, nodes, ways

CLAIM = Contract(
    entity_type="claim",
    document={"properties": {"number": {"type": "string"}, "amount": {"type": "integer"}}},
    states=[
        {"name": "draft", "edit_window": "editable", "initial": True},
        {"name": "submitted", "edit_window": "amend_only"},
        {"name": "paid", "edit_window": "locked"},
        {"name": "void", "edit_window": "locked"},
    ],
    transitions=[
        {"name": "submit", "from": "draft", "to": "submitted", "roles": ["clerk"]},
        {"name": "pay", "from": "submitted", "to": "paid", "trigger": "automatic", "outcome": "approved"},
        {"name": "reject", "from": "submitted", "to": "draft", "kind": "return"},
        {"name": "annul", "from": ["draft", "submitted"], "to": "void", "kind": "cancel", "roles": ["boss"]},
        {"name": "amend", "from": "submitted", "to": "draft", "kind": "amend"},
    ],
    slots=[{"name": "asking", "after": "state:submitted", "before": "gate:pay"}],
)
PATCHES: dict[str, Any] = {
    "slot:asking": {
        "nodes": nodes(
            ("who", "condition", {"expression": "actor.roles contains 'clerk' && entity.amount > org.limit"}),
            ("news", "wait_event", {"event_key": "news:{entity.number}", "timeout": "2h"}),
            ("ask", "approval", {"approvers": [{"kind": "role", "role": "boss"}]}),
            ("pause", "wait_timer", {"duration": "1h"}),
        ),
        "edges": [
            *ways("in -> who", "who -true-> news", "who -false-> ask", "news -> ask", "news -timeout-> ask"),
            *ways("ask -approved-> pause", "ask -rejected-> out", "pause -> out"),
        ],
        "exit_edge_mode": "join",
    }
}


async def test_no_document_parts_from_its_own_definition(
    shop: Shop, holdfast_clock: FakeClock, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    app = shop.app
    superuser.execute("SELECT holdfast.create_partitions(%s, 1)", [holdfast_clock.now()])
    app.contracts.add(CLAIM)
    async with app.tenant("acme") as hold:
        await hold.definitions.register(CLAIM)
        await hold.configure(settings={"limit": 50})
        for role in ("clerk", "boss"):
            await hold.roles.define(role, [])
        await hold.users.create("ben", roles=["admin", "boss"])
        await hold.users.create("cat", roles=["admin", "clerk"])
    await shop.publish(PATCHES, "claim")

    async def made(number: str, amount: int) -> UUID:
        async with app.tenant("acme", actor="cat") as hold:
            document = await hold.documents.create("claim", {"number": number, "amount": amount})
        await shop.worker.drain()
        return document.id

    async def moved(document: UUID, transition: str, by: str = "cat") -> None:
        async with app.tenant("acme", actor=by) as hold:
            await hold.documents.transition(document, transition)
        await shop.worker.drain()

    async def edited(document: UUID, amount: int) -> UUID:
        async with app.tenant("acme", actor="cat") as hold:
            return (await hold.documents.update(document, {"amount": amount})).id

    async def told(number: str) -> None:
        async with app.tenant("acme", actor="cat") as hold:
            await hold.processes.tell(f"news:{number}", {"seen": True})
        await shop.worker.drain()

    async def decided(document: UUID, verdict: Any) -> None:
        async with app.tenant("acme", actor="ben") as hold:
            [request] = [
                each for each in (await hold.approvals.list(document_id=document)).items if each.status == "open"
            ]
            await hold.approvals.decide(request.id, verdict, reason="so")
        await shop.worker.drain()

    async def passed(hours: int) -> None:
        holdfast_clock.advance(timedelta(hours=hours))
        await shop.worker.drain()

    early, timed, small, amended, annulled, stopped = [
        await made(str(number), amount) for number, amount in enumerate((100, 100, 10, 100, 100, 100))
    ]
    await told("0")
    for document in (early, timed, small, amended, annulled, stopped):
        await edited(document, 20 if document == small else 110)
        await moved(document, "submit")
    await decided(early, "rejected")
    await moved(early, "submit")
    await told("0")
    await decided(early, "approved")
    await decided(small, "approved")
    again = await edited(amended, 200)
    await shop.worker.drain()
    await moved(again, "submit")
    await moved(annulled, "annul", by="ben")
    async with app.tenant("acme", actor="ana") as hold:
        await hold.processes.cancel((await hold.processes.of_document(stopped)).id, reason="enough")
    await passed(1)
    await passed(2)
    await decided(timed, "approved")
    await passed(2)
    # What conditions read of people and of the organisation is not what it was.
    async with app.tenant("acme") as hold:
        await hold.users.revoke("cat", "clerk")
        await hold.configure(settings={"limit": 500})
    found = await replayed(app)
    assert (len(found), [each.group() for each in found if each.changed]) == (7, [])
    holdfast_clock.advance(timedelta(days=430))
    await app.tidy()
    packed = superuser.execute(
        "SELECT count(*) AS n FROM holdfast.workflow_step_executions WHERE output_packed IS NOT NULL"
    ).fetchone()
    assert packed is not None
    assert packed["n"] > 0
    assert [each.group() for each in await replayed(app) if each.changed] == []


async def replayed(app: Holdfast) -> list[DocumentReplay]:
    async with app.tenant("acme", actor="ana") as hold:
        what_ifs = hold.definitions.what_ifs
        asked = await what_ifs.start(entity_type="claim", patches=PATCHES)
        documents = (await hold.documents.list("claim")).items
        found = [await what_ifs.document(asked.id, each.id) for each in documents]
        await what_ifs.cancel(asked.id)
    return found
