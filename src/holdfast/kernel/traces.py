"""The trace that code runs in, as a W3C `traceparent`; none when nobody traces."""

from __future__ import annotations

import sys
import time

from opentelemetry import trace
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

__all__ = ["PROPAGATOR", "current_trace_parent", "recording"]

PROPAGATOR = TraceContextTextMapPropagator()


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
