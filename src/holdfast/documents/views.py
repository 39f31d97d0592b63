"""Views of the list of documents: filters that a person keeps under a name. They are nobody else's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from psycopg import errors as pg
from psycopg.types.json import Jsonb

from holdfast.errors import InvalidInput, NotFound, QuotaExceeded
from holdfast.kernel.json import dump
from holdfast.kernel.names import check_text
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["DocumentView", "delete_view", "list_views", "save_view"]

_SQL = queries("documents")
_FILTERS: Final = ("entity_type", "doc_status", "text")
_MOST: Final = 100


@dataclass(frozen=True, slots=True)
class DocumentView:
    """Filters of the list of documents that a person keeps under a name."""

    name: str
    filters: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime


async def list_views(tx: TenantTx) -> Sequence[DocumentView]:
    """The actor's own, by name."""
    return [DocumentView(**row) for row in await tx.rows(_SQL["document_views"], me=tx.actor.name)]


async def save_view(tx: TenantTx, name: str, filters: Mapping[str, Any]) -> DocumentView:
    """Keep filters under a name; one of that name is replaced."""
    me = tx.actor.name
    check_text("name", name, maximum=128)
    kept = _checked(filters)
    known = await list_views(tx)
    if len(known) >= _MOST and name not in {view.name for view in known}:
        raise QuotaExceeded(f"there are {len(known)} views", hint="delete one that is no longer needed")
    try:
        await tx.run(_SQL["save_document_view"], me=me, name=name, filters=Jsonb(kept, dumps=dump))
    except pg.ForeignKeyViolation:
        raise InvalidInput(f"{me} is not a user", hint="act as a user: actor='ben'", field="actor") from None
    return next(view for view in await list_views(tx) if view.name == name)


async def delete_view(tx: TenantTx, name: str) -> None:
    """Forget one."""
    if not await tx.run(_SQL["delete_document_view"], me=tx.actor.name, name=name):
        raise NotFound(f"there is no view {name!r}", hint="`documents.views` lists them", view=name)


def _checked(filters: Mapping[str, Any]) -> dict[str, str]:
    allowed = f"use some of {', '.join(_FILTERS)}"
    if not isinstance(filters, Mapping):
        raise InvalidInput("filters is not an object", hint=allowed, field="filters")
    for name, value in filters.items():
        if name not in _FILTERS:
            raise InvalidInput(f"there is no filter {name!r}", hint=allowed, field="filters")
        if not isinstance(value, str):
            raise InvalidInput(
                f"the filter {name} is not a text", hint="leave out what is not filtered", field="filters"
            )
        check_text(name, value, maximum=255)
    return dict(filters)
