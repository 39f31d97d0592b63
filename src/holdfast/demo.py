"""Believable content for a first look: a small company with its people, runs, schedules and documents.

Seeding again adds only what is missing, so it can run at every start.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final, Literal
from uuid import UUID

from holdfast.app import Holdfast
from holdfast.envelope import Contract
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
    Person("mira", "Mira Halloran", "mira@northwind.example", ("approver", "finance"), "Accountant"),
    Person("paulo", "Paulo Reis", "paulo@northwind.example", ("author",)),
    Person("otto", "Otto Lindqvist", "otto@northwind.example", ("operator",), "Operator"),
    Person("vera", "Vera Novák", "vera@northwind.example", ("viewer",), "Viewer"),
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
    await _seed_workflows(app)
    await _seed_documents(app)


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


_MONEY: Final = {"type": "number", "minimum": 0, "x-widget": "money", "x-currency-field": "currency"}
_CURRENCY: Final = {"type": "string", "title": "Currency", "enum": ["EUR", "USD", "GBP"], "default": "EUR"}
_LINES: Final = {
    "type": "array",
    "title": "Lines",
    "items": {
        "type": "object",
        "required": ["article", "quantity", "price"],
        "properties": {
            "article": {"type": "string", "title": "Article"},
            "quantity": {"type": "integer", "title": "Quantity", "minimum": 1},
            "price": {"type": "number", "title": "Price", "minimum": 0},
        },
    },
}


def _schema(required: list[str], **fields: Any) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": fields}


_CONTRACTS: Final = (
    Contract(
        entity_type="invoice",
        title="Invoice",
        document=_schema(
            ["number", "supplier", "total", "currency"],
            number={"type": "string", "title": "Number", "minLength": 1, "maxLength": 40},
            supplier={"type": "string", "title": "Supplier", "minLength": 1},
            total=_MONEY | {"title": "Total"},
            currency=_CURRENCY,
            due_on={"type": "string", "title": "Due on", "format": "date"},
            cost_centre={"type": "string", "title": "Cost centre", "enum": ["Shop", "Warehouse", "Head office"]},
            lines=_LINES,
            note={"type": "string", "title": "Note", "x-widget": "multiline"},
        ),
    ),
    Contract(
        entity_type="purchase_order",
        title="Purchase order",
        document=_schema(
            ["number", "supplier", "total", "currency"],
            number={"type": "string", "title": "Number", "minLength": 1},
            supplier={"type": "string", "title": "Supplier", "minLength": 1},
            total=_MONEY | {"title": "Total"},
            currency=_CURRENCY,
            deliver_to=_schema(
                ["city"], street={"type": "string", "title": "Street"}, city={"type": "string", "title": "City"}
            )
            | {"title": "Deliver to"},
            lines=_LINES,
        ),
    ),
    Contract(
        entity_type="expense",
        title="Expense",
        document=_schema(
            ["number", "purpose", "total", "currency"],
            number={"type": "string", "title": "Number", "minLength": 1},
            purpose={"type": "string", "title": "Purpose", "minLength": 1},
            total=_MONEY | {"title": "Total"},
            currency=_CURRENCY,
            spent_on={"type": "string", "title": "Spent on", "format": "date"},
            receipt={"type": "boolean", "title": "There is a receipt"},
        ),
    ),
)


def _approval(node: str, name: str, title: str, role: str, **rest: Any) -> dict[str, Any]:
    config = {"title": title, "approvers": [{"kind": "role", "role": role}], **rest}
    return {"id": node, "type": "approval", "name": name, "config": config}


def _edge(source: str, target: str, outcome: str | None = None, **rest: Any) -> dict[str, Any]:
    return {"source": source, "target": target, **({"outcome": outcome} if outcome else {}), **rest}


_PATCHES: Final[dict[str, dict[str, Any]]] = {
    "invoice": {
        "slot:submitted_to_approved": {
            "exit_edge_mode": "join",
            "nodes": [
                {
                    "id": "large",
                    "type": "condition",
                    "name": "Large?",
                    "config": {"expression": "entity.total > 10000"},
                },
                {"id": "both", "type": "parallel_split", "name": "Ask both"},
                _approval("finance", "Finance", "Invoice {entity.number}", "finance", remind_every="24h"),
                _approval("cfo", "CFO", "Large invoice {entity.number}", "cfo", timeout="96h"),
                {"id": "agreed", "type": "parallel_join", "name": "Both decided", "config": {"mode": "all"}},
                _approval("controlling", "Finance, alone", "Invoice {entity.number}", "finance", timeout="72h"),
            ],
            "edges": [
                _edge("in", "large"),
                _edge("large", "both", "true"),
                _edge("large", "controlling", "false"),
                _edge("both", "finance"),
                _edge("both", "cfo"),
                *(
                    _edge(node, "agreed", outcome)
                    for node in ("finance", "cfo")
                    for outcome in ("approved", "rejected")
                ),
                _edge("cfo", "cfo", "timeout", returns=True),
                _edge("agreed", "out"),
                *(_edge("controlling", "out", outcome) for outcome in ("approved", "rejected")),
                _edge("controlling", "controlling", "timeout", returns=True),
            ],
        }
    },
    "purchase_order": {
        "slot:submitted_to_approved": {
            "exit_edge_mode": "join",
            "nodes": [_approval("two_of_finance", "Two of finance", "Order {entity.number}", "finance", required=2)],
            "edges": [_edge("two_of_finance", "out", outcome) for outcome in ("approved", "rejected")],
        }
    },
    "expense": {
        "slot:draft_to_submit": {
            "exit_edge_mode": "join",
            "nodes": [
                {
                    "id": "receipt",
                    "type": "condition",
                    "name": "Receipt needed?",
                    "config": {"expression": "entity.total > 50"},
                },
                {
                    "id": "ask_receipt",
                    "type": "task",
                    "name": "Where is the receipt?",
                    "config": {
                        "title": "Receipt of {entity.number}",
                        "assignees": [{"kind": "role", "role": "finance"}],
                        "form": _schema(
                            ["found"],
                            found={"type": "boolean", "title": "The receipt is there"},
                            archive_number={"type": "string", "title": "Archive number"},
                        ),
                        "save_as": "receipt",
                    },
                },
            ],
            "edges": [
                _edge("in", "receipt"),
                _edge("receipt", "ask_receipt", "true"),
                _edge("receipt", "out", "false"),
                _edge("ask_receipt", "out"),
            ],
        },
        "slot:submitted_to_approved": {
            "exit_edge_mode": "join",
            "nodes": [_approval("finance", "Finance", "Expense {entity.number}", "finance")],
            "edges": [_edge("finance", "out", outcome) for outcome in ("approved", "rejected")],
        },
    },
}


async def _seed_workflows(app: Holdfast) -> None:
    for contract in _CONTRACTS:
        async with app.tenant(TENANT, actor=ADMIN) as hold:
            await hold.definitions.register(contract)
            kind = contract.entity_type
            if not (await hold.definitions.list(entity_type=kind, kind="org_patch")).items:
                await hold.definitions.publish((await hold.definitions.create_draft(kind, _PATCHES[kind])).id)


_SUPPLIERS: Final = ("Fjord Textiles", "Harbour Ceramics", "Café Aurora", "Nordpost", "Lumen & Sons", "Oak Works")
_AMOUNTS: Final = ("12500.10", "9900.00", "410.20", "3200.00", "18420.75", "76.90", "640.00", "22100.00", "1204.55")


async def _seed_documents(app: Holdfast) -> None:
    """Documents in every state, each made once: those that are there are left as people left them."""
    async with app.tenant(TENANT, actor=ADMIN) as hold:
        pages = [await hold.documents.list(contract.entity_type, limit=200) for contract in _CONTRACTS]
    there = {document.data["number"] for page in pages for document in page.items}
    for number in range(1, 25):
        kind, prefix = (("invoice", "I"), ("purchase_order", "PO"), ("expense", "EX"))[number % 3]
        author = "chloe" if number % 2 else "paulo"
        name = f"{prefix}-{number + 20:04}"
        if name in there:
            continue
        total = Decimal(_AMOUNTS[number % len(_AMOUNTS)])
        content: dict[str, Any] = {"number": name, "total": total, "currency": "EUR"}
        if kind == "expense":
            content |= {"purpose": "Visit of a supplier", "spent_on": "2026-06-02", "receipt": number % 2 == 0}
        else:
            content["supplier"] = _SUPPLIERS[number % len(_SUPPLIERS)]
            content["lines"] = [{"article": "Wool blanket", "quantity": number, "price": Decimal("38.50")}]
        if kind == "invoice":
            content |= {"due_on": "2026-07-15", "cost_centre": "Warehouse"}
        async with app.tenant(TENANT, actor=author) as hold:
            made = await hold.documents.create(kind, content, key=f"demo-document-{number}")
            if number % 6 == 5:
                continue
            if number % 4 == 2:
                note = {"total": total + Decimal("100.00")}
                made = await hold.documents.update(made.id, note, expected_version=made.entity_version)
            await hold.documents.transition(made.id, "submit")
        await _decide(app, number, made.id)


async def _decide(app: Holdfast, number: int, document_id: UUID) -> None:
    """What is asked about some of the documents is decided at once, one way or the other."""
    if number % 4 == 1 or number > 17:
        return
    for name in ("ben", "mira", "cora"):
        async with app.tenant(TENANT, actor=name) as hold:
            for item in (await hold.inbox.list(limit=200)).items:
                if item.document_id != document_id:
                    continue
                if item.kind == "task":
                    await hold.approvals.complete(item.id, {"found": True, "archive_number": f"A-{number}"})
                elif number % 7 == 0:
                    await hold.approvals.decide(item.id, "returned", reason="The cost centre is missing")
                    return
                else:
                    await hold.approvals.decide(item.id, "approved")


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
