"""Idempotency keys: one name for every thing that may happen once only.

Each key is the SHA-256 of canonical JSON, so it is the same in every process and cannot be forged by gluing parts
together differently. A receipt with the key is written before the work is done; a second attempt finds the receipt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.kernel.json import canonical_hash

__all__ = ["effect_key", "event_key", "join_key", "step_key"]


def step_key(instance: str, node: str, token: str, entity_version: int) -> str:
    """The key of one step (WF-02): another document version is another step."""
    return canonical_hash([instance, node, token, entity_version])


def join_key(instance: str, join: str, entity_version: int, epoch: str) -> str:
    """The key of one firing of a join (WF-16).

    The epoch is the id of the token that was split: every split has its own, and so has every round of a loop. The
    version is that of the split's step, so that all arrivals of one round compute the same key.
    """
    return canonical_hash([instance, join, entity_version, epoch])


def event_key(instance: str, event_type: str, payload: Mapping[str, Any], entity_version: int) -> str:
    """The key of an event that advances an instance (WF-11)."""
    return canonical_hash([instance, event_type, canonical_hash(payload), entity_version])


def effect_key(step: str, effect_type: str, payload: Any) -> str:
    """The key of an effect that a step sends (WF-11)."""
    return canonical_hash([step, effect_type, canonical_hash(payload)])
