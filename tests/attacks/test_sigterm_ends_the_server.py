"""Told to stop, the server ends within its grace period, whatever its clients are about."""

from __future__ import annotations

from contextlib import ExitStack

from harness.served import Serve


def test_it_ends_although_bodies_do_not_come_and_streams_go_on(serve: Serve) -> None:
    server = serve(body_timeout=300)
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(server.raw("POST /v1/acme/documents", b"{", who="acme", length=100))
            stack.enter_context(server.raw("GET /v1/acme/data/watch?namespace=n", who="viewer")).recv(100)
            stack.enter_context(server.raw("GET /v1/acme/da"))
        server.stop(within=20)


def test_it_ends_at_once_when_only_streams_go_on(serve: Serve) -> None:
    server = serve()
    with server.raw("GET /v1/acme/data/watch?namespace=n", who="viewer") as follower:
        assert b" 200 " in follower.recv(100)
        server.stop(within=5)
