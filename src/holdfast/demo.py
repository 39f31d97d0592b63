"""Believable content for a first look: a small company with its people, roles, credentials, runs and schedules.

Seeding again adds only what is missing, so it can run at every start.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Literal

from holdfast.app import Holdfast
from holdfast.errors import AlreadyExists, NotFound
from holdfast.kernel.actor import Actor
from holdfast.runs import Retry, Run

__all__ = ["ADMIN", "PEOPLE", "TENANT", "Person", "application", "seed", "sign_in", "switch"]

TENANT: Final = "northwind"
ADMIN: Final = "ana"
_SIGN_IN: Final = "sign-in printed by holdfast up"
_SWITCHER: Final = Actor.system("demo-switch")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the demo. Those with a title are who one can be in it."""

    name: str
    display_name: str
    email: str | None
    roles: tuple[str, ...]
    title: str = ""
    kind: Literal["user", "service"] = "user"


PEOPLE: Final = (
    Person(ADMIN, "Ana Duarte", "ana@northwind.example", ("admin",), "Administrator"),
    Person("chloe", "Chloé Martin", "chloe@northwind.example", ("author",), "Requester"),
    Person("ben", "Ben Okafor", "ben@northwind.example", ("approver", "finance"), "Finance manager"),
    Person("cora", "Cora Haddad", "cora@northwind.example", ("approver", "cfo", "finance"), "CFO"),
    Person("otto", "Otto Lindqvist", "otto@northwind.example", ("operator",), "Operator"),
    Person("vera", "Vera Novák", "vera@northwind.example", ("viewer",)),
    Person("erp-sync", "ERP synchronisation", None, ("author",), kind="service"),
)
_ROLES: Final = {
    "finance": "Sees and approves whatever has an amount",
    "cfo": "Approves what is too large for finance alone",
}
_FINANCE: Final = ("audit:read", "documents:read", "documents:write", "processes:approve", "processes:read")


async def seed(app: Holdfast) -> None:
    """Create the demo tenant and whatever of its content is missing."""
    with suppress(AlreadyExists):
        await app.tenants.create(TENANT, name="Northwind Traders")
    async with app.tenant(TENANT) as hold:
        known = {role.name for role in await hold.roles.list()}
        for role, description in _ROLES.items():
            if role not in known:
                await hold.roles.define(role, _FINANCE, description=description)
        for person in PEOPLE:
            try:
                await hold.users.get(person.name)
            except NotFound:
                await hold.users.create(
                    person.name,
                    display_name=person.display_name,
                    email=person.email,
                    kind=person.kind,
                    roles=person.roles,
                )
                if person.kind == "service":
                    await hold.tokens.create(person.name, "nightly import", scopes=["data:read", "data:write"])
    await _seed_runs(app)
    await _seed_schedules(app)


def application() -> Holdfast:
    """The demo's application, with its handlers: what `holdfast up` runs as its worker."""
    # Its export takes half an hour on purpose; stopping should not.
    app = Holdfast(worker_shutdown_timeout=2)

    @app.handler("demo.invoice_email.v1")
    async def send_invoice(run: Run, invoice: dict[str, Any]) -> dict[str, Any]:
        return {"sent_to": invoice["email"], "attempt": run.attempt}

    @app.handler("demo.bank_import.v1", retry=Retry(max_attempts=2, base=2))
    async def import_statement(run: Run, statement: dict[str, Any]) -> dict[str, Any]:
        if statement.get("broken"):
            raise ValueError(f"line {statement['broken']} of the statement has no amount")
        return {"lines": statement["lines"]}

    @app.handler("demo.order_fulfilment.v1")
    async def fulfil(run: Run, order: dict[str, Any]) -> dict[str, Any]:
        places = await run.step("reserve stock", _reserve, order["items"])
        parcel = await run.step("pack", lambda: {"parcel": f"NW-{order['number']}", "kilograms": len(places) * 1.5})
        await run.step("tell the carrier", lambda: {"carrier": "Nordpost", "pick_up": "16:00"})
        return {"shipped": parcel["parcel"]}

    @app.handler("demo.supplier_sync.v1", retry=Retry(max_attempts=5, base=1800, cap=7200))
    async def synchronise(run: Run, supplier: dict[str, Any]) -> dict[str, Any]:
        if supplier.get("away"):
            raise ConnectionError(f"{supplier['name']} answered 503 Service Unavailable")
        return {"articles": 1_240, "changed": 18}

    @app.handler("demo.sales_report.v1")
    async def report(run: Run, wanted: dict[str, Any]) -> dict[str, Any]:
        return {"region": wanted["region"], "orders": 318, "total": "48210.50"}

    @app.handler("demo.price_list_export.v1", lease=60)
    async def export(run: Run, wanted: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(wanted["minutes"] * 60)
        return {"pages": 412}

    return app


async def _reserve(items: list[str]) -> list[str]:
    await asyncio.sleep(0.2)
    return [f"shelf {number}: {item}" for number, item in enumerate(items, 11)]


async def _seed_runs(app: Holdfast) -> None:
    async with app.tenant(TENANT, actor=ADMIN) as hold:
        for number in range(1, 6):
            invoice = {"number": f"2026-{number:04}", "email": f"customer{number}@example.org"}
            await hold.runs.enqueue("demo.invoice_email.v1", invoice, key=f"demo-invoice-{number}")
        await hold.runs.enqueue("demo.bank_import.v1", {"lines": 212}, key="demo-statement-1", priority=5)
        await hold.runs.enqueue("demo.bank_import.v1", {"lines": 7, "broken": 3}, key="demo-statement-2")
        await hold.runs.enqueue("demo.bank_import.v1", {"lines": 90}, key="demo-statement-3", delay=timedelta(days=1))
        order = {"number": 7041, "items": ["oak table", "wool blanket"], "customer": "Café Aurora"}
        await hold.runs.enqueue("demo.order_fulfilment.v1", order, key="demo-order-7041", priority=10)
        supplier = {"name": "Fjord Textiles", "away": True}
        await hold.runs.enqueue("demo.supplier_sync.v1", supplier, key="demo-supplier-fjord", max_attempts=5)
        await hold.runs.enqueue("demo.price_list_export.v1", {"minutes": 30}, key="demo-export")
        recalled = await hold.runs.enqueue(
            "demo.invoice_email.v1",
            {"number": "2026-0099", "email": "wrong@example.org"},
            key="demo-invoice-recalled",
            delay=timedelta(hours=2),
        )
        if recalled.created:
            await hold.runs.cancel(recalled.id, reason="sent to the wrong customer")


_SCHEDULES: Final[tuple[tuple[str, str, str, dict[str, Any]], ...]] = (
    (
        "nightly-bank-import",
        "demo.bank_import.v1",
        "30 2 * * *",
        {
            "timezone": "Europe/Berlin",
            "payload": {"lines": 120},
            "description": "Fetches the statements of the day before",
        },
    ),
    (
        "supplier-sync",
        "demo.supplier_sync.v1",
        "5 * * * *",
        {
            "payload": {"name": "Harbour Ceramics"},
            "overlap": "skip",
            "missed": "skip",
            "description": "Prices and stock of our largest supplier",
        },
    ),
    (
        "sales-digest",
        "demo.sales_report.v1",
        "0 8 * * mon-fri",
        {"timezone": "America/New_York", "payload": {"region": "east"}, "priority": 5},
    ),
    (
        "month-end-closing",
        "demo.sales_report.v1",
        "0 18 L * *",
        {
            "timezone": "Europe/Lisbon",
            "payload": {"region": "all"},
            "missed": "all",
            "paused": True,
            "description": "Paused until the new chart of accounts is in place",
        },
    ),
)


async def _seed_schedules(app: Holdfast) -> None:
    for name, kind, cron, rest in _SCHEDULES:
        async with app.tenant(TENANT, actor=ADMIN) as hold:
            try:
                await hold.schedules.get(name)
            except NotFound:
                await hold.schedules.create(name, kind, cron, **rest)


async def sign_in(app: Holdfast, *, ends_others: bool = True) -> str:
    """A fresh credential for the demo's administrator; the ones printed earlier end, unless they are still in use."""
    async with app.tenant(TENANT) as hold:
        for token in await hold.tokens.list(user=ADMIN) if ends_others else ():
            if token.name == _SIGN_IN and token.revoked_at is None:
                await hold.tokens.revoke(token.token_id)
        return (await hold.tokens.create(ADMIN, _SIGN_IN, lifetime=timedelta(hours=12))).secret


async def switch(app: Holdfast, actor: Actor, user: str) -> str:
    """A credential to be somebody else of the demo, that ends with the one that was printed."""
    assert actor.token is not None
    async with app.tenant(TENANT, actor=_SWITCHER) as hold:
        own = next(token for token in await hold.tokens.list() if token.token_id == actor.token.id)
        # Always of the printed one: switching for long does not make a long chain.
        first = own.parent_id if own.created_by == str(_SWITCHER) and own.parent_id else own.token_id
        name = f"switched to by {actor.name} in the demo"
        return (await hold.tokens.create(user, name, lifetime=timedelta(hours=12), ends_with=first)).secret
