"""A server to attack: the tenant `acme` attacks, `globex` must not notice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack

import pytest

from harness.served import Serve, Served, serving
from holdfast import Holdfast


@pytest.fixture
async def tokens(app: Holdfast) -> dict[str, str]:
    """Secrets: `acme` and `globex` of the administrators, `second` another of acme's, `nothing` may do nothing."""
    found = {}
    for slug in ("acme", "globex"):
        async with app.tenant(slug) as hold:
            found[slug] = (await hold.tokens.create("ana", "test")).secret
            await hold.data.set("n", "k", 1)
    async with app.tenant("acme") as hold:
        found["second"] = (await hold.tokens.create("ana", "second")).secret
        await hold.users.create("vic", roles=["viewer"])
        found["viewer"] = (await hold.tokens.create("vic", "test")).secret
        await hold.users.create("nobody")
        found["nothing"] = (await hold.tokens.create("nobody", "test")).secret
    return found


@pytest.fixture
def serve(holdfast_dsn: str, tokens: dict[str, str]) -> Iterator[Serve]:
    """Starts a server; settings are those of `holdfast`, in lower case."""
    with ExitStack() as stack:

        def start(**settings: object) -> Served:
            given = {f"HOLDFAST_{name.upper()}": str(value) for name, value in settings.items()}
            running: AbstractContextManager[Served] = serving(holdfast_dsn, tokens, **given)
            return stack.enter_context(running)

        yield start
