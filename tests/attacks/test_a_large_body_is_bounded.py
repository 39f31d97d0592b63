"""However a body is blown up, it costs a bounded time and memory, and nobody else waits for it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.served import Serve

MIB = 2**20
UNKNOWN = b"{" + b",".join(b'"u%07d":1' % number for number in range(850_000)) + b"}"
BOMBS = {
    "unknown members": UNKNOWN,
    "one long list": b'{"namespace":"n","keys":[' + b"1," * 5_000_000 + b"1]}",
    "many texts": b'{"namespace":"n","keys":[' + b'"",' * 3_000_000 + b'""]}',
    "deep lists": b'{"namespace":"n","keys":' + b"[" * 8_000_000,
    "deep objects": b'{"namespace":"n","keys":' + b'{"a":' * 1_500_000,
    "repeated keys": b"{" + b'"same":1,' * 1_000_000 + b'"same":1}',
    "as many wrong values as may be": b'{"namespace":"n","keys":[' + b"1," * 99_000 + b"1]}",
    "as many repeated keys as may be": b"{"
    + b",".join(b'"u%d":1' % number for number in range(99_000))
    + b',"u98999":1}',
}
JSON = {"Content-Type": "application/json"}


def test_five_large_bodies_of_nobody_are_not_even_read(serve: Serve) -> None:
    server = serve()
    before = server.memory()

    def send(_: int) -> int:
        with server.client() as nobody:
            return nobody.post("/v1/acme/data/get", content=UNKNOWN, headers=JSON).status_code

    with server.bystander() as bystander, ThreadPoolExecutor(5) as threads:
        began = time.monotonic()
        assert list(threads.map(send, range(5))) == [401] * 5
        assert time.monotonic() - began < 10
        bystander.wait(1)
    bystander.check(within=5)
    assert server.memory() - before < 64 * MIB


@pytest.mark.parametrize("name", BOMBS)
def test_bodies_that_blow_up_are_refused_in_bounded_time_and_memory(serve: Serve, name: str) -> None:
    server = serve()
    before = server.memory()
    with server.bystander() as bystander, server.client("acme") as ana:
        began = time.monotonic()
        answer = ana.post("/v1/acme/data/get", content=BOMBS[name], headers=JSON)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
        assert len(answer.content) < 10_000
        assert time.monotonic() - began < 8
        bystander.wait(1)
    bystander.check(within=5)
    assert server.memory() - before < 400 * MIB


def test_who_goes_on_to_send_large_bodies_in_vain_is_told_to_wait(serve: Serve) -> None:
    with serve().client("acme") as ana:
        statuses = [
            ana.post("/v1/acme/data/get", content=BOMBS["unknown members"], headers=JSON).status_code for _ in range(2)
        ]
        assert statuses == [422, 429]
        assert ana.post("/v1/acme/data/get", json={"namespace": "n", "keys": ["k"]}).status_code == 200


def test_a_length_that_is_too_large_or_none_is_refused_at_once(serve: Serve) -> None:
    server = serve()
    for length in ("17000000", "99999999999999999999", "9" * 5000, "-1", "1e3", "\u00b2"):
        with server.raw(f"POST /v1/acme/runs HTTP/1.1\r\nContent-Length: {length}\r\nX:", who="acme") as connection:
            assert connection.recv(100).split()[1] in (b"413", b"400"), length


def test_many_large_bodies_of_a_token_share_a_bounded_memory(serve: Serve) -> None:
    server = serve(share_wait=1)
    before = server.memory()
    text = b'{"namespace":"n","keys":["' + b"x" * (15 * MIB) + b'"]}'

    def send(_: int) -> int:
        with server.client("acme") as ana:
            return ana.post("/v1/acme/data/get", content=text, headers=JSON).status_code

    with server.bystander() as bystander, ThreadPoolExecutor(24) as threads:
        assert set(threads.map(send, range(24))) <= {422, 429}
        bystander.wait(1)
    bystander.check(within=5)
    assert server.memory() - before < 600 * MIB
