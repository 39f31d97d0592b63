"""One application, one event loop at a time."""

from __future__ import annotations

import asyncio

import pytest

from holdfast import Holdfast


def test_an_application_left_open_on_another_loop_says_so(holdfast_dsn: str) -> None:
    app = Holdfast(dsn=holdfast_dsn)

    async def make(slug: str) -> None:
        await app.open()
        await app.tenants.create(slug)

    async def make_and_close(slug: str) -> None:
        async with app:
            await app.tenants.create(slug)

    asyncio.run(make_and_close("acme"))
    asyncio.run(make_and_close("globex"))

    first = asyncio.new_event_loop()
    try:
        first.run_until_complete(make("initech"))
        with pytest.raises(RuntimeError, match="opened on another event loop"):
            asyncio.run(make("umbrella"))
        first.run_until_complete(app.close())
    finally:
        first.close()
