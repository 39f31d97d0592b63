"""A real server on a port of its own: streams, aborted readers and broken connections are nothing a stub can show."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import uvicorn

from harness.waiting import until
from holdfast import Holdfast
from holdfast.http import build

__all__ = ["serving"]


@asynccontextmanager
async def serving(app: Holdfast, tenant: str = "acme") -> AsyncIterator[httpx.AsyncClient]:
    """A client of a server for the application, signed in as the tenant's administrator."""
    async with app.tenant(tenant) as hold:
        secret = (await hold.tokens.create("ana", "test")).secret
    server = uvicorn.Server(
        uvicorn.Config(
            build(app), host="127.0.0.1", port=0, log_config=None, lifespan="off", timeout_graceful_shutdown=0
        )
    )
    task = asyncio.create_task(server.serve())
    try:
        await until(lambda: server.started)
        port = server.servers[0].sockets[0].getsockname()[1]
        headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        base = f"http://127.0.0.1:{port}/v1/{tenant}"
        async with httpx.AsyncClient(base_url=base, headers=headers, timeout=30) as client:
            yield client
    finally:
        server.should_exit = True
        await task
