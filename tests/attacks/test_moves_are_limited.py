"""Decisions, transitions and cancellations have a rate of their own: who asks for too many waits, nobody else does."""

from __future__ import annotations

from uuid import uuid4

import httpx
import pytest
from fastapi import FastAPI

from holdfast import Holdfast, Settings, ShareUsedUp
from holdfast.http import build
from holdfast.http.moves import Moves


def served(app: Holdfast) -> FastAPI:
    """A server that allows one a second, on which no time passes."""
    server = build(app)
    assert isinstance(server.state.moves, Moves)
    server.state.moves = Moves(1, lambda: 0.0)
    return server


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/approvals/{id}/decisions", {"decision": "approved", "entity_version": 1}),
        ("/approvals/{id}/answer", {"data": {}}),
        ("/processes/{id}/advance", {"event": "submit"}),
        ("/processes/{id}/cancel", {"reason": "no"}),
        ("/processes/{id}/fail", {"reason": "no"}),
        ("/documents/{id}/transitions", {"transition": "submit"}),
    ],
)
async def test_who_asks_for_too_many_waits_and_nobody_else(
    app: Holdfast, tokens: dict[str, str], path: str, body: dict[str, object]
) -> None:
    transport = httpx.ASGITransport(served(app), raise_app_exceptions=False)

    async def ask(tenant: str, token: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {tokens[token]}", "If-Match": "*"}
        return await client.post(f"/{tenant}{path.format(id=uuid4())}", json=body, headers=headers)

    async with httpx.AsyncClient(transport=transport, base_url="http://test/v1") as client:
        answers = [await ask("acme", "acme") for _ in range(11)]
        assert {each.status_code for each in answers[:10]} == {404}
        assert (answers[10].status_code, answers[10].json()["code"]) == (429, "share_used_up")
        assert int(answers[10].headers["Retry-After"]) >= 1
        # Another token is no second measure; another tenant has its own; reading goes on.
        assert (await ask("acme", "second")).status_code == 429
        assert (await ask("globex", "globex")).status_code == 404
        inbox = await client.get("/acme/inbox", headers={"Authorization": f"Bearer {tokens['acme']}"})
        assert inbox.status_code == 200


async def test_many_at_once_count_as_many(app: Holdfast, tokens: dict[str, str]) -> None:
    transport = httpx.ASGITransport(served(app), raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {tokens['acme']}"}
    async with httpx.AsyncClient(transport=transport, base_url="http://test/v1/acme", headers=headers) as client:
        requests = [{"request_id": str(uuid4()), "entity_version": 1} for _ in range(9)]
        body = {"requests": requests, "decision": "approved"}
        assert (await client.post("/approvals/decide", json=body)).status_code == 200
        assert (await client.post("/approvals/decide", json=body)).status_code == 429


def test_the_measure_comes_back_with_time_and_is_not_more_than_ten_seconds() -> None:
    now = 0.0
    moves = Moves(5, lambda: now)
    moves.take("acme", "user:ana", 50)
    with pytest.raises(ShareUsedUp) as refused:
        moves.take("acme", "user:ana")
    assert refused.value.details["retry_after"] == 1
    now = 2.0
    moves.take("acme", "user:ana", 10)
    now = 1000.0
    moves.take("acme", "user:ana", 50)
    with pytest.raises(ShareUsedUp):
        moves.take("acme", "user:ana")


def test_the_rate_is_a_setting() -> None:
    assert Settings.load({"HOLDFAST_PROCESS_RATE": "7"}).process_rate == 7
