"""What each sender does with what receivers do to it."""

from __future__ import annotations

import asyncio
import gzip
import re
import ssl
import tracemalloc
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from harness.receivers import CERTIFICATE, HttpReceiver, MailReceiver, Received, answer
from harness.waiting import forever
from holdfast.effects import Delivery, Outgoing, Undelivered
from holdfast.effects.guard import Allowed
from holdfast.effects.mail import Mail, MailServer, Recipient
from holdfast.effects.secrets import SigningSecret
from holdfast.effects.webhook import Webhooks
from holdfast.errors import SignatureInvalid
from holdfast.kernel.ids import uuid7
from holdfast.kernel.webhooks import signing_key, verify

NOW = datetime(2026, 6, 4, 12, 0, tzinfo=UTC)
SECRET = "whsec_" + b64encode(b"a secret that nobody must see").decode()


def outgoing(kind: str = "webhook", *, earlier: dict[str, Any] | None = None, **payload: Any) -> Outgoing:
    return Outgoing(
        tenant=UUID(int=1),
        id=uuid7(),
        created_at=NOW,
        epoch=1,
        kind=kind,
        payload=payload,
        key="k" * 64,
        attempt=1,
        max_attempts=5,
        instance_id=UUID(int=2),
        step_key="s" * 64,
        node_id="usr:slot:main:hook",
        token_id="main",
        awaited=True,
        trace_id=None,
        earlier=earlier,
        now=NOW,
    )


async def read_secret(effect: Outgoing) -> SigningSecret | None:
    hosts = ("127.0.0.1", "localhost")
    return SigningSecret("signing", hosts, signing_key(SECRET)) if effect.payload["secret"] == "signing" else None


def webhooks(**options: Any) -> Webhooks:
    return Webhooks(read_secret, **{"allowed": Allowed.parse(["127.0.0.0/8"]), "timeout": 5.0, **options})


async def refused(sender: Webhooks, effect: Outgoing) -> Undelivered:
    with pytest.raises(Undelivered) as caught:
        await sender.send(effect)
    await sender.aclose()
    return caught.value


async def test_a_webhook_is_signed_and_carries_its_idempotency_key() -> None:
    async with HttpReceiver(200) as receiver:
        sender = webhooks()
        effect = outgoing(
            url=f"{receiver.url}/in?x=1",
            method="PUT",
            headers={"X-Own": "yes", "Idempotency-Key": "forged", "Host": "forged.example"},
            body={"total": Decimal("12500.10"), "name": "Ünal"},
            secret="signing",
        )
        delivery = await sender.send(effect)
        await sender.aclose()
    (request,) = receiver.requests
    assert (request.method, request.path, request.headers["x-own"]) == ("PUT", "/in?x=1", "yes")
    assert request.body == '{"name":"Ünal","total":12500.1}'.encode()
    assert request.headers["idempotency-key"] == effect.key
    assert request.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert verify(request.headers, request.body, SECRET, now=NOW.timestamp()) == effect.key
    other = "whsec_" + b64encode(b"another secret of some length").decode()
    for body, secret, late in ((request.body + b" ", SECRET, 0), (request.body, other, 0), (request.body, SECRET, 400)):
        with pytest.raises(SignatureInvalid):
            verify(request.headers, body, secret, now=NOW.timestamp() + late)
    assert delivery.evidence["status"] == 200
    assert SECRET not in repr(delivery)


async def test_a_webhook_that_hangs_is_given_up_and_tried_again() -> None:
    async def hang(_: Received, __: asyncio.StreamWriter) -> None:
        await forever()

    async with HttpReceiver(hang) as receiver:
        problem = await refused(webhooks(timeout=0.2), outgoing(url=receiver.url))
    assert (problem.code, problem.again) == ("timed_out", True)


async def test_a_webhook_that_drips_cannot_outlast_the_deadline() -> None:
    async def drip(_: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n")
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.02)  # time itself: bytes come more often than anybody would lose patience with one

    async with HttpReceiver(drip) as receiver:
        problem = await refused(webhooks(timeout=0.3), outgoing(url=receiver.url))
    assert problem.code == "timed_out"


async def test_a_redirect_to_a_private_address_is_refused() -> None:
    async def away(_: Received, writer: asyncio.StreamWriter) -> None:
        await answer(writer, 307, headers={"location": "http://169.254.169.254/latest/meta-data"})

    async with HttpReceiver(away) as receiver:
        problem = await refused(webhooks(), outgoing(url=receiver.url))
    assert (problem.code, problem.again) == ("address_refused", False)
    assert "169.254.169.254" in problem.message


async def test_a_redirect_leaves_what_is_secret_behind() -> None:
    async with HttpReceiver(200) as other:

        async def away(_: Received, writer: asyncio.StreamWriter) -> None:
            await answer(writer, 308, headers={"location": f"{other.url}/there"})

        async with HttpReceiver(away) as receiver:
            sender = webhooks()
            effect = outgoing(url=receiver.url, headers={"Authorization": "Bearer x"}, body={"a": 1}, secret="signing")
            await sender.send(effect)
            await sender.aclose()
    (request,) = other.requests
    assert (request.method, request.path, request.body) == ("POST", "/there", b'{"a":1}')
    assert not {"authorization", "webhook-signature"} & set(request.headers)


async def test_redirects_that_lead_in_a_circle_end() -> None:
    async def again(_: Received, writer: asyncio.StreamWriter) -> None:
        await answer(writer, 307, headers={"location": "/"})

    async with HttpReceiver(again) as receiver:
        problem = await refused(webhooks(), outgoing(url=receiver.url))
        assert len(receiver.requests) == 4
    assert problem.code == "too_many_redirects"


@pytest.mark.parametrize(
    ("status", "again"), [(500, True), (503, True), (429, True), (408, True), (400, False), (404, False), (302, False)]
)
async def test_whether_another_attempt_may_help_follows_from_the_status(status: int, again: bool) -> None:
    async with HttpReceiver(status) as receiver:
        problem = await refused(webhooks(), outgoing(url=receiver.url))
    assert problem.again is again
    assert problem.evidence["status"] == status


@pytest.mark.parametrize(
    ("text", "pause"),
    [
        ("7", timedelta(seconds=7)),
        ("999999999", timedelta(hours=1)),
        ("Thu, 04 Jun 2026 12:00:30 GMT", timedelta(seconds=30)),
        ("soon", None),
    ],
)
async def test_a_receiver_may_say_when_to_come_again(text: str, pause: timedelta | None) -> None:
    async def later(_: Received, writer: asyncio.StreamWriter) -> None:
        await answer(writer, 503, headers={"retry-after": text})

    async with HttpReceiver(later) as receiver:
        problem = await refused(webhooks(), outgoing(url=receiver.url))
    assert problem.after == pause


async def test_of_a_huge_answer_only_the_beginning_is_read() -> None:
    async def flood(_: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b"x\0" * 4096)
            await writer.drain()

    async with HttpReceiver(flood) as receiver:
        sender = webhooks(response_limit=1000)
        delivery = await sender.send(outgoing(url=receiver.url))
        await sender.aclose()
    assert delivery.evidence["truncated"]
    assert len(delivery.evidence["body"]) == 1000
    assert "\0" not in delivery.evidence["body"]


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("ftp://example.org/", "url_refused"),
        ("file:///etc/passwd", "url_refused"),
        ("http://user:password@127.0.0.1/", "url_refused"),
        ("http:///nowhere", "url_refused"),
        ("http://127.0.0.1:1/", "not_reached"),
        ("http://127.0.0.1:99999/", "url_refused"),
    ],
)
async def test_what_is_no_address_of_the_web_is_refused(url: str, code: str) -> None:
    problem = await refused(webhooks(), outgoing(url=url))
    assert problem.code == code
    assert "password" not in problem.message


async def test_private_addresses_are_refused_unless_allowed() -> None:
    async with HttpReceiver(200) as receiver:
        problem = await refused(webhooks(allowed=Allowed()), outgoing(url=receiver.url))
        assert not receiver.requests
    assert problem.code == "address_refused"


async def test_a_certificate_is_checked_against_the_name_although_the_address_is_pinned() -> None:
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(CERTIFICATE)
    trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
    async with HttpReceiver(200, tls=serving) as receiver:
        sender = webhooks(verify=trusting)
        named = await sender.send(outgoing(url=f"https://localhost:{receiver.port}/"))
        assert named.evidence["address"] == "127.0.0.1"
        assert receiver.requests[0].headers["host"] == f"localhost:{receiver.port}"
        numbered = await refused(sender, outgoing(url=f"https://127.0.0.1:{receiver.port}/"))
        unknown = await refused(webhooks(), outgoing(url=f"https://localhost:{receiver.port}/"))
        assert len(receiver.requests) == 1
    assert "certificate" in numbered.message
    assert "certificate" in unknown.message


async def test_a_secret_that_is_not_there_is_no_reason_to_send_unsigned() -> None:
    async with HttpReceiver(200) as receiver:
        problem = await refused(webhooks(), outgoing(url=receiver.url, secret="missing"))
        assert not receiver.requests
    # It waits for an operator, and that is no attempt.
    assert (problem.code, problem.again, problem.counts) == ("secret_missing", True, False)


PEOPLE = [Recipient("ben", "ben@example.org"), Recipient("cat", "cat@example.org"), Recipient("dan", None)]


def mail(receiver: MailReceiver, people: Sequence[Recipient] = PEOPLE) -> Mail:
    async def find(tenant: UUID, to: Sequence[Any]) -> list[Recipient]:
        return list(people)

    return Mail(find, server=MailServer.parse(receiver.url), sender="Holdfast <no-reply@example.org>", timeout=5)


MESSAGE: dict[str, Any] = {
    "to": [{"kind": "role", "role": "x"}],
    "subject": "Ünal\r\nBcc: all@example.org",
    "body": "Grüße\n.\nEnde",
}


async def test_everybody_gets_a_message_of_their_own() -> None:
    async with MailReceiver() as receiver:
        delivery = await mail(receiver).send(outgoing("email", **MESSAGE))
    assert [to for to, _ in receiver.messages] == [["ben@example.org"], ["cat@example.org"]]
    message = receiver.messages[0][1]
    assert message["subject"] == "Ünal Bcc: all@example.org"
    assert message["bcc"] is None
    assert message["idempotency-key"].strip() == "k" * 64
    assert message.get_content().replace("\r\n", "\n").strip().startswith("Grüße\n.")
    assert set(delivery.evidence["accepted"]) == {"ben@example.org", "cat@example.org"}
    assert delivery.evidence["without_address"] == ["dan"]


async def test_an_attempt_that_reached_some_is_continued_with_the_others() -> None:
    async with MailReceiver() as receiver:
        receiver.drop_after = 1
        with pytest.raises(Undelivered) as caught:
            await mail(receiver).send(outgoing("email", **MESSAGE))
        assert (caught.value.code, caught.value.again) == ("mail_unreachable", True)
        receiver.drop_after = None
        again = outgoing("email", earlier=dict(caught.value.evidence), **MESSAGE)
        delivery = await mail(receiver).send(again)
    assert [to for to, _ in receiver.messages] == [["ben@example.org"], ["cat@example.org"]]
    assert len({message["message-id"] for _, message in receiver.messages}) == 2
    assert isinstance(delivery, Delivery)


async def test_a_refused_address_does_not_keep_others_from_getting_theirs() -> None:
    async with MailReceiver() as receiver:
        receiver.refused.add("ben@example.org")
        with pytest.raises(Undelivered) as caught:
            await mail(receiver).send(outgoing("email", **MESSAGE))
    assert [to for to, _ in receiver.messages] == [["cat@example.org"]]
    assert caught.value.evidence["refused"] == {"ben@example.org": "550 no such mailbox"}
    assert (caught.value.code, caught.value.again) == ("mail_refused", False)


async def test_a_mail_server_that_cannot_be_reached_has_refused_nothing() -> None:
    async with MailReceiver() as receiver:
        pass
    with pytest.raises(Undelivered) as caught:
        await mail(receiver).send(outgoing("email", **MESSAGE))
    assert (caught.value.code, caught.value.again) == ("mail_unreachable", True)
    assert f"127.0.0.1:{receiver.port}" in caught.value.message


@pytest.mark.parametrize(
    ("answers", "code", "again"),
    [
        ({"HELLO": "421 busy"}, "mail_deferred", True),
        ({"HELLO": "554 go away"}, "mail_not_allowed", True),
        ({"MAIL": "451 later"}, "mail_deferred", True),
        ({"MAIL": "530 log in first"}, "mail_not_allowed", True),
        ({"RCPT": "450 greylisted"}, "mail_deferred", True),
        ({"RCPT": "550 no such mailbox"}, "mail_refused", False),
        ({"DATA": "452 disk full"}, "mail_deferred", True),
        ({"DATA": "554 looks like spam"}, "mail_refused", False),
        ({"EHLO": "500 what", "HELO": "500 what"}, "mail_not_allowed", True),
    ],
)
async def test_what_a_mail_server_says_is_called_what_it_is(answers: dict[str, str], code: str, again: bool) -> None:
    async with MailReceiver() as receiver:
        receiver.answers |= answers
        with pytest.raises(Undelivered) as caught:
            await mail(receiver).send(outgoing("email", **MESSAGE))
    assert (caught.value.code, caught.value.again) == (code, again)
    assert receiver.messages == []


async def test_a_login_that_is_refused_is_tried_again_once_an_operator_has_mended_it() -> None:
    async with MailReceiver() as receiver:
        receiver.answers |= {"EHLO": "250-sink\r\n250 AUTH PLAIN", "AUTH": "535 wrong password"}
        server = MailServer.parse(receiver.url.replace("//", "//ana:s3cret-word@"))
        sender = Mail(mail(receiver)._find, server=server, sender="a@example.org", timeout=5)
        with pytest.raises(Undelivered) as caught:
            await sender.send(outgoing("email", **MESSAGE))
    assert (caught.value.code, caught.value.again) == ("mail_not_allowed", True)
    assert "s3cret-word" not in caught.value.message


async def test_who_is_refused_for_good_is_not_asked_for_again_but_who_is_deferred_is() -> None:
    async with MailReceiver() as receiver:
        receiver.refused.add("ben@example.org")
        receiver.deferred.add("cat@example.org")
        with pytest.raises(Undelivered) as caught:
            await mail(receiver).send(outgoing("email", **MESSAGE))
        assert (caught.value.code, caught.value.again) == ("mail_deferred", True)
        receiver.refused.clear()
        receiver.deferred.clear()
        second = replace(outgoing("email", earlier=dict(caught.value.evidence), **MESSAGE), attempt=2)
        with pytest.raises(Undelivered) as caught:
            await mail(receiver).send(second)
        assert [to for to, _ in receiver.messages] == [["cat@example.org"]]
        assert (caught.value.code, caught.value.again) == ("mail_refused", False)
        # Replayed by an operator, it begins anew: with those who did not get it.
        await mail(receiver).send(outgoing("email", earlier=dict(caught.value.evidence), **MESSAGE))
    assert [to for to, _ in receiver.messages] == [["cat@example.org"], ["ben@example.org"]]


async def test_mail_without_anybody_to_write_to_says_so() -> None:
    async with MailReceiver() as receiver:
        with pytest.raises(Undelivered) as caught:
            await mail(receiver, [Recipient("dan", None)]).send(outgoing("email", **MESSAGE))
    assert (caught.value.code, caught.value.again) == ("nobody_to_tell", False)


def test_a_mail_server_never_shows_its_password() -> None:
    server = MailServer.parse("smtp+starttls://ana:s%40cret@mail.example:2525")
    assert (server.user, server.password, server.port, server.starttls) == ("ana", "s@cret", 2525, True)
    assert "s@cret" not in repr(server)
    with pytest.raises(ValueError, match="smtp://"):
        MailServer.parse("http://mail.example")


async def test_a_receiver_can_continue_the_trace() -> None:
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    async with HttpReceiver(200) as receiver:
        sender = webhooks()
        for given in (trace, "no trace", "0" * 32, None):
            await sender.send(replace(outgoing(url=receiver.url), trace_id=given))
        await sender.aclose()
    first, *others = [request.headers.get("traceparent") for request in receiver.requests]
    assert first is not None
    assert re.fullmatch(f"00-{trace}-(?!0{{16}})[0-9a-f]{{16}}-01", first)
    assert others == [None, None, None]


@pytest.mark.parametrize(
    "request_of", [{"url": "http://xn--/"}, {"url": "http://127.0.0.1:9/", "headers": {"X-City": "Köln 😀"}}]
)
async def test_what_cannot_be_written_is_not_tried_again(request_of: dict[str, Any]) -> None:
    problem = await refused(webhooks(), outgoing(**request_of))
    assert (problem.code, problem.again) == ("url_refused", False)


async def test_what_a_receiver_packs_is_not_unpacked() -> None:
    """Packed three times over, a gigabyte is a few hundred bytes."""
    bomb = gzip.compress(gzip.compress(gzip.compress(bytes(50_000_000))))
    assert len(bomb) < 2_000

    async def packed(_: Received, writer: asyncio.StreamWriter) -> None:
        await answer(writer, 200, bomb, {"content-encoding": "gzip, gzip, gzip"})

    async with HttpReceiver(packed) as receiver:
        sender = webhooks(response_limit=1000)
        tracemalloc.start()
        delivery = await sender.send(outgoing(url=receiver.url, body={}))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        await sender.aclose()
    assert receiver.requests[0].headers["accept-encoding"] == "identity"
    assert delivery.evidence["headers"]["content-encoding"] == "gzip, gzip, gzip"
    assert len(delivery.evidence["body"]) <= 1000
    assert peak < 5_000_000


async def test_an_address_that_is_none_keeps_no_mail_from_others_and_reaches_nobody_else() -> None:
    odd = (
        "a,b@example.org",
        "<c>@example.org",
        "d@e@example.org",
        "f g@example.org",
        "h(i)@example.org",
        "ö@example.org",
    )
    good = ("aaa@example.org", "zoe@münchen.example", '"quoted name"@example.org')

    async def find(tenant: UUID, to: Sequence[Any]) -> list[Recipient]:
        return [Recipient(f"p{number}", address) for number, address in enumerate((*odd, *good))]

    async with MailReceiver() as receiver:
        mail = Mail(find, server=MailServer.parse(receiver.url), sender="Holdfast <no-reply@example.org>", timeout=5)
        with pytest.raises(Undelivered) as caught:
            await mail.send(outgoing("email", to=[], subject="s", body="b"))
    assert {address for to, _ in receiver.messages for address in to} == {
        "aaa@example.org",
        "zoe@xn--mnchen-3ya.example",
        '"quoted name"@example.org',
    }
    assert caught.value.code == "mail_refused"
    assert set(caught.value.evidence["accepted"]) == set(good)
    assert set(caught.value.evidence["refused"]) == set(odd)
