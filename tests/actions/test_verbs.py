"""The verbs of documents and effects: callable as actions, in the caller's transaction, once with a key."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from holdfast import Forbidden, Holdfast, InvalidInput
from holdfast.envelope import Contract
from holdfast.errors import NotFound, VersionConflict
from holdfast.testing import drain

TASK = Contract(
    entity_type="project_task",
    document={
        "type": "object",
        "required": ["title"],
        "properties": {"title": {"type": "string"}, "hours": {"type": "number"}},
    },
)


@pytest.fixture
async def tasks(app: Holdfast) -> Holdfast:
    app.contracts.add(TASK)
    return app


async def call(app: Holdfast, name: str, given: Any, *, actor: str = "ana", key: str | None = None) -> Any:
    async with app.tenant("acme", actor=actor) as hold:
        return await hold.actions.call(name, given, key=key)


async def test_documents_are_made_changed_and_moved(tasks: Holdfast) -> None:
    new = {"type": "project_task", "data": {"title": "paint", "hours": 1.5}}
    made = await call(tasks, "documents.create", new, key="once")
    assert await call(tasks, "documents.create", new, key="once") == made
    assert (made["doc_status"], made["entity_version"], made["data"]["hours"]) == ("draft", 1, Decimal("1.5"))
    changed = await call(tasks, "documents.update", {"id": made["id"], "changes": {"title": "sand"}})
    assert (changed["entity_version"], changed["data"]["title"]) == (2, "sand")
    with pytest.raises(VersionConflict):
        await call(tasks, "documents.update", {"id": made["id"], "changes": {"title": "x"}, "expected_version": 1})
    gone = await call(tasks, "documents.update", {"id": made["id"], "remove": ["hours"]})
    assert gone["data"] == {"title": "sand"}
    moved = await call(tasks, "documents.transition", {"id": made["id"], "transition": "submit"})
    assert moved["doc_status"] == "submitted"
    assert (await call(tasks, "documents.get", {"id": made["id"]}))["doc_status"] == "submitted"
    async with tasks.tenant("acme") as hold:
        assert len((await hold.documents.list("project_task")).items) == 1
        assert [one.value for one in await hold.actions.suggestions("documents.types")] == ["project_task"]
        await hold.users.create("vic", roles=["viewer"])
        await hold.roles.define("caller", ["actions:call", "documents:read"])
        await hold.users.create("cal", roles=["caller"])
    with pytest.raises(Forbidden, match="documents"):
        await call(tasks, "documents.update", {"id": made["id"], "changes": {"title": "x"}}, actor="cal")
    async with tasks.tenant("globex", actor="ana") as hold:
        with pytest.raises(NotFound):
            await hold.actions.call("documents.get", {"id": made["id"]})


async def test_message_is_sent_after_the_transaction_and_once(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("ben", roles=["approver"])
    given = {"users": ["ben"], "roles": ["admin"], "subject": "Painted", "body": "all of it"}
    first = await call(app, "notify", given, key="told")
    assert await call(app, "notify", given, key="told") == first
    async with app.tenant("acme", actor="ben") as hold:
        assert (await hold.notifications.list()).items == []
    await drain(app)
    for name in ("ben", "ana"):
        async with app.tenant("acme", actor=name) as hold:
            (seen,) = (await hold.notifications.list()).items
            assert (seen.subject, seen.body) == ("Painted", "all of it")
    async with app.tenant("acme") as hold:
        effect = await hold.effects.get(UUID(first["effect_id"]))
    assert (effect.status, effect.kind, effect.node_id) == ("completed", "in_app", "action:notify")


async def test_request_leaves_only_when_the_transaction_stands(app: Holdfast) -> None:
    sent: list[dict[str, Any]] = []

    @app.effect("webhook")
    async def send(effect: Any) -> dict[str, Any]:
        sent.append(dict(effect.payload))
        return {"status": 200}

    given = {"url": "https://erp.example/tasks", "body": {"hours": Decimal("0.1")}, "headers": {"x-a": "b"}}
    with pytest.raises(ZeroDivisionError):
        async with app.tenant("acme", actor="ana") as hold:
            await hold.actions.call("http.request", given)
            raise ZeroDivisionError
    await drain(app)
    assert sent == []
    # Twice the same request without a key is two requests.
    for _ in range(2):
        await call(app, "http.request", given)
    assert sent == []
    await drain(app)
    assert [(one["method"], one["url"], one["body"], one["headers"]) for one in sent] == [
        ("POST", "https://erp.example/tasks", {"hours": Decimal("0.1")}, {"x-a": "b"})
    ] * 2


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("http.request", {"url": "ftp://erp.example"}, "http:// or https://"),
        ("http.request", {"url": "https://ana:secret@erp.example"}, "user name"),
        ("http.request", {"url": "https://erp.example", "method": "BREW"}, "method"),
        ("http.request", {"url": "https://erp.example", "max_attempts": 0}, "max_attempts"),
        ("http.request", {"url": "https://erp.example", "body": "a\0b"}, "NUL"),
        ("http.request", {"url": "https://erp.example", "body": "x" * 1024 * 1024}, "the limit is"),
        ("notify", {"subject": "x"}, "to nobody"),
        ("notify", {"users": ["ana"], "subject": ""}, "subject"),
        ("documents.create", {"type": "project_task"}, "data is missing"),
        ("documents.update", {"id": "7"}, "id"),
        ("sessions.start", {"input": {}}, "workflow is missing"),
    ],
)
async def test_what_is_wrong_is_said(app: Holdfast, name: str, given: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        await call(app, name, given)
