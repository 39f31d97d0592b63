"""Small doors that stood open."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from psycopg import AsyncConnection

from holdfast import Forbidden, Holdfast


async def test_the_application_role_finds_no_other_tenants_settings(
    app: Holdfast, intruder: AsyncConnection[dict[str, Any]]
) -> None:
    async with app.tenant("globex") as hold:
        await hold.configure(settings={"erp": "https://erp.globex.example"})
    for statement in (
        "SELECT settings FROM holdfast.find_tenant('globex')",
        "SELECT settings FROM holdfast.list_tenants()",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await intruder.execute(statement)
    assert await (await intruder.execute("SELECT settings FROM holdfast.tenants")).fetchall() == []


async def test_an_operator_cannot_hand_anothers_seat_to_themselves(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("ben", roles=["approver"])
        await hold.users.create("otto", roles=["operator"])
    later = datetime.now(UTC) + timedelta(days=3)
    with pytest.raises(Forbidden):
        async with app.tenant("acme", actor="otto") as hold:
            await hold.delegations.create("otto", delegator="ben", ends_at=later)
