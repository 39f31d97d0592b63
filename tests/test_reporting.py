"""Sentry is told that something went wrong and where, and nothing of what it was about."""

from __future__ import annotations

import logging
from typing import Any
from uuid import uuid4

import pytest

from holdfast.reporting import report_errors
from holdfast.settings import Settings

sentry_sdk = pytest.importorskip("sentry_sdk")


def test_an_error_is_told_without_content() -> None:
    sent: list[Any] = []

    class Kept(sentry_sdk.transport.Transport):  # type: ignore[misc, name-defined]
        def capture_envelope(self, envelope: Any) -> None:
            sent.extend(item.payload.json for item in envelope.items if item.payload.json)

    settings = Settings.load(sentry_dsn="https://key@sentry.invalid/1")
    try:
        assert report_errors(settings, "worker", transport=Kept)
        content = uuid4().hex
        try:
            raise ValueError(content)
        except ValueError:
            logging.getLogger("holdfast.runs").exception("run %s failed", content)
        sentry_sdk.flush()
    finally:
        sentry_sdk.init()
    (event,) = [each for each in sent if each.get("level") == "error"]
    assert event["exception"]["values"][0]["type"] == "ValueError"
    assert event["tags"]["role"] == "worker"
    assert content not in str(event)


def test_nobody_is_told_without_an_address() -> None:
    assert report_errors(Settings.load(), "serve") is False
