"""The trace that code runs in, as a W3C `traceparent`; none when nobody traces."""

from __future__ import annotations

from opentelemetry import trace
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

__all__ = ["PROPAGATOR", "current_trace_parent", "recording"]

PROPAGATOR = TraceContextTextMapPropagator()


def recording() -> bool:
    """Whether an OpenTelemetry SDK is set up. Before one is, the provider is a proxy, whose spans record nothing."""
    return not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)


def current_trace_parent() -> str | None:
    """That of the current span."""
    if not recording():
        return None
    carrier: dict[str, str] = {}
    PROPAGATOR.inject(carrier)
    return carrier.get("traceparent")
