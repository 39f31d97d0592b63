"""Where events go. A sink takes one event at a time and returns once it is safe there.

What it raises says what becomes of the event: `Undeliverable` makes it a dead letter at once, `TryLater` asks for
another attempt after a pause of the sink's choosing, anything else is tried again with backoff.
"""

from holdfast.outbox.sinks.configuring import build_sinks
from holdfast.outbox.sinks.protocol import Sink, TryLater, Undeliverable
from holdfast.outbox.sinks.registry import Sinks

__all__ = ["Sink", "Sinks", "TryLater", "Undeliverable", "build_sinks"]
