"""What requests compute that is pure but not cheap: simulations, test cases, replays.

It is done on threads, outside of any transaction, so that nobody waits for a connection or for the event loop
meanwhile; and tenants share them as they share connections, so that none can keep all of them busy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from fastapi import Request

from holdfast.postgres.shares import CALLER, Shares
from holdfast.processes.definitions.budget import computed

__all__ = ["compute", "places"]

T = TypeVar("T")
_PLACES = 8


def places(wait: float) -> Shares:
    """What requests share that compute."""
    return Shares(_PLACES, wait=wait)


async def compute(request: Request, function: Callable[[], T]) -> T:
    """What a function computes, when it is the caller's turn."""
    caller = CALLER.get()
    shares: Shares = request.app.state.computing
    if caller is None:
        return await computed(function)
    await shares.take(caller.tenant, caller.token)
    try:
        return await computed(function)
    finally:
        shares.give_back(caller.tenant, caller.token)
