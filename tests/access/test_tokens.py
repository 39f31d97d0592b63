"""API tokens: shown once, stored hashed, scoped, expiring, revocable, and never a way to more."""

from __future__ import annotations

import re
import zlib
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from holdfast import Actor, Conflict, FakeClock, Forbidden, Holdfast, InvalidInput, NotSignedIn
from holdfast.access.token_form import make_secret, tenant_in


async def token(app: Holdfast, user: str = "ana", **arguments: Any) -> str:
    async with app.tenant("acme") as hold:
        return (await hold.tokens.create(user, "test", **arguments)).secret


async def test_a_token_stands_for_its_user(app: Holdfast) -> None:
    tenant, actor = await app.authenticate(await token(app))
    assert (tenant, actor.name, actor.roles) == ("acme", "ana", frozenset({"admin"}))
    assert actor.may("users:write")


async def test_nobody_puts_into_a_token_what_they_may_not_do(app: Holdfast) -> None:
    """The scope would lie in wait for the day on which the user is given the permission."""
    async with app.tenant("acme") as hold:
        await hold.users.create("cleo", roles=["author"])
    async with app.tenant("acme", actor="cleo") as hold:
        with pytest.raises(Forbidden) as caught:
            await hold.tokens.create("cleo", "later", scopes=["documents:read", "users:write"])
        assert caught.value.details["permission"] == "users:write"
        assert not await hold.tokens.list(user="cleo")


async def test_scopes_only_take_away(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("vic", roles=["viewer"])
    _, actor = await app.authenticate(await token(app, "vic", scopes=["data:read", "data:write"]))
    assert actor.permissions == {"data:read"}


async def test_the_secret_is_nowhere_in_the_database(app: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    secret = await token(app)
    random_part = secret.rsplit("_", 1)[-1]
    for row in superuser.execute("SELECT to_jsonb(t)::text AS it FROM holdfast.api_tokens t").fetchall():
        assert random_part not in row["it"]
    for row in superuser.execute("SELECT to_jsonb(e)::text AS it FROM holdfast.workflow_event e").fetchall():
        assert random_part not in row["it"]
    async with app.tenant("acme") as hold:
        made = await hold.tokens.create("ana", "another")
        assert made.secret not in repr(made)


async def test_two_tokens_are_never_alike(app: Holdfast) -> None:
    assert len({await token(app) for _ in range(5)}) == 5


async def test_an_expired_token_is_refused(app: Holdfast, holdfast_clock: FakeClock) -> None:
    secret = await token(app, lifetime=timedelta(hours=1))
    holdfast_clock.advance(timedelta(minutes=59))
    await app.authenticate(secret)
    holdfast_clock.advance(timedelta(minutes=2))
    with pytest.raises(NotSignedIn):
        await app.authenticate(secret)


async def test_a_token_without_lifetime_never_expires(app: Holdfast, holdfast_clock: FakeClock) -> None:
    secret = await token(app, lifetime=None)
    holdfast_clock.advance(timedelta(days=10_000))
    await app.authenticate(secret)


async def test_a_revoked_token_is_refused_and_stays_so(app: Holdfast) -> None:
    secret = await token(app)
    async with app.tenant("acme", actor="ana") as hold:
        (mine,) = await hold.tokens.list(user="ana")
        assert (await hold.tokens.revoke(mine.token_id)).revoked_at is not None
        await hold.tokens.revoke(mine.token_id)
    with pytest.raises(NotSignedIn):
        await app.authenticate(secret)
    with pytest.raises(Conflict, match="stays revoked"):
        async with app.tenant("acme") as hold:
            await hold.connection.execute("UPDATE holdfast.api_tokens SET revoked_at = NULL")


async def test_the_token_of_a_deactivated_user_is_refused(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("ben", roles=["viewer"])
    secret = await token(app, "ben")
    async with app.tenant("acme") as hold:
        await hold.users.deactivate("ben")
    with pytest.raises(NotSignedIn):
        await app.authenticate(secret)


async def test_changed_or_transplanted_tokens_are_refused(app: Holdfast) -> None:
    secret = await token(app)
    async with app.tenant("globex") as hold:
        other = hold.tenant.id.hex
    _, tenant, random_part = secret.split("_", 2)
    flipped = ("A" if random_part[0] != "A" else "B") + random_part[1:]
    unknown = make_secret(UUID(hex=tenant))
    for wrong in (
        "",
        "x",
        "holdfast_",
        secret[:-1],
        secret + "x",
        secret.upper(),
        unknown,
        f"holdfast_{tenant}_{flipped}",
        f"holdfast_{other}_{random_part}",
        f"holdfast_{'0' * 32}_{random_part}",
        f"{secret}\x00",
    ):
        with pytest.raises(NotSignedIn):
            await app.authenticate(wrong)


async def test_a_mistyped_token_is_refused_without_asking_the_database(app: Holdfast) -> None:
    secret = await token(app)
    unreachable = Holdfast(dsn="postgresql://nobody@127.0.0.1:1/nothing")
    for at in (9, 20, 45, 60, len(secret) - 1):
        wrong = secret[:at] + ("1" if secret[at] != "1" else "2") + secret[at + 1 :]
        with pytest.raises(NotSignedIn):
            await unreachable.authenticate(wrong)


def test_a_token_says_what_it_is() -> None:
    tenant = uuid4()
    secret = make_secret(tenant)
    assert (len(secret), tenant_in(secret)) == (91, tenant)
    # As `docs/access.md` tells those who write scanners.
    assert re.fullmatch(r"holdfast_[0-9a-f]{32}_[0-9A-Za-z]{49}", secret)
    alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    number = 0
    for digit in secret[-6:]:
        number = number * 62 + alphabet.index(digit)
    assert number == zlib.crc32(secret[:-6].encode())


async def test_using_a_token_is_noted_at_most_once_a_minute(app: Holdfast, holdfast_clock: FakeClock) -> None:
    secret = await token(app)

    async def used() -> Any:
        await app.authenticate(secret)
        async with app.tenant("acme") as hold:
            return (await hold.tokens.list())[0].last_used_at

    first = await used()
    holdfast_clock.advance(30)
    assert await used() == first
    holdfast_clock.advance(31)
    assert await used() > first


async def test_people_make_tokens_for_themselves_but_not_for_others(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("vic", roles=["viewer"])
    async with app.tenant("acme", actor="vic") as hold:
        mine = await hold.tokens.create("vic", "mine")
        assert [known.name for known in await hold.tokens.list(user="vic")] == ["mine"]
        await hold.tokens.revoke(mine.token.token_id)
    for attempt in ("create", "list", "list all"):
        with pytest.raises(Forbidden):
            async with app.tenant("acme", actor="vic") as hold:
                if attempt == "create":
                    await hold.tokens.create("ana", "theirs")
                else:
                    await hold.tokens.list(user="ana" if attempt == "list" else None)


async def test_a_token_is_no_way_to_more_than_its_maker_has(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.roles.define("tokens-only", ["tokens:read", "tokens:write"])
        await hold.users.create("tom", roles=["tokens-only"])
    with pytest.raises(Forbidden):
        async with app.tenant("acme", actor="tom") as hold:
            await hold.tokens.create("ana", "back door")
    narrow = await app.authenticate(await token(app, scopes=["tokens:write", "users:read"]))
    with pytest.raises(Forbidden):
        async with app.tenant("acme", actor=narrow[1]) as hold:
            await hold.tokens.create("ana", "wider than mine")


async def test_code_that_calls_itself_like_a_user_is_not_that_user(app: Holdfast) -> None:
    impostor = Actor("system", "ana", frozenset(), frozenset())
    with pytest.raises(Forbidden):
        async with app.tenant("acme", actor=impostor) as hold:
            await hold.tokens.create("ana", "mine?")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x", "scopes": ["nonsense"]}, "scopes"),
        ({"name": "x", "scopes": "data:read"}, "scopes"),
        ({"name": "x", "lifetime": timedelta(0)}, "lifetime"),
        ({"name": "x", "lifetime": timedelta(days=-1)}, "lifetime"),
        ({"name": "x", "lifetime": timedelta(days=36500)}, "lifetime"),
    ],
)
async def test_bad_input_names_the_field(app: Holdfast, arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        async with app.tenant("acme") as hold:
            await hold.tokens.create("ana", **arguments)
    assert caught.value.details["field"] == field
