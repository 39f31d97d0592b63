"""Designing over HTTP: templates, simulations, test cases, expressions, editors, upgrades, what-ifs, uses."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any, Self

import httpx
import psycopg
import pytest

from harness.waiting import until
from holdfast import Holdfast
from holdfast.envelope import Contract, SlotPlace, State, Transition
from holdfast.http import build
from holdfast.testing import drain

INVOICE = Contract(
    entity_type="invoice",
    document={
        "type": "object",
        "properties": {
            "number": {"type": "string"},
            "grand_total": {"type": "string", "format": "decimal"},
            "lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
        },
        "required": ["grand_total"],
    },
)
SLOT = "slot:submitted_to_approved"


def threshold(amount: int, chain: str | None = None) -> dict[str, Any]:
    """Above an amount ana is asked, or a chain; below it the invoice passes."""
    asked: dict[str, Any] = {"chain": chain} if chain else {"approvers": [{"kind": "role", "role": "finance"}]}
    return {
        SLOT: {
            "nodes": [
                {"id": "size", "type": "condition", "config": {"expression": f"entity.grand_total > {amount}"}},
                {"id": "finance", "type": "approval", "name": "Finance", "config": asked},
                {"id": "pass", "type": "action", "config": {"action": "process.approve"}},
            ],
            "edges": [
                {"source": "in", "target": "size"},
                {"source": "size", "target": "finance", "outcome": "true"},
                {"source": "size", "target": "pass", "outcome": "false"},
                {"source": "finance", "target": "pass", "outcome": "approved"},
                {"source": "finance", "target": "out", "outcome": "rejected"},
                {"source": "pass", "target": "out"},
            ],
            "exit_edge_mode": "join",
        }
    }


@pytest.fixture
async def client(app: Holdfast) -> AsyncIterator[httpx.AsyncClient]:
    app.contracts.add(INVOICE)
    async with app.tenant("acme", actor="ana") as hold:
        await hold.definitions.register(INVOICE)
        await hold.roles.define("finance", ["processes:read"], description="decides")
        await hold.users.create("fred", display_name="Fred Fuller")
        await hold.users.grant("fred", "finance")
    async with signed_in(app, "ana") as client:
        yield client


def signed_in(app: Holdfast, user: str) -> httpx.AsyncClient:
    """A client that is somebody."""
    return _Client(app, user)


class _Client(httpx.AsyncClient):
    def __init__(self, app: Holdfast, user: str) -> None:
        transport = httpx.ASGITransport(build(app), raise_app_exceptions=False)
        super().__init__(transport=transport, base_url="http://test/v1/acme")
        self._holdfast, self._user = app, user

    async def __aenter__(self) -> Self:
        async with self._holdfast.tenant("acme") as hold:
            secret = (await hold.tokens.create(self._user, "test")).secret
        self.headers["Authorization"] = f"Bearer {secret}"
        await super().__aenter__()
        return self


async def drafted(client: httpx.AsyncClient, patches: dict[str, Any]) -> dict[str, Any]:
    made = await client.post("/definitions", json={"entity_type": "invoice", "patches": patches})
    assert made.status_code == 201, made.text
    found: dict[str, Any] = made.json()
    return found


async def published(client: httpx.AsyncClient, patches: dict[str, Any]) -> dict[str, Any]:
    draft = await drafted(client, patches)
    done = await client.post(f"/definitions/{draft['id']}/publish", headers={"If-Match": f'"{draft["revision"]}"'})
    assert done.status_code == 201, done.text
    found: dict[str, Any] = done.json()
    return found


async def problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert (answer.status_code, answer.json().get("code")) == (status, code), answer.text
    assert answer.headers["content-type"].startswith("application/problem+json")
    found: dict[str, Any] = answer.json()
    return found


# --------------------------------------------------------------------------------------------------------- templates


async def test_a_template_becomes_a_draft_with_its_cases(app: Holdfast, client: httpx.AsyncClient) -> None:
    gallery = (await client.get("/templates")).json()
    assert "purchase_order" in [each["name"] for each in gallery]
    whole = (await client.get("/templates/purchase_order")).json()
    assert whole["compiled"]["nodes_by_id"]
    assert len(whole["cases"]) == whole["info"]["cases"] > 0
    made = await client.post("/templates/purchase_order/instantiate", json={})
    assert made.status_code == 201, made.text
    draft = made.json()
    assert made.headers["location"].endswith(draft["id"])
    kind = draft["entity_type"]
    kept = (await client.get(f"/workflows/{kind}/test-cases")).json()
    assert len(kept) == len(whole["cases"])
    ran = await client.post("/test-cases/run", json={"definition_id": draft["id"]})
    assert ran.json()["passed"] is True, ran.text
    refused = await client.post(f"/definitions/{draft['id']}/publish", headers={"If-Match": '"1"'})
    missing = {each["code"] for each in refused.json()["problems"]}
    assert missing == {"name.role"}, "the organisation has none of the template's roles yet"
    async with app.tenant("acme", actor="ana") as hold:
        for role in ("buyer", "cfo", "cfo_office", "finance_manager"):
            await hold.roles.define(role, [])
    done = await client.post(f"/definitions/{draft['id']}/publish", headers={"If-Match": '"1"'})
    assert done.status_code == 201, done.text
    await problem(await client.get("/templates/nothing"), 404, "not_found")


# -------------------------------------------------------------------------------------------------------- simulation


async def test_a_simulation_tells_every_moment_who_is_asked_and_why(client: httpx.AsyncClient) -> None:
    draft = await drafted(client, threshold(10_000))
    script = [{"submit": {"by": "ana"}}, {"approve": {"by": "fred"}}]
    asked = {"definition_id": draft["id"], "document": {"grand_total": "12500.00"}, "script": script}
    told = (await client.post("/simulations", json=asked)).json()["simulated"]
    begun, submitted, approved = told["frames"]
    assert begun["doc_status"] == "draft"
    assert [each["outcome"] for each in begun["options"]] == ["submit", "cancel"]
    [waiting] = submitted["waiting"]
    assert waiting["people"] == ["fred"]
    assert waiting["wait"]["node"] == f"usr:{SLOT}:finance"
    assert [token["node"] for token in submitted["tokens"]] == [f"usr:{SLOT}:finance"]
    [why] = [each for each in submitted["reasons"] if each["node"].endswith(":size")]
    assert "12500" in why["because"]
    assert "10000" in why["because"]
    assert approved["doc_status"] == "active"
    assert told["status"] == "completed"
    # Backwards is the same script with its end cut off, and tells the same.
    back = (await client.post("/simulations", json={**asked, "script": script[:1]})).json()["simulated"]
    assert back["frames"] == [begun, submitted]
    # Only what is new.
    new = (await client.post("/simulations", json={**asked, "first": 2})).json()["simulated"]
    assert new["frames"] == [approved]


async def test_a_simulation_knows_the_chains_of_the_tenant(app: Holdfast, client: httpx.AsyncClient) -> None:
    one, two = ({"name": name, "approvers": [{"kind": "user", "user": name}]} for name in ("fred", "ana"))
    async with app.tenant("acme", actor="ana") as hold:
        await hold.chains.define("big", [one, two])
    asked = {"entity_type": "invoice", "patches": threshold(10, chain="big"), "document": {"grand_total": "50"}}
    script = [{"submit": {"by": "eve"}}, {"approve": {"by": "fred"}}]
    told = (await client.post("/simulations", json={**asked, "script": script})).json()["simulated"]
    assert [frame["waiting"][0]["people"] for frame in told["frames"][1:]] == [["fred"], ["ana"]]


async def test_a_simulation_plays_patches_that_are_not_stored_and_names_the_line_that_cannot_be_played(
    client: httpx.AsyncClient,
) -> None:
    asked = {"entity_type": "invoice", "patches": threshold(10), "document": {"grand_total": "5"}}
    done = await client.post("/simulations", json={**asked, "script": [{"submit": {"by": "ana"}}]})
    assert done.json()["simulated"]["status"] == "completed"
    wrong = await client.post("/simulations", json={**asked, "script": [{"approve": {"by": "fred"}}]})
    assert (await problem(wrong, 422, "invalid_input"))["field"] == "script[0]"
    refused = await client.post("/simulations", json={**asked, "script": [{"wait": "1h"}] * 501})
    assert (await problem(refused, 422, "invalid_input"))["field"] == "script"


async def test_a_simulation_takes_a_document_that_is_there(app: Holdfast, client: httpx.AsyncClient) -> None:
    async with app.tenant("acme", actor="ana") as hold:
        document = await hold.documents.create("invoice", {"grand_total": "77.70"})
    asked = {"entity_type": "invoice", "patches": threshold(10), "document_id": str(document.id)}
    told = await client.post("/simulations", json=asked)
    assert told.json()["simulated"]["frames"][0]["document"] == {"grand_total": "77.70"}


async def test_what_takes_too_long_is_refused_and_others_are_answered_meanwhile(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.processes.definitions.budget._SECONDS", -1.0)
    asked = {"entity_type": "invoice", "document": {"grand_total": "5"}, "script": []}
    refused = await client.post("/simulations", json=asked)
    assert "longer than" in (await problem(refused, 422, "invalid_input"))["detail"]


# -------------------------------------------------------------------------------------------------------- test cases


async def test_a_draft_that_fails_its_test_cases_is_not_published(client: httpx.AsyncClient) -> None:
    case = {
        "document": {"grand_total": "500"},
        "world": {"people": {"fred": {"roles": ["finance"]}}},
        "script": [{"submit": {"by": "ana"}}],
        "expect": {"waiting_at": ["finance"]},
    }
    kept = await client.put("/workflows/invoice/test-cases/Large ones wait", json=case)
    assert kept.status_code == 200, kept.text
    assert kept.json()["script"] == case["script"]
    draft = await drafted(client, threshold(1000))
    ran = (await client.post("/test-cases/run", json={"definition_id": draft["id"]})).json()
    assert ran["passed"] is False
    assert "waiting_at" in ran["cases"][0]["differences"][0]
    publish = f"/definitions/{draft['id']}/publish"
    refused = await problem(await client.post(publish, headers={"If-Match": '"1"'}), 409, "test_cases_failed")
    assert refused["cases"][0]["name"] == "Large ones wait"
    assert (await client.get(f"/definitions/{draft['id']}")).json()["status"] == "draft"
    anyway = await client.post(publish, params={"despite_cases": True}, headers={"If-Match": '"1"'})
    assert anyway.status_code == 201
    assert (await client.delete("/workflows/invoice/test-cases/Large ones wait")).status_code == 204
    await problem(await client.get("/workflows/invoice/test-cases/Large ones wait"), 404, "not_found")


async def test_a_case_that_cannot_be_compared_fails_and_says_so(client: httpx.AsyncClient) -> None:
    await client.put("/workflows/invoice/test-cases/odd", json={"expect": {"because": 3}, "document": {}})
    ran = (await client.post("/test-cases/run", json={"entity_type": "invoice"})).json()
    assert ran["passed"] is False
    refused = await client.put("/workflows/invoice/test-cases/odd", json={"expect": {}, "script": [{"a": 1, "b": 2}]})
    await problem(refused, 422, "invalid_input")


# ------------------------------------------------------------------------------------------------------- expressions


async def test_an_expression_is_checked_completed_formatted_and_tried(client: httpx.AsyncClient) -> None:
    place = {"entity_type": "invoice"}
    wrong = await client.post("/expressions/check", json={"text": "entity.grand_totl > 1", "place": place})
    [found] = wrong.json()["problems"]
    assert (found["position"], found["line"]) == (7, 1)
    assert "grand_total" in found["hint"]
    right = await client.post(
        "/expressions/check", json={"text": "entity.grand_total > 1", "place": place, "expect": "boolean"}
    )
    assert right.json() == {"ok": True, "type": "boolean", "problems": [], "warnings": []}
    unclosed = await client.post("/expressions/check", json={"text": "Invoice {entity.number", "holds": "template"})
    assert unclosed.json()["problems"][0]["code"] == "unclosed"
    offers = await client.post("/expressions/complete", json={"text": "entity.gr", "cursor": 9, "place": place})
    assert [each["insert"] for each in offers.json()] == ["grand_total"]
    formatted = await client.post("/expressions/format", json={"text": "entity.a>1&&!(entity.b==2)"})
    assert formatted.json()["text"] == "entity.a > 1 && !(entity.b == 2)"
    await problem(await client.post("/expressions/format", json={"text": "entity."}), 422, "invalid_expression")
    sample = {"text": "entity.grand_total > 10000", "place": place, "document": {"grand_total": "12500.00"}}
    tried = (await client.post("/expressions/try", json=sample)).json()
    assert tried["because"] == "true because 12500.00 > 10000"
    assert tried["variables"] == {"entity.grand_total": "12500.00"}
    assert tried["steps"] == [{"expression": "entity.grand_total > 10000", "result": True}]
    body = {"number": {"$expr": "entity.number"}, "kind": "invoice"}
    written = {"text": json.dumps(body), "holds": "payload", "place": place, "document": {"number": "I-1"}}
    assert (await client.post("/expressions/try", json=written)).json()["result"] == {
        "number": "I-1",
        "kind": "invoice",
    }
    await problem(await client.post("/expressions/try", json={**written, "text": "{"}), 422, "invalid_input")
    failed = (await client.post("/expressions/try", json={**sample, "document": {}})).json()
    assert failed["ok"] is False
    assert failed["problem"]["position"] == 7


async def test_an_expression_knows_its_place(client: httpx.AsyncClient) -> None:
    inside = {"entity_type": "invoice", "item_of": "entity.lines"}
    offers = await client.post("/expressions/complete", json={"text": "item.", "cursor": 5, "place": inside})
    assert [each["label"] for each in offers.json()] == ["sku"]
    outside = await client.post(
        "/expressions/check", json={"text": 'item.sku == "a"', "place": {"entity_type": "invoice"}}
    )
    assert outside.json()["ok"] is False
    large = {"text": "entity.a == 1", "document": {"a": "x" * 1_100_000}}
    refused = await problem(await client.post("/expressions/try", json=large), 422, "invalid_input")
    assert refused["field"] == "document"


# ------------------------------------------------------------------------------------------------------ who edits it


async def test_a_second_editor_is_told_reads_and_takes_over(app: Holdfast, client: httpx.AsyncClient) -> None:
    draft = await drafted(client, threshold(10))
    where = f"/definitions/{draft['id']}"
    async with app.tenant("acme", actor="ana") as hold:
        await hold.users.create("ben", roles=["designer"])
    async with signed_in(app, "ben") as ben:
        mine = await client.put(f"{where}/editing", json={"client": "tab-1"})
        assert mine.json()["yours"] is True
        told = await problem(await ben.put(f"{where}/editing", json={"client": "tab-9"}), 409, "draft_in_use")
        assert told["editor"] == "user:ana"
        assert (await ben.get(where)).json()["patches"] == draft["patches"]
        late = await ben.put(where, json={"patches": {}, "client": "tab-9"}, headers={"If-Match": '"1"'})
        await problem(late, 409, "draft_in_use")
        saved = {"patches": threshold(20), "client": "tab-1"}
        assert (await client.put(where, json=saved, headers={"If-Match": '"1"'})).status_code == 200
        over = await ben.put(f"{where}/editing", json={"client": "tab-9", "take_over": True})
        assert over.json()["editor"] == "user:ben"
        # The first is told, with the next renewal and with the next save; nothing is overwritten.
        await problem(await client.put(f"{where}/editing", json={"client": "tab-1"}), 409, "draft_in_use")
        refused = await client.put(where, json={**saved, "patches": {}}, headers={"If-Match": '"2"'})
        await problem(refused, 409, "draft_in_use")
        now = (await ben.get(where)).json()
        assert (now["revision"], now["patches"]) == (2, threshold(20))
        assert (await ben.delete(f"{where}/editing", params={"client": "tab-9"})).status_code == 204
    assert (await client.get(f"{where}/editing")).json() is None


async def test_the_same_person_in_a_second_window_is_a_second_editor(client: httpx.AsyncClient) -> None:
    draft = await drafted(client, threshold(10))
    where = f"/definitions/{draft['id']}"
    await client.put(f"{where}/editing", json={"client": "tab-1"})
    await problem(await client.put(f"{where}/editing", json={"client": "tab-2"}), 409, "draft_in_use")
    unnamed = await client.put(where, json={"patches": {}}, headers={"If-Match": '"1"'})
    await problem(unnamed, 409, "draft_in_use")
    stale = await client.put(where, json={"patches": {}, "client": "tab-1"}, headers={"If-Match": '"7"'})
    await problem(stale, 409, "version_conflict")


# -------------------------------------------------------------------------------------------------- palette, canvas


async def test_the_palette_has_every_node_type_and_action_in_its_group(client: httpx.AsyncClient) -> None:
    groups = {each["id"]: each["entries"] for each in (await client.get("/palette")).json()["groups"]}
    assert "approval" in [entry["id"] for entry in groups["people"]]
    stored = {entry["action"]: entry for entry in groups["data_store"]}
    assert stored["store.get"]["config"] == {"action": "store.get"}
    assert stored["store.get"]["input_schema"]["properties"]["namespace"]["x-suggestions"] == "store.namespaces"
    approval = next(entry for entry in groups["people"] if entry["id"] == "approval")
    assert approval["code"] == "node.approval"
    assert approval["field_codes"]["timeout"] == "node.approval.timeout"
    types = (await client.get("/node-types")).json()
    assert {entry["id"] for entry in types} > {"condition", "approval", "for_each", "session"}


async def test_the_canvas_shows_a_draft_that_does_not_compile(client: httpx.AsyncClient) -> None:
    patches = threshold(10)
    patches[SLOT]["edges"] = patches[SLOT]["edges"][:2]
    draft = await drafted(client, patches)
    drawn = (await client.get(f"/definitions/{draft['id']}/canvas")).json()
    size = next(node for node in drawn["nodes"] if node["short"] == "size")
    assert (size["outcomes"], size["unhandled"]) == (["true", "false"], ["false"])
    slot = next(each for each in drawn["slots"] if each["slot"] == SLOT)
    assert slot["filled"] is True
    assert (slot["entry"], slot["exit"]) == ("sys:state:submitted", "sys:gate:approve")
    same = await client.post("/workflows/invoice/canvas", json={"patches": patches})
    assert same.json() == drawn


async def test_a_skeleton_is_read_by_version(client: httpx.AsyncClient) -> None:
    found = (await client.get("/contracts/invoice/skeleton", params={"version": 1})).json()
    assert SLOT in [slot["slot_id"] for slot in found["slots"]]
    await problem(await client.get("/contracts/invoice/skeleton", params={"version": 9}), 404, "not_found")


async def test_suggestions_name_real_people_roles_chains_and_types(app: Holdfast, client: httpx.AsyncClient) -> None:
    async with app.tenant("acme", actor="ana") as hold:
        await hold.chains.define("big", [{"name": "one", "approvers": [{"kind": "user", "user": "fred"}]}])
    for source, value in (("users", "fred"), ("roles", "finance"), ("chains", "big"), ("documents.types", "invoice")):
        found = (await client.get(f"/suggestions/{source}")).json()
        assert value in [each["value"] for each in found], source
    by_name = (await client.get("/suggestions/users", params={"prefix": "full"})).json()
    assert [(each["value"], each["label"]) for each in by_name] == [("fred", "Fred Fuller")]


# ------------------------------------------------------------------------------------------------- diffs, upgrades


async def test_a_draft_is_compared_with_what_is_published_and_versions_with_each_other(
    client: httpx.AsyncClient,
) -> None:
    await published(client, threshold(10))
    draft = await drafted(client, threshold(20))
    changes = (await client.get(f"/definitions/{draft['id']}/changes")).json()
    [slot] = changes["slots"]
    assert slot["slot"] == SLOT
    [change] = slot["changes"]
    assert change["fields"][0]["after"] == "entity.grand_total > 20"
    done = await client.post(f"/definitions/{draft['id']}/publish", headers={"If-Match": '"1"'})
    after = done.json()["version"]
    between = await client.get("/workflows/invoice/diff", params={"before": after - 1, "after": after})
    assert between.json()["slots"] == changes["slots"]
    own = (await client.get(f"/definitions/{draft['id']}/customisation")).json()
    assert {each["slot"] for each in own["slots"]} == {SLOT}


def released(version: int, slots: list[SlotPlace]) -> Contract:
    """A contract whose slots a release may move."""
    return Contract(
        entity_type="claim",
        version=version,
        document={"type": "object", "properties": {"total": {"type": "number"}}},
        states=[
            State(name="draft", edit_window="editable"),
            State(name="submitted", edit_window="amend_only"),
            State(name="paid", edit_window="locked"),
        ],
        transitions=[
            Transition(name="submit", from_states=["draft"], to_state="submitted"),
            Transition(name="pay", from_states=["submitted"], to_state="paid"),
        ],
        slots=slots,
    )


async def test_a_new_skeleton_is_looked_at_rebased_and_resolved_slot_by_slot(
    app: Holdfast, client: httpx.AsyncClient
) -> None:
    one = SlotPlace(name="checks", after="state:draft", before="gate:submit")
    two = SlotPlace(name="money", after="state:submitted", before="gate:pay")
    async with app.tenant("acme", actor="ana") as hold:
        await hold.definitions.register(released(1, [one, two]))
    step = {
        "nodes": [{"id": "note", "type": "script", "config": {"assign": {"seen": "true"}}}],
        "edges": [{"source": "in", "target": "note"}, {"source": "note", "target": "out"}],
    }
    made = await client.post(
        "/definitions", json={"entity_type": "claim", "patches": {"slot:checks": step, "slot:money": step}}
    )
    draft = made.json()
    renamed = SlotPlace(name="review", after="state:draft", before="gate:submit")
    async with app.tenant("acme", actor="ana") as hold:
        await hold.definitions.register(released(2, [renamed, two]))
    looked = (await client.get(f"/definitions/{draft['id']}/upgrade")).json()
    states = {each["slot"]: each["state"] for each in looked["slots"]}
    assert states == {"slot:checks": "conflict", "slot:money": "yours", "slot:review": "theirs"}
    assert looked["skeleton"]["slots"]
    rebased = await client.post(f"/definitions/{draft['id']}/rebase", json={}, headers={"If-Match": "*"})
    assert rebased.status_code == 201, rebased.text
    assert list(rebased.json()["held_back"]) == ["slot:checks"]
    new = rebased.json()["draft"]
    where = f"/definitions/{new['id']}"
    held = await client.post(f"{where}/publish", headers={"If-Match": '"1"'})
    assert "slot:checks" in (await problem(held, 409, "conflict"))["detail"]
    put = {"take": "yours", "into": "slot:review"}
    stale = await client.post(f"{where}/held-back/slot:checks/resolve", json=put, headers={"If-Match": '"9"'})
    await problem(stale, 409, "version_conflict")
    done = await client.post(f"{where}/held-back/slot:checks/resolve", json=put, headers={"If-Match": '"1"'})
    assert done.status_code == 200, done.text
    assert sorted(done.json()["patches"]) == ["slot:money", "slot:review"]
    assert done.json()["held_back"] is None
    last = await client.post(f"{where}/publish", headers={"If-Match": done.headers["etag"]})
    assert last.status_code == 201, last.text


# ------------------------------------------------------------------------------------------------------------- uses


async def test_what_steps_name_is_not_deleted_without_saying_what_would_break(
    app: Holdfast, client: httpx.AsyncClient
) -> None:
    async with app.tenant("acme", actor="ana") as hold:
        await hold.chains.define("big", [{"name": "one", "approvers": [{"kind": "user", "user": "fred"}]}])
    await drafted(client, threshold(10, chain="big"))
    [use] = (await client.get("/used-by", params={"kind": "chain", "name": "big"})).json()
    assert (use["in_force"], use["node_id"]) == (False, "finance")
    await published(client, threshold(10, chain="big"))
    refused = await problem(await client.delete("/approval-chains/big"), 409, "still_used")
    assert [each["entity_type"] for each in refused["used_by"]] == ["invoice"]
    assert (await client.delete("/approval-chains/big", params={"anyway": True})).status_code == 204
    roles = (await client.get("/used-by", params={"kind": "role", "name": "finance"})).json()
    assert roles == []


# ----------------------------------------------------------------------------------------------------------- what if


async def over(app: Holdfast, client: httpx.AsyncClient, job: dict[str, Any]) -> dict[str, Any]:
    """A what-if, when a worker is done with it."""
    app.replay_what_ifs()
    worker = app.worker()
    working = asyncio.create_task(worker.run())

    async def found() -> dict[str, Any]:
        told: dict[str, Any] = (await client.get(f"/what-ifs/{job['id']}")).json()
        return told

    async def finished() -> bool:
        return (await found())["status"] not in ("pending", "running")

    try:
        await until(finished)
    finally:
        worker.stop()
        await working
    return await found()


async def test_a_what_if_counts_groups_and_lists_exactly_those_documents(
    app: Holdfast, client: httpx.AsyncClient
) -> None:
    await published(client, threshold(10_000))
    amounts = [500, 1500, 2500, 12_000, 40, 9000, 15_000]
    wanted = set()
    async with app.tenant("acme", actor="ana") as hold:
        for amount in amounts:
            made = await hold.documents.create("invoice", {"grand_total": f"{amount}.00"})
            await hold.documents.transition(made.id, "submit")
            if 1000 < amount <= 10_000:
                wanted.add(str(made.id))
    await drain(app)
    draft = await drafted(client, threshold(1000))
    begun = await client.post("/what-ifs", json={"definition_id": draft["id"]})
    assert begun.status_code == 202, begun.text
    job = begun.json()
    where = f"/what-ifs/{job['id']}"
    assert (job["status"], job["replayed"]) == ("pending", 0)
    done = await over(app, client, job)
    assert (done["status"], done["total"], done["replayed"], done["changed"]) == ("completed", 7, 7, 3), done
    [group] = (await client.get(f"{where}/groups")).json()
    assert group["documents"] == 3
    assert group["parting"]["node"] == f"usr:{SLOT}:size"
    assert group["parting"]["after"] == [f"usr:{SLOT}:finance"]
    found: set[str] = set()
    cursor = None
    while True:
        page = (
            await client.get(
                f"{where}/groups/{group['id']}/documents",
                params={"limit": 2, **({"cursor": cursor} if cursor else {})},
            )
        ).json()
        found |= {each["document_id"] for each in page["items"]}
        assert all("1000" in each["because"]["after"][0] for each in page["items"])
        # By what people call it, not by its id alone.
        assert [each["headline"][0]["name"] for each in page["items"]] == ["grand_total"] * len(page["items"])
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert found == wanted
    one = (await client.get(f"{where}/documents/{min(wanted)}")).json()
    assert one["added"] == [f"usr:{SLOT}:finance"]
    assert one["before"]["status"] == one["after"]["status"] == "completed"
    assert (await client.delete(where)).status_code == 204
    await problem(await client.get(where), 404, "not_found")


async def test_a_what_if_is_narrowed_cancelled_and_only_for_those_who_read_everything(
    app: Holdfast, client: httpx.AsyncClient
) -> None:
    async with app.tenant("acme", actor="ana") as hold:
        for amount in (1, 2, 3):
            await hold.documents.create("invoice", {"grand_total": "9", "number": str(amount)})
    asked = {"entity_type": "invoice", "patches": threshold(5)}
    only = {**asked, "documents": {"fields": {"number": "2"}}}
    job = (await client.post("/what-ifs", json=only)).json()
    stopped = (await client.post("/what-ifs", json=asked)).json()
    cancelled = await client.post(f"/what-ifs/{stopped['id']}/cancel")
    assert cancelled.json()["status"] == "cancelled"
    assert (await over(app, client, job))["total"] == 1
    after = (await client.get(f"/what-ifs/{stopped['id']}")).json()
    assert (after["status"], after["replayed"]) == ("cancelled", 0)
    await problem(await client.post(f"/what-ifs/{stopped['id']}/cancel"), 409, "conflict")
    listed = (await client.get("/what-ifs", params={"entity_type": "invoice"})).json()["items"]
    assert [each["id"] for each in listed] == [stopped["id"], job["id"]]
    async with app.tenant("acme", actor="ana") as hold:
        await hold.configure(settings={"document_roles": {"invoice": {"masked": {"number": ["finance"]}}}})
    await problem(await client.get(f"/what-ifs/{job['id']}/groups"), 403, "forbidden")
    await problem(await client.post("/what-ifs", json=asked), 403, "forbidden")


async def test_a_draft_that_does_not_compile_fails_its_what_if_and_says_why(
    app: Holdfast, client: httpx.AsyncClient
) -> None:
    patches = threshold(5)
    patches[SLOT]["nodes"][0]["config"]["expression"] = "entity.nothing > 5"
    draft = await drafted(client, patches)
    job = (await client.post("/what-ifs", json={"definition_id": draft["id"]})).json()
    done = await over(app, client, job)
    assert done["status"] == "failed"
    assert "nothing" in done["error"]


# -------------------------------------------------------------------------------------- who may, and in whose tenant


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/templates/fast_track/instantiate"),
        ("PUT", "/workflows/invoice/test-cases/a"),
        ("DELETE", "/workflows/invoice/test-cases/a"),
        ("POST", "/what-ifs"),
        ("PUT", "/definitions/{id}/editing"),
        ("DELETE", "/definitions/{id}/editing?client=a"),
        ("POST", "/definitions/{id}/held-back/slot:a/resolve"),
    ],
)
async def test_who_may_not_design_changes_nothing(
    app: Holdfast, client: httpx.AsyncClient, method: str, path: str
) -> None:
    draft = await drafted(client, threshold(10))
    async with app.tenant("acme", actor="ana") as hold:
        await hold.users.create("vera", roles=["viewer"])
    async with signed_in(app, "vera") as vera:
        answer = await vera.request(method, path.format(id=draft["id"]), json={"client": "a"})
        assert (await problem(answer, 403, "forbidden"))["permission"] == "processes:design"


async def test_another_tenants_things_are_not_there(app: Holdfast, client: httpx.AsyncClient) -> None:
    draft = await drafted(client, threshold(10))
    job = (await client.post("/what-ifs", json={"definition_id": draft["id"]})).json()
    await client.put("/workflows/invoice/test-cases/a", json={"expect": {}})
    async with app.tenant("globex", actor="ana") as hold:
        secret = (await hold.tokens.create("ana", "t")).secret
        await hold.definitions.register(INVOICE)
    client.headers["Authorization"] = f"Bearer {secret}"
    client.base_url = httpx.URL("http://test/v1/globex")
    for path in (
        f"/definitions/{draft['id']}/canvas",
        f"/definitions/{draft['id']}/editing",
        f"/definitions/{draft['id']}/upgrade",
        f"/definitions/{draft['id']}/changes",
        f"/what-ifs/{job['id']}",
        f"/what-ifs/{job['id']}/groups",
        "/workflows/invoice/test-cases/a",
    ):
        await problem(await client.get(path), 404, "not_found")
    await problem(await client.post("/simulations", json={"definition_id": draft["id"]}), 404, "not_found")
    assert (await client.get("/workflows/invoice/test-cases")).json() == []


# ------------------------------------------------------------------------------------------------ overview, figures


async def test_the_overview_says_what_is_in_force_and_what_is_to_be_done(client: httpx.AsyncClient) -> None:
    await published(client, threshold(10))
    await drafted(client, threshold(20))
    made = await client.post("/automations", json={"name": "mirror", "patch": {}})
    assert made.status_code == 201, made.text
    told = {each["entity_type"]: each for each in (await client.get("/workflows")).json()}
    assert (told["invoice"]["customised"], told["invoice"]["drafts"], told["invoice"]["stale"]) == (True, 1, False)
    assert told["mirror"]["published_version"] is None
    only = (await client.get("/workflows", params={"automation": True})).json()
    assert [each["entity_type"] for each in only] == ["mirror"]


async def test_figures_say_how_processes_went_through_the_nodes(app: Holdfast, client: httpx.AsyncClient) -> None:
    await published(client, threshold(100))
    async with app.tenant("acme", actor="ana") as hold:
        for amount in (50, 500, 5000):
            made = await hold.documents.create("invoice", {"grand_total": f"{amount}.00"})
            await hold.documents.transition(made.id, "submit")
    await drain(app)
    found = (await client.get("/workflows/invoice/figures")).json()
    assert found["instances"] == 3
    nodes = {each["node_id"]: each for each in found["nodes"]}
    assert (nodes[f"usr:{SLOT}:size"]["steps"], nodes[f"usr:{SLOT}:finance"]["waiting"]) == (3, 2)
    assert nodes[f"usr:{SLOT}:pass"]["mean_ms"] is not None
    assert sum(each["taken"] for each in found["edges"] if ":size" in each["edge_id"]) >= 3
    await problem(await client.get("/workflows/invoice/figures", params={"days": 0}), 422, "invalid_input")


async def test_the_org_chart_says_who_reports_to_whom(app: Holdfast, client: httpx.AsyncClient) -> None:
    async with app.tenant("acme", actor="ana") as hold:
        await hold.org.set_manager("fred", "ana")
    first = (await client.get("/org-chart", params={"limit": 1})).json()
    assert [(each["name"], each["reports"]) for each in first["items"]] == [("ana", 1)]
    rest = (await client.get("/org-chart", params={"limit": 1, "cursor": first["next_cursor"]})).json()
    assert [(each["name"], each["manager"]) for each in rest["items"]] == [("fred", "ana")]
    assert rest["next_cursor"] is None


# ------------------------------------------------------------------------------- triggers, projection, nested fields


async def test_a_trigger_is_read_changed_and_told_what_would_be_without_it(client: httpx.AsyncClient) -> None:
    new = {"name": "nightly", "workflow_id": "mirror", "trigger_type": "on_timer", "cron": "0 3 * * *"}
    made = (await client.post("/triggers", json=new)).json()
    changed = await client.patch("/triggers/nightly", json={"cron": "0 4 * * *"})
    assert changed.status_code == 200, changed.text
    assert changed.json()["cron"] == "0 4 * * *"
    assert changed.json()["next_at"] != made["next_at"]
    assert (await client.patch("/triggers/nightly", json={"enabled": False})).json()["enabled"] is False
    kept = (await client.get("/triggers/nightly")).json()
    assert (kept["cron"], kept["enabled"], kept["workflow_id"]) == ("0 4 * * *", False, "mirror")
    wrong = await problem(await client.patch("/triggers/nightly", json={"cron": None}), 422, "invalid_input")
    assert wrong["field"] == "cron"
    await problem(await client.patch("/triggers/nightly", json={"name": "other"}), 422, "invalid_input")
    told = (await client.get("/triggers/nightly/consequences")).json()
    assert told == {"workflow_id": "mirror", "published": False, "other_triggers": []}
    await problem(await client.get("/triggers/none"), 404, "not_found")


async def test_a_projection_is_checked_without_being_changed(
    app: Holdfast, client: httpx.AsyncClient, superuser: psycopg.Connection[dict[str, Any]]
) -> None:
    async with app.tenant("acme", actor="ana") as hold:
        await hold.documents.create("invoice", {"grand_total": "1"})
    await drain(app)
    [instance] = (await client.get("/processes")).json()["items"]
    where = f"/processes/{instance['id']}/projection"
    assert (await client.get(where)).json()["differed"] == []
    superuser.execute("SET session_replication_role = replica")
    superuser.execute("UPDATE holdfast.workflow_instances SET doc_status = 'active'")
    assert (await client.get(where)).json()["differed"] == ["doc_status"]
    assert (await client.get(where)).json()["differed"] == ["doc_status"]


async def test_versions_are_compared_in_depth_and_an_amended_document_with_its_successor(
    app: Holdfast, client: httpx.AsyncClient
) -> None:
    lines = [{"sku": "a"}, {"sku": "b"}]
    async with app.tenant("acme", actor="ana") as hold:
        made = await hold.documents.create("invoice", {"grand_total": "1", "lines": lines})
        await hold.documents.update(made.id, {"lines": [{"sku": "a"}, {"sku": "c"}]})
    path = f"/documents/{made.id}/compare"
    plain = (await client.get(path, params={"before": 1, "after": 2})).json()
    assert [each["field"] for each in plain] == ["lines"]
    nested = (await client.get(path, params={"before": 1, "after": 2, "nested": True})).json()
    assert [(each["field"], each["before"], each["after"]) for each in nested] == [("lines[1].sku", "b", "c")]
    await problem(await client.get(f"/documents/{made.id}/amended"), 404, "not_found")
    await published(client, threshold(0))
    async with app.tenant("acme", actor="ana") as hold:
        await hold.documents.transition(made.id, "submit")
    await drain(app)
    async with app.tenant("acme", actor="ana") as hold:
        new = await hold.documents.amend(made.id, {"grand_total": "2"})
    told = (await client.get(f"/documents/{made.id}/amended")).json()
    assert told["successor"]["id"] == str(new.id)
    assert [(each["field"], each["after"]) for each in told["differences"]] == [("grand_total", "2")]


async def test_a_draft_of_three_hundred_nodes_is_checked_at_once(client: httpx.AsyncClient) -> None:
    names = [f"step{number}" for number in range(300)]
    nodes = [{"id": name, "type": "script", "config": {"assign": {name: "entity.grand_total > 10"}}} for name in names]
    ways = [{"source": one, "target": other} for one, other in pairwise(["in", *names, "out"])]
    patches = {SLOT: {"nodes": nodes, "edges": ways}}
    took = []
    for _ in range(5):
        begun = time.perf_counter()
        answer = await client.post("/workflows/invoice/validate", json={"patches": patches})
        took.append(time.perf_counter() - begun)
        assert answer.json()["ok"] is True, answer.text
    assert min(took) < 0.5, took
