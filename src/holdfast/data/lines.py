"""Keys and links as JSON Lines, to look at, to move and to bring back: one line a key or a link.

The first line of an export says that it is one, and the last how many keys and links it has: a file that was cut is
told from a whole one, and refused. Lines without the two, written by hand or by other programs, are taken as they are.

Values are exact, times are ISO 8601. A line holds no character that any program takes for the end of a line. Exporting
reads page by page, each as one moment saw it; nothing is held in between. Importing is by pieces, each all or
nothing; what is there is replaced, kept, or refused, as you say. Revisions and ids are not brought back: a revision is
never given twice.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from holdfast.data.checks import END, check_label
from holdfast.data.keys import Keys
from holdfast.data.links import Links
from holdfast.data.model import Put
from holdfast.data.port import EDGE, KeyStore, LinkStore, Row
from holdfast.errors import CanonicalError, InvalidInput, RevisionMismatch
from holdfast.kernel.json import dump, parse_json
from holdfast.kernel.loops import unbroken
from holdfast.kernel.names import did_you_mean

__all__ = ["Imported", "OnConflict", "export_lines", "import_lines", "split_lines"]

OnConflict = Literal["replace", "keep", "fail"]
_PIECE = 200
_PAGE_ROWS, _PAGE_BYTES = 500, 256 * 1024
"""What is read at once. Whoever takes the lines may take no more of them."""
_KEY_MEMBERS = {"kind", "namespace", "key", "value", "value_type", "expires_at", "revision"}
_LINK_MEMBERS = {"kind", "namespace", "from", "to", "relation", "attributes"}
_MEMBERS = {
    "key": (_KEY_MEMBERS, {"namespace", "key", "value"}),
    "link": (_LINK_MEMBERS, {"namespace", "from", "to"}),
    "export": ({"kind", "format", "at", "namespace"}, {"format"}),
    "end": ({"kind", "keys", "links"}, {"keys", "links"}),
}
"""For each kind of line, what it may have, and what it must."""
_LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\u0085\u2028\u2029"}
"""JSON lets these stand in a text as they are, and many programs take them for the end of a line."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did; `skipped` were there already, or had expired."""

    keys: int
    links: int
    skipped: int


async def export_lines(
    keys: KeyStore, links: LinkStore, namespace: str | None, *, at: datetime | None = None
) -> AsyncIterator[str]:
    """Every key and link of the tenant, or of one namespace, in order: what is there all the while, once."""
    upto = END if namespace is None else check_label("namespace", namespace)
    about = {"kind": "export", "format": 1, "at": at and at.astimezone(UTC).isoformat(), "namespace": namespace}
    yield _line({name: value for name, value in about.items() if value is not None})
    counted = {"keys": 0, "links": 0}
    place = [namespace or "", ""]
    while rows := await unbroken(keys.export(place, upto, _PAGE_ROWS, _PAGE_BYTES)):
        for row in rows:
            yield _key_line(row)
        counted["keys"] += len(rows)
        place = [rows[-1]["namespace"], rows[-1]["key"]]
    place = [namespace or "", *[""] * (len(EDGE) - 1)]
    while rows := await unbroken(links.export(place, upto, _PAGE_ROWS, _PAGE_BYTES)):
        for row in rows:
            yield _link_line(row)
        counted["links"] += len(rows)
        place = [rows[-1][name] for name in EDGE]
    yield _line({"kind": "end"} | counted)


def split_lines(text: str) -> Iterator[str]:
    """The lines of a text, as JSON Lines has them: only a line feed ends one."""
    return (line.removesuffix("\r") for line in text.split("\n"))


def _key_line(row: Row) -> str:
    facts: dict[str, Any] = {"kind": "key", "namespace": row["namespace"], "key": row["key"]}
    about: dict[str, Any] = {"value_type": row["value_type"], "revision": row["revision"]}
    if row["expires_at"] is not None:
        about["expires_at"] = row["expires_at"].astimezone(UTC).isoformat()
    return _line(facts, "value", row["value"], about)


def _link_line(row: Row) -> str:
    facts = {
        "kind": "link",
        "namespace": row["namespace"],
        "from": {"type": row["left_type"], "id": row["left_id"]},
        "to": {"type": row["right_type"], "id": row["right_id"]},
        "relation": row["relation"],
    }
    return _line(facts, "attributes", row["attributes"])


def _line(facts: dict[str, Any], name: str = "", value: str = "", about: dict[str, Any] | None = None) -> str:
    """One line. A value is put in as the store has it: to read it and write it again could only change it."""
    parts = [dump(facts)[:-1]]
    if name:
        parts.append(f',"{name}":{value}')
    if about:
        parts.append("," + dump(about)[1:-1])
    return "".join([*parts, "}"]).translate(_LINE_ENDS)


async def import_lines(
    keys: Keys, links: Links, lines: Iterable[str], *, now: datetime, on_conflict: OnConflict = "replace"
) -> Imported:
    """Write what the lines say. With "keep", keys that are there stay; with "fail", the first of them ends it."""
    if on_conflict not in ("replace", "keep", "fail"):
        raise InvalidInput(
            f"on_conflict is {on_conflict!r}", hint="use one of replace, keep, fail", field="on_conflict"
        )
    done = {"keys": 0, "links": 0, "skipped": 0}
    whole = _Whole()
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
            if whole.is_mark(line):
                continue
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
    whole.check_end()
    await flush()
    return Imported(**done)


class _Whole:
    """Notices whether an export is all there: how many keys and links have come, since it said that it is one."""

    def __init__(self) -> None:
        self._open = False
        self._seen = {"key": 0, "link": 0}

    def is_mark(self, line: dict[str, Any]) -> bool:
        """Whether the line is only the first or the last one of an export."""
        kind = line["kind"]
        if kind == "export":
            self.check_end()
            if line["format"] != 1:
                raise InvalidInput(
                    f"its format is {line['format']!r}, which is unknown", hint="use a newer holdfast", field="format"
                )
            self._open, self._seen = True, {"key": 0, "link": 0}
        elif kind == "end":
            if self._open and (line["keys"], line["links"]) != (self._seen["key"], self._seen["link"]):
                raise _not_whole(
                    f"the export has {line['keys']} keys and {line['links']} links, "
                    f"but {self._seen['key']} and {self._seen['link']} came"
                )
            self._open = False
        else:
            self._seen[kind] += 1
        return kind in ("export", "end")

    def check_end(self) -> None:
        """Nothing more comes."""
        if self._open:
            raise _not_whole("the export was cut: its last line is missing")


def _not_whole(message: str) -> InvalidInput:
    return InvalidInput(
        message, hint="export it again, or remove its first line to import what is there", field="lines"
    )


async def _write(keys: Keys, namespace: str, puts: list[Put], on_conflict: OnConflict) -> int:
    wanted = puts
    if on_conflict == "keep":
        # Asked for all at once: to be refused one after the other takes the square of it.
        there = await keys.get_many(namespace, [put.key for put in puts])
        wanted = [put for put in puts if put.key not in there]
    while wanted:
        try:
            return len(await keys.set_many(namespace, wanted))
        except RevisionMismatch as made_since:
            if on_conflict != "keep":
                raise
            wanted = [put for put in wanted if put.key != made_since.details["key"]]
    return 0


def _read(text: str) -> dict[str, Any]:
    try:
        line: dict[str, Any] = parse_json(text)
    except CanonicalError as error:
        raise InvalidInput(error.message, hint="each line is one JSON object", field="line") from None
    kind = line.get("kind") if isinstance(line, dict) else None
    if not isinstance(kind, str) or kind not in _MEMBERS:
        raise InvalidInput("it is neither a key nor a link", hint='give "kind": "key" or "link"', field="kind")
    known, required = _MEMBERS[kind]
    for name in line:
        if name not in known:
            raise InvalidInput(f"it has the unknown member {name!r}", hint=did_you_mean(name, known), field=name)
    for name in sorted(required - set(line)):
        raise InvalidInput(f"it lacks {name!r}", hint="see what export writes", field=name)
    for name in ("namespace", "key"):
        if kind in ("key", "link") and not isinstance(line.get(name, ""), str):
            raise InvalidInput(f"{name} is not a text", hint="see what export writes", field=name)
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
