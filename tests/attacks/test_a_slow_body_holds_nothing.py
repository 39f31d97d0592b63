"""Who sends a byte of a body and then nothing holds up nobody: no connection is taken before the body is there."""

from __future__ import annotations

import time
from contextlib import ExitStack

from harness.served import Serve

HEAD = "POST /v1/acme/documents"


def test_bodies_that_do_not_come_hold_no_connection_and_end_in_time(serve: Serve) -> None:
    server = serve(body_timeout=2, connect_timeout=3)
    with ExitStack() as stack, server.bystander() as bystander:
        slow = [stack.enter_context(server.raw(HEAD, b"{", who="acme", length=100)) for _ in range(30)]
        began = time.monotonic()
        bystander.wait(5)
        with server.client("acme") as ana:
            assert ana.get("/v1/acme/data/entry?namespace=n&key=k").status_code == 200
        for connection in slow:
            answer = connection.recv(10_000)
            assert b" 408 " in answer.split(b"\r\n")[0]
            assert b"connection: close" in answer.lower()
        assert time.monotonic() - began < 8
    bystander.check(within=5)


def test_a_body_that_comes_byte_by_byte_has_no_more_time_for_it(serve: Serve) -> None:
    server = serve(body_timeout=1)
    with server.raw(HEAD, who="acme", length=100_000) as connection:
        connection.settimeout(0.05)
        began, answer = time.monotonic(), b""
        while not answer and time.monotonic() - began < 5:
            connection.sendall(b" ")
            try:
                answer = connection.recv(1000)
            except TimeoutError:
                continue
        assert b" 408 " in answer.split(b"\r\n")[0]


def test_a_token_without_the_permission_is_refused_before_its_body_is_read(serve: Serve) -> None:
    server = serve(body_timeout=20)
    for who, status in ((None, b" 401 "), ("globex", b" 404 "), ("nothing", b" 403 "), ("viewer", b" 403 ")):
        with server.raw(HEAD, b"{", who=who, length=100) as connection:
            connection.settimeout(5)
            assert status in connection.recv(10_000).split(b"\r\n")[0]
