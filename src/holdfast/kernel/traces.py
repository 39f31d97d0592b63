"""The trace that code runs in, as a W3C `traceparent`; none when nobody traces.

What a document's process does belongs to one trace, that of the request which began it or last moved the document,
whoever lets it go on and wherever: rows carry its id, and a span that is made for them (`span_of`) is in that trace and
linked from the request or attempt that happened to do it.
"""

from __future__ import annotations

import hashlib
import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.trace import Link, Span, SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from holdfast.errors import InvalidInput

__all__ = [
    "PROPAGATOR",
    "check_trace_parent",
    "current_trace_parent",
    "is_traced",
    "link_to",
    "recording",
    "span_of",
    "told_span",
    "trace_parent_of",
    "usable_trace_parent",
    "within_request",
]

PROPAGATOR = TraceContextTextMapPropagator()
# Ids of zeros alone, and the version ff, are what the standard calls invalid.
_TRACE_PARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
_TRACE_ID = re.compile(r"(?!0{32})[0-9a-f]{32}")

_ASK_EVERY = 1.0
_asked = 0.0


def recording() -> bool:
    """Whether somebody traces. Before a provider is set, there is a proxy, whose spans record nothing.

    Asking OpenTelemetry costs more than many a run. Where its SDK is not even imported, it is asked once a second.
    """
    global _asked
    now = time.monotonic()
    if now - _asked < _ASK_EVERY and "opentelemetry.sdk.trace" not in sys.modules:
        return False
    found = not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)
    _asked = 0.0 if found else now
    return found


def current_trace_parent() -> str | None:
    """That of the current span."""
    if not recording():
        return None
    carrier: dict[str, str] = {}
    PROPAGATOR.inject(carrier)
    return carrier.get("traceparent")


def is_traced() -> bool:
    """Whether there is a trace to be in: somebody records one, or a request came with it."""
    return trace.get_current_span().get_span_context().is_valid


def trace_parent_of(trace_id: str | None, work: str) -> str | None:
    """What a piece of work hands on of the trace it belongs to: its span has the same id at every attempt."""
    if trace_id is None or not _TRACE_ID.fullmatch(trace_id):
        return None
    return f"00-{trace_id}-{hashlib.sha256(work.encode()).hexdigest()[:16]}-01"


def usable_trace_parent(value: str | None) -> str | None:
    """One that a request came with; whatever is none of this version is left out, as the standard asks."""
    return value if value is not None and value.startswith("00-") and _TRACE_PARENT.fullmatch(value) else None


def check_trace_parent(value: str) -> str:
    """One that somebody gives: it goes out to other systems, in headers too."""
    if not isinstance(value, str) or not _TRACE_PARENT.fullmatch(value):
        raise InvalidInput(
            f"trace_parent is {value!r:.100}",
            hint="give a W3C traceparent, 00-‹32 lower-case hexadecimal digits, not all zeros›-‹16, not all zeros›-‹2›",
            field="trace_parent",
        )
    return value


@contextmanager
def span_of(
    name: str,
    trace_id: str | None = None,
    *,
    kind: SpanKind = SpanKind.INTERNAL,
    attributes: Mapping[str, str | int] | None = None,
) -> Iterator[Span | None]:
    """A span around a block, of the trace that is named or of the current one; None, and no cost, when nobody traces.

    What is raised marks it as failed, with the name of the error and not with what it says: that may quote content.
    """
    if not recording():
        yield None
        return
    context, links = _of_trace(trace_id)
    with trace.get_tracer("holdfast").start_as_current_span(
        name,
        context=context,
        kind=kind,
        links=links,
        attributes=attributes,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield span
        except Exception as error:
            span.set_status(Status(StatusCode.ERROR, type(error).__name__))
            raise


def link_to(trace_id: str | None) -> None:
    """Link the current span with a trace that what it does was part of before."""
    parent = None if trace_id is None else trace_parent_of(trace_id, trace_id)
    if parent is None or not recording():
        return
    before = trace.get_current_span(PROPAGATOR.extract({"traceparent": parent}, contexts.Context()))
    trace.get_current_span().add_link(before.get_span_context())


def told_span(name: str, trace_id: str | None, attributes: Mapping[str, str | int], *, failed: bool = False) -> None:
    """A span for something that was done within another one, of the trace it belongs to; only when somebody traces."""
    context, links = _of_trace(trace_id)
    span = trace.get_tracer("holdfast").start_span(name, context=context, links=links, attributes=attributes)
    if failed:
        span.set_status(Status(StatusCode.ERROR))
    span.end()


@contextmanager
def within_request(name: str, trace_parent: str | None) -> Iterator[Span | None]:
    """The span of a request, in the trace that it came with. Whoever instruments the server has one already.

    When nobody traces here, the trace that the request came with is kept all the same: rows carry it on.
    """
    given = usable_trace_parent(trace_parent)
    if trace.get_current_span().get_span_context().is_valid or (given is None and not recording()):
        yield None
        return
    context = PROPAGATOR.extract({"traceparent": given}) if given else None
    if recording():
        with trace.get_tracer("holdfast").start_as_current_span(
            name, context=context, kind=SpanKind.SERVER, record_exception=False, set_status_on_exception=False
        ) as span:
            yield span
        return
    assert context is not None
    token = contexts.attach(context)
    try:
        yield None
    finally:
        contexts.detach(token)


def _of_trace(trace_id: str | None) -> tuple[contexts.Context | None, list[Link]]:
    """Where a span of a trace belongs, and what it is linked with; nothing special when it is the current trace."""
    current = trace.get_current_span().get_span_context()
    if trace_id is None or (current.is_valid and format(current.trace_id, "032x") == trace_id):
        return None, []
    parent = trace_parent_of(trace_id, trace_id)
    if parent is None:
        return None, []
    return PROPAGATOR.extract({"traceparent": parent}, contexts.Context()), [Link(current)] if current.is_valid else []
