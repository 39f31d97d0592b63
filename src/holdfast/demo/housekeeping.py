"""Runs, schedules, keys and links: what a company's systems do beside its people."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from holdfast.app import Holdfast
from holdfast.demo.people import ADMIN, TENANT
from holdfast.errors import NotFound

__all__ = ["seed_data", "seed_runs", "seed_schedules"]


async def seed_data(app: Holdfast, documents: Mapping[str, UUID]) -> None:
    """What workflows remember: cursors, counters, what was sent already; and which record is which elsewhere."""
    async with app.tenant(TENANT, actor=ADMIN) as hold:
        await hold.data.set("sync-cursor", "erp", {"after": "2026-06-04T02:30:00Z", "page": 17})
        await hold.data.set("sync-cursor", "bank", {"statement": "2026-118", "line": 212})
        await hold.data.set("exchange-rate", "EUR/USD", Decimal("1.08347"), ttl=7 * 86_400)
        await hold.data.set("exchange-rate", "EUR/GBP", Decimal("0.84219"), ttl=7 * 86_400)
        for centre, spent in (("shop", "8410.20"), ("warehouse", "41230.85"), ("head-office", "2980.00")):
            await hold.data.increment("budget-spent", centre, Decimal(spent))
        for number in ("I-0001", "I-0003"):
            await hold.data.set("dunning-sent", number, True, if_revision=0)
            erp = ("erp_invoice", f"ERP-{7000 + int(number[-4:])}")
            await hold.links.upsert("erp", ("invoice", str(documents[number])), erp, relation="mirrors")
        order, invoice = ("purchase_order", str(documents["PO-0001"])), ("invoice", str(documents["I-0003"]))
        await hold.links.upsert("purchasing", invoice, order, relation="bills")


async def seed_runs(app: Holdfast) -> None:
    """Runs in every state, and the one that opens the sessions."""
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
        await hold.runs.enqueue("demo.open_sessions.v1", {}, key="demo-sessions")
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


async def seed_schedules(app: Holdfast) -> None:
    """Schedules, one of them paused."""
    for name, kind, cron, rest in _SCHEDULES:
        async with app.tenant(TENANT, actor=ADMIN) as hold:
            try:
                await hold.schedules.get(name)
            except NotFound:
                await hold.schedules.create(name, kind, cron, **rest)
