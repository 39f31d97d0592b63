"""The trace that code runs in, as a W3C `traceparent`; none when nobody traces."""

from __future__ import annotations

import hashlib
import re
import sys
import time

from opentelemetry import trace
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from holdfast.errors import InvalidInput

__all__ = [
    "PROPAGATOR",
    "check_trace_parent",
    "current_trace_parent",
    "recording",
    "trace_parent_of",
    "usable_trace_parent",
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
