"""Arrivals: events that came before anybody waited for them, and who takes them up.

An event is kept until a step waits for its key and accepts it; one that is not accepted stays for whoever does. Of
several, the oldest is tried first.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from holdfast.envelope.tokens.happenings import EventArrived, Facts
from holdfast.envelope.tokens.machine import Advance, Machine
from holdfast.envelope.tokens.position import Position

__all__ = ["EVENT_TTL", "awaited_keys", "taken_up"]

EVENT_TTL: Final = timedelta(days=7)
"""How long an event is kept that nothing waits for yet, unless whoever tells it says otherwise."""


def awaited_keys(position: Position) -> list[str]:
    """The keys of events a position waits for."""
    steps = [token.step for token in position.tokens.values() if token.state == "waiting"]
    return sorted({step.event_key for step in steps if step is not None and step.event_key is not None})


def taken_up(machine: Machine, position: Position, key: str, payload: Any, facts: Facts) -> Advance | None:
    """What an event leads to; None when no step that waits for its key accepts it, and it is kept."""
    moved = machine.advance(position, EventArrived(key, payload), facts)
    return moved if moved.result == "advanced" and moved.steps else None
