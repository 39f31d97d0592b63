"""The pytest plugin. It imports holdfast only when a fixture is used, so it costs other projects' tests nothing."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.testing import Databases, FakeClock


@pytest.fixture(scope="session")
def holdfast_databases() -> Iterator[Databases]:
    """The server that tests use: a private embedded one, or that of `TEST_DSN`."""
    from holdfast.testing import Databases

    with Databases(os.environ.get("TEST_DSN") or None) as databases:
        yield databases


@pytest.fixture
def holdfast_dsn(holdfast_databases: Databases) -> Iterator[str]:
    """A connection string, with an administrator's login, to a migrated database of the test's own."""
    with holdfast_databases.clone() as name:
        yield holdfast_databases.dsn(name)


@pytest.fixture
def holdfast_clock() -> FakeClock:
    """The clock of `holdfast_app`; it stands still until `advance` moves it."""
    from holdfast.testing import FakeClock

    return FakeClock(datetime.now(UTC))


@pytest.fixture
async def holdfast_app(holdfast_dsn: str, holdfast_clock: FakeClock) -> AsyncIterator[Holdfast]:
    """An open application on a database of the test's own, with a clock that obeys."""
    from holdfast.app import Holdfast
    from holdfast.kernel.keyring import new_key

    async with Holdfast(dsn=holdfast_dsn, clock=holdfast_clock, keys=new_key()) as app:
        yield app
