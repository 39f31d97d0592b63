"""People sign in: with a real OpenID provider, with its bearer tokens, with a mailed link; and out again."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from harness.openid import CLIENT, OpenIdServer, openid_server
from harness.receivers import MailReceiver
from harness.waiting import until
from holdfast import Holdfast, Settings
from holdfast.http import build
from holdfast.http.failures import FailedSignIns
from holdfast.http.link_mail import LinkMail

ROOT = Path(__file__).parent.parent.parent
US = "http://hold.test"
PEOPLE: dict[str, dict[str, Any]] = {
    "sub-ana": {"preferred_username": "ana", "name": "Ana", "email": "ana@acme.test"},
    "sub-ben": {"preferred_username": "ben", "name": "Ben B.", "groups": ["money", "other"], "email": "ben@acme.test"},
    "sub-thief": {"preferred_username": "ana", "name": "not Ana"},
    "sub-globex": {"preferred_username": "ana", "org": "globex"},
    "sub-nobody": {"name": "No Name"},
}
OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenIdServer]:
    with openid_server(f"{US}/auth/oidc/callback", PEOPLE) as server:
        yield server


@pytest.fixture
async def site(app: Holdfast, holdfast_dsn: str, provider: OpenIdServer) -> AsyncIterator[Holdfast]:
    """The application, with the provider set up."""
    async with serving(holdfast_dsn, provider, oidc_tenant="acme") as other:
        yield other


def serving(dsn: str, provider: OpenIdServer, **given: Any) -> Holdfast:
    wanted: dict[str, Any] = {
        "oidc_create_users": True,
        "oidc_roles_claim": "groups",
        "oidc_roles": {"money": "approver"},
    }
    return Holdfast(
        Settings.load(
            dsn=dsn,
            public_url=US,
            oidc_issuer=provider.issuer,
            oidc_client_id=CLIENT,
            oidc_label="Acme Login",
            **wanted | given,
        )
    )


def browser(app: Holdfast) -> httpx.AsyncClient:
    server = build(app)
    server.state.failed_sign_ins = FailedSignIns(1000)
    return httpx.AsyncClient(transport=httpx.ASGITransport(server, raise_app_exceptions=False), base_url=US)


async def sign_in(client: httpx.AsyncClient, provider: OpenIdServer, login: str, to: str = "/") -> httpx.Response:
    begun = await client.get("/auth/oidc", params={"to": to})
    assert begun.status_code == 303, begun.text
    return await client.get(await provider.come_back(begun.headers["location"], login))


async def test_somebody_signs_in_with_a_provider_and_out_again(site: Holdfast, provider: OpenIdServer) -> None:
    async with browser(site) as client:
        assert (await client.get("/auth/methods")).json() == {"openid": "Acme Login", "mail": False, "signed_in": False}
        done = await sign_in(client, provider, "sub-ben", "/inbox?which=open")
        assert (done.status_code, done.headers["location"]) == (303, "/inbox?which=open")
        kept = next(each for each in done.headers.get_list("set-cookie") if "sign_in" in each)
        assert "HttpOnly" in kept
        assert "SameSite=strict" in kept
        me = (await client.get("/v1/me")).json()
        assert (me["tenant"], me["name"], me["roles"]) == ("acme", "ben", ["approver"])
        mine = (await client.get("/v1/acme/sign-ins")).json()
        assert [(each["user"], each["how"], each["in_force"]) for each in mine] == [("ben", "openid", True)]
        assert (await client.get("/auth/methods")).json()["signed_in"] is True
        assert (await client.post("/auth/sign-out", headers=OWN_PAGE)).status_code == 204
        assert (await client.get("/v1/me")).status_code == 401
    async with site.tenant("acme") as hold:
        assert [each.in_force for each in await hold.sign_ins.list(user="ben")] == [False]
        kinds = [event.event_type for event in (await hold.audit.list(object_kind="access")).items]
    assert {"sign_in.began", "sign_in.ended", "user.introduced"} <= set(kinds)


async def test_only_the_hash_of_a_secret_is_stored_and_it_is_no_api_token(
    site: Holdfast, provider: OpenIdServer, superuser: Any
) -> None:
    async with browser(site) as client:
        await sign_in(client, provider, "sub-ana")
        secret = client.cookies["holdfast_sign_in"]
        stored = superuser.execute("SELECT * FROM holdfast.api_tokens").fetchall()
        assert secret not in str(stored)
        client.cookies.clear()
        answer = await client.get("/v1/me", headers={"Authorization": f"Bearer {secret}"})
        assert answer.status_code == 401
        async with site.tenant("acme") as hold:
            token = (await hold.tokens.create("ana", "test")).secret
            assert [each.name for each in await hold.tokens.list()] == ["test"]
        client.cookies.set("holdfast_sign_in", token)
        assert (await client.get("/v1/me")).status_code == 401


async def test_a_page_from_elsewhere_changes_nothing(site: Holdfast, provider: OpenIdServer) -> None:
    async with browser(site) as client:
        await sign_in(client, provider, "sub-ana")
        strangers: list[dict[str, str]] = [
            {},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site", "Origin": US},
            {"Origin": "http://evil.test"},
            {"Origin": "null"},
        ]
        for headers in strangers:
            refused = await client.put("/v1/acme/data/entry?namespace=n&key=k", json={"value": 1}, headers=headers)
            assert (refused.status_code, refused.json()["code"]) == (403, "forbidden"), headers
        for headers in (OWN_PAGE, {"Origin": US}):
            done = await client.put("/v1/acme/data/entry?namespace=n&key=k", json={"value": 1}, headers=headers)
            assert done.status_code < 300, done.text


async def test_a_sign_in_ends_with_the_person_and_when_its_owner_says_so(
    site: Holdfast, provider: OpenIdServer
) -> None:
    async with browser(site) as one, browser(site) as other:
        await sign_in(one, provider, "sub-ben")
        await sign_in(other, provider, "sub-ben")
        first, second = [each["sign_in_id"] for each in (await one.get("/v1/acme/sign-ins")).json()]
        ended = await one.delete(f"/v1/acme/sign-ins/{first}", headers=OWN_PAGE)
        assert ended.json()["in_force"] is False
        assert [(await each.get("/v1/me")).status_code for each in (one, other)] == [200, 401]
        async with site.tenant("acme") as hold:
            await hold.users.deactivate("ben")
        assert (await one.get("/v1/me")).status_code == 401
        assert (await sign_in(one, provider, "sub-ben")).headers["location"] == "/#sign-in-failed"
        async with site.tenant("acme", actor="ana") as hold:
            assert {str(each.sign_in_id) for each in await hold.sign_ins.list(user="*")} == {first, second}


async def test_who_takes_over_a_name_does_not_take_over_the_person(site: Holdfast, provider: OpenIdServer) -> None:
    async with browser(site) as client:
        assert (await sign_in(client, provider, "sub-ana")).headers["location"] == "/"
        assert (await client.get("/v1/me")).json()["roles"] == ["admin"]
    async with browser(site) as client:
        for login in ("sub-thief", "sub-nobody"):
            assert (await sign_in(client, provider, login)).headers["location"] == "/#sign-in-failed"
            assert (await client.get("/v1/me")).status_code == 401


async def test_groups_give_and_take_roles_and_the_tenant_may_be_a_claim(
    app: Holdfast, holdfast_dsn: str, provider: OpenIdServer
) -> None:
    by_claim = serving(holdfast_dsn, provider, oidc_tenant_claim="org", oidc_create_users=False)
    async with by_claim as site, browser(site) as client:
        assert (await sign_in(client, provider, "sub-globex")).headers["location"] == "/"
        assert (await client.get("/v1/me")).json()["tenant"] == "globex"
        # Who has no such claim is nobody, and who is not known is not added.
        assert (await sign_in(client, provider, "sub-ben")).headers["location"] == "/#sign-in-failed"
    async with serving(holdfast_dsn, provider, oidc_tenant="acme") as site, browser(site) as client:
        await sign_in(client, provider, "sub-ben")
        assert (await client.get("/v1/me")).json()["roles"] == ["approver"]
    other = serving(holdfast_dsn, provider, oidc_tenant="acme", oidc_roles={"other": "viewer", "none": "approver"})
    async with other as site, browser(site) as client:
        await sign_in(client, provider, "sub-ben")
        assert (await client.get("/v1/me")).json()["roles"] == ["viewer"]


async def test_a_sign_in_that_this_browser_did_not_begin_is_none(site: Holdfast, provider: OpenIdServer) -> None:
    async with browser(site) as mine, browser(site) as theirs:
        begun = await mine.get("/auth/oidc")
        back = await provider.come_back(begun.headers["location"], "sub-ana")
        assert (await theirs.get(back)).headers["location"] == "/#sign-in-failed"
        other = await theirs.get("/auth/oidc")
        state = parse_qs(urlsplit(other.headers["location"]).query)["state"][0]
        code = parse_qs(urlsplit(back).query)["code"][0]
        # With its own state, but somebody else's code: the verifier does not fit.
        stolen = await theirs.get("/auth/oidc/callback", params={"code": code, "state": state})
        assert stolen.headers["location"] == "/#sign-in-failed"
        assert (await theirs.get("/v1/me")).status_code == 401


@pytest.mark.parametrize("to", ["//evil.test", "https://evil.test", "/\\evil.test", "javascript:alert(1)", "/a\nb"])
async def test_a_sign_in_leads_nowhere_else(site: Holdfast, provider: OpenIdServer, to: str) -> None:
    async with browser(site) as client:
        begun = await client.get("/auth/oidc", params={"to": to})
        back = await provider.come_back(begun.headers["location"], "sub-ana")
        assert (await client.get(back)).headers["location"] == "/"


async def bearer_of(site: Holdfast, provider: OpenIdServer, login: str) -> str:
    """An access token of the provider, got as any program gets it."""
    async with browser(site) as client:
        begun = await client.get("/auth/oidc")
        flow = client.cookies["holdfast_flow"]
        back = await provider.come_back(begun.headers["location"], login)
        verifier = re.search(r"verifier\W+([\w-]{40,})", flow)
        assert verifier is not None, flow
    async with httpx.AsyncClient() as program:
        given = {
            "grant_type": "authorization_code",
            "client_id": CLIENT,
            "redirect_uri": f"{US}/auth/oidc/callback",
            "code": parse_qs(urlsplit(back).query)["code"][0],
            "code_verifier": verifier[1],
        }
        answer = await program.post(f"{provider.issuer}/token", data=given)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["access_token"])


async def test_a_bearer_token_of_the_provider_is_the_person(site: Holdfast, provider: OpenIdServer) -> None:
    token = await bearer_of(site, provider, "sub-ben")
    async with browser(site) as client:
        client.headers["Authorization"] = f"Bearer {token}"
        me = await client.get("/v1/me")
        assert (me.status_code, me.json()["name"]) == (200, "ben")
        async with site.tenant("acme") as hold:
            await hold.users.deactivate("ben")
        assert (await client.get("/v1/me")).status_code == 401


async def test_a_token_that_somebody_made_up_is_refused(site: Holdfast, provider: OpenIdServer) -> None:
    token = await bearer_of(site, provider, "sub-ana")
    now = int(time.time())
    claims = {"iss": provider.issuer, "aud": CLIENT, "sub": "sub-ana", "exp": now + 60, "iat": now}
    claims |= {"preferred_username": "ana"}
    key = RSAKey.generate_key(2048)
    header, payload, signature = token.split(".")
    forged = [
        jwt.encode({"alg": "RS256", "kid": "other"}, claims, key),
        jwt.encode({"alg": "HS256"}, claims, OctKey.import_key("x" * 40)),
        f"{header}.{payload}.{'A' * len(signature)}",
        f"{header}.{payload[:-4]}AAAA.{signature}",
        "eyJhbGciOiJub25lIn0." + payload + ".",
        "ey.ey.ey",
        "ey" + "x" * 100_000 + "..",
    ]
    async with browser(site) as client:
        for each in forged:
            answer = await client.get("/v1/me", headers={"Authorization": f"Bearer {each}"})
            assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in"), each[:80]


async def test_new_keys_of_the_provider_are_found(
    app: Holdfast, holdfast_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.http.oidc._KEYS_SECONDS", 0.0)
    with openid_server(f"{US}/auth/oidc/callback", PEOPLE) as provider:
        async with serving(holdfast_dsn, provider, oidc_tenant="acme") as site, browser(site) as client:
            assert (await sign_in(client, provider, "sub-ana")).headers["location"] == "/"
            provider.rotate()
            assert (await sign_in(client, provider, "sub-ana")).headers["location"] == "/"


async def test_a_provider_that_does_not_answer_keeps_nobody_else_out(
    app: Holdfast, holdfast_dsn: str, provider: OpenIdServer
) -> None:
    gone = Settings.load(
        dsn=holdfast_dsn,
        public_url=US,
        oidc_issuer="http://127.0.0.1:9",
        oidc_client_id=CLIENT,
        oidc_tenant="acme",
    )
    async with Holdfast(gone) as site, browser(site) as client:
        assert (await client.get("/auth/oidc")).status_code == 503
        async with site.tenant("acme") as hold:
            token = (await hold.tokens.create("ana", "test")).secret
        assert (await client.get("/v1/me", headers={"Authorization": f"Bearer {token}"})).status_code == 200


async def test_a_mailed_link_signs_in_once_after_a_click(app: Holdfast, holdfast_dsn: str) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.update("ana", email="ana@acme.test")
    async with MailReceiver() as post:
        given: dict[str, Any] = {"smtp_url": post.url, "mail_from": "holdfast@acme.test", "public_url": US}
        async with Holdfast(Settings.load(dsn=holdfast_dsn, **given)) as site, browser(site) as client:
            assert (await client.get("/auth/methods")).json()["mail"] is True
            for email in ("nobody@acme.test", "ana@acme.test"):
                asked = await client.post("/auth/mail", json={"tenant": "acme", "email": email})
                assert (asked.status_code, asked.text) == (202, "null")
            await until(lambda: len(post.messages) == 1)
            text = post.messages[0][1].get_content()
            secret = re.search(rf"{US}/#sign-in=(holdfast_\w+)", text)
            assert secret is not None, text
            body = {"secret": secret[1]}
            elsewhere = await client.post("/auth/mail/confirm", json=body, headers={"Sec-Fetch-Site": "cross-site"})
            assert elsewhere.status_code == 403
            for kind in ("Bearer", "cookie"):
                headers = {"Authorization": f"Bearer {secret[1]}"} if kind == "Bearer" else {}
                assert (await client.get("/v1/me", headers=headers)).status_code == 401
            assert (await client.post("/auth/mail/confirm", json=body, headers=OWN_PAGE)).status_code == 204
            assert (await client.get("/v1/me")).json()["name"] == "ana"
            again = await client.post("/auth/mail/confirm", json=body, headers=OWN_PAGE)
            assert (again.status_code, again.json()["code"]) == (401, "not_signed_in")


def came(post: MailReceiver, count: int) -> bool:
    return len(post.messages) == count


async def test_a_link_is_mailed_in_the_language_of_the_browser(app: Holdfast, holdfast_dsn: str) -> None:
    """Those of the console, and English for any other."""
    locales = sorted(each.stem for each in (ROOT / "web" / "src" / "i18n" / "locales").iterdir())
    assert len(locales) >= 8
    async with MailReceiver() as post:
        given: dict[str, Any] = {"smtp_url": post.url, "mail_from": "holdfast@acme.test", "public_url": US}
        async with Holdfast(Settings.load(dsn=holdfast_dsn, **given)) as site, browser(site) as client:
            for number, locale in enumerate([*locales, "xx"], 1):
                async with app.tenant("acme") as hold:
                    await hold.users.create(f"p{number}", email=f"p{number}@acme.test")
                body = {"tenant": "acme", "email": f"p{number}@acme.test"}
                await client.post("/auth/mail", json=body, headers={"Accept-Language": f"{locale}-XX,en;q=0.5"})
                await until(partial(came, post, number))
            subjects = {str(message["Subject"]) for _, message in post.messages}
            texts = [message.get_content() for _, message in post.messages]
    assert len(subjects) == len(locales)
    assert f"sign in as p{len(texts)}." in texts[-1]
    assert all(re.search(rf"{US}/#sign-in=holdfast_\w+\s", text) for text in texts)


async def test_a_link_that_is_being_mailed_does_not_open_a_closed_application_again(
    app: Holdfast, holdfast_dsn: str
) -> None:
    given: dict[str, Any] = {"smtp_url": "smtp://127.0.0.1:9", "mail_from": "holdfast@acme.test", "public_url": US}
    async with Holdfast(Settings.load(dsn=holdfast_dsn, **given)) as site:
        mail = LinkMail.of(site)
        assert mail is not None
        before = asyncio.all_tasks()
        mail.send_later("acme", "ana@acme.test")
        [sending] = asyncio.all_tasks() - before
    assert sending.done()
    assert not [task for task in asyncio.all_tasks() - before if not task.done()]


async def test_strangers_try_a_few_times_a_minute(app: Holdfast, holdfast_dsn: str) -> None:
    given: dict[str, Any] = {"smtp_url": "smtp://127.0.0.1:9", "mail_from": "holdfast@acme.test", "public_url": US}
    async with Holdfast(Settings.load(dsn=holdfast_dsn, **given)) as site, browser(site) as client:
        client._transport.app.state.failed_sign_ins = FailedSignIns(3)  # type: ignore[attr-defined]
        body = {"tenant": "acme", "email": "ana@acme.test"}
        # What is forgotten meanwhile lets one or two more in.
        answers = [await client.post("/auth/mail", json=body) for _ in range(10)]
        assert [each.status_code for each in answers[:3]] == [202, 202, 202]
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["Retry-After"]) >= 1
        large = await client.post("/auth/mail", content=b"x" * 100_000)
        assert large.status_code in (422, 429)


async def test_what_is_not_set_up_is_not_there(ana: httpx.AsyncClient) -> None:
    assert (await ana.get("/auth/methods")).json() == {"openid": None, "mail": False, "signed_in": False}
    assert (await ana.get("/auth/oidc")).status_code == 404
    assert (await ana.post("/auth/mail", json={"tenant": "acme", "email": "a@b.c"})).status_code == 404
