"""Definitions: checked before they are stored, revised instead of changed, kept while they are needed."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest
from psycopg import errors as pg

from harness.waiting import kept_waiting
from holdfast import AlreadyExists, Conflict, Holdfast, NotFound
from holdfast.errors import DefinitionError, SessionInputError
from holdfast.sessions.definitions import check_spec
from holdfast.sessions.graphs import Graphs
from sessions.conftest import ended, working

Row = dict[str, Any]

GOOD: dict[str, Any] = {
    "name": "csv-forecast-analyzer",
    "displayName": "CSV Forecast Analyzer",
    "description": "Analyze CSV data",
    "containerImage": "quay.io/ambient_code/workflows/csv-forecast-analyzer:v1.0.0",
    "inputSchema": {"type": "object", "required": ["csv_url"], "properties": {"csv_url": {"type": "string"}}},
    "version": "v1.0.0",
    "tags": ["data-analysis", "forecasting"],
}
REGISTRIES = ("quay.io", "docker.io/ambient")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": "Upper"}, "name"),
        ({"name": "-a"}, "name"),
        ({"name": "a" * 64}, "name"),
        ({"name": None}, "name"),
        ({"displayName": "x" * 101}, "displayName"),
        ({"displayName": "nul\0"}, "displayName"),
        ({"description": "x" * 501}, "description"),
        ({"containerImage": "quay.io/acme/graph"}, "containerImage"),
        ({"containerImage": "evil.io/acme/graph:v1"}, "containerImage"),
        ({"containerImage": "docker.io/ambient-evil/graph:v1"}, "containerImage"),
        ({"containerImage": "quay.io.evil.com/graph:v1"}, "containerImage"),
        ({"containerImage": None}, "containerImage"),
        ({"inputSchema": None}, "inputSchema"),
        ({"inputSchema": []}, "inputSchema"),
        ({"inputSchema": {"type": "objekt"}}, "inputSchema"),
        ({"inputSchema": {"properties": 1}}, "inputSchema"),
        ({"version": "1.0.0"}, "version"),
        ({"version": "v1.0"}, "version"),
        ({"tags": "one"}, "tags"),
        ({"tags": [1]}, "tags"),
        ({"concurrentInput": "maybe"}, "concurrentInput"),
        ({"timeoutSeconds": 0}, "timeoutSeconds"),
        ({"displayname": "x"}, "displayname"),
    ],
)
def test_what_is_wrong_is_named(change: Row, field: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        check_spec(GOOD | change, REGISTRIES, image_needed=True)
    assert caught.value.status == 400
    assert caught.value.details["field"] == field


@pytest.fixture
async def registrar(holdfast_dsn: str) -> Any:
    async with Holdfast(dsn=holdfast_dsn, allowed_registries=REGISTRIES) as app:
        yield app


async def test_registering_revising_deprecating_deleting(registrar: Holdfast) -> None:
    definitions = registrar.session_definitions
    made = await definitions.register(GOOD)
    assert (made.revision, made.phase, made.active_sessions, made.source) == (1, "Active", 0, "registry")
    assert made.registered_at == made.last_updated
    assert (await definitions.register(GOOD)).revision == 1
    with pytest.raises(AlreadyExists) as caught:
        await definitions.register(GOOD | {"version": "v1.1.0"})
    assert caught.value.status == 409
    assert (await definitions.register(GOOD | {"version": "v1.1.0"}, replace=True)).revision == 2
    assert [one.spec["version"] for one in await definitions.versions(GOOD["name"])] == ["v1.0.0", "v1.1.0"]
    assert (await definitions.deprecate(GOOD["name"], "use another")).phase == "Deprecated"
    assert (await definitions.register(GOOD | {"version": "v1.2.0"}, replace=True)).phase == "Deprecated"
    assert (await definitions.activate(GOOD["name"])).phase == "Active"
    assert [one.name for one in await definitions.list(tag="forecasting")] == [GOOD["name"]]
    assert await definitions.list(tag="other") == []
    await definitions.delete(GOOD["name"])
    with pytest.raises(NotFound, match="workflow not found"):
        await definitions.get(GOOD["name"])
    assert (await definitions.register(GOOD)).revision == 4


async def test_a_definition_with_active_sessions_stays(live: Holdfast) -> None:
    async with live.tenant("globex") as hold:
        await hold.sessions.start("chain", {"n": 0}, name="s")
    assert (await live.session_definitions.get("chain")).active_sessions == 1
    async with live.tenant("acme") as hold:
        # A tenant is not told of the others' sessions.
        assert (await hold.sessions.definition("chain")).active_sessions == 0
    with pytest.raises(Conflict, match="Cannot delete workflow with active sessions") as caught:
        await live.session_definitions.delete("chain")
    assert caught.value.status == 409
    async with working(live):
        await ended(live, "s", tenant="globex")
    await live.session_definitions.delete("chain")
    async with live.tenant("globex") as hold:
        assert (await hold.sessions.get("s")).workflow_name == "chain"
        with pytest.raises(NotFound):
            await hold.sessions.start("chain", {"n": 0})


async def test_deleting_waits_for_a_session_that_is_being_started(
    live: Holdfast, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    async with live.tenant("acme") as hold:
        await hold.sessions.start("chain", {"n": 0}, name="s")
        deleting = asyncio.create_task(live.session_definitions.delete("chain"))
        await kept_waiting(superuser)
        assert not deleting.done()
    with pytest.raises(Conflict, match="active sessions"):
        await deleting


async def test_a_session_stays_with_its_revision(live: Holdfast) -> None:
    async with live.tenant("acme") as hold:
        before = await hold.sessions.start("asking", {"n": 0}, name="before")
    graph = live.graphs.find("asking")
    assert graph is not None
    changed = graph.spec | {"inputSchema": {"type": "object", "required": ["m"]}}
    await live.session_definitions.register(changed, source="code", replace=True)
    async with live.tenant("acme") as hold:
        after = await hold.sessions.start("asking", {"m": 0}, name="after")
        assert (before.definition_revision, after.definition_revision) == (1, 2)
        assert (await hold.sessions.get("before")).definition_revision == 1
    await live.session_definitions.register(changed | {"concurrentInput": "enqueue"}, source="code", replace=True)
    async with live.tenant("acme") as hold:
        # What becomes of further input is of the revision too.
        with pytest.raises(Conflict, match="takes no further input"):
            await hold.sessions.send("before", {"n": 1})
        await hold.sessions.start("asking", {"m": 0}, name="latest")
        await hold.sessions.send("latest", {"m": 1})
        with pytest.raises(SessionInputError):
            await hold.sessions.send("latest", {"n": 1})


async def test_a_broken_definition_starts_nothing(live: Holdfast) -> None:
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("chain", {"n": 0}, name="origin")
        await ended(live, "origin")
    await live.session_definitions.mark_broken("chain", "no image")
    async with live.tenant("acme") as hold:
        with pytest.raises(Conflict, match="phase Error"):
            await hold.sessions.start("chain", {"n": 0})
        with pytest.raises(Conflict, match="phase Error"):
            await hold.sessions.fork("origin")
    await live.session_definitions.deprecate("chain")
    async with live.tenant("acme") as hold:
        assert (await hold.sessions.start("chain", {"n": 0})).status == "pending"


def test_the_database_refuses_what_slips_through(holdfast_dsn: str, superuser: psycopg.Connection[Row]) -> None:
    insert = (
        "INSERT INTO holdfast.workflow_definition_registry (name, revision, display_name, container_image, "
        "input_schema, version, source) VALUES (%s, 1, %s, %s, '{}', %s, 'registry')"
    )
    good = ["a", "A", "quay.io/a:v1", "v1.0.0"]
    superuser.execute(insert, good)
    for place, bad in ((0, "A"), (0, "a" * 64), (1, ""), (1, "x" * 101), (2, "quay.io/a"), (2, None), (3, "1.0.0")):
        with pytest.raises(pg.CheckViolation):
            superuser.execute(insert, [*good[:place], bad, *good[place + 1 :]])


def test_a_target_that_is_no_graph_is_named() -> None:
    graphs = Graphs()
    with pytest.raises(DefinitionError, match="not module:name"):
        graphs.add("nowhere", "graphs")
    with pytest.raises(DefinitionError, match="is a float"):
        graphs.add("number", "math:pi").built()
    with pytest.raises(DefinitionError, match="is a str"):
        graphs.add("function", "os:getcwd").built()
