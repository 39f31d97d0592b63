"""A tenant and a token have a share of the server's connections; who wants more waits, and nobody else does."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg

from harness.served import Serve, Served
from harness.waiting import eventually, held_up

Superuser = psycopg.Connection[dict[str, Any]]
LOCK = "SELECT FROM holdfast.workflow_data_store WHERE namespace = 'n' AND tenant = %s FOR UPDATE"


def test_a_tenant_whose_requests_hang_stops_nobody_else(serve: Serve, superuser: Superuser) -> None:
    server = serve(pool_max=10, share_wait=1, connect_timeout=3)
    answers: list[tuple[int, float, str | None]] = []

    def add(who: str) -> None:
        with server.client(who) as ana:
            began = time.monotonic()
            answer = ana.post("/v1/acme/data/increment", json={"namespace": "n", "key": "k"})
        answers.append((answer.status_code, time.monotonic() - began, answer.headers.get("Retry-After")))

    with ThreadPoolExecutor(40) as threads, server.bystander() as bystander:
        with superuser.transaction():
            superuser.execute(LOCK, [tenant(superuser, "acme")])
            for who in ["acme"] * 20 + ["second"] * 20:
                threads.submit(add, who)
            eventually(lambda: len(answers) >= 35)
            held = held_up(superuser)
            bystander.wait(5)
        eventually(lambda: len(answers) == 40)
    bystander.check(within=5)
    assert held == 5, "half of what there is, and that is left to others"
    refused = [answer for answer in answers if answer[0] == 429]
    assert len(refused) == 35
    assert all(took < 10 and again == "1" for _, took, again in refused)
    assert [answer[0] for answer in answers].count(200) == 5


def test_a_token_leaves_some_to_the_other_tokens_of_its_tenant(serve: Serve, superuser: Superuser) -> None:
    server = serve(pool_max=10, share_wait=1)
    with ThreadPoolExecutor(20) as threads, superuser.transaction():
        superuser.execute(LOCK, [tenant(superuser, "acme")])
        for _ in range(20):
            threads.submit(hang, server, "acme")
        eventually(lambda: held_up(superuser) == 3)
        with server.client("second") as ben:
            assert ben.get("/v1/acme/data/entries?namespace=m").status_code == 200


def test_readiness_is_told_while_every_connection_is_in_use(serve: Serve, superuser: Superuser) -> None:
    server = serve(pool_max=1, connect_timeout=20)
    with ThreadPoolExecutor(2) as threads, superuser.transaction():
        superuser.execute(LOCK, [tenant(superuser, "acme")])
        threads.submit(hang, server, "acme")
        eventually(lambda: held_up(superuser) == 1)
        with server.client(timeout=5) as nobody:
            assert nobody.get("/healthz").status_code == 200
            assert nobody.get("/readyz").status_code == 200


def hang(server: Served, who: str) -> None:
    with server.client(who) as client:
        client.post("/v1/acme/data/increment", json={"namespace": "n", "key": "k"})


def tenant(superuser: Superuser, slug: str) -> Any:
    row = superuser.execute("SELECT tenant FROM holdfast.tenants WHERE slug = %s", [slug]).fetchone()
    assert row is not None
    return row["tenant"]
