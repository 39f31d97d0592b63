"""Streams hold no connection while nothing happens; a reader that leaves, or stops reading, frees everything."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from typing import Any

import psycopg

from harness.served import Serve
from harness.waiting import eventually
from holdfast import Holdfast

Superuser = psycopg.Connection[dict[str, Any]]


async def test_streams_that_wait_hold_no_connection(serve: Serve, superuser: Superuser) -> None:
    server = serve(connect_timeout=3)
    with ExitStack() as stack, server.bystander() as bystander:
        for _ in range(30):
            follower = stack.enter_context(server.raw("GET /v1/acme/data/watch?namespace=n", who="viewer"))
            assert b" 200 " in follower.recv(100)
        bystander.wait(5)
        eventually(lambda: idle(superuser) == 0, 5)
    bystander.check(within=5)


async def test_readers_of_an_export_that_stop_and_leave_free_their_connections(
    app: Holdfast, serve: Serve, superuser: Superuser
) -> None:
    for number in range(60):
        async with app.tenant("acme") as hold:
            await hold.data.set("large", f"k{number}", "x" * 250_000)
    server = serve(connect_timeout=3)
    with server.bystander() as bystander:
        with ExitStack() as stack:
            for _ in range(12):
                reader = stack.enter_context(server.raw("GET /v1/acme/data/export", who="viewer"))
                reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            bystander.wait(5)
        eventually(lambda: idle(superuser) == 0, 5)
    bystander.check(within=5)


def idle(superuser: Superuser) -> int:
    row = superuser.execute(
        "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in trans%'"
    ).fetchone()
    assert row is not None
    return int(row["n"])
