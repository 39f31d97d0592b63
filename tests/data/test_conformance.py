"""Postgres in a transaction, Postgres express, and memory keep the same promises."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from holdfast import FakeClock, Holdfast
from holdfast.data import Keys, Links
from holdfast.testing.data import KeysConformance, LinksConformance, memory_data


class TestMemoryKeys(KeysConformance):
    @pytest.fixture
    def keys(self, clock: FakeClock) -> Keys:
        return memory_data(clock).data


class TestMemoryLinks(LinksConformance):
    @pytest.fixture
    def links(self, clock: FakeClock) -> Links:
        return memory_data(clock).links


class TestPostgresKeys(KeysConformance):
    """Each call a transaction of its own."""

    @pytest.fixture
    def keys(self, shared: Holdfast, tenant: str) -> Keys:
        return shared.data(tenant)


class TestPostgresLinks(LinksConformance):
    @pytest.fixture
    def links(self, shared: Holdfast, tenant: str) -> Links:
        return shared.links(tenant)


class TestKeysOfOneTransaction(KeysConformance):
    """All calls in one transaction: whatever is refused leaves it usable."""

    @pytest.fixture
    async def keys(self, shared: Holdfast, tenant: str) -> AsyncIterator[Keys]:
        async with shared.tenant(tenant) as hold:
            yield hold.data

    # What a transaction has written it cannot follow: others could not see it yet either.
    test_changes_can_be_followed = None  # type: ignore[assignment]
    test_following_goes_on_from_every_change = None  # type: ignore[assignment]
    test_those_that_are_over_longest_are_swept_first = None  # type: ignore[assignment]
    test_expired_keys_are_swept_by_a_write_only_where_a_quota_is_full = None  # type: ignore[assignment]


class TestLinksOfOneTransaction(LinksConformance):
    @pytest.fixture
    async def links(self, shared: Holdfast, tenant: str) -> AsyncIterator[Links]:
        async with shared.tenant(tenant) as hold:
            yield hold.links
