"""Readers who begin and leave all the time cost nobody a connection to Postgres: what was under way ends by itself."""

from __future__ import annotations

import socket
from typing import Any

import psycopg

from harness.served import Serve, Served
from holdfast import Holdfast

READERS = 40


def begin_and_leave(server: Served) -> None:
    """Ask for everything, take the head and a little more, and go."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        head = f"GET /v1/acme/data/export HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer {server.tokens['acme']}"
        connection.sendall(f"{head}\r\n\r\n".encode())
        assert connection.recv(4096).startswith(b"HTTP/1.1 200")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # at once, without a goodbye


async def test_readers_who_leave_end_no_connection(
    app: Holdfast, serve: Serve, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    async with app.tenant("acme") as hold:
        for number in range(40):
            await hold.data.set("large", f"k{number}", "x" * 200_000)
    server = serve(pool_min=4, pool_max=4)

    def backends() -> set[int]:
        rows = superuser.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
        ).fetchall()
        return {row["pid"] for row in rows}

    with server.client("globex") as client:
        for _ in range(10):
            assert client.get("/v1/globex/data/entry?namespace=n&key=k").status_code == 200
        before = backends()
        for _ in range(READERS):
            begin_and_leave(server)
        assert client.get("/v1/globex/data/entry?namespace=n&key=k").status_code == 200
        gone = before - backends()
    assert gone == set()
