"""Signatures that any library of Standard Webhooks takes, and those of such a library that we take."""

from __future__ import annotations

import base64
import time
from datetime import UTC, datetime

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from holdfast.errors import InvalidInput, SignatureInvalid
from holdfast.kernel.webhooks import sign, signing_key, verify

SECRET = "whsec_" + base64.b64encode(b"thirty-two bytes of randomness!!").decode()
OTHER = "whsec_" + base64.b64encode(b"thirty-two bytes of other stuff!").decode()
BODY = '{"total": "12500.10", "name": "Ünal"}'


def test_the_reference_library_verifies_what_we_sign() -> None:
    headers = sign([signing_key(OTHER), signing_key(SECRET)], "msg_1", int(time.time()), BODY.encode())
    assert Webhook(SECRET).verify(BODY, headers)["total"] == "12500.10"
    with pytest.raises(WebhookVerificationError):
        Webhook(SECRET).verify(BODY + " ", headers)


def test_we_verify_what_the_reference_library_signs() -> None:
    now = datetime.now(UTC)
    headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(SECRET).sign("msg_1", now, BODY),
    }
    assert verify(headers, BODY.encode(), SECRET) == "msg_1"
    with pytest.raises(SignatureInvalid):
        verify(headers, BODY.encode(), OTHER)


@pytest.mark.parametrize("timestamp", ["9" * 5000, "²", "-1", "", "1e9"])
def test_a_time_that_is_none_is_a_refusal(timestamp: str) -> None:
    headers = sign([signing_key(SECRET)], "msg_1", int(time.time()), BODY.encode()) | {"webhook-timestamp": timestamp}
    with pytest.raises(SignatureInvalid):
        verify(headers, BODY.encode(), SECRET)


@pytest.mark.parametrize("secret", ["", "whsec_", "short", "whsec_" + "!" * 44, "0123456789abcdef"])
def test_a_secret_that_is_none_is_refused(secret: str) -> None:
    with pytest.raises(InvalidInput, match="secret"):
        signing_key(secret)
