"""Keys over HTTP: get, set, count, list, follow, move."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import asdict, replace
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from holdfast.data import Put
from holdfast.data.changes import After
from holdfast.data.checks import check_label
from holdfast.data.forms import Number
from holdfast.data.history import KeyEvent
from holdfast.data.lines import Imported, split_lines
from holdfast.data.model import NamespacePage, NamespaceRules
from holdfast.errors import InvalidInput, NotFound
from holdfast.http.access import Body, Limit
from holdfast.http.acting import acting, application
from holdfast.http.bodies import read_text
from holdfast.http.conventions import reads
from holdfast.http.exact import Exact
from holdfast.http.route import ExactRoute, needs
from holdfast.http.streams import EVENTS, Stream, kept_alive
from holdfast.kernel.json import answer
from holdfast.kernel.page import Page

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}/data", tags=["data"], route_class=ExactRoute)

Namespace = Annotated[str, Query(description="the namespace")]
Key = Annotated[str, Query(description="the key in it")]
_KEEP_ALIVE = 15.0
_PIECE = 64 * 1024


class EntryOut(BaseModel):
    """A key with its value."""

    namespace: str
    key: str
    value: Any
    value_type: str
    revision: int
    expires_at: datetime | None
    created_by_run_id: UUID | None
    created_at: datetime
    updated_at: datetime


class EntriesOut(BaseModel):
    """Entries that were there."""

    items: list[EntryOut]


class WrittenOut(BaseModel):
    """The revision a key has now; a warning when its namespace is getting full."""

    revision: int
    created: bool
    warning: str | None


class SumOut(WrittenOut):
    """A number after adding."""

    value: Any


class ChangeOut(BaseModel):
    """Something that happened to a key."""

    key: str
    op: Literal["set", "deleted", "expired"]
    revision: int
    value: Any
    superseded: bool
    at: datetime
    position: str


class ChangesOut(BaseModel):
    """Some changes, and the position after them."""

    items: list[ChangeOut]
    position: str
    more: bool


class NewValue(Body):
    """A value to store."""

    value: Any
    value_type: Literal["string", "number", "boolean", "json"] | None = None
    ttl_seconds: float | None = None
    if_revision: int | None = None


class NewEntry(NewValue):
    """A value to store, and under which key."""

    key: str


class ManyEntries(Body):
    """Values to store, all or none."""

    namespace: str
    entries: list[NewEntry]


class ManyKeys(Body):
    """Keys of a namespace."""

    namespace: str
    keys: list[str]


class Increment(Body):
    """A number to add to."""

    namespace: str
    key: str
    by: Number = 1
    initial: Number = 0
    ttl_seconds: float | None = None


class NewRules(Body):
    """What a namespace allows; members left out allow anything."""

    namespace: str
    json_schema: dict[str, Any] | None = None
    max_keys: int | None = None
    max_bytes: int | None = None


@router.get("/namespaces")
async def list_namespaces(
    request: Request, tenant: str, limit: Limit = 200, cursor: str | None = None
) -> NamespacePage:
    """Namespaces that hold keys, and how many."""
    async with acting(request, tenant) as hold:
        return await hold.data.list_namespaces(limit=limit, cursor=cursor)


@router.get("/entries", response_model=Page[EntryOut])
async def list_entries(
    request: Request,
    tenant: str,
    namespace: Namespace,
    prefix: str = "",
    limit: Limit = 50,
    cursor: str | None = None,
    values: Annotated[bool, Query(description="false: null for every value, for lists that show none")] = True,
) -> Response:
    """Entries in the order of their keys; a prefix is taken literally."""
    async with acting(request, tenant) as hold:
        page = await hold.data.list(namespace, prefix=prefix, limit=limit, cursor=cursor)
    if not values:
        page = Page([replace(entry, value=None) for entry in page.items], page.next_cursor)
    return Exact(page)


@router.get("/entry", response_model=EntryOut)
async def get_entry(request: Request, tenant: str, namespace: Namespace, key: Key) -> Response:
    """One entry. Its revision is the ETag."""
    async with acting(request, tenant) as hold:
        entry = await hold.data.get(namespace, key)
    if entry is None:
        raise NotFound(f"there is no key {key!r} in {namespace!r}", namespace=namespace, key=key)
    return Exact(entry, headers={"ETag": f'"{entry.revision}"'})


@router.put(
    "/entry", response_model=WrittenOut, responses={201: {"model": WrittenOut, "description": "there was no such key"}}
)
@needs("data:write")
async def set_entry(
    request: Request,
    tenant: str,
    namespace: Namespace,
    key: Key,
    new: NewValue,
    if_match: Annotated[str | None, Header(description="the revision it must have")] = None,
    if_none_match: Annotated[str | None, Header(description="`*`: only if it is not there")] = None,
) -> Response:
    """Store a value. `If-Match`, `If-None-Match: *` or `if_revision` make it conditional; 409 when it does not hold."""
    expected = _expected(new.if_revision, if_match, if_none_match)
    async with acting(request, tenant) as hold:
        made = await hold.data.set(
            namespace, key, new.value, value_type=new.value_type, ttl=new.ttl_seconds, if_revision=expected
        )
    return Exact(made, 201 if made.created else 200, version=made.revision)


@router.delete("/entry", status_code=204)
async def delete_entry(
    request: Request,
    tenant: str,
    namespace: Namespace,
    key: Key,
    if_match: Annotated[str | None, Header(description="the revision it must have")] = None,
) -> Response:
    """Delete a key."""
    expected = _expected(None, if_match, None)
    async with acting(request, tenant) as hold:
        done = await hold.data.delete(namespace, key, if_revision=expected)
    if not done:
        raise NotFound(f"there is no key {key!r} in {namespace!r}", namespace=namespace, key=key)
    return Response(status_code=204)


@router.get("/history")
async def read_history(
    request: Request, tenant: str, namespace: Namespace, key: Key, limit: Limit = 50, cursor: str | None = None
) -> Page[KeyEvent]:
    """What happened to a key since it was made, newest first: who, when, which revision. The trail keeps no values."""
    async with acting(request, tenant) as hold:
        return await hold.key_history(namespace, key, limit=limit, cursor=cursor)


@router.post("/increment", response_model=SumOut)
@needs("data:write")
async def increment(request: Request, tenant: str, wanted: Increment) -> Response:
    """Add to a number, exactly."""
    async with acting(request, tenant) as hold:
        done = await hold.data.increment(
            wanted.namespace, wanted.key, wanted.by, initial=wanted.initial, ttl=wanted.ttl_seconds
        )
    return Exact(done)


@router.post("/get", response_model=EntriesOut)
@needs("data:read")
@reads
async def get_many(request: Request, tenant: str, wanted: ManyKeys) -> Response:
    """The entries of many keys; those that are not there are left out."""
    async with acting(request, tenant) as hold:
        found = await hold.data.get_many(wanted.namespace, wanted.keys)
    return Exact({"items": [asdict(entry) for entry in found.values()]})


@router.post("/set", response_model=list[WrittenOut])
@needs("data:write")
async def set_many(request: Request, tenant: str, wanted: ManyEntries) -> Response:
    """Set many keys, or none of them."""
    puts = [Put(new.key, new.value, new.value_type, new.ttl_seconds, new.if_revision) for new in wanted.entries]
    async with acting(request, tenant) as hold:
        done = await hold.data.set_many(wanted.namespace, puts)
    return Exact(done)


@router.post("/delete", response_model=dict[str, int])
@needs("data:write")
async def delete_many(request: Request, tenant: str, wanted: ManyKeys) -> Response:
    """Delete many keys; how many of them were there."""
    async with acting(request, tenant) as hold:
        done = {"deleted": await hold.data.delete_many(wanted.namespace, wanted.keys)}
    return Exact(done)


@router.get("/rules", response_model=NamespaceRules)
async def get_rules(request: Request, tenant: str, namespace: Namespace) -> Response:
    """The schema and the quotas of a namespace, and how much of them is used."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.data.rules(namespace))


@router.put("/rules", response_model=NamespaceRules)
@needs("data:operate")
async def set_rules(request: Request, tenant: str, new: NewRules) -> Response:
    """Give a namespace a JSON Schema and quotas, or take them away."""
    async with acting(request, tenant) as hold:
        done = await hold.data.configure(
            new.namespace, schema=new.json_schema, max_keys=new.max_keys, max_bytes=new.max_bytes
        )
    return Exact(done)


@router.get("/changes", response_model=ChangesOut)
async def list_changes(
    request: Request, tenant: str, namespace: Namespace, after: str | None = None, limit: Limit = 100
) -> Response:
    """What happened after a position. Without one, only the position where the changes are now.

    `after` may be a revision too, 0 for all that is kept: then nothing is missed, but changes that were made at the
    same time may be told although you knew them.
    """
    async with acting(request, tenant) as hold:
        return Exact(await hold.data.changes(namespace, after=_after(after), limit=limit))


@router.get("/watch", response_class=StreamingResponse)
async def watch(
    request: Request,
    tenant: str,
    namespace: Namespace,
    after: str | None = None,
    last_event_id: Annotated[str | None, Header(description="resumes after that change")] = None,
) -> StreamingResponse:
    """Changes as they come, as server-sent events; the id of each is the position after it."""
    start = _after(last_event_id or after)
    async with acting(request, tenant) as hold:
        # Whatever is wrong is said before the stream begins.
        first = await hold.data.changes(namespace, after=start, limit=1)
        position: After = first.position if start is None else start
        reader = hold.actor
    source = application(request).follow_data(tenant, namespace, after=position, actor=reader)

    async def events() -> AsyncIterator[str]:
        async for change in kept_alive(source, _KEEP_ALIVE):
            if change is None:
                yield ": still here\n\n"
            else:
                facts = answer(asdict(change)).decode()
                yield f"id: {change.position}\nevent: {change.op}\ndata: {facts}\n\n"

    return Stream(events(), needs="data:read", media_type="text/event-stream", headers=EVENTS)


@router.get("/export", response_class=StreamingResponse)
async def export(request: Request, tenant: str, namespace: str | None = None) -> StreamingResponse:
    """Keys and links as JSON Lines. The last line says how many there were: without it, some are missing."""
    if namespace is not None:
        check_label("namespace", namespace)
    async with acting(request, tenant) as hold:
        # Whatever is wrong is said before the stream begins.
        hold.require("data:read")
        reader = hold.actor
    source = application(request).export_data(tenant, namespace, actor=reader)

    async def pieces() -> AsyncIterator[str]:
        piece: list[str] = []
        size = 0
        async with aclosing(source):
            async for line in source:
                piece.append(line + "\n")
                size += len(line)
                if size >= _PIECE:
                    yield "".join(piece)
                    piece, size = [], 0
        yield "".join(piece)

    return Stream(pieces(), needs="data:read", media_type="application/jsonl")


@router.post("/import", response_model=Imported)
@needs("data:operate")
async def import_(
    request: Request,
    tenant: str,
    on_conflict: Literal["replace", "keep", "fail"] = "replace",
) -> Response:
    """Write what exported lines say; all of it or nothing. An export that was cut is refused."""
    text = await read_text(request, hint="send what export gave")
    async with acting(request, tenant) as hold:
        done = await hold.import_data(split_lines(text), on_conflict=on_conflict)
    return Exact(done)


def _expected(if_revision: int | None, if_match: str | None, if_none_match: str | None) -> int | None:
    given = [value for value in (if_revision, if_match, if_none_match) if value is not None]
    if len(given) > 1:
        raise InvalidInput(
            "more than one condition is given", hint="use one of If-Match, If-None-Match, if_revision", field="If-Match"
        )
    if if_none_match is not None:
        if if_none_match != "*":
            raise InvalidInput(f"If-None-Match is {if_none_match!r}", hint="use *", field="If-None-Match")
        return 0
    if if_match is not None:
        text = if_match.removeprefix("W/").strip('"')
        if not (text.isascii() and text.isdigit()) or len(text) > 18 or int(text) == 0:
            raise InvalidInput(f"If-Match is {if_match!r}", hint="use the revision, as its ETag", field="If-Match")
        return int(text)
    return if_revision


def _after(text: str | None) -> After:
    return int(text) if text is not None and text.isascii() and text.isdecimal() and len(text) <= 19 else text
