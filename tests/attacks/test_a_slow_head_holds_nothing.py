"""Who opens connections and sends no request, or half of its head, is cut off; nobody else waits meanwhile."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack

from harness.served import Serve, Served


def connect(server: Served, sent: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    connection.sendall(sent)
    return connection


def read_all(connection: socket.socket) -> bytes:
    found = b""
    while piece := connection.recv(10_000):
        found += piece
    return found


def test_two_hundred_half_sent_requests_end_in_time(serve: Serve) -> None:
    server = serve(header_timeout=2)
    beginnings = [b"", b"G", b"GET /healthz HTTP/1.1\r\n", b"GET /healthz HTTP/1.1\r\nHost: test\r\nX: "]
    with ExitStack() as stack, server.bystander() as bystander:
        began = time.monotonic()
        slow = [stack.enter_context(connect(server, beginnings[number % 4])) for number in range(200)]
        bystander.wait(5)
        for connection in slow:
            assert read_all(connection).startswith(b"HTTP/1.1 408 ")
        assert 1.5 < time.monotonic() - began < 15
    bystander.check(within=5)


def test_a_head_that_comes_byte_by_byte_has_no_more_time_for_it(serve: Serve) -> None:
    server = serve(header_timeout=1)
    with connect(server, b"GET /healthz HTTP/1.1\r\nX-Long: ") as connection:
        connection.settimeout(0.05)
        began, answer = time.monotonic(), b""
        while not answer and time.monotonic() - began < 5:
            connection.sendall(b"x")
            try:
                answer = connection.recv(1000)
            except TimeoutError:
                continue
        assert answer.startswith(b"HTTP/1.1 408 ")


def test_the_next_request_on_a_connection_has_the_same_deadline(serve: Serve) -> None:
    server = serve(header_timeout=1)
    with connect(server, b"GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n") as connection:
        answer = b""
        while b"}" not in answer:
            answer += connection.recv(10_000)
        assert answer.startswith(b"HTTP/1.1 200 ")
        connection.sendall(b"GET /hea")
        assert read_all(connection).startswith(b"HTTP/1.1 408 ")


def test_a_request_that_takes_longer_than_its_head_may_is_answered(serve: Serve) -> None:
    server = serve(header_timeout=1, body_timeout=20)
    with server.raw("POST /v1/acme/data/get", b'{"namespace": "n",', who="acme", length=33) as connection:
        connection.settimeout(1.5)
        try:
            early = connection.recv(100)
        except TimeoutError:
            early = b""
        assert early == b""
        connection.settimeout(30)
        connection.sendall(b' "keys": ["k"]}'.ljust(15))
        assert b" 200 " in connection.recv(10_000)


def test_an_address_may_have_so_many_connections(serve: Serve) -> None:
    server = serve(connections_per_address=10)
    with ExitStack() as stack:
        held = [stack.enter_context(connect(server, b"")) for _ in range(10)]
        with connect(server, b"") as one_more:
            assert read_all(one_more).startswith(b"HTTP/1.1 429 ")
        held[0].close()
        with server.client() as client:
            assert client.get("/healthz").status_code == 200
