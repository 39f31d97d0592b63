"""OpenTelemetry: the span in which a run was enqueued is the parent of, and linked from, those of its attempts.

Runs carry it as a W3C `traceparent`. Without an SDK in the process nothing is measured and nothing costs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.trace import Link, SpanKind, Status, StatusCode

from holdfast.kernel.traces import PROPAGATOR, current_trace_parent, recording
from holdfast.runs.model import Run
from holdfast.runs.signals import Snooze

__all__ = ["enqueueing", "executing"]


@contextmanager
def enqueueing(types: Collection[str], given: str | None) -> Iterator[str | None]:
    """The `traceparent` for runs that are enqueued within the block; one that was given wins."""
    if given is not None or not recording():
        yield given
        return
    name = next(iter(types)) if len(types) == 1 else f"{len(types)} types"
    attributes = {"messaging.system": "holdfast", "messaging.operation.type": "send", "holdfast.run.type": name}
    with trace.get_tracer("holdfast").start_as_current_span(
        f"enqueue {name}", kind=SpanKind.PRODUCER, attributes=attributes
    ):
        yield current_trace_parent()


@contextmanager
def executing(run: Run) -> Iterator[None]:
    """The span of one attempt, when somebody traces; what the handler raises marks it as failed."""
    context = PROPAGATOR.extract({"traceparent": run.trace_parent}) if run.trace_parent else None
    cause = trace.get_current_span(context).get_span_context()
    attributes: dict[str, str | int] = {
        "messaging.system": "holdfast",
        "messaging.operation.type": "process",
        "holdfast.run.type": run.type,
        "holdfast.run.id": run.id_text,
        "holdfast.run.attempt": run.attempt,
        "holdfast.tenant": run.tenant_text,
    }
    with trace.get_tracer("holdfast").start_as_current_span(
        f"run {run.type}",
        context=context,
        kind=SpanKind.CONSUMER,
        links=[Link(cause)] if cause.is_valid else [],
        attributes=attributes,
        record_exception=True,
        set_status_on_exception=False,
    ) as span:
        try:
            yield
        except Snooze:
            # Not now is no failure.
            raise
        except Exception as error:
            span.set_status(Status(StatusCode.ERROR, f"{type(error).__name__}: {error}"))
            raise
