"""Secrets: whoever reads the database, names hosts or writes workflows gets nothing signed that was not meant to be."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from psycopg import AsyncConnection

from effects.test_worker import effect, look, put, tenant, worker
from harness.receivers import HttpReceiver
from holdfast import FakeClock, Forbidden, Holdfast, InvalidInput, KeyMissing
from holdfast.effects import standard_senders
from holdfast.effects.guard import Allowed
from holdfast.effects.webhook import Webhooks
from holdfast.kernel.keyring import Keyring, new_key
from processes.shop import nodes, ways

Row = dict[str, Any]
SECRET = "whsec_c2l4dGVlbi1vci1tb3JlLXJhbmRvbS1ieXRlcyE="
OTHER = "whsec_YW5vdGhlci1zZWNyZXQtb2YtbW9yZS10aGFuLTI0LWJ5dGVz"


async def set_secret(app: Holdfast, name: str = "erp", secret: str = SECRET, *hosts: str, slug: str = "acme") -> None:
    async with app.tenant(slug) as hold:
        await hold.secrets.set(name, secret, hosts=hosts or ("127.0.0.1",))


async def send(app: Holdfast, *, keyring: Keyring | None = None) -> None:
    sender = standard_senders(app.database, app.clock, lambda: app.keyring if keyring is None else keyring)["webhook"]
    assert isinstance(sender, Webhooks)
    sender._allowed = Allowed.parse(["127.0.0.0/8", "localhost"])
    await worker(app, sender).drain()
    await sender.aclose()


async def test_the_database_holds_ciphertext_alone(app: Holdfast, superuser: psycopg.Connection[Row]) -> None:
    await set_secret(app)
    [row] = superuser.execute("SELECT t::text AS it FROM holdfast.workflow_secrets t").fetchall()
    for told in (SECRET, SECRET.removeprefix("whsec_"), SECRET.encode().hex(), b"sixteen-or-more".hex()):
        assert told not in row["it"]
    events = superuser.execute("SELECT data::text AS it FROM holdfast.workflow_event").fetchall()
    assert not any("c2l4dGVl" in event["it"] for event in events)


MOVED = {
    "other hosts": "hosts = '{127.0.0.1}'",
    "another row": "hosts = o.hosts, key_id = o.key_id, wrapped_key = o.wrapped_key, ciphertext = o.ciphertext",
    "another value": "ciphertext = o.ciphertext, hosts = '{127.0.0.1}'",
    "changed": "hosts = '{127.0.0.1}', ciphertext = s.ciphertext || 'x'",
}


@pytest.mark.parametrize("attack", MOVED.values(), ids=MOVED)
async def test_a_row_that_was_moved_or_changed_does_not_open(
    app: Holdfast, superuser: psycopg.Connection[Row], attack: str
) -> None:
    await set_secret(app)
    await set_secret(app, "bank", OTHER, "bank.example")
    superuser.execute(
        f"UPDATE holdfast.workflow_secrets s SET {attack} FROM holdfast.workflow_secrets o "
        "WHERE s.name = 'bank' AND o.name = 'erp'"
    )
    async with HttpReceiver() as receiver:
        await put(app, effect(1, url=receiver.url, secret="bank"))
        await send(app)
        assert not receiver.requests
    (info,) = await look(app)
    assert (info.status, info.attempts) == ("failed", 0)
    assert (info.error or "").startswith("key_missing: a value does not open")


async def test_a_secret_signs_for_its_hosts_only(app: Holdfast) -> None:
    await set_secret(app, "erp", SECRET, "erp.example")
    async with HttpReceiver() as receiver:
        await put(app, effect(1, url=receiver.url, secret="erp"))
        await send(app)
        assert not receiver.requests
        (info,) = await look(app)
        assert (info.status, info.error) == ("dead_letter", "secret_refused: the secret 'erp' is not for 127.0.0.1")
        await set_secret(app, "erp", SECRET, "erp.example", "127.0.0.1")
        async with app.tenant("acme") as hold:
            await hold.effects.replay(info.id)
        await send(app)
        assert "webhook-signature" in receiver.requests[0].headers
    async with app.tenant("acme") as hold:
        delivered = [event for event in (await hold.audit.list()).items if event.event_type == "effect.delivered"]
        assert delivered[0].data["secret"] == "erp"


async def test_every_use_of_a_secret_is_told_to_a_tenant_that_wants_to_know(app: Holdfast) -> None:
    await set_secret(app, "erp", SECRET, "erp.example")
    async with HttpReceiver() as receiver:
        await put(app, effect(1, url=receiver.url, secret="erp"))
        await send(app)
        async with app.tenant("acme") as hold:
            assert (await hold.audit.list(object_kind="read")).items == []
            await hold.configure(settings={"audit_reads": True})
        await put(app, effect(2, url=receiver.url, secret="erp"))
        await send(app)
    async with app.tenant("acme") as hold:
        (used,) = (await hold.audit.list(object_kind="read")).items
    assert (used.event_type, used.data["name"], used.actor) == ("secret.used", "erp", "system:effects")


async def test_an_author_who_designs_cannot_have_anything_signed_for_another_host(app: Holdfast) -> None:
    await set_secret(app, "erp", SECRET, "erp.example")
    async with app.tenant("acme") as hold:
        await hold.users.create("art", roles=["author", "designer"])
    for url in ("https://evil.example/x", "https://erp.example.evil.example", "https://evil.example/?erp.example"):
        with pytest.raises(InvalidInput, match="not for"):
            async with app.tenant("acme", actor="art") as hold:
                await hold.actions.call("http.request", {"url": url, "secret": "erp", "body": {"pay": 1}})
        hook = nodes(("tell", "webhook_out", {"url": url, "secret": "erp", "body": {}}))
        patch = {"nodes": hook, "edges": ways("in -> tell", "tell -> out")}
        async with app.tenant("acme", actor="art") as hold:
            draft = await hold.definitions.create_automation("tell", patch)
            with pytest.raises(InvalidInput, match="not for"):
                async with hold.connection.transaction():
                    await hold.definitions.publish(draft.id)
            await hold.definitions.delete_draft(draft.id)
    async with app.tenant("acme", actor="art") as hold:
        await hold.actions.call("http.request", {"url": "https://ERP.example./x", "secret": "erp"})


async def test_a_worker_reads_the_secret_of_the_effect_in_its_hands_and_no_other(
    app: Holdfast, holdfast_dsn: str, superuser: psycopg.Connection[Row]
) -> None:
    await set_secret(app)
    await set_secret(app, "bank", OTHER)
    await put(app, effect(1, secret="erp"))
    [row] = superuser.execute("SELECT * FROM holdfast.workflow_side_effects_outbox").fetchall()
    asked = "SELECT name FROM holdfast.read_secret(%s, %s, %s, %s)"
    values = [row["tenant"], row["created_at"], row["id"], row["lease_epoch"]]
    async with await AsyncConnection.connect(holdfast_dsn, autocommit=True) as connection:
        await connection.execute("SET SESSION AUTHORIZATION holdfast_worker")
        assert await (await connection.execute(asked, values)).fetchall() == []
        await connection.execute(
            "SELECT holdfast.claim_effects('w', '{webhook}', 1, 1, '{}', interval '1 hour', now() + interval '1 day')"
        )
        values[-1] += 1
        assert await (await connection.execute(asked, values)).fetchall() == [("erp",)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await connection.execute("SELECT ciphertext FROM holdfast.workflow_secrets")


async def test_names_are_not_for_viewers_and_values_for_nobody(app: Holdfast, intruder: AsyncConnection[Row]) -> None:
    await set_secret(app)
    async with app.tenant("acme") as hold:
        for role in ("viewer", "approver", "author", "operator"):
            await hold.users.create(role, roles=[role])
    for role in ("viewer", "approver"):
        with pytest.raises(Forbidden, match="secrets:read"):
            async with app.tenant("acme", actor=role) as hold:
                await hold.secrets.list()
    for role in ("author", "operator"):
        async with app.tenant("acme", actor=role) as hold:
            assert SECRET not in repr(await hold.secrets.list())
            with pytest.raises(Forbidden, match="secrets:write"):
                await hold.secrets.set("erp", SECRET, hosts=["evil.example"])
    async with tenant(app) as tx:
        own = tx.tenant.id
    await intruder.execute(f"SET holdfast.tenant = '{own}'")
    for column in ("ciphertext", "wrapped_key"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await intruder.execute(f"SELECT {column} FROM holdfast.workflow_secrets")


async def test_a_missing_key_is_named_and_loses_nothing(app: Holdfast, holdfast_clock: FakeClock) -> None:
    await set_secret(app)
    lost = app.keyring.current
    async with HttpReceiver() as receiver:
        await put(app, effect(1, url=receiver.url, secret="erp", max_attempts=1))
        for keyring in (Keyring(new_key()), Keyring()):
            await send(app, keyring=keyring)
            (info,) = await look(app)
            assert (info.status, info.attempts) == ("failed", 0)
            assert f"the key {lost!r} is needed" in (info.error or "")
            holdfast_clock.advance(120)
        assert not receiver.requests
        await send(app)
        assert len(receiver.requests) == 1
    with pytest.raises(KeyMissing, match="HOLDFAST_KEYS is not set"):
        Keyring().wrap(b"x", "c")


async def test_rotation_moves_every_secret_to_the_new_key(
    app: Holdfast, holdfast_dsn: str, superuser: psycopg.Connection[Row]
) -> None:
    await set_secret(app)
    await set_secret(app, "erp", OTHER, slug="globex")
    old = app.settings.keys
    assert old is not None
    new = new_key()
    before = superuser.execute("SELECT ciphertext FROM holdfast.workflow_secrets ORDER BY tenant").fetchall()
    with pytest.raises(KeyMissing, match=app.keyring.current):
        async with Holdfast(dsn=holdfast_dsn, keys=new) as forgetful:
            await forgetful.rotate_keys()
    async with Holdfast(dsn=holdfast_dsn, keys=f"{new},{old.get_secret_value()}") as rotating:
        assert await rotating.rotate_keys() == 2
        assert await rotating.rotate_keys() == 0
    assert superuser.execute("SELECT ciphertext FROM holdfast.workflow_secrets ORDER BY tenant").fetchall() == before
    async with Holdfast(dsn=holdfast_dsn, keys=new) as rotated, HttpReceiver() as receiver:
        await put(app, effect(1, url=receiver.url, secret="erp"))
        await send(app, keyring=rotated.keyring)
        assert "webhook-signature" in receiver.requests[0].headers
