"""Keys and links beside a simple model, on Postgres and in memory, with concurrent writers and expiry."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from data.machines import KeysMachine, LinksMachine
from holdfast import FakeClock, Holdfast
from holdfast.testing.data import memory_data

QUICK = settings(max_examples=40, stateful_step_count=30, deadline=None)
REAL = settings(max_examples=20, stateful_step_count=30, deadline=None)
LONG = settings(max_examples=300, stateful_step_count=60, deadline=None)


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


def fresh() -> FakeClock:
    return FakeClock(datetime(2026, 6, 4, tzinfo=UTC))


def keys_in_postgres(runner: asyncio.Runner, dsn: str, how: settings) -> None:
    clock, numbers = fresh(), count()
    app = Holdfast(dsn=dsn, clock=clock, pool_max=10)
    runner.run(app.open())

    def machine() -> KeysMachine:
        slug = f"keys-{next(numbers)}"
        runner.run(app.tenants.create(slug))
        return KeysMachine(runner.run, app.data(slug), clock)

    try:
        run_state_machine_as_test(machine, settings=how)  # type: ignore[arg-type]
    finally:
        runner.run(app.close())


def links_in_postgres(runner: asyncio.Runner, dsn: str, how: settings) -> None:
    numbers = count()
    app = Holdfast(dsn=dsn, pool_max=10)
    runner.run(app.open())

    def machine() -> LinksMachine:
        slug = f"links-{next(numbers)}"
        runner.run(app.tenants.create(slug))
        return LinksMachine(runner.run, app.links(slug))

    try:
        run_state_machine_as_test(machine, settings=how)  # type: ignore[arg-type]
    finally:
        runner.run(app.close())


def test_keys_in_memory(runner: asyncio.Runner) -> None:
    def machine() -> KeysMachine:
        clock = fresh()
        return KeysMachine(runner.run, memory_data(clock).data, clock)

    run_state_machine_as_test(machine, settings=QUICK)  # type: ignore[arg-type]


def test_links_in_memory(runner: asyncio.Runner) -> None:
    def machine() -> LinksMachine:
        return LinksMachine(runner.run, memory_data(fresh()).links)

    run_state_machine_as_test(machine, settings=QUICK)  # type: ignore[arg-type]


def test_keys_in_postgres(runner: asyncio.Runner, shared_dsn: str) -> None:
    keys_in_postgres(runner, shared_dsn, REAL)


def test_links_in_postgres(runner: asyncio.Runner, shared_dsn: str) -> None:
    links_in_postgres(runner, shared_dsn, REAL)


@pytest.mark.soak
def test_keys_for_long(runner: asyncio.Runner, shared_dsn: str) -> None:
    keys_in_postgres(runner, shared_dsn, LONG)


@pytest.mark.soak
def test_links_for_long(runner: asyncio.Runner, shared_dsn: str) -> None:
    links_in_postgres(runner, shared_dsn, LONG)
