"""So many requests a second of one token and of one tenant; who wants more is told when, and others notice nothing."""

from __future__ import annotations

import httpx

from holdfast import Holdfast, Settings
from holdfast.http import build


def client_of(app: Holdfast, secret: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(build(app), raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://test", headers={"Authorization": f"Bearer {secret}"})


async def test_a_token_that_asks_too_often_is_told_when_to_come_back(app: Holdfast, holdfast_dsn: str) -> None:
    async with app.tenant("acme") as hold:
        first = (await hold.tokens.create("ana", "first")).secret
        second = (await hold.tokens.create("ana", "second")).secret
    async with (
        Holdfast(Settings.load(dsn=holdfast_dsn, rate_token=0.001)) as site,
        client_of(site, first) as client,
    ):
        assert (await client.get("/v1/me")).status_code == 200
        refused = await client.get("/v1/me")
        assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
        assert 900 < int(refused.headers["Retry-After"]) <= 1000
        other = await client.get("/v1/me", headers={"Authorization": f"Bearer {second}"})
        assert other.status_code == 200
        told = (await site.metrics_text()).decode()
    assert 'holdfast_http_limited_total{limit="rate_limited"} 1.0' in told
    assert 'holdfast_http_requests_total{method="GET",status="2xx"} 2.0' in told


async def test_a_tenant_that_asks_too_often_keeps_nobody_else_out(app: Holdfast, holdfast_dsn: str) -> None:
    secrets = []
    for slug in ("acme", "acme", "globex"):
        async with app.tenant(slug) as hold:
            secrets.append((await hold.tokens.create("ana", "test")).secret)
    async with (
        Holdfast(Settings.load(dsn=holdfast_dsn, rate_token=0, rate_tenant=0.001)) as site,
        client_of(site, "") as client,
    ):
        answers = [await client.get("/v1/me", headers={"Authorization": f"Bearer {each}"}) for each in secrets]
    assert [each.status_code for each in answers] == [200, 429, 200]


async def test_what_comes_at_once_is_allowed_for_two_seconds_worth(app: Holdfast, holdfast_dsn: str) -> None:
    async with app.tenant("acme") as hold:
        secret = (await hold.tokens.create("ana", "test")).secret
    async with (
        Holdfast(Settings.load(dsn=holdfast_dsn, rate_token=5)) as site,
        client_of(site, secret) as client,
    ):
        answers = [(await client.get("/v1/permissions")).status_code for _ in range(60)]
    assert answers[:10] == [200] * 10
    assert 429 in answers
