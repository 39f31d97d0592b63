"""Bodies of requests: read for whoever is signed in, in time, within bounds, before a connection is taken.

A `GuardedRequest` gives its body once: at most `MAX_BODY` bytes, and all of them within `HOLDFAST_BODY_TIMEOUT`. Large
ones share a bounded memory, of which a tenant and a token get their part. JSON is counted before it is read (how many
values, how deep), and a large one is read on a thread, so that others are answered meanwhile.

FastAPI reads the bodies of most routes by it, before their function is called. A route that must look at the request
first, or wants every number with a fraction as a `Decimal`, calls `read_body`, and says `body_of` for OpenAPI. No digit
is lost either way: a float is made only of a number that it carries whole.
"""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope

from holdfast.errors import CanonicalError, HoldfastError, InvalidInput, RequestTooSlow
from holdfast.http.acting import application
from holdfast.http.problems import MOST_PROBLEMS, SEE
from holdfast.kernel.json import canonical_json, check_extent, parse_json
from holdfast.postgres.shares import CALLER, Shares

__all__ = [
    "MAX_BODY",
    "TOO_LARGE",
    "GuardedRequest",
    "body_of",
    "memory",
    "object_of",
    "read_body",
    "read_small",
    "read_text",
]

B = TypeVar("B", bound=BaseModel)

MAX_BODY = 16 * 1024 * 1024
TOO_LARGE = f"the request is larger than {MAX_BODY // 2**20} MiB"
_MEMORY = 16 * MAX_BODY
"""Bytes that all large bodies may have together, while they are read and worked on."""
_LARGE = 64 * 1024
SMALL = 4096
"""Bytes that somebody may send who is not signed in."""
_THREADS = ThreadPoolExecutor(2, "holdfast-json")


def memory(wait: float) -> Shares:
    """What large bodies share."""
    return Shares(_MEMORY, wait=wait)


class GuardedRequest(Request):
    """A request of somebody who is signed in. `release` must be called when it is answered."""

    def __init__(self, scope: Scope, receive: Receive, *, exact: bool) -> None:
        super().__init__(scope, receive)
        self._exact = exact
        self._reserved = 0
        self._read: list[Any] = []

    async def body(self) -> bytes:
        """All of it. Read before, it is not read again."""
        if not hasattr(self, "_body"):
            await self._reserve()
            seconds = application(self).settings.body_timeout
            try:
                async with asyncio.timeout(seconds):
                    self._body = await self._whole()
            except TimeoutError:
                raise RequestTooSlow(
                    f"the body of the request did not come within {seconds:g} s", hint="send it again, in one go"
                ) from None
        return self._body

    async def json(self) -> Any:
        """The body as JSON; raises `JSONDecodeError` for what is none, and `CanonicalError` for what is too much."""
        if not self._read:
            self._read.append(await self._parsed(exact=self._exact))
        return self._read[0]

    async def exact_json(self) -> Any:
        """The same with exact numbers, whatever its route has."""
        return await self._parsed(exact=True)

    async def content(self) -> bytes:
        """The body in one form, however its JSON is written; as it is, when it is none."""
        body = await self.body()
        try:
            return canonical_json(await self.exact_json()) if body else b""
        except (json.JSONDecodeError, HoldfastError):
            return body  # What is wrong with it is said where it is read.

    def refused(self) -> None:
        """What it asked for was not done. A large body that was read in vain counts against its tenant."""
        caller = CALLER.get()
        if caller is not None and hasattr(self, "_body"):
            self.app.state.refused_bodies.refused(caller.tenant, self._body)

    def release(self) -> None:
        """Let others have the memory."""
        caller = CALLER.get()
        if self._reserved and caller is not None:
            self._memory.give_back(caller.tenant, caller.token, self._reserved)
            self._reserved = 0

    async def _parsed(self, *, exact: bool) -> Any:
        body = await self.body()
        if len(body) <= _LARGE:
            return _parse(body, exact)
        return await asyncio.get_running_loop().run_in_executor(_THREADS, _parse, body, exact)

    async def _whole(self) -> bytes:
        parts: list[bytes] = []
        size = 0
        async for part in self.stream():
            size += len(part)
            if size > MAX_BODY:
                raise HTTPException(413, TOO_LARGE)
            parts.append(part)
        return b"".join(parts)

    async def _reserve(self) -> None:
        # A body that is sent in chunks does not say beforehand how large it will be.
        size = MAX_BODY if "transfer-encoding" in self.headers else int(self.headers.get("content-length", "0"))
        caller = CALLER.get()
        if caller is not None:
            self.app.state.refused_bodies.check(caller.tenant, size)
        if size > _LARGE and caller is not None:
            await self._memory.take(caller.tenant, caller.token, size)
            self._reserved = size

    @property
    def _memory(self) -> Shares:
        found: Shares = self.app.state.bodies
        return found


async def read_body(request: Request, model: type[B]) -> B:
    """The body as a model, with exact numbers. Read it before a transaction is begun, which would wait for it."""
    assert isinstance(request, GuardedRequest)
    try:
        given = await request.exact_json()
    except json.JSONDecodeError as error:
        raise InvalidInput(f"the body is not JSON: {error.msg}", hint="send a JSON object", field="body") from None
    try:
        return model.model_validate(given)
    except ValidationError as error:
        problems = [
            {"field": ".".join(map(str, each["loc"])) or "body", "message": each["msg"]}
            for each in error.errors(include_url=False, include_input=False, include_context=False)
        ]
        first = problems[0]
        problems = problems[:MOST_PROBLEMS]
        told = f"{first['field']}: {first['message']}"
        raise InvalidInput(told, hint=SEE, errors=problems, field=first["field"]) from None


async def read_small(request: Request, model: type[B]) -> B:
    """The small body of somebody who is not signed in: within `SMALL` bytes, and the time that a head may take."""
    body = b""
    try:
        async with asyncio.timeout(application(request).settings.header_timeout):
            async for part in request.stream():
                body += part
                if len(body) > SMALL:
                    raise InvalidInput("the body is too large", hint="send what is asked for", field="body")
    except TimeoutError:
        raise RequestTooSlow("the body of the request did not come in time", hint="send it again") from None
    try:
        return model.model_validate(json.loads(body))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(map(str, first["loc"])) or "body"
        raise InvalidInput(f"{field}: {first['msg']}", hint=SEE, field=field) from None
    except (ValueError, RecursionError):
        raise InvalidInput("the body is not JSON", hint="send a JSON object", field="body") from None


def body_of(model: type[BaseModel]) -> dict[str, Any]:
    """What OpenAPI says of a body that `read_body` reads."""
    schema = model.model_json_schema()
    plain = _inlined(schema, schema.pop("$defs", {}))
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": plain}}}}


def _inlined(schema: Any, shared: dict[str, Any]) -> Any:
    """A schema with what it refers to in its place: within OpenAPI, its own definitions are nowhere to be found."""
    if isinstance(schema, list):
        return [_inlined(each, shared) for each in schema]
    if not isinstance(schema, dict):
        return schema
    rest = {name: _inlined(each, shared) for name, each in schema.items() if name != "$ref"}
    if "$ref" not in schema:
        return rest
    return {**_inlined(shared[schema["$ref"].removeprefix("#/$defs/")], shared), **rest}


async def read_text(request: Request, *, hint: str) -> str:
    """The body of a route that takes something else than JSON."""
    return _text(await request.body(), hint)


def _text(body: bytes, hint: str) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise InvalidInput("body: it is not UTF-8", hint=hint, field="body") from None


def _parse(body: bytes, exact: bool) -> Any:
    text = _text(body, "send JSON as UTF-8")
    try:
        check_extent(body)
        return parse_json(text, exact=exact)
    except CanonicalError as error:
        if error.hint is None:
            # What FastAPI expects of a body that is no JSON; it answers with 422.
            raise json.JSONDecodeError(
                error.details.get("problem", error.message), "", error.details.get("position", 0)
            ) from None
        raise InvalidInput(
            f"body: {error.message}", hint=error.hint, field=error.details.get("field", "body")
        ) from None


def object_of(field: str, text: str) -> dict[str, Any]:
    """A JSON object given in the query."""
    try:
        found = parse_json(text, exact=False)
    except CanonicalError:
        found = None
    if not isinstance(found, dict):
        raise InvalidInput(f"{field} is not a JSON object", hint='such as {"customer": "acme"}', field=field)
    return found
