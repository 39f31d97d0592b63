"""Signatures of webhooks, as the Standard Webhooks convention writes them.

A request carries `webhook-id`, `webhook-timestamp` and `webhook-signature: v1,‹base64›`, where the signature is the
HMAC-SHA256 of `id.timestamp.body`. The id is the effect's idempotency key: the same for every attempt.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime, timedelta

__all__ = ["sign", "verify_signature"]


def sign(secret: str, key: str, at: datetime, body: bytes) -> dict[str, str]:
    """The headers that prove who sent the body, and when."""
    timestamp = str(int(at.timestamp()))
    return {
        "webhook-id": key,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{_mac(secret, key, timestamp, body)}",
    }


def verify_signature(
    secret: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    now: datetime,
    tolerance: timedelta = timedelta(minutes=5),
) -> bool:
    """Whether a request is one of ours and recent; for those who receive webhooks."""
    given = {name.lower(): value for name, value in headers.items()}
    key, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if not timestamp.isascii() or not timestamp.isdigit():
        return False
    if abs(int(timestamp) - now.timestamp()) > tolerance.total_seconds():
        return False
    expected = f"v1,{_mac(secret, key, timestamp, body)}".encode()
    signatures = given.get("webhook-signature", "").encode().split()
    return any(hmac.compare_digest(expected, signature) for signature in signatures)


def _mac(secret: str, key: str, timestamp: str, body: bytes) -> str:
    signed = f"{key}.{timestamp}.".encode() + body
    return base64.b64encode(hmac.new(secret.encode(), signed, hashlib.sha256).digest()).decode()
