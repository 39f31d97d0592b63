"""Views of the list of documents: filters that a person keeps under a name. They are nobody else's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from holdfast.access.views import Views
from holdfast.kernel.names import check_text
from holdfast.postgres.queries import queries

__all__ = ["VIEWS", "DocumentView", "check_filters"]


@dataclass(frozen=True, slots=True)
class DocumentView:
    """Filters of the list of documents that a person keeps under a name."""

    name: str
    filters: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime


VIEWS: Final = Views(queries("documents"), DocumentView, "documents.views", ("entity_type", "doc_status", "text"))


def check_filters(filters: Mapping[str, Any]) -> None:
    """Refuse what the list of documents cannot be filtered by."""
    VIEWS.check(filters)
    for name, value in filters.items():
        check_text(name, value, maximum=255)
