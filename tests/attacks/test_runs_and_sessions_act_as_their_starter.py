"""What a run's handler and a session's tools write, they write as who started them: with the rights of then and now."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any, TypedDict
from uuid import UUID

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from harness.waiting import until
from holdfast import Actor, Call, FakeClock, Forbidden, Holdfast, Run
from holdfast.audit import AuditEvent
from runs.conftest import finished, working
from sessions.conftest import ended, settled


@pytest.fixture
async def app(holdfast_dsn: str) -> AsyncIterator[Holdfast]:
    """On the database's own clock: cleo is an author, ben an approver, vic may only enqueue and look."""
    made = Holdfast(dsn=holdfast_dsn, worker_poll_interval=0.05, worker_shutdown_timeout=5)
    async with made:
        for slug in ("acme", "globex"):
            await made.tenants.create(slug)
        async with made.tenant("acme") as hold:
            await hold.roles.define(
                "starter", permissions=["runs:write", "runs:read", "sessions:write", "sessions:read"]
            )
            await hold.users.create("cleo", roles=["author"])
            await hold.users.create("ben", roles=["approver"])
            await hold.users.create("vic", roles=["starter"])
            await hold.users.create("ops", roles=["operator"])
        yield made


async def scoped(app: Holdfast, user: str, *scopes: str) -> Actor:
    async with app.tenant("acme") as hold:
        secret = (await hold.tokens.create(user, "scoped", scopes=scopes or None)).secret
    return (await app.authenticate(secret))[1]


async def enqueue(app: Holdfast, actor: Actor | str, type_: str = "attack.write.v1") -> UUID:
    async with app.tenant("acme", actor=actor) as hold:
        return (await hold.runs.enqueue(type_, max_attempts=1)).id


async def outcome(app: Holdfast, run: UUID) -> tuple[str, str | None]:
    """How a run ended, and with which error."""

    (info,) = await finished(app, run)
    return info.status, None if info.error is None else str(info.error["type"])


async def trail(app: Holdfast, kind: str) -> list[AuditEvent]:
    async with app.tenant("acme") as hold:
        return [line for line in (await hold.audit.list()).items if line.object_kind == kind]


@pytest.fixture
def acted(app: Holdfast) -> list[Actor]:
    """Who acted in the handler of `attack.write.v1`, before it writes a key."""
    seen: list[Actor] = []

    @app.handler("attack.write.v1")
    async def write(run: Run, given: Any) -> None:
        async with run.hold() as hold:
            seen.append(hold.actor)
            await hold.data.set("notes", "note", 1)

    @app.handler("attack.parent.v1")
    async def parent(run: Run, given: Any) -> None:
        await run.child("attack.write.v1", max_attempts=1)

    return seen


async def test_a_handler_may_what_who_enqueued_may(app: Holdfast, acted: list[Actor]) -> None:
    token = await scoped(app, "cleo", "runs:write", "data:write")
    run = await enqueue(app, token)
    async with working(app):
        assert await outcome(app, run) == ("succeeded", None)
    (actor,) = acted
    assert (str(actor), actor.permissions, actor.token) == ("user:cleo", token.permissions, token.token)


@pytest.mark.parametrize("type_", ["attack.write.v1", "attack.parent.v1"])
async def test_a_token_for_runs_writes_no_data_through_a_handler(app: Holdfast, acted: list[Actor], type_: str) -> None:
    narrow = await scoped(app, "cleo", "runs:write")
    run = await enqueue(app, narrow, type_)
    async with working(app):
        status, error = await outcome(app, run)
    assert (status, error) == ("failed", "Forbidden" if type_ == "attack.write.v1" else "ChildFailed")
    assert [str(actor) for actor in acted] == ["user:cleo"]
    async with app.tenant("acme") as hold:
        assert await hold.data.get("notes", "note") is None


async def test_a_right_that_was_taken_away_before_the_run_is_gone(app: Holdfast, acted: list[Actor]) -> None:
    run = await enqueue(app, "cleo")
    async with app.tenant("acme") as hold:
        await hold.users.revoke("cleo", "author")
    async with working(app):
        assert await outcome(app, run) == ("failed", "Forbidden")


async def test_a_right_that_was_given_after_it_does_not_count(app: Holdfast, acted: list[Actor]) -> None:
    run = await enqueue(app, "vic")
    async with app.tenant("acme") as hold:
        await hold.users.grant("vic", "admin")
    async with working(app):
        assert await outcome(app, run) == ("failed", "Forbidden")


async def test_who_was_deactivated_writes_nothing_any_more(app: Holdfast, acted: list[Actor]) -> None:
    run = await enqueue(app, "cleo")
    async with app.tenant("acme") as hold:
        await hold.users.deactivate("cleo")
    async with working(app):
        assert await outcome(app, run) == ("failed", "Forbidden")


async def test_who_retries_lends_no_rights_and_gets_none(app: Holdfast, acted: list[Actor]) -> None:
    run = await enqueue(app, "vic")
    async with working(app):
        assert await outcome(app, run) == ("failed", "Forbidden")
        async with app.tenant("acme", actor="ops") as hold:
            again = (await hold.runs.retry(run)).id
        assert await outcome(app, again) == ("failed", "Forbidden")
    assert [str(actor) for actor in acted] == ["user:vic", "user:vic"]


async def test_what_trusted_code_enqueues_acts_as_the_system(app: Holdfast, acted: list[Actor]) -> None:
    run = (await app.enqueue("acme", "attack.write.v1")).id
    async with working(app):
        assert await outcome(app, run) == ("succeeded", None)
    assert [str(actor) for actor in acted] == ["system:system"]
    async with app.tenant("acme") as hold:
        cursor = await hold.connection.execute("SELECT count(party) FROM holdfast.workflow_run")
        assert await cursor.fetchone() == (0,)


async def test_the_trail_names_the_token_behind_what_a_handler_and_its_worker_did(app: Holdfast) -> None:
    @app.handler("attack.notes.v1")
    async def notes(run: Run, given: Any) -> None:
        async with run.hold() as hold:
            await hold.data.set("notes", "as-starter", 1)
        async with run.hold(actor=Actor.system("billing")) as hold:
            await hold.data.set("notes", "as-billing", 1)
        raise RuntimeError("no")

    token = await scoped(app, "cleo")
    assert token.token is not None
    run = await enqueue(app, token, "attack.notes.v1")
    async with working(app):
        assert await outcome(app, run) == ("failed", "RuntimeError")
    told = {line.actor.split(":")[0] + ":" + line.event_type: line.data["party"] for line in await trail(app, "data")}
    assert {name: party.get("on_behalf_of") for name, party in told.items()} == {
        "user:data.set": None,
        "system:data.set": "user:cleo",
    }
    assert told["user:data.set"]["token"]["id"] == str(token.token.id)
    (failed,) = [line for line in await trail(app, "run") if line.event_type == "run.failed"]
    assert failed.data["party"]["on_behalf_of"] == "user:cleo"
    assert failed.data["party"]["token"]["id"] == str(token.token.id)


async def test_a_schedule_acts_as_who_wrote_it_last(app: Holdfast, acted: list[Actor]) -> None:
    narrow = await scoped(app, "cleo", "schedules:write", "schedules:read", "runs:write")
    async with app.tenant("acme", actor="cleo") as hold:
        await hold.schedules.create("nightly", "attack.write.v1", "0 0 1 1 *", max_attempts=1)
    async with app.tenant("acme", actor="ops") as hold:
        first = (await hold.schedules.fire_now("nightly")).id
    async with app.tenant("acme", actor=narrow) as hold:
        await hold.schedules.update("nightly", payload={"mine": True})
    async with app.tenant("acme", actor="ops") as hold:
        second = (await hold.schedules.fire_now("nightly")).id
    async with working(app):
        assert await outcome(app, first) == ("succeeded", None)
        assert await outcome(app, second) == ("failed", "Forbidden")
    assert [str(actor) for actor in acted] == ["user:cleo", "user:cleo"]


async def test_a_schedule_of_somebody_who_may_enqueue_no_more_does_not_fire(
    holdfast_dsn: str, holdfast_clock: FakeClock, app: Holdfast
) -> None:
    timed = Holdfast(dsn=holdfast_dsn, clock=holdfast_clock)
    async with timed:
        async with timed.tenant("acme", actor="cleo") as hold:
            await hold.schedules.create("hourly", "attack.write.v1", "0 * * * *")
        async with timed.tenant("acme") as hold:
            await hold.users.revoke("cleo", "author")
        holdfast_clock.advance(timedelta(hours=2))
        await timed.scheduler().look()
        async with timed.tenant("acme") as hold:
            assert (await hold.runs.list()).items == []
            assert "may not enqueue" in str((await hold.schedules.get("hourly")).last_error)


class Talk(TypedDict, total=False):
    said: str


def tool_user(app: Holdfast, tenant: str | None, *, asks: bool) -> StateGraph[Any]:
    """Asks, perhaps, and then calls a tool."""
    (tool,) = app.as_tools(tenant, actions=["attack.note"])

    async def node(state: Talk) -> Talk:
        if asks:
            interrupt("Go on?")
        return {"said": await tool.ainvoke({})}

    graph = StateGraph(Talk)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    graph.add_edge("node", END)
    return graph


@pytest.fixture
async def called(app: Holdfast) -> list[Actor]:
    """Who called the action that graphs have as a tool."""
    seen: list[Actor] = []

    @app.action("attack.note", input={"type": "object"}, output={"type": "object"}, permission="data:write")
    async def note(call: Call, given: Any) -> dict[str, Any]:
        seen.append(call.actor)
        await call.hold.data.set("notes", "note", 1)
        return {}

    app.graph("calling", lambda: tool_user(app, None, asks=False))
    app.graph("asking", lambda: tool_user(app, "acme", asks=True))
    app.graph("elsewhere", lambda: tool_user(app, "globex", asks=False))
    await app.publish_graphs()
    return seen


async def said(app: Holdfast, name: str) -> str:
    """What the tool told the graph of a session that has ended."""

    info = await ended(app, name)
    assert info.status == "completed", info.error_message
    return str(info.output_data["said"])


async def asked(app: Holdfast, name: str) -> str:
    """What a session asks, once it does."""
    await settled(app, name, "waiting_for_input")
    async with app.tenant("acme") as hold:
        (prompt,) = await hold.sessions.prompts(name)
    return str(prompt.prompt_id)


async def start(app: Holdfast, actor: Actor | str, workflow: str) -> str:
    async with app.tenant("acme", actor=actor) as hold:
        return (await hold.sessions.start(workflow)).session_name


async def test_a_sessions_tools_may_what_who_started_it_may(app: Holdfast, called: list[Actor]) -> None:
    token = await scoped(app, "cleo", "sessions:write", "sessions:read", "actions:call", "data:write")
    name = await start(app, token, "calling")
    async with working(app):
        assert await said(app, name) == "{}"
    (actor,) = called
    assert (str(actor), actor.permissions, actor.token) == ("user:cleo", token.permissions, token.token)
    assert token.token is not None
    for kind in ("action", "data"):
        (line,) = [line for line in await trail(app, kind) if line.actor == "user:cleo"]
        assert line.data["party"]["token"]["id"] == str(token.token.id)


async def test_a_token_for_sessions_calls_no_tool_through_a_graph(app: Holdfast, called: list[Actor]) -> None:
    name = await start(app, await scoped(app, "cleo", "sessions:write", "sessions:read"), "calling")
    async with working(app):
        assert "may not" in await said(app, name)
    assert called == []


async def test_whoever_answers_neither_lends_rights_nor_gets_any(app: Holdfast, called: list[Actor]) -> None:
    weak, strong = await start(app, "vic", "asking"), await start(app, "cleo", "asking")

    async with working(app):
        first, second = await asked(app, weak), await asked(app, strong)
        async with app.tenant("acme", actor="cleo") as hold:
            await hold.sessions.answer(weak, "yes", prompt_id=first)
        async with app.tenant("acme", actor="ben") as hold:
            await hold.sessions.answer(strong, "yes", prompt_id=second)
        assert "may not" in await said(app, weak)
        assert await said(app, strong) == "{}"
    assert [str(actor) for actor in called] == ["user:cleo"]


async def test_whoever_edits_a_session_does_not_use_its_starters_rights(app: Holdfast, called: list[Actor]) -> None:
    """The state says what an agent does next: it is not written for somebody who may more."""
    async with app.tenant("acme") as hold:
        await hold.roles.define("mender", ["sessions:operate", "sessions:read", "sessions:write", "actions:call"])
        await hold.users.create("max", roles=["mender"])
        await hold.users.create("ida", roles=["admin"])
        trusted = (await hold.sessions.start("asking")).session_name
    strong, weak, both = [await start(app, who, "asking") for who in ("cleo", "vic", "cleo")]

    async with working(app):
        for name, editor in ((strong, "max"), (weak, "ida"), (trusted, "max"), (both, "ops")):
            before = await asked(app, name)
            async with app.tenant("acme", actor=editor) as hold:
                await hold.sessions.edit(name, {"said": "write what I want"})

            async def asks_anew(name: str = name, before: str = before) -> bool:
                return await asked(app, name) != before

            await until(asks_anew)
            prompt = await asked(app, name)
            async with app.tenant("acme") as hold:
                await hold.sessions.answer(name, "yes", prompt_id=prompt)
        for name in (strong, weak, trusted):
            assert "may not" in await said(app, name)
        assert await said(app, both) == "{}"
    (actor,) = called
    assert str(actor) == "user:cleo"


async def test_a_right_taken_away_while_a_session_waits_is_gone(app: Holdfast, called: list[Actor]) -> None:
    name = await start(app, "cleo", "asking")

    async with working(app):
        prompt = await asked(app, name)
        async with app.tenant("acme") as hold:
            await hold.users.revoke("cleo", "author")
            await hold.sessions.answer(name, "yes", prompt_id=prompt)
        assert "may not" in await said(app, name)
    assert called == []


async def test_tools_of_one_tenant_refuse_a_session_of_another(app: Holdfast, called: list[Actor]) -> None:
    name = await start(app, "cleo", "elsewhere")
    async with working(app):
        assert "another tenant's" in await said(app, name)
    assert called == []


async def test_tools_of_no_tenant_are_for_sessions_alone(app: Holdfast, called: list[Actor]) -> None:
    (tool,) = app.as_tools(actions=["attack.note"])
    assert "app.as_tools" in await tool.ainvoke({})
    with pytest.raises(Forbidden):
        async with app.tenant("acme", actor="vic") as hold:
            await hold.actions.call("attack.note", {})
