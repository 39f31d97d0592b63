"""A tenant with invoices: contracts, and the desk at which documents are changed without any engine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from holdfast import Holdfast
from holdfast.documents import Cabinet, Contracts, Documents, Rules
from holdfast.envelope import Contract
from holdfast.postgres.tenant import TenantTx

INVOICE: dict[str, Any] = {
    "type": "object",
    "required": ["number", "grand_total"],
    "additionalProperties": False,
    "properties": {
        "number": {"type": "string", "minLength": 1},
        "grand_total": {"type": "number", "minimum": 0},
        "vendor": {"type": ["string", "null"]},
        "due": {"type": "string", "format": "date"},
        "lines": {"type": "array", "items": {"type": "object"}},
        "category": {"type": "string"},
    },
}


def invoice(**changes: Any) -> dict[str, Any]:
    return {"number": "4711", "grand_total": 12500, **changes}


def contract(**changes: Any) -> Contract:
    return Contract(**{"entity_type": "invoice", "document": INVOICE, **changes})


@dataclass
class Desk:
    """One transaction in which documents are changed."""

    tx: TenantTx
    documents: Documents
    rules: Rules


OpenDesk = Callable[..., AbstractAsyncContextManager[Desk]]


@pytest.fixture
def contracts() -> Contracts:
    known = Contracts()
    known.add(contract())
    return known


@pytest.fixture
def cabinet(contracts: Contracts) -> Cabinet:
    """Without a process: a document's lifecycle follows its contract alone."""
    return Cabinet(contracts, limit=1024 * 1024)


@pytest.fixture
def desk(app: Holdfast, cabinet: Cabinet) -> OpenDesk:
    @asynccontextmanager
    async def open_desk(tenant: str = "acme", *, actor: str = "ana", at: Cabinet | None = None) -> AsyncIterator[Desk]:
        async with app.tenant(tenant, actor=actor) as hold:
            tx = hold._tx
            used = at or cabinet
            yield Desk(tx, Documents(tx, used), Rules(tx, used.contracts))

    return open_desk
