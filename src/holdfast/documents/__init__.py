"""Documents: what organisations work on. Every change goes through one write path, `mutate()`.

    app.contracts.add(Contract(entity_type="invoice", document=Invoice))
    async with app.tenant("acme", actor="ana") as hold:
        invoice = await hold.documents.create("invoice", {"grand_total": "12500.00"})
        await hold.documents.transition(invoice.id, "submit")

Documents are a layer below processes: they offer ports (`ProcessPort`, `DocumentListener`) that processes fill.
"""

from __future__ import annotations

from holdfast.documents.access import Access, Sight, check_settings
from holdfast.documents.api import Documents
from holdfast.documents.contracts import Contracts, DocumentType
from holdfast.documents.events import event_row, post_events
from holdfast.documents.locking import Cabinet
from holdfast.documents.model import (
    OPERATIONS,
    Document,
    DocumentChange,
    DocumentVersion,
    Mutation,
    Operation,
    Standing,
)
from holdfast.documents.ports import DocumentListener, DocumentStore, ProcessPort
from holdfast.documents.rules import DEFAULT_OPERATIONS, Execution, Rule, Rules
from holdfast.documents.status import set_status
from holdfast.documents.views import DocumentView

__all__ = [
    "DEFAULT_OPERATIONS",
    "OPERATIONS",
    "Access",
    "Cabinet",
    "Contracts",
    "Document",
    "DocumentChange",
    "DocumentListener",
    "DocumentStore",
    "DocumentType",
    "DocumentVersion",
    "DocumentView",
    "Documents",
    "Execution",
    "Mutation",
    "Operation",
    "ProcessPort",
    "Rule",
    "Rules",
    "Sight",
    "Standing",
    "check_settings",
    "event_row",
    "post_events",
    "set_status",
]
