"""Fixtures of our own tests, on top of those holdfast gives to everybody's."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import uvloop
from hypothesis import HealthCheck, settings
from psycopg import AsyncConnection
from psycopg.rows import dict_row

from harness.citus import COORDINATOR, CitusDatabases
from harness.commands import Commands
from harness.pgbouncer import pooled
from harness.waiting import Gate
from holdfast import Holdfast
from holdfast.testing import Databases

# The same examples every time, so that what fails is what was changed; `make soak` draws others each time.
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
settings.register_profile("holdfast", settings.get_profile("explore"), derandomize=True)
settings.load_profile("holdfast")


def pytest_asyncio_loop_factories(item: pytest.Item) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Tests run on the event loop that users run on; those marked `every_loop` on asyncio's own too."""
    loops: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {"uvloop": uvloop.new_event_loop}
    if item.get_closest_marker("every_loop"):
        loops["asyncio"] = asyncio.new_event_loop
    return loops


@pytest.fixture(scope="session")
def holdfast_databases() -> Iterator[Databases]:
    """The server that tests use: a private embedded one, that of `TEST_DSN`, or a Citus."""
    with CitusDatabases() if COORDINATOR else Databases(os.environ.get("TEST_DSN") or None) as databases:
        yield databases


@pytest.fixture
async def app(holdfast_app: Holdfast) -> Holdfast:
    """An application with two tenants, `acme` and `globex`, that each have the administrator `ana`."""
    for slug in ("acme", "globex"):
        await holdfast_app.tenants.create(slug)
        async with holdfast_app.tenant(slug) as hold:
            await hold.users.create("ana", roles=["admin"])
    return holdfast_app


@pytest.fixture
def superuser(holdfast_dsn: str) -> Iterator[psycopg.Connection[dict[str, Any]]]:
    """Somebody who can do anything to the test's database."""
    with psycopg.connect(holdfast_dsn, autocommit=True, row_factory=dict_row) as connection:
        yield connection


@pytest.fixture(scope="session")
def commands() -> Iterator[Commands]:
    """Runs commands of `holdfast` quickly."""
    with Commands() as commands:
        yield commands


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    """For processes to wait at."""
    return Gate(str(tmp_path / "gate"))


@pytest.fixture
def pgbouncer(holdfast_dsn: str) -> Iterator[str]:
    """PgBouncer in transaction mode before the test's database."""
    with pooled(holdfast_dsn) as dsn:
        yield dsn


@pytest.fixture
async def intruder(holdfast_dsn: str) -> AsyncIterator[AsyncConnection[dict[str, Any]]]:
    """The application role, writing SQL of its own."""
    async with await AsyncConnection.connect(holdfast_dsn, autocommit=True, row_factory=dict_row) as connection:
        await connection.execute("SET ROLE holdfast_app")
        yield connection
