"""Whoever nobody knows yet asks for nothing that costs much, and whatever they send is answered with 4xx at most."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from holdfast import Holdfast, NotSignedIn, Settings
from holdfast.http import build
from holdfast.http.console import add_console
from holdfast.http.oidc import OpenIdProvider

LONG = "a" * 300
HERE = "http://hold.test"


@pytest.fixture
async def server(app: Holdfast, holdfast_dsn: str) -> AsyncIterator[FastAPI]:
    """One with an OpenID provider that does not answer."""
    settings = Settings.load(
        {},
        dsn=holdfast_dsn,
        public_url=HERE,
        oidc_issuer="http://127.0.0.1:9",
        oidc_client_id="holdfast",
        oidc_tenant="acme",
        metrics_token="m" * 40,
        sign_in_failures=50,
    )
    async with Holdfast(settings) as site:
        yield build(site)


@pytest.fixture
async def stranger(server: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(server, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
        yield client


@pytest.mark.parametrize("path", [LONG, f"docs/{LONG}", f"docs/images/{LONG}.png", f"assets/{LONG}", "%00", "a/%00b"])
async def test_a_path_that_no_file_can_have_is_no_fault_of_ours(tmp_path: Path, path: str) -> None:
    (tmp_path / "index.html").write_text("here")
    (tmp_path / "assets").mkdir()
    bare = FastAPI()
    add_console(bare, tmp_path)
    for site in (bare, build(Holdfast(Settings.load({}, dsn="postgresql://127.0.0.1:9/none")))):
        transport = httpx.ASGITransport(site, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
            assert (await client.get(f"/{path}")).status_code in (200, 404)


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("POST", "/auth/sign-out", {"Origin": "http://["}),
        ("POST", "/auth/mail/confirm", {"Origin": "http://[::1"}),
        ("PUT", "/v1/acme/data/entry", {"Cookie": "holdfast_sign_in=x", "Origin": "http://a:99999999"}),
        ("GET", "/auth/oidc/callback", {"Cookie": f"holdfast_flow={'[' * 1500}"}),
        ("GET", "/auth/methods", {"Host": "["}),
        ("GET", "/v1/me", {"Authorization": b"Bearer \xff\xfe"}),
        ("GET", "/v1/installation/tenants", {"Authorization": b"Bearer \xff\xfe"}),
        ("GET", "/metrics", {"Authorization": b"Bearer \xff\xfe"}),
    ],
)
async def test_headers_that_are_none_are_refused(
    stranger: httpx.AsyncClient, method: str, path: str, headers: dict[str, Any]
) -> None:
    answer = await stranger.request(method, path, headers=headers)
    assert answer.status_code < 500, answer.text


async def test_what_is_no_token_of_the_provider_is_not_shown_to_it(stranger: httpx.AsyncClient) -> None:
    """It would be asked once for each: and where it does not answer, who has a wrong token is told to wait for it."""
    for token in ("x", "holdfast_x", "a.b", "ey", "x.y.z"):
        answer = await stranger.get("/v1/me", headers={"Authorization": f"Bearer {token}"})
        assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in"), token
    answer = await stranger.get("/v1/me", headers={"Authorization": "Bearer eyA.eyA.x"})
    assert answer.status_code == 503


async def test_what_everybody_may_read_is_made_once(
    server: FastAPI, stranger: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The description has close to a megabyte: to write it took 15 ms of the event loop, each time."""
    made = 0
    describe = server.openapi

    def counted() -> dict[str, Any]:
        nonlocal made
        made += 1
        return describe()

    monkeypatch.setattr(server, "openapi", counted)
    for encoding in ("gzip", "identity"):
        for path in ("/openapi.json", "/docs"):
            answer = await stranger.get(path, headers={"Accept-Encoding": encoding})
            assert answer.status_code == 200
    assert made == 1
    told = await stranger.get("/openapi.json")
    assert told.headers["content-type"] == "application/json"
    assert json.loads(told.content)["paths"].keys() == describe()["paths"].keys()
    assert int(told.headers["content-length"]) < 200_000


async def test_the_token_of_the_metrics_cannot_be_tried_at_will(stranger: httpx.AsyncClient) -> None:
    right = {"Authorization": f"Bearer {'m' * 40}"}
    assert (await stranger.get("/metrics", headers=right)).status_code == 200
    found = [
        (await stranger.get("/metrics", headers={"Authorization": f"Bearer {number}"})).status_code
        for number in range(60)
    ]
    assert set(found) == {401, 429}
    assert found[-1] == 429
    # Who had the right one before goes on.
    assert (await stranger.get("/metrics", headers=right)).status_code == 200


def person(claims: dict[str, Any], **given: Any) -> tuple[str, Any]:
    settings = Settings.load(
        {},
        dsn="postgresql://127.0.0.1:9/none",
        public_url=HERE,
        oidc_issuer="http://127.0.0.1:9",
        oidc_client_id="holdfast",
        oidc_tenant="acme",
        **given,
    )
    return OpenIdProvider(settings).person(claims)


@pytest.mark.parametrize("verified", [{}, {"email_verified": False}, {"email_verified": "true"}], ids=str)
def test_an_address_that_nobody_has_verified_is_nobodys_name(verified: dict[str, Any]) -> None:
    """At many providers people write any address into their profile: the user of that name would be theirs."""
    claims = {"sub": "thief", "email": "ana@acme.test"}
    with pytest.raises(NotSignedIn, match="address is yours"):
        person(claims | verified, oidc_person_claim="email")
    assert person(claims | {"email_verified": True}, oidc_person_claim="email")[1].name == "ana@acme.test"
    assert person(claims | verified | {"preferred_username": "ben"})[1].name == "ben"


def test_who_has_a_longer_subject_is_not_somebody_else() -> None:
    claims = {"preferred_username": "ana", "sub": "s" * 255}
    assert person(claims)[1].subject == "s" * 255
    with pytest.raises(NotSignedIn, match="1 to 255 characters"):
        person(claims | {"sub": "s" * 256})


def test_groups_that_are_no_texts_are_none() -> None:
    claims = {"preferred_username": "ana", "sub": "s", "groups": [{"a": 1}, ["money"], "money", None, 5]}
    _, found = person(claims, oidc_roles_claim="groups", oidc_roles={"money": "approver", "other": "viewer"})
    assert found.roles == {"approver"}


async def test_a_narrow_token_has_nothing_to_do_with_its_owners_browsers(app: Holdfast) -> None:
    """Where they are signed in is not for a program that may read runs, and nor is to throw them out."""
    async with app.tenant("acme") as hold:
        narrow = (await hold.tokens.create("ana", "narrow", scopes=["runs:read"])).secret
        whole = (await hold.tokens.create("ana", "whole")).secret
    async with app.tenant("acme") as hold:
        await hold.sign_ins.begin("ana", "mail", lifetime=timedelta(hours=1), origin="192.0.2.7")
        [begun] = await hold.sign_ins.list(user="ana")
    transport = httpx.ASGITransport(build(app), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=f"{HERE}/v1/acme") as client:
        client.headers["Authorization"] = f"Bearer {narrow}"
        listed = await client.get("/sign-ins")
        assert (listed.status_code, listed.json().get("permission")) == (403, "tokens:own"), listed.text
        assert (await client.delete(f"/sign-ins/{begun.sign_in_id}")).status_code == 403
        client.headers["Authorization"] = f"Bearer {whole}"
        assert [each["in_force"] for each in (await client.get("/sign-ins")).json()] == [True]
        ended = await client.delete(f"/sign-ins/{begun.sign_in_id}")
        assert (ended.status_code, ended.json()["in_force"]) == (200, False)
