"""Deleting, cancelling and forking one session at once: each gets an answer in our words, and nobody a deadlock."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest

from harness.waiting import until
from holdfast import Conflict, Holdfast, NotFound
from sessions.conftest import ended, fetch, settled, working

Row = dict[str, Any]


async def waiting_session(app: Holdfast, name: str = "s") -> str:
    """A session that waits; its prompt."""
    async with working(app):
        async with app.tenant("acme") as hold:
            await hold.sessions.start("asking", {"n": 0}, name=name)
        await settled(app, name, "waiting_for_input")
    async with app.tenant("acme") as hold:
        (prompt,) = await hold.sessions.prompts(name)
    return prompt.prompt_id


async def blocked(superuser: psycopg.Connection[Row], count: int) -> None:
    """Wait until so many connections wait for a lock."""

    async def they_are() -> bool:
        row = superuser.execute(
            "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        ).fetchone()
        return row is not None and row["n"] >= count

    await until(they_are)


async def test_a_fork_of_a_session_that_is_just_deleted_finds_nothing(
    live: Holdfast, superuser: psycopg.Connection[Row]
) -> None:
    await waiting_session(live)

    async def fork() -> None:
        async with live.tenant("acme") as hold:
            await hold.sessions.fork("s", new_name="forked")

    async with live.tenant("acme") as hold:
        await hold.sessions.delete("s")
        forking = asyncio.create_task(fork())
        await blocked(superuser, 1)
    with pytest.raises(NotFound, match="no session 's'"):
        await forking
    with pytest.raises(NotFound):
        await fetch(live, "forked")


async def test_a_cancel_that_was_overtaken_by_an_answer_does_not_hold_the_session_while_it_reaches_for_the_run(
    live: Holdfast, superuser: psycopg.Connection[Row], holdfast_dsn: str
) -> None:
    """Whoever deletes the session has the run by then, and wants the session: they would wait for each other."""
    prompt = await waiting_session(live)

    async def cancel() -> str:
        async with live.tenant("acme") as hold:
            return (await hold.sessions.cancel("s")).status

    async def waits_for_the_run() -> bool:
        found = superuser.execute(
            "SELECT FROM pg_locks WHERE relation = 'holdfast.workflow_run_live'::regclass AND NOT granted"
        )
        return found.rowcount == 1

    async with await psycopg.AsyncConnection.connect(holdfast_dsn) as other:
        async with live.tenant("acme") as hold:
            await hold.sessions.answer("s", "yes", prompt_id=prompt)
            cancelling = asyncio.create_task(cancel())
            await blocked(superuser, 1)
            lock = "LOCK TABLE holdfast.workflow_run_live IN ACCESS EXCLUSIVE MODE"
            locking = asyncio.create_task(other.execute(lock))
            await blocked(superuser, 2)
        await locking
        await until(waits_for_the_run)
        await other.execute("SELECT FROM holdfast.workflow_sessions FOR UPDATE NOWAIT")
        await other.rollback()
    assert await cancelling == "failed"


async def test_whoever_cancels_deletes_forks_and_answers_at_once_is_answered_in_our_words(live: Holdfast) -> None:
    strange: list[BaseException] = []
    kept: list[str] = []

    async def act(name: str, method: str, *given: Any, **more: Any) -> None:
        try:
            async with live.tenant("acme") as hold:
                await getattr(hold.sessions, method)(name, *given, **more)
        except NotFound:
            pass
        except Conflict as error:
            if method == "delete":
                strange.append(error)
        except BaseException as error:
            strange.append(error)

    for number in range(12):
        name = f"s{number}"
        if number % 3:
            prompt = await waiting_session(live, name)
            answer = [act(name, "answer", "yes", prompt_id=prompt)] if number % 2 else []
        else:
            async with live.tenant("acme") as hold:
                await hold.sessions.start("asking", {"n": 0}, name=name)
            answer = [act(name, "cancel")]
        await asyncio.gather(act(name, "fork"), act(name, "cancel"), act(name, "delete"), act(name, "delete"), *answer)
        async with live.tenant("acme") as hold:
            kept += [one.session_name for one in (await hold.sessions.list()).items if one.session_name == name]
    assert strange == []
    assert kept == []


async def test_what_asks_about_a_session_that_is_just_deleted_finds_nothing(
    live: Holdfast, superuser: psycopg.Connection[Row]
) -> None:
    await waiting_session(live)

    async def do(method: str, *given: Any) -> None:
        async with live.tenant("acme") as hold:
            await getattr(hold.sessions, method)("s", *given)

    async with live.tenant("acme") as hold:
        await hold.sessions.delete("s")
        tasks = [asyncio.create_task(do("edit", {"n": 1})), asyncio.create_task(do("prune"))]
        await blocked(superuser, 2)
    for one in await asyncio.gather(*tasks, return_exceptions=True):
        assert isinstance(one, NotFound), one


async def test_deleting_what_somebody_else_cancels_deletes_it(
    live: Holdfast, superuser: psycopg.Connection[Row]
) -> None:
    await waiting_session(live)

    async def delete() -> None:
        async with live.tenant("acme") as hold:
            await hold.sessions.delete("s")

    async with live.tenant("acme") as hold:
        await hold.sessions.cancel("s")
        deleting = asyncio.create_task(delete())
        await blocked(superuser, 1)
    await deleting
    with pytest.raises(NotFound):
        await fetch(live, "s")
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("chain", {"n": 0}, name="s")
        assert (await ended(live, "s")).status == "completed"
