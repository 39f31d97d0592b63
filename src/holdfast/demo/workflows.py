"""What people of the demo decide about: three contracts, and what the company put into their slots."""

from __future__ import annotations

from typing import Any, Final

from holdfast.app import Holdfast
from holdfast.demo.people import ADMIN, TENANT
from holdfast.envelope import Contract

__all__ = ["CONTRACTS", "seed_workflows"]

_MONEY: Final = {"type": "number", "minimum": 0, "x-widget": "money", "x-currency-field": "currency", "x-headline": 3}
_CURRENCY: Final = {
    "type": "string",
    "title": "Currency",
    "enum": ["EUR", "USD", "GBP"],
    "default": "EUR",
    "x-headline": 4,
}
_LINES: Final = {
    "type": "array",
    "title": "Lines",
    "items": {
        "type": "object",
        "required": ["article", "quantity", "price"],
        "properties": {
            "article": {"type": "string", "title": "Article"},
            "quantity": {"type": "integer", "title": "Quantity", "minimum": 1},
            "price": {
                "type": "number",
                "title": "Price",
                "minimum": 0,
                "x-widget": "money",
                "x-currency-field": "currency",
            },
        },
    },
}


def _schema(required: list[str], **fields: Any) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": fields}


CONTRACTS: Final = (
    Contract(
        entity_type="invoice",
        title="Invoice",
        document=_schema(
            ["number", "supplier", "total", "currency"],
            number={"type": "string", "title": "Number", "minLength": 1, "maxLength": 40, "x-headline": 1},
            supplier={"type": "string", "title": "Supplier", "minLength": 1, "x-headline": 2},
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
            number={"type": "string", "title": "Number", "minLength": 1, "x-headline": 1},
            supplier={"type": "string", "title": "Supplier", "minLength": 1, "x-headline": 2},
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
            number={"type": "string", "title": "Number", "minLength": 1, "x-headline": 1},
            purpose={"type": "string", "title": "Purpose", "minLength": 1, "x-headline": 2},
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
                {
                    "id": "agreed",
                    "type": "parallel_join",
                    "name": "Both decided",
                    "config": {"mode": "all", "first_rejection_ends": True},
                },
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
        },
        "slot:approved_to_active": {
            "exit_edge_mode": "join",
            "nodes": [
                {
                    "id": "portal",
                    "type": "condition",
                    "name": "By portal?",
                    "config": {"expression": 'entity.supplier == "Oak Works"'},
                },
                # Its address leads nowhere: somebody should see what becomes of that.
                {
                    "id": "tell_portal",
                    "type": "webhook_out",
                    "name": "Tell the portal",
                    "config": {
                        "url": "https://portal.oak-works.example/invoices/{entity.number}",
                        "body": {"number": {"$expr": "entity.number"}, "total": {"$expr": "entity.total"}},
                        "max_attempts": 1,
                    },
                },
                {
                    "id": "tell_author",
                    "type": "notification",
                    "name": "Tell who asked",
                    "config": {
                        "to": [{"kind": "user", "user": "chloe"}],
                        "subject": "Invoice {entity.number} is approved",
                        "body": "It will be paid when it is due.",
                    },
                },
            ],
            "edges": [
                _edge("in", "portal"),
                _edge("portal", "tell_portal", "true"),
                _edge("portal", "tell_author", "false"),
                _edge("tell_portal", "tell_author"),
                _edge("tell_author", "out"),
            ],
        },
    },
    "purchase_order": {
        "slot:submitted_to_approved": {
            "exit_edge_mode": "join",
            "nodes": [
                {
                    "id": "two_of_finance",
                    "type": "approval",
                    "name": "Two of finance",
                    "config": {"title": "Order {entity.number}", "chain": "orders", "remind_every": "24h"},
                }
            ],
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
            "nodes": [
                {
                    "id": "dear",
                    "type": "condition",
                    "name": "Expensive?",
                    "config": {"expression": "entity.total > 1000"},
                },
                # One person by name, who has left meanwhile: what was asked of him is stuck until somebody sees it.
                {
                    "id": "sales",
                    "type": "approval",
                    "name": "Head of sales",
                    "config": {"title": "Expense {entity.number}", "approvers": [{"kind": "user", "user": "henrik"}]},
                },
                _approval("finance", "Finance", "Expense {entity.number}", "finance"),
            ],
            "edges": [
                _edge("in", "dear"),
                _edge("dear", "sales", "true"),
                _edge("dear", "finance", "false"),
                *(_edge(node, "out", outcome) for node in ("sales", "finance") for outcome in ("approved", "rejected")),
            ],
        },
    },
}


_ORDERS: Final[list[dict[str, Any]]] = [
    {"name": "Finance", "approvers": [{"kind": "role", "role": "finance"}], "required": 2, "due_after": "48h"},
]


async def seed_workflows(app: Holdfast) -> None:
    """Register the contracts, define the chain and publish the slots."""
    async with app.tenant(TENANT, actor=ADMIN) as hold:
        await hold.chains.define("orders", _ORDERS)
        for contract in CONTRACTS:
            await hold.definitions.register(contract)
            draft = await hold.definitions.create_draft(contract.entity_type, _PATCHES[contract.entity_type])
            await hold.definitions.publish(draft.id)
