"""Whatever is sent, the answer is 2xx or 4xx with a reason; a client that leaves is no error of ours either."""

from __future__ import annotations

import asyncio
import base64
import json
import socket
import struct
from decimal import Decimal
from typing import Any

import pytest

from harness.served import Serve, Served
from holdfast import Holdfast
from holdfast.errors import SignatureInvalid
from holdfast.http import build
from holdfast.http.listening import listen
from holdfast.http.shutdown import Server
from holdfast.kernel.cursor import encode_cursor
from holdfast.kernel.webhooks import verify

JSON = {"Content-Type": "application/json"}
VERSIONS = ['"' + "9" * 5000 + '"', '"²"', '"१"', "W/x", '""', '"-1"', '"1e5"', '"9999999999"', "\udcff"]
DEEP = '{"type":"object","properties":{"a":' * 100 + "{}" + "}}" * 100


def test_a_version_that_is_none_is_refused(serve: Serve) -> None:
    with serve().client("acme") as ana:
        made = ana.put("/v1/acme/contracts/note", json={"document": {"type": "object"}})
        assert made.status_code < 300, made.text
        for version in VERSIONS:
            answer = ana.patch(
                f"/v1/acme/documents/{'0' * 8}-0000-0000-0000-{'0' * 12}",
                content=b'{"changes": {}}',
                headers={b"Content-Type": b"application/json", b"If-Match": version.encode("utf-8", "surrogateescape")},
            )
            assert 400 <= answer.status_code < 500, (version[:20], answer.text[:200])


def test_cursors_and_positions_that_somebody_made_up_are_refused(serve: Serve) -> None:
    with serve().client("acme") as ana:
        lists = lists_of(ana)
        assert len(lists) > 10
        for path, needed in lists.items():
            mark = asked_for(ana, path, needed)
            for cursor in forged(mark):
                answer = ana.get(path, params={"cursor": cursor, **needed})
                assert answer.status_code in (200, 422), (path, cursor, answer.text[:300])
        for position in forged("0" * 16):
            answer = ana.get("/v1/acme/data/changes", params={"namespace": "n", "after": position})
            assert answer.status_code == 422, (position, answer.text[:300])


@pytest.mark.parametrize("shape", [(str,), (str, str), (str, int), (int,)])
def test_a_cursor_with_the_right_mark_and_wrong_parts_is_refused(serve: Serve, shape: tuple[type, ...]) -> None:
    """The mark is no secret: whoever reads the source can make it."""
    known: list[tuple[str, dict[str, Any]]] = [
        ("effects", {"status": None, "kind": None, "instance": None}),
        ("events", {"object_id": None, "object_kind": None}),
        ("sessions", {"status": None, "workflow": None}),
        ("schedules", {"schedules": True}),
    ]
    texts = ["", "x", "\0", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00", "2026-01-01", "1" * 100]
    numbers = [2**63, -(2**63) - 1, 0, 10**400]
    with serve().client("acme") as ana:
        for path, query in known:
            for index in range(len(texts)):
                parts = [texts[index] if kind is str else numbers[index % 4] for kind in shape]
                answer = ana.get(f"/v1/acme/{path}", params={"cursor": encode_cursor(query, parts)})
                assert answer.status_code in (200, 422), (path, parts, answer.text[:300])


def test_bodies_that_once_failed_are_refused_by_name(serve: Serve) -> None:
    far = ["0001-01-01T00:00:00Z", "9990-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00"]
    schedule = {"name": "s", "type": "demo.x.v1", "cron": "0 0 * * *"}
    cron = {"cron": "0 0 29 2 *", "timezone": "Pacific/Kiritimati"}
    bodies: list[tuple[str, str, Any]] = [
        *(("POST", "schedules", schedule | {field: year}) for field in ("starts_at", "ends_at") for year in far),
        *(("POST", "schedules/preview", cron | {field: year}) for field in ("starts_at", "ends_at") for year in far),
        ("PUT", "contracts/deep", f'{{"document": {DEEP}}}'),
        ("PUT", "data/rules", {"namespace": "n", "json_schema": {"$ref": "#"}}),
        ("PUT", "data/rules", f'{{"namespace": "n", "json_schema": {DEEP}}}'),
    ]
    with serve().client("acme") as ana:
        for method, path, body in bodies:
            text = body if isinstance(body, str) else json.dumps(body)
            answer = ana.request(method, f"/v1/acme/{path}", content=text, headers=JSON)
            assert 400 <= answer.status_code < 500, (path, text[:120], answer.text[:300])


def test_lines_to_import_are_checked_member_by_member(serve: Serve) -> None:
    wrong = [
        '{"kind":"key","namespace":"n","key":["x"],"value":1}',
        '{"kind":"key","namespace":{},"key":"x","value":1}',
        '{"kind":"key","namespace":"n","key":"x","value":1,"expires_at":"0001-01-01T00:00:00+14:00"}',
        '{"kind":"key","namespace":"n","key":"x","value":1,"expires_at":"9999-12-31T23:59:59-14:00"}',
        '{"kind":"key","namespace":"n","key":"x","value":1,"value_type":{}}',
        '{"kind":"link","namespace":"n","from":["a"],"to":{"type":"t","id":[1]}}',
        '{"kind":"link","namespace":"n","from":{"type":"t","id":"a"},"to":{"type":"t","id":"b"},"relation":[1]}',
        '{"kind":"export","format":[1]}',
        '{"kind":"end","keys":{},"links":null}',
        '{"kind":["key"]}',
        "[]",
        "5",
        '{"kind":"key","namespace":"n","key":"\\u0000","value":1}',
        '{"kind":"key","namespace":"n","key":"\\ud800","value":1}',
    ]
    with serve().client("acme") as ana:
        for line in wrong:
            answer = ana.post("/v1/acme/data/import", content=line, headers={"Content-Type": "application/x-ndjson"})
            assert answer.status_code < 500, (line, answer.text[:300])


NUMBERS = ["1e400", "-1e400", "1e-400", "9" * 900, "0." + "1" * 900, "1e308", "-0.0", "1.10"]


@pytest.mark.parametrize("once", [False, True], ids=["", "once"])
def test_a_number_that_no_double_holds_is_taken_and_told_wherever_it_may_be(serve: Serve, once: bool) -> None:
    """What was made is found in the answer, which holds the number too."""
    with serve().client("acme") as ana:
        assert ana.put("/v1/acme/contracts/note", json={"document": {"type": "object"}}).status_code < 300

        def send(method: str, path: str, body: str, **headers: str) -> dict[str, Any]:
            given = JSON | {name.replace("_", "-"): each for name, each in headers.items()}
            if once:
                given |= {"Idempotency-Key": f"{method} {path} {body}"[:100]}
            answer = ana.request(method, f"/v1/acme/{path}", content=body, headers=given)
            assert answer.status_code in (200, 201), (method, path, body[:60], answer.text[:300])
            if answer.status_code == 201:
                assert ana.get(answer.headers["Location"]).status_code == 200
            return dict(json.loads(answer.content, parse_int=str, parse_float=str))

        def asked(path: str) -> dict[str, Any]:
            answer = ana.get(f"/v1/acme/{path}")
            assert answer.status_code == 200, (path, answer.text[:300])
            return dict(json.loads(answer.content, parse_int=str, parse_float=str))

        for number in NUMBERS:
            value = '{"a": %s}' % number  # noqa: UP031 - braces
            made = send("POST", "documents", f'{{"entity_type": "note", "data": {value}}}')
            document = f"documents/{made['id']}"
            changed = send("PATCH", document, f'{{"changes": {{"b": {value}}}}}', If_Match="*")
            run = send("POST", "runs", f'{{"type": "demo.x.v1", "payload": {value}}}')
            send("PUT", "data/entry?namespace=n&key=large", f'{{"value": {value}}}')
            values = [
                made["data"],
                changed["data"]["b"],
                asked(document)["data"]["b"],
                asked(f"runs/{run['id']}")["run"]["payload"],
                asked("data/entry?namespace=n&key=large")["value"],
            ]
            assert {Decimal(each["a"]) for each in values} == {Decimal(number)}
            for path in (f"{document}/versions", "documents?entity_type=note", "data/entries?namespace=n", "events"):
                asked(path)


@pytest.mark.parametrize("number", ["9" * 1001, "-" + "9" * 4299, "0." + "1" * 1001, "1e2000", "1e-2000"])
def test_a_number_too_long_to_be_told_is_refused_before_it_is_kept(serve: Serve, number: str) -> None:
    """It can be read, but not written: kept, it would be in no list for good."""
    with serve().client("acme") as ana:
        assert ana.put("/v1/acme/contracts/note", json={"document": {"type": "object"}}).status_code < 300
        made = ana.post("/v1/acme/documents", json={"entity_type": "note", "data": {}}).json()
        value = '{"a": [%s]}' % number  # noqa: UP031 - braces
        link = '"from": {"type": "t", "id": "a"}, "to": {"type": "t", "id": "b"}, "relation": "r"'
        for method, path, body in (
            ("POST", "documents", f'{{"entity_type": "note", "data": {value}}}'),
            ("PATCH", f"documents/{made['id']}", f'{{"changes": {value}}}'),
            ("PUT", f"documents/{made['id']}", f'{{"data": {value}}}'),
            ("POST", "runs", f'{{"type": "demo.x.v1", "payload": {value}}}'),
            ("POST", "schedules", f'{{"name": "s", "type": "demo.x.v1", "cron": "0 0 * * *", "payload": {value}}}'),
            ("POST", "process-events", f'{{"key": "k", "payload": {value}}}'),
            ("PUT", "data/entry?namespace=large&key=k", f'{{"value": {value}}}'),
            ("PUT", "links", f'{{"namespace": "large", {link}, "attributes": {value}}}'),
            ("PUT", "contracts/other", f'{{"document": {{"properties": {{"a": {{"const": {value}}}}}}}}}'),
            ("PATCH", "", f'{{"settings": {value}}}'),
        ):
            headers = JSON | ({"If-Match": "*"} if "documents/" in path else {})
            answer = ana.request(method, f"/v1/acme/{path}".rstrip("/"), content=body, headers=headers)
            assert (answer.status_code, answer.json()["status"]) == (422, 422), (path, answer.text[:300])
            assert "1000 digits" in answer.text, (path, answer.text[:300])
        left = ana.get(f"/v1/acme/documents/{made['id']}").json()
        assert (left["entity_version"], left["data"]) == (1, {})
        for path in (
            "documents?entity_type=note",
            "runs",
            "schedules",
            "data/entries?namespace=large",
            "contracts",
            "",
        ):
            answer = ana.get(f"/v1/acme/{path}".rstrip("/"))
            assert answer.status_code == 200, (path, answer.text[:300])
            assert len(answer.content) < 2000, path
        assert len(ana.get("/v1/acme/documents?entity_type=note").json()["items"]) == 1


def test_a_client_that_leaves_makes_no_error_and_no_traceback(serve: Serve) -> None:
    server = serve(log_level="info")
    head = "POST /v1/acme/data/get"
    for body in (b"", b"{", b'{"namespace": "n"'):
        with server.raw(head, body, who="acme", length=5000) as connection:
            # Reset, not closed: what is still under way fails at once.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    for _ in range(20):
        with server.raw("GET /v1/acme/data/export", who="acme") as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    answered(server)
    server.stop(within=20)
    said = server.said()
    assert "Traceback" not in said, said
    assert "unexpected error" not in said, said


def test_the_signature_of_a_webhook_is_refused_whatever_its_headers_hold() -> None:
    secret = "whsec_" + base64.b64encode(b"0" * 32).decode()
    for timestamp in ("9" * 5000, "²", "-1", "1e9", "\udcff", "0x10"):
        for event_id, signature in (("a", "v1,x"), ("\udcff", "v1,\udcff"), ("é", "v1,é v1, v2,x")):
            headers = {"webhook-id": event_id, "webhook-timestamp": timestamp, "webhook-signature": signature}
            with pytest.raises(SignatureInvalid):
                verify(headers, b"{}", secret)
    with pytest.raises(SignatureInvalid):
        verify(
            {"webhook-id": "\udcff", "webhook-timestamp": "1000", "webhook-signature": "v1,\udcff"},
            b"{}",
            secret,
            now=1000,
        )


def forged(mark: str) -> list[str]:
    """Cursors that look like ours, and are not."""
    parts: list[Any] = [
        [mark],
        [mark, 10**400],
        [mark, 2**63],
        [mark, -(2**63) - 1],
        [mark, "\0"],
        [mark, "x" * 5000],
        [mark, None, {"a": []}],
        [mark, "not-a-uuid"],
        [mark, "0001-01-01T00:00:00+14:00", "00000000-0000-0000-0000-000000000000"],
        [mark, "9999-12-31T23:59:59-14:00", "00000000-0000-0000-0000-000000000000"],
        [mark, True],
        [[[]]],
        {},
        5,
        "",
        None,
    ]
    made = [base64.urlsafe_b64encode(json.dumps(each).encode()).decode().rstrip("=") for each in parts]
    made.append(base64.urlsafe_b64encode(b"[" * 5000).decode().rstrip("="))
    return [*made, "", "=", "é", "a" * 3, "%00", "AAAA"]


def lists_of(client: Any) -> dict[str, dict[str, str]]:
    """Every list of the tenant that is read page by page, as the server tells itself, and what else it asks for."""
    found = {}
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        names = {each["name"] for each in methods.get("get", {}).get("parameters", ())}
        filled = path.replace("{tenant}", "acme")
        if "cursor" in names and "{" not in filled and path.startswith("/v1/{tenant}/"):
            found[filled] = {"namespace": "n"} if "namespace" in names else {}
    return found


def asked_for(client: Any, path: str, needed: dict[str, str]) -> str:
    """The mark of a query, as a real cursor of it has it; made up where the list has no second page."""
    answer = client.get(path, params={"limit": 1, **needed})
    cursor = answer.json().get("next_cursor") if answer.status_code == 200 else None
    if not cursor:
        return "0" * 16
    found: list[str] = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    return found[0]


def answered(server: Served) -> None:
    with server.client("globex") as client:
        assert client.get("/v1/globex/data/entry?namespace=n&key=k").status_code == 200


async def test_what_goes_wrong_on_our_side_leaves_the_connection_usable(
    app: Holdfast, caplog: pytest.LogCaptureFixture
) -> None:
    site = build(app)

    async def broken() -> None:
        raise RuntimeError("a bug")

    site.router.add_api_route("/broken", broken)
    site.router.routes.insert(0, site.router.routes.pop())
    server = Server(site)
    with listen("127.0.0.1", 0, hint="") as listener:
        serving = asyncio.ensure_future(server.serve([listener]))
        reader, writer = await asyncio.open_connection("127.0.0.1", listener.getsockname()[1])
        for path, status in (("/broken", b"500"), ("/healthz", b"200"), ("/broken", b"500"), ("/healthz", b"200")):
            writer.write(f"GET {path} HTTP/1.1\r\nHost: test\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.split()[1] == status, head
            await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split()[0]))
        writer.close()
        server.should_exit = True
        await serving
    assert [record.name for record in caplog.records if record.levelname == "ERROR"] == ["holdfast.http.problems"] * 2
