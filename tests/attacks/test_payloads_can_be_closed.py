"""Payloads: whoever reads the database of an installation that encrypts them finds none of them in it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from harness.receivers import HttpReceiver
from harness.waiting import until
from holdfast import ChildFailed, Holdfast, InvalidInput, KeyMissing, NewRun, Run, SessionInputError
from holdfast.audit import AuditEvent
from holdfast.effects import EffectsWorker, confirming
from holdfast.effects.guard import Allowed
from holdfast.effects.secrets import secret_reader
from holdfast.effects.webhook import Webhooks
from holdfast.http import build
from holdfast.kernel.keyring import new_key
from runs.conftest import finished, working

Row = dict[str, Any]
WORD = "PLAINWORD"


def closed(dsn: str, keys: str | None, *, encrypts: bool = True) -> Holdfast:
    app = Holdfast(dsn=dsn, keys=keys, encrypt_payloads=encrypts, worker_poll_interval=0.05)

    @app.handler("work.parent.v1")
    async def parent(run: Run, payload: dict[str, Any]) -> dict[str, Any]:
        first = await run.step("look", lambda: {"saw": payload["word"], "exact": 1.10})
        given = await (await run.start("work.child.v1", {"word": first["saw"]})).result()
        return {"said": given, "first": first}

    @app.handler("work.child.v1")
    async def child(run: Run, payload: dict[str, Any]) -> str:
        return f"{payload['word']}!"

    return app


def everything(superuser: psycopg.Connection[Row]) -> str:
    """Every row of every table, as text."""
    names = superuser.execute(
        "SELECT c.oid::regclass::text AS name FROM pg_class c WHERE c.relkind = 'r' "
        "AND c.relnamespace IN ('holdfast'::regnamespace, 'holdfast_langgraph'::regnamespace)"
    ).fetchall()
    return "\n".join(
        row["it"]
        for name in names
        for row in superuser.execute(f"SELECT t::text AS it FROM {name['name']} t").fetchall()
    )


async def test_runs_steps_children_and_results(holdfast_dsn: str, superuser: psycopg.Connection[Row]) -> None:
    app = closed(holdfast_dsn, new_key())
    async with app:
        await app.tenants.create("acme")
        one = await app.enqueue("acme", "work.parent.v1", {"word": WORD})
        two, again = await app.enqueue_many("acme", [NewRun("work.parent.v1", {"word": WORD}, key="k")] * 2)
        assert (two.created, again.created) == (True, False)
        assert WORD not in everything(superuser)
        async with working(app):
            for info in await finished(app, one.id, two.id):
                assert info.payload == {"word": WORD}
                assert info.result == {"said": f"{WORD}!", "first": {"saw": WORD, "exact": 1.1}}
        async with app.tenant("acme") as hold:
            steps = await hold.runs.steps(one.id)
            assert steps[0].result == {"saw": WORD, "exact": 1.1}
            assert {run.payload["word"] for run in (await hold.runs.list()).items} == {WORD}
            await hold.runs.retry(one.id)
        assert WORD not in everything(superuser)


async def test_errors_of_runs(holdfast_dsn: str, superuser: psycopg.Connection[Row]) -> None:
    app = closed(holdfast_dsn, new_key())

    @app.handler("work.fails.v1")
    async def fails(run: Run, payload: dict[str, Any]) -> None:
        raise ValueError(f"cannot read {payload['word']}")

    @app.handler("work.parent_of_it.v1")
    async def parent_of_it(run: Run, payload: dict[str, Any]) -> str:
        try:
            await run.child("work.fails.v1", payload, max_attempts=1)
        except ChildFailed as error:
            return str(error.details["error"]["message"])
        return "it did not fail"

    async with app, working(app):
        await app.tenants.create("acme")
        one = await app.enqueue("acme", "work.fails.v1", {"word": WORD}, max_attempts=1)
        two = await app.enqueue("acme", "work.parent_of_it.v1", {"word": WORD})
        failed, told = await finished(app, one.id, two.id)
        assert failed.last_error == f"ValueError: cannot read {WORD}"
        assert failed.error is not None
        assert (failed.error["type"], WORD in failed.error["traceback"]) == ("ValueError", True)
        assert told.result == f"cannot read {WORD}"
        (event,) = [each for each in await events(app, one.id) if each.event_type == "run.failed"]
        assert event.data["error"] == "ValueError"
        assert WORD not in everything(superuser)


async def events(app: Holdfast, run: UUID) -> list[AuditEvent]:
    async with app.tenant("acme") as hold:
        return (await hold.audit.list(object_id=run)).items


async def test_messages_prompts_answers_and_errors_of_sessions(
    holdfast_dsn: str, superuser: psycopg.Connection[Row]
) -> None:
    pytest.importorskip("langgraph")
    from langgraph.config import get_stream_writer
    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    from sessions.conftest import ended, messages, settled

    async def node(state: dict[str, Any]) -> dict[str, Any]:
        get_stream_writer()({"step": f"with {WORD}"})
        said = interrupt({"prompt": f"Is it {WORD}?", "shown": WORD, "prompt_id": "not the prompt's"})
        raise ValueError(f"{said} is wrong")

    graph: Any = StateGraph(dict)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    app = closed(holdfast_dsn, new_key())
    app.graph("asks", graph)
    async with app, working(app):
        await app.tenants.create("acme")
        async with app.tenant("acme") as hold:
            await hold.sessions.start("asks", {"word": WORD}, name="s")
        await settled(app, "s", "waiting_for_input")
        async with app.tenant("acme") as hold:
            (prompt,) = await hold.sessions.prompts("s")
            assert prompt.content["prompt"] == f"Is it {WORD}?"
            with pytest.raises(SessionInputError, match=WORD):
                await hold.sessions.answer("s", "which?")
            await hold.sessions.answer("s", f"{WORD} it is", prompt_id=prompt.prompt_id)
        assert (await ended(app, "s")).error_message == "ValueError"
        async with app.tenant("acme") as hold:
            (answered,) = await hold.sessions.prompts("s", open_only=False)
        assert answered.answer == f"{WORD} it is"
        told = {each.message_type: each.content for each in await messages(app, "s")}
        followed = [each async for each in app.follow_session("acme", "s")]
        assert [each.content for each in followed] == [each.content for each in await messages(app, "s")]
        assert (told["workflow_waiting_for_input"]["prompt_id"], told["workflow_waiting_for_input"]["shown"]) == (
            prompt.prompt_id,
            WORD,
        )
        assert told["user"]["response"] == f"{WORD} it is"
        assert told["error"]["error"] == f"ValueError: {WORD} it is is wrong"
        assert WORD in told["error"]["stack_trace"]
        kept = everything(superuser)
        assert WORD not in kept
        assert WORD.encode().hex() not in kept


async def test_what_somebody_edits_of_a_session(holdfast_dsn: str, superuser: psycopg.Connection[Row]) -> None:
    pytest.importorskip("langgraph")
    from sessions.conftest import asking, settled

    app = closed(holdfast_dsn, new_key())
    app.graph("asking", asking)
    async with app, working(app):
        await app.tenants.create("acme")
        async with app.tenant("acme") as hold:
            made = await hold.sessions.start("asking", {"n": 1}, name="s")
        await settled(app, "s", "waiting_for_input")
        async with app.tenant("acme") as hold:
            await hold.sessions.edit("s", {"n": 41, "note": WORD}, reason="it was another")

        async def asks_anew() -> bool:
            async with app.tenant("acme") as hold:
                return any("41" in str(each.content) for each in await hold.sessions.prompts("s"))

        await until(asks_anew)
        (event,) = [each for each in await events(app, made.id) if each.event_type == "session.edited"]
        assert (event.data["channels"], event.data["reason"]) == (["n", "note"], "it was another")
        assert WORD not in everything(superuser)


async def test_what_is_sent(holdfast_dsn: str, superuser: psycopg.Connection[Row]) -> None:
    app = closed(holdfast_dsn, new_key())
    async with app, HttpReceiver() as receiver:
        await app.tenants.create("acme")
        async with app.tenant("acme") as hold:
            sent = {"url": f"{receiver.url}/{WORD}", "body": {"word": WORD, "exact": Decimal("1.10")}}
            await hold.actions.call("http.request", sent)
            await hold.actions.call("notify", {"users": ["ana"], "subject": WORD})
        assert WORD not in everything(superuser)
        async with app.tenant("acme") as hold:
            (found,) = [each for each in (await hold.effects.list()).items if each.kind == "webhook"]
        assert found.payload["body"]["word"] == WORD
        allowed = Allowed.parse(["127.0.0.0/8"])
        senders = {"webhook": Webhooks(secret_reader(app.database, lambda: app.keyring), allowed=allowed)}
        without = EffectsWorker(app.database, senders, app.clock, confirming(app.assembly.engine))
        await without.drain()
        assert receiver.requests == []
        superuser.execute("UPDATE holdfast.workflow_side_effects_outbox SET next_retry_at = now()")
        worker = EffectsWorker(
            app.database, senders, app.clock, confirming(app.assembly.engine), sealing=app.handlers.sealing
        )
        await worker.drain()
        assert receiver.requests[0].body == b'{"exact":1.1,"word":"PLAINWORD"}'
        await worker.aclose()


async def test_every_road_of_http_with_a_key(holdfast_dsn: str, superuser: psycopg.Connection[Row]) -> None:
    """What is sent is told again for its `Idempotency-Key`, so it is kept; and nothing of it is to be read there."""
    pytest.importorskip("langgraph")
    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    from sessions.conftest import settled

    async def node(state: dict[str, Any]) -> dict[str, Any]:
        return {"said": interrupt({"prompt": f"{WORD}?"})}

    graph: Any = StateGraph(dict)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    app = closed(holdfast_dsn, new_key())
    app.graph("asks", graph)

    @app.action("billing.echo", permission="data:read")
    async def echo(call: Any, given: Any) -> Any:
        return given

    async with app, HttpReceiver() as receiver:
        await app.tenants.create("acme")
        async with app.tenant("acme") as hold:
            await hold.users.create("ana", roles=["admin"])
            secret = (await hold.tokens.create("ana", "test")).secret
        transport = httpx.ASGITransport(build(app))
        signed = {"Authorization": f"Bearer {secret}"}
        async with httpx.AsyncClient(transport=transport, base_url="http://test", headers=signed) as client:

            async def twice(path: str, body: Any) -> Any:
                """Send it, and again with the same key: the same answer. What it was."""
                headers = {"Idempotency-Key": f"key of {path}"}
                first = await client.post(f"/v1/acme/{path}", json=body, headers=headers)
                again = await client.post(f"/v1/acme/{path}", json=body, headers=headers)
                assert first.is_success, first.text
                assert again.json() == first.json() | ({"created": False} if path == "runs" else {})
                assert WORD not in everything(superuser), path
                return first.json()

            run = await twice("runs", {"type": "work.child.v1", "payload": {"word": WORD}})
            await twice(f"runs/{run['id']}/cancel", {})
            await twice(f"runs/{run['id']}/retry", {})
            assert await twice("actions/billing.echo", {"word": WORD}) == {"word": WORD}
            await twice("actions/http.request", {"url": f"{receiver.url}/{WORD}", "body": {"word": WORD}})
            await twice("actions/notify", {"users": ["ana"], "subject": WORD, "body": WORD})
            await twice("sessions", {"workflow": "asks", "input": {"word": WORD}, "name": "s"})
            async with working(app):
                await settled(app, "s", "waiting_for_input")
                (prompt,) = (await client.get("/v1/acme/sessions/s/prompts")).json()
                await twice("sessions/s/answers", {"prompt_id": prompt["prompt_id"], "answer": WORD})
            worker = app.effects_worker()
            await worker.drain()
            await worker.aclose()
            (message,) = (await client.get("/v1/acme/notifications")).json()["items"]
            assert WORD in message["subject"]
        assert WORD not in everything(superuser)


async def test_a_run_whose_key_is_missing_waits_for_it(
    holdfast_dsn: str, superuser: psycopg.Connection[Row], caplog: pytest.LogCaptureFixture
) -> None:
    key = new_key()
    async with closed(holdfast_dsn, key) as app:
        await app.tenants.create("acme")
        run = await app.enqueue("acme", "work.child.v1", {"word": WORD})
    async with closed(holdfast_dsn, new_key()) as app, working(app):
        await until(lambda: "cannot be executed here" in caplog.text)
        async with app.tenant("acme") as hold:
            with pytest.raises(KeyMissing, match=key.partition("=")[0]):
                await hold.runs.get(run.id)
    superuser.execute("UPDATE holdfast.workflow_run_live SET run_at = now(), attempt = attempt")
    async with closed(holdfast_dsn, f"{new_key()},{key}", encrypts=False) as app, working(app):
        [info] = await finished(app, run.id)
        assert (info.result, info.attempt) == (f"{WORD}!", 1)


@pytest.mark.parametrize("encrypts", [True, False])
async def test_what_only_looks_sealed_is_in_nobodys_way(holdfast_dsn: str, encrypts: bool) -> None:
    """Kept as it came, it would be asked of a key that nobody has, by everybody who lists the runs it is among."""
    looks = {"$sealed": "nobodys:QUJD"}
    app = closed(holdfast_dsn, new_key(), encrypts=encrypts)

    @app.handler("work.forge.v1")
    async def forge(run: Run, given: Any) -> Any:
        return looks

    async with app:
        await app.tenants.create("acme")
        async with app.tenant("acme") as hold:
            if encrypts:
                kept = await hold.runs.enqueue("work.child.v1", looks)
                assert (await hold.runs.get(kept.id)).payload == looks
            else:
                with pytest.raises(InvalidInput, match="nothing here has sealed it"):
                    await hold.runs.enqueue("work.child.v1", looks)
                with pytest.raises(InvalidInput, match="nothing here has sealed it"):
                    await app.enqueue("acme", "work.child.v1", looks)
            # Beside others, or further in, it is a member like any other.
            for fine in ({**looks, "a": 1}, {"a": looks}, {"$sealed": "no"}, {"$sealed": 5}):
                made = await hold.runs.enqueue("work.child.v1", fine)
                assert (await hold.runs.get(made.id)).payload == fine
            forged = await hold.runs.enqueue("work.forge.v1", max_attempts=1)
        async with working(app, concurrency=1):
            [info] = await finished(app, forged.id)
        assert (info.status, info.result) == (("succeeded", looks) if encrypts else ("failed", None))
        async with app.tenant("acme") as hold:
            assert len((await hold.runs.list()).items) == (6 if encrypts else 5)


async def test_a_type_that_only_sounds_like_ours_is_sealed_like_any_other(
    holdfast_dsn: str, superuser: psycopg.Connection[Row]
) -> None:
    async with closed(holdfast_dsn, new_key()) as app:
        await app.tenants.create("acme")
        await app.enqueue("acme", "session.notes.v1", {"word": WORD})
        assert WORD not in everything(superuser)


async def test_a_payload_moved_to_another_tenant_does_not_open(
    holdfast_dsn: str, superuser: psycopg.Connection[Row]
) -> None:
    async with closed(holdfast_dsn, new_key()) as app:
        for slug in ("acme", "globex"):
            await app.tenants.create(slug)
        run = await app.enqueue("acme", "work.child.v1", {"word": WORD})
        other = await app.enqueue("globex", "work.child.v1", {"word": "x"})
        superuser.execute(
            "UPDATE holdfast.workflow_run_live a SET payload = b.payload FROM holdfast.workflow_run_live b "
            "WHERE a.id = %s AND b.id = %s",
            [other.id, run.id],
        )
        async with app.tenant("globex") as hold:
            with pytest.raises(KeyMissing, match="does not open"):
                await hold.runs.get(other.id)


async def test_inputs_outputs_and_checkpoints_of_sessions(
    holdfast_dsn: str, superuser: psycopg.Connection[Row]
) -> None:
    pytest.importorskip("langgraph")
    from langgraph.graph import END, START, StateGraph

    from sessions.conftest import ended

    async def echo(state: dict[str, Any]) -> dict[str, Any]:
        return {"word": state["word"] + "!"}

    graph: Any = StateGraph(dict)
    graph.add_node("echo", echo)
    graph.add_edge(START, "echo")
    graph.add_edge("echo", END)
    app = closed(holdfast_dsn, new_key())
    app.graph("echo", graph)
    async with app:
        await app.tenants.create("acme")
        async with app.tenant("acme") as hold:
            made = await hold.sessions.start("echo", {"word": WORD}, name="s")
            assert made.input_data == {"word": WORD}
        async with working(app):
            done = await ended(app, "s")
        assert done.output_data == {"word": f"{WORD}!"}
        async with app.tenant("acme") as hold:
            with pytest.raises(InvalidInput, match="not found by their input"):
                await hold.sessions.list(input={"word": WORD})
        kept = superuser.execute("SELECT t::text AS it FROM holdfast.workflow_sessions t").fetchall()
        assert WORD not in str(kept)
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            rows = superuser.execute(f"SELECT t::text AS it FROM holdfast_langgraph.{table} t").fetchall()
            assert WORD not in str(rows)
            assert WORD.encode().hex() not in str(rows)
