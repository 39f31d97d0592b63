"""What is sent, as it is stored: as it is, or under the keyring but for what the database reads of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from holdfast.kernel.json import canonical_json, dump, parse_json
from holdfast.kernel.sealing import Sealing

__all__ = ["opened_payload", "stored_payload"]

_CLEAR: Final = ("secret", "max_attempts")
"""The name of a secret is how a worker is given it, and how the trail tells of its use."""


def stored_payload(sealing: Sealing, tenant: UUID, text: str) -> str:
    """The canonical text of a payload as it is stored."""
    if not sealing.encrypts:
        return text
    payload: dict[str, Any] = parse_json(text)
    kept = {name: payload.pop(name) for name in _CLEAR if name in payload}
    sealed: dict[str, Any] = parse_json(sealing.seal(tenant, canonical_json(payload).decode()))
    return canonical_json(kept | sealed).decode()


def opened_payload(sealing: Sealing, tenant: UUID, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The payload that was given, with exact numbers."""
    kept = dict(payload)
    if not isinstance(kept.get("$sealed"), str):
        return kept
    inner: dict[str, Any] = parse_json(sealing.open(tenant, dump({"$sealed": kept.pop("$sealed")})))
    return inner | kept
