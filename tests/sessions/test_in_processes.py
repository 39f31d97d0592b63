"""Sessions as steps of processes, and as actions: started in the step's transaction, waited for, cancelled with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import psycopg
import pytest

from harness.waiting import until
from holdfast import Holdfast, InvalidInput
from holdfast.documents import Document
from holdfast.envelope import Contract
from holdfast.errors import Conflict
from holdfast.processes.nodes.session import OUTPUT_LIMIT, answer_of_session
from holdfast.sessions import SessionInfo
from sessions.conftest import ended, reply, settled, working

LEASE = Contract(
    entity_type="lease",
    document={"type": "object", "properties": {"n": {"type": "integer"}, "rent": {"type": "number"}}},
)
BOSS = {
    "id": "boss",
    "type": "approval",
    "config": {"approvers": [{"kind": "user", "user": "ben"}], "title": "the agent says {context.review.output.n}"},
}


def slots(graph: str, **config: Any) -> dict[str, Any]:
    review = {
        "id": "review",
        "type": "session",
        "config": {"definition": graph, "input": {"n": {"$expr": "entity.n"}}, "save_as": "review", **config},
    }
    late = {"id": "late", "type": "action", "config": {"action": "process.reject"}}
    edges = [
        {"source": "in", "target": "review"},
        {"source": "review", "target": "boss", "outcome": "completed"},
        {"source": "review", "target": "late", "outcome": "error"},
        *([{"source": "review", "target": "late", "outcome": "timeout"}] if "timeout" in config else []),
        {"source": "boss", "target": "out", "outcome": "approved"},
        {"source": "boss", "target": "out", "outcome": "rejected"},
        {"source": "late", "target": "out"},
    ]
    return {"slot:submitted_to_approved": {"nodes": [review, BOSS, late], "edges": edges, "exit_edge_mode": "join"}}


@pytest.fixture
async def idle(live: Holdfast) -> Holdfast:
    """The office before a worker comes by."""
    live.contracts.add(LEASE)
    async with live.tenant("acme") as hold:
        await hold.users.create("ana", roles=["admin"])
        await hold.users.create("ben", roles=["approver"])
    return live


@pytest.fixture
async def office(idle: Holdfast) -> AsyncIterator[Holdfast]:
    async with working(idle):
        yield idle


async def publish(app: Holdfast, patches: dict[str, Any]) -> None:
    async with app.tenant("acme", actor="ana") as hold:
        await hold.definitions.publish((await hold.definitions.create_draft("lease", patches)).id)


async def submitted(app: Holdfast, **data: Any) -> tuple[Document, UUID]:
    async with app.tenant("acme", actor="ana") as hold:
        made = await hold.documents.create("lease", {"n": 1, **data})
        await hold.documents.transition(made.id, "submit")
        return made, (await hold.processes.of_document(made.id)).id


async def sessions(app: Holdfast) -> list[SessionInfo]:
    async with app.tenant("acme") as hold:
        return (await hold.sessions.list()).items


async def standing(app: Holdfast, instance: UUID) -> tuple[str, ...]:
    await app.engine_worker().drain()
    async with app.tenant("acme") as hold:
        found = await hold.processes.get(instance)
    return tuple(node.split(":")[-1] for node in found.current_nodes)


async def test_a_graph_that_no_worker_knows_is_told_of_the_process_that_waits_for_it(idle: Holdfast) -> None:
    async with working(idle):
        await publish(idle, slots("asking"))
    _, instance = await submitted(idle)
    async with idle.tenant("acme", actor="ana") as hold:
        (stuck,) = await hold.processes.repair.stuck(older=timedelta(microseconds=1))
    assert stuck.instance_id == instance
    assert "no worker that is running knows graph:asking" in stuck.why
    async with working(idle):
        (session,) = await sessions(idle)
        await settled(idle, session.session_name, "waiting_for_input")
        async with idle.tenant("acme", actor="ana") as hold:
            assert await hold.processes.repair.stuck(older=timedelta(microseconds=1)) == []


async def test_approval_follows_an_agents_result_and_is_pinned_to_the_version(office: Holdfast) -> None:
    await publish(office, slots("asking"))
    document, instance = await submitted(office)
    (session,) = await sessions(office)
    assert session.created_by == "user:ana"
    await settled(office, session.session_name, "waiting_for_input")
    assert await standing(office, instance) == ("review",)
    async with office.tenant("acme", actor="ben") as hold:
        await reply(hold, session.session_name, "yes")
    await ended(office, session.session_name)
    assert await standing(office, instance) == ("boss",)
    async with office.tenant("acme", actor="ben") as hold:
        context = (await hold.processes.get(instance)).context
        assert context["review"]["session"] == session.session_name
        assert context["review"]["output"]["log"] == ["first", "asked:yes", "last"]
        (asked,) = (await hold.inbox.list(which="mine")).items
        request = (await hold.approvals.get(asked.id)).request
        assert request.title == "the agent says 12"
        assert (request.entity_version, request.content_hash) == (1, document.content_hash)
        # Pinned: what ben saw is what he approves, or nothing.
        with pytest.raises(Conflict):
            await hold.approvals.decide(asked.id, "approved", content_hash="0" * 64)
    async with office.tenant("acme", actor="ben") as hold:
        await hold.approvals.decide(asked.id, "approved")
    await standing(office, instance)
    async with office.tenant("acme") as hold:
        done = await hold.processes.get(instance)
        assert (done.status, done.doc_status) == ("completed", "active")
        assert (await hold.processes.repair.check_projection(instance)).differed == ()


@pytest.mark.parametrize("when", ["the agent works", "the boss thinks"])
async def test_document_that_is_amended_meanwhile_goes_through_agent_and_boss_again(
    office: Holdfast, when: str
) -> None:
    await publish(office, slots("asking"))
    document, instance = await submitted(office)
    (first,) = await sessions(office)
    await settled(office, first.session_name, "waiting_for_input")
    old = None
    if when == "the boss thinks":
        await answered(office, first, instance)
        async with office.tenant("acme", actor="ben") as hold:
            (old,) = (await hold.inbox.list(which="mine")).items
    async with office.tenant("acme", actor="ana") as hold:
        amended = await hold.documents.update(document.id, {"n": 5})
        assert amended.id != document.id
    await office.engine_worker().drain()
    async with office.tenant("acme", actor="ana") as hold:
        await hold.documents.transition(amended.id, "submit")
        following = (await hold.processes.of_document(amended.id)).id
    assert (await ended(office, first.session_name)).status == ("failed" if old is None else "completed")
    if old is not None:
        async with office.tenant("acme", actor="ben") as hold:
            with pytest.raises(Conflict):
                await hold.approvals.decide(old.id, "approved")
    second = (await sessions(office))[0]
    assert second.id != first.id
    await settled(office, second.session_name, "waiting_for_input")
    assert await standing(office, following) == ("review",)
    await answered(office, second, following)
    async with office.tenant("acme", actor="ben") as hold:
        assert (await hold.processes.get(following)).context["review"]["output"]["n"] == 16
        (asked,) = (await hold.inbox.list(which="mine")).items
        request = (await hold.approvals.get(asked.id)).request
        assert (request.document_id, request.content_hash) == (amended.id, amended.content_hash)


async def answered(app: Holdfast, session: SessionInfo, instance: UUID) -> None:
    """Somebody answers the agent, and the process goes on to the boss."""
    async with app.tenant("acme", actor="ben") as hold:
        await reply(hold, session.session_name, "yes")
    await ended(app, session.session_name)
    assert await standing(app, instance) == ("boss",)


async def test_session_of_a_step_that_is_cancelled_is_cancelled(office: Holdfast) -> None:
    await publish(office, slots("asking"))
    _, instance = await submitted(office)
    (session,) = await sessions(office)
    await settled(office, session.session_name, "waiting_for_input")
    async with office.tenant("acme", actor="ana") as hold:
        await hold.processes.cancel(instance, reason="not wanted")
    found = await ended(office, session.session_name)
    assert found.status == "failed"
    assert "its step ended" in (found.error_message or "")
    await office.engine_worker().drain()
    async with office.tenant("acme") as hold:
        assert (await hold.processes.get(instance)).status == "cancelled"
        health = await hold.processes.repair.health()
    assert health.dead_letters == 0


async def test_step_is_cancelled_while_its_session_comes_to_its_end(
    office: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    """The end of the session is not committed yet: whoever cancels waits for it, and finds nothing to cancel."""
    await publish(office, slots("asking"))
    _, instance = await submitted(office)
    (session,) = await sessions(office)
    await settled(office, session.session_name, "waiting_for_input")

    async def cancel() -> None:
        async with office.tenant("acme", actor="ana") as hold:
            await hold.processes.cancel(instance, reason="not wanted")

    async def blocked() -> bool:
        found = superuser.execute("SELECT FROM pg_locks WHERE NOT granted").fetchall()
        return bool(found)

    async with office.tenant("acme", actor="ana") as hold:
        await hold.sessions.cancel(session.session_name, reason="by hand")
        cancelling = asyncio.create_task(cancel())
        await until(blocked)
    await cancelling
    await office.engine_worker().drain()
    async with office.tenant("acme") as hold:
        assert (await hold.processes.get(instance)).status == "cancelled"
        assert (await hold.sessions.get(session.session_name)).error_message == "cancelled by user:ana: by hand"


async def test_process_whose_session_waits_for_a_person_is_not_stuck(
    office: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    await publish(office, slots("asking"))
    _, instance = await submitted(office)
    (session,) = await sessions(office)
    await settled(office, session.session_name, "waiting_for_input")
    await office.engine_worker().drain()
    async with office.tenant("acme", actor="ana") as hold:
        assert await hold.processes.repair.stuck(older=timedelta(milliseconds=1)) == []
    # Without its row nothing would ever let it go on, and that is found.
    superuser.execute("DELETE FROM holdfast.workflow_session_wait")
    async with office.tenant("acme", actor="ana") as hold:
        assert [one.instance_id for one in await hold.processes.repair.stuck(older=timedelta(milliseconds=1))] == [
            instance
        ]


async def test_session_that_takes_too_long_is_cancelled_and_the_process_goes_on(office: Holdfast) -> None:
    await publish(office, slots("asking", timeout="1s"))
    _, instance = await submitted(office)
    (session,) = await sessions(office)

    async def over() -> bool:
        return "review" not in await standing(office, instance)

    await until(over)
    assert (await ended(office, session.session_name)).status == "failed"
    async with office.tenant("acme") as hold:
        steps = {step.node_id.split(":")[-1]: step.outcome for step in (await hold.processes.steps(instance)).items}
    assert steps["review"] == "timeout"


@pytest.mark.parametrize(("graph", "why"), [("failing", "ZeroDivisionError"), ("unknown-graph", "unknown-graph")])
async def test_session_that_fails_gives_the_outcome_error(office: Holdfast, graph: str, why: str) -> None:
    await publish(office, slots(graph))
    _, instance = await submitted(office)
    for session in await sessions(office):
        await ended(office, session.session_name)
    await standing(office, instance)
    async with office.tenant("acme") as hold:
        (step,) = [one for one in (await hold.processes.steps(instance)).items if one.node_id.endswith(":review")]
    assert step.outcome == "error"
    assert step.error is not None
    assert why in step.error["message"]


async def test_session_starts_only_if_the_step_stands(office: Holdfast) -> None:
    await publish(office, slots("chain"))
    async with office.tenant("acme", actor="ana") as hold:
        made = await hold.documents.create("lease", {"n": 1})
    with pytest.raises(ZeroDivisionError):
        async with office.tenant("acme", actor="ana") as hold:
            await hold.documents.transition(made.id, "submit")
            raise ZeroDivisionError
    assert await sessions(office) == []
    # Input that the graph's schema refuses is the step's error, not the end of the transition.
    _, instance = await submitted(office, n=-1)
    assert await sessions(office) == []
    async with office.tenant("acme") as hold:
        (step,) = [one for one in (await hold.processes.steps(instance)).items if one.node_id.endswith(":review")]
    assert step.outcome == "error"


async def test_end_of_a_session_is_told_once(office: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    await publish(office, slots("chain"))
    _, instance = await submitted(office)
    (session,) = await sessions(office)
    await ended(office, session.session_name)
    posted = superuser.execute(
        "SELECT status FROM holdfast.workflow_events_outbox WHERE event_type = 'session_finished'"
    ).fetchall()
    assert [row["status"] for row in posted] == ["pending"]
    assert superuser.execute("SELECT FROM holdfast.workflow_session_wait").fetchall() == []
    assert await standing(office, instance) == ("boss",)
    superuser.execute("ALTER TABLE holdfast.workflow_events_outbox DISABLE TRIGGER USER")
    superuser.execute("UPDATE holdfast.workflow_events_outbox SET status = 'pending', completed_at = NULL")
    assert await standing(office, instance) == ("boss",)


def test_output_that_is_too_large_for_a_process_is_an_error() -> None:
    row = {"session_name": "s", "status": "completed", "error_message": None, "bytes": OUTPUT_LIMIT + 1, "output": None}
    assert answer_of_session(row).outcome == "error"
    assert answer_of_session(None).outcome == "error"
    fine = answer_of_session({**row, "bytes": 3, "output": "0.1"})
    assert fine.result == {"session": "s", "output": Decimal("0.1")}


async def test_session_is_started_and_answered_by_actions(office: Holdfast) -> None:
    async def call(name: str, given: dict[str, Any], key: str | None = None) -> Any:
        async with office.tenant("acme", actor="ana") as hold:
            return await hold.actions.call(name, given, key=key)

    with pytest.raises(InvalidInput, match="n"):
        await call("sessions.start", {"workflow": "asking"})
    given = {"workflow": "asking", "input": {"n": Decimal(1)}}
    made = await call("sessions.start", given, "once")
    assert await call("sessions.start", given, "once") == made
    await settled(office, made["name"], "waiting_for_input")
    async with office.tenant("acme") as hold:
        (prompt,) = await hold.sessions.prompts(made["name"])
    with pytest.raises(InvalidInput, match="prompt_id is missing"):
        await call("sessions.answer", {"name": made["name"], "answer": "yes"})
    answer = {"name": made["name"], "answer": "yes", "prompt_id": prompt.prompt_id}
    assert (await call("sessions.answer", answer))["status"] == "running"
    assert (await ended(office, made["name"])).output_data["n"] == 12
    assert len(await sessions(office)) == 1
    async with office.tenant("acme") as hold:
        assert "asking" in [one.value for one in await hold.actions.suggestions("sessions.definitions")]
