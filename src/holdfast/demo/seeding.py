"""Making the demo, once."""

from __future__ import annotations

from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import Final

from holdfast.app import Holdfast
from holdfast.demo.history import BEGINS, tell
from holdfast.demo.housekeeping import seed_data, seed_runs, seed_schedules
from holdfast.demo.people import PEOPLE, ROLE_PERMISSIONS, ROLES, TENANT
from holdfast.demo.workflows import seed_workflows
from holdfast.kernel.clock import FakeClock
from holdfast.postgres.told_time import told_time

__all__ = ["seed"]

_TOLD: Final = "Its people, its documents and their past are made up: holdfast up told them on {day}."


async def seed(app: Holdfast) -> bool:
    """Make the demo's tenant and all that is in it; false when it is there already, and is left as people left it.

    In an embedded Postgres that has nobody else in it, what happened is told with the time it is said to have happened
    at, over the last weeks. Anywhere else it happens now.
    """
    there = {tenant.slug for tenant in await app.tenants.list()}
    if TENANT in there:
        return False
    server = app.database.server
    async with AsyncExitStack() as stack:
        teller, clock = app, None
        if server is not None and not there:
            await stack.enter_async_context(told_time(app.database.where.admin))
            clock = FakeClock(datetime.now(UTC) - BEGINS)
            teller = await stack.enter_async_context(Holdfast(app.settings, clock=clock))
        await _people(teller)
        await seed_workflows(teller)
        made = await tell(teller, clock)
    await seed_data(app, made)
    await seed_schedules(app)
    await seed_runs(app)
    return True


async def _people(app: Holdfast) -> None:
    await app.tenants.create(TENANT, name="Northwind Traders")
    async with app.tenant(TENANT) as hold:
        # Whoever reads the trail of this tenant should know what it is.
        await hold.configure(settings={"demo": _TOLD.format(day=datetime.now(UTC).date())})
        for role, description in ROLES.items():
            await hold.roles.define(role, ROLE_PERMISSIONS, description=description)
        for person in PEOPLE:
            await hold.users.create(
                person.name,
                display_name=person.display_name,
                email=person.email,
                kind=person.kind,
                roles=person.roles,
            )
            if person.kind == "service":
                await hold.tokens.create(person.name, "nightly import", scopes=["data:read", "data:write"])
