"""What an OpenID provider may say, and what somebody who is none may not: codes, states, nonces, signatures, keys."""

from __future__ import annotations

import asyncio
import base64
import hmac
import http.cookies
import json
import re
import time
import tomllib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey

from harness.provider import CLIENT, OwnProvider
from harness.receivers import Answer, Received, answer
from harness.served import serving
from holdfast import Holdfast, Settings
from holdfast.http import build, oidc
from holdfast.http.failures import FailedSignIns

ROOT = Path(__file__).parent.parent.parent
US = "http://hold.test"
REFUSED = "/#sign-in-failed"
PEOPLE = {"sub-ana": {"preferred_username": "ana"}, "sub-ben": {"preferred_username": "ben"}}


@pytest.fixture
async def provider() -> AsyncIterator[OwnProvider]:
    async with OwnProvider(PEOPLE) as running:
        yield running


@pytest.fixture
async def site(app: Holdfast, holdfast_dsn: str, provider: OwnProvider) -> AsyncIterator[Holdfast]:
    settings = Settings.load(
        dsn=holdfast_dsn,
        public_url=US,
        oidc_issuer=provider.issuer,
        oidc_client_id=CLIENT,
        oidc_tenant="acme",
        oidc_create_users=True,
    )
    async with Holdfast(settings) as other:
        yield other


@pytest.fixture
async def client(site: Holdfast) -> AsyncIterator[httpx.AsyncClient]:
    async with browser(site) as client:
        yield client


def browser(site: Holdfast) -> httpx.AsyncClient:
    server = build(site)
    server.state.failed_sign_ins = FailedSignIns(1000)
    return httpx.AsyncClient(transport=httpx.ASGITransport(server, raise_app_exceptions=False), base_url=US)


async def begin(client: httpx.AsyncClient, to: str = "/") -> str:
    begun = await client.get("/auth/oidc", params={"to": to})
    assert begun.status_code == 303, begun.text
    return str(begun.headers["location"])


async def sign_in(client: httpx.AsyncClient, provider: OwnProvider, subject: str = "sub-ana") -> str:
    """Where the browser is sent in the end."""
    done = await client.get(provider.authorize(await begin(client), subject))
    assert done.status_code == 303, done.text
    return str(done.headers["location"])


async def who(client: httpx.AsyncClient, token: str) -> tuple[int, str | None]:
    answer = await client.get("/v1/me", headers={"Authorization": f"Bearer {token}"})
    return answer.status_code, answer.json().get("name")


async def test_what_it_says_besides_is_no_reason_to_refuse_it(client: httpx.AsyncClient, provider: OwnProvider) -> None:
    provider.extra = {
        "session_state": "f81d4fae",
        "scope": "openid profile",
        "authuser": "0",
        "prompt": "none",
        "hd": "acme.test",
        "iss": provider.issuer,
    }
    assert await sign_in(client, provider) == "/"
    assert (await client.get("/v1/me")).json()["name"] == "ana"


def encoded_bytes(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def encoded(value: Any) -> str:
    return encoded_bytes(json.dumps(value).encode())


def unsigned(header: dict[str, Any], claims: dict[str, Any]) -> str:
    return f"{encoded(header | {'alg': 'none'})}.{encoded(claims)}."


def by_a_stranger(header: dict[str, Any], claims: dict[str, Any]) -> str:
    """Under the kid of the real key, with another one."""
    return jwt.encode(header, claims, RSAKey.generate_key(2048))


def with_its_own_key(header: dict[str, Any], claims: dict[str, Any]) -> str:
    """With a key that the token brings along."""
    key = RSAKey.generate_key(2048)
    body = jwt.encode(header, claims, key)
    told = header | {"jwk": key.as_dict(private=False), "jku": "http://127.0.0.1:9/keys"}
    return ".".join([encoded(told), *body.split(".")[1:]])


LIES: list[tuple[str, dict[str, Any]]] = [
    ("another nonce", {"nonce": "another"}),
    ("no nonce", {"nonce": None}),
    ("another audience", {"aud": "another"}),
    ("no audience", {"aud": None}),
    ("made for another", {"aud": [CLIENT, "another"], "azp": "another"}),
    ("another issuer", {"iss": "https://evil.test"}),
    ("no issuer", {"iss": None}),
    ("expired", {"exp": int(time.time()) - 3600}),
    ("never ends", {"exp": None}),
    ("not yet", {"nbf": int(time.time()) + 3600}),
    ("nobody", {"sub": None}),
    ("nobody by name", {"sub": ""}),
    ("no text", {"sub": {"a": 1}}),
    ("too long", {"sub": "x" * 256}),
    ("no name", {"preferred_username": None}),
    ("a name that is none", {"preferred_username": ["ana"]}),
    ("a name that none may have", {"preferred_username": "a/b c"}),
]


@pytest.mark.parametrize("lie", [each for _, each in LIES], ids=[name for name, _ in LIES])
async def test_a_token_that_does_not_fit_signs_nobody_in(
    client: httpx.AsyncClient, provider: OwnProvider, lie: dict[str, Any]
) -> None:
    provider.lies = lie
    assert await sign_in(client, provider) == REFUSED
    assert (await client.get("/v1/me")).status_code == 401
    provider.lies = {}
    assert await sign_in(client, provider) == "/"


async def test_one_made_for_several_is_good_when_it_is_ours(client: httpx.AsyncClient, provider: OwnProvider) -> None:
    provider.lies = {"aud": [CLIENT, "another"], "azp": CLIENT}
    assert await sign_in(client, provider) == "/"


@pytest.mark.parametrize("signs", [unsigned, by_a_stranger, with_its_own_key])
async def test_a_signature_that_is_not_the_providers_signs_nobody_in(
    client: httpx.AsyncClient, provider: OwnProvider, signs: Callable[[dict[str, Any], dict[str, Any]], str]
) -> None:
    provider.signs = signs
    assert await sign_in(client, provider) == REFUSED
    assert await who(client, provider.token("sub-ana")) == (401, None)


async def test_the_public_key_is_no_secret_to_sign_with(client: httpx.AsyncClient, provider: OwnProvider) -> None:
    public = provider.key.as_pem(private=False)
    for header in ({"alg": "HS256", "kid": provider.key.kid}, {"alg": "HS256"}):
        body = ".".join(encoded(each) for each in (header, claims_of(provider)))
        forged = f"{body}.{encoded_bytes(hmac.digest(public, body.encode(), 'sha256'))}"
        provider.signs = lambda *_, forged=forged: forged
        assert await sign_in(client, provider) == REFUSED
        assert await who(client, forged) == (401, None)


async def hang_up(_: Received, writer: asyncio.StreamWriter) -> None:
    writer.close()


def telling(status: int, body: bytes) -> Answer:
    async def told(_: Received, writer: asyncio.StreamWriter) -> None:
        await answer(writer, status, body)

    return told


@pytest.mark.parametrize(
    "tokens",
    [
        hang_up,
        telling(500, b"{}"),
        telling(200, b"<html>"),
        telling(200, b"[]"),
        telling(200, b"null"),
        telling(200, b"{}"),
        telling(200, b'{"access_token": "x", "token_type": "Bearer"}'),
        telling(200, b'{"access_token": "x", "token_type": "Bearer", "id_token": 7}'),
        telling(302, b""),
    ],
)
async def test_nonsense_instead_of_a_token_signs_nobody_in(
    client: httpx.AsyncClient, provider: OwnProvider, tokens: Answer
) -> None:
    provider.tokens = tokens
    assert await sign_in(client, provider) == REFUSED


async def test_a_way_back_counts_once(client: httpx.AsyncClient, provider: OwnProvider) -> None:
    back = provider.authorize(await begin(client), "sub-ana")
    assert (await client.get(back)).headers["location"] == "/"
    client.cookies.clear()
    assert (await client.get(back)).headers["location"] == REFUSED


async def test_somebody_elses_way_back_leads_nowhere(site: Holdfast, provider: OwnProvider) -> None:
    """A code of the attacker's, with which a victim would be signed in as them; and the other way round."""
    async with browser(site) as attacker, browser(site) as victim:
        back = provider.authorize(await begin(attacker), "sub-ben")
        assert (await victim.get(back)).headers["location"] == REFUSED
        begun = await begin(victim)
        code = parse_qs(urlsplit(back).query)["code"][0]
        state = parse_qs(urlsplit(begun).query)["state"][0]
        forged = await victim.get("/auth/oidc/callback", params={"code": code, "state": state})
        assert forged.headers["location"] == REFUSED
        assert (await victim.get("/v1/me")).status_code == 401


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"code": "x"},
        {"state": ""},
        {"code": "x", "state": ""},
        {"code": "x", "state": "é"},
        {"error": "access_denied", "error_description": "no", "state": "x"},
    ],
)
async def test_a_way_back_without_a_beginning_leads_nowhere(
    client: httpx.AsyncClient, provider: OwnProvider, given: dict[str, str]
) -> None:
    for cookie in (None, "{}", "[]", "nonsense", '{"state": "x"}', '{"state": ""}', '{"to": "//evil.test"}'):
        client.cookies.clear()
        if cookie is not None:
            client.cookies.set("holdfast_flow", cookie)
        answer = await client.get("/auth/oidc/callback", params=given)
        assert (answer.status_code, answer.headers.get("location")) == (303, REFUSED), (cookie, answer.text)


async def test_what_the_browser_kept_leads_to_a_page_of_ours_only(
    client: httpx.AsyncClient, provider: OwnProvider
) -> None:
    """A neighbouring host may have put a cookie there."""
    for to, where in (("https://evil.test", "/"), ("//evil.test", "/"), (None, "/"), ("/runs", "/runs")):
        begun = await begin(client)
        kept = json.loads(http.cookies.SimpleCookie(f"x={client.cookies['holdfast_flow']}")["x"].value)
        kept = {name: value for name, value in (kept | {"to": to}).items() if value is not None}
        client.cookies.clear()
        # As our own are written.
        client.cookies.set("holdfast_flow", http.cookies.SimpleCookie({"x": json.dumps(kept)})["x"].coded_value)
        assert (await client.get(provider.authorize(begun, "sub-ana"))).headers["location"] == where
        client.cookies.clear()


async def test_another_provider_cannot_answer(client: httpx.AsyncClient, provider: OwnProvider) -> None:
    provider.extra = {"iss": "https://evil.test"}
    assert await sign_in(client, provider) == REFUSED


async def test_a_key_that_is_withdrawn_signs_nothing_any_more(
    monkeypatch: pytest.MonkeyPatch, site: Holdfast, provider: OwnProvider
) -> None:
    monkeypatch.setattr("holdfast.http.oidc._FRESH_SECONDS", 0.0)
    monkeypatch.setattr("holdfast.http.oidc._KEYS_SECONDS", 0.0)
    monkeypatch.setattr("holdfast.http.bearers._TRUST_SECONDS", 0.0)
    async with browser(site) as client:
        stolen, old = provider.token("sub-ana"), provider.key
        assert await who(client, stolen) == (200, "ana")
        provider.rotate()
        # Nobody has come with the new one yet.
        assert await who(client, stolen) == (401, None)
        assert await who(client, provider.token("sub-ana")) == (200, "ana")
        assert await who(client, jwt.encode({"alg": "RS256", "kid": old.kid}, claims_of(provider), old)) == (401, None)


def claims_of(provider: OwnProvider) -> dict[str, Any]:
    now = int(time.time())
    told = {"iss": provider.issuer, "aud": CLIENT, "sub": "sub-ana", "iat": now, "exp": now + 60}
    return told | PEOPLE["sub-ana"]


async def test_keys_of_a_kind_that_is_not_known_are_passed_over(
    client: httpx.AsyncClient, provider: OwnProvider
) -> None:
    provider.published = [
        {"kty": "AKP", "alg": "ML-DSA-65", "pub": "AAAA", "kid": "post-quantum"},
        {"kty": "EC", "crv": "P-999", "x": "AAAA", "y": "AAAA", "kid": "a curve"},
        {"kty": "RSA", "n": "!", "e": "AQAB", "kid": "broken"},
        {"kty": "RSA", "use": "enc", "alg": "RSA-OAEP", "kid": provider.key.kid, "n": "AQAB", "e": "AQAB"},
        {},
    ]
    assert await sign_in(client, provider) == "/"
    assert await who(client, provider.token("sub-ben")) == (200, "ben")


async def test_a_provider_may_sign_with_elliptic_curves(site: Holdfast, provider: OwnProvider) -> None:
    provider.key = ECKey.generate_key("P-256", {"use": "sig"}, auto_kid=True)
    async with browser(site) as client:
        assert await sign_in(client, provider) == "/"


async def test_while_it_is_away_what_it_published_counts_and_nobody_waits(
    monkeypatch: pytest.MonkeyPatch, site: Holdfast, provider: OwnProvider
) -> None:
    monkeypatch.setattr("holdfast.http.oidc._FRESH_SECONDS", 0.0)
    async with browser(site) as client:
        provider.away = True
        answers = await asyncio.gather(*(who(client, provider.token("sub-ana")) for _ in range(20)))
        assert {status for status, _ in answers} == {503}
        assert len(provider.asked) == 1
    async with browser(site) as client:
        provider.away = False
        assert await who(client, provider.token("sub-ana")) == (200, "ana")
        provider.away = True
        assert await who(client, provider.token("sub-ben")) == (200, "ben")


def test_what_the_protocol_is_spoken_with_is_installed_with_us() -> None:
    """Where it is not, Authlib takes another one, and warns whoever imports anything of ours."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {re.split(r"[^\w-]", each)[0] for each in project["dependencies"]}
    assert {oidc._HTTP.partition(".")[0], "httpx"} <= named


HEADERS: list[Any] = [
    [],
    "x",
    None,
    {},
    {"alg": 1},
    {"alg": ["RS256"]},
    {"alg": "RS256", "kid": {}},
    {"alg": "RS256", "kid": []},
    {"alg": "RS256", "crit": ["exp"]},
    {"alg": "RS256", "crit": 1},
    {"alg": "RS256", "b64": False, "crit": ["b64"]},
    {"alg": "RS256", "zip": "DEF"},
    {"alg": "RS256", "x5c": "x", "jwk": 1},
]


async def test_no_token_is_answered_with_a_failure_of_ours(client: httpx.AsyncClient, provider: OwnProvider) -> None:
    good = provider.token("sub-ana").split(".")
    made = [".".join([encoded(header), *good[1:]]) for header in HEADERS]
    others: list[Any] = [[], "x", None, {"exp": "x"}]
    made += [f"{good[0]}.{encoded(claims)}.{good[2]}" for claims in others]
    made += ["eyJ", "eyJ.eyJ.eyJ", "e30.e30.", "..", "ey..", f"{good[0]}..{good[2]}", f"{good[0]}.{good[1]}.é"]
    for token in made:
        headers = {b"Authorization": f"Bearer {token}".encode()}
        answer = await client.get("/v1/me", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in"), token
    # Signed, and nonsense all the same.
    for lie in ({"exp": "soon"}, {"exp": None}, {"exp": -1}, {"aud": 7}, {"iss": ["x"]}, {"sub": 7}, {"nbf": "x"}):
        provider.lies = lie
        assert (await who(client, provider.token("sub-ana")))[0] == 401, lie


@pytest.mark.parametrize("how", ["deactivated", "role taken"])
async def test_a_stream_of_a_bearer_token_ends_with_its_person(
    app: Holdfast, holdfast_dsn: str, provider: OwnProvider, how: str
) -> None:
    """There is no token of ours that could end."""
    async with app.tenant("acme") as hold:
        await hold.users.create("ben", roles=["viewer"])
    settings = {"PUBLIC_URL": US, "OIDC_ISSUER": provider.issuer, "OIDC_CLIENT_ID": CLIENT, "OIDC_TENANT": "acme"}
    with serving(holdfast_dsn, {}, **{f"HOLDFAST_{name}": value for name, value in settings.items()}) as server:
        headers = {"Authorization": f"Bearer {provider.token('sub-ben')}"}
        where = f"http://127.0.0.1:{server.port}/v1/acme/data/watch?namespace=n"
        async with httpx.AsyncClient(timeout=20) as client, client.stream("GET", where, headers=headers) as stream:
            assert stream.status_code == 200
            async with app.tenant("acme") as hold:
                if how == "deactivated":
                    await hold.users.deactivate("ben")
                else:
                    await hold.users.revoke("ben", "viewer")
            with pytest.raises(httpx.RemoteProtocolError):
                async with asyncio.timeout(12):
                    async for _ in stream.aiter_raw():
                        pass
