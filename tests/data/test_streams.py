"""Exports and watches over a real server: what is cut looks cut, and nobody who reads slowly holds a connection."""

from __future__ import annotations

import asyncio
import socket
from contextlib import AsyncExitStack
from typing import Any

import httpx
import psycopg
import pytest

from data.serving import serving
from harness.waiting import until
from holdfast import Holdfast

MANY = 30_000


def fill(superuser: psycopg.Connection[Any], namespace: str = "big", size: int = 100, count: int = MANY) -> None:
    """Many keys, as many small values."""
    superuser.execute(
        "INSERT INTO holdfast.workflow_data_store "
        "(tenant, store_id, namespace, key, value, value_type, revision, size) "
        "SELECT t.tenant, gen_random_uuid(), %s, 'key-' || lpad(n::text, 8, '0'), to_jsonb(repeat('x', %s)), 'string', "
        "nextval('holdfast.data_revision'), %s FROM generate_series(1, %s) n, holdfast.tenants t WHERE t.slug = 'acme'",
        [namespace, size, size + 2, count],
    )


async def test_an_export_that_is_cut_looks_cut(app: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    fill(superuser)
    async with serving(app) as client:
        lines = 0
        with pytest.raises(httpx.RemoteProtocolError, match="incomplete chunked read"):
            async with client.stream("GET", "/data/export") as answer:
                assert answer.status_code == 200
                async for _ in answer.aiter_lines():
                    lines += 1
                    if lines == 1000:
                        # Connections are ended, and what is asked next fails.
                        superuser.execute(
                            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                        )
                        superuser.execute("ALTER TABLE holdfast.workflow_data_store RENAME TO gone")
        assert 1000 <= lines < MANY


async def test_aborted_slow_exports_leave_no_connection_busy(app: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    """More readers than the pool has connections; each reads a little, stops reading, and goes away."""
    fill(superuser, size=1000, count=10_000)
    async with serving(app) as client, AsyncExitStack() as readers:
        base, token = client.base_url, client.headers["Authorization"]
        request = (
            f"GET {base.path}data/export HTTP/1.1\r\nHost: x\r\nAuthorization: {token}\r\nConnection: close\r\n\r\n"
        ).encode()
        loop = asyncio.get_running_loop()
        for _ in range(12):
            reader = readers.enter_context(socket.socket())
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.setblocking(False)
            await loop.sock_connect(reader, (str(base.host), base.port or 0))
            await loop.sock_sendall(reader, request)
            assert (await loop.sock_recv(reader, 100)).startswith(b"HTTP/1.1 200")
        # While they are still there, everybody else is served.
        async with asyncio.timeout(10):
            assert (await client.get("/data/namespaces")).status_code == 200
        # They have read what they want: nothing is kept ready for them.
        await until(lambda: (pool := app.database.pool_use())["available"] == pool["size"])
        await readers.aclose()
        held = superuser.execute(
            "SELECT count(*) AS n FROM pg_stat_activity "
            "WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
        ).fetchone()
        assert held == {"n": 0}


async def test_text_with_line_separators_comes_back_over_http(app: Holdfast) -> None:
    odd = "a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg\x1dh\x1ei\r\nj"
    keys = app.data("acme")
    await keys.set("odd", "k", {odd: [odd]})
    async with serving(app) as client:
        exported = (await client.get("/data/export")).content
        await keys.delete("odd", "k")
        assert (await client.post("/data/import", content=exported)).json()["keys"] == 1
    entry = await keys.get("odd", "k")
    assert entry is not None
    assert entry.value == {odd: [odd]}
