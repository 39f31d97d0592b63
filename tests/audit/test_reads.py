"""Reads: a tenant that wants to know who reads its documents and secrets is told, and others are not."""

from __future__ import annotations

import pytest

from holdfast import Contract, Holdfast, InvalidInput

NOTE = Contract(entity_type="note", document={"type": "object", "properties": {"text": {"type": "string"}}})


async def read_events(app: Holdfast) -> list[tuple[str, str]]:
    async with app.tenant("acme") as hold:
        found = (await hold.audit.list(object_kind="read", limit=200)).items
    return [(event.event_type, event.actor) for event in reversed(found)]


async def test_reads_are_recorded_when_the_tenant_wants_it(app: Holdfast) -> None:
    app.contracts.add(NOTE)
    async with app.tenant("acme", actor="ana") as hold:
        note = await hold.documents.create("note", {"text": "x"})
    async with app.tenant("acme", actor="ana") as hold:
        await hold.documents.get(note.id)
    assert await read_events(app) == []
    async with app.tenant("acme") as hold:
        await hold.configure(settings={"audit_reads": True})
    async with app.tenant("acme", actor="ana") as hold:
        await hold.documents.get(note.id)
        await hold.documents.list("note")
        await hold.documents.version(note.id, 1)
        await hold.documents.versions(note.id)
        await hold.secrets.list()
    assert await read_events(app) == [
        ("document.read", "user:ana"),
        ("documents.listed", "user:ana"),
        ("document.read", "user:ana"),
        ("document.read", "user:ana"),
        ("secrets.listed", "user:ana"),
    ]
    async with app.tenant("acme") as hold:
        timeline = await hold.audit.list(object_id=note.id)
        assert "document.read" in {event.event_type for event in timeline.items}


async def test_it_is_on_or_off(app: Holdfast) -> None:
    with pytest.raises(InvalidInput, match="audit_reads"):
        async with app.tenant("acme") as hold:
            await hold.configure(settings={"audit_reads": "yes"})
