"""Anchors: what the heads of the chains were, said outside of the database, where who rewrites it cannot reach.

An anchor is some lines of JSON, each signed with a key of the installation, that name every chain whose head moved
since the anchor before it. A place takes them in: a file that grows, an address that they are sent to, or a bucket.
`holdfast audit verify --anchors` reads them back, and finds a chain that was rewritten or cut off since, an anchor that
is missing between two others or at the end, and one that is not ours.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import parse_qsl, urlsplit, urlunsplit
from uuid import UUID

from psycopg.rows import dict_row

from holdfast.audit.verify import Anchored, Chain
from holdfast.errors import HoldfastError, InvalidInput, OperationalError
from holdfast.kernel.clock import Clock
from holdfast.kernel.json import canonical_json
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries

if TYPE_CHECKING:
    from holdfast.kernel.keyring import Keyring
    from holdfast.settings import Settings

__all__ = ["Anchors", "anchor", "anchor_due", "places", "read_anchors"]

_SQL = queries("install")
_PURPOSE = "audit anchor"
_HEADS = 10_000
"""How many heads one line names at most."""
_OVERLAP = timedelta(hours=1)
"""Each anchor begins so long before the last one ended: a transaction writes events as of its beginning."""
_TIMEOUT = 60.0
_log = logging.getLogger(__name__)


class Place(Protocol):
    """Where anchors go. `name` is the place without its secrets."""

    name: str

    async def write(self, at: datetime, lines: bytes) -> None: ...

    def read(self) -> AsyncIterator[bytes]:
        """Every line of every anchor, in any order."""
        ...


def places(settings: Settings) -> list[Place]:
    """What `HOLDFAST_AUDIT_ANCHORS` names."""
    given = settings.audit_anchors
    words = given.get_secret_value().split(",") if given is not None else []
    return [_place(word.strip(), settings) for word in words]


async def anchor_due(database: Database, clock: Clock, keyring: Keyring) -> None:
    """Send to each place what is due; a place that cannot be reached is tried again in the next round."""
    for place in places(database.settings):
        try:
            await anchor(database, clock, keyring, place, every=database.settings.audit_anchor_interval)
        except HoldfastError as error:
            _log.error("the audit trail was not anchored in %s: %s", place.name, error)


async def anchor(database: Database, clock: Clock, keyring: Keyring, place: Place, *, every: float = 0.0) -> int | None:
    """Send the heads that moved since the last time, if that is so long ago; how many, or None when it was not due."""
    async with database.connection() as connection, connection.transaction():
        cursor = connection.cursor(row_factory=dict_row)
        await cursor.execute(_SQL["claim_anchor"], {"place": place.name, "every": every, "now": clock.now()})
        claimed = await cursor.fetchone()
        if claimed is None or not claimed["due"]:
            return None
        since = None if claimed["before"] is None else claimed["before"] - _OVERLAP
        await cursor.execute(_SQL["heads_since"], {"since": since})
        heads = [
            [str(row["tenant"]), row["object_kind"], str(row["object_id"]), row["seq"], bytes(row["hash"]).hex()]
            for row in await cursor.fetchall()
        ]
        about = {
            "installation": str(claimed["installation"]),
            "at": claimed["at"].astimezone(UTC).isoformat(),
            "since": None if since is None else since.astimezone(UTC).isoformat(),
        }
        await place.write(claimed["at"], b"".join(_lines(about, heads, keyring)))
        await cursor.execute(_SQL["note_anchor"], {"place": place.name, "at": claimed["at"]})
    _log.info("the audit trail was anchored in %s: %d heads", place.name, len(heads))
    return len(heads)


def _lines(about: dict[str, Any], heads: list[list[Any]], keyring: Keyring) -> Iterator[bytes]:
    parts = [heads[first : first + _HEADS] for first in range(0, len(heads), _HEADS)] or [[]]
    for part, some in enumerate(parts, 1):
        line = {**about, "part": part, "parts": len(parts), "heads": some, "key": keyring.current}
        _, signature = keyring.sign(canonical_json(line), _PURPOSE)
        yield canonical_json({**line, "signature": signature.hex()}) + b"\n"


# ---------------------------------------------------------------------------------------------------- reading them back


class Anchors:
    """What the anchors of a place say, and what is wrong with them."""

    def __init__(self) -> None:
        self.count = 0
        self.problems: list[str] = []
        self._heads: dict[UUID, dict[Chain, dict[int, bytes]]] = {}

    @property
    def tenants(self) -> set[UUID]:
        """Whose chains they name."""
        return set(self._heads)

    def of(self, tenant: UUID) -> Anchored:
        """What they say of the chains of a tenant."""
        return self._heads.get(tenant, {})

    def add(self, heads: Sequence[Sequence[Any]]) -> None:
        """Take in what a line says; two anchors that contradict each other are found by the chain itself."""
        for tenant, kind, object_id, seq, digest in heads:
            chain = self._heads.setdefault(UUID(tenant), {}).setdefault((kind, UUID(object_id)), {})
            if chain.setdefault(int(seq), bytes.fromhex(digest)) != bytes.fromhex(digest):
                self.problems.append(f"two anchors say different things of event {seq} of {kind} {object_id}")


async def read_anchors(database: Database, keyring: Keyring, where: str) -> Anchors:
    """Read and check every anchor of a place: a URL as in the settings, or the path of a file."""
    place = _place(where, database.settings)
    async with database.connection() as connection:
        row = await (await connection.execute(_SQL["anchored_at"], {"place": place.name})).fetchone()
    found = Anchors()
    parts: dict[tuple[datetime, datetime | None], set[int]] = {}
    wanted: dict[tuple[datetime, datetime | None], int] = {}
    async for raw in place.read():
        line = _checked(raw, keyring)
        if line is None:
            found.problems.append(f"a line of {place.name} is not an anchor that we signed")
            continue
        at, since = datetime.fromisoformat(line["at"]), line["since"]
        which = (at, None if since is None else datetime.fromisoformat(since))
        parts.setdefault(which, set()).add(line["part"])
        wanted[which] = line["parts"]
        found.add(line["heads"])
    found.count = len(parts)
    found.problems += _gaps(place.name, sorted(parts, key=lambda one: one[0]), row[0] if row else None)
    found.problems += [
        f"the anchor of {which[0]:%Y-%m-%d %H:%M:%S} lacks parts"
        for which in parts
        if len(parts[which]) != wanted[which]
    ]
    return found


def _checked(raw: bytes, keyring: Keyring) -> dict[str, Any] | None:
    try:
        line = json.loads(raw)
        signature, key = bytes.fromhex(line.pop("signature")), str(line["key"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return line if keyring.check(key, signature, canonical_json(line), _PURPOSE) else None


def _gaps(name: str, anchors: list[tuple[datetime, datetime | None]], last: datetime | None) -> Iterator[str]:
    if not anchors:
        yield f"there is no anchor in {name}"
        return
    if anchors[0][1] is not None:
        yield f"the anchors in {name} before {anchors[0][0]:%Y-%m-%d %H:%M:%S} are missing"
    for (before, _), (at, since) in pairwise(anchors):
        if since is not None and since > before:
            yield f"the anchors in {name} between {before:%Y-%m-%d %H:%M:%S} and {at:%Y-%m-%d %H:%M:%S} are missing"
    newest = anchors[-1][0]
    if last is not None and newest < last:
        yield f"the anchors in {name} after {newest:%Y-%m-%d %H:%M:%S} are missing, up to {last:%Y-%m-%d %H:%M:%S}"


# -------------------------------------------------------------------------------------------------------------- places


def _place(where: str, settings: Settings) -> Place:
    parts = urlsplit(where)
    if parts.scheme == "file" or "://" not in where:
        return _File(Path(parts.path if parts.scheme == "file" else where).absolute())
    if parts.scheme in ("http", "https"):
        return _Address(where)
    if parts.scheme == "s3":
        key = settings.audit_anchors_key
        return _InBucket(where, key.get_secret_value() if key else None)
    raise InvalidInput(
        "that is not a place for anchors", hint="use file:///path, https://… or s3://bucket/prefix", field="anchors"
    )


class _File:
    """A file that grows: on another disk or machine, or one that can only be appended to."""

    def __init__(self, path: Path) -> None:
        self.name = path.as_uri()
        self._path = path

    async def write(self, at: datetime, lines: bytes) -> None:
        await asyncio.to_thread(self._append, lines)

    def _append(self, lines: bytes) -> None:
        try:
            with self._path.open("ab") as file:
                file.write(lines)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._unreachable(error) from error

    async def read(self) -> AsyncIterator[bytes]:
        try:
            text = await asyncio.to_thread(self._path.read_bytes)
        except OSError as error:
            raise self._unreachable(error) from error
        for line in text.splitlines():
            yield line

    def _unreachable(self, error: OSError) -> OperationalError:
        return OperationalError(f"{self._path}: {error.strerror or error}", hint="check HOLDFAST_AUDIT_ANCHORS")


class _Address:
    """A web address: anchors are sent to it with POST, and it gives all of them with GET."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._url = url
        self.name = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))

    async def write(self, at: datetime, lines: bytes) -> None:
        await self._ask("POST", lines)

    async def read(self) -> AsyncIterator[bytes]:
        for line in (await self._ask("GET", None)).splitlines():
            yield line

    async def _ask(self, method: str, body: bytes | None) -> bytes:
        import httpx

        headers = {"content-type": "application/x-ndjson"} if body is not None else {}
        try:
            async with httpx.AsyncClient(timeout=_TIMEOUT, trust_env=False) as client:
                answer = await client.request(method, self._url, content=body, headers=headers)
                answer.raise_for_status()
        except httpx.HTTPStatusError as error:
            raise self._unreachable(f"it answered {error.response.status_code}") from None
        except httpx.HTTPError as error:
            raise self._unreachable(type(error).__name__) from None
        return answer.content

    def _unreachable(self, why: str) -> OperationalError:
        return OperationalError(f"{self.name} did not take or give anchors: {why}", hint="check HOLDFAST_AUDIT_ANCHORS")


class _InBucket:
    """A bucket: an object for each anchor, best with a lock on what was written."""

    def __init__(self, url: str, key: str | None) -> None:
        from holdfast.kernel.bucket import Bucket

        parts = urlsplit(url)
        self.name = f"s3://{parts.netloc}{parts.path}"
        options = dict(parse_qsl(parts.query))
        self._bucket = Bucket(parts.netloc, parts.path, options, key, setting="HOLDFAST_AUDIT_ANCHORS")

    async def write(self, at: datetime, lines: bytes) -> None:
        await self._bucket.put(f"{at.astimezone(UTC):%Y%m%dT%H%M%S.%fZ}.jsonl", lines)

    async def read(self) -> AsyncIterator[bytes]:
        for name in await self._bucket.names():
            text = b"".join([chunk async for chunk in self._bucket.get(name)])
            for line in text.splitlines():
                yield line
