"""Keys: JSON values under a namespace and a key, `hold.data`.

Every write gives the key a revision that no other write ever had. `if_revision` makes a write conditional: the revision
that was read, or 0 for "only if it is not there". A key may expire; then it is absent everywhere at once. Reading never
writes. What cannot be done is raised without harm to the transaction: catch it and go on.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

from holdfast.data.changes import After, Heard, follow, read_changes
from holdfast.data.checks import (
    DIGITS,
    check_key,
    check_label,
    check_many,
    check_revision,
    check_ttl,
    check_value_type,
    end_of_prefix,
    fits,
    listed,
    prefixed,
)
from holdfast.data.model import Change as Change
from holdfast.data.model import (
    Changes,
    Entry,
    Incremented,
    NamespacePage,
    NamespaceRules,
    NamespaceUse,
    Put,
    ValueType,
    Written,
)
from holdfast.data.numbers import add as plus
from holdfast.data.numbers import number, stored_number
from holdfast.data.port import KeyStore, Outcome, RawAdd, RawPut, Row
from holdfast.data.schemas import Schemas, check_schema
from holdfast.errors import Conflict, InvalidInput, QuotaExceeded, RevisionMismatch, SchemaViolation
from holdfast.kernel.aside import aside
from holdfast.kernel.cursor import check_limit, decode_cursor, encode_cursor
from holdfast.kernel.json import decode, decode_anything, encode_canonical
from holdfast.kernel.page import Page

__all__ = ["Keys"]

_ATTEMPTS = 20
_Outcomes = list[Outcome]  # inside the class `list` is a method


class Keys:
    """The keys of one tenant."""

    def __init__(
        self,
        store: KeyStore,
        require: Callable[[str], None],
        schemas: Schemas,
        *,
        value_limit: int = 256 * 1024,
        heard: Heard | None = None,
    ) -> None:
        self._heard = heard
        self._store = store
        self._require = require
        self._schemas = schemas
        self._value_limit = value_limit

    async def get(self, namespace: str, key: str) -> Entry | None:
        """The entry of a key, or None when it is not there or its time is over."""
        self._require("data:read")
        check_key(namespace, key)
        row = await self._store.get(namespace, key)
        return None if row is None else _entry(namespace, row)

    async def get_many(self, namespace: str, keys: Iterable[str]) -> dict[str, Entry]:
        """The entries of many keys, by key; those that are not there are left out."""
        self._require("data:read")
        given = listed("keys", keys)
        check_label("namespace", namespace)
        check_many("keys", len(given))
        for key in given:
            check_key(namespace, key)
        wanted = list(dict.fromkeys(given))
        if not wanted:
            return {}
        found = {row["key"]: _entry(namespace, row) for row in await self._store.get_many(namespace, wanted)}
        return {key: found[key] for key in wanted if key in found}

    async def set(
        self,
        namespace: str,
        key: str,
        value: Any,
        *,
        value_type: ValueType | None = None,
        ttl: float | timedelta | None = None,
        if_revision: int | None = None,
    ) -> Written:
        """Set a key. With `ttl` (seconds) it expires; without, it stays, also if it had an end before.

        `if_revision` is the revision it must have, 0 for "only if it is not there"; else `RevisionMismatch`.
        """
        self._require("data:write")
        put = self._raw(namespace, Put(key, value, value_type, ttl, if_revision))
        (outcome,) = await self._checked(namespace, [put], self._set_one(namespace, put))
        self._refuse(namespace, outcome, if_revision)
        return Written(outcome.revision, outcome.created, outcome.note)

    async def set_many(self, namespace: str, values: Mapping[str, Any] | Iterable[Put]) -> list[Written]:
        """Set many keys, or none of them: the first that cannot be set is what is raised."""
        self._require("data:write")
        check_label("namespace", namespace)
        items = [Put(*pair) for pair in values.items()] if isinstance(values, Mapping) else listed("values", values)
        check_many("values", len(items))
        for item in items:
            if not isinstance(item, Put):
                raise InvalidInput(f"values holds {item!r}", hint="give a dictionary, or a list of Put", field="values")
        puts = [self._raw(namespace, item) for item in items]
        if len({put.key for put in puts}) < len(puts):
            raise InvalidInput("a key is given twice", hint="give each key once", field="key")
        if not puts:
            return []
        outcomes = await self._checked(namespace, puts, lambda checked: self._store.set_many(namespace, puts, checked))
        expected = {put.key: put.if_revision for put in puts}
        for outcome in outcomes:
            self._refuse(namespace, outcome, expected[outcome.key])
        return [Written(outcome.revision, outcome.created, outcome.note) for outcome in outcomes]

    async def increment(
        self,
        namespace: str,
        key: str,
        by: float | Decimal = 1,
        *,
        initial: float | Decimal = 0,
        ttl: float | timedelta | None = None,
    ) -> Incremented:
        """Add to a number, exactly. A key that is not there begins with `initial`, and lives for `ttl` from then on."""
        self._require("data:write")
        check_key(namespace, key)
        step, start, span = _bounded("by", by), _bounded("initial", initial), check_ttl(ttl)
        add = RawAdd(key, step, start, span)
        for _ in range(_ATTEMPTS):
            version, wanted = await self._seen(namespace, add)
            outcome = await self._store.increment(namespace, wanted, version)
            if outcome.status == "schema":
                await self._schemas.learn(self._store.scope, namespace, outcome.known, outcome.note)
            elif outcome.status != "conflict":
                self._refuse(namespace, outcome, None)
                assert outcome.value is not None
                return Incremented(decode_anything(outcome.value), outcome.revision, outcome.created, outcome.note)
        raise _restless(namespace)

    async def delete(self, namespace: str, key: str, *, if_revision: int | None = None) -> bool:
        """Delete a key; whether it was there."""
        self._require("data:write")
        check_key(namespace, key)
        check_revision("if_revision", if_revision)
        outcomes = await self._store.delete(namespace, [key], if_revision)
        for outcome in outcomes:
            self._refuse(namespace, outcome, if_revision)
        return bool(outcomes)

    async def delete_many(self, namespace: str, keys: Iterable[str]) -> int:
        """Delete many keys; how many of them were there."""
        self._require("data:write")
        wanted = listed("keys", keys)
        check_label("namespace", namespace)
        check_many("keys", len(wanted))
        for key in wanted:
            check_key(namespace, key)
        return len(await self._store.delete(namespace, wanted, None)) if wanted else 0

    async def list(
        self, namespace: str, *, prefix: str = "", limit: int = 50, cursor: str | None = None
    ) -> Page[Entry]:
        """Entries in the order of their keys, all or those whose key begins with a prefix, which is taken literally."""
        self._require("data:read")
        check_limit(limit)
        check_label("namespace", namespace)
        if prefix:
            check_key(namespace, prefix)
        query = {"list": namespace, "prefix": prefix}
        after = "" if cursor is None else decode_cursor(query, cursor, (str,))[0]
        rows = await self._store.page(namespace, prefix, end_of_prefix(prefix), after, limit + 1)
        items = [_entry(namespace, row) for row in rows[:limit]]
        return Page(items, encode_cursor(query, [items[-1].key]) if len(rows) > limit else None)

    async def list_namespaces(self, *, limit: int = 200, cursor: str | None = None) -> NamespacePage:
        """Namespaces that hold keys, and how many."""
        self._require("data:read")
        check_limit(limit)
        query = {"namespaces": "keys"}
        after = "" if cursor is None else decode_cursor(query, cursor, (str,))[0]
        rows = await self._store.namespaces(after, limit + 1)
        items = [NamespaceUse(row["namespace"], row["keys"]) for row in rows[:limit]]
        return NamespacePage(items, encode_cursor(query, [items[-1].namespace]) if len(rows) > limit else None)

    async def namespace_names(self, prefix: str = "", *, limit: int = 50) -> Sequence[str]:
        """Names of namespaces that begin with a prefix, quickly and without counting: for suggestions."""
        self._require("data:read")
        check_limit(limit)
        return await self._store.namespace_names(*prefixed(prefix), limit)

    async def delete_expired(self, *, limit: int = 1000) -> int:
        """Remove keys whose time is over, longest first; how many. The janitor does this by itself."""
        self._require("data:write")
        check_limit(limit, maximum=100_000)
        return await self._store.sweep(limit)

    async def changes(self, namespace: str, *, after: After = None, limit: int = 100) -> Changes:
        """What happened to the keys of a namespace after a position; None only tells the position there is now.

        After a revision (0 for all that is kept) nothing is missed, but what was written at the same time may be told
        although it was known: after a position everything comes once.
        """
        self._require("data:read")
        check_limit(limit)
        check_label("namespace", namespace)
        return await read_changes(self._store, namespace, after, limit)

    def watch(self, namespace: str, *, after: After = None) -> AsyncIterator[Change]:
        """Changes as they come. Use it on `app.data(tenant)`: a transaction should not stay open for it."""
        news = None if self._heard is None else self._heard(namespace)
        return follow(lambda position: self.changes(namespace, after=position), after, news)

    async def configure(
        self, namespace: str, *, schema: Any = None, max_keys: int | None = None, max_bytes: int | None = None
    ) -> NamespaceRules:
        """Give a namespace a JSON Schema and quotas; None takes them away. What is already stored stays as it is."""
        self._require("data:operate")
        check_label("namespace", namespace)
        text = None
        if schema is not None:
            text = encode_canonical("schema", schema, limit=self._value_limit)
            await aside(lambda: check_schema(schema), schema)
        for field, quota in (("max_keys", max_keys), ("max_bytes", max_bytes)):
            if quota is not None and (isinstance(quota, bool) or not isinstance(quota, int) or not 0 < quota < 2**62):
                raise InvalidInput(f"{field} is {quota!r}", hint="give a number above 0, or None", field=field)
        await self._store.configure(namespace, text, max_keys, max_bytes)
        return await self.rules(namespace)

    async def rules(self, namespace: str) -> NamespaceRules:
        """The schema and quotas of a namespace, and how much of them is used."""
        self._require("data:read")
        check_label("namespace", namespace)
        row = await self._store.rules(namespace)
        if row is None:
            return NamespaceRules(namespace)
        counted = row["max_keys"] is not None or row["max_bytes"] is not None
        return NamespaceRules(
            namespace,
            None if row["json_schema"] is None else decode(row["json_schema"]),
            row["max_keys"],
            row["max_bytes"],
            row["keys"] if counted else None,
            row["bytes"] if counted else None,
        )

    def _raw(self, namespace: str, put: Put) -> RawPut:
        check_key(namespace, put.key)
        text = encode_canonical("value", put.value, limit=self._value_limit)
        return RawPut(
            put.key,
            text,
            check_value_type(put.value_type, decode(text)),
            check_ttl(put.ttl),
            check_revision("if_revision", put.if_revision),
        )

    def _set_one(self, namespace: str, put: RawPut) -> Callable[[int], Awaitable[_Outcomes]]:
        async def attempt(checked: int) -> _Outcomes:
            return [await self._store.set(namespace, put, checked)]

        return attempt

    async def _checked(
        self, namespace: str, puts: Sequence[RawPut], attempt: Callable[[int], Awaitable[_Outcomes]]
    ) -> _Outcomes:
        """Write what was checked against the schema in force; when that is another by now, check again."""
        scope = self._store.scope
        for _ in range(_ATTEMPTS):
            version = await self._validated(namespace, [(put.key, put.value) for put in puts])
            outcomes = await attempt(version)
            if outcomes[0].status != "schema":
                return outcomes
            await self._schemas.learn(scope, namespace, outcomes[0].known, outcomes[0].note)
        raise _restless(namespace)

    async def _seen(self, namespace: str, add: RawAdd) -> tuple[int, RawAdd]:
        """With a schema the sum must be seen before it is written, and only that sum may be."""
        scope = self._store.scope
        if not self._schemas.has_schema(scope, namespace):
            return self._schemas.check(scope, namespace, ()), add
        row = await self._store.get(namespace, add.key)
        if row is not None and row["value_type"] != "number":
            raise _not_a_number(namespace, add.key, row["value_type"])
        total = plus(add.initial if row is None else Decimal(row["value"]), add.by)
        if not fits(total):
            raise _too_long(namespace, add.key)
        text = encode_canonical("value", stored_number(total), limit=self._value_limit)
        return await self._validated(namespace, [(add.key, text)]), add._replace(allowed=total)

    async def _validated(self, namespace: str, texts: Sequence[tuple[str, str]]) -> int:
        """Check values against the schema as we know it; before refusing one, make sure that we know it well."""
        scope = self._store.scope
        try:
            return await self._schemas.checked(scope, namespace, texts)
        except SchemaViolation:
            row = await self._store.rules(namespace)
            version, text = (row["schema_version"], row["json_schema"]) if row else (0, None)
            await self._schemas.learn(scope, namespace, version, text)
            return await self._schemas.checked(scope, namespace, texts)

    def _refuse(self, namespace: str, outcome: Outcome, expected: int | None) -> None:
        key = outcome.key
        if outcome.status == "conflict":
            state = f"has revision {outcome.known}" if outcome.known else "is not there"
            raise RevisionMismatch(
                f"{key!r} in {namespace!r} {state}, expected was {expected or 'that it is not there'}",
                hint="read it again and decide anew",
                namespace=namespace,
                key=key,
                revision=outcome.known,
                expected=expected,
            )
        if outcome.status == "not_a_number":
            raise _not_a_number(namespace, key, outcome.note or "value")
        if outcome.status == "too_long":
            raise _too_long(namespace, key)
        if outcome.status in ("keys", "bytes"):
            raise QuotaExceeded(
                f"the namespace {namespace!r} is full: its quota is {outcome.note} {outcome.status}",
                hint="delete what is no longer needed, or raise the quota",
                namespace=namespace,
                quota=f"max_{outcome.status}",
                limit=int(outcome.note or 0),
            )


def _entry(namespace: str, row: Row) -> Entry:
    return Entry(
        namespace,
        row["key"],
        decode_anything(row["value"]),
        row["value_type"],
        row["revision"],
        row["expires_at"],
        row["created_by_run_id"],
        row["created_at"],
        row["updated_at"],
    )


def _not_a_number(namespace: str, key: str, kind: str) -> InvalidInput:
    return InvalidInput(
        f"{key!r} in {namespace!r} is of type {kind}, not a number",
        hint="increment another key, or set this one to a number first",
        field="key",
    )


def _bounded(field: str, value: Any) -> Decimal:
    found = number(field, value)
    if not fits(found):
        raise InvalidInput(f"{field} has more than {DIGITS} digits", hint="give a shorter number", field=field)
    return found


def _too_long(namespace: str, key: str) -> InvalidInput:
    return InvalidInput(
        f"the sum in {key!r} of {namespace!r} would have more than {DIGITS} digits",
        hint="add less, or set the key to a number that is rounded",
        field="by",
    )


def _restless(namespace: str) -> Conflict:
    return Conflict(f"the namespace {namespace!r} is being changed all the time", hint="try again")
