"""One trace for a document's way: from the request that submits it, through an approval, to the webhook at its end."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import httpx
import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from harness.receivers import HttpReceiver
from holdfast import Holdfast
from holdfast.http import build
from holdfast.testing import FakeClock
from people.office import FINANCE, SLOT, Office
from processes.shop import nodes, ways

CREATED = "00-33333333333333333333333333333333-4444444444444444-01"
SUBMITTED = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
DECIDED = "00-11111111111111111111111111111111-2222222222222222-01"
TRACE = int(SUBMITTED.split("-")[1], 16)


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    return exporter


@pytest.fixture
async def client(office: Office) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(build(office.app), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test/v1/acme") as client:
        yield client


async def signed_in(office: Office, user: str) -> dict[str, str]:
    async with office.app.tenant("acme") as hold:
        secret = (await hold.tokens.create(user, f"test-{user}")).secret
    return {"Authorization": f"Bearer {secret}", "If-Match": "*"}


async def walk(
    office: Office,
    client: httpx.AsyncClient,
    clock: FakeClock,
    *,
    created: str = SUBMITTED,
    by_process: bool = False,
) -> HttpReceiver:
    """Create an invoice over HTTP and submit it, let ben approve it over HTTP, and let a worker send the webhook."""
    async with HttpReceiver(204) as receiver:
        steps = nodes(("ask", "approval", FINANCE), ("hook", "webhook_out", {"url": receiver.url}))
        edges = ways("in -> ask", "ask -approved-> hook", "ask -rejected-> out", "hook -completed-> out")
        await office.shop.publish({SLOT: {"nodes": steps, "edges": edges, "exit_edge_mode": "join"}})
        ana, ben = await signed_in(office, "ana"), await signed_in(office, "ben")
        given = {"number": "7", "grand_total": "12500.00", "vendor": "acme"}
        made = await client.post(
            "/documents", headers=ana | {"traceparent": created}, json={"entity_type": "invoice", "data": given}
        )
        assert made.status_code == 201, made.text
        await office.shop.worker.drain()
        path, asked_for = f"/documents/{made.json()['id']}/transitions", {"transition": "submit"}
        if by_process:
            (instance,) = (await client.get("/processes", headers=ana)).json()["items"]
            path, asked_for = f"/processes/{instance['id']}/advance", {"event": "submit"}
        moved = await client.post(path, headers=ana | {"traceparent": SUBMITTED}, json=asked_for)
        assert moved.status_code == 200, moved.text
        await office.shop.worker.drain()
        (asked,) = (await client.get("/inbox", headers=ben)).json()["items"]
        answer = await client.post(
            f"/approvals/{asked['id']}/decisions",
            headers=ben | {"traceparent": DECIDED},
            json={"decision": "approved", "entity_version": 1},
        )
        assert answer.status_code in (200, 201), answer.text
        await office.shop.worker.drain()
        dsn = office.app.settings.dsn
        assert dsn is not None
        async with Holdfast(
            dsn=dsn.get_secret_value(), clock=clock, effects_allowed_networks="127.0.0.0/8", effects_timeout=2
        ) as sending:
            worker = sending.effects_worker()
            assert await worker.drain() == 1
            await worker.aclose()
        await office.shop.worker.drain()
    return receiver


def named(spans: InMemorySpanExporter, name: str) -> list[ReadableSpan]:
    return [span for span in spans.get_finished_spans() if span.name == name]


def stepped(spans: InMemorySpanExporter, node: str) -> list[ReadableSpan]:
    """Those of a step, whatever slot its node is in."""
    return [span for span in spans.get_finished_spans() if re.fullmatch(rf"step .*\b{node}", span.name)]


async def test_a_document_has_one_trace_from_submit_through_approval_to_the_webhook(
    office: Office, client: httpx.AsyncClient, spans: InMemorySpanExporter, holdfast_clock: FakeClock
) -> None:
    receiver = await walk(office, client, holdfast_clock)
    (submitted,) = named(spans, "POST /v1/{tenant}/documents/{document_id}/transitions")
    (decided,) = named(spans, "POST /v1/{tenant}/approvals/{request_id}/decisions")
    (decision,) = named(spans, "decide")
    (sent,) = named(spans, "send webhook")
    asked, hooked = stepped(spans, "ask"), stepped(spans, "hook")
    assert submitted.kind is SpanKind.SERVER
    assert submitted.context is not None
    for span in (submitted, decision, sent, *asked, *hooked):
        assert span.context is not None
        assert span.context.trace_id == TRACE, span.name
    # Whoever decides does so in a trace of their own; what follows is linked with it.
    assert decided.context is not None
    assert decided.context.trace_id == int(DECIDED.split("-")[1], 16)
    linked = {link.context.trace_id for span in (decision, *asked, *hooked) for link in span.links}
    assert decided.context.trace_id in linked
    assert len(asked) >= 2
    assert len(hooked) >= 2
    transactions = [span for span in named(spans, "transaction") if span.parent is not None]
    assert submitted.context.span_id in {span.parent.span_id for span in transactions if span.parent}
    # The receiver hears of the very attempt.
    (request,) = receiver.requests
    assert sent.context is not None
    assert request.headers["traceparent"] == f"00-{TRACE:032x}-{sent.context.span_id:016x}-01"
    # And so do the rows: who has no tracing finds the same id in the trail.
    async with office.app.tenant("acme") as hold:
        (effect,) = (await hold.effects.list()).items
    assert effect.trace_id == f"{TRACE:032x}"


@pytest.mark.parametrize("by_process", [False, True], ids=["as a document", "as a process"])
async def test_what_follows_from_a_submit_is_in_its_trace_whoever_created_the_document(
    office: Office, client: httpx.AsyncClient, spans: InMemorySpanExporter, holdfast_clock: FakeClock, by_process: bool
) -> None:
    await walk(office, client, holdfast_clock, created=CREATED, by_process=by_process)
    (decision,) = named(spans, "decide")
    (sent,) = named(spans, "send webhook")
    asked, hooked = stepped(spans, "ask"), stepped(spans, "hook")
    assert len(asked) >= 2
    assert len(hooked) >= 2
    for span in (decision, sent, *asked, *hooked):
        assert span.context is not None
        assert span.context.trace_id == TRACE, span.name
    # From the submit one finds the creating, and the other way by the document's trail.
    linked = {
        link.context.trace_id
        for span in spans.get_finished_spans()
        if span.context is not None and span.context.trace_id == TRACE
        for link in span.links
    }
    assert int(CREATED.split("-")[1], 16) in linked
    async with office.app.tenant("acme") as hold:
        (effect,) = (await hold.effects.list()).items
    assert effect.trace_id == f"{TRACE:032x}"


async def test_the_trace_of_a_request_is_kept_when_nobody_traces_here(
    office: Office, client: httpx.AsyncClient, holdfast_clock: FakeClock
) -> None:
    receiver = await walk(office, client, holdfast_clock)
    (request,) = receiver.requests
    assert request.headers["traceparent"].startswith(f"00-{TRACE:032x}-")
    async with office.app.tenant("acme") as hold:
        (effect,) = (await hold.effects.list()).items
        trail = (await hold.audit.list(object_id=effect.instance_id, limit=50)).items
    assert {event.trace_id for event in trail if event.trace_id} == {f"{TRACE:032x}"}


async def test_no_content_is_in_any_span(
    office: Office, client: httpx.AsyncClient, spans: InMemorySpanExporter, holdfast_clock: FakeClock
) -> None:
    await walk(office, client, holdfast_clock)
    told = " ".join(f"{span.name} {dict(span.attributes or {})} {span.events}" for span in spans.get_finished_spans())
    assert "12500" not in told
    assert "Bearer" not in told
