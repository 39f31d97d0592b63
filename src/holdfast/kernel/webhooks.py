"""Signatures of webhooks, as Standard Webhooks has them: made by whoever sends (outbox, effects), checked by receivers.

    webhook-id: the id of the event or the key of the effect, the same at every attempt
    webhook-timestamp: seconds since 1970, of this attempt
    webhook-signature: v1,‹base64 of HMAC-SHA256 over "‹id›.‹timestamp›.‹body›"›, one for each secret, by spaces

Against replay: the timestamp is signed and must be recent, and the id, which is signed too, is what the receiver keeps
to do nothing twice. It needs that anyway, because an event may rightly come more than once.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Iterable, Mapping

from holdfast.errors import InvalidInput, SignatureInvalid

__all__ = ["sign", "signing_key", "verify"]

_PREFIX = "whsec_"


def signing_key(secret: str) -> bytes:
    """The key that a secret stands for: `whsec_‹base64›`, of 24 to 64 bytes."""
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not 24 <= len(key) <= 64:
        raise InvalidInput(
            "the signing secret is not valid",
            hint="use whsec_ and 24 to 64 random bytes in base64: `openssl rand -base64 32`",
            field="secret",
        )
    return key


def sign(keys: Iterable[bytes], event_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The headers of one attempt, signed with each key."""
    signatures = (f"v1,{_signature(key, event_id, str(timestamp), body)}" for key in keys)
    return {
        "webhook-id": event_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signatures),
    }


def verify(
    headers: Mapping[str, str],
    body: bytes,
    secrets: str | Iterable[str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> str:
    """Check a request that was sent from here and answer with its id; raises `SignatureInvalid`.

    Give the body as it came, before anything parsed it. With several secrets, one of which must fit, a secret can be
    replaced without a pause. Keep the id with what you do about the event, in one transaction, and answer 2xx without
    doing it again when the id is known: that is what makes a request that somebody recorded and sends again harmless.
    """
    given = {name.lower(): value for name, value in headers.items()}
    event_id, timestamp, signatures = (given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not event_id or not timestamp or not signatures:
        raise SignatureInvalid("the request is not signed", hint="it needs webhook-id, -timestamp and -signature")
    if not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > 15:
        raise SignatureInvalid("webhook-timestamp is not a time")
    age = (time.time() if now is None else now) - int(timestamp)
    if abs(age) > tolerance:
        raise SignatureInvalid(
            f"the request is {abs(age):.0f} s {'old' if age > 0 else 'early'}",
            hint="it was recorded and sent again, or one of the clocks is wrong",
        )
    keys = [signing_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    expected = [_signature(key, event_id, timestamp, body).encode() for key in keys]
    offered = [word[3:].encode(errors="replace") for word in signatures.split() if word.startswith("v1,")]
    # Every pair is compared, in constant time: how long it takes tells nothing.
    matches = [hmac.compare_digest(one, other) for one in expected for other in offered]
    if not any(matches):
        raise SignatureInvalid("the signature does not fit", hint="check the secret, and verify the body as it came")
    return event_id


def _signature(key: bytes, event_id: str, timestamp: str, body: bytes) -> str:
    signed = f"{event_id}.{timestamp}.".encode(errors="replace") + body
    return base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
