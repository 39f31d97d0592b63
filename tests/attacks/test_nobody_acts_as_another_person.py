"""Tokens: nobody acts as another person, and none is more than the one it was made with."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from harness.commands import Commands
from harness.served import Serve
from holdfast import Actor, FakeClock, Forbidden, Holdfast, HoldfastError, NotSignedIn
from holdfast.http import build


@pytest.fixture
async def client(app: Holdfast) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(build(app), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test/v1/acme") as client:
        yield client


async def secret_of(app: Holdfast, user: str, **arguments: Any) -> str:
    async with app.tenant("acme") as hold:
        return (await hold.tokens.create(user, f"of {user}", **arguments)).secret


async def signed_in(app: Holdfast, secret: str) -> Actor:
    return (await app.authenticate(secret))[1]


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


async def add(app: Holdfast, name: str, **arguments: Any) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create(name, **arguments)


async def test_an_administrator_cannot_mint_a_token_for_an_approver(app: Holdfast, client: httpx.AsyncClient) -> None:
    await add(app, "ben", roles=["approver"])
    ana = bearer(await secret_of(app, "ana"))
    refused = await client.post("/tokens", headers=ana, json={"name": "his", "user": "ben"})
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    async with app.tenant("acme") as hold:
        assert await hold.tokens.list(user="ben") == []


@pytest.mark.parametrize("who", ["ana", "mia"])
async def test_whoever_redirects_somebodys_mail_gets_no_link_to_be_them(app: Holdfast, who: str) -> None:
    """To say where an approver's mail goes, and then to ask for a link, was as good as a token of theirs."""
    async with app.tenant("acme") as hold:
        await hold.roles.define("people", ["users:read", "users:write"])
        await hold.users.create("mia", roles=["people"])
        await hold.users.create("ben", roles=["approver", "people"], email="ben@acme.test")
        await hold.users.create("cat", roles=["approver"])
    for name in ("ben", "cat"):
        async with app.tenant("acme", actor=who) as hold:
            await hold.users.update(name, email="mallory@evil.test")
        async with app.tenant("acme") as hold:
            assert await hold.sign_ins.make_link("mallory@evil.test") is None
            told = next(each for each in (await hold.audit.list()).items if each.event_type == "user.updated")
            assert (told.data["name"], told.data["links"]) == (name, False)
        # Nor by changing something else afterwards, or by writing it again.
        async with app.tenant("acme", actor=who) as hold:
            await hold.users.update(name, display_name="B")
            await hold.users.update(name, email="mallory@evil.test")
        async with app.tenant("acme") as hold:
            assert await hold.sign_ins.make_link("mallory@evil.test") is None
            # In the way of whose address it is, it is not either.
            await hold.users.update(who, email="mallory@evil.test")
            found = await hold.sign_ins.make_link("mallory@evil.test")
            assert found is not None
            assert found.user == who
            await hold.users.update(who, email=f"{who}@acme.test")
    # People say themselves where theirs goes, and so does the command line.
    async with app.tenant("acme", actor="ben") as hold:
        await hold.users.update("ben", email="ben@new.test")
    async with app.tenant("acme") as hold:
        await hold.users.update("cat", email="cat@new.test")
        for name in ("ben", "cat"):
            link = await hold.sign_ins.make_link(f"{name}@new.test")
            assert link is not None
            assert link.user == name


async def test_a_users_address_can_be_set_on_the_command_line(
    app: Holdfast, commands: Commands, holdfast_dsn: str
) -> None:
    await add(app, "ben", roles=["approver"])
    done = commands.run("users", "set-email", "-t", "acme", "ben", "ben@acme.test", HOLDFAST_DSN=holdfast_dsn)
    assert done.returncode == 0, done.stderr
    async with app.tenant("acme") as hold:
        assert await hold.sign_ins.make_link("ben@acme.test") is not None


async def test_not_even_sql_mints_it(app: Holdfast) -> None:
    await add(app, "ben", roles=["approver"])
    with pytest.raises(Forbidden, match="acts as ben"):
        async with app.tenant("acme", actor="ana") as hold:
            await hold.connection.execute(
                "INSERT INTO holdfast.api_tokens (tenant, token_id, user_id, name, hash, created_by) "
                "SELECT tenant, gen_random_uuid(), user_id, 'x', sha256('x'), 'user:ana' "
                "FROM holdfast.users WHERE name = 'ben'"
            )


async def test_a_service_account_is_a_kind_of_its_own_that_administrators_give_tokens(
    app: Holdfast, client: httpx.AsyncClient
) -> None:
    await add(app, "erp", kind="service", roles=["author"])
    ana = bearer(await secret_of(app, "ana"))
    made = await client.post("/tokens", headers=ana, json={"name": "nightly", "user": "erp"})
    assert made.status_code == 201
    erp = await signed_in(app, made.json()["secret"])
    assert (erp.kind, erp.name) == ("service", "erp")
    assert erp.token is not None
    assert erp.token.made_by == "user:ana"
    # Not the other way round: a program makes no person's token.
    refused = await client.post("/tokens", headers=bearer(made.json()["secret"]), json={"name": "x", "user": "ana"})
    assert refused.status_code == 403


async def test_the_trail_says_who_made_a_token_on_the_command_line(
    app: Holdfast, commands: Commands, holdfast_dsn: str
) -> None:
    await add(app, "ben", roles=["approver"])
    made = commands.run("tokens", "add", "-t", "acme", "ben", HOLDFAST_DSN=holdfast_dsn)
    ben = await signed_in(app, made.stdout.strip())
    assert ben.token is not None
    assert ben.token.made_by.startswith("system:")
    assert ben.token.made_by.endswith("@command-line")
    async with app.tenant("acme") as hold:
        (event,) = [each for each in (await hold.audit.list()).items if each.event_type == "token.created"]
    assert event.actor == ben.token.made_by


async def test_every_line_of_the_trail_names_the_token_and_who_made_it(
    app: Holdfast, client: httpx.AsyncClient
) -> None:
    secret = await secret_of(app, "ana", scopes=["users:read", "users:write", "documents:read"])
    ana = await signed_in(app, secret)
    assert ana.token is not None
    assert (await client.post("/users", headers=bearer(secret), json={"name": "ben"})).status_code == 201
    async with app.tenant("acme") as hold:
        (line,) = [each for each in (await hold.audit.list()).items if each.data.get("name") == "ben"]
        assert (await hold.audit.verify()).ok
    assert line.actor == "user:ana"
    assert line.data["party"]["token"] == {
        "id": str(ana.token.id),
        "made_by": "system:system",
        "scopes": ["documents:read", "users:read", "users:write"],
    }
    assert line.data["party"]["since"]


async def test_a_childs_scopes_are_within_its_parents(app: Holdfast, client: httpx.AsyncClient) -> None:
    narrow = bearer(await secret_of(app, "ana", scopes=["tokens:own", "data:read"]))
    wider = await client.post("/tokens", headers=narrow, json={"name": "x", "scopes": ["data:read", "users:write"]})
    assert wider.status_code == 403
    same = await client.post("/tokens", headers=narrow, json={"name": "x"})
    assert same.json()["token"]["scopes"] == ["data:read", "tokens:own"]


async def test_making_tokens_is_a_scope(app: Holdfast, client: httpx.AsyncClient) -> None:
    narrow = bearer(await secret_of(app, "ana", scopes=["data:read"]))
    assert (await client.post("/tokens", headers=narrow, json={"name": "x"})).status_code == 403
    assert (await client.get("/tokens", headers=narrow, params={"user": "ana"})).status_code == 403


async def test_a_child_does_not_outlive_its_parent(app: Holdfast, holdfast_clock: FakeClock) -> None:
    parent = await signed_in(app, await secret_of(app, "ana", lifetime=timedelta(hours=1)))
    async with app.tenant("acme", actor=parent) as hold:
        children = [await hold.tokens.create("ana", "x", lifetime=each) for each in (timedelta(days=9), None)]
    assert all(child.token.expires_at == holdfast_clock.now() + timedelta(hours=1) for child in children)
    holdfast_clock.advance(timedelta(minutes=61))
    for child in children:
        with pytest.raises(NotSignedIn):
            await app.authenticate(child.secret)


async def test_a_child_ends_with_its_parent_and_with_all_before(app: Holdfast) -> None:
    secrets = [await secret_of(app, "ana")]
    for number in range(3):
        async with app.tenant("acme", actor=await signed_in(app, secrets[-1])) as hold:
            secrets.append((await hold.tokens.create("ana", f"generation {number}")).secret)
    async with app.tenant("acme") as hold:
        (first,) = [token for token in await hold.tokens.list() if token.parent_id is None]
        await hold.tokens.revoke(first.token_id)
        assert not any(token.in_force for token in await hold.tokens.list())
    for secret in secrets:
        with pytest.raises(NotSignedIn):
            await app.authenticate(secret)


async def test_a_chain_of_tokens_is_bounded(app: Holdfast) -> None:
    secret = await secret_of(app, "ana")
    with pytest.raises(HoldfastError):
        for number in range(20):
            async with app.tenant("acme", actor=await signed_in(app, secret)) as hold:
                secret = (await hold.tokens.create("ana", f"generation {number}")).secret


@pytest.mark.parametrize(
    ("column", "value"), [("expires_at", "now() + interval '1 year'"), ("scopes", "ARRAY['users:write']")]
)
async def test_not_even_sql_makes_a_child_that_is_more(app: Holdfast, column: str, value: str) -> None:
    parent = await signed_in(app, await secret_of(app, "ana", scopes=["data:read"], lifetime=timedelta(hours=1)))
    assert parent.token is not None
    given = {"expires_at": "now() + interval '1 minute'", "scopes": "ARRAY['data:read']"} | {column: value}
    with pytest.raises(Forbidden, match=r"cannot (outlive|exceed)"):
        async with app.tenant("acme", actor=parent) as hold:
            await hold.connection.execute(
                "INSERT INTO holdfast.api_tokens (tenant, token_id, user_id, name, hash, created_by, parent_id, depth, "
                "expires_at, scopes) SELECT t.tenant, gen_random_uuid(), t.user_id, 'x', sha256('x'), 'user:ana', "
                f"t.token_id, 1, {given['expires_at']}, {given['scopes']} FROM holdfast.api_tokens t"
            )


async def test_programs_hold_no_seat(app: Holdfast) -> None:
    """Whom a step asks are people: a service account with the role is not among them."""
    await add(app, "robot", kind="service", roles=["approver"])
    await add(app, "ben", roles=["approver"])
    async with app.tenant("acme") as hold:
        cursor = await hold.connection.execute(
            "SELECT kind, name "
            "FROM holdfast.find_people(ARRAY['robot', 'ben'], '{}', ARRAY['approver'], '{}', '{}', '{}', now())"
        )
        assert set(await cursor.fetchall()) == {("user", "ben"), ("holder", "ben")}


@pytest.mark.parametrize("how", ["revoked", "parent revoked", "deactivated", "role taken"])
async def test_ending_a_token_or_a_person_ends_their_open_streams(app: Holdfast, serve: Serve, how: str) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("eve", roles=["viewer"])
        parent = await hold.tokens.create("eve", "parent")
    async with app.tenant("acme", actor=await signed_in(app, parent.secret)) as hold:
        child = await hold.tokens.create("eve", "child")
    served = serve()
    served.tokens["eve"] = child.secret
    with served.client("eve", timeout=20) as client, client.stream("GET", "/v1/acme/data/watch?namespace=n") as stream:
        assert stream.status_code == 200
        async with app.tenant("acme") as hold:
            if how == "deactivated":
                await hold.users.deactivate("eve")
            elif how == "role taken":
                await hold.users.revoke("eve", "viewer")
            else:
                await hold.tokens.revoke((child if how == "revoked" else parent).token.token_id)
        deadline = time.monotonic() + 12
        # One that goes on says so every few seconds; one that is ended ends without its last chunk.
        with pytest.raises(httpx.RemoteProtocolError):
            for _ in stream.iter_raw():
                assert time.monotonic() < deadline, "the stream goes on"
    with served.client("eve") as client:
        assert client.get("/v1/me").status_code == (200 if how == "role taken" else 401)
