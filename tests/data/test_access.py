"""Who may do what with keys and links, and what the audit trail tells of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
import pytest
from psycopg import errors as pg

from holdfast import FakeClock, Forbidden, Hold, Holdfast
from holdfast.errors import RevisionMismatch

A, B = ("t", "a"), ("t", "b")

READS: dict[str, Callable[[Hold], Awaitable[Any]]] = {
    "get": lambda hold: hold.data.get("n", "k"),
    "get_many": lambda hold: hold.data.get_many("n", ["k"]),
    "list": lambda hold: hold.data.list("n"),
    "list_namespaces": lambda hold: hold.data.list_namespaces(),
    "namespace_names": lambda hold: hold.data.namespace_names(),
    "changes": lambda hold: hold.data.changes("n"),
    "rules": lambda hold: hold.data.rules("n"),
    "links.lookup": lambda hold: hold.links.lookup("n", A),
    "links.list": lambda hold: hold.links.list("n"),
    "links.list_namespaces": lambda hold: hold.links.list_namespaces(),
    "links.types_in_use": lambda hold: hold.links.types_in_use("n"),
    "links.relations_in_use": lambda hold: hold.links.relations_in_use("n"),
}
WRITES: dict[str, Callable[[Hold], Awaitable[Any]]] = {
    "set": lambda hold: hold.data.set("n", "k", 1),
    "set_many": lambda hold: hold.data.set_many("n", {"k": 1}),
    "increment": lambda hold: hold.data.increment("n", "k"),
    "delete": lambda hold: hold.data.delete("n", "k"),
    "delete_many": lambda hold: hold.data.delete_many("n", ["k"]),
    "delete_expired": lambda hold: hold.data.delete_expired(),
    "links.upsert": lambda hold: hold.links.upsert("n", A, B),
    "links.delete": lambda hold: hold.links.delete("n", A),
}
OPERATES: dict[str, Callable[[Hold], Awaitable[Any]]] = {
    "configure": lambda hold: hold.data.configure("n", max_keys=5),
    "import": lambda hold: hold.import_data([]),
}


async def test_each_method_asks_for_its_permission(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("nobody")
        await hold.users.create("vic", roles=["viewer"])
        await hold.users.create("aut", roles=["author"])
    allowed = {"nobody": [], "vic": [READS], "aut": [READS, WRITES], "ana": [READS, WRITES, OPERATES]}
    for user, methods in allowed.items():
        async with app.tenant("acme", actor=user) as hold:
            for group in (READS, WRITES, OPERATES):
                for name, call in group.items():
                    if group in methods:
                        await call(hold)
                        continue
                    with pytest.raises(Forbidden):
                        await call(hold)
                        pytest.fail(f"{user} may {name}")


async def test_every_write_leaves_an_event(app: Holdfast, holdfast_clock: FakeClock) -> None:
    async with app.tenant("acme", actor="ana") as hold:
        made = await hold.data.set("n", "k", "secret value", ttl=60)
        await hold.data.increment("n", "c")
        await hold.data.delete("n", "c")
        with pytest.raises(RevisionMismatch):
            await hold.data.set("n", "k", 1, if_revision=0)
        await hold.links.upsert("n", A, B, relation="mirrors")
        await hold.links.upsert("n", A, B, relation="mirrors", attributes={"x": 1})
        await hold.links.delete("n", A)
        holdfast_clock.advance(60)
        await hold.data.delete_expired()
        events = (await hold.audit.list(object_kind="data")).items[::-1]
    assert [event.event_type for event in events] == [
        "data.set",
        "data.set",
        "data.deleted",
        "link.created",
        "link.updated",
        "link.deleted",
        "data.expired",
    ]
    assert {event.actor for event in events} == {"user:ana"}
    assert events[0].data == {"namespace": "n", "key": "k", "revision": made.revision, "created": True}
    assert events[0].object_id == events[-1].object_id, "one object, one timeline"
    assert events[3].data == {"namespace": "n", "from": ["t", "a"], "to": ["t", "b"], "relation": "mirrors"}
    assert "secret value" not in str(events)


async def test_a_filling_namespace_is_told_once(app: Holdfast) -> None:
    keys = app.data("acme")
    await keys.configure("n", max_keys=5)
    warnings = [(await keys.set("n", f"k{number}", 1)).warning for number in range(5)]
    assert [warning is not None for warning in warnings] == [False, False, False, True, True]
    await keys.delete_many("n", ["k0", "k1", "k2"])
    await keys.set_many("n", {"k0": 1, "k1": 1})
    async with app.tenant("acme") as hold:
        told = [event for event in (await hold.audit.list()).items if event.event_type == "data.quota_warning"]
    assert [event.data["keys"] for event in told] == [4, 4], "once each time it fills up"


async def test_the_database_keeps_its_own_limits(app: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    await app.data("acme").set("n", "k", 1)
    for change in ("key = ''", "namespace = repeat('n', 257)", "value_type = 'blob'", "revision = 0", "size = -1"):
        with pytest.raises(pg.CheckViolation):
            superuser.execute(f"UPDATE holdfast.workflow_data_store SET {change}")
    await app.links("acme").upsert("n", A, B)
    for change in ("relation = ''", "left_type = repeat('t', 257)", "attributes = '[]'"):
        with pytest.raises(pg.CheckViolation):
            superuser.execute(f"UPDATE holdfast.workflow_entity_links SET {change}")
