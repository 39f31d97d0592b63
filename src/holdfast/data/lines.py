"""Keys and links as JSON Lines, to look at, to move and to bring back: one line a key or a link.

Values are exact, times are ISO 8601. Importing is by pieces, each all or nothing; what is there is replaced, kept, or
refused, as you say. Revisions and ids are not brought back: a revision is never given twice.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from holdfast.data.keys import Keys
from holdfast.data.links import Links
from holdfast.data.model import Put
from holdfast.data.port import KeyStore, LinkStore
from holdfast.errors import CanonicalError, InvalidInput, RevisionMismatch
from holdfast.kernel.canonical import parse_json
from holdfast.kernel.exact import decode, encode
from holdfast.kernel.names import did_you_mean

__all__ = ["Imported", "OnConflict", "export_lines", "import_lines"]

OnConflict = Literal["replace", "keep", "fail"]
_PIECE = 200
_LONG_LINE = 2**62
_KEY_MEMBERS = {"kind", "namespace", "key", "value", "value_type", "expires_at", "revision"}
_LINK_MEMBERS = {"kind", "namespace", "from", "to", "relation", "attributes"}


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did; `skipped` were there already, or had expired."""

    keys: int
    links: int
    skipped: int


async def export_lines(keys: KeyStore, links: LinkStore, namespace: str | None) -> AsyncIterator[str]:
    """Every key and link of the tenant, or of one namespace, in order; as one moment saw them."""
    async for row in keys.export(namespace):
        line = {
            "kind": "key",
            "namespace": row["namespace"],
            "key": row["key"],
            "value": decode(row["value"]),
            "value_type": row["value_type"],
            "expires_at": row["expires_at"] and row["expires_at"].astimezone(UTC).isoformat(),
            "revision": row["revision"],
        }
        yield encode(
            "line",
            {name: value for name, value in line.items() if name == "value" or value is not None},
            limit=_LONG_LINE,
        )
    async for row in links.export(namespace):
        yield encode(
            "line",
            {
                "kind": "link",
                "namespace": row["namespace"],
                "from": {"type": row["left_type"], "id": row["left_id"]},
                "to": {"type": row["right_type"], "id": row["right_id"]},
                "relation": row["relation"],
                "attributes": decode(row["attributes"]),
            },
            limit=_LONG_LINE,
        )


async def import_lines(
    keys: Keys, links: Links, lines: Iterable[str], *, now: datetime, on_conflict: OnConflict = "replace"
) -> Imported:
    """Write what the lines say. With "keep", keys that are there stay; with "fail", the first of them ends it."""
    if on_conflict not in ("replace", "keep", "fail"):
        raise InvalidInput(
            f"on_conflict is {on_conflict!r}", hint="use one of replace, keep, fail", field="on_conflict"
        )
    done = {"keys": 0, "links": 0, "skipped": 0}
    piece: dict[str, Put] = {}
    space = ""

    async def flush() -> None:
        if piece:
            written = await _write(keys, space, list(piece.values()), on_conflict)
            done["keys"] += written
            done["skipped"] += len(piece) - written
            piece.clear()

    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            line = _read(text)
            if line["kind"] == "link":
                await links.upsert(
                    line["namespace"],
                    line["from"],
                    line["to"],
                    relation=line.get("relation", "related"),
                    attributes=line.get("attributes"),
                )
                done["links"] += 1
                continue
            ends = line.get("expires_at")
            ttl = None if ends is None else _instant(ends) - now
            if ttl is not None and ttl <= timedelta(0):
                done["skipped"] += 1
                continue
            if line["namespace"] != space or len(piece) >= _PIECE or line["key"] in piece:
                await flush()
                space = line["namespace"]
            expected = None if on_conflict == "replace" else 0
            piece[line["key"]] = Put(line["key"], line["value"], line.get("value_type"), ttl, expected)
        except InvalidInput as error:
            raise type(error)(
                f"line {number}: {error.message}", hint=error.hint, **error.details | {"line": number}
            ) from None
    await flush()
    return Imported(**done)


async def _write(keys: Keys, namespace: str, puts: list[Put], on_conflict: OnConflict) -> int:
    wanted = puts
    while wanted:
        try:
            return len(await keys.set_many(namespace, wanted))
        except RevisionMismatch as there:
            if on_conflict != "keep":
                raise
            wanted = [put for put in wanted if put.key != there.details["key"]]
    return 0


def _read(text: str) -> dict[str, Any]:
    try:
        line = parse_json(text)
    except CanonicalError as error:
        raise InvalidInput(error.message, hint="each line is one JSON object", field="line") from None
    if not isinstance(line, dict) or line.get("kind") not in ("key", "link"):
        raise InvalidInput("it is neither a key nor a link", hint='give "kind": "key" or "link"', field="kind")
    known = _KEY_MEMBERS if line["kind"] == "key" else _LINK_MEMBERS
    required = {"namespace", "key", "value"} if line["kind"] == "key" else {"namespace", "from", "to"}
    for name in line:
        if name not in known:
            raise InvalidInput(f"it has the unknown member {name!r}", hint=did_you_mean(name, known), field=name)
    for name in sorted(required - line.keys()):
        raise InvalidInput(f"it lacks {name!r}", hint="see what export writes", field=name)
    return line


def _instant(text: Any) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        found = None
    if found is None or found.tzinfo is None:
        raise InvalidInput(
            f"expires_at is {text!r}",
            hint="use ISO 8601 with a time zone: 2026-06-04T12:00:00+00:00",
            field="expires_at",
        )
    return found
