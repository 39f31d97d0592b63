"""The contract, the scope and the data that the tests of the expression language share."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from holdfast.envelope.expressions import Scope
from holdfast.errors import ExpressionError

INVOICE: dict[str, Any] = {
    "type": "object",
    "required": ["grand_total", "status", "customer", "lines", "due_on", "created_at", "urgent", "credit"],
    "properties": {
        "grand_total": {"type": "number"},
        "credit": {"type": "string", "format": "decimal"},
        "status": {"enum": ["draft", "submitted", "posted"]},
        "number": {"type": "string"},
        "urgent": {"type": "boolean"},
        "due_on": {"type": "string", "format": "date"},
        "created_at": {"type": "string", "format": "date-time"},
        "discount": {"type": ["number", "null"]},
        "grand-total": {"type": "number"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "customer": {
            "type": "object",
            "required": ["name"],
            "properties": {"name": {"type": "string"}, "vip": {"type": "boolean"}, "limit": {"type": "number"}},
        },
        "billing": {"$ref": "#/$defs/address"},
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["sku", "amount"],
                "properties": {"sku": {"type": "string"}, "amount": {"type": "string", "format": "decimal"}},
            },
        },
    },
    "$defs": {"address": {"type": "object", "properties": {"country": {"enum": ["DE", "FR", None]}}}},
}

SCOPE = Scope.of(
    entity=INVOICE, org={"properties": {"trusted_vendors": {"type": "array", "items": {"type": "string"}}}}
)


def roots(**entity: Any) -> dict[str, Any]:
    """Complete, valid roots; arguments replace fields of the document."""
    return {
        "entity": {
            "grand_total": 12500,
            "credit": "12500.00",
            "status": "submitted",
            "urgent": False,
            "due_on": "2026-06-04",
            "created_at": "2026-06-01T08:00:00Z",
            "customer": {"name": "Ada", "limit": Decimal(20000)},
            "lines": [{"sku": "A-1", "amount": "9.50"}],
            "grand-total": 7,
            **entity,
        },
        "actor": {"user_id": "ana", "roles": ["clerk", "finance_manager"]},
        "org": {"trusted_vendors": ["v1"]},
        "now": datetime(2026, 6, 4, 10, 30, tzinfo=UTC),
        "context": {"approval_count": 2, "note": "ok", "nothing": None},
        "payload": {"amount": "12.50", "at": "2026-06-04T12:00:00+02:00"},
    }


def code_of(error: ExpressionError) -> str:
    """The stable code of an expression's error."""
    return str(error.details["code"])
