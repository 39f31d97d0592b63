"""Counts of what this process did, by label: plain numbers, no locks, read by whoever asks for metrics.

They are the process's, not an application's: code that counts needs to know nobody. The number of series is bounded;
beyond so many, the rest are one.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

__all__ = ["COUNTS", "DECIDED", "EFFECTS", "SESSION_NODES", "STEPS", "Count"]

_MOST: Final = 500
_OTHER: Final = "other"


class Count:
    """How often something happened, by what is worth telling apart."""

    __slots__ = ("_values", "labels", "name", "text")

    def __init__(self, name: str, text: str, *labels: str) -> None:
        self.name = name
        self.text = text
        self.labels = labels
        self._values: Counter[tuple[str, ...]] = Counter()

    def add(self, *labels: str) -> None:
        """Once more."""
        if labels not in self._values and len(self._values) >= _MOST:
            labels = (_OTHER,) * len(self.labels)
        self._values[labels] += 1

    def values(self) -> dict[tuple[str, ...], int]:
        """All of it, by labels."""
        return dict(self._values)


STEPS: Final = Count("holdfast_steps", "Steps of processes that were written, by what they are.", "node_type", "status")
DECIDED: Final = Count("holdfast_decisions", "Decisions on approvals that were recorded.", "decision")
EFFECTS: Final = Count("holdfast_effects_attempts", "Attempts to send effects, by their outcome.", "kind", "outcome")
SESSION_NODES: Final = Count("holdfast_session_nodes", "Nodes of graphs that were executed.", "workflow", "outcome")

COUNTS: Final = (STEPS, DECIDED, EFFECTS, SESSION_NODES)
"""All of them."""
