"""Keys and links in memory, with the same rules as in Postgres: for tests of code that uses them.

There are no transactions: every call stands at once. Time is that of the clock given. Whether the rules are the same is
shown by the conformance suite in `holdfast.testing`, which runs over both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from operator import itemgetter
from typing import Any
from uuid import UUID

from holdfast.data.checks import fits
from holdfast.data.model import NOWHERE, Origin, Ref
from holdfast.data.numbers import add as plus
from holdfast.data.numbers import stored_number
from holdfast.data.port import EDGE, Following, Here, Known, Outcome, RawAdd, RawPut, Row
from holdfast.kernel.clock import Clock
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import decode, encode_canonical

__all__ = ["MemoryKeys", "MemoryLinks"]

_WARN_AT = Decimal("0.8")
_UNLIMITED = 2**62
_MOST_SWEPT = 10_000


@dataclass(frozen=True, slots=True)
class _Kept:
    value: str
    value_type: str
    revision: int
    expires_at: datetime | None
    created_by_run_id: UUID | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class _Rule:
    json_schema: str | None
    schema_version: int
    max_keys: int | None
    max_bytes: int | None


class MemoryKeys:
    """Keys of one tenant in memory."""

    beginning = "0"

    def __init__(self, clock: Clock, origin: Origin = NOWHERE) -> None:
        self._clock = clock
        self._origin = origin
        self._kept: dict[tuple[str, str], _Kept] = {}
        self._rules: dict[str, _Rule] = {}
        self._log: list[Row] = []
        self._revision = 0

    @property
    def scope(self) -> Hashable:
        return id(self)

    async def get(self, namespace: str, key: str) -> Row | None:
        kept = self._alive(namespace, key)
        return None if kept is None else _row(key, kept)

    async def get_many(self, namespace: str, keys: Sequence[str]) -> list[Row]:
        return [_row(key, kept) for key in keys if (kept := self._alive(namespace, key)) is not None]

    async def set(self, namespace: str, put: RawPut, checked: int) -> Outcome:
        return self._set(namespace, put, checked)

    async def set_many(self, namespace: str, puts: Sequence[RawPut], checked: int) -> list[Outcome]:
        before = dict(self._kept), len(self._log)
        found: dict[str, Outcome] = {}
        for put in sorted(puts, key=lambda put: put.key.encode()):
            outcome = self._set(namespace, put, checked)
            if outcome.status != "done":
                self._kept, length = before
                del self._log[length:]
                return [outcome]
            found[put.key] = outcome
        return [found[put.key] for put in puts]

    async def increment(self, namespace: str, add: RawAdd, checked: int) -> Outcome:
        self._make_room(namespace)
        rule = self._rules.get(namespace)
        if refused := self._unchecked(namespace, add.key, checked):
            return refused
        if rule is not None and rule.json_schema is not None and add.allowed is None:
            return Outcome(add.key, "schema", known=rule.schema_version, note=rule.json_schema)
        kept = self._alive(namespace, add.key)
        if kept is not None and isinstance(decode(kept.value), str | bool | dict | list | None):
            return Outcome(add.key, "not_a_number", note=_json_type(decode(kept.value)))
        total = plus(add.initial if kept is None else Decimal(kept.value), add.by)
        if not fits(total):
            return Outcome(add.key, "too_long")
        if add.allowed is not None and total != add.allowed:
            return Outcome(add.key, "conflict")
        text = encode_canonical("value", stored_number(total), limit=_UNLIMITED)
        if kept is None:
            return replace(self._set(namespace, RawPut(add.key, text, "number", add.ttl, 0), checked), value=text)
        revision = self._next()
        self._kept[namespace, add.key] = replace(
            kept, value=text, value_type="number", revision=revision, updated_at=self._now()
        )
        self._tell(namespace, add.key, "set", revision)
        return Outcome(add.key, "done", revision=revision, value=text)

    async def delete(self, namespace: str, keys: Sequence[str], if_revision: int | None) -> list[Outcome]:
        self._make_room(namespace)
        done = []
        for key in sorted(set(keys), key=str.encode):
            alive = self._alive(namespace, key)
            known = alive.revision if alive else 0
            if if_revision is not None and if_revision != known:
                return [Outcome(key, "conflict", known=known)]
            if self._kept.pop((namespace, key), None) is None:
                continue
            revision = self._next()
            self._tell(namespace, key, "deleted" if alive else "expired", revision)
            if alive:
                done.append(Outcome(key, "done", revision=revision))
        return done

    async def page(self, namespace: str, low: str, high: str, after: str, limit: int) -> list[Row]:
        first, last, past = low.encode(), high.encode(), after.encode()
        keys = sorted(
            (
                key
                for space, key in self._kept
                if space == namespace and first <= key.encode() < last and key.encode() > past
            ),
            key=str.encode,
        )
        rows = [_row(key, kept) for key in keys if (kept := self._alive(namespace, key)) is not None]
        return rows[:limit]

    async def namespaces(self, after: str, limit: int) -> list[Row]:
        found = Counter(space for space, key in self._kept if self._alive(space, key) is not None)
        names = sorted((name for name in found if name.encode() > after.encode()), key=str.encode)
        return [{"namespace": name, "keys": found[name]} for name in names[:limit]]

    async def namespace_names(self, low: str, high: str, limit: int) -> list[str]:
        alive = {space for space, key in self._kept if self._alive(space, key) is not None}
        return _between(alive, low, high, limit)

    async def sweep(self, limit: int) -> int:
        return self._sweep(None, limit)

    async def configure(self, namespace: str, schema: str | None, max_keys: int | None, max_bytes: int | None) -> None:
        old = self._rules.get(namespace)
        same = old is not None and old.json_schema == schema
        version = old.schema_version if same and old else 0 if schema is None else self._next()
        self._rules[namespace] = _Rule(schema, version, max_keys, max_bytes)

    async def rules(self, namespace: str) -> Row | None:
        rule = self._rules.get(namespace)
        if rule is None:
            return None
        keys, size = self._use(namespace)
        return {
            "json_schema": rule.json_schema,
            "schema_version": rule.schema_version,
            "max_keys": rule.max_keys,
            "max_bytes": rule.max_bytes,
            "keys": keys,
            "bytes": size,
        }

    async def here(self) -> Here:
        return Here(str(len(self._log)), self._now(), id(self), None)

    async def known_until(self, namespace: str, revision: int) -> Known:
        # Nothing becomes visible later here: every call stands at once.
        oldest = min((row["revision"] for row in self._log if row["namespace"] == namespace), default=None)
        return Known(oldest, self.beginning, "0")

    async def changes(self, namespace: str, wanted: Following, limit: int) -> list[Row]:
        found = []
        for row in self._log[int(wanted.since) : int(wanted.upto)]:
            if row["namespace"] == namespace and row["id"] > wanted.after and row["revision"] > wanted.above:
                kept = self._alive(namespace, row["key"])
                current = kept is not None and kept.revision == row["revision"]
                found.append(row | {"value": kept.value if current and kept else None})
        return found[:limit]

    async def export(self, after: Sequence[str], upto: str, limit: int, most_bytes: int) -> list[Row]:
        rows = [
            _row(key, kept) | {"namespace": space}
            for space, key in sorted(self._kept, key=_bytes)
            if _bytes((space, key)) > _bytes(after) and space.encode() <= upto.encode()
            if (kept := self._alive(space, key)) is not None
        ]
        return _first(rows[:limit], "value", most_bytes)

    def _set(self, namespace: str, put: RawPut, checked: int) -> Outcome:
        self._make_room(namespace, len(put.value.encode()))
        if refused := self._unchecked(namespace, put.key, checked):
            return refused
        alive = self._alive(namespace, put.key)
        known = alive.revision if alive else 0
        if put.if_revision is not None and put.if_revision != known:
            return Outcome(put.key, "conflict", known=known)
        note = None
        rule = self._rules.get(namespace)
        if rule is not None:
            status, note = self._room(namespace, put, rule)
            if status is not None:
                return Outcome(put.key, status, note=note)
        now, revision = self._now(), self._next()
        self._kept[namespace, put.key] = _Kept(
            put.value,
            put.value_type,
            revision,
            None if put.ttl is None else now + put.ttl,
            alive.created_by_run_id if alive else self._origin.creator,
            alive.created_at if alive else now,
            now,
        )
        self._tell(namespace, put.key, "set", revision)
        return Outcome(put.key, "done", revision=revision, created=alive is None, note=note)

    def _unchecked(self, namespace: str, key: str, checked: int) -> Outcome | None:
        rule = self._rules.get(namespace)
        version = rule.schema_version if rule else 0
        return (
            None
            if version == checked
            else Outcome(key, "schema", known=version, note=rule.json_schema if rule else None)
        )

    def _make_room(self, namespace: str, more_bytes: int = 0) -> None:
        """Before a write to a namespace with quotas that is full: keys that are no longer there are not in the way."""
        rule = self._rules.get(namespace)
        if rule is not None:
            keys, size = self._use(namespace)
            if keys >= (rule.max_keys or _UNLIMITED) or size + more_bytes > (rule.max_bytes or _UNLIMITED):
                self._sweep(namespace, _MOST_SWEPT)

    def _room(self, namespace: str, put: RawPut, rule: _Rule) -> tuple[Any, str | None]:
        keys, size = self._use(namespace)
        old = self._kept.get((namespace, put.key))
        growth = len(put.value.encode()) - (len(old.value.encode()) if old else 0)
        keys, size = keys + (old is None), size + growth
        if old is None and keys > (rule.max_keys or _UNLIMITED):
            return "keys", str(rule.max_keys)
        if growth > 0 and size > (rule.max_bytes or _UNLIMITED):
            return "bytes", str(rule.max_bytes)
        filled = max(Decimal(keys) / (rule.max_keys or _UNLIMITED), Decimal(size) / (rule.max_bytes or _UNLIMITED))
        if filled < _WARN_AT:
            return None, None
        most_keys, most_bytes = rule.max_keys or "any number", rule.max_bytes or "any number"
        return None, (
            f"the namespace is {int(filled * 100)} % full: {keys} keys of {most_keys}, {size} bytes of {most_bytes}"
        )

    def _use(self, namespace: str) -> tuple[int, int]:
        sizes = [len(kept.value.encode()) for (space, _), kept in self._kept.items() if space == namespace]
        return len(sizes), sum(sizes)

    def _sweep(self, namespace: str | None, limit: int) -> int:
        now = self._now()
        over = [
            (kept.expires_at, _bytes(pair), pair)
            for pair, kept in self._kept.items()
            if kept.expires_at is not None and kept.expires_at <= now and namespace in (None, pair[0])
        ]
        for *_, pair in sorted(over)[:limit]:
            del self._kept[pair]
            self._tell(*pair, "expired", self._next())
        return len(over[:limit])

    def _alive(self, namespace: str, key: str) -> _Kept | None:
        kept = self._kept.get((namespace, key))
        return None if kept is None or (kept.expires_at is not None and kept.expires_at <= self._now()) else kept

    def _tell(self, namespace: str, key: str, op: str, revision: int) -> None:
        self._log.append(
            {
                "id": len(self._log) + 1,
                "namespace": namespace,
                "key": key,
                "op": op,
                "revision": revision,
                "created_at": self._now(),
            }
        )

    def _next(self) -> int:
        self._revision += 1
        return self._revision

    def _now(self) -> datetime:
        return self._clock.now() or datetime.now(UTC)


_Edge = tuple[str, str, str, str, str, str]


class MemoryLinks:
    """Links of one tenant in memory."""

    def __init__(self, clock: Clock, origin: Origin = NOWHERE) -> None:
        self._clock = clock
        self._origin = origin
        self._edges: dict[_Edge, Row] = {}

    async def upsert(
        self, namespace: str, left: Ref, right: Ref, relation: str, attributes: str | None
    ) -> tuple[UUID, bool]:
        edge = (namespace, *left, *right, relation)
        now = self._clock.now() or datetime.now(UTC)
        known = self._edges.get(edge)
        if known is not None:
            known |= {"updated_at": now} if attributes is None else {"updated_at": now, "attributes": attributes}
            return known["link_id"], False
        made = uuid7()
        row: Row = {
            "link_id": made,
            "attributes": attributes or "{}",
            "created_by_run_id": self._origin.creator,
            "created_at": now,
            "updated_at": now,
        }
        self._edges[edge] = row
        return made, True

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
        found = []
        for (space, left_type, left_id, right_type, right_id, kind), row in self._edges.items():
            left, right = Ref(left_type, left_id), Ref(right_type, right_id)
            if space != namespace or relation not in (None, kind):
                continue
            if ways[0] and left == of:
                other, direction = right, "forward"
            elif ways[1] and right == of:
                other, direction = left, "reverse"
            else:
                continue
            if other_type in (None, other.type):
                facts = {"link_id": row["link_id"], "attributes": row["attributes"], "direction": direction}
                found.append({"type": other.type, "id": other.id, "relation": kind} | facts)
        found.sort(key=_match_order)
        return [row for row in found if after is None or _match_order(row) > _place(after)][:limit]

    async def delete(self, namespace: str, left: Ref | None, right: Ref | None, relation: str | None) -> int:
        gone = [
            edge
            for edge in self._edges
            if edge[0] == namespace
            and (left is None or edge[1:3] == left)
            and (right is None or edge[3:5] == right)
            and relation in (None, edge[5])
        ]
        for edge in gone:
            del self._edges[edge]
        return len(gone)

    async def page(
        self,
        namespace: str,
        left_type: str | None,
        right_type: str | None,
        relation: str | None,
        after: Sequence[str],
        limit: int,
    ) -> list[Row]:
        past = [part.encode() for part in after]
        names = ("left_type", "left_id", "right_type", "right_id", "relation")
        return [
            row | dict(zip(names, edge[1:], strict=True))
            for edge, row in self._sorted()
            if edge[0] == namespace
            and left_type in (None, edge[1])
            and right_type in (None, edge[3])
            and relation in (None, edge[5])
            and [part.encode() for part in edge[1:]] > past
        ][:limit]

    async def namespaces(self, after: str, limit: int) -> list[Row]:
        found = Counter(map(itemgetter(0), self._edges))
        names = sorted((name for name in found if name.encode() > after.encode()), key=str.encode)
        return [{"namespace": name, "links": found[name]} for name in names[:limit]]

    async def namespace_names(self, low: str, high: str, limit: int) -> list[str]:
        return _between(set(map(itemgetter(0), self._edges)), low, high, limit)

    async def types_in_use(self, namespace: str, low: str, high: str, limit: int) -> list[str]:
        types = {kind for edge in self._edges if edge[0] == namespace for kind in (edge[1], edge[3])}
        return _between(types, low, high, limit)

    async def relations_in_use(self, namespace: str, low: str, high: str, limit: int) -> list[str]:
        return _between({edge[5] for edge in self._edges if edge[0] == namespace}, low, high, limit)

    async def export(self, after: Sequence[str], upto: str, limit: int, most_bytes: int) -> list[Row]:
        rows = [
            dict(zip(EDGE, edge, strict=True)) | {"attributes": row["attributes"]}
            for edge, row in self._sorted()
            if _bytes(edge) > _bytes(after) and edge[0].encode() <= upto.encode()
        ]
        return _first(rows[:limit], "attributes", most_bytes)

    def _sorted(self) -> Sequence[tuple[_Edge, Row]]:
        return sorted(self._edges.items(), key=lambda item: _bytes(item[0]))


def _row(key: str, kept: _Kept) -> Row:
    return {"key": key} | {name: getattr(kept, name) for name in kept.__slots__}


def _bytes(texts: Sequence[str]) -> list[bytes]:
    return [text.encode() for text in texts]


def _first(rows: list[Row], name: str, most_bytes: int) -> list[Row]:
    """Rows until there are so many bytes; always one, or who pages would never get past it."""
    size, chosen = 0, []
    for row in rows:
        if size >= most_bytes:
            break
        chosen.append(row)
        size += len(row[name].encode())
    return chosen


def _between(names: set[str], low: str, high: str, limit: int) -> list[str]:
    return sorted((n for n in names if low.encode() <= n.encode() < high.encode()), key=str.encode)[:limit]


def _match_order(row: Row) -> tuple[bytes, bytes, bytes, int]:
    return _place((row["type"], row["id"], row["relation"], row["link_id"]))


def _place(place: tuple[str, str, str, UUID]) -> tuple[bytes, bytes, bytes, int]:
    return place[0].encode(), place[1].encode(), place[2].encode(), place[3].int


def _json_type(value: Any) -> str:
    if value is None:
        return "null"
    names = {str: "string", bool: "boolean", dict: "object", list: "array"}
    return names[type(value)]
