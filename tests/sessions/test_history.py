"""The past of sessions: checkpoints, states, forks, edits, what it all takes, and how it is forgotten."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncConnection
from psycopg.rows import dict_row

from harness.waiting import until
from holdfast import AlreadyExists, Conflict, Forbidden, Holdfast, NotFound
from holdfast.sessions.setup import set_up
from sessions.conftest import ended, fetch, messages, reply, settled, working

Row = dict[str, Any]


async def start(app: Holdfast, workflow: str, name: str, tenant: str = "acme") -> None:
    async with app.tenant(tenant) as hold:
        await hold.sessions.start(workflow, {"n": 0}, name=name)


async def test_checkpoints_and_states(live: Holdfast) -> None:
    async with working(live):
        await start(live, "chain", "s")
        await ended(live, "s")
    async with live.tenant("acme") as hold:
        found = await hold.sessions.checkpoints("s")
        assert [one.step for one in found] == [3, 2, 1, 0, -1]
        assert [one.source for one in found] == ["loop"] * 4 + ["input"]
        assert [one.parent_checkpoint_id for one in found] == [one.checkpoint_id for one in found[1:]] + [None]
        older = await hold.sessions.checkpoints("s", before=found[1].checkpoint_id, limit=2)
        assert older == found[2:4]
        assert (await hold.sessions.state("s")).values == {"n": 3, "note": "none", "log": ["n0", "n1", "n2"]}
        assert (await hold.sessions.state("s", found[2].checkpoint_id)).values["log"] == ["n0"]
        with pytest.raises(NotFound):
            await hold.sessions.state("s", "no-such-checkpoint")


async def test_the_graph_is_drawn_and_a_state_says_which_node_comes_next(live: Holdfast) -> None:
    await start(live, "asking", "s")
    async with live.tenant("acme") as hold:
        assert await hold.sessions.graph("s") is None
    async with working(live):
        await settled(live, "s", "waiting_for_input")
    async with live.tenant("acme") as hold:
        drawing = await hold.sessions.graph("s")
        assert drawing is not None
        assert {"__start__", "__end__"} < set(drawing.nodes)
        assert {edge.source for edge in drawing.edges} | {edge.target for edge in drawing.edges} == set(drawing.nodes)
        (node,) = (await hold.sessions.state("s")).next
        assert node in drawing.nodes


async def test_what_a_checkpoint_changed_is_told_channel_by_channel(live: Holdfast) -> None:
    async with working(live):
        await start(live, "chain", "s")
        await ended(live, "s")
    async with live.tenant("acme") as hold:
        found = await hold.sessions.checkpoints("s")
        last = await hold.sessions.compare("s")
        whole = await hold.sessions.compare("s", against=found[2].checkpoint_id)
        first = await hold.sessions.compare("s", found[-1].checkpoint_id)
        with pytest.raises(NotFound):
            await hold.sessions.compare("s", against="no-such-checkpoint")
    assert (last.checkpoint_id, last.against) == (found[0].checkpoint_id, found[1].checkpoint_id)
    changed = {each.channel: (each.change, each.before, each.after) for each in last.changes}
    assert changed == {"n": ("changed", 2, 3), "log": ("changed", ["n0", "n1"], ["n0", "n1", "n2"])}
    assert {each.channel: each.before for each in whole.changes} == {"n": 1, "log": ["n0"]}
    assert first.against is None
    assert {each.change for each in first.changes} <= {"added"}


async def test_langgraphs_own_saver_reads_what_was_saved(live: Holdfast, holdfast_dsn: str) -> None:
    async with working(live):
        await start(live, "asking", "s")
        await settled(live, "s", "waiting_for_input")
    async with await AsyncConnection.connect(holdfast_dsn, autocommit=True, row_factory=dict_row) as connection:
        await connection.execute("SET search_path = holdfast_langgraph")
        saver = AsyncPostgresSaver(connection)
        await saver.setup()
        found = await saver.aget_tuple({"configurable": {"thread_id": "project-acme:session-s"}})
    assert found is not None
    assert found.checkpoint["channel_values"]["log"] == ["first"]
    assert found.checkpoint["channel_values"]["n"] == 1
    assert "__interrupt__" in {channel for _, channel, _ in found.pending_writes or []}


async def test_a_fork_begins_where_it_was_told(live: Holdfast) -> None:
    async with working(live):
        await start(live, "asking", "s")
        await settled(live, "s", "waiting_for_input")
        async with live.tenant("acme") as hold:
            await reply(hold, "s", "yes")
        await ended(live, "s")
        async with live.tenant("acme") as hold:
            before_asking = next(one for one in await hold.sessions.checkpoints("s") if one.step == 1)
            forked = await hold.sessions.fork("s", checkpoint=before_asking.checkpoint_id, new_name="f")
            assert (forked.status, forked.forked_checkpoint) == ("pending", before_asking.checkpoint_id)
            with pytest.raises(AlreadyExists):
                await hold.sessions.fork("s", new_name="s")
            with pytest.raises(NotFound):
                await hold.sessions.fork("s", checkpoint="x")
        await settled(live, "f", "waiting_for_input")
        async with live.tenant("acme") as hold:
            await reply(hold, "f", "no")
        done = await ended(live, "f")
    assert done.output_data["log"] == ["first", "asked:no", "last"]
    assert (await fetch(live, "s")).output_data["log"] == ["first", "asked:yes", "last"]
    async with live.tenant("acme") as hold:
        # The past before the fork is the fork's own past too.
        assert [one.step for one in await hold.sessions.checkpoints("f")][::-1] == [-1, 0, 1, 2, 3]
        latest = await hold.sessions.fork("f", new_name="g")
    async with working(live):
        assert (await ended(live, latest.session_name)).output_data == done.output_data


async def test_a_person_edits_the_state_and_the_graph_asks_again(live: Holdfast) -> None:
    async with live.tenant("acme") as hold:
        await hold.users.create("ana", roles=["operator"])
        await hold.users.create("ben", roles=["approver"])
    async with working(live):
        await start(live, "asking", "s")
        await settled(live, "s", "waiting_for_input")
        with pytest.raises(Forbidden):
            async with live.tenant("acme", actor="ben") as hold:
                await hold.sessions.edit("s", {"n": 41})
        async with live.tenant("acme", actor="ana") as hold:
            (before,) = await hold.sessions.prompts("s")
            await hold.sessions.edit("s", {"n": 41}, as_node="first", reason="it was wrong")

        async def asked_again() -> bool:
            async with live.tenant("acme") as hold:
                return [one.content["counted"] for one in await hold.sessions.prompts("s")] == [41]

        await until(asked_again)
        async with live.tenant("acme") as hold:
            (prompt,) = await hold.sessions.prompts("s")
            assert prompt.prompt_id != before.prompt_id
            await reply(hold, "s", "yes")
        done = await ended(live, "s")
        assert done.output_data["n"] == 51
    async with live.tenant("acme") as hold:
        events = (await hold.audit.list(object_id=done.id)).items
        (edited,) = [event for event in events if event.event_type == "session.edited"]
        assert edited.actor == "user:ana"
        assert edited.data == {"values": {"n": 41}, "as_node": "first", "reason": "it was wrong"}


@pytest.mark.parametrize(("values", "node"), [({"n": 41}, "nowhere"), ({"m": 41}, None), ({"branch:to:last": 1}, None)])
async def test_an_edit_that_cannot_be_done_is_told_and_the_question_stands(
    live: Holdfast, values: dict[str, Any], node: str | None
) -> None:
    async with working(live):
        await start(live, "asking", "s")
        await settled(live, "s", "waiting_for_input")
        async with live.tenant("acme") as hold:
            await hold.sessions.edit("s", values, as_node=node)

        async def asked_again() -> bool:
            return (await fetch(live, "s")).status == "waiting_for_input" and any(
                one.message_type == "error" for one in await messages(live, "s")
            )

        await until(asked_again)
        async with live.tenant("acme") as hold:
            (prompt,) = await hold.sessions.prompts("s")
            assert prompt.content["counted"] == 1
            await reply(hold, "s", "yes")
        assert (await ended(live, "s")).status == "completed"


async def test_pruning_keeps_what_is_needed_to_go_on(live: Holdfast) -> None:
    async with working(live):
        await start(live, "asking", "s")
        await settled(live, "s", "waiting_for_input")
        async with live.tenant("acme") as hold:
            before = await hold.sessions.storage("s")
            assert await hold.sessions.prune("s") == 2
            after = await hold.sessions.storage("s")
            assert (before.checkpoint_count, after.checkpoint_count) == (3, 1)
            assert after.total < before.total
            assert (await hold.sessions.state("s")).values["log"] == ["first"]
            await reply(hold, "s", "yes")
        done = await ended(live, "s")
    assert done.output_data == {"n": 11, "note": "none", "log": ["first", "asked:yes", "last"]}


async def test_what_is_executed_is_not_pruned(live: Holdfast) -> None:
    await start(live, "chain", "s")
    async with live.tenant("acme") as hold:
        with pytest.raises(Conflict, match="pending"):
            await hold.sessions.prune("s")


async def test_threads_belong_to_their_tenant(
    live: Holdfast, holdfast_dsn: str, superuser: psycopg.Connection[Row]
) -> None:
    async with working(live):
        await start(live, "chain", "s")
        await start(live, "chain", "s", tenant="globex")
        await ended(live, "s")
        await ended(live, "s", tenant="globex")
    tables = superuser.execute(
        "SELECT relname, relrowsecurity AND relforcerowsecurity AS protected FROM pg_class "
        "WHERE relnamespace = 'holdfast_langgraph'::regnamespace AND relkind = 'r'"
    ).fetchall()
    assert {row["relname"] for row in tables if row["protected"]} == {
        "checkpoints",
        "checkpoint_blobs",
        "checkpoint_writes",
    }
    async with await AsyncConnection.connect(holdfast_dsn, autocommit=True, row_factory=dict_row) as connection:
        await connection.execute("SET ROLE holdfast_app")
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            count = f"SELECT count(*) AS n FROM holdfast_langgraph.{table}"
            assert await (await connection.execute(count)).fetchone() == {"n": 0}
    for slug in ("acme", "globex"):
        async with live.tenant(slug) as hold:
            for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
                rows = await (
                    await hold.connection.execute(f"SELECT DISTINCT thread_id FROM holdfast_langgraph.{table}")
                ).fetchall()
                assert rows == [(f"project-{slug}:session-s",)], table


async def test_another_tenants_session_is_not_found(live: Holdfast) -> None:
    await start(live, "chain", "secret", tenant="globex")
    async with live.tenant("acme") as hold:
        sessions = hold.sessions
        for attempt in (
            sessions.get("secret"),
            sessions.cancel("secret"),
            sessions.delete("secret"),
            sessions.answer("secret", 1),
            sessions.send("secret", {"n": 1}),
            sessions.edit("secret", {"n": 1}),
            sessions.messages("secret"),
            sessions.prompts("secret"),
            sessions.checkpoints("secret"),
            sessions.state("secret"),
            sessions.storage("secret"),
            sessions.fork("secret"),
            sessions.prune("secret"),
        ):
            with pytest.raises(NotFound) as caught:
                await attempt
            assert caught.value.status == 404
        assert (await sessions.list()).items == []


async def test_langgraphs_tables_are_set_up_once_however_many_try(
    live: Holdfast, holdfast_dsn: str, superuser: psycopg.Connection[Row]
) -> None:
    def protected() -> list[Row]:
        return superuser.execute(
            "SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity, c.relowner::regrole::text AS owner, "
            "array_agg(a.attname || ' ' || a.atttypid::regtype || a.attnotnull ORDER BY a.attname) AS columns, "
            "(SELECT array_agg(p.polname ORDER BY p.polname) FROM pg_policy p WHERE p.polrelid = c.oid) AS policies, "
            "(SELECT count(*) FROM pg_index i WHERE i.indrelid = c.oid) AS indexes "
            "FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 "
            "WHERE c.relnamespace = 'holdfast_langgraph'::regnamespace AND c.relkind = 'r' GROUP BY c.oid ORDER BY 1"
        ).fetchall()

    made_by_us = protected()
    assert not any(await asyncio.gather(*(set_up(holdfast_dsn) for _ in range(3))))
    for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes", "checkpoint_migrations"):
        superuser.execute(f"DROP TABLE holdfast_langgraph.{table}")
    done = await asyncio.gather(*(set_up(holdfast_dsn) for _ in range(5)))
    assert sorted(done) == [False, False, False, False, True]
    # The library makes the very tables that our migration makes, and they are as protected.
    assert protected() == made_by_us
    async with working(live):
        await start(live, "chain", "s")
        assert (await ended(live, "s")).status == "completed"
