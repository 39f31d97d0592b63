"""The inbox as people read it: how much there is, what is done, what it is about, and why it is asked."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from harness.commands import Commands, Done
from holdfast.errors import InvalidInput, NotFound, QuotaExceeded
from holdfast.http import build
from holdfast.people.headlines import headline_names
from holdfast.people.reasons import WHY_CODES
from people.office import FINANCE, SLOT, Office
from processes.shop import nodes

LATER = datetime(2099, 1, 1, tzinfo=UTC)


@pytest.fixture
async def client(office: Office) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(build(office.app), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test/v1/acme") as client:
        async with office.app.tenant("acme") as hold:
            secret = (await hold.tokens.create("ben", "test")).secret
        client.headers["Authorization"] = f"Bearer {secret}"
        yield client


async def test_each_part_of_the_inbox_is_counted_as_it_is_listed(office: Office) -> None:
    asked = {
        "approvers": [{"kind": "user", "user": "ben"}, {"kind": "role", "role": "finance_manager"}],
        "timeout": "1s",
    }
    await office.publish({**asked, "required": "2"}, outcomes=("approved", "rejected", "timeout"))
    first = (await office.asked())[2]
    await office.asked()
    async with office.acting("cat") as hold:
        await hold.delegations.create("eve", ends_at=LATER)
    await office.decide("ben", first)
    for name in ("ben", "cat", "eve", "ana"):
        async with office.acting(name) as hold:
            counts = await hold.inbox.counts()
            for which in ("mine", "role", "delegated", "overdue", "done"):
                listed = (await hold.inbox.list(which=which)).items
                assert getattr(counts, which) == len(listed), (name, which)
            assert counts.all == len((await hold.inbox.list()).items)
    async with office.acting("ben") as hold:
        counts = await hold.inbox.counts()
    assert (counts.mine, counts.role, counts.done, counts.delegated) == (1, 1, 1, 0)


async def test_what_somebody_decided_is_found_under_done_latest_first(office: Office) -> None:
    await office.publish(FINANCE)
    requests = [(await office.asked())[2] for _ in range(3)]
    for request in requests:
        await office.decide("ben", request, "rejected", reason="too much")
    async with office.acting("ben") as hold:
        first = await hold.inbox.list(which="done", limit=2)
        rest = await hold.inbox.list(which="done", limit=2, cursor=first.next_cursor)
    found = [*first.items, *rest.items]
    assert [item.id for item in found] == [request.id for request in reversed(requests)]
    assert {(item.decision, item.status, item.how) for item in found} == {("rejected", "rejected", "mine")}
    assert all(item.decided_at is not None for item in found)
    async with office.acting("cat") as hold:
        assert (await hold.inbox.list(which="done")).items == []


async def test_filters_leave_what_they_say(office: Office) -> None:
    await office.publish({**FINANCE, "timeout": "2d"}, outcomes=("approved", "rejected", "timeout"))
    _, _, request = await office.asked()
    given: list[tuple[dict[str, Any], int]] = [
        ({"entity_type": "invoice"}, 1),
        ({"entity_type": "order"}, 0),
        ({"requester": "ana"}, 1),
        ({"requester": "cat"}, 0),
        ({"due_before": LATER}, 1),
        ({"due_before": datetime(2020, 1, 1, tzinfo=UTC)}, 0),
        ({"kind": "task"}, 0),
    ]
    async with office.acting("ben") as hold:
        for filters, wanted in given:
            assert len((await hold.inbox.list(**filters)).items) == wanted, filters
            assert (await hold.inbox.counts(**filters)).all == wanted, filters
        with pytest.raises(InvalidInput, match="time zone"):
            await hold.inbox.list(due_before=datetime(2020, 1, 1))  # noqa: DTZ001 - that is the point
    assert request.due_at is not None


async def test_an_item_has_what_a_decision_needs(office: Office) -> None:
    await office.publish({**FINANCE, "required": "2"})
    _, _, request = await office.asked(vendor="Fabrikam")
    await office.decide("cat", request)
    async with office.acting("ben") as hold:
        (item,) = (await hold.inbox.list()).items
        detail = await hold.approvals.get(request.id)
    assert item.content_hash == request.content_hash
    assert item.quorum == detail.quorum
    assert (item.quorum.required, item.quorum.asked, item.quorum.approved) == ("2", ["role:finance_manager"], 1)
    assert [(field.name, field.value) for field in item.headline] == [
        ("grand_total", "12500.00"),
        ("number", "7"),
        ("posted", True),
    ][: len(item.headline)]
    assert detail.headline == item.headline


def test_a_headline_is_what_the_contract_marks_or_its_first_plain_fields() -> None:
    text, number = {"type": "string"}, {"type": "number"}
    assert headline_names({"c": text, "b": number, "a": {"type": "array"}, "d": text, "e": text}) == ["b", "c", "d"]
    assert headline_names({"c": text, "b": text, "d": text}, ["d"]) == ["d", "b", "c"]
    marked = {
        "c": {**text, "x-headline": 2},
        "b": {**text, "x-headline": 1},
        "a": text,
        "z": {**text, "x-headline": True},
    }
    assert headline_names(marked) == ["z", "b", "c"]
    assert headline_names({}) == []


async def test_a_headline_is_of_the_version_that_is_decided_on(office: Office) -> None:
    await office.publish(
        {"assignees": [{"kind": "user", "user": "ben"}], "form": {"type": "object"}, "title": "Look at it"},
        kind="task",
        outcomes=("completed",),
    )
    document, _, request = await office.asked()
    async with office.acting("ben") as hold:
        before = (await hold.approvals.get(request.id)).headline
        seen = await hold.approvals.document(request.id)
    assert {field.name: field.value for field in before}["grand_total"] == seen.data["grand_total"]
    assert document.data["grand_total"] == seen.data["grand_total"]


async def test_why_somebody_is_asked_is_told_as_codes_with_parameters(office: Office) -> None:
    branch = {
        "nodes": nodes(
            ("large", "condition", {"expression": "entity.grand_total > 10000"}), ("ask", "approval", FINANCE)
        ),
        "edges": [
            {"source": "in", "target": "large"},
            {"source": "large", "target": "ask", "outcome": "true"},
            {"source": "large", "target": "out", "outcome": "false"},
            {"source": "ask", "target": "out", "outcome": "approved"},
            {"source": "ask", "target": "out", "outcome": "rejected"},
        ],
        "exit_edge_mode": "join",
    }
    await office.shop.publish({SLOT: branch})
    _, _, request = await office.asked()
    async with office.acting("dan") as hold:
        await hold.delegations.create("eve", ends_at=LATER)
    why = {}
    for name in ("ben", "eve", "ana"):
        async with office.acting(name) as hold:
            why[name] = (await hold.approvals.get(request.id)).why
    assert {each.code for found in why.values() for each in found} <= WHY_CODES.keys()
    assert (why["ben"][0].code, why["ben"][0].params) == ("asked_by_role", {"role": "finance_manager"})
    assert (why["eve"][0].code, why["eve"][0].params["user"]) == ("asked_in_place_of", "dan")
    (condition,) = why["ana"]
    assert condition.code == "condition"
    assert condition.params["expression"] == "entity.grand_total > 10000"
    assert (condition.params["result"], condition.params["variables"]) == (True, {"entity.grand_total": "12500.00"})
    assert condition.text == "entity.grand_total > 10000 is true because 12500.00 > 10000"


async def test_a_request_that_was_handed_on_says_from_whom(office: Office) -> None:
    await office.publish({"approvers": [{"kind": "user", "user": "ben"}]})
    _, _, request = await office.asked()
    async with office.acting("ben") as hold:
        await hold.approvals.reassign(request.id, "cat", reason="on leave")
    async with office.acting("ana") as hold:
        await hold.approvals.escalate(request.id, "dan", reason="late")
    for name, code in (("cat", "asked_after"), ("dan", "asked_by_escalation")):
        async with office.acting(name) as hold:
            detail = await hold.approvals.get(request.id)
        assert [each.code for each in detail.why] == [code]
        assert detail.quorum.asked == ["user:cat", "user:dan"]


async def test_views_are_a_persons_own(office: Office) -> None:
    async with office.acting("ben") as hold:
        await hold.inbox.save_view("large", {"entity_type": "invoice"})
        await hold.inbox.save_view("large", {"entity_type": "invoice", "which": "role"})
        (view,) = await hold.inbox.views()
        assert (view.name, view.filters) == ("large", {"entity_type": "invoice", "which": "role"})
        for wrong in ({"colour": "red"}, {"which": "theirs"}, {"due_before": "soon"}, {"kind": 1}):
            with pytest.raises(InvalidInput):
                await hold.inbox.save_view("wrong", wrong)
    async with office.acting("cat") as hold:
        assert await hold.inbox.views() == []
        with pytest.raises(NotFound):
            await hold.inbox.delete_view("large")
    async with office.acting("ben") as hold:
        await hold.inbox.delete_view("large")
        assert await hold.inbox.views() == []


async def test_nobody_keeps_views_without_end(office: Office) -> None:
    async with office.acting("ben") as hold:
        for number in range(100):
            await hold.inbox.save_view(f"view {number}", {})
        await hold.inbox.save_view("view 7", {"which": "done"})
        with pytest.raises(QuotaExceeded):
            await hold.inbox.save_view("one more", {})


async def test_messages_are_counted_until_they_are_read(office: Office, client: httpx.AsyncClient) -> None:
    await office.publish({"approvers": [{"kind": "user", "user": "cat"}]})
    for _ in range(3):
        _, _, request = await office.asked()
        async with office.acting("ana") as hold:
            await hold.approvals.escalate(request.id, "ben", reason="late")
    assert (await client.get("/notifications/unread")).json() == {"unread": 3}
    first = (await client.get("/notifications")).json()["items"][0]["id"]
    assert (await client.post("/notifications/read", json={"ids": [first]})).json() == {"read": 1}
    assert (await client.get("/notifications/unread")).json() == {"unread": 2}
    assert (await client.post("/notifications/read", json={"all": True})).json() == {"read": 2}
    assert (await client.get("/notifications/unread")).json() == {"unread": 0}
    for wrong in ({}, {"ids": [first], "all": True}):
        assert (await client.post("/notifications/read", json=wrong)).status_code == 422


async def test_the_inbox_over_http(office: Office, client: httpx.AsyncClient) -> None:
    await office.publish(FINANCE)
    _, _, request = await office.asked()
    (item,) = (await client.get("/inbox", params={"entity_type": "invoice", "requester": "ana"})).json()["items"]
    assert (item["content_hash"], item["quorum"]["asked"]) == (request.content_hash, ["role:finance_manager"])
    assert item["headline"][0] == {"name": "grand_total", "title": "grand_total", "value": "12500.00"}
    counts = (await client.get("/inbox/counts")).json()
    assert counts == {"all": 1, "mine": 0, "role": 1, "delegated": 0, "overdue": 0, "done": 0, "most": 1000}
    detail = (await client.get(f"/approvals/{request.id}")).json()
    assert detail["why"][0]["code"] == "asked_by_role"
    body = {"decision": "approved", "entity_version": 1, "content_hash": item["content_hash"]}
    assert (await client.post(f"/approvals/{request.id}/decisions", json=body)).status_code == 200
    (done,) = (await client.get("/inbox", params={"which": "done"})).json()["items"]
    assert (done["id"], done["decision"]) == (str(request.id), "approved")
    saved = await client.put("/inbox/views/mine", json={"filters": {"which": "mine"}})
    assert (saved.status_code, (await client.get("/inbox/views")).json()[0]["name"]) == (200, "mine")
    assert (await client.put("/inbox/views/x", json={"filters": {"colour": "red"}})).status_code == 422
    assert (await client.delete("/inbox/views/mine")).status_code == 204
    assert (await client.delete("/inbox/views/mine")).status_code == 404
    assert (await client.get("/inbox", params={"due_before": "2026-01-01T00:00:00"})).status_code == 422


async def test_views_of_another_tenant_are_out_of_reach(office: Office, intruder: Any) -> None:
    async with office.acting("ben") as hold:
        await hold.inbox.save_view("own", {})
    async with office.app.tenant("globex") as hold:
        other = hold.tenant.id
    async with intruder.transaction():
        await intruder.execute(f"SET LOCAL holdfast.tenant = '{other}'")
        rows = await (await intruder.execute("SELECT * FROM holdfast.inbox_views")).fetchall()
    assert rows == []


async def test_the_command_line_lists_shows_and_decides(office: Office, holdfast_dsn: str, commands: Commands) -> None:
    await office.publish({**FINANCE, "required": "2"})
    _, _, request = await office.asked()

    def run(*arguments: str) -> Done:
        return commands.run(*arguments, HOLDFAST_DSN=holdfast_dsn)

    listed = json.loads(run("approvals", "list", "-t", "acme", "--json").stdout)
    assert [each["id"] for each in listed] == [str(request.id)]
    one = str(request.id)
    shown = json.loads(run("approvals", "show", "-t", "acme", one, "-u", "ben", "--json").stdout)
    assert shown["why"][0]["code"] == "asked_by_role"
    assert "12500.00" in run("approvals", "show", "-t", "acme", one).stdout
    assert run("approvals", "claim", "-t", "acme", one, "-u", "ben").returncode == 0
    assert run("approvals", "claim", "-t", "acme", one, "-u", "cat").returncode == 1
    assert run("approvals", "claim", "-t", "acme", one, "-u", "ben", "--release").returncode == 0
    stale = run("approvals", "decide", "-t", "acme", one, "approved", "-u", "ben", "--version", "2")
    assert stale.returncode == 1
    done = run("approvals", "decide", "-t", "acme", one, "approved", "-u", "ben", "--version", "1")
    assert (done.returncode, "open" in done.stdout) == (0, True)
    moved = ("approvals", "reassign", "-t", "acme", one, "eve", "-u", "ana", "--of", "role:finance_manager")
    assert run(*moved, "--reason", "all on leave").returncode == 0
    counts = json.loads(run("inbox", "-t", "acme", "-u", "eve", "--counts", "--json").stdout)
    assert (counts[0]["mine"], counts[0]["done"]) == (1, 0)
    assert "approved" in run("inbox", "-t", "acme", "-u", "ben", "--which", "done").stdout
