"""Grants: no role for oneself, each role by those who may grant it, administrators protected, four eyes if wanted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from holdfast import Conflict, Forbidden, Holdfast, HoldfastError
from holdfast.http import build


async def add(app: Holdfast, name: str, *roles: str) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create(name, roles=roles)


async def roles_of(app: Holdfast, name: str) -> list[str]:
    async with app.tenant("acme") as hold:
        return (await hold.users.get(name)).roles


async def trail(app: Holdfast) -> list[tuple[str, str, Any]]:
    async with app.tenant("acme") as hold:
        lines = (await hold.audit.list()).items
    return [(each.event_type, each.actor, each.data | {"party": None}) for each in lines]


async def configure(client: httpx.AsyncClient, settings: Any) -> httpx.Response:
    return await client.patch("http://test/v1/acme", json={"settings": settings})


@pytest.fixture
async def mia(app: Holdfast) -> str:
    """Administers people, and has every permission that an approver has."""
    async with app.tenant("acme") as hold:
        await hold.roles.define("people", ["users:read", "users:write"])
        await hold.users.create("mia", roles=["people", "approver"])
    return "mia"


@pytest.fixture
async def client(app: Holdfast) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(build(app), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test/v1/acme") as client:
        async with app.tenant("acme") as hold:
            client.headers["Authorization"] = f"Bearer {(await hold.tokens.create('ana', 'test')).secret}"
        yield client


async def test_nobody_grants_themselves_a_role(app: Holdfast, mia: str, client: httpx.AsyncClient) -> None:
    async with app.tenant("acme") as hold:
        await hold.roles.define("signer", ["processes:approve"])
    for who in (mia, "ana"):
        with pytest.raises(Forbidden):
            async with app.tenant("acme", actor=who) as hold:
                await hold.users.grant(who, "signer")
    assert (await client.put("/users/ana/roles/signer")).status_code == 403
    with pytest.raises(Forbidden, match="cannot grant themselves"):
        async with app.tenant("acme", actor="ana") as hold:
            await hold.connection.execute(
                "INSERT INTO holdfast.user_roles (tenant, user_id, role, granted_by) "
                "SELECT tenant, user_id, 'signer', 'user:ana' FROM holdfast.users WHERE name = 'ana'"
            )
    assert "signer" not in await roles_of(app, "ana")


async def test_each_role_is_granted_by_those_it_names(app: Holdfast, mia: str) -> None:
    await add(app, "ben")
    for role in ("approver", "people"):
        with pytest.raises(Forbidden, match="may not grant"):
            async with app.tenant("acme", actor=mia) as hold:
                await hold.users.grant("ben", role)
    with pytest.raises(Forbidden):
        async with app.tenant("acme", actor=mia) as hold:
            await hold.roles.let_grant("approver", ["people"])
    async with app.tenant("acme", actor="ana") as hold:
        assert (await hold.roles.let_grant("approver", ["admin", "people"])).grantable_by == ["admin", "people"]
        with pytest.raises(Conflict, match="only administrators"):
            await hold.roles.let_grant("admin", ["people"])
    async with app.tenant("acme", actor=mia) as hold:
        assert (await hold.users.grant("ben", "approver")).roles == ["approver"]
    with pytest.raises(Forbidden):
        async with app.tenant("acme", actor=mia) as hold:
            await hold.users.revoke("ana", "admin")


async def test_a_role_one_has_is_not_a_way_to_more(app: Holdfast, mia: str) -> None:
    """Whoever may define roles does not change one that they, or their friends, have."""
    with pytest.raises(Forbidden, match="may not grant"):
        async with app.tenant("acme", actor=mia) as hold:
            await hold.roles.define("people", ["users:read", "users:write", "processes:approve"])


async def test_a_token_that_carries_less_is_no_way_to_hand_out_more(app: Holdfast) -> None:
    await add(app, "ben")
    async with app.tenant("acme") as hold:
        narrow = (await hold.tokens.create("ana", "narrow", scopes=["users:write", "users:read"])).secret
    with pytest.raises(Forbidden):
        async with app.tenant("acme", actor=(await app.authenticate(narrow))[1]) as hold:
            await hold.users.grant("ben", "admin")


@pytest.mark.parametrize("attack", ["deactivate", "e-mail", "role", "reactivate"])
async def test_an_administrator_is_changed_by_administrators_only(app: Holdfast, mia: str, attack: str) -> None:
    await add(app, "bob", "admin")
    await add(app, "old", "admin")
    async with app.tenant("acme") as hold:
        await hold.users.deactivate("old")
    with pytest.raises(Forbidden):
        async with app.tenant("acme", actor=mia) as hold:
            match attack:
                case "deactivate":
                    await hold.users.deactivate("bob")
                case "e-mail":
                    await hold.users.update("bob", email="mia@evil.example")
                case "role":
                    await hold.users.revoke("bob", "admin")
                case _:
                    await hold.users.reactivate("old")
    async with app.tenant("acme", actor="ana") as hold:
        assert (await hold.users.update("bob", email="bob@acme.example")).email == "bob@acme.example"


async def test_the_last_administrator_stays_whatever_statement_comes(app: Holdfast) -> None:
    for statement in (
        "UPDATE holdfast.users SET deactivated_at = now() WHERE name = 'ana'",
        "DELETE FROM holdfast.user_roles WHERE role = 'admin'",
    ):
        with pytest.raises(Conflict, match="last administrator"):
            async with app.tenant("acme") as hold:
                await hold.connection.execute(statement)


async def test_two_administrators_cannot_take_each_others_role_at_once(app: Holdfast) -> None:
    await add(app, "ben", "admin")

    async def demote(actor: str, victim: str) -> bool:
        try:
            async with app.tenant("acme", actor=actor) as hold:
                await hold.users.revoke(victim, "admin")
        except HoldfastError:
            return False
        return True

    for _ in range(10):
        assert sum(await asyncio.gather(demote("ana", "ben"), demote("ben", "ana"))) == 1
        async with app.tenant("acme") as hold:
            for name in ("ana", "ben"):
                await hold.users.grant(name, "admin")


async def test_the_trail_tells_where_somebodys_mail_went_before(app: Holdfast) -> None:
    await add(app, "ben")
    async with app.tenant("acme", actor="ana") as hold:
        await hold.users.update("ben", email="ben@acme.example")
        await hold.users.update("ben", email="ben@evil.example")
    event, actor, data = (await trail(app))[0]
    assert (event, actor) == ("user.updated", "user:ana")
    assert (data["email_before"], data["email"]) == ("ben@acme.example", "ben@evil.example")


async def test_with_four_eyes_one_asks_and_another_grants(app: Holdfast, client: httpx.AsyncClient) -> None:
    await add(app, "bob", "admin")
    await add(app, "ben")
    async with app.tenant("acme") as hold:
        await hold.configure(settings={"four_eyes_on_grants": True})
    for _ in range(2):
        asked = (await client.put("/users/ben/roles/approver")).json()
        assert (asked["roles"], asked["requested_roles"]) == ([], ["approver"])
    with pytest.raises(Conflict, match="nobody else has asked"):
        async with app.tenant("acme", actor="ana") as hold:
            await hold.connection.execute(
                "INSERT INTO holdfast.user_roles (tenant, user_id, role, granted_by) "
                "SELECT tenant, user_id, 'approver', 'user:ana' FROM holdfast.users WHERE name = 'ben'"
            )
    async with app.tenant("acme", actor="bob") as hold:
        ben = await hold.users.grant("ben", "approver")
    assert (ben.roles, ben.requested_roles) == (["approver"], [])
    told = [each for each in await trail(app) if each[0].startswith("user.role_")]
    grant = {"name": "ben", "role": "approver", "party": None}
    assert told[0] == ("user.role_granted", "user:bob", {**grant, "requested_by": "user:ana"})
    assert told[1] == ("user.role_requested", "user:ana", grant)


async def test_four_eyes_cannot_be_switched_off_by_one_of_them(app: Holdfast, client: httpx.AsyncClient) -> None:
    assert (await configure(client, {"four_eyes_on_grants": "yes"})).status_code == 422
    assert (await configure(client, {"four_eyes_on_grants": True})).status_code == 200
    for settings in ({}, {"four_eyes_on_grants": False}):
        assert (await configure(client, settings)).status_code == 403
    async with app.tenant("acme") as hold:
        assert (await hold.configure(settings={})).settings == {}


async def test_what_one_asked_for_can_be_turned_down(app: Holdfast, client: httpx.AsyncClient) -> None:
    await add(app, "ben")
    await configure(client, {"four_eyes_on_grants": True})
    await client.put("/users/ben/roles/approver")
    assert (await client.delete("/users/ben/roles/approver")).json()["requested_roles"] == []
    assert (await trail(app))[0][0] == "user.role_not_granted"
