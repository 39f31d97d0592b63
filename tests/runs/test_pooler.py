"""The queue through PgBouncer in transaction mode: every statement may land on another server process."""

from __future__ import annotations

from typing import Any

from holdfast import Holdfast, NewRun, Retry, Run
from runs.conftest import TYPE, finished, working


async def test_a_worker_works_through_a_transaction_pooler(pgbouncer: str, holdfast_dsn: str) -> None:
    async with Holdfast(
        dsn=pgbouncer, listen_dsn=holdfast_dsn, admin_dsn=holdfast_dsn, worker_poll_interval=0.1, pool_max=6
    ) as app:
        await app.tenants.create("acme")

        @app.handler(TYPE, retry=Retry(max_attempts=3, base=0.01))
        async def work(run: Run, number: int) -> Any:
            first = await run.step("first", lambda: number * 2)
            if number % 10 == 0 and run.attempt == 1:
                raise ConnectionError
            if number % 7 == 0:
                await run.sleep(0.01)
            if number % 5 == 0:
                async with run.hold() as hold:
                    await hold.runs.emit(f"done-{number}", number)
                await run.wait_event(f"done-{number}")
            return first

        async with working(app, concurrency=20):
            made = await app.enqueue_many("acme", [NewRun(TYPE, number) for number in range(200)])
            single = [(await app.enqueue("acme", TYPE, number)).id for number in range(200, 260)]
            runs = await finished(app, *[run.id for run in made], *single)
    assert [run.result for run in runs] == [number * 2 for number in range(260)]
    assert {run.status for run in runs} == {"succeeded"}


async def test_without_a_listening_connection_polling_finds_the_work(pgbouncer: str, holdfast_dsn: str) -> None:
    async with Holdfast(dsn=pgbouncer, admin_dsn=holdfast_dsn, worker_poll_interval=0.1) as app:
        await app.tenants.create("acme")

        @app.handler(TYPE)
        async def work(run: Run) -> str:
            return "done"

        async with working(app):
            (run,) = await finished(app, (await app.enqueue("acme", TYPE)).id)
    assert run.result == "done"
