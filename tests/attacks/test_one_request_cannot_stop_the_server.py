"""No number, however it is written, keeps the server busy: not before it knows who asks, and not afterwards."""

from __future__ import annotations

import time
from itertools import product

import httpx

from harness.served import Serve

HUGE = "1e999999999999999999"
NUMBERS = [
    HUGE,
    "1e3000000",
    "1e4400",
    "1e-999999999999999999",
    "-1e99999999999999999999",
    "9" * 5000,
    "0." + "9" * 5000,
]
PLACES = [
    ("POST", "data/increment", '{"namespace": "n", "key": "k", "by": %s}', "by"),
    ("PUT", "data/entry?namespace=n&key=k", '{"value": 1, "if_revision": %s}', "if_revision"),
    ("PUT", "data/entry?namespace=n&key=k", '{"value": {"deep": [1, {"er": %s}]}}', "value.deep[1].er"),
    ("PUT", "data/rules", '{"namespace": "n", "max_keys": %s}', "max_keys"),
    ("POST", "links/lookup", '{"namespace": "n", "from": {"type": "t", "id": "a"}, "limit": %s}', "limit"),
    ("POST", "workflows/x/rollback", '{"version": %s}', "version"),
    ("POST", "actions/store.increment", '{"namespace": "n", "key": "k", "by": %s}', "by"),
    ("POST", "documents", '{"entity_type": "x", "data": {"total": %s}}', "data.total"),
    ("POST", "processes", '{"workflow_id": "x", "payload": [%s]}', "payload[0]"),
]


def test_nobody_stops_the_server_with_one_number(serve: Serve) -> None:
    server = serve()
    with server.bystander() as bystander, server.client(timeout=10) as nobody:
        for method, path, body, _ in PLACES:
            answer = nobody.request(
                method, f"/v1/acme/{path}", content=body % HUGE, headers={"Content-Type": "application/json"}
            )
            assert answer.status_code == 401
        bystander.wait(3)
    bystander.check(within=5)
    server.stop(within=20)


def test_a_number_too_long_is_refused_by_the_name_of_its_field(serve: Serve) -> None:
    server = serve()
    with server.bystander() as bystander, server.client("acme", timeout=10) as ana:
        for number, (method, path, body, field) in product(NUMBERS, PLACES):
            began = time.monotonic()
            answer = ana.request(
                method, f"/v1/acme/{path}", content=body % number, headers={"Content-Type": "application/json"}
            )
            assert (answer.status_code, answer.json().get("field")) == (422, field), (number[:30], answer.text[:300])
            assert time.monotonic() - began < 5
        assert ana.get("/v1/acme/data/entry?namespace=n&key=k").json()["value"] == 1
        bystander.wait(1)
    bystander.check(within=5)


def test_a_run_with_a_number_too_long_is_refused_and_one_with_a_float_is_not(serve: Serve) -> None:
    with serve().client("acme") as ana:
        answer = enqueue(ana, "9" * 5000)
        assert (answer.status_code, answer.json()["field"]) == (422, "payload.n")
        assert enqueue(ana, "1.5").status_code == 201


def enqueue(client: httpx.Client, number: str) -> httpx.Response:
    body = '{"type": "demo.x.v1", "payload": {"n": %s}}' % number  # noqa: UP031 - braces
    return client.post("/v1/acme/runs", content=body, headers={"Content-Type": "application/json"})
