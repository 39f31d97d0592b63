"""A matrix of identities and roads: whoever may not read a document finds its content on none of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from harness.commands import Commands
from holdfast import Holdfast
from holdfast.envelope import Contract
from holdfast.http import build

OLD, NEW = "secret-of-the-first-version", "secret-of-the-second-version"
PAYSLIP = Contract(
    entity_type="payslip",
    document={
        "type": "object",
        "properties": {
            "person": {"type": "string"},
            "region": {"type": "string"},
            "secret": {"type": "string"},
        },
    },
)
APPROVERS = [{"kind": "role", "role": "finance"}, {"kind": "user", "user": "hal"}]
PATCH = {
    "slot:submitted_to_approved": {
        "nodes": [
            {"id": "copy", "type": "script", "config": {"assign": {"copied": "entity.secret"}}},
            {
                "id": "hook",
                "type": "webhook_out",
                "config": {"url": "https://example.org", "body": {"s": {"$expr": "entity.secret"}}, "wait": False},
            },
            {
                "id": "ask",
                "type": "approval",
                "config": {"approvers": APPROVERS, "title": "A payslip", "instructions": "See {entity.secret}"},
            },
        ],
        "edges": [
            {"source": "in", "target": "copy"},
            {"source": "copy", "target": "hook", "condition": "entity.secret != 'none'"},
            {"source": "copy", "target": "out"},
            {"source": "hook", "target": "ask"},
            {"source": "ask", "target": "out", "outcome": "approved"},
            {"source": "ask", "target": "out", "outcome": "rejected"},
        ],
        "exit_edge_mode": "join",
    }
}


@dataclass(frozen=True)
class Case:
    """A payslip of two versions, submitted; hal was asked about it, and handed that on to ida."""

    app: Holdfast
    document: UUID
    instance: UUID
    request: UUID
    clients: dict[str, httpx.AsyncClient]


Road = Callable[[Case], tuple[str, str, Any]]
ROADS: dict[str, Road] = {
    "list": lambda _: ("GET", "/documents?entity_type=payslip", None),
    "get": lambda case: ("GET", f"/documents/{case.document}", None),
    "versions": lambda case: ("GET", f"/documents/{case.document}/versions", None),
    "version 1": lambda case: ("GET", f"/documents/{case.document}/versions/1", None),
    "version 2": lambda case: ("GET", f"/documents/{case.document}/versions/2", None),
    "compare": lambda case: ("GET", f"/documents/{case.document}/compare?before=1&after=2", None),
    "rules": lambda case: ("GET", f"/documents/{case.document}/rules", None),
    "edit": lambda case: ("PATCH", f"/documents/{case.document}", {"changes": {}}),
    "action": lambda case: ("POST", "/actions/documents.get", {"id": str(case.document)}),
    "action edits": lambda case: ("POST", "/actions/documents.update", {"id": str(case.document), "changes": {}}),
    "instances": lambda case: ("GET", f"/processes?document_id={case.document}", None),
    "active": lambda _: ("GET", "/processes?active=true", None),
    "instance": lambda case: ("GET", f"/processes/{case.instance}", None),
    "steps": lambda case: ("GET", f"/processes/{case.instance}/steps", None),
    "waits": lambda case: ("GET", f"/processes/{case.instance}/waits", None),
    "reasons": lambda case: ("GET", f"/processes/{case.instance}/reasons", None),
    "stuck": lambda _: ("GET", "/processes/stuck", None),
    "possibilities": lambda case: ("GET", f"/processes/{case.instance}/possibilities", None),
    "dead letters": lambda _: ("GET", "/process-events/dead", None),
    "buffered": lambda _: ("GET", "/process-events/buffered", None),
    "counts": lambda _: ("GET", "/inbox/counts", None),
    "start": lambda case: ("POST", "/processes", {"workflow_id": "payslip", "document_id": str(case.document)}),
    "requests": lambda case: ("GET", f"/approvals?document_id={case.document}", None),
    "request": lambda case: ("GET", f"/approvals/{case.request}", None),
    "pinned": lambda case: ("GET", f"/approvals/{case.request}/document", None),
    "inbox": lambda _: ("GET", "/inbox", None),
    "effects": lambda case: ("GET", f"/effects?instance_id={case.instance}", None),
    "trail": lambda case: ("GET", "/events?limit=200", None),
    "trail of it": lambda case: ("GET", f"/events?object_id={case.document}", None),
    "runs": lambda _: ("GET", "/runs", None),
    "outbox": lambda _: ("GET", "/outbox", None),
    "export": lambda _: ("GET", "/export", None),
}
READING = {"list", "get", "versions", "version 2", "compare", "rules"}
MADE_FROM_IT = {"instances", "active", "instance", "steps", "reasons"}
ASKED = {"requests", "request", "pinned"}
READER = READING | MADE_FROM_IT | ASKED | {"effects"}
APPROVER = (READING - {"compare"}) | MADE_FROM_IT | ASKED | {"edit", "inbox"}
"""An approver reads the version that was asked about, and no other: there is nothing to compare it with."""

SHOWN: dict[str, set[str]] = {
    "mia, who made it": READER | {"edit", "action", "action edits"},
    "ben, who is asked in his role": APPROVER,
    "ida, to whom hal handed it on": APPROVER,
    "dora, who stands in for ben": APPROVER,
    "hal, who handed it on": set(),
    "eve, another approver": set(),
    "pia, who sees processes, effects and the trail": set(),
    "vic, a viewer": READER,
    "opa, an operator": READER | {"action", "trail", "trail of it"},
    "mia with a token for data": set(),
    "nobody of this tenant": set(),
}
OLDER = {"versions", "version 1", "compare"}
SEES_OLDER = {"mia, who made it", "vic, a viewer", "opa, an operator"}


@pytest.fixture
async def case(app: Holdfast) -> AsyncIterator[Case]:
    app.contracts.add(PAYSLIP)
    async with app.tenant("acme", actor="ana") as hold:
        await hold.definitions.register(PAYSLIP)
        await hold.rules.put("watch", "payslip", timing="before", effect="note", condition="entity.secret != 'none'")
        await hold.roles.define("finance", [])
        await hold.roles.define("north", [])
        await hold.roles.define("hr", [])
        await hold.roles.define("watcher", ["processes:read", "effects:read", "audit:read"])
        for name, roles in {
            "mia": ["author"],
            "ben": ["approver", "finance"],
            "hal": ["approver"],
            "ida": ["approver"],
            "dora": ["approver"],
            "eve": ["approver"],
            "pia": ["watcher"],
            "vic": ["viewer"],
            "opa": ["operator"],
            "hana": ["viewer", "hr"],
            "nora": ["viewer", "north"],
        }.items():
            await hold.users.create(name, roles=roles)
        draft = await hold.definitions.create_draft("payslip", PATCH)
        await hold.definitions.publish(draft.id)
    async with app.tenant("acme", actor="mia") as hold:
        made = await hold.documents.create("payslip", {"person": "joe", "region": "south", "secret": OLD})
    await app.engine_worker().drain()
    async with app.tenant("acme", actor="mia") as hold:
        await hold.documents.update(made.id, {"secret": NEW})
        await hold.documents.transition(made.id, "submit", reason=f"it is {NEW}")
    await app.engine_worker().drain()
    async with app.tenant("acme") as hold:
        instance = await hold.processes.of_document(made.id)
        (request,) = (await hold.approvals.list(document_id=made.id)).items
    async with app.tenant("acme", actor="hal") as hold:
        await hold.approvals.reassign(request.id, "ida", reason="on leave")
    async with app.tenant("acme", actor="ben") as hold:
        await hold.delegations.create("dora", ends_at=datetime.now(UTC) + timedelta(days=1))
    async with AsyncExitStack() as stack:
        clients: dict[str, httpx.AsyncClient] = {}
        transport = httpx.ASGITransport(build(app), raise_app_exceptions=False)
        for who in (*SHOWN, "hana of hr", "nora of the north", "ana, who administers"):
            tenant, name = ("globex", "ana") if who.startswith("nobody") else ("acme", who.split(",")[0].split()[0])
            scopes = ["data:read", "processes:read"] if "token" in who else None
            async with app.tenant(tenant) as hold:
                secret = (await hold.tokens.create(name, f"of {who[:40]}", scopes=scopes)).secret
            client = httpx.AsyncClient(transport=transport, base_url="http://test/v1/acme")
            client.headers.update({"Authorization": f"Bearer {secret}", "If-Match": "*"})
            clients[who] = await stack.enter_async_context(client)
        yield Case(app, made.id, instance.id, request.id, clients)


async def walk(case: Case, who: str, wanted: str) -> set[str]:
    """The roads on which somebody finds what they look for."""
    found = set()
    for name, road in ROADS.items():
        method, path, body = road(case)
        answer = await case.clients[who].request(method, path, json=body)
        assert answer.status_code < 500, (name, answer.text)
        if wanted in answer.text:
            found.add(name)
    return found


async def configure(case: Case, **policy: Any) -> None:
    async with case.app.tenant("acme") as hold:
        await hold.configure(settings={"document_roles": {"payslip": policy}})


def differences(found: dict[str, set[str]], expected: dict[str, set[str]]) -> list[str]:
    return [
        f"{who}: sees {sorted(found[who] - expected[who])}, misses {sorted(expected[who] - found[who])}"
        for who in expected
        if found[who] != expected[who]
    ]


def nothing(names: Iterable[str]) -> dict[str, set[str]]:
    return {who: set() for who in names}


async def everybody(case: Case, names: Iterable[str], wanted: str) -> dict[str, set[str]]:
    return {who: await walk(case, who, wanted) for who in names}


async def test_each_sees_the_content_on_exactly_the_roads_that_are_theirs(case: Case) -> None:
    assert differences(await everybody(case, SHOWN, NEW), SHOWN) == []


@pytest.mark.parametrize("who", ["mia, who made it", "ben, who is asked in his role", "opa, an operator"])
async def test_whoever_finds_content_is_named_in_the_trail_of_a_tenant_that_wants_to_know(case: Case, who: str) -> None:
    async with case.app.tenant("acme") as hold:
        await hold.configure(settings={"audit_reads": True})
    unnoticed = []
    for name, road in ROADS.items():
        before = await reads(case, who)
        method, path, body = road(case)
        answer = await case.clients[who].request(method, path, json=body)
        if NEW in answer.text and await reads(case, who) == before:
            unnoticed.append(name)
    assert unnoticed == []


async def reads(case: Case, who: str) -> int:
    """How often the trail says that somebody read the document, by whichever road."""
    async with case.app.tenant("acme") as hold:
        found = (await hold.audit.list(object_kind="read", limit=200)).items
    document, actor = str(case.document), f"user:{who.split(',')[0]}"
    return sum(
        each.actor == actor and document in (str(each.object_id), *each.data.get("documents", ())) for each in found
    )


async def test_the_versions_before_are_for_those_who_read_the_document_not_for_those_who_are_asked(case: Case) -> None:
    expected = {who: OLDER if who in SEES_OLDER else set() for who in SHOWN}
    found = {who: roads & OLDER for who, roads in (await everybody(case, SHOWN, OLD)).items()}
    assert differences(found, expected) == []


async def test_what_cannot_be_read_answers_like_what_is_not_there(case: Case) -> None:
    eve = case.clients["eve, another approver"]
    for path in (
        f"/documents/{case.document}",
        f"/documents/{case.document}/versions",
        f"/approvals/{case.request}/document",
    ):
        answer = await eve.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
    for method, path, body in (
        ("PATCH", f"/documents/{case.document}", {"changes": {"person": "x"}}),
        ("PUT", f"/documents/{case.document}", {"data": {}}),
        ("DELETE", f"/documents/{case.document}", None),
        ("POST", f"/documents/{case.document}/transitions", {"transition": "cancel"}),
        ("POST", f"/documents/{case.document}/amend", {"changes": {"person": "x"}}),
        ("POST", f"/processes/{case.instance}/advance", {"event": "cancel"}),
        ("POST", "/processes", {"workflow_id": "payslip", "document_id": str(case.document)}),
    ):
        answer = await eve.request(method, path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), (method, path, answer.text)
    async with case.app.tenant("acme") as hold:
        found = await hold.documents.get(case.document)
    assert (found.doc_status, found.entity_version) == ("submitted", 2)


async def test_a_type_is_read_by_its_roles_and_by_those_who_made_it_or_are_asked(case: Case) -> None:
    await configure(case, read=["hr"])
    expected = nothing(SHOWN) | {
        "mia, who made it": SHOWN["mia, who made it"],
        "ben, who is asked in his role": APPROVER,
        "ida, to whom hal handed it on": APPROVER,
        "dora, who stands in for ben": APPROVER,
        "hana of hr": READER,
        "ana, who administers": set(),
    }
    assert differences(await everybody(case, expected, NEW), expected) == []
    await configure(case, read=["hr"], involved=False)
    expected = nothing(SHOWN) | {"hana of hr": READER}
    assert differences(await everybody(case, expected, NEW), expected) == []


async def test_a_condition_decides_document_by_document(case: Case) -> None:
    await configure(case, readable="entity.region in actor.roles")
    expected: dict[str, set[str]] = {
        "vic, a viewer": set(),
        "nora of the north": set(),
        "ana, who administers": set(),
        "ben, who is asked in his role": APPROVER,
    }
    assert differences(await everybody(case, expected, NEW), expected) == []
    async with case.app.tenant("acme", actor="ana") as hold:
        await hold.roles.define("south", [])
        await hold.users.grant("nora", "south")
    assert await walk(case, "nora of the north", NEW) == READER


async def test_a_masked_field_is_on_no_road_of_those_who_may_not_see_it(case: Case) -> None:
    await configure(case, masked={"secret": ["hr"]})
    names = [*SHOWN, "hana of hr", "ana, who administers"]
    expected = nothing(names) | {"hana of hr": READER}
    # Instructions are written for those who ask and are asked: what a designer puts there, they see.
    for who in ("mia, who made it", *(who for who in SHOWN if SHOWN[who] is APPROVER)):
        expected[who] = {"requests", "request"}
    assert differences(await everybody(case, names, NEW), expected) == []
    old = await everybody(case, names, OLD)
    assert differences({who: roads & OLDER for who, roads in old.items()}, nothing(names) | {"hana of hr": OLDER}) == []
    vic, ben = case.clients["vic, a viewer"], case.clients["ben, who is asked in his role"]
    for client, path in (
        (vic, f"/documents/{case.document}"),
        (vic, f"/documents/{case.document}/versions/1"),
        (ben, f"/approvals/{case.request}/document"),
    ):
        answer = (await client.get(path)).json()
        assert (answer["data"], answer["masked"]) == ({"person": "joe", "region": "south"}, ["secret"])
    compared = await vic.get(f"/documents/{case.document}/compare?before=1&after=2")
    assert compared.json() == [{"field": "secret", "before": None, "after": None, "masked": True}]


async def test_the_command_line_shows_what_the_person_may_see(
    case: Case, commands: Commands, holdfast_dsn: str
) -> None:
    def run(*arguments: str) -> str:
        done = commands.run("documents", *arguments, "-t", "acme", HOLDFAST_DSN=holdfast_dsn)
        return done.stdout + done.stderr

    ways = (("show", str(case.document)), ("show", str(case.document), "--version", "2"))
    for way in ways:
        assert NEW in run(*way, "--as", "ben")
        assert NEW not in run(*way, "--as", "eve")
    assert str(case.document) not in run("list", "payslip", "--json", "--as", "eve")
    assert str(case.document) in run("list", "payslip", "--json", "--as", "ben")


async def test_a_key_and_the_first_content_do_not_open_what_became_of_a_document(case: Case) -> None:
    first = {"person": "ada", "region": "south", "secret": "known"}
    async with case.app.tenant("acme", actor="mia") as hold:
        made = await hold.documents.create("payslip", first, key="ada-1")
        await hold.documents.update(made.id, {"secret": NEW})
    answer = await case.clients["eve, another approver"].post(
        "/documents", json={"entity_type": "payslip", "data": first}, headers={"Idempotency-Key": "ada-1"}
    )
    assert (answer.status_code, NEW in answer.text) == (409, False)


async def test_rules_do_not_quote_what_is_masked(case: Case) -> None:
    async with case.app.tenant("acme", actor="mia") as hold:
        made = await hold.documents.create("payslip", {"person": "joe", "secret": NEW})
    async with case.app.tenant("acme", actor="ana") as hold:
        await hold.rules.put("never", "payslip", timing="before", effect="reject", condition="entity.secret != 'none'")
    mia, path = case.clients["mia, who made it"], f"/documents/{made.id}"
    told = await mia.patch(path, json={"changes": {"person": "x"}})
    assert (told.json()["code"], NEW in told.text) == ("rule_rejected", True)
    await configure(case, masked={"secret": ["hr"]})
    told = await mia.patch(path, json={"changes": {"person": "x"}})
    assert (told.json()["code"], NEW in told.text) == ("rule_rejected", False)


async def test_what_an_automation_works_with_is_not_shown_by_seeing_processes_alone(case: Case) -> None:
    waiting = {
        "nodes": [{"id": "wait", "type": "wait_event", "config": {"event_key": "paid:{payload.s}"}}],
        "edges": [{"source": "in", "target": "wait"}, {"source": "wait", "target": "out"}],
    }
    failing = {
        "nodes": [{"id": "fail", "type": "script", "config": {"assign": {"n": "payload.s > 1"}}}],
        "edges": [{"source": "in", "target": "fail"}, {"source": "fail", "target": "out"}],
    }
    started: list[UUID] = []
    for name, patch in (("waiting", waiting), ("failing", failing)):
        async with case.app.tenant("acme", actor="ana") as hold:
            draft = await hold.definitions.create_automation(name, patch)
            await hold.definitions.publish(draft.id)
        async with case.app.tenant("acme", actor="mia") as hold:
            made = await hold.processes.start(name, payload={"s": NEW}, context={"kept": NEW})
            assert made.context["kept"] == NEW
            started.append(made.id)
    await case.app.engine_worker().drain()
    pia, vic = case.clients["pia, who sees processes, effects and the trail"], case.clients["vic, a viewer"]
    for client, expected in ((pia, False), (vic, True)):
        for path in ("", "/waits", "/steps"):
            answer = await client.get(f"/processes/{started[0]}{path}")
            assert (answer.status_code, NEW in answer.text) == (200, expected), path
        for path in ("/waits", "/steps"):
            answer = await client.get(f"/processes/{started[1]}{path}")
            assert (answer.status_code, NEW in answer.text) == (200, expected), path
