"""What each process of the benchmark does: `python -m bench._http.roles serve|bare|call|drive …`.

`serve` and `bare` print their port and serve until their standard input closes. `call` and `drive` do the same work,
eight at a time: `call` in process, as `hold`; `drive` over HTTP, with httpx.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import httpx
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

from bench._processes.ours import equip
from holdfast import Holdfast, Run
from holdfast.http import build
from holdfast.kernel import loops

CLIENTS = 8
TYPE = "bench.nothing.v1"


class Given(BaseModel):
    """A body as small as ours are."""

    type: str = ""
    payload: dict[str, int] = {}
    decision: str = ""
    entity_version: int = 0


def with_work(app: Holdfast) -> Holdfast:
    """The application of the benchmark. It knows the type it enqueues, as `holdfast serve --app` does."""

    @app.handler(TYPE)
    async def nothing(run: Run, payload: dict[str, int]) -> None:
        return None

    return equip(app)


def bare() -> FastAPI:
    """A server of two routes that do nothing."""
    server = FastAPI()

    @server.post("/bare", status_code=201)
    async def post(given: Given) -> dict[str, str]:
        return {"id": "01980000-0000-7000-8000-000000000000"}

    @server.get("/bare")
    async def get(namespace: str, key: str) -> dict[str, Any]:
        return {"key": key, "value": {"seen": 12}}

    return server


async def serve(server: FastAPI, app: Holdfast | None) -> None:
    running = uvicorn.Server(
        uvicorn.Config(server, host="127.0.0.1", port=0, log_config=None, access_log=False, lifespan="off")
    )
    if app is not None:
        await app.open()
        app.load()
    task = asyncio.create_task(running.serve())
    while not running.started:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.01)
    print(running.servers[0].sockets[0].getsockname()[1], flush=True)
    loop = asyncio.get_running_loop()
    threading.Thread(target=lambda: (sys.stdin.read(), loop.call_soon_threadsafe(_stop, running)), daemon=True).start()
    await task
    if app is not None:
        await app.close()


def _stop(server: uvicorn.Server) -> None:
    server.should_exit = True


async def timed(work: list[Any], do: Callable[[Any], Awaitable[None]]) -> float:
    """How many a second, eight at a time; a tenth of them before the clock starts."""
    warm, rest = work[: len(work) // 10], work[len(work) // 10 :]
    for part in (warm, rest):
        waiting = list(part)

        async def one(waiting: list[Any] = waiting) -> None:
            while waiting:
                await do(waiting.pop())

        began = time.perf_counter()
        await asyncio.gather(*(one() for _ in range(CLIENTS)))
        passed = time.perf_counter() - began
    return len(rest) / passed


async def call(dsn: str, what: str, work: list[Any]) -> float:
    async with Holdfast(dsn=dsn, migrate="never") as app:
        with_work(app)

        async def enqueue(n: int) -> None:
            async with app.tenant("acme", actor="ana") as hold:
                await hold.runs.enqueue(TYPE, {"n": n})

        async def get(n: int) -> None:
            async with app.tenant("acme", actor="ana") as hold:
                assert await hold.data.get("bench", f"k{n % 100}")

        async def decide(each: list[str]) -> None:
            async with app.tenant("acme", actor=each[1]) as hold:
                await hold.approvals.decide(UUID(each[0]), "approved", entity_version=1)

        calls: dict[str, Callable[[Any], Awaitable[None]]] = {"enqueue": enqueue, "get": get, "decide": decide}
        return await timed(work, calls[what])


async def drive(url: str, what: str, work: list[Any], tokens: dict[str, str]) -> float:
    headers = {name: {"Authorization": f"Bearer {token}"} for name, token in tokens.items()}
    is_bare = not tokens
    async with httpx.AsyncClient(base_url=url, limits=httpx.Limits(max_connections=CLIENTS)) as client:

        async def sent(method: str, path: str, who: str = "ana", **more: Any) -> None:
            answer = await client.request(method, "/bare" if is_bare else path, headers=headers.get(who), **more)
            assert answer.is_success, answer.text

        async def enqueue(n: int) -> None:
            await sent("POST", "/v1/acme/runs", json={"type": TYPE, "payload": {"n": n}})

        async def get(n: int) -> None:
            await sent("GET", "/v1/acme/data/entry", params={"namespace": "bench", "key": f"k{n % 100}"})

        async def decide(each: list[str]) -> None:
            body = {"decision": "approved", "entity_version": 1}
            await sent("POST", f"/v1/acme/approvals/{each[0]}/decisions", each[1], json=body)

        calls: dict[str, Callable[[Any], Awaitable[None]]] = {"enqueue": enqueue, "get": get, "decide": decide}
        return await timed(work, calls[what])


def main() -> None:
    role, *given = sys.argv[1:]
    if role == "serve":
        app = with_work(Holdfast(dsn=given[0], migrate="never", pool_max=CLIENTS * 2 + 4))
        loops.run(serve(build(app), app))
    elif role == "bare":
        loops.run(serve(bare(), None))
    else:
        order = json.loads(sys.stdin.readline())
        work: list[Any] = order["work"]
        if role == "call":
            print(loops.run(call(given[0], given[1], work)), flush=True)
        else:
            print(loops.run(drive(given[0], given[1], work, order["tokens"])), flush=True)


if __name__ == "__main__":
    main()
