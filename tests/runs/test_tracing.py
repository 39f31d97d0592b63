"""OpenTelemetry: from the span that enqueued a run to those of its attempts."""

from __future__ import annotations

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from holdfast import Holdfast, NewRun, Retry, Run, Snooze
from runs.conftest import TYPE, fetch, finished, working


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    return exporter


@pytest.mark.parametrize("way", ["one", "many", "transaction"])
async def test_an_attempt_is_linked_to_the_span_that_enqueued_it(
    live: Holdfast, spans: InMemorySpanExporter, way: str
) -> None:
    inside: list[int] = []

    @live.handler(TYPE)
    async def work(run: Run) -> None:
        inside.append(trace.get_current_span().get_span_context().trace_id)

    with trace.get_tracer("test").start_as_current_span("request") as request:
        if way == "one":
            made = await live.enqueue("acme", TYPE)
        elif way == "many":
            made, _ = await live.enqueue_many("acme", [NewRun(TYPE), NewRun(TYPE)])
        else:
            async with live.tenant("acme") as hold:
                made = await hold.runs.enqueue(TYPE)
    async with working(live):
        await finished(live, made.id)
    found = {span.name: span for span in spans.get_finished_spans()}
    enqueued, executed = found[f"enqueue {TYPE}"], found[f"run {TYPE}"]
    assert enqueued.kind is SpanKind.PRODUCER
    assert executed.kind is SpanKind.CONSUMER
    above = enqueued.parent
    if way == "transaction":
        (around,) = [span for span in spans.get_finished_spans() if above and span.context.span_id == above.span_id]
        assert around.name == "transaction"
        above = around.parent
    assert above is not None
    assert above.span_id == request.get_span_context().span_id
    assert [link.context.span_id for link in executed.links] == [enqueued.context.span_id]
    assert inside[0] == request.get_span_context().trace_id
    assert executed.attributes is not None
    assert executed.attributes["holdfast.run.type"] == TYPE


async def test_a_failed_attempt_is_marked_and_a_given_trace_is_kept(
    live: Holdfast, spans: InMemorySpanExporter
) -> None:
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    @live.handler(TYPE, retry=Retry(max_attempts=2, base=0.01))
    async def work(run: Run) -> None:
        if run.attempt == 1:
            raise ConnectionError("no route")

    made = await live.enqueue("acme", TYPE, trace_parent=parent)
    async with working(live):
        await finished(live, made.id)
    attempts = [span for span in spans.get_finished_spans() if span.name == f"run {TYPE}"]
    assert [span.status.status_code for span in attempts] == [StatusCode.ERROR, StatusCode.UNSET]
    assert {f"{span.context.trace_id:032x}" for span in attempts} == {"0af7651916cd43dd8448eb211c80319c"}
    assert (await fetch(live, made.id)).trace_parent == parent


async def test_without_an_sdk_nothing_is_carried(live: Holdfast) -> None:
    made = await live.enqueue("acme", TYPE)
    assert (await fetch(live, made.id)).trace_parent is None


async def test_a_snooze_is_no_error_and_a_result_that_cannot_be_stored_is_one(
    live: Holdfast, spans: InMemorySpanExporter
) -> None:
    snoozed: list[Run] = []

    @live.handler(TYPE, retry=Retry(max_attempts=1))
    async def work(run: Run) -> object:
        if not snoozed:
            snoozed.append(run)
            raise Snooze(0)
        return object()

    made = await live.enqueue("acme", TYPE)
    async with working(live):
        await finished(live, made.id)
    attempts = [span for span in spans.get_finished_spans() if span.name == f"run {TYPE}"]
    assert [span.status.status_code for span in attempts] == [StatusCode.UNSET, StatusCode.ERROR]
