"""Fixtures for tests of the HTTP interface."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest

from holdfast import Holdfast
from holdfast.http import build

SignIn = Callable[..., Awaitable[dict[str, str]]]


@pytest.fixture
async def ana(app: Holdfast, token: SignIn) -> AsyncIterator[httpx.AsyncClient]:
    """The administrator of `acme`, signed in."""
    transport = httpx.ASGITransport(build(app), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        client.headers.update(await token())
        yield client


@pytest.fixture
def token(app: Holdfast) -> SignIn:
    """Makes the header of a new token of `acme`'s administrator."""

    async def make(**arguments: Any) -> dict[str, str]:
        async with app.tenant("acme") as hold:
            return {"Authorization": f"Bearer {(await hold.tokens.create('ana', 'test', **arguments)).secret}"}

    return make
