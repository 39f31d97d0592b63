"""Webhooks: real requests to a real server, signed, in both modes, and every answer it may give."""

from __future__ import annotations

import base64
import gzip
import hashlib
import hmac
import logging
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any
from uuid import UUID

import pytest

from harness.waiting import until
from holdfast import Holdfast, InvalidInput, NotSignedIn, Settings
from holdfast.errors import SettingsError, SignatureInvalid
from holdfast.kernel.webhooks import sign, signing_key
from holdfast.outbox import build_sinks, verify
from outbox.conftest import QUICK, TYPE, dispatching, fetch, in_status, publish, published
from outbox.receiver import Receiver

SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
OTHER = "whsec_" + base64.b64encode(b"o" * 32).decode()
TRACE = f"00-{'a' * 32}-{'b' * 16}-01"


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with Receiver() as receiver:
        yield receiver


async def opened(dsn: str, sinks: str, **settings: Any) -> Holdfast:
    app = Holdfast(dsn=dsn, outbox_sinks=sinks, **({"outbox_secret": SECRET} | QUICK | settings))
    await app.open()
    await app.tenants.create("acme")
    return app


@pytest.mark.parametrize("mode", ["structured", "binary"])
async def test_a_webhook_is_a_signed_cloudevent(receiver: Receiver, holdfast_dsn: str, mode: str) -> None:
    target = f"{receiver.url}?of=acme#mode={mode}"
    async with await opened(holdfast_dsn, target, outbox_source="https://erp.example") as app:
        data = {"total": 1, "näme": "Chloé ☃", "list": [1, None, True]}
        (made,) = await publish(app, data, aggregate=("invoice", "4 2%ü"), trace_parent=TRACE)
        async with dispatching(app):
            await published(app, made)
    (request,) = receiver.taken
    assert request.target == "/hook?of=acme"
    expected = "application/cloudevents+json" if mode == "structured" else "application/json"
    assert request.headers["content-type"] == expected
    event = request.event
    assert (event.get_id(), event.get_type()) == (str(made), TYPE)
    assert event.get_source() == "https://erp.example/acme"
    assert event.get_subject() == "invoice/4 2%ü"
    assert (event.get_specversion(), event.get_datacontenttype()) == ("1.0", "application/json")
    assert (event.get_extension("traceparent"), event.get_extension("tenant")) == (TRACE, "acme")
    assert int(event.get_extension("sequence")) > 0
    assert abs(event.get_time() - datetime.now(UTC)) < timedelta(minutes=1)
    assert event.get_data() == data
    assert verify(request.headers, request.body, SECRET) == str(made)
    # The same by hand, as the standard says it.
    stamp = request.headers["webhook-timestamp"]
    mac = hmac.new(b"k" * 32, f"{made}.{stamp}.".encode() + request.body, hashlib.sha256).digest()
    assert request.headers["webhook-signature"] == "v1," + base64.b64encode(mac).decode()


@pytest.mark.parametrize("mode", ["structured", "binary"])
@pytest.mark.parametrize("data", ["text", 7, [1, 2], None, True, {"deep": {"er": []}}])
async def test_data_may_be_any_json(receiver: Receiver, holdfast_dsn: str, mode: str, data: Any) -> None:
    async with await opened(holdfast_dsn, f"{receiver.url}#mode={mode}") as app:
        (made,) = await publish(app, data)
        async with dispatching(app):
            await published(app, made)
    # None is what publish() takes for no data at all, and that is an empty object.
    assert receiver.taken[0].event.get_data() == ({} if data is None else data)


@pytest.mark.parametrize("mode", ["structured", "binary"])
async def test_numbers_keep_every_digit(receiver: Receiver, holdfast_dsn: str, mode: str) -> None:
    async with await opened(holdfast_dsn, f"{receiver.url}#mode={mode}") as app:
        async with app.tenant("acme") as hold:
            await hold.connection.execute(
                "SELECT holdfast.publish_event('x', '{\"total\": 12345678901234567.890, \"price\": 12.50}')"
            )
        async with dispatching(app):
            (request,) = await receiver.until(1)
    assert b"12345678901234567.890" in request.body
    assert b"12.50" in request.body


async def test_a_receiver_that_is_down_gets_everything_in_order_when_it_is_up(holdfast_dsn: str) -> None:
    async with Receiver() as gone:
        port = gone.port
    async with await opened(holdfast_dsn, f"http://127.0.0.1:{port}/hook") as app:
        ids = await publish(app, 1, 2, 3, aggregate=("invoice", "1"))
        async with dispatching(app):
            await until(lambda: _tried(app, ids[0], 3))
            waiting = await fetch(app, ids[0])
            assert waiting.last_error is not None
            assert "ConnectError" in waiting.last_error
            async with Receiver(port) as receiver:
                await published(app, *ids)
    assert [request.event.get_data() for request in receiver.taken] == [1, 2, 3]
    assert {request.event.get_id() for request in receiver.taken} == set(map(str, ids))


async def test_gone_is_a_dead_letter_at_once(receiver: Receiver, holdfast_dsn: str) -> None:
    receiver.answer = lambda _: (410, {}, b"we  moved\nout")
    async with await opened(holdfast_dsn, receiver.url) as app:
        (made,) = await publish(app, 1)
        async with dispatching(app):
            (event,) = await in_status(app, "dead", made)
    assert event.last_error == f"{receiver.url}: HTTP 410: we moved out"
    assert len(receiver.requests) == 1


@pytest.mark.parametrize("form", ["seconds", "date"])
@pytest.mark.parametrize("status", [429, 503])
async def test_retry_after_is_honoured(receiver: Receiver, holdfast_dsn: str, form: str, status: int) -> None:
    wanted = "7200" if form == "seconds" else format_datetime(datetime.now(UTC) + timedelta(hours=2), usegmt=True)
    receiver.answer = lambda _: (status, {"retry-after": wanted}, b"")
    async with await opened(holdfast_dsn, receiver.url) as app:
        (made,) = await publish(app, 1)
        async with dispatching(app):
            await until(lambda: _tried(app, made, 1))
        event = await fetch(app, made)
    assert event.next_attempt_at is not None
    assert timedelta(hours=1.9) < event.next_attempt_at - event.created_at < timedelta(hours=2.1)


@pytest.mark.parametrize("wanted", ["soon", "-5", "99999999999", ""])
async def test_a_senseless_retry_after_is_backed_off_from(receiver: Receiver, holdfast_dsn: str, wanted: str) -> None:
    receiver.answer = lambda _: (429, {"retry-after": wanted}, b"") if len(receiver.requests) < 3 else 204
    async with await opened(holdfast_dsn, receiver.url) as app:
        (made,) = await publish(app, 1)
        async with dispatching(app):
            await published(app, made)
    assert len(receiver.requests) == 3


@pytest.mark.parametrize("status", [302, 307, 400, 404, 500])
async def test_anything_else_is_tried_again_and_redirects_are_not_followed(
    receiver: Receiver, holdfast_dsn: str, status: int
) -> None:
    async with Receiver() as elsewhere:
        receiver.answer = lambda _: (status, {"location": elsewhere.url}, b"no") if len(receiver.requests) < 3 else 204
        async with await opened(holdfast_dsn, receiver.url) as app:
            (made,) = await publish(app, 1)
            async with dispatching(app):
                (event,) = await published(app, made)
    assert elsewhere.requests == []
    assert event.attempts == 3
    assert event.last_error is not None
    assert f"HTTP {status}" in event.last_error
    # Each attempt has the same id and a signature of its own.
    assert {request.headers["webhook-id"] for request in receiver.requests} == {str(made)}


async def test_a_receiver_that_hangs_does_not_hold_up_others(receiver: Receiver, holdfast_dsn: str) -> None:
    receiver.gate.clear()
    async with Receiver() as quick, await opened(holdfast_dsn, f"{receiver.url}#timeout=0.2&types=slow.") as app:
        (slow,) = await publish(app, 1, type="slow.v1")
        async with dispatching(app):
            await until(lambda: _tried(app, slow, 1))
            event = await fetch(app, slow)
            assert event.last_error is not None
            assert "no answer within 0.2 s" in event.last_error or "ReadTimeout" in event.last_error
            (other,) = await publish(app, 2, type="quick.v1")
            # Nobody wants this one, so it is done with.
            await published(app, other)
            receiver.gate.set()
            await published(app, slow)
    assert quick.requests == []


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"content-encoding": "gzip"}, b"not gzip at all"),
        # It never ends.
        ({"transfer-encoding": "chunked"}, b"5\r\nhello\r\n"),
        ({"transfer-encoding": "chunked"}, b"nonsense"),
    ],
)
async def test_taken_is_taken_whatever_is_said_beside_it(
    receiver: Receiver, holdfast_dsn: str, headers: dict[str, str], body: bytes
) -> None:
    receiver.answer = lambda _: (200, headers, body)
    async with await opened(holdfast_dsn, receiver.url) as app:
        (made,) = await publish(app, 1)
        async with dispatching(app):
            (event,) = await published(app, made)
    assert (event.attempts, event.last_error) == (1, None)
    assert len(receiver.requests) == 1


async def test_a_refusal_that_unpacks_to_a_giant_is_not_unpacked(receiver: Receiver, holdfast_dsn: str) -> None:
    receiver.answer = lambda _: (410, {"content-encoding": "gzip"}, gzip.compress(b"x" * 3_000_000))
    async with await opened(holdfast_dsn, receiver.url) as app:
        (made,) = await publish(app, 1)
        async with dispatching(app):
            (event,) = await in_status(app, "dead", made)
    assert event.last_error is not None
    assert "HTTP 410" in event.last_error
    assert "xxxx" not in event.last_error


async def test_a_giant_refusal_is_cut_short(receiver: Receiver, holdfast_dsn: str) -> None:
    receiver.answer = lambda _: (410, {}, b"x" * 3_000_000)
    async with await opened(holdfast_dsn, receiver.url) as app:
        (made,) = await publish(app, 1)
        async with dispatching(app):
            (event,) = await in_status(app, "dead", made)
    assert event.last_error is not None
    assert len(event.last_error) < 500


async def test_credentials_in_the_address_are_sent_but_never_shown(
    receiver: Receiver, holdfast_dsn: str, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.answer = lambda _: 500
    target = f"http://bot:hunter2@127.0.0.1:{receiver.port}/hook?key=t0psecret"
    caplog.set_level(logging.DEBUG)
    async with await opened(holdfast_dsn, target, outbox_max_attempts=1) as app:
        (made,) = await publish(app, 1)
        async with dispatching(app) as dispatcher:
            (event,) = await in_status(app, "dead", made)
            shown = dispatcher.sends_to
        shown += str(app.settings.shown()) + repr(app.settings) + str(event) + caplog.text
    assert receiver.requests[0].headers["authorization"] == "Basic " + base64.b64encode(b"bot:hunter2").decode()
    assert "key=t0psecret" in receiver.requests[0].target
    assert "dead letter" in shown
    for secret in ("hunter2", "t0psecret", SECRET):
        assert secret not in shown


# ----------------------------------------------------------------------------------------------------------- signatures


def signed(body: bytes = b"{}", secret: str = SECRET, at: float | None = None) -> dict[str, str]:
    return sign([signing_key(secret)], "id-1", int(time.time() if at is None else at), body)


def test_what_was_signed_is_believed_and_nothing_else() -> None:
    headers = signed(b'{"total": 1}')
    assert verify(headers, b'{"total": 1}', SECRET) == "id-1"
    assert verify({name.title(): value for name, value in headers.items()}, b'{"total": 1}', SECRET) == "id-1"
    changed: list[tuple[dict[str, str], bytes, str]] = [
        (headers, b'{"total": 9}', SECRET),
        (headers, b'{"total": 1}', OTHER),
        (headers | {"webhook-id": "id-2"}, b'{"total": 1}', SECRET),
        (headers | {"webhook-timestamp": str(int(headers["webhook-timestamp"]) + 1)}, b'{"total": 1}', SECRET),
        (headers | {"webhook-signature": "v2" + headers["webhook-signature"][2:]}, b'{"total": 1}', SECRET),
        (headers | {"webhook-signature": "v1,"}, b'{"total": 1}', SECRET),
        (headers | {"webhook-signature": "v1,ü"}, b'{"total": 1}', SECRET),
        ({}, b'{"total": 1}', SECRET),
        (headers | {"webhook-timestamp": "now"}, b'{"total": 1}', SECRET),
        (headers | {"webhook-timestamp": "-1"}, b'{"total": 1}', SECRET),
    ]
    for wrong, body, secret in changed:
        with pytest.raises(SignatureInvalid) as caught:
            verify(wrong, body, secret)
        assert isinstance(caught.value, NotSignedIn)
        assert SECRET not in str(caught.value)


def test_what_was_recorded_is_not_believed_for_long() -> None:
    now = time.time()
    headers = signed(at=now - 299)
    assert verify(headers, b"{}", SECRET) == "id-1"
    for off in (-301, 301):
        with pytest.raises(SignatureInvalid, match=r"30\d s (old|early)"):
            verify(signed(at=now + off), b"{}", SECRET)
    with pytest.raises(SignatureInvalid):
        verify(headers, b"{}", SECRET, tolerance=60)
    assert verify(headers, b"{}", SECRET, now=now - 299, tolerance=1) == "id-1"


async def test_a_secret_is_replaced_without_a_pause(receiver: Receiver, holdfast_dsn: str) -> None:
    async with await opened(holdfast_dsn, receiver.url, outbox_secret=f"{OTHER},{SECRET}") as app:
        (made,) = await publish(app, 1)
        async with dispatching(app):
            await published(app, made)
    (request,) = receiver.taken
    for accepted in (SECRET, OTHER, [SECRET, OTHER]):
        assert verify(request.headers, request.body, accepted) == str(made)
    assert verify(signed(secret=SECRET), b"{}", [OTHER, SECRET]) == "id-1"


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_short", "whsec_" + "!" * 40, "whsec_" + "A" * 200])
def test_a_weak_secret_is_refused(secret: str) -> None:
    with pytest.raises(InvalidInput, match="secret"):
        signing_key(secret)


# ------------------------------------------------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("sinks", "mentions"),
    [
        ("kafka://x", "1. sink is none that there is"),
        ("stdout,ftp://hunter2@x", "2. sink is none that there is"),
        ("https://", "none that there is"),
        ("https://x:port/hunter2", "not an address"),
        ("https://ö..ö/hunter2", "not an address"),
        ("https://x/\x01hunter2", "not an address"),
        ("https://hunter2@x#mode=loud", "unknown mode"),
        ("https://hunter2@x#colour=red", "unknown option 'colour'"),
        ("https://x#timeout=never", "timeout"),
        ("https://x#timeout=0", "timeout"),
        ("https://x#secret=hunter2", "secret of its 1. sink"),
        ("https://x/a,https://x/a?b", "twice"),
        ("nats://x/a b", "prefix"),
        ("stdout#mode=binary", "unknown option 'mode'"),
    ],
)
def test_sinks_that_make_no_sense_are_refused_without_quoting_them(sinks: str, mentions: str) -> None:
    with pytest.raises(SettingsError, match=mentions) as caught:
        build_sinks(Settings.load({"HOLDFAST_OUTBOX_SINKS": sinks}))
    assert "hunter2" not in str(caught.value)


def test_a_bad_signing_secret_is_refused_without_quoting_it() -> None:
    with pytest.raises(SettingsError, match="outbox_secret") as caught:
        build_sinks(Settings.load({"HOLDFAST_OUTBOX_SECRET": "hunter2"}))
    assert "hunter2" not in str(caught.value)


async def test_a_sink_may_have_a_secret_of_its_own(receiver: Receiver, holdfast_dsn: str) -> None:
    async with await opened(holdfast_dsn, f"{receiver.url}#secret={OTHER}") as app:
        (made,) = await publish(app, 1)
        async with dispatching(app):
            await published(app, made)
    (request,) = receiver.taken
    assert verify(request.headers, request.body, OTHER) == str(made)
    with pytest.raises(SignatureInvalid):
        verify(request.headers, request.body, SECRET)


async def _tried(app: Holdfast, event_id: UUID, times: int) -> bool:
    event = await fetch(app, event_id)
    return event.attempts >= times and event.status != "processing"
