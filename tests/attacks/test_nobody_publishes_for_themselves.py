"""Publishing: who makes documents does not say how they are decided on, and where it takes two, one is not enough."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx
import pytest

from harness.commands import Commands
from holdfast import Conflict, Contract, Forbidden, Holdfast
from holdfast.http import build

INVOICE = Contract(entity_type="invoice", document={"type": "object", "properties": {"number": {"type": "string"}}})
NOBODY_ASKED: dict[str, Any] = {
    "slot:submitted_to_approved": {
        "nodes": [{"id": "yes", "type": "action", "config": {"action": "process.approve"}}],
        "edges": [{"source": "in", "target": "yes"}, {"source": "yes", "target": "out"}],
    }
}
STAGES = [{"name": "One", "approvers": [{"kind": "user", "user": "ana"}]}]


@pytest.fixture
async def acme(app: Holdfast) -> Holdfast:
    """cleo writes, dora and dan design, ana administers."""
    app.contracts.add(INVOICE)
    async with app.tenant("acme") as hold:
        await hold.definitions.register(INVOICE)
        await hold.users.create("cleo", roles=["author", "approver"])
        for name in ("dora", "dan"):
            await hold.users.create(name, roles=["designer"])
    return app


@pytest.fixture
async def two(acme: Holdfast) -> Holdfast:
    async with acme.tenant("acme", actor="ana") as hold:
        await hold.configure(settings={"four_eyes_on_publishing": True})
    return acme


async def draft(app: Holdfast, by: str) -> UUID:
    async with app.tenant("acme", actor=by) as hold:
        return (await hold.definitions.create_draft("invoice", NOBODY_ASKED)).id


async def propose(app: Holdfast, by: str, definition_id: UUID) -> None:
    async with app.tenant("acme", actor=by) as hold:
        assert (await hold.definitions.propose(definition_id)).proposed_by == f"user:{by}"


async def publish(app: Holdfast, by: str, definition_id: UUID) -> None:
    async with app.tenant("acme", actor=by) as hold:
        assert (await hold.definitions.publish(definition_id)).status == "published"


async def test_an_author_neither_drafts_nor_publishes_what_decides_about_their_documents(acme: Holdfast) -> None:
    with pytest.raises(Forbidden) as refused:
        await draft(acme, "cleo")
    assert refused.value.details["permission"] == "processes:design"
    drafted = await draft(acme, "dora")
    with pytest.raises(Forbidden) as refused:
        await publish(acme, "cleo", drafted)
    assert refused.value.details["permission"] == "processes:publish"
    await publish(acme, "dora", drafted)


@pytest.mark.parametrize("way", ["chain", "rule", "contract", "rollback", "archive", "trigger"])
async def test_no_other_way_leads_an_author_to_it(acme: Holdfast, way: str) -> None:
    with pytest.raises(Forbidden, match="may not publish"):
        async with acme.tenant("acme", actor="cleo") as hold:
            match way:
                case "chain":
                    await hold.chains.define("spending", STAGES)
                case "rule":
                    await hold.rules.put("free", "invoice", timing="before", effect="reject", config={"message": "no"})
                case "contract":
                    await hold.definitions.register(INVOICE)
                case "rollback":
                    await hold.definitions.roll_back("invoice", 1)
                case "archive":
                    await hold.definitions.archive("invoice")
                case _:
                    await hold.triggers.create("t", "flow", "manual")


async def test_a_designer_makes_no_documents_and_decides_on_none(acme: Holdfast) -> None:
    async with acme.tenant("acme", actor="dora") as hold:
        for permission in ("documents:write", "processes:approve", "processes:operate", "processes:run_as_system"):
            assert not hold.actor.may(permission)


async def test_who_wrote_it_does_not_publish_it(two: Holdfast) -> None:
    drafted = await draft(two, "dora")
    with pytest.raises(Conflict, match="nobody has proposed"):
        await publish(two, "dan", drafted)
    await propose(two, "dora", drafted)
    with pytest.raises(Forbidden, match="wrote or proposed"):
        await publish(two, "dora", drafted)
    await publish(two, "dan", drafted)


async def test_letting_another_propose_is_no_way_around(two: Holdfast) -> None:
    drafted = await draft(two, "dora")
    await propose(two, "dan", drafted)
    for name in ("dora", "dan"):
        with pytest.raises(Forbidden, match="wrote or proposed"):
            await publish(two, name, drafted)
    await publish(two, "ana", drafted)


async def test_who_changed_it_once_does_not_publish_it_and_a_change_takes_the_proposal_back(two: Holdfast) -> None:
    drafted = await draft(two, "dora")
    for name, revision in (("dan", 1), ("dora", 2)):
        async with two.tenant("acme", actor=name) as hold:
            await hold.definitions.update_draft(drafted, NOBODY_ASKED, revision=revision)
    await propose(two, "dora", drafted)
    with pytest.raises(Forbidden, match="wrote or proposed"):
        await publish(two, "dan", drafted)
    async with two.tenant("acme", actor="dora") as hold:
        changed = await hold.definitions.update_draft(drafted, NOBODY_ASKED, revision=3)
    assert changed.proposed_by is None
    assert changed.editors == ["user:dora", "user:dan"]
    with pytest.raises(Conflict, match="nobody has proposed"):
        await publish(two, "ana", drafted)


async def test_statements_are_no_way_around(two: Holdfast) -> None:
    drafted = await draft(two, "dora")
    await propose(two, "dora", drafted)
    for attack in (
        "editors = '{}'",
        "body_patches_json = '{}'",
        "revision = revision + 1",
        "(status, published_at, published_by) = ('published', now(), 'user:dora')",
    ):
        with pytest.raises((Conflict, Forbidden)):
            async with two.tenant("acme", actor="dora") as hold:
                await hold.connection.execute(
                    f"UPDATE holdfast.workflow_definitions SET {attack} WHERE id = %s", [drafted]
                )


@pytest.mark.parametrize("way", ["chain", "archived chain", "rule", "contract", "rollback", "archive"])
async def test_what_is_in_force_at_once_is_not_done_alone(two: Holdfast, way: str) -> None:
    with pytest.raises(Forbidden, match="second person"):
        async with two.tenant("acme", actor="ana") as hold:
            match way:
                case "chain":
                    await hold.chains.define("spending", STAGES)
                case "archived chain":
                    await hold.chains.archive("spending")
                case "rule":
                    await hold.rules.put("free", "invoice", timing="before", effect="reject", config={"message": "no"})
                case "contract":
                    await hold.definitions.register(INVOICE)
                case "rollback":
                    await hold.definitions.roll_back("invoice", 1)
                case _:
                    await hold.definitions.archive("invoice")
    async with two.tenant("acme") as hold:
        await hold.chains.define("spending", STAGES)


async def test_compiling_again_what_two_have_published_takes_one(two: Holdfast, superuser: Any) -> None:
    drafted = await draft(two, "dora")
    await propose(two, "dora", drafted)
    await publish(two, "dan", drafted)
    superuser.execute("ALTER TABLE holdfast.workflow_definitions DISABLE TRIGGER USER")
    superuser.execute(
        "UPDATE holdfast.workflow_definitions SET compiler_version = '0.9' WHERE definition_kind = 'effective'"
    )
    superuser.execute("ALTER TABLE holdfast.workflow_definitions ENABLE TRIGGER USER")
    async with two.tenant("acme", actor="ana") as hold:
        assert (await hold.definitions.recompile("invoice")).status == "published"


@pytest.fixture
async def client(two: Holdfast) -> AsyncIterator[dict[str, httpx.AsyncClient]]:
    transport = httpx.ASGITransport(build(two), raise_app_exceptions=False)
    found = {}
    async with two.tenant("acme") as hold:
        for name in ("ana", "dora", "dan"):
            found[name] = httpx.AsyncClient(transport=transport, base_url="http://test/v1/acme")
            found[name].headers["Authorization"] = f"Bearer {(await hold.tokens.create(name, 'test')).secret}"
            found[name].headers["If-Match"] = "*"
    yield found
    for each in found.values():
        await each.aclose()


async def test_it_is_the_same_over_http(two: Holdfast, client: dict[str, httpx.AsyncClient]) -> None:
    drafted = await draft(two, "dora")
    assert (await client["dan"].post(f"/definitions/{drafted}/publish")).status_code == 409
    proposed = await client["dora"].post(f"/definitions/{drafted}/propose")
    assert (proposed.status_code, proposed.json()["proposed_by"]) == (200, "user:dora")
    assert (await client["dora"].post(f"/definitions/{drafted}/publish")).status_code == 403
    for settings in ({}, {"four_eyes_on_publishing": False}):
        assert (await client["ana"].patch("http://test/v1/acme", json={"settings": settings})).status_code == 403
    assert (
        await client["ana"].patch("http://test/v1/acme", json={"settings": {"four_eyes_on_publishing": "no"}})
    ).status_code == 422
    assert (await client["dan"].post(f"/definitions/{drafted}/publish")).status_code == 201


async def test_it_is_the_same_on_the_command_line(two: Holdfast, commands: Commands, holdfast_dsn: str) -> None:
    drafted = str(await draft(two, "dora"))

    def done(verb: str, user: str) -> bool:
        asked = commands.run("definitions", verb, "-t", "acme", drafted, "-u", user, HOLDFAST_DSN=holdfast_dsn)
        return asked.returncode == 0

    assert not done("publish", "dan")
    assert done("propose", "dora")
    assert not done("publish", "dora")
    assert done("publish", "dan")
