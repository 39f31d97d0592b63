"""Users and roles: what each may do, and that nobody can hand out more than they have."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from holdfast import AlreadyExists, Conflict, Forbidden, Holdfast, HoldfastError, InvalidInput, NotFound
from holdfast.kernel.actor import BUILT_IN_ROLES, PERMISSIONS


async def test_a_user_has_the_permissions_of_all_its_roles(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.roles.define("auditor", ["audit:read"])
        await hold.users.create("ben", roles=["viewer", "auditor"])
    async with app.tenant("acme", actor="ben") as hold:
        assert hold.actor.permissions == BUILT_IN_ROLES["viewer"] | {"audit:read"}
        assert str(hold.actor) == "user:ben"


async def test_a_new_tenant_has_the_built_in_roles(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        roles = {role.name: set(role.permissions) for role in await hold.roles.list()}
    assert roles == {name: set(permissions) for name, permissions in BUILT_IN_ROLES.items()}
    assert roles["admin"] == set(PERMISSIONS)


async def test_deactivating_takes_access_at_once_and_reactivating_gives_it_back(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("ben", roles=["admin"])
        await hold.users.deactivate("ben")
    with pytest.raises(NotFound, match="deactivated"):
        async with app.tenant("acme", actor="ben"):
            pass
    async with app.tenant("acme") as hold:
        assert (await hold.users.reactivate("ben")).roles == ["admin"]
    async with app.tenant("acme", actor="ben") as hold:
        assert hold.actor.may("users:write")


async def test_the_last_administrator_stays(app: Holdfast) -> None:
    async with app.tenant("acme", actor="ana") as hold:
        with pytest.raises(Conflict, match="last administrator"):
            await hold.users.deactivate("ana")
        with pytest.raises(Conflict, match="last administrator"):
            await hold.users.revoke("ana", "admin")


async def test_two_administrators_cannot_remove_each_other_at_once(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("ben", roles=["admin"])

    async def remove(actor: str, victim: str) -> bool:
        try:
            async with app.tenant("acme", actor=actor) as hold:
                await hold.users.deactivate(victim)
        except HoldfastError:
            return False
        return True

    for _ in range(10):
        done = await asyncio.gather(remove("ana", "ben"), remove("ben", "ana"))
        assert sum(done) == 1
        async with app.tenant("acme") as hold:
            for name in ("ana", "ben"):
                await hold.users.reactivate(name)


async def test_nobody_hands_out_more_than_they_have(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.roles.define("people", ["users:read", "users:write"])
        await hold.users.create("mia", roles=["people"])
    for attempt in ("grant", "define", "create"):
        with pytest.raises(Forbidden):
            async with app.tenant("acme", actor="mia") as hold:
                if attempt == "grant":
                    await hold.users.grant("mia", "admin")
                elif attempt == "define":
                    await hold.roles.define("all", list(PERMISSIONS))
                else:
                    await hold.users.create("friend", roles=["operator"])
    async with app.tenant("acme") as hold:
        assert (await hold.users.get("mia")).roles == ["people"]
        with pytest.raises(NotFound):
            await hold.users.get("friend")


@pytest.mark.parametrize("role", sorted(BUILT_IN_ROLES))
async def test_what_a_role_lacks_is_refused_by_name(app: Holdfast, role: str) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("ben", roles=[role])
    for permission in PERMISSIONS:
        async with app.tenant("acme", actor="ben") as hold:
            if permission in BUILT_IN_ROLES[role]:
                hold.require(permission)
            else:
                with pytest.raises(Forbidden, match=permission):
                    hold.require(permission)


async def test_built_in_roles_cannot_be_changed(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        with pytest.raises(Conflict, match="built in"):
            await hold.roles.define("viewer", list(PERMISSIONS))
        with pytest.raises(Conflict, match="built in"):
            await hold.roles.delete("viewer")
    for statement in ("UPDATE holdfast.roles SET description = 'x'", "DELETE FROM holdfast.roles"):
        with pytest.raises(Conflict, match="built in"):
            async with app.tenant("acme") as hold:
                await hold.connection.execute(statement)


async def test_a_role_in_use_is_not_deleted(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.roles.define("auditor", ["audit:read"])
        await hold.users.create("ben", roles=["auditor"])
    with pytest.raises(Conflict, match="still granted to 1 user"):
        async with app.tenant("acme") as hold:
            await hold.roles.delete("auditor")
    async with app.tenant("acme") as hold:
        await hold.users.revoke("ben", "auditor")
        await hold.roles.delete("auditor")


async def test_a_changed_role_counts_at_once(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.roles.define("auditor", ["audit:read"])
        await hold.users.create("ben", roles=["auditor"])
        await hold.roles.define("auditor", ["data:read"])
    async with app.tenant("acme", actor="ben") as hold:
        assert hold.actor.permissions == {"data:read"}


async def test_users_are_listed_page_by_page(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        for number in range(7):
            await hold.users.create(f"user-{number}")
        names: list[str] = []
        cursor = None
        while True:
            page = await hold.users.list(limit=3, cursor=cursor)
            names += [user.name for user in page.items]
            cursor = page.next_cursor
            if cursor is None:
                break
    assert names == ["ana", *(f"user-{number}" for number in range(7))]


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "a b"}, "name"),
        ({"name": "x" * 256}, "name"),
        ({"name": "-x"}, "name"),
        ({"name": "nul\x00"}, "name"),
        ({"name": "ben", "display_name": ""}, "display_name"),
        ({"name": "ben", "display_name": "x\ny"}, "display_name"),
        ({"name": "ben", "display_name": "\ud800"}, "display_name"),
        ({"name": "ben", "display_name": "x" * 257}, "display_name"),
        ({"name": "ben", "email": "nobody"}, "email"),
        ({"name": "ben", "email": "a b@example.org"}, "email"),
        ({"name": "ben", "kind": "robot"}, "kind"),
        ({"name": "ben", "roles": "admin"}, "roles"),
    ],
)
async def test_bad_input_names_the_field(app: Holdfast, arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        async with app.tenant("acme") as hold:
            await hold.users.create(**arguments)
    assert caught.value.details["field"] == field
    assert caught.value.hint
    async with app.tenant("acme") as hold:
        assert len((await hold.users.list()).items) == 1


async def test_names_are_taken_once(app: Holdfast) -> None:
    with pytest.raises(AlreadyExists, match="'ana'"):
        async with app.tenant("acme") as hold:
            await hold.users.create("ana")
    with pytest.raises(AlreadyExists, match="'acme'"):
        await app.tenants.create("acme")


@pytest.mark.parametrize("slug", ["me", "permissions", "", "A", "a_b", "-a", "a-", "x" * 64, "a b", "ä"])
async def test_bad_slugs_are_refused(app: Holdfast, slug: str) -> None:
    with pytest.raises(InvalidInput, match="slug"):
        await app.tenants.create(slug)


async def test_misspelt_words_get_a_suggestion(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        with pytest.raises(NotFound, match="did you mean 'approver'"):
            await hold.users.grant("ana", "aprover")
        with pytest.raises(InvalidInput, match="did you mean 'data:read'"):
            await hold.roles.define("mine", ["data:raed"])
        with pytest.raises(InvalidInput, match="did you mean 'users:write'"):
            hold.require("user:write")


async def test_tenant_settings_are_kept_and_bounded(app: Holdfast) -> None:
    async with app.tenant("acme", actor="ana") as hold:
        await hold.configure(name="Acme Ltd", settings={"currency": "EUR"})
        info = await hold.info()
        assert (info.name, info.settings) == ("Acme Ltd", {"currency": "EUR"})
        with pytest.raises(InvalidInput, match="64 KiB"):
            await hold.configure(settings={"x": "y" * 70_000})
