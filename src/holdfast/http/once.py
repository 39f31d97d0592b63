"""`Idempotency-Key` on requests that write: what was done is told again, not done again.

The route opens the transaction in which everything of such a request is done, and keeps its answer in that transaction,
so neither stands without the other. What fails leaves nothing behind, and can be tried again with the same key. A key
belongs to who used it first, and to the request it was first used for.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Any

from fastapi import Request, Response

from holdfast.errors import HoldfastError
from holdfast.http.acting import acting, sharing
from holdfast.http.bodies import GuardedRequest
from holdfast.kernel.json import canonical_json

__all__ = ["answered_once"]

_KEPT = ("content-type", "etag", "location")
_CONDITIONS = ("if-match", "if-none-match")


async def answered_once(
    request: GuardedRequest, key: str, name: str, answer: Callable[[Request], Awaitable[Response]]
) -> Response:
    """The answer to a request, or what an earlier one with its key was answered."""
    # Before a connection is taken, which would wait for it.
    given = await _fingerprint(request)

    async def work() -> dict[str, Any]:
        made = await answer(request)
        headers = {each: made.headers[each] for each in _KEPT if each in made.headers}
        return {"status": made.status_code, "headers": headers, "body": bytes(made.body).decode()}

    async with acting(request, request.path_params["tenant"]) as hold:
        with sharing(request, hold):
            done = await hold.actions.once(key, name, given, work)
    told = done.output
    again = {"Idempotent-Replayed": "true"} if done.repeated else {}
    return Response(told["body"], int(told["status"]), {**told["headers"], **again})


async def _fingerprint(request: GuardedRequest) -> list[Any]:
    """What makes two requests the same one, however their JSON is written."""
    body = await request.body()
    try:
        content = canonical_json(await request.exact_json()) if body else b""
    except (json.JSONDecodeError, HoldfastError):
        content = body  # What it is about will be said where it is read.
    query = sorted(request.query_params.multi_items())
    conditions = [request.headers.get(name) for name in _CONDITIONS]
    return [request.url.path, query, conditions, sha256(content).hexdigest()]
