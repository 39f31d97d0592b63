"""Keys and links in Postgres: in the transaction of a `Hold`, or each call a transaction of its own (`Express`)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Any, Protocol
from uuid import UUID

from psycopg.rows import dict_row

from holdfast.data.model import NOWHERE, Origin, Ref
from holdfast.data.port import EDGE, Following, Here, Known, Outcome, RawAdd, RawPut, Row
from holdfast.kernel.actor import SYSTEM
from holdfast.kernel.clock import Clock
from holdfast.kernel.ids import uuid7
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["Express", "InTransaction", "PostgresKeys", "PostgresLinks", "tidy_data"]

_SQL = {part: queries(part) for part in ("data", "links")}


class Way(Protocol):
    """How statements reach the database."""

    @property
    def scope(self) -> str:
        """The tenant's slug."""

    @property
    def actor(self) -> str: ...

    async def all(self, part: str, name: str, **values: Any) -> list[Row]: ...


class InTransaction:
    """Statements of a transaction that somebody else began."""

    def __init__(self, tx: TenantTx) -> None:
        self._tx = tx
        self.scope = tx.tenant.slug
        self.actor = str(tx.actor)

    async def all(self, part: str, name: str, **values: Any) -> list[Row]:
        return await self._tx.rows(_SQL[part][name], **values)


class Express:
    """Each statement a transaction of its own; the hot ones in a single round trip. For trusted code."""

    def __init__(self, opened: Callable[[], Awaitable[Database]], slug: str, clock: Clock) -> None:
        self._opened = opened
        self._clock = clock
        self.scope = slug
        self.actor = str(SYSTEM)

    async def all(self, part: str, name: str, **values: Any) -> list[Row]:
        database = await self._opened()
        tenant = await database.tenant(self.scope)
        whole = _SQL[part].get(f"{name}_for")
        if whole is None or database.on_citus:
            async with database.transaction(tenant, SYSTEM, self._clock) as tx:
                return await tx.rows(_SQL[part][name], **values)
        async with database.express() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            await cursor.execute(whole, values | {"tenant": tenant.id, "now": self._clock.now()})
            return await cursor.fetchall()


class PostgresKeys:
    """Keys of one tenant in Postgres."""

    beginning = "3:3:"  # 3 is the first id a transaction can have

    def __init__(self, way: Way, origin: Origin = NOWHERE) -> None:
        self._road = way
        self._written = {"actor": way.actor, "origin": origin.facts, "step": origin.step}

    @property
    def scope(self) -> Hashable:
        return self._road.scope

    async def get(self, namespace: str, key: str) -> Row | None:
        return _first(await self._road.all("data", "get", namespace=namespace, key=key))

    async def get_many(self, namespace: str, keys: Sequence[str]) -> list[Row]:
        return await self._road.all("data", "get_many", namespace=namespace, keys=list(keys))

    async def set(self, namespace: str, put: RawPut, checked: int) -> Outcome:
        rows = await self._road.all(
            "data", "set", namespace=namespace, **put._asdict(), id=uuid7(), checked=checked, **self._written
        )
        return _outcome(put.key, rows[0])

    async def set_many(self, namespace: str, puts: Sequence[RawPut], checked: int) -> list[Outcome]:
        columns: dict[str, Any] = {
            "keys": [put.key for put in puts],
            "ids": [uuid7() for _ in puts],
            "values": [put.value for put in puts],
            "value_types": [put.value_type for put in puts],
            "ttls": [put.ttl for put in puts],
            "if_revisions": [put.if_revision for put in puts],
        }
        rows = await self._road.all(
            "data", "set_many", namespace=namespace, **columns, checked=checked, **self._written
        )
        found = {row["set_key"]: _outcome(row["set_key"], row) for row in rows}
        refused = [outcome for outcome in found.values() if outcome.status != "done"]
        return refused or [found[put.key] for put in puts]

    async def increment(self, namespace: str, add: RawAdd, checked: int) -> Outcome:
        rows = await self._road.all(
            "data", "increment", namespace=namespace, **add._asdict(), id=uuid7(), checked=checked, **self._written
        )
        return _outcome(add.key, rows[0])

    async def delete(self, namespace: str, keys: Sequence[str], if_revision: int | None) -> list[Outcome]:
        rows = await self._road.all(
            "data", "delete", namespace=namespace, keys=list(keys), if_revision=if_revision, **self._written
        )
        return [
            Outcome(row["deleted_key"], "conflict", known=row["revision"])
            if row["status"] == "conflict"
            else Outcome(row["deleted_key"], "done", revision=row["revision"])
            for row in rows
        ]

    async def page(self, namespace: str, low: str, high: str, after: str, limit: int) -> list[Row]:
        return await self._road.all("data", "list", namespace=namespace, low=low, high=high, after=after, limit=limit)

    async def namespaces(self, after: str, limit: int) -> list[Row]:
        return await self._road.all("data", "namespaces", after=after, limit=limit)

    async def namespace_names(self, low: str, high: str, limit: int) -> list[str]:
        rows = await self._road.all("data", "namespace_names", low=low, high=high, limit=limit)
        return [row["namespace"] for row in rows]

    async def sweep(self, limit: int) -> int:
        rows = await self._road.all("data", "sweep", limit=limit, actor=self._road.actor)
        return int(rows[0]["swept"])

    async def configure(self, namespace: str, schema: str | None, max_keys: int | None, max_bytes: int | None) -> None:
        await self._road.all(
            "data",
            "configure",
            namespace=namespace,
            id=uuid7(),
            schema=schema,
            max_keys=max_keys,
            max_bytes=max_bytes,
        )

    async def rules(self, namespace: str) -> Row | None:
        return _first(await self._road.all("data", "rules", namespace=namespace))

    async def here(self) -> Here:
        row = (await self._road.all("data", "snapshot"))[0]
        return Here(_without(row["snapshot"], row["own"]), row["at"], row["origin"], row["dropped_until"])

    async def known_until(self, namespace: str, revision: int) -> Known:
        row = (await self._road.all("data", "known_until", namespace=namespace, revision=revision))[0]
        by = row["xid"] if row["revision"] == revision else "0"
        return Known(row["oldest"], row["seen"] or self.beginning, by)

    async def changes(self, namespace: str, wanted: Following, limit: int) -> list[Row]:
        much = wanted.after > 0 or wanted.since == self.beginning
        query = "more_changes" if much else "changes"
        return await self._road.all("data", query, namespace=namespace, **wanted._asdict(), limit=limit)

    async def export(self, after: Sequence[str], upto: str, limit: int, most_bytes: int) -> list[Row]:
        place = dict(zip(("after_namespace", "after_key"), after, strict=True))
        return await self._road.all("data", "export", **place, upto=upto, limit=limit, bytes=most_bytes)


class PostgresLinks:
    """Links of one tenant in Postgres."""

    def __init__(self, way: Way, origin: Origin = NOWHERE) -> None:
        self._road = way
        self._written = {"actor": way.actor, "origin": origin.facts, "step": origin.step}

    async def upsert(
        self, namespace: str, left: Ref, right: Ref, relation: str, attributes: str | None
    ) -> tuple[UUID, bool]:
        rows = await self._road.all(
            "links",
            "upsert",
            namespace=namespace,
            id=uuid7(),
            from_type=left.type,
            from_id=left.id,
            to_type=right.type,
            to_id=right.id,
            relation=relation,
            attributes=attributes,
            **self._written,
        )
        return rows[0]["id"], rows[0]["created"]

    async def lookup(
        self,
        namespace: str,
        of: Ref,
        ways: tuple[bool, bool],
        relation: str | None,
        other_type: str | None,
        after: tuple[str, str, str, UUID] | None,
        limit: int,
    ) -> list[Row]:
        after_type, after_id, after_relation, after_link = after or (None, None, None, None)
        return await self._road.all(
            "links",
            "lookup",
            namespace=namespace,
            of_type=of.type,
            of_id=of.id,
            forward=ways[0],
            reverse=ways[1],
            relation=relation,
            other_type=other_type,
            after_type=after_type,
            after_id=after_id,
            after_relation=after_relation,
            after_link=after_link,
            limit=limit,
        )

    async def delete(self, namespace: str, left: Ref | None, right: Ref | None, relation: str | None) -> int:
        rows = await self._road.all(
            "links",
            "delete",
            namespace=namespace,
            from_type=left and left.type,
            from_id=left and left.id,
            to_type=right and right.type,
            to_id=right and right.id,
            relation=relation,
            **self._written,
        )
        return int(rows[0]["deleted"])

    async def page(
        self,
        namespace: str,
        left_type: str | None,
        right_type: str | None,
        relation: str | None,
        after: Sequence[str],
        limit: int,
    ) -> list[Row]:
        names = ("after_left_type", "after_left_id", "after_right_type", "after_right_id", "after_relation")
        return await self._road.all(
            "links",
            "list",
            namespace=namespace,
            left_type=left_type,
            right_type=right_type,
            relation=relation,
            **dict(zip(names, after, strict=True)),
            limit=limit,
        )

    async def namespaces(self, after: str, limit: int) -> list[Row]:
        return await self._road.all("links", "namespaces", after=after, limit=limit)

    async def namespace_names(self, low: str, high: str, limit: int) -> list[str]:
        rows = await self._road.all("links", "namespace_names", low=low, high=high, limit=limit)
        return [row["namespace"] for row in rows]

    async def types_in_use(self, namespace: str, low: str, high: str, limit: int) -> list[str]:
        rows = await self._road.all("links", "types_in_use", namespace=namespace, low=low, high=high, limit=limit)
        return [row["type"] for row in rows]

    async def relations_in_use(self, namespace: str, low: str, high: str, limit: int) -> list[str]:
        rows = await self._road.all("links", "relations_in_use", namespace=namespace, low=low, high=high, limit=limit)
        return [row["relation"] for row in rows]

    async def export(self, after: Sequence[str], upto: str, limit: int, most_bytes: int) -> list[Row]:
        place = {f"after_{name}": part for name, part in zip(EDGE, after, strict=True)}
        return await self._road.all("links", "export", **place, upto=upto, limit=limit, bytes=most_bytes)


async def tidy_data(database: Database, clock: Clock, *, batch: int = 1000) -> tuple[int, list[str]]:
    """The janitor's part: expired keys go, quotas are counted anew, old changes are dropped.

    How many, and which months.
    """
    swept, recount = 0, True
    async with database.connection() as connection:
        while True:
            # Each batch is a transaction of its own, so that nobody waits long for a key of the same namespace.
            values = {"limit": batch, "recount": recount, "now": clock.now()}
            row = await (await connection.execute(_SQL["data"]["tidy"], values)).fetchone()
            recount = False
            if row is None or row[0] == 0:
                break
            swept += row[0]
        values = {"now": clock.now(), "days": database.settings.data_change_retention}
        cursor = await connection.execute(_SQL["data"]["drop_changes"], values)
        return swept, [name for (name,) in await cursor.fetchall()]


def _without(snapshot: str, own: str | None) -> str:
    """A snapshot as others will have it: what our own unfinished transaction writes is not there yet."""
    xmin, xmax, others = snapshot.split(":")
    if own is None or int(own) >= int(xmax):
        return snapshot
    unfinished = sorted({int(own), *(int(xid) for xid in others.split(",") if xid)})
    return f"{min(int(xmin), int(own))}:{xmax}:{','.join(map(str, unfinished))}"


def _outcome(key: str, row: Row) -> Outcome:
    return Outcome(
        key,
        row["status"],
        revision=row["new_revision"] or 0,
        created=bool(row["created"]),
        known=row["known_revision"] or 0,
        note=row["note"],
        value=row.get("new_value"),
    )


def _first(rows: list[Row]) -> Row | None:
    return rows[0] if rows else None
