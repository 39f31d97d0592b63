"""`Idempotency-Key` on requests that write: what was done is told again, not done again.

A request that only reads refuses the header instead of ignoring it: it would be answered anew each time.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import Header

from holdfast.actions import CallResult
from holdfast.app import Hold
from holdfast.errors import InvalidInput

__all__ = ["IdempotencyKey", "UnusedKey", "once", "refuse_key", "replayed"]

IdempotencyKey = Annotated[str | None, Header(description="done once for a key: the same request, the same answer")]
UnusedKey = Annotated[str | None, Header(description="refused: this request changes nothing")]


async def once(hold: Hold, key: str | None, name: str, given: Any, work: Callable[[], Awaitable[Any]]) -> CallResult:
    """Do what a request asks for, or find what an earlier one with its key was answered."""
    return await hold.actions.once(key, name, given, work)


def replayed(answer: CallResult) -> dict[str, str]:
    """The header that says that an answer is that of an earlier request."""
    return {"Idempotent-Replayed": "true"} if answer.repeated else {}


def refuse_key(key: str | None) -> None:
    """For requests that only read."""
    if key is not None:
        raise InvalidInput(
            "Idempotency-Key is given, but this request changes nothing",
            hint="leave it out: the request can be repeated as it is",
            field="Idempotency-Key",
        )
