"""Who tries tokens is slowed down, seen and told of, and at no cost that grows with how often they try."""

from __future__ import annotations

import time
from typing import Any
from uuid import UUID

import psycopg

from harness.served import Serve
from holdfast.access.token_form import make_secret, tenant_in
from holdfast.http.failures import FailedSignIns, origin

Superuser = psycopg.Connection[dict[str, Any]]
ENTRY = "/v1/acme/data/entry?namespace=n&key=k"


def wrong(good: str) -> str:
    """A token of the same tenant and of the right form that nobody made."""
    tenant = tenant_in(good)
    assert tenant is not None
    return make_secret(tenant)


def test_six_hundred_wrong_tokens_are_limited_and_leave_one_line_and_one_event(
    serve: Serve, superuser: Superuser
) -> None:
    server = serve(sign_in_failures=20, log_level="info")
    with server.client("acme") as ana, server.client() as thief:
        assert ana.get(ENTRY).status_code == 200
        answers = [
            thief.get(ENTRY, headers={"Authorization": f"Bearer {wrong(server.tokens['acme'])}"}) for _ in range(600)
        ]
        found = [answer.status_code for answer in answers]
        assert set(found) == {401, 429}
        assert 15 <= found.count(401) <= 60, found.count(401)
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert refused.json()["code"] == "sign_in_limited"
        assert 1 <= int(refused.headers["Retry-After"]) <= 60
        # Who was signed in before goes on, from the same address.
        assert ana.get(ENTRY).status_code == 200
    events = superuser.execute(
        "SELECT data FROM holdfast.workflow_event WHERE event_type = 'sign_in.failed'"
    ).fetchall()
    assert [event["data"]["address"] for event in events] == ["127.0.0.1"]
    server.stop(within=20)
    said = [line for line in server.said().splitlines() if "sign-in" in line]
    assert len(said) == 1
    assert server.tokens["acme"][:-8] not in server.said()


def test_tokens_that_are_none_are_limited_too_and_a_tenant_that_is_none_gets_no_event(
    serve: Serve, superuser: Superuser
) -> None:
    server = serve(sign_in_failures=5)
    with server.client() as thief:
        for token in ["x", "holdfast_", make_secret(UUID(int=0))] * 10:
            last = thief.get(ENTRY, headers={"Authorization": f"Bearer {token}"}).status_code
        assert last == 429
    row = superuser.execute(
        "SELECT count(*) AS n FROM holdfast.workflow_event WHERE event_type = 'sign_in.failed'"
    ).fetchone()
    assert row == {"n": 0}


def test_a_tenant_is_guarded_against_many_addresses_and_others_are_not_kept_out() -> None:
    known = FailedSignIns(a_minute=5)
    known.succeeded("good")
    for number in range(60):
        known.failed(f"10.0.0.{number}", "acme", f"wrong {number}")
    began = time.perf_counter()
    for number in range(100_000):
        known.failed(f"10.1.{number // 256}.{number % 256}", None, "wrong")
        known.succeeded(f"good {number}")
    assert time.perf_counter() - began < 20
    assert len(known._rows) == 4096
    assert len(known._good) == 10_000


def test_addresses_of_one_network_of_ipv6_are_one() -> None:
    assert origin(("2001:db8::1", 1)) == origin(("2001:db8::ffff", 2))
    assert origin(("2001:db8:0:1::1", 1)) != origin(("2001:db8::1", 1))
    assert origin(("::ffff:10.0.0.1", 1)) == origin(("10.0.0.1", 9)) == "10.0.0.1"
    assert origin(None) == ""
