"""The demo's switch between people: a mode of `holdfast up`, at its own machine, and nowhere else."""

from __future__ import annotations

from functools import partial
from typing import Any

import httpx
import pytest

from harness.served import Serve
from holdfast import Holdfast, NotSignedIn, demo
from holdfast.http import build
from holdfast.http.demonstration import Demonstration, DemoPerson

HERE = "http://127.0.0.1:8400"


@pytest.fixture
async def secret(holdfast_app: Holdfast) -> str:
    await demo.seed(holdfast_app)
    return await demo.sign_in(holdfast_app)


def client(app: Holdfast, secret: str, *, switch: bool = True, url: str = HERE, caller: str = "127.0.0.1") -> Any:
    people = [
        DemoPerson(user=each.name, display_name=each.display_name, title=each.title, roles=list(each.roles))
        for each in demo.PEOPLE
        if each.title
    ]
    server = build(app, demo=Demonstration(demo.TENANT, people, partial(demo.switch, app)) if switch else None)
    transport = httpx.ASGITransport(server, raise_app_exceptions=False, client=(caller, 4711))
    return httpx.AsyncClient(transport=transport, base_url=url, headers={"Authorization": f"Bearer {secret}"})


async def test_whoever_sits_there_switches_between_people(holdfast_app: Holdfast, secret: str) -> None:
    async with client(holdfast_app, secret) as http:
        people = (await http.get("/v1/demo/people")).json()
        assert {each["title"] for each in people} >= {"Requester", "Finance manager", "CFO", "Operator"}
        for person in people:
            switched = await http.post("/v1/demo/sign-in", json={"user": person["user"]})
            assert switched.status_code == 200
            http.headers["Authorization"] = f"Bearer {switched.json()['secret']}"
            assert (await http.get("/v1/me")).json()["name"] == person["user"]
        # Switching to and fro makes no chain, and the trail tells that nobody there made it themselves.
        _, actor = await holdfast_app.authenticate(switched.json()["secret"])
        assert actor.token is not None
        assert actor.token.made_by == "system:demo-switch"
        assert (await http.post("/v1/demo/sign-in", json={"user": "nobody"})).status_code == 404
        assert (await http.post("/v1/demo/sign-in", json={"user": "erp-sync"})).status_code == 404
    await demo.sign_in(holdfast_app)  # which ends the one that was printed before
    with pytest.raises(NotSignedIn):
        await holdfast_app.authenticate(switched.json()["secret"])


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "127.0.0.1"},
        {"X-Forwarded-Host": "127.0.0.1"},
        {"X-Real-IP": "127.0.0.1"},
        {"Forwarded": "for=127.0.0.1"},
        {"Via": "1.1 proxy"},
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ],
    ids=str,
)
async def test_nothing_that_came_through_others_is_answered(
    holdfast_app: Holdfast, secret: str, headers: dict[str, str]
) -> None:
    async with client(holdfast_app, secret) as http:
        for answer in (
            await http.get("/v1/demo/people", headers=headers),
            await http.post("/v1/demo/sign-in", headers=headers, json={"user": "ben"}),
        ):
            assert answer.status_code == 403


@pytest.mark.parametrize(
    "where", [{"caller": "192.0.2.7"}, {"url": "http://192.0.2.1:8400"}, {"url": "http://0.0.0.0:8400"}], ids=str
)
async def test_nobody_from_elsewhere_is_answered(holdfast_app: Holdfast, secret: str, where: dict[str, Any]) -> None:
    async with client(holdfast_app, secret, **where) as http:
        assert (await http.post("/v1/demo/sign-in", json={"user": "ben"})).status_code == 403


async def test_nobody_who_is_not_signed_in_is_answered(holdfast_app: Holdfast, secret: str) -> None:
    async with client(holdfast_app, "nonsense") as http:
        assert (await http.post("/v1/demo/sign-in", json={"user": "ben"})).status_code == 401


def test_a_server_is_not_put_into_that_mode_by_hand(serve: Serve, tokens: dict[str, str]) -> None:
    with serve().client("acme") as http:
        assert http.get("/v1/demo/people").status_code == 404
        assert http.post("/v1/demo/sign-in", json={"user": "ana"}).status_code in (404, 405)
