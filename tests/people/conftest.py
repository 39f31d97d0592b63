"""Fixtures of tests of people."""

from __future__ import annotations

import pytest

from people.office import PEOPLE, Office
from processes.conftest import shop
from processes.shop import Shop

__all__ = ["office", "shop"]


@pytest.fixture
async def office(shop: Shop) -> Office:
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.roles.define("finance_manager", [])
        for name in PEOPLE:
            await hold.users.create(name, email=f"{name}@example.org", roles=["approver"])
            if name != "eve":
                await hold.users.grant(name, "finance_manager")
    return Office(shop)
