"""One database for a module's tests: each has a tenant of its own in it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import count
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from holdfast import FakeClock, Holdfast
from holdfast.testing import Databases

_numbers = count(1)


@pytest.fixture(scope="module")
def shared_dsn(holdfast_databases: Databases) -> Iterator[str]:
    with holdfast_databases.clone() as name:
        yield holdfast_databases.dsn(name)


@pytest.fixture
def clock(holdfast_clock: FakeClock) -> FakeClock:
    return holdfast_clock


@pytest.fixture
async def shared(shared_dsn: str, clock: FakeClock) -> AsyncIterator[Holdfast]:
    """An application on the module's database; time is the clock's."""
    async with Holdfast(dsn=shared_dsn, clock=clock, pool_max=20) as app:
        yield app


@pytest.fixture
async def tenant(shared: Holdfast) -> str:
    """A tenant nobody else uses."""
    slug = f"tenant-{next(_numbers)}"
    await shared.tenants.create(slug)
    return slug


@pytest.fixture
def root(shared_dsn: str) -> Iterator[psycopg.Connection[dict[str, Any]]]:
    """Somebody who can do anything to the module's database."""
    with psycopg.connect(shared_dsn, autocommit=True, row_factory=dict_row) as connection:
        yield connection
