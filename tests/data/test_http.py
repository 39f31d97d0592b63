"""Keys, links and actions over HTTP: exact numbers, conditions as headers, streams that resume."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any

import httpx
import psycopg
import pytest

from data.serving import serving
from holdfast import Holdfast
from holdfast.http import build
from holdfast.kernel.cursor import encode_cursor
from holdfast.kernel.json import parse_json

ENTRY = "/v1/acme/data/entry?namespace=n&key=a%2Fb"


@pytest.fixture
async def client(app: Holdfast) -> AsyncIterator[httpx.AsyncClient]:
    async with app.tenant("acme") as hold:
        secret = (await hold.tokens.create("ana", "test")).secret
    transport = httpx.ASGITransport(build(app), raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    async with httpx.AsyncClient(transport=transport, base_url="http://test", headers=headers) as client:
        yield client


async def test_a_value_there_and_back_to_the_last_digit(client: httpx.AsyncClient) -> None:
    text = '{"value": {"big": 123456789012345678901234567890, "small": 0.1, "long": 1.00000000000000000001}}'
    made = await client.put(ENTRY, content=text)
    assert made.status_code == 201
    found = await client.get(ENTRY)
    assert found.headers["etag"] == made.headers["etag"] == f'"{made.json()["revision"]}"'
    exact = parse_json(found.text)["value"]
    assert exact == {
        "big": 123456789012345678901234567890,
        "small": Decimal("0.1"),
        "long": Decimal("1.00000000000000000001"),
    }
    added = await client.post(
        "/v1/acme/data/increment", content='{"namespace": "n", "key": "c", "by": 0.1, "initial": 1e20}'
    )
    assert parse_json(added.text)["value"] == Decimal("100000000000000000000.1")


async def test_the_history_of_a_key_tells_who_wrote_what_when(client: httpx.AsyncClient, app: Holdfast) -> None:
    revisions = [(await client.put(ENTRY, json={"value": n})).json()["revision"] for n in range(3)]
    async with app.tenant("acme") as hold:
        revisions.append((await hold.data.set("n", "a/b", 3)).revision)
    where = "/v1/acme/data/history?namespace=n&key=a%2Fb&limit=3"
    page = (await client.get(where)).json()
    assert [each["revision"] for each in page["items"]] == revisions[:0:-1]
    assert [each["actor"] for each in page["items"]] == ["system:system", "user:ana", "user:ana"]
    rest = (await client.get(f"{where}&cursor={page['next_cursor']}")).json()
    assert [(each["event_type"], each["revision"]) for each in rest["items"]] == [("data.set", revisions[0])]
    assert (await client.get("/v1/acme/data/history?namespace=n&key=none")).status_code == 404


async def test_conditions(client: httpx.AsyncClient) -> None:
    body = {"value": 1}
    first = await client.put(ENTRY, json=body, headers={"If-None-Match": "*"})
    assert first.status_code == 201
    again = await client.put(ENTRY, json=body, headers={"If-None-Match": "*"})
    assert (again.status_code, again.json()["code"]) == (409, "revision_mismatch")
    assert again.json()["revision"] == first.json()["revision"]
    second = await client.put(ENTRY, json=body, headers={"If-Match": first.headers["etag"]})
    assert second.status_code == 200
    assert (await client.delete(ENTRY, headers={"If-Match": first.headers["etag"]})).status_code == 409
    assert (await client.delete(ENTRY, headers={"If-Match": second.headers["etag"]})).status_code == 204
    assert (await client.get(ENTRY)).status_code == 404
    assert (await client.delete(ENTRY)).status_code == 404
    for headers in ({"If-Match": "x"}, {"If-None-Match": "x"}, {"If-Match": '"1"', "If-None-Match": "*"}):
        assert (await client.put(ENTRY, json=body, headers=headers)).status_code == 422


@pytest.mark.parametrize(
    ("method", "path", "content", "field"),
    [
        ("PUT", "/v1/acme/data/entry?key=k", '{"value": 1}', "namespace"),
        ("PUT", "/v1/acme/data/entry?namespace=n&key=", '{"value": 1}', "key"),
        ("PUT", ENTRY, '{"value": NaN}', None),
        ("PUT", ENTRY, "{nonsense", None),
        ("PUT", ENTRY, '{"valu": 1}', "valu"),
        ("PUT", ENTRY, '{"value": 1, "value": 2}', None),
        ("GET", "/v1/acme/data/entries?namespace=n&limit=201", None, "limit"),
        ("GET", "/v1/acme/data/entries?namespace=n&cursor=broken", None, "cursor"),
        ("GET", "/v1/acme/data/changes?namespace=n&after=broken", None, "cursor"),
        ("GET", "/v1/acme/data/watch?namespace=n&after=broken", None, "cursor"),
        ("POST", "/v1/acme/links/delete", '{"namespace": "n"}', None),
        ("POST", "/v1/acme/data/import", "not json", "line"),
        ("POST", "/v1/acme/actions/store.set", '{"key": "k", "value": 1}', "namespace"),
    ],
)
async def test_bad_input_is_422_and_names_the_field(
    client: httpx.AsyncClient, method: str, path: str, content: str | None, field: str | None
) -> None:
    answer = await client.request(method, path, content=content)
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    if field:
        assert field in (answer.json().get("field") or answer.json()["errors"][0]["field"])


async def test_batches_lists_rules_and_moving(client: httpx.AsyncClient) -> None:
    entries = [{"key": f"k{number}", "value": number} for number in range(3)]
    assert len((await client.post("/v1/acme/data/set", json={"namespace": "n", "entries": entries})).json()) == 3
    found = (await client.post("/v1/acme/data/get", json={"namespace": "n", "keys": ["k2", "x", "k0"]})).json()
    assert [entry["value"] for entry in found["items"]] == [2, 0]
    page = (await client.get("/v1/acme/data/entries?namespace=n&prefix=k&limit=2")).json()
    rest = (await client.get(f"/v1/acme/data/entries?namespace=n&prefix=k&limit=2&cursor={page['next_cursor']}")).json()
    assert [entry["key"] for entry in (*page["items"], *rest["items"])] == ["k0", "k1", "k2"]
    other = await client.get(f"/v1/acme/data/entries?namespace=n&prefix=j&limit=2&cursor={page['next_cursor']}")
    assert (other.status_code, other.json()["detail"]) == (422, "the cursor belongs to another query")
    record = {"type": "task", "id": "1"}
    link = {"namespace": "m", "from": record, "to": {"type": "ticket", "id": "2"}, "attributes": {"x": 1.5}}
    assert (await client.put("/v1/acme/links", json=link)).json()["created"]
    looked = (await client.post("/v1/acme/links/lookup", json={"namespace": "m", "from": record})).json()
    assert looked["matches"][0]["attributes"] == {"x": 1.5}
    assert len((await client.get("/v1/acme/links?namespace=m")).json()["items"]) == 1
    assert (await client.get("/v1/acme/links/namespaces")).json()["namespaces"][0]["link_count"] == 1
    lines = (await client.get("/v1/acme/data/export")).text
    assert json.loads(lines.splitlines()[-1]) == {"kind": "end", "keys": 3, "links": 1}
    assert (await client.post("/v1/acme/data/delete", json={"namespace": "n", "keys": ["k0"]})).json() == {"deleted": 1}
    assert (await client.post("/v1/acme/links/delete", json={"namespace": "m", "from": record})).json() == {
        "deleted_count": 1
    }
    back = (await client.post("/v1/acme/data/import?on_conflict=keep", content=lines)).json()
    assert back == {"keys": 1, "links": 1, "skipped": 2}
    rules = {"namespace": "n", "max_keys": 3, "json_schema": {"type": "integer"}}
    assert (await client.put("/v1/acme/data/rules", json=rules)).json()["keys"] == 3
    full = await client.put("/v1/acme/data/entry?namespace=n&key=k9", json={"value": 1})
    assert (full.status_code, full.json()["code"]) == (409, "quota_exceeded")
    wrong = await client.put("/v1/acme/data/entry?namespace=n&key=k0", json={"value": "x"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "schema_violation")
    assert (await client.get("/v1/acme/data/rules?namespace=n")).json()["schema"] == {"type": "integer"}
    assert (await client.get("/v1/acme/data/namespaces")).json()["namespaces"] == [{"namespace": "n", "key_count": 3}]


async def test_changes_page_by_page(app: Holdfast, client: httpx.AsyncClient) -> None:
    start = (await client.get("/v1/acme/data/changes?namespace=n")).json()["position"]
    for number in range(3):
        await app.data("acme").set("n", f"k{number}", number)
    page = (await client.get(f"/v1/acme/data/changes?namespace=n&limit=2&after={start}")).json()
    assert ([change["key"] for change in page["items"]], page["more"]) == (["k0", "k1"], True)
    all_of_them = (await client.get("/v1/acme/data/changes?namespace=n&after=0")).json()
    assert [change["value"] for change in all_of_them["items"]] == [0, 1, 2]


async def test_watching_is_a_stream_that_resumes(app: Holdfast) -> None:
    """The events of the stream, read from the application itself: a test client would wait for its end."""
    keys = app.data("acme")
    await keys.set("n", "a", 1)
    await keys.set("n", "b", 2)
    async with app.tenant("acme") as hold:
        secret = (await hold.tokens.create("ana", "test")).secret

    async def first_events(count: int, **headers: str) -> list[str]:
        sent: list[str] = []
        enough = asyncio.Event()
        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": "/v1/acme/data/watch",
            "raw_path": b"/v1/acme/data/watch",
            "query_string": b"namespace=n&after=0",
            "root_path": "",
            "client": ("test", 1),
            "server": ("test", 80),
            "headers": [
                (b"authorization", f"Bearer {secret}".encode()),
                *((name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()),
            ],
        }
        asked = False

        async def receive() -> dict[str, Any]:
            nonlocal asked
            if asked:
                await enough.wait()
                return {"type": "http.disconnect"}
            asked = True
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body" and message["body"]:
                sent.append(message["body"].decode())
                if len(sent) == count:
                    enough.set()

        async with asyncio.timeout(30):
            await build(app)(scope, receive, send)
        return sent

    one, two = await first_events(2)
    assert json.loads(one.split("data: ")[1])["key"] == "a"
    assert two.splitlines()[1] == "event: set"
    position = one.splitlines()[0].removeprefix("id: ")
    (resumed,) = await first_events(1, last_event_id=position)
    assert json.loads(resumed.split("data: ")[1])["key"] == "b"


async def test_actions_once_a_key(client: httpx.AsyncClient) -> None:
    names = [action["name"] for action in (await client.get("/v1/acme/actions")).json()]
    assert "store.increment" in names
    assert (await client.get("/v1/acme/actions/store.increment")).json()["permission"] == "data:write"
    for replayed in (None, "true"):
        answer = await client.post(
            "/v1/acme/actions/store.increment",
            content='{"namespace": "n", "key": "k", "by": 0.1}',
            headers={"Idempotency-Key": "once"},
        )
        assert parse_json(answer.text)["value"] == Decimal("0.1")
        assert answer.headers.get("idempotent-replayed") == replayed
    other = await client.post(
        "/v1/acme/actions/store.increment", json={"namespace": "n", "key": "x"}, headers={"Idempotency-Key": "once"}
    )
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_mismatch")
    assert (await client.post("/v1/acme/actions/no.such", json={})).json()["code"] == "action_not_found"
    offered = (await client.get("/v1/acme/suggestions/links.relations?prefix=m")).json()
    assert [one["value"] for one in offered] == ["mirrors", "maps_to"]


WRITES: list[tuple[str, str, Any, Any]] = [
    ("POST", "/data/increment", {"namespace": "n", "key": "c"}, {"namespace": "n", "key": "c", "by": 2}),
    (
        "POST",
        "/data/set",
        {"namespace": "n", "entries": [{"key": "k", "value": 1}]},
        {"namespace": "n", "entries": [{"key": "k", "value": 2}]},
    ),
    ("POST", "/data/delete", {"namespace": "n", "keys": ["there"]}, {"namespace": "n", "keys": ["other"]}),
    ("PUT", "/data/entry?namespace=n&key=new", {"value": 1, "if_revision": 0}, {"value": 2, "if_revision": 0}),
    ("DELETE", "/data/entry?namespace=n&key=there", None, None),
    ("PUT", "/data/rules", {"namespace": "n", "max_keys": 9}, {"namespace": "n", "max_keys": 8}),
    (
        "POST",
        "/data/import?on_conflict=fail",
        {"kind": "key", "namespace": "m", "key": "k", "value": 1},
        {"kind": "key", "namespace": "m", "key": "k", "value": 2},
    ),
    (
        "PUT",
        "/links",
        {"namespace": "m", "from": {"type": "a", "id": "1"}, "to": {"type": "b", "id": "2"}},
        {"namespace": "m", "from": {"type": "a", "id": "1"}, "to": {"type": "b", "id": "3"}},
    ),
    (
        "POST",
        "/links/delete",
        {"namespace": "l", "from": {"type": "a", "id": "1"}},
        {"namespace": "l", "from": {"type": "a", "id": "2"}},
    ),
]


@pytest.mark.parametrize(("method", "path", "body", "other"), WRITES)
async def test_an_idempotency_key_makes_every_write_happen_once(
    app: Holdfast, method: str, path: str, body: Any, other: Any
) -> None:
    await app.data("acme").set("n", "there", 1)
    await app.links("acme").upsert("l", ("a", "1"), ("b", "1"))
    headers = {"Idempotency-Key": "once"}
    async with serving(app) as client:
        first = await client.request(method, path, json=body, headers=headers)
        again = await client.request(method, path, json=body, headers=headers)
        assert first.status_code in (200, 201, 204), first.text
        assert (again.status_code, again.content) == (first.status_code, first.content)
        assert first.headers.get("idempotent-replayed") is None
        assert again.headers["idempotent-replayed"] == "true"
        assert again.headers.get("etag") == first.headers.get("etag")
        if other is not None:
            refused = await client.request(method, path, json=other, headers=headers)
            assert (refused.status_code, refused.json()["code"]) == (409, "idempotency_mismatch")


async def test_a_counter_is_counted_once_for_a_key_also_at_once(app: Holdfast) -> None:
    async with serving(app) as client:
        body = {"namespace": "n", "key": "c"}
        answers = await asyncio.gather(
            *(client.post("/data/increment", json=body, headers={"Idempotency-Key": "k"}) for _ in range(5))
        )
        assert [answer.json()["value"] for answer in answers] == [1] * 5
        assert (await client.post("/data/increment", json=body)).json()["value"] == 2


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/data/get", {"namespace": "n", "keys": ["k"]}),
        ("/links/lookup", {"namespace": "n", "from": {"type": "a", "id": "1"}}),
    ],
)
async def test_what_only_reads_refuses_an_idempotency_key(app: Holdfast, path: str, body: Any) -> None:
    async with serving(app) as client:
        answer = await client.post(path, json=body, headers={"Idempotency-Key": "k"})
        assert (answer.status_code, answer.json()["field"]) == (422, "Idempotency-Key")
        assert (await client.post(path, json=body)).status_code == 200


async def test_a_body_with_a_repeated_name_is_refused_at_once(app: Holdfast) -> None:
    names = ",".join(f'"k{number}": 1' for number in range(60_000))
    content = '{"namespace": "n", "entries": [{"key": "k", "value": {' + names + ', "k59999": 2}}]}'
    async with serving(app) as client, asyncio.timeout(10):
        answer = await client.post("/data/set", content=content)
    assert answer.status_code == 422
    assert "k59999" in answer.text


async def test_a_long_list_under_a_long_name_is_no_burden(app: Holdfast) -> None:
    """Each member's path, for an error message, was a copy of the whole name."""
    content = (
        '{"namespace": "n", "entries": [{"key": "k", "value": {"' + "x" * 1_000_000 + '": [' + "0," * 90_000 + "0]}}]}"
    )
    async with serving(app) as client, asyncio.timeout(10):
        answer = await client.post("/data/set", content=content)
    assert answer.status_code == 422
    assert "the limit is" in answer.text


async def test_a_counter_that_would_be_too_long_changes_nothing(app: Holdfast) -> None:
    async with serving(app) as client:
        for by, status in (("1e-1000", 200), ("1e999", 422)):
            answer = await client.post("/data/increment", content='{"namespace": "n", "key": "k", "by": ' + by + "}")
            assert answer.status_code == status, answer.text
        for path in ("entry?namespace=n&key=k", "entries?namespace=n", "changes?namespace=n&after=0", "export"):
            assert (await client.get(f"/data/{path}")).status_code == 200


async def test_a_number_that_is_too_long_already_can_be_read(app: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    await app.data("acme").set_many("n", {"whole": 1, "part": 2, "other": 3})
    superuser.execute("UPDATE holdfast.workflow_data_store SET value = to_jsonb(1e5000::numeric) WHERE key = 'whole'")
    superuser.execute(
        "UPDATE holdfast.workflow_data_store SET value = to_jsonb(1e999::numeric + 1e-1000::numeric) WHERE key = 'part'"
    )
    async with serving(app) as client:
        for path in ("entry?namespace=n&key=whole", "changes?namespace=n&after=0", "export"):
            assert (await client.get(f"/data/{path}")).status_code == 200
        values = {one["key"]: one["value"] for one in (await client.get("/data/entries?namespace=n")).json()["items"]}
        assert values == {"whole": "1" + "0" * 5000, "part": "1" + "0" * 999 + "." + "0" * 999 + "1", "other": 3}
        added = await client.post("/data/increment", json={"namespace": "n", "key": "whole"})
        assert added.status_code == 422


@pytest.mark.parametrize(
    "parts",
    [
        ["now", "3:3:", "", 0, 0, "3:3:", "0"],
        ["2026-06-04T00:00:00+00:00", "x", "", 0, 0, "3:3:", "0"],
        ["2026-06-04T00:00:00+00:00", "9:3:", "", 0, 0, "3:3:", "0"],
        ["2026-06-04T00:00:00+00:00", "3:3:", "5", 0, 0, "3:3:", "0"],
        ["0001-01-01T00:00:00+00:00", "3:3:", "", 2**70, 0, "3:3:", "0"],
        ["2026-06-04T00:00:00+00:00", "3:3:", "", 0, 0, "3:3:", ""],
    ],
)
async def test_a_made_up_position_is_refused(client: httpx.AsyncClient, parts: list[Any]) -> None:
    here = (await client.get("/v1/acme/data/changes?namespace=n")).json()["position"]
    origin = json.loads(base64.urlsafe_b64decode(here + "=="))[1]
    position = encode_cursor({"changes": "n"}, [origin, *parts])
    answer = await client.get("/v1/acme/data/changes", params={"namespace": "n", "after": position})
    assert answer.status_code == 422, answer.text


async def test_a_made_up_cursor_of_a_lookup_is_refused(client: httpx.AsyncClient) -> None:
    query = {"lookup": "n", "of": ["a", "1"], "way": "forward", "relation": None, "right_type": None}
    for parts in (["a", "b", "c", "no id"], ["\0", "b", "c", "00000000-0000-0000-0000-000000000000"]):
        wanted = {"namespace": "n", "from": {"type": "a", "id": "1"}, "cursor": encode_cursor(query, [*parts])}
        answer = await client.post("/v1/acme/links/lookup", json=wanted)
        assert answer.status_code == 422, answer.text
