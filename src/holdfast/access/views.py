"""Views: filters of a list that a person keeps under a name. They are nobody else's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, LiteralString, Protocol, TypeVar

from psycopg import errors as pg
from psycopg.types.json import Jsonb

from holdfast.errors import InvalidInput, NotFound, QuotaExceeded
from holdfast.kernel.json import dump
from holdfast.kernel.names import check_text
from holdfast.postgres.tenant import TenantTx

__all__ = ["Views"]

_MOST: Final = 100


class _View(Protocol):
    @property
    def name(self) -> str: ...


V = TypeVar("V", bound=_View)


@dataclass(frozen=True, slots=True)
class Views(Generic[V]):
    """Those of one list: its statements `list_views`, `save_view` and `delete_view`, and which filters it has."""

    statements: Mapping[str, LiteralString]
    made_of: Callable[..., V]
    known_as: str
    filters: Sequence[str]

    async def list(self, tx: TenantTx) -> Sequence[V]:
        """The actor's own, by name."""
        return [self.made_of(**row) for row in await tx.rows(self.statements["list_views"], me=tx.actor.name)]

    async def save(self, tx: TenantTx, name: str, filters: Mapping[str, Any]) -> V:
        """Keep filters, which `check` and the list have passed, under a name; one of that name is replaced."""
        me = tx.actor.name
        check_text("name", name, maximum=128)
        known = await self.list(tx)
        if len(known) >= _MOST and name not in {view.name for view in known}:
            raise QuotaExceeded(f"there are {len(known)} views", hint="delete one that is no longer needed")
        try:
            await tx.run(self.statements["save_view"], me=me, name=name, filters=Jsonb(dict(filters), dumps=dump))
        except pg.ForeignKeyViolation:
            raise InvalidInput(f"{me} is not a user", hint="act as a user: actor='ben'", field="actor") from None
        return next(view for view in await self.list(tx) if view.name == name)

    async def delete(self, tx: TenantTx, name: str) -> None:
        """Forget one."""
        if not await tx.run(self.statements["delete_view"], me=tx.actor.name, name=name):
            raise NotFound(f"there is no view {name!r}", hint=f"`{self.known_as}` lists them", view=name)

    def check(self, filters: Mapping[str, Any]) -> None:
        """Refuse what the list has no filter for, and what is no text."""
        allowed = f"use some of {', '.join(self.filters)}"
        if not isinstance(filters, Mapping):
            raise InvalidInput("filters is not an object", hint=allowed, field="filters")
        for name, value in filters.items():
            if name not in self.filters:
                raise InvalidInput(f"there is no filter {name!r}", hint=allowed, field="filters")
            if not isinstance(value, str):
                raise InvalidInput(
                    f"the filter {name} is not a text", hint="leave out what is not filtered", field="filters"
                )
