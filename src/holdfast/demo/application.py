"""The demo's application: what the worker of `holdfast up` executes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, Final

from holdfast.app import Holdfast
from holdfast.demo.people import ADMIN
from holdfast.errors import AlreadyExists
from holdfast.runs import Retry, Run

__all__ = ["application"]


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
        await run.start("demo.invoice_email.v1", {"email": "orders@cafe-aurora.example", "invoice": order["number"]})
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

    @app.handler("demo.open_sessions.v1")
    async def open_sessions(run: Run, nothing: dict[str, Any]) -> dict[str, Any]:
        """Sessions begin where their graphs are: here."""
        if find_spec("langgraph") is None:
            return {"sessions": 0, "because": "the extra langgraph is not installed"}
        async with run.hold(actor=ADMIN) as hold:
            for graph, name, given in _SESSIONS:
                with suppress(AlreadyExists):
                    await hold.sessions.start(graph, given, name=name)
        return {"sessions": len(_SESSIONS)}

    if find_spec("langgraph") is not None:
        text = {"type": "string"}
        onboarding = {
            "type": "object",
            "required": ["supplier", "country"],
            "properties": {"supplier": text, "country": text},
        }
        digest = {"type": "object", "required": ["month"], "properties": {"month": text}}
        app.graph(
            "supplier-onboarding", "holdfast.demo.graphs:supplier_onboarding", input=onboarding, tags=["purchasing"]
        )
        app.graph("spending-digest", "holdfast.demo.graphs:spending_digest", input=digest, tags=["finance"])
    return app


_SESSIONS: Final = (
    ("supplier-onboarding", "onboarding-lumen-and-sons", {"supplier": "Lumen & Sons", "country": "Denmark"}),
    ("spending-digest", "digest-last-month", {"month": "October 2026"}),
)


async def _reserve(items: list[str]) -> list[str]:
    await asyncio.sleep(0.2)
    return [f"shelf {number}: {item}" for number, item in enumerate(items, 11)]
